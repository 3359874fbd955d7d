"""Rankings over editions: the A.G.P. table of the world championship and the series of a club."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

from tournaments.rules.ties import UNPLACED, Chain

_NONE: Mapping[str, int] = MappingProxyType({})


class SeriesRules(NamedTuple):
    """`points` by place from the first on, later places give 0; the last `window` editions count."""

    points: tuple[int, ...]
    window: int

    def for_place(self, place: int) -> int:
        """Points of a place, counted from 1."""
        return self.points[place - 1] if place <= len(self.points) else 0


WORLD = SeriesRules((15, 12, 10, 8, 6, 5, 4, 3, 2, 1), 3)
"""The federation's norms for A.G.P. points."""


class Edition(NamedTuple):
    """A finished edition: players best first, and points of the standings ledger (D18), which know no floor."""

    number: int
    ranking: tuple[str, ...]
    adjustments: Mapping[str, int] = _NONE


class SeriesLine(NamedTuple):
    """One line of an explanation: what one edition gave. `place` is None for who has only an adjustment."""

    edition: int
    place: int | None
    points: int
    adjustment: int


class Standing(NamedTuple):
    """A player in the table. `rank` is strict, `shared` equal for those whom nothing but a lot can tell apart.

    `decided_by` says what put him behind the one before him at equal points: `best_place`, `recent_best_place`.
    """

    rank: int
    shared: int
    player: str
    points: int
    lines: tuple[SeriesLine, ...]
    best_place: int | None
    decided_by: str | None


class _Record:
    """What the window holds of one player; `best` is his best place and how many editions ago it was last reached."""

    __slots__ = ("best", "lines", "player", "points")

    def __init__(self, player: str) -> None:
        self.player = player
        self.points = 0
        self.best = (UNPLACED, UNPLACED)
        self.lines: list[SeriesLine] = []


def series_table(
    editions: Sequence[Edition], rules: SeriesRules = WORLD, lots: Mapping[str, int] | None = None
) -> tuple[Standing, ...]:
    """The table after the last of `editions` (oldest first), everybody with a place or an adjustment in the window.

    Ties: best single place, then the more recent best place; who has no place comes after who has. Two without any
    place stand by drawn lot, or by code where no `lots` are given. Refusal: `lot_missing`.
    """
    records = _records(editions, rules)
    if lots is None:
        lots = {player: position for position, player in enumerate(sorted(record.player for record in records))}
    chain: Chain[_Record] = Chain(
        lambda record: -record.points,
        (("best_place", lambda record: record.best[0]), ("recent_best_place", lambda record: record.best[1])),
        lambda record: record.player,
        lots,
    )
    table: list[Standing] = []
    for rank, (record, decided_by, _) in enumerate(chain.order(records), start=1):
        by_lot = decided_by == "lot"
        table.append(
            Standing(
                rank,
                table[-1].shared if by_lot else rank,
                record.player,
                record.points,
                tuple(record.lines),
                None if record.best[0] == UNPLACED else record.best[0],
                None if by_lot else decided_by,
            )
        )
    return tuple(table)


def _records(editions: Sequence[Edition], rules: SeriesRules) -> list[_Record]:
    records: dict[str, _Record] = {}
    window = editions[-rules.window :]
    for age, (number, ranking, adjustments) in zip(range(len(window) - 1, -1, -1), window, strict=True):
        for place, player in enumerate(ranking, start=1):
            record = records.get(player)
            if record is None:
                record = records[player] = _Record(player)
            adjustment = adjustments.get(player, 0)
            points = rules.for_place(place) + adjustment
            record.points += points
            record.lines.append(SeriesLine(number, place, points, adjustment))
            if place <= record.best[0]:
                record.best = (place, age)
        for player in adjustments.keys() - set(ranking):
            record = records.setdefault(player, _Record(player))
            record.points += adjustments[player]
            record.lines.append(SeriesLine(number, None, adjustments[player], adjustments[player]))
    return list(records.values())


def ranks(table: Sequence[Standing]) -> dict[str, int]:
    """Rank by player, for seeding and tie chains: equal where only a lot could tell two apart."""
    return {standing.player: standing.shared for standing in table}


def moved(before: Sequence[Standing], after: Sequence[Standing]) -> dict[str, int | None]:
    """By player of `after`: ranks gained (minus: lost) since `before`, None for who is new."""
    old = {standing.player: standing.rank for standing in before}
    return {s.player: old[s.player] - s.rank if s.player in old else None for s in after}
