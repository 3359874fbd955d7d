"""Strict orders from chains of steps, with the step that decided each place (D15)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import groupby, pairwise
from operator import itemgetter
from typing import Any, Generic, NamedTuple, TypeVar

from core.refusal import Refusal

T = TypeVar("T")
UNPLACED = 1 << 62
"""Stands after every place and every rank."""
Value = Callable[[T], Any]
"""A value to compare by, smaller first."""


def lot_missing(equals: Iterable[str]) -> Refusal:
    """These are equal in everything and not all of them have drawn a lot (D15)."""
    return Refusal("lot_missing", {"players": tuple(equals)}, article="D15", pointer="/lots")


class Decided(NamedTuple, Generic[T]):
    """One item in its place. `decided_by`: the step that put it behind the one before it, None where what counts
    first already did; `values`: that step's values of the one before and of this one."""

    item: T
    decided_by: str | None
    values: tuple[Any, Any] | None


class Chain(NamedTuple, Generic[T]):
    """What counts first (`primary`), then named steps, then a lot drawn beforehand, asked only where it must be."""

    primary: Value[T]
    steps: tuple[tuple[str, Value[T]], ...]
    player: Callable[[T], str]
    lots: Mapping[str, int]

    def order(self, items: Iterable[T], first: int | None = None) -> list[Decided[T]]:
        """The `first` items in order, or all of them.

        Refusal `lot_missing` (D15) at `/lots`, naming the equals of whom one has no drawn lot; ties further
        down than `first` are nobody's business and are left alone.
        """
        entries = list(items)
        keys = list(map(self.primary, entries))
        positions = sorted(range(len(entries)), key=keys.__getitem__)
        out: list[Decided[T]] = []
        for _, equals in groupby(positions, keys.__getitem__):
            if first is not None and len(out) >= first:
                break
            group = [entries[position] for position in equals]
            # The steps are worked out only where they are needed: most stand alone with what counts first.
            out += [Decided(group[0], None, None)] if len(group) == 1 else self._by_steps(group, first, len(out))
        return out[:first]

    def _by_steps(self, equals: Sequence[T], first: int | None, done: int) -> Iterator[Decided[T]]:
        """Equals in what counts first; `done` of the `first` wanted are in order before them."""
        names, values = [name for name, _ in self.steps], [value for _, value in self.steps]
        keyed = [([value(item) for value in values], item) for item in equals]
        keyed.sort(key=itemgetter(0))
        before: list[Any] | None = None
        for key, run in groupby(keyed, itemgetter(0)):
            if first is not None and done >= first:
                break
            group = [item for _, item in run]
            ahead = Decided(group[0], None, None)
            if before is not None:
                at = next(at for at, (better, worse) in enumerate(zip(before, key, strict=True)) if better != worse)
                ahead = Decided(group[0], names[at], (before[at], key[at]))
            yield from [ahead] if len(group) == 1 else self._by_lot(group, ahead)
            before, done = key, done + len(group)

    def _by_lot(self, equals: Sequence[T], first: Decided[T]) -> list[Decided[T]]:
        """Equals in everything by drawn lot; `first` says why the first of them stands where he stands."""
        lots = self.lots
        names = [self.player(item) for item in equals]
        if any(name not in lots for name in names):
            raise lot_missing(names)
        drawn = sorted(zip((lots[name] for name in names), equals, strict=True), key=itemgetter(0))
        ordered = [first._replace(item=drawn[0][1])]
        ordered += [Decided(item, "lot", (before + 1, lot + 1)) for (before, _), (lot, item) in pairwise(drawn)]
        return ordered
