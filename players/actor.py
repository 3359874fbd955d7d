"""The Actor: who asks, in one frozen value. First argument of every service and of every query with rights."""

from __future__ import annotations

from dataclasses import dataclass
from types import SimpleNamespace
from typing import Literal, NamedTuple, cast
from uuid import UUID

from django.contrib.auth import get_user
from django.contrib.sessions.backends.base import SessionBase
from django.http import HttpRequest
from django.utils.crypto import salted_hmac

Came = Literal["session", "seat_pass", "token", "system"]


class Grant(NamedTuple):
    """A role on a scope: a club, a tournament or a friendly table."""

    scope: UUID
    role: str


@dataclass(frozen=True, slots=True)
class Actor:
    """`person` is None for a stranger and for the house itself; `session` is a digest, useless as a cookie."""

    person: UUID | None
    came: Came
    grants: frozenset[Grant] = frozenset()
    session: str | None = None


def actor_from(source: SessionBase | Literal["system"]) -> Actor:
    """The one way to an Actor, for views and streams (from a session) and for tasks ("system").

    Reads the session and the person behind it; a session whose password was changed or whose person may no longer
    sign in is a stranger's. Grants are empty, because no rows for them exist yet: scopes and grants, seat passes and
    tokens come with sign-in, and are read here and nowhere else.
    """
    if source == "system":
        return Actor(person=None, came="system")
    user = get_user(cast(HttpRequest, SimpleNamespace(session=source)))
    return Actor(
        person=user.pk if user.is_authenticated else None,
        came="session",
        session=session_digest(source.session_key) if source.session_key else None,
    )


def session_digest(session_key: str) -> str:
    """The name of a session in logs, limits and revocations: 128 bits in hex, from which no cookie can be made."""
    return salted_hmac("players.actor.session", session_key, algorithm="sha256").hexdigest()[:32]
