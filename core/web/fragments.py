"""Rendered parts of public pages, kept in Valkey under the versions of everything they were built from.

The key says what state the part shows, so a part is never wrong and needs no time-out; it is only forgotten after a
while. Nothing of a reader goes in: no token, no rights, no cookie. Where Valkey is away, the part is rendered anew.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from functools import cache
from hashlib import sha256

from django.conf import settings
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import get_language
from redis import RedisError

from core.valkey import client

FORGET = 7 * 24 * 3600  # seconds
log = logging.getLogger(__name__)


def fragment(name: str, state: str, build: Callable[[], str], *, audience: str = "anyone") -> SafeString:
    """The part `name` in the active language as it is in `state` (versions of all rows behind it, as one word)."""
    asked = "|".join((build_of_the_house(), name, state, get_language() or "", audience))
    key = f"fragment:{sha256(asked.encode()).hexdigest()}"
    try:
        kept = client().get(key)
    except RedisError as error:
        log.warning("fragment not read", extra={"error": type(error).__name__})
        return mark_safe(build())  # noqa: S308 - rendered by a template, which has escaped what came from people
    if isinstance(kept, str):
        return mark_safe(kept)  # noqa: S308
    html = build()
    try:
        client().set(key, html, ex=FORGET)
    except RedisError as error:
        log.warning("fragment not kept", extra={"error": type(error).__name__})
    return mark_safe(html)  # noqa: S308


@cache
def build_of_the_house() -> str:
    """Another word for each state of the code, the templates, the translations and the static files."""
    state = sha256()
    for folder in ("core", "players", "scoring", "gameplay", "tournaments", "templates", "static", "locale"):
        for file in sorted((settings.BASE_DIR / folder).rglob("*")):
            if file.suffix in (".py", ".html", ".mo", ".css", ".svg", ".js", ".typ", ".ttf"):
                found = file.stat()
                state.update(f"{file.name}|{found.st_mtime_ns}|{found.st_size}\n".encode())
    return state.hexdigest()[:16]
