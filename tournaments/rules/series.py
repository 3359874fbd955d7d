"""Rankings over editions: the A.G.P. table of the world championship and the series of a club."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain, count, groupby, repeat, zip_longest
from types import MappingProxyType
from typing import NamedTuple

from tournaments.rules.ties import UNPLACED, lot_missing

WORLD_SERIES = "world"
"""The name of the one series whose editions count for the A.G.P."""
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


class Window(NamedTuple):
    """The editions that counted for a table: their `numbers`, newest first, and the `rules` they counted by."""

    numbers: tuple[int, ...]
    rules: SeriesRules


class Standing(NamedTuple):
    """A player in the table. `rank` is strict, `shared` equal for those whom nothing but a lot can tell apart.

    `decided_by` says what put him behind the one before him at equal points: `best_place`, `recent_best_place`.
    `places` are his in the editions of the `window`, `UNPLACED` where he has none; `adjustments` likewise, None where
    he has none, and () for who has none at all.
    """

    rank: int
    shared: int
    player: str
    points: int
    decided_by: str | None
    places: tuple[int, ...]
    adjustments: tuple[int | None, ...]
    window: Window

    @property
    def best_place(self) -> int | None:
        """The best single place in the window, None for who has only adjustments."""
        best = min(self.places)
        return None if best == UNPLACED else best

    @property
    def lines(self) -> tuple[SeriesLine, ...]:
        """What each edition gave, oldest first."""
        numbers, rules = self.window
        lines: list[SeriesLine] = []
        for number, place, given in zip(numbers, self.places, self.adjustments or repeat(None), strict=False):
            if place != UNPLACED:
                lines.append(SeriesLine(number, place, rules.for_place(place) + (given or 0), given or 0))
            elif given is not None:
                lines.append(SeriesLine(number, None, given, given))
        return tuple(reversed(lines))


def series_table(
    editions: Sequence[Edition], rules: SeriesRules = WORLD, lots: Mapping[str, int] | None = None
) -> tuple[Standing, ...]:
    """The table after the last of `editions` (oldest first), everybody with a place or an adjustment in the window.

    Nobody stands twice in a ranking. Ties: best single place, then the more recent best place; who has no place comes
    after who has. Two without any place stand by drawn lot, or by code where no `lots` are given. Refusal:
    `lot_missing`.
    """
    window = editions[-rules.window :][::-1]
    best = _best_places(window)
    adjusted = _adjusted(window)
    points = _points(window, (*best, *adjusted), rules)
    players = [*best, *_by_lot(adjusted.keys() - best.keys(), points, lots)]
    players.sort(key=points.__getitem__, reverse=True)  # stable: who is ahead stays ahead at equal points
    totals = list(map(points.__getitem__, players))
    shared, decided_by = _ties(totals, list(map(best.get, players, repeat(UNPLACED))))
    return tuple(
        map(
            Standing,
            count(1),
            shared,
            players,
            totals,
            decided_by,
            _places(window, players),
            map(adjusted.get, players, repeat(())),
            repeat(Window(tuple(edition.number for edition in window), rules)),
        )
    )


def _best_places(window: Sequence[Edition]) -> dict[str, int]:
    """The best place of everybody who has one, in order of best and then more recent best."""
    best: dict[str, int] = {}
    # All who were first, newest first, then all who were second, ...: a player comes up first with his best place.
    for place, names in enumerate(zip_longest(*(edition.ranking for edition in window), fillvalue=""), start=1):
        for player in names:
            if player not in best:
                best[player] = place
    best.pop("", None)  # nobody, where a ranking is shorter than another
    return best


def _places(window: Sequence[Edition], players: Sequence[str]) -> Iterator[tuple[int, ...]]:
    """The places of each of the players, by edition of the window."""
    position = dict(zip(players, count(), strict=False))
    columns = []
    for edition in window:
        column = [UNPLACED] * len(players)
        for place, player in enumerate(edition.ranking, start=1):
            column[position[player]] = place
        columns.append(column)
    return zip(*columns, strict=True)


def _adjusted(window: Sequence[Edition]) -> dict[str, tuple[int | None, ...]]:
    """The adjustments of everybody who has one, by edition of the window."""
    ledgers = [edition.adjustments for edition in window]
    return {player: tuple(ledger.get(player) for ledger in ledgers) for ledger in ledgers for player in ledger}


def _points(window: Sequence[Edition], players: Iterable[str], rules: SeriesRules) -> dict[str, int]:
    points = dict.fromkeys(players, 0)
    for _, ranking, adjustments in window:
        # Only the first places give any.
        for player, given in chain(zip(ranking, rules.points, strict=False), adjustments.items()):
            points[player] += given
    return points


def _by_lot(unplaced: Iterable[str], points: Mapping[str, int], lots: Mapping[str, int] | None) -> list[str]:
    """Players without any place, equals in points in the order of their lots, or all by code without `lots`."""
    ordered = sorted(unplaced)
    if lots is None:
        return ordered
    ordered.sort(key=points.__getitem__, reverse=True)
    for _, equals in groupby(ordered, points.__getitem__):
        names = tuple(equals)
        if len(names) > 1 and any(name not in lots for name in names):
            raise lot_missing(names)
    return sorted(ordered, key=lambda player: lots.get(player, UNPLACED))


def _ties(points: Sequence[int], best: Sequence[int]) -> tuple[list[int], list[str | None]]:
    """The shared ranks, and what decided, of players in order."""
    shared = list(range(1, len(points) + 1))
    decided_by: list[str | None] = [None] * len(points)
    pairs = zip(points, points[1:], best, best[1:], strict=False)
    for at, (more, less, better, worse) in enumerate(pairs, start=1):
        if more != less:
            continue
        if better != worse:
            decided_by[at] = "best_place"
        elif worse != UNPLACED:
            decided_by[at] = "recent_best_place"
        else:
            shared[at] = shared[at - 1]
    return shared, decided_by


def ranks(table: Sequence[Standing]) -> dict[str, int]:
    """Rank by player, for seeding and tie chains: equal where only a lot could tell two apart."""
    return {standing.player: standing.shared for standing in table}


def moved(before: Sequence[Standing], after: Sequence[Standing]) -> dict[str, int | None]:
    """By player of `after`: ranks gained (minus: lost) since `before`, None for who is new."""
    old = {standing.player: standing.rank for standing in before}
    return {s.player: old[s.player] - s.rank if s.player in old else None for s in after}
