"""How often a wrong password may be tried: what django-axes counts, and what it says then.

Counted are failures of one user name from one address, and of all user names from one address. The address is that
of the connection: a header can say anything, so it neither helps nor locks somebody else out.
"""

from __future__ import annotations

from typing import Any

from axes.handlers.database import AxesDatabaseHandler
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.crypto import salted_hmac
from django.utils.translation import gettext as _

from players.rules.names import fold_letters

BY_NAME = 5  # failures of a user name from an address until it waits, as AXES_FAILURE_LIMIT says
BY_ADDRESS = 50  # of all names from an address: a whole hall may be behind one


class Handler(AxesDatabaseHandler):
    """Counts in the database, where each web process sees it."""

    def get_failures(self, request: HttpRequest, credentials: dict[str, Any] | None = None) -> int:
        """On the scale of BY_NAME, since axes compares with one limit only."""
        by_name, by_address = (
            sum(attempts.values_list("failures_since_start", flat=True))
            for attempts in self.get_user_attempts(request, credentials)
        )
        return int(max(by_name, by_address * BY_NAME // BY_ADDRESS))

    def reset_user_attempts(self, request: HttpRequest, credentials: dict[str, Any] | None = None) -> int:
        """A sign-in forgives the failures of its own name only: else one's own account would forgive all others."""
        own, _all = self.filter_user_attempts(request, credentials)
        return int(own.delete()[0])


def address_of(request: HttpRequest) -> str:
    """The other end of the connection."""
    return str(request.META.get("REMOTE_ADDR", ""))


def name_in(request: HttpRequest, credentials: dict[str, Any] | None = None) -> str:
    """What a user name is counted under: the same for all its spellings, and no name.

    Some people type their password where the name belongs.
    """
    typed = str((credentials or {}).get("username") or "")
    return salted_hmac("players.web.limits", fold_letters(typed.strip()), algorithm="sha256").hexdigest()


def nobody(*_told: Any) -> str:
    """What axes writes into the log of the house about who tried: nothing."""
    return "somebody"


def locked_page(request: HttpRequest, *_told: Any) -> HttpResponse:
    """429: there were too many. The same for a name that exists and for one that does not."""
    text = _("Too many wrong passwords. Wait a quarter of an hour, or ask for a new password by a link.")
    return render(request, "players/refused.html", {"text": text}, status=429)
