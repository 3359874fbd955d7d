"""How a browser becomes somebody: by a password, a link or a seat pass. Each begins a new session."""

from __future__ import annotations

from typing import Any

from allauth.account.adapter import DefaultAccountAdapter
from django.contrib.auth import login
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from core.live import revoke
from players.actor import SEAT_PASS, session_digest
from players.models import SeatPass, User
from players.sessions import AGENT

PASSWORD = "django.contrib.auth.backends.ModelBackend"  # noqa: S105 - the backend that knows people
BROWSERS = ("Edg", "OPR", "Firefox", "Chrome", "Safari")  # each claims to be those behind it, too
SYSTEMS = ("Android", "iPhone", "iPad", "Windows", "Mac", "Linux")
SPOKEN = {"Edg": "Edge", "OPR": "Opera"}


class Adapter(DefaultAccountAdapter):
    """What allauth asks us: how to sign in, and what to say. Nobody signs up; nothing is written to anybody."""

    error_messages = {
        **DefaultAccountAdapter.error_messages,
        "username_password_mismatch": _("The user name or the password is wrong."),
    }

    def login(self, request: HttpRequest, user: User) -> None:
        enter(request, user)

    def add_message(self, *_args: Any, **_told: Any) -> None:
        """The page itself shows who is signed in."""


def enter(request: HttpRequest, person: User) -> None:
    """Signs in. Whatever the browser was before, it is no longer: no key that somebody gave it stays good."""
    leave(request)
    login(request, person, PASSWORD)
    request.session[AGENT] = browser_named(request.META.get("HTTP_USER_AGENT", ""))


def sit_down(request: HttpRequest, taken: SeatPass) -> None:
    """The browser is that seat, and nobody else that it was before."""
    leave(request)
    request.session[SEAT_PASS] = str(taken.pk)


def leave(request: HttpRequest) -> None:
    """Ends the session and the live streams that it opened."""
    key = request.session.session_key
    request.session.flush()
    if key:
        revoke(session=session_digest(key))


def browser_named(agent: str) -> str:
    """What a browser calls itself, in two words: enough to know one's own phone."""
    found = (next((name for name in names if name in agent), "") for names in (BROWSERS, SYSTEMS))
    return ", ".join(SPOKEN.get(name, name) for name in found if name)
