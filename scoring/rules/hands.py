"""Points of one Gingo hand (S15)."""

from __future__ import annotations

from typing import NamedTuple

from core.refusal import Refusal
from scoring.rules.ruleset import ScoringRules

SEATS = 5
CARD_POINTS = 120
Points = tuple[int, ...]
"""Whole points by seat, always five of them."""

NO_POINTS: Points = (0,) * SEATS


class HandOutcome(NamedTuple):
    """What a played hand came to: seats 0..4 of caller and called (the same seat: alone), card points 0..120."""

    caller: int
    called: int
    bid: int
    made: int

    @property
    def solo(self) -> bool:
        """The caller held the called card himself (S13 c)."""
        return self.caller == self.called

    @property
    def won(self) -> bool:
        """Caller and called made what was bid."""
        return self.made >= self.bid

    @property
    def lost_points(self) -> int:
        """Points lost in the hand: what is missing to the bid, 0 for a won hand."""
        return max(self.bid - self.made, 0)


class Redeal(NamedTuple):
    """Nobody bid: the same dealer deals again, nothing is scored (D2, BD1)."""


def check_bid(bid: int, rules: ScoringRules) -> None:
    """Refusal `bid_out_of_range` (S12) at `/bid`."""
    if not rules.min_bid <= bid <= CARD_POINTS:
        params = {"bid": bid, "low": rules.min_bid, "high": CARD_POINTS}
        raise Refusal("bid_out_of_range", params, article="S12", pointer="/bid")


def check_outcome(outcome: HandOutcome, rules: ScoringRules) -> None:
    """Refusals `bid_out_of_range` (S12), `made_out_of_range` (S15)."""
    check_bid(outcome.bid, rules)
    if not 0 <= outcome.made <= CARD_POINTS:
        params = {"made": outcome.made, "high": CARD_POINTS}
        raise Refusal("made_out_of_range", params, article="S15", pointer="/made")


def hand_points(outcome: HandOutcome) -> Points:
    """Points by seat (S15). D3: alone doubles only what is won."""
    caller, called, bid, made = outcome
    if made >= bid:
        pair, others = (2 * bid if caller == called else bid), 0
    else:
        pair, others = made - bid, CARD_POINTS - made
    return tuple(pair if seat in (caller, called) else others for seat in range(SEATS))
