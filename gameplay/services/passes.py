"""Seat passes: a referee makes a phone a seat of his table."""

from __future__ import annotations

from uuid import UUID

from django.db import transaction

from core.refusal import Refusal
from gameplay.services.acting import locked_table
from players.actor import Actor
from players.services import write_audit
from players.services.passes import make_pass
from scoring.models import Seat


@transaction.atomic
def show_pass(actor: Actor, match: UUID, *, seat: int) -> str:
    """A pass for a seat of an open match; its token, which is kept nowhere. Earlier ones of that seat are over.

    Asked for twice it is two passes, of which the second holds: no answer with a token in it may be kept under a key.
    Refusals: `match_unknown`, `not_allowed`, `sheet_closed`, `seat_unknown`.
    """
    table = locked_table(actor, match)
    table.require(staff=True)
    table.require_open()
    person = Seat.objects.filter(sheet=match, number=seat).values_list("person", flat=True).first()
    if person is None:
        raise Refusal("seat_unknown", {"seat": seat}, article="S1", pointer="/seat")
    token = make_pass(actor, place=match, number=seat, person=person)
    write_audit(table.scope, actor, "show_pass", {"sheet": str(match), "seat": seat})
    return token
