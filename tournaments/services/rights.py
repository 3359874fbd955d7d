"""Whose account somebody may open for another: an invitation, a new password."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from uuid import UUID

from django.db import transaction

from core.refusal import Refusal
from players.actor import Actor
from players.models import Grant, Scope, User
from players.rules.rights import ADMIN, MANAGE_PEOPLE
from players.services import grant_role
from players.services.links import invite, reset_password
from scoring.models import Seat
from tournaments.models import Entrant
from tournaments.services.people import may_manage


@transaction.atomic
def give_role(actor: Actor, *, scope: UUID, role: str, person: UUID) -> str | None:
    """Gives a role to somebody who can sign in; for somebody who cannot, the token of an invitation.

    By an invitation one becomes that person, so it takes whoever may change him (tournaments.services.people).
    Refusals: `not_allowed`, `person_unknown`, `person_gone`.
    """
    known = User.objects.filter(pk=person).first()
    if known is None:
        raise Refusal("person_unknown")
    if known.username is not None:
        grant_role(actor, person=person, scope=scope, role=role)
        return None
    admin = actor.may({ADMIN}, Scope.objects.filter(kind=Scope.Kind.HOUSE).values_list("pk", flat=True))
    if not admin and (not may_manage(actor, person) or _beyond(actor, [person])):
        raise Refusal("not_allowed")
    return invite(actor, scope=scope, role=role, person=person)


@transaction.atomic
def new_password_link(actor: Actor, *, person: UUID) -> str:
    """A link by which a person chooses a new password; its token.

    Refusals: `not_allowed`, `person_unknown`, `person_gone`, `no_user_name`.
    """
    if person not in resettable(actor, [person]):
        raise Refusal("not_allowed")
    return reset_password(actor, person=person)


def resettable(actor: Actor, people: Iterable[UUID]) -> frozenset[UUID]:
    """For whom of these people `actor` may make a new password: where he gains nothing by abusing it. Four queries.

    An administrator of the house for all; an organiser of clubs for those who have roles in these clubs, and neither
    a role nor a seat nor a tournament anywhere else.
    """
    asked = set(people)
    house = Scope.objects.filter(kind=Scope.Kind.HOUSE).values_list("pk", flat=True)
    if actor.may({ADMIN}, house):
        return frozenset(asked)
    return frozenset(Grant.objects.filter(person__in=asked - _beyond(actor, asked)).values_list("person", flat=True))


def _beyond(actor: Actor, people: Collection[UUID]) -> set[UUID]:
    """Who of these people has something outside of the clubs that `actor` organises."""
    held = [right.scope for right in actor.grants if right.role in MANAGE_PEOPLE]
    mine = set(Scope.objects.filter(pk__in=held, kind=Scope.Kind.CLUB).values_list("pk", flat=True))
    up = ("scope", "scope__parent", "scope__parent__parent")
    grants = Grant.objects.filter(person__in=people).values_list("person", *up)
    seats = Seat.objects.filter(person__in=people).values_list("person", *(f"sheet__{step}" for step in up))
    entries = Entrant.objects.filter(person__in=people).values_list("person", "tournament__club__scope")
    return {person for person, *chain in (*grants, *seats, *entries) if not mine & set(chain)}
