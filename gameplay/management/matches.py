"""How a match goes from hand to hand at a terminal: points, who deals next, who has won."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

from scoring.rules.briscola import BriscolaOutcome, BriscolaRules, briscola_match, briscola_points
from scoring.rules.gin import GinOutcome, gin_points, match_winners, next_dealer
from scoring.rules.hands import HandOutcome, hand_points


class Standing(NamedTuple):
    """Points by seat, who deals next, hands that counted. `winners`: () while the match goes on."""

    totals: tuple[int, ...]
    dealer: int
    counted: int
    winners: tuple[int, ...]


def points_of(outcome: Any, options: Any) -> tuple[int, ...] | None:
    """Points by seat; None for a hand that is dealt again (D2, BD1). A game without a scorer says its points itself."""
    if isinstance(outcome, HandOutcome):
        return hand_points(outcome)
    if isinstance(outcome, BriscolaOutcome):
        return briscola_points(outcome)
    if isinstance(outcome, GinOutcome):
        return gin_points(outcome, options)
    return outcome if type(outcome) is tuple else None


def standing_after(outcomes: Iterable[Any], options: Any, seats: int, dealer: int) -> Standing:
    """The match after these hands, of which `dealer` dealt the first.

    Briscola a cinque is over after the agreed games (BD3), gin rummy after one hand or at a score (RD6); a match of
    Gingo ends with its bell (S9), so here it goes on.
    """
    hands = tuple(outcomes)
    if isinstance(options, BriscolaRules):
        played = briscola_match(hands, options, dealer)
        return Standing(played.totals, played.dealer, played.games, played.winners)
    totals: tuple[int, ...] = (0,) * seats
    winners: tuple[int, ...] = ()
    counted = 0
    for outcome in hands:
        points = points_of(outcome, options)
        if points is None:
            continue
        totals = tuple(have + more for have, more in zip(totals, points, strict=True))
        if isinstance(outcome, GinOutcome):
            counted += outcome.kind != "void"
            dealer = next_dealer(outcome, points, dealer)
            winners = match_winners(totals, counted, options)
        else:
            counted += 1
            dealer = (dealer + 1) % seats
    return Standing(totals, dealer, counted, winners)
