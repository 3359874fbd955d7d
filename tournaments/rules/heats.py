"""Places inside one match (D15)."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from operator import attrgetter
from typing import NamedTuple

from tournaments.rules.gaps import Gap, gap_key, percentage_gap
from tournaments.rules.ties import UNPLACED, Chain, Decided, Value

_points = attrgetter("points")


class SeatResult(NamedTuple):
    """What a seat took from a match. `hands_won` and `best_call` (0: none won) are None where only totals survive."""

    player: str
    points: int
    hands_won: int | None
    best_call: int | None


class MatchResult(NamedTuple):
    """A finished match, seats in playing order. `hands_played` counts scored hands."""

    name: str
    seats: tuple[SeatResult, ...]
    hands_played: int


class Placed(NamedTuple):
    """A player's place in a match. `order` is strict, `place` is shared by equal points (1, 2, 2, 4).

    `winner`: points of the match's winner; `hands`: its scored hands; `heat`: its index. `decided_by` is the step that
    put him behind the one before him, `values` that step's values of the two.
    """

    player: str
    heat: int
    order: int
    place: int
    points: int
    winner: int
    hands: int
    decided_by: str | None
    values: tuple[int, int] | None

    @property
    def gap(self) -> Gap:
        """The percentage gap behind the winner, exact (S7, D13)."""
        return percentage_gap(self.winner, self.points)

    @property
    def gap_key(self) -> tuple[bool, int]:
        """Sorts exactly like the gap, and faster."""
        return gap_key(self.winner, self.points)

    @property
    def per_hand(self) -> Fraction:
        """Points per scored hand, exact; 0 where no hand was scored."""
        return Fraction(self.points, self.hands) if self.hands else Fraction(0)


def rank_heat(
    match: MatchResult,
    tie_chain: tuple[str, ...],
    agp: Mapping[str, int],
    lots: Mapping[str, int],
    heat: int = 0,
) -> tuple[Placed, ...]:
    """The match's ranking, best first. `agp`: rank by player; `lots`: position in the drawn order.

    Steps that only a scoresheet knows are passed over where totals are all there is. Refusal: `lot_missing`.
    """
    ordered = _ordered(match, tie_chain, agp, lots)
    winner, hands = ordered[0].item.points, match.hands_played
    ranking: list[Placed] = []
    place, before = 1, winner
    for order, ((player, points, _, _), decided_by, pair) in enumerate(ordered, start=1):
        if points != before:
            place, before = order, points
        values = None if pair is None else (abs(pair[0]), abs(pair[1]))
        ranking.append(Placed(player, heat, order, place, points, winner, hands, decided_by, values))
    return tuple(ranking)


def _ordered(
    match: MatchResult, tie_chain: tuple[str, ...], agp: Mapping[str, int], lots: Mapping[str, int]
) -> list[Decided[SeatResult]]:
    seats = match.seats
    if len({seat.points for seat in seats}) == len(seats):
        # Nothing to decide, as in most matches.
        return [Decided(seat, None, None) for seat in sorted(seats, key=_points, reverse=True)]
    values: dict[str, Value[SeatResult]] = {
        "hands_won": lambda seat: -(seat.hands_won or 0),
        "golden_call": lambda seat: -(seat.best_call or 0),
        "agp": lambda seat: agp.get(seat.player, UNPLACED),
    }
    steps = tuple((step, values[step]) for step in tie_chain if step != "lot")
    chain: Chain[SeatResult] = Chain(lambda s: -s.points, steps, lambda s: s.player, lots)
    return chain.order(seats)
