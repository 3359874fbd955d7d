"""The clock of a match as a state machine: started, suspended, moved, rung, and what may still be played then.

Everything that happens to a clock is an event; the clock is what folding them gives. A verb looks at the clock and
gives the event, or refuses; times come in as arguments (S9, S10, D5 to D8, D21).
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from datetime import datetime, timedelta
from typing import Literal, NamedTuple

from core.refusal import Refusal

How = Literal["awarded", "not_awarded", "called_at_120"]
Follow = Literal["standings", "replay"]
BEHIND = 40
"""Hands by which a sheet can be behind at the bell: more than anybody plays in a match."""
HOWS: tuple[How, ...] = ("awarded", "not_awarded", "called_at_120")
FOLLOWS: tuple[Follow, ...] = ("standings", "replay")


class Started(NamedTuple):
    """The match began."""

    at: datetime


class Cancelled(NamedTuple):
    """It was started by mistake: as if it had never been."""


class Suspended(NamedTuple):
    """Play rests. `stopped`: the clock, too; else it went on (S10)."""

    at: datetime
    stopped: bool
    reason: str


class Resumed(NamedTuple):
    """Play goes on."""

    at: datetime


class Awarded(NamedTuple):
    """The auction of this hand is over: it is in progress (S9). `at_120`: by a call of 120 (D5)."""

    hand: int
    at_120: bool


class Rung(NamedTuple):
    """The bell. `hands`: how many were on the sheet, or waited there for a second person."""

    at: datetime
    hands: int


class Answered(NamedTuple):
    """What the table or a referee said of the auction at the bell, and the last hand that counts therefore (D21)."""

    how: How
    last: int


class Moved(NamedTuple):
    """The bell will ring later (or earlier) by this: a credit, or a wall clock that was set."""

    by: timedelta


class Recovery(NamedTuple):
    """One hand more, because the clock could not be stopped (S10, D7)."""


class Interrupted(NamedTuple):
    """A player retired: nothing more is played (D8). What follows from it can be ruled anew."""

    at: datetime
    follow: Follow


Event = Started | Cancelled | Suspended | Resumed | Awarded | Rung | Answered | Moved | Recovery | Interrupted


class Clock(NamedTuple):
    """A clock. `deadline` while it runs, `left` while it does not.

    `suspended`: play rests, `because`; `unstopped`: it once did while the clock ran. `awarded`: the latest hand whose
    auction was awarded before the bell, `at_120` by such a call. `at_bell`: hands on the sheet at the bell, None
    before. `last`: the last hand that counts for the answer `how`; None before an answer.
    """

    length: timedelta
    calls_at_120_count: bool
    state: Literal["ready", "running", "stopped", "rung"]
    left: timedelta
    deadline: datetime | None = None
    suspended: bool = False
    because: str = ""
    unstopped: bool = False
    awarded: int = 0
    at_120: bool = False
    at_bell: int | None = None
    how: How | None = None
    last: int | None = None
    recovery: bool = False
    interrupted: Follow | None = None


def new_clock(length: timedelta, bell_120: str) -> Clock:
    """A clock that was not started. `bell_120`: does a hand called at 120 count as in progress from the call (D5)?"""
    return Clock(length, bell_120 == "in_progress_when_called", "ready", length)


def fold(clock: Clock, events: Iterable[Event]) -> Clock:
    """The clock after these events."""
    for event in events:
        clock = after(clock, event)
    return clock


def after(clock: Clock, event: Event) -> Clock:
    """The clock after one event that was lawful."""
    match event:
        case Started(at):
            return clock._replace(state="running", deadline=at + clock.left)
        case Cancelled():
            return Clock(clock.length, clock.calls_at_120_count, "ready", clock.length)
        case Suspended(at, stopped, reason):
            clock = clock._replace(suspended=True, because=reason, unstopped=clock.unstopped or not stopped)
            if not stopped or clock.deadline is None:
                return clock
            return clock._replace(state="stopped", left=clock.deadline - at, deadline=None)
        case Resumed(at):
            clock = clock._replace(suspended=False, because="")
            return clock._replace(state="running", deadline=at + clock.left) if clock.state == "stopped" else clock
        case Awarded(hand, at_120):
            return clock._replace(awarded=hand, at_120=at_120)
        case Rung(_, hands):
            return _rung(clock, hands)
        case Answered(how, last):
            return clock._replace(how=how, last=last)
        case Moved(by):
            if clock.deadline is None:
                return clock._replace(left=clock.left + by)
            return clock._replace(deadline=clock.deadline + by)
        case Recovery():
            return clock._replace(recovery=True)
    left = clock.left if clock.deadline is None else clock.deadline - event.at
    return clock._replace(interrupted=event.follow, suspended=False, because="", deadline=None, left=left)


def _rung(clock: Clock, hands: int) -> Clock:
    """Where the award was told before the bell, nobody has to be asked about it."""
    clock = clock._replace(state="rung", deadline=None, left=timedelta(), at_bell=hands)
    if clock.awarded <= hands:
        return clock
    how: How = "called_at_120" if clock.at_120 else "awarded"
    return clock._replace(how=how, last=last_hand(clock, how, hands))


def last_hand(clock: Clock, how: How, at_bell: int) -> int:
    """The last hand that counts: one more than stood there, if it was in progress (S9); D5 for a call of 120."""
    in_progress = how == "awarded" or (how == "called_at_120" and clock.calls_at_120_count)
    return at_bell + in_progress


# What happens


def start(clock: Clock, at: datetime) -> Started:
    """Refusal: `already_started`."""
    if clock.state != "ready" or clock.interrupted:
        raise Refusal("already_started", article="S9")
    return Started(at)


def cancel(clock: Clock, hands: int) -> Cancelled:
    """A start taken back before the first hand. Refusals: `not_started`, `hands_on_sheet`."""
    if clock.state == "ready":
        raise Refusal("not_started", article="S9")
    if hands or clock.awarded:
        raise Refusal("hands_on_sheet", article="S11")
    return Cancelled()


def suspend(clock: Clock, at: datetime, *, stopped: bool, reason: str) -> Suspended:
    """Refusals: `not_running`, `already_suspended` (S10)."""
    if clock.suspended:
        raise Refusal("already_suspended", article="S10")
    if clock.state != "running" or clock.interrupted:
        raise Refusal("not_running", article="S10")
    return Suspended(at, stopped, reason)


def resume(clock: Clock, at: datetime) -> Resumed:
    """Refusal: `not_suspended`. A bell that rang in a suspension has rung; play goes on to its end."""
    if not clock.suspended:
        raise Refusal("not_suspended", article="S10")
    return Resumed(at)


def award(clock: Clock, at: datetime, *, hand: int, due: int, at_120: bool) -> Awarded:
    """The auction of hand number `hand` is awarded; `due` is the hand that is played now.

    Refusals: `not_started`, `bell_rang` (also where it is about to: the deadline decides), `match_suspended`,
    `wrong_hand`, `already_awarded`.
    """
    if clock.state == "ready" or clock.interrupted:
        raise Refusal("not_started", article="S9")
    if clock.state == "rung" or (clock.deadline is not None and clock.deadline <= at):
        raise Refusal("bell_rang", article="S9")
    if clock.suspended:
        raise Refusal("match_suspended", article="S10")
    if hand != due:
        raise Refusal("wrong_hand", {"hand": hand, "due": due}, article="S12", pointer="/hand")
    if clock.awarded == hand:
        raise Refusal("already_awarded", {"hand": hand}, article="S12", pointer="/hand")
    return Awarded(hand, at_120)


def ring(clock: Clock, at: datetime, hands: int) -> Rung:
    """Refusal `not_due`: a bell never rings early, nor while its clock is stopped, nor twice."""
    if clock.state != "running" or clock.deadline is None or at < clock.deadline:
        raise Refusal("not_due", article="S9")
    return Rung(at, hands)


def answer(clock: Clock, *, how: How, last: int | None, referee: bool, hands: int) -> Answered:
    """Was the auction awarded at the bell? A player says so once; a referee may say otherwise, and which was the last
    hand, where some that were over had not been written yet (D21). `hands`: on the sheet.

    Refusals: `no_question`, `already_answered`, `wrong_hand`; `hand_written`, where a hand would no longer count that
    is on the sheet: it is voided first.
    """
    if clock.at_bell is None or clock.interrupted:
        raise Refusal("no_question", article="D21")
    if clock.how is not None and not referee:
        raise Refusal("already_answered", article="D21")
    usual = last_hand(clock, how, clock.at_bell)
    found = usual if last is None else last
    if not clock.at_bell <= found <= clock.at_bell + BEHIND or not (referee or found == usual):
        raise Refusal("wrong_hand", {"hand": found, "due": usual}, article="D21", pointer="/hand")
    if found < hands and not clock.recovery:
        raise Refusal("hand_written", {"hand": hands}, article="D21", pointer="/how")
    return Answered(how, found)


def move(clock: Clock, by: timedelta) -> Moved:
    """Refusals: `bell_rang`, `not_running`."""
    if clock.state == "rung":
        raise Refusal("bell_rang", article="S10")
    if clock.state == "ready" or clock.interrupted:
        raise Refusal("not_running", article="S10")
    return Moved(by)


def grant_recovery(clock: Clock, *, suffered: bool) -> Recovery:
    """One recovery hand, if there was a suspension in which the clock ran, or a stop of the house (`suffered`); D7.

    Refusals: `already_granted`, `no_unstopped_suspension`, `not_started`.
    """
    if clock.state == "ready" or clock.interrupted:
        raise Refusal("not_started", article="S10")
    if clock.recovery:
        raise Refusal("already_granted", article="D7")
    if not (clock.unstopped or suffered):
        raise Refusal("no_unstopped_suspension", article="S10")
    return Recovery()


def interrupt(clock: Clock, at: datetime, follow: Follow, *, hands: int) -> Interrupted:
    """A player retires (D8), or what follows from it is ruled anew. `hands`: on the sheet.

    Refusals: `not_started`, `already_interrupted`, `nothing_written`: without a hand nothing stands that could count.
    """
    if clock.state == "ready":
        raise Refusal("not_started", article="D8")
    if clock.interrupted == follow:
        raise Refusal("already_interrupted", article="D8")
    if follow == "standings" and not hands:
        raise Refusal("nothing_written", article="D8")
    return Interrupted(at, follow)


# What may still be played


class Ending(NamedTuple):
    """A match whose bell has rung, or that was interrupted.

    `question`: it must be told first whether hand number `hand` was in progress. `last`: the last hand that counts;
    `over`: it is on the sheet. `why`: `in_progress`, `not_awarded`, `called_at_120`, `repeat`, `recovery`,
    `interrupted`.
    """

    question: bool
    hand: int
    last: int | None
    over: bool
    why: str


def ending(clock: Clock, hands: int, repeated: Collection[int]) -> Ending | None:
    """How the match ends, None while it goes on. `hands`: on the sheet; `repeated`: those to be played again.

    After the bell exactly the hand in progress is played, what has to be repeated (D6), and a recovery hand (D7).
    """
    if clock.interrupted:
        return Ending(False, hands, hands, True, "interrupted")
    at_bell, last, how = clock.at_bell, clock.last, clock.how
    if at_bell is None:
        return None
    if last is None or how is None:
        return Ending(True, at_bell + 1, None, False, "not_awarded")
    why = "in_progress" if how == "awarded" else str(how)
    end = _with_repeats(last, at_bell, repeated)
    if end > last:
        why = "repeat"
    if clock.recovery:
        again = _with_repeats(end + 1, at_bell, repeated)
        why = "recovery" if again == end + 1 else "repeat"
        end = again
    return Ending(False, min(hands + 1, end), end, hands >= end, why)


def _with_repeats(end: int, at_bell: int, repeated: Collection[int]) -> int:
    """The end moves with every hand at or after the bell that has to be played again."""
    for hand in sorted(repeated):
        if hand >= at_bell and hand == end:
            end = hand + 1
    return end


def check_playable(clock: Clock, found: Ending | None, hand: int) -> None:
    """Hand number `hand` may be written. Refusals: `not_started`, `bell_unanswered`, `match_over`."""
    if clock.state == "ready":
        raise Refusal("not_started", article="S9")
    if found is None:
        return
    if hand < found.hand and not clock.interrupted:
        return  # it was over before the bell
    if found.question:
        raise Refusal("bell_unanswered", {"hand": found.hand}, article="D21", pointer="/hand")
    if found.last is not None and hand > found.last:
        raise Refusal("match_over", article="S9", pointer="/hand")
