"""Points of briscola a cinque, and the match of an agreed number of games (B1, B5, BD1 to BD3)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from core.rulefields import RuleField, read_rules
from scoring.rules.hands import NO_POINTS, SEATS, Points, Redeal

TRICKS = 8
FIELDS = (
    RuleField("min_bid", "int", 61, "B2", low=1, high=120),
    RuleField("games", "int", 5, "B1", low=1, high=100),
    RuleField("tie", "choice", "shared", "BD3", choices=("shared", "sudden_death")),
)


class BriscolaRules(NamedTuple):
    """A frozen copy belongs to every match. `games`: hands that count, agreed before the first."""

    min_bid: int
    games: int
    tie: str


class BriscolaOutcome(NamedTuple):
    """What a hand came to: seats of caller and called (the same: alone), the bid; card points and tricks (0..8) of
    these two."""

    caller: int
    called: int
    bid: int
    made: int
    tricks: int


class BriscolaMatch(NamedTuple):
    """How a match stands: points by seat, games that counted, who deals next. `winners`: () as long as it goes on."""

    totals: Points
    games: int
    dealer: int
    winners: tuple[int, ...]


def briscola_rules(given: Mapping[str, Any]) -> BriscolaRules:
    """Rules from a mapping of adjusted values. Refusals: those of `RuleField.check`."""
    return BriscolaRules(**read_rules(FIELDS, given))


def briscola_points(outcome: BriscolaOutcome) -> Points:
    """Points by seat (B5): caller 2 and partner 1, alone 4, or 1 for each other; all eight tricks double them.

    BD2: the bid is checked on points alone, a trick without points may be lost.
    """
    caller, called, bid, made, tricks = outcome
    points = list(NO_POINTS)
    if made >= bid:
        double = 2 if tricks == TRICKS else 1
        points[called] = double
        points[caller] = 4 * double if caller == called else 2 * double
    else:
        double = 2 if tricks == 0 else 1
        points = [0 if seat in (caller, called) else double for seat in range(SEATS)]
    return tuple(points)


def briscola_match(
    outcomes: Iterable[BriscolaOutcome | Redeal], rules: BriscolaRules, first_dealer: int = 0
) -> BriscolaMatch:
    """A match from its hands: the deal moves to the right after each that counted, BD1 leaves it where it is.

    After the agreed games whoever has most points wins; BD3: a tie is shared, or by `sudden_death` each game more
    may end it. Hands beyond the end do not count.
    """
    match = BriscolaMatch(NO_POINTS, 0, first_dealer, ())
    for outcome in outcomes:
        if isinstance(outcome, BriscolaOutcome) and not match.winners:
            totals = tuple(have + more for have, more in zip(match.totals, briscola_points(outcome), strict=True))
            first = tuple(seat for seat in range(SEATS) if totals[seat] == max(totals))
            games = match.games + 1
            over = games >= rules.games and (rules.tie == "shared" or len(first) == 1)
            match = BriscolaMatch(totals, games, (first_dealer + games) % SEATS, first if over else ())
    return match
