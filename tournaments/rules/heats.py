"""Places inside one match (D15)."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import NamedTuple

from tournaments.rules.gaps import Gap, percentage_gap
from tournaments.rules.ties import UNPLACED, Chain, Value


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

    `decided_by` is the step that put him behind the one before him, `values` that step's values of the two.
    `per_hand` is points per scored hand, exact (0 where no hand was scored); `heat` is the match's index.
    """

    player: str
    heat: int
    order: int
    place: int
    points: int
    gap: Gap
    per_hand: Fraction
    decided_by: str | None
    values: tuple[int, int] | None


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
    values: dict[str, Value[SeatResult]] = {
        "hands_won": lambda seat: -(seat.hands_won or 0),
        "golden_call": lambda seat: -(seat.best_call or 0),
        "agp": lambda seat: agp.get(seat.player, UNPLACED),
    }
    steps = tuple((step, values[step]) for step in tie_chain if step != "lot")
    chain: Chain[SeatResult] = Chain(lambda s: -s.points, steps, lambda s: s.player, lots)
    ordered = chain.order(match.seats)
    winner = ordered[0].item.points
    ranking: list[Placed] = []
    for order, (seat, decided_by, pair) in enumerate(ordered, start=1):
        shared = ranking[-1].place if ranking and ranking[-1].points == seat.points else order
        ranking.append(
            Placed(
                seat.player,
                heat,
                order,
                shared,
                seat.points,
                percentage_gap(winner, seat.points),
                Fraction(seat.points, match.hands_played) if match.hands_played else Fraction(0),
                decided_by,
                None if pair is None else (abs(pair[0]), abs(pair[1])),
            )
        )
    return tuple(ranking)
