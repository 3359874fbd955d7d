"""Clocks: folded from what happened to them, and as pages may show them, without any time."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import timedelta
from itertools import groupby
from uuid import UUID

from gameplay.models import ClockEvent, Match
from gameplay.rules.clock import (
    FOLLOWS,
    HOWS,
    Answered,
    Awarded,
    Cancelled,
    Clock,
    Ending,
    Event,
    Interrupted,
    Moved,
    Recovery,
    Resumed,
    Rung,
    Started,
    Suspended,
    ending,
    fold,
    new_clock,
)
from gameplay.rules.ruleset import game_rules
from scoring.rules.procedure import hands_on, repeated_hands
from scoring.rules.scoresheet import Scoresheet


@dataclass(frozen=True)
class ClockView:
    """The clock of a match as everybody may know it: there is no time in it.

    `state`: `ready`, `running`, `stopped` or `rung`; `because`: the reason of a suspension. `rung`: the name of the
    bell that rang, by which a page knows it again. `awarded`: the hand whose auction was told to be over.
    """

    state: str
    suspended: bool
    because: str
    rung: str | None
    awarded: int
    recovery: bool
    unstopped: bool
    interrupted: str | None
    ending: Ending | None

    @property
    def over(self) -> bool:
        """Nothing more is played."""
        return self.ending is not None and self.ending.over


def event_of(row: ClockEvent) -> Event:
    """What a row says happened."""
    kinds = ClockEvent.Kind
    match row.kind:
        case kinds.STARTED:
            return Started(row.at)
        case kinds.CANCELLED:
            return Cancelled()
        case kinds.SUSPENDED:
            return Suspended(row.at, bool(row.stopped), row.reason)
        case kinds.RESUMED:
            return Resumed(row.at)
        case kinds.AWARDED:
            return Awarded(row.hand or 0, row.how == HOWS[2])
        case kinds.RUNG:
            return Rung(row.at, row.hand or 0)
        case kinds.ANSWERED:
            return Answered(next(how for how in HOWS if how == row.how), row.hand or 0)
        case kinds.MOVED:
            return Moved(timedelta(microseconds=row.micros or 0))
        case kinds.RECOVERY:
            return Recovery()
    return Interrupted(row.at, next(follow for follow in FOLLOWS if follow == row.how))


def clock_from(match: Match, rows: Iterable[ClockEvent]) -> Clock | None:
    """The clock of a match after these rows, in order; None for a match without a clock."""
    if match.length is None:
        return None
    rules = game_rules(match.rules)
    return fold(new_clock(timedelta(seconds=match.length), rules.bell_120), map(event_of, rows))


def clocks_of(matches: Iterable[Match]) -> dict[UUID, tuple[Clock, str | None] | None]:
    """The clock of each match and the name of its bell, None for one without a clock. One query for any number."""
    found = {match.pk: match for match in matches}
    rows = ClockEvent.objects.filter(match__in=list(found)).order_by("match", "number")
    by_match = {key: list(group) for key, group in groupby(rows, key=lambda row: row.match_id)}
    clocks: dict[UUID, tuple[Clock, str | None] | None] = {}
    for key, match in found.items():
        own = by_match.get(key, [])
        clock = clock_from(match, own)
        clocks[key] = None if clock is None else (clock, bell_name(own))
    return clocks


def bell_name(rows: Iterable[ClockEvent]) -> str | None:
    """The name of the bell that rang: another one for a match that was started anew."""
    name, starts = None, 0
    for row in rows:
        if row.kind == ClockEvent.Kind.STARTED:
            name, starts = None, starts + 1
        elif row.kind == ClockEvent.Kind.CANCELLED:
            name = None
        elif row.kind == ClockEvent.Kind.RUNG:
            name = f"{row.match_id}:{starts}"
    return name


def view_of(clock: Clock, rung: str | None, sheet: Scoresheet) -> ClockView:
    """A clock beside its sheet, without times."""
    return ClockView(
        state=clock.state,
        suspended=clock.suspended,
        because=clock.because,
        rung=rung,
        awarded=clock.awarded,
        recovery=clock.recovery,
        unstopped=clock.unstopped,
        interrupted=clock.interrupted,
        ending=ending(clock, hands_on(sheet), repeated_hands(sheet)),
    )
