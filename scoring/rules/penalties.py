"""The typed catalogue of penalties (S16-S19): what a ruling costs and what becomes of the hand."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal, NamedTuple

from core.refusal import Refusal
from scoring.rules.hands import SEATS, HandOutcome
from scoring.rules.ruleset import ScoringRules

Ruling = Literal["suicidal_call", "disloyal_raise"]


class Effect(NamedTuple):
    """What a ruling does. `points` go to the offender's match score, `ledger` to the tournament's standings.

    `offence` is the player's first, second, ... disloyal raise, None where offences are not counted. A voided hand
    scores nothing for anybody else; `repeated` means the same dealer deals again.
    """

    kind: str
    offender: int
    points: int
    article: str
    offence: int | None = None
    admitted: bool = False
    voided: bool = True
    repeated: bool = False
    ledger: int = 0


def suicidal_call(outcome: HandOutcome, rules: ScoringRules) -> Effect:
    """S17: 200 points and the points lost, one point in the standings; not repeated (D18).

    Refusal `suicidal_needs_lost_hand` (D18) at `/ruling`.
    """
    if outcome.won:
        params = {"bid": outcome.bid, "made": outcome.made}
        raise Refusal("suicidal_needs_lost_hand", params, article="D18", pointer="/ruling")
    cost = rules.suicidal_points + outcome.lost_points
    return Effect("suicidal_call", outcome.caller, -cost, "S17", ledger=rules.suicidal_ledger)


def disloyal_raise(
    caller: int, bid: int, rules: ScoringRules, *, offence: int, outcome: HandOutcome | None = None
) -> Effect:
    """S18: 50, 70, 100 by `offence` (1 the first; D10 the last amount repeats); hand voided and repeated.

    Without `outcome` the raise was admitted before play (D19); with it the points lost in the hand are added.
    Refusal `disloyal_needs_higher_bid` (S18) at `/ruling`.
    """
    if bid <= rules.disloyal_above:
        params = {"bid": bid, "above": rules.disloyal_above}
        raise Refusal("disloyal_needs_higher_bid", params, article="S18", pointer="/ruling")
    cost = rules.disloyal_points[min(offence, len(rules.disloyal_points)) - 1]
    if outcome is not None:
        cost += outcome.lost_points
    return Effect("disloyal_raise", caller, -cost, "S18", offence=offence, admitted=outcome is None, repeated=True)


def check_admission(*, first_card_led: bool) -> None:
    """D19: a disloyal raise is admitted until the first card is led. Refusal `admission_too_late`."""
    if first_card_led:
        raise Refusal("admission_too_late", article="D19")


def judges(caller: int, called: int) -> tuple[int, ...]:
    """Seats that judge S17 and S18 without appeal: neither caller nor called (D9); three, or four against a solo."""
    return tuple(seat for seat in range(SEATS) if seat not in (caller, called))


def is_upheld(votes: Iterable[bool], judges: int) -> bool:
    """More than half of the `judges` uphold; a tie rejects (D9). `votes` are those that were cast."""
    return 2 * sum(votes) > judges
