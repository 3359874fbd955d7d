"""Who may do what at a table."""

from __future__ import annotations

from typing import NamedTuple
from uuid import UUID

from django.db.models import Q

from players.actor import Actor
from players.queries import above
from players.rules.rights import DECIDE_APPEALS, KEEP_CLOCK, RECORD_MATCHES
from scoring.models import Seat, Sheet
from scoring.queries import rules_of


class Powers(NamedTuple):
    """What somebody is at a table. `staff`: referee or more, and not a player here; `seat`: where he sits.

    Who plays is a player: as long as a stage in which he sits is open, he has no other rights over any of its tables,
    nor over another table of its tournament.
    `records`: may write hands (S11, `recorders`); `council`: decides appeals, unless he sat here; `clock`: keeps the
    clock (S9).
    """

    staff: bool
    seat: int | None
    records: bool
    council: bool
    clock: bool = False


def powers_of(actor: Actor, sheet: Sheet) -> Powers:
    """What an actor is at the table of a sheet. Six queries at most, none for a stranger."""
    if actor.person is None and actor.came != "system":
        return Powers(staff=False, seat=None, records=False, council=False)
    if actor.came == "seat_pass" and (actor.place is None or actor.place.sheet != sheet.pk):
        return Powers(staff=False, seat=None, records=False, council=False)
    seats = {seat.person_id: seat for seat in Seat.objects.filter(sheet=sheet)}
    mine = seats.get(actor.person) if actor.person else None
    round_ = next((seat.round for seat in seats.values()), None)
    scopes = above(sheet.scope_id)
    only_player = _plays_now(actor.person, sheet) or (_plays(actor.person, sheet, round_) and _is_open(sheet, round_))
    staff = actor.may(RECORD_MATCHES, scopes) and not only_player
    recorders = rules_of(sheet).recorders
    return Powers(
        staff=staff,
        seat=mine.number if mine else None,
        records=(staff and recorders != "table") or (mine is not None and recorders != "referee"),
        council=actor.may(DECIDE_APPEALS, scopes) and mine is None and not only_player,
        clock=actor.may(KEEP_CLOCK, scopes) and not only_player,
    )


def _plays_now(person: UUID | None, sheet: Sheet) -> bool:
    """He sits at an open match of this tournament: the final and the second final run on the same time."""
    return Seat.objects.filter(person=person, sheet__scope=sheet.scope_id, sheet__state=Sheet.State.OPEN).exists()


def _plays(person: UUID | None, sheet: Sheet, round_: UUID | None) -> bool:
    if person is None:
        return False
    here = Q(sheet=sheet) if round_ is None else Q(sheet=sheet) | Q(round=round_)
    return Seat.objects.filter(here, person=person).exists()


def _is_open(sheet: Sheet, round_: UUID | None) -> bool:
    """The match, or any other of its stage, is not over yet."""
    if sheet.state == Sheet.State.OPEN:
        return True
    return round_ is not None and Sheet.objects.filter(seats__round=round_, state=Sheet.State.OPEN).exists()
