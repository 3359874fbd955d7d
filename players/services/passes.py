"""Seat passes: a phone becomes a person at one seat of one sheet, for as long as nobody makes another pass for it.

Whose seat it is, and who may show a pass for it, is known in the room above, which calls this.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from uuid import UUID

from django.db import transaction
from django.db.models import QuerySet

from core.clock import database_now
from core.entropy import new_token
from core.live import revoke
from core.refusal import Refusal
from players.actor import Actor
from players.models import SeatPass
from players.services import check_present, lock_people
from players.services.links import hash_of

LIFE = timedelta(minutes=10)


@dataclass(frozen=True, slots=True)
class PassView:
    """What a pass says to whoever has it. `number` is that of the seat, from 0."""

    name: str
    number: int


@transaction.atomic
def make_pass(actor: Actor, *, place: UUID, number: int, person: UUID) -> str:
    """A pass for seat `number` (0 to 4) of a sheet; its token. Earlier ones, and phones that came by them, are out.

    The caller knows that `actor` may and that `person` sits there. Refusals: `person_unknown`, `person_gone`.
    """
    check_present(lock_people(person)[person])
    _end(place, number)
    token = new_token()
    SeatPass.objects.create(
        place=place,
        number=number,
        person_id=person,
        token_hash=hash_of(token),
        expires_at=database_now() + LIFE,
        made_by_id=actor.person,
    )
    return token


def look_at_pass(token: str) -> PassView:
    """Who a phone would be by this pass; nothing is used up. Refusal `pass_over`."""
    row = _fresh(token).select_related("person").first()
    if row is None or not row.person.is_active:
        raise Refusal("pass_over")
    return PassView(row.person.display_name, row.number)


@transaction.atomic
def take_pass(token: str) -> SeatPass:
    """The pass is used: of two who take it at once, one gets it. Refusal `pass_over`."""
    # One UPDATE that looks at this row only: who waits for it looks again at what it has become.
    if not _fresh(token).update(used_at=database_now()):
        raise Refusal("pass_over")
    taken = SeatPass.objects.select_related("person").get(token_hash=hash_of(token))
    if not taken.person.is_active:
        raise Refusal("pass_over")
    return taken


@transaction.atomic
def revoke_pass(*, place: UUID, number: int) -> None:
    """No phone is this seat any more. That the caller's actor may say so is for the caller to know."""
    _end(place, number)


def _fresh(token: str) -> QuerySet[SeatPass]:
    return SeatPass.objects.filter(
        token_hash=hash_of(token), used_at=None, revoked=False, expires_at__gt=database_now()
    )


def _end(place: UUID, number: int) -> None:
    live = SeatPass.objects.filter(place=place, number=number, revoked=False)
    for person in set(live.values_list("person", flat=True)):
        revoke(person=person)
    live.update(revoked=True)
