"""Who asks for a page, and what a refusal becomes there."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from ipaddress import ip_address
from typing import Any

from django.conf import settings
from django.contrib.auth import get_user
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.urls import reverse
from django.utils.module_loading import import_string

from core.refusal import Refusal
from players.actor import Actor, actor_from
from players.models import User

View = Callable[..., HttpResponseBase]
LOOPBACK_NAMES = ("localhost", "127.0.0.1", "[::1]")
PROXIES = ("HTTP_X_FORWARDED", "HTTP_X_REAL_IP", "HTTP_FORWARDED", "HTTP_VIA")  # how the headers of proxies begin


def actor_of(request: HttpRequest) -> Actor:
    """The Actor behind a request. People of the demonstration are strangers beyond this machine."""
    return actor_from(request.session, near=on_this_machine(request))


def signed_in(request: HttpRequest) -> dict[str, Any]:
    """Context processor: `signed_in` {name, sign_out} for the header, None for a stranger.

    Nothing is read for a browser that brings no session, so its pages depend on no cookie.
    """

    def whom() -> dict[str, str] | None:
        if settings.SESSION_COOKIE_NAME not in request.COOKIES:
            return None
        user = get_user(request)
        if not isinstance(user, User) or (user.is_demo and not on_this_machine(request)):
            return None
        return {"name": user.display_name, "sign_out": reverse("sign_out")}

    return {"signed_in": whom}


def on_this_machine(request: HttpRequest) -> bool:
    """The request comes from a browser on the machine that serves it: a loopback address and name, and no proxy."""
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
            context = {"text": import_string(settings.REFUSAL_SENTENCE)(refusal)}
            return render(request, "players/refused.html", context, status=status_of(refusal))

    return answered


STATUS = {"not_allowed": 403, "stale_version": 409, "key_reused": 409}


def status_of(refusal: Refusal) -> int:
    """The HTTP status of a refusal: 404 for what is not there, 403, 409, else 422."""
    return 404 if refusal.code.endswith("_unknown") else STATUS.get(refusal.code, 422)
