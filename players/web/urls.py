"""Addresses of the doors. The room above mounts them and hands down what frames a page."""

from __future__ import annotations

from collections.abc import Callable
from uuid import UUID

from django.urls import URLPattern, path

from core.web.body import body_limit
from players.web.account import account
from players.web.demo import Frame, demo, sign_out
from players.web.joining import join, take_seat
from players.web.signing import SMALL, SignIn


def patterns(frame: Frame, table: Callable[[UUID], str]) -> list[URLPattern]:
    """`frame`: makes the context of a page out of crumbs and values; `table`: the address of a sheet's table."""
    told = {"frame": frame}
    return [
        path("sign-in/", body_limit(SMALL)(SignIn.as_view(frame=frame)), name="sign_in"),
        path("sign-out/", sign_out, name="sign_out"),
        path("account/", account, told, name="account"),
        path("join/", join, told, name="join"),
        path("seat/", take_seat, {**told, "table": table}, name="take_seat"),
        path("demo/", demo, told, name="demo"),
    ]
