"""Reads of people and scopes."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from uuid import UUID

from django.db.models import Q, QuerySet

from core.audit import Head, first_fault
from core.clock import database_now
from core.models import AuditRow
from players.actor import Actor, session_digest
from players.models import Grant, Link, Scope, SeatPass, Session, User
from players.rules.names import sort_key
from players.rules.rights import ROLES


def above(scope: UUID) -> tuple[UUID, ...]:
    """A scope and all above it, from the bottom: where a right may come from. One query; a house has three floors."""
    parents = ("pk", "parent", "parent__parent", "parent__parent__parent")
    return tuple(filter(None, Scope.objects.values_list(*parents).get(pk=scope)))


def scopes_below(scopes: Iterable[UUID]) -> QuerySet[Scope]:
    """These scopes and everything below them: the house, its clubs, their tournaments and tables."""
    given = list(scopes)
    return Scope.objects.filter(Q(pk__in=given) | Q(parent__in=given) | Q(parent__parent__in=given))


@dataclass(frozen=True, slots=True)
class OpenDoor:
    """A browser in which somebody is signed in, or a phone that is a seat (`seat`, from 0): `key` names it in forms."""

    key: str
    agent: str
    here: bool
    seat: int | None = None


def open_doors(actor: Actor) -> list[OpenDoor]:
    """Where a person is signed in now, the browser that asks first; then the phones that took a seat pass of his."""
    now = database_now()
    rows = Session.objects.filter(person=actor.person, expire_date__gt=now).order_by("agent", "pk")
    doors = [OpenDoor(session_digest(row.session_key), row.agent, False) for row in rows]
    doors = [replace(door, here=door.key == actor.session) for door in doors]
    taken = SeatPass.objects.filter(person=actor.person, revoked=False, used_at__isnull=False)
    seats = [OpenDoor(str(row.pk), "", False, row.number) for row in taken.order_by("number", "pk")]
    return sorted(doors, key=lambda door: not door.here) + seats


@dataclass(frozen=True, slots=True)
class RoleHeld:
    """Who has a role on a scope or above it. `username` is "" for whoever has none, and for the demonstration."""

    person: UUID
    name: str
    username: str
    role: str
    scope: UUID
    kind: str


def roles_on(scopes: Iterable[UUID]) -> list[RoleHeld]:
    """Who has which role on these scopes, by role and name."""
    rows = Grant.objects.filter(scope__in=list(scopes)).select_related("person", "scope")
    order = {role: place for place, role in enumerate(ROLES)}

    def told(row: Grant) -> RoleHeld:
        username = "" if row.person.is_demo else row.person.username or ""
        return RoleHeld(row.person_id, row.person.display_name, username, row.role, row.scope_id, row.scope.kind)

    held = map(told, rows.order_by("person__sort_key", "person"))
    return sorted(held, key=lambda row: order[row.role])


@dataclass(frozen=True, slots=True)
class Invitation:
    """A role that somebody has not yet come to take."""

    link: UUID
    name: str
    role: str


def invitations(scope: UUID) -> list[Invitation]:
    """The open invitations of a scope, by name."""
    rows = Link.objects.filter(scope=scope, used_at=None, revoked=False, expires_at__gt=database_now())
    told = [
        Invitation(row.pk, row.person.display_name if row.person else row.name, row.role)
        for row in rows.select_related("person")
    ]
    return sorted(told, key=lambda row: (sort_key(row.name), row.link))


def demo_people() -> QuerySet[User]:
    """The people of the demonstration, by name."""
    return User.objects.filter(is_demo=True, is_active=True).order_by("sort_key", "pk")


def audit_faults() -> tuple[int, int, list[tuple[UUID, int]]]:
    """How many trails and rows there are, and for each broken trail its scope and the first bad row.

    A row of a scope that does not exist is a fault too.
    """
    faults = []
    for scope in Scope.objects.order_by("pk"):
        rows = AuditRow.objects.filter(scope=scope.pk).order_by("number").iterator()
        fault = first_fault(rows, Head(scope.audit_count, scope.audit_head))
        if fault is not None:
            faults.append((scope.pk, fault))
    strays = AuditRow.objects.exclude(scope__in=Scope.objects.values("pk"))
    faults += list(strays.values_list("scope", "number"))
    return Scope.objects.count(), AuditRow.objects.count(), faults
