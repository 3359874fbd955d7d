"""The clock of a match, held: its bell is locked, so nothing else happens to it until the transaction ends.

Everything that writes clock events, and every hand that is written, holds the bell; ringers pass over what is held
and come back a moment later. So what was on the sheet when it rang is never in doubt.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from core.refusal import Refusal
from gameplay.models import ClockEvent, Due, Match
from gameplay.queries.clock import clock_from
from gameplay.rules.clock import Clock, Ending, after, check_playable, ending, ring
from gameplay.services.wall_time import ClockMoves, trusted_now
from scoring.models import Proposal, Sheet
from scoring.rules.procedure import hands_on, repeated_hands
from scoring.rules.scoresheet import Scoresheet
from scoring.services.judging import By


@dataclass
class Held:
    """A clock and its rows, locked. `now`: the time at which it was locked."""

    match: Match
    due: Due
    clock: Clock
    events: int
    now: datetime

    def write(self, kind: str, by: By | None, event: Any, **columns: Any) -> None:
        """Writes one event, and the bell as it hangs after it."""
        self.events += 1
        who = {} if by is None else {"person_id": by.person, "seat": by.seat, "pass_id": by.pass_id}
        ClockEvent.objects.create(match=self.match, number=self.events, kind=kind, at=self.now, **who, **columns)
        self.clock = after(self.clock, event)
        rung = self.clock.state == "rung"
        self.due.due_at = self.due.due_at if rung else self.clock.deadline
        self.due.done_at = (self.due.done_at or self.now) if rung else None
        self.due.save(update_fields=["due_at", "done_at"])

    def ending(self, sheet: Scoresheet) -> Ending | None:
        """How the match ends, beside its folded sheet."""
        return ending(self.clock, hands_on(sheet), repeated_hands(sheet))


def hold(match: UUID) -> Held | None:
    """Locks the clock of a match, None for a match without one. A bell that is overdue rings first.

    Whoever writes on the sheet has locked it before (scope, sheet, bell). Refusal `clock_moves`: the clock of the house
    is being set in this very moment, try again.
    """
    row = Match.objects.get(pk=match)
    if row.length is None:
        return None
    Due.objects.get_or_create(kind=Due.Kind.BELL, object=match)
    due = Due.objects.select_for_update(no_key=True).get(kind=Due.Kind.BELL, object=match)
    try:
        return _held(row, due, trusted_now())
    except ClockMoves:
        raise Refusal("clock_moves") from None


def _held(row: Match, due: Due, now: datetime) -> Held:
    events = list(ClockEvent.objects.filter(match=row).order_by("number"))
    clock = clock_from(row, events)
    assert clock is not None  # a match without a clock has no bell
    held = Held(row, due, clock, len(events), now)
    if clock.deadline is not None and clock.deadline <= now and due.done_at is None:
        ring_held(held)
    return held


def ring_held(held: Held) -> None:
    """The bell of a held clock that is due. Refusal: `not_due`."""
    hands = hands_told(held.match.pk)
    event = ring(held.clock, held.now, hands)
    held.write(ClockEvent.Kind.RUNG, None, event, hand=hands)


def hands_told(match: UUID) -> int:
    """Hands on the sheet, and one that waits there for a second person."""
    sheet = Sheet.objects.get(pk=match)
    begun = sheet.entries.filter(replaces=None).exclude(kind__in=["award", "totals"]).count()
    return begun + Proposal.objects.filter(sheet=sheet, state="pending", hand__isnull=False).count()


def check_hand(held: Held | None, sheet: Scoresheet, hand: int) -> None:
    """Hand number `hand` may be written now. Refusals: `not_started`, `bell_unanswered`, `match_over`."""
    if held is not None:
        check_playable(held.clock, held.ending(sheet), hand)
