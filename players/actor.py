"""The Actor: who asks, in one frozen value. First argument of every service and of every query with rights."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Literal, NamedTuple, cast
from uuid import UUID

from django.contrib.auth import get_user
from django.contrib.sessions.backends.base import SessionBase
from django.http import HttpRequest
from django.utils.crypto import salted_hmac

from core.refusal import Refusal
from players.models import Grant, SeatPass, User

SEAT_PASS = "seat_pass"  # noqa: S105 - the key in a session under which the pass stands that it came by
Came = Literal["session", "seat_pass", "token", "system"]


class Right(NamedTuple):
    """A role on a scope: the house, a club, a tournament or a friendly table."""

    scope: UUID
    role: str


class Place(NamedTuple):
    """A seat at a table: the sheet that is written there and the number of the seat, from 0."""

    sheet: UUID
    number: int


@dataclass(frozen=True, slots=True)
class Actor:
    """`person` is None for a stranger and for the house itself; `session` is a digest, useless as a cookie.

    Who came by a seat pass (`pass_id`) is the person who sits at `place`, there and nowhere else, with no grants.
    """

    person: UUID | None
    came: Came
    grants: frozenset[Right] = frozenset()
    session: str | None = None
    place: Place | None = None
    pass_id: UUID | None = None

    @property
    def name(self) -> str:
        """Who it is in command keys and audit rows: an id, never a name; the same one with and without a pass."""
        if self.person:
            return f"person:{self.person}"
        return f"session:{self.session}" if self.session else self.came

    def may(self, roles: Iterable[str], scopes: Iterable[UUID]) -> bool:
        """Holds one of `roles` on one of `scopes` (a scope and all above it). The house itself may everything."""
        if self.came == "system":
            return True
        return any(Right(scope, role) in self.grants for scope in scopes for role in roles)

    def scopes_of(self, roles: Iterable[str]) -> frozenset[UUID]:
        """The scopes on which he holds one of `roles`."""
        wanted = frozenset(roles)
        return frozenset(right.scope for right in self.grants if right.role in wanted)

    def require(self, roles: Iterable[str], scopes: Iterable[UUID]) -> None:
        """Refusal `not_allowed`."""
        if not self.may(roles, scopes):
            raise Refusal("not_allowed")


SYSTEM = Actor(person=None, came="system")


def actor_from(source: SessionBase | Literal["system"], *, near: bool = False) -> Actor:
    """The one way to an Actor, for views and streams (from a session) and for tasks ("system").

    Reads the session, the person behind it and his grants; a session whose password was changed or whose person may
    no longer sign in is a stranger's. People of the demonstration, who have no password, are strangers too, unless
    the request is `near`: from the machine that serves it. A session that took a seat pass is nothing but that seat,
    and a stranger's once the pass is revoked.
    """
    if source == "system":
        return SYSTEM
    pass_id = source.get(SEAT_PASS)  # loads: only now is there no key where there is no such session
    session = session_digest(source.session_key) if source.session_key else None
    if pass_id:
        return _seated(pass_id, session)
    user = get_user(cast(HttpRequest, SimpleNamespace(session=source)))
    known = isinstance(user, User) and (near or not user.is_demo)
    person = user.pk if known else None
    return Actor(person=person, came="session", grants=_rights_of(person), session=session)


def _seated(pass_id: str, session: str | None) -> Actor:
    """Who sits where the pass says; a stranger where it holds no longer."""
    held = SeatPass.objects.filter(pk=pass_id, revoked=False, used_at__isnull=False, person__is_active=True).first()
    if held is None:
        return Actor(person=None, came="seat_pass", session=session)
    place = Place(held.place, held.number)
    return Actor(person=held.person_id, came="seat_pass", session=session, place=place, pass_id=held.pk)


def actor_for(person: UUID) -> Actor:
    """The Actor of a person who asked for something that a task does now: with the rights that he has now.

    Without any where he may no longer sign in.
    """
    present = User.objects.filter(pk=person, is_active=True).exists()
    return Actor(person=person, came="session", grants=_rights_of(person if present else None))


def _rights_of(person: UUID | None) -> frozenset[Right]:
    held = Grant.objects.filter(person=person).values_list("scope", "role") if person else ()
    return frozenset(Right(scope, role) for scope, role in held)


def session_digest(session_key: str) -> str:
    """The name of a session in logs, limits and revocations: 128 bits in hex, from which no cookie can be made."""
    return salted_hmac("players.actor.session", session_key, algorithm="sha256").hexdigest()[:32]
