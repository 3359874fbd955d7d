"""Who asks for a page, and what a refusal becomes there."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, wraps
from ipaddress import ip_address
from typing import Any
from uuid import UUID

from django.conf import settings
from django.contrib.auth import get_user
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.urls import reverse
from django.utils.crypto import salted_hmac
from django.utils.module_loading import import_string

from core.refusal import Refusal
from players.actor import SEAT_PASS, Actor, actor_from
from players.models import User

View = Callable[..., HttpResponseBase]
LOOPBACK_NAMES = ("localhost", "127.0.0.1", "[::1]")
PROXIES = ("HTTP_X_FORWARDED", "HTTP_X_REAL_IP", "HTTP_FORWARDED", "HTTP_VIA")  # how the headers of proxies begin


def actor_of(request: HttpRequest) -> Actor:
    """The Actor behind a request. People of the demonstration are strangers beyond this machine."""
    return actor_from(request.session, near=on_this_machine(request))


def signed_in(request: HttpRequest) -> dict[str, Any]:
    """Context processor: `signed_in` {name, mark, sign_out, account} for the page, None for a stranger; `sign_in`.

    `account` is "" for a phone that is only a seat. Nothing is read for a browser that brings no session, so its pages
    depend on no cookie.
    """

    @cache
    def whom() -> dict[str, str] | None:
        if settings.SESSION_COOKIE_NAME not in request.COOKIES:
            return None
        seated = SEAT_PASS in request.session
        user = _seated(request) if seated else get_user(request)
        if not isinstance(user, User) or (user.is_demo and not seated and not on_this_machine(request)):
            return None
        return {
            "name": user.display_name,
            "mark": mark_of(user.pk),
            "sign_out": reverse("sign_out"),
            "account": "" if seated else reverse("account"),
        }

    return {"signed_in": whom, "sign_in": reverse("sign_in")}


def _seated(request: HttpRequest) -> User | None:
    person = actor_of(request).person
    return User.objects.get(pk=person) if person else None


def mark_of(person: UUID | None) -> str:
    """Who acts on a page, for commands that wait in a browser: the same for a person always, and nobody else's."""
    return salted_hmac("players.web.asking.mark", str(person), algorithm="sha256").hexdigest()[:32] if person else ""


def on_this_machine(request: HttpRequest) -> bool:
    """The request comes from a browser on the machine that serves it: a loopback address and name, and no proxy.

    Never in a house that serves a hall (`up --lan`): nobody of the demonstration may sign in there.
    """
    if not settings.DEMO_SIGN_IN:
        return False
    try:
        near = ip_address(request.META.get("REMOTE_ADDR", "")).is_loopback
    except ValueError:
        near = False
    name = request.get_host().rsplit(":", 1)[0] if not request.get_host().endswith("]") else request.get_host()
    return near and name in LOOPBACK_NAMES and not any(header.startswith(PROXIES) for header in request.META)


def refusals_as_pages(view: View) -> View:
    """What does not exist is a 404, what is not allowed a 403; what else a view leaves over is told on a small page.

    The sentence comes from `REFUSAL_SENTENCE`, the status from `status_of`.
    """

    @wraps(view)
    def answered(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        try:
            return view(request, *args, **kwargs)
        except Refusal as refusal:
            if refusal.code.endswith("_unknown"):
                raise Http404 from None
            if refusal.code == "not_allowed":
                raise PermissionDenied from None
            context = {"text": sentence(refusal)}
            return render(request, "players/refused.html", context, status=status_of(refusal))

    return answered


def sentence(refusal: Refusal) -> str:
    """What a refusal says to people."""
    told: str = import_string(settings.REFUSAL_SENTENCE)(refusal)
    return told


STATUS = {"not_allowed": 403, "key_reused": 409, "hand_taken": 409}


def status_of(refusal: Refusal) -> int:
    """The HTTP status of a refusal: 404 for what is not there, 403, 409, else 422."""
    if refusal.code.endswith("_unknown"):
        return 404
    return 409 if refusal.code.startswith("stale_") else STATUS.get(refusal.code, 422)
