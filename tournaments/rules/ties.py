"""Strict orders from chains of steps, with the step that decided each place (D15)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import pairwise
from operator import itemgetter
from typing import Any, Generic, NamedTuple, TypeVar

from core.refusal import Refusal

T = TypeVar("T")
UNPLACED = 1 << 62
"""Stands after every place and every rank."""
Value = Callable[[T], Any]
"""A value to compare by, smaller first."""


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
        primary, values = self.primary, [value for _, value in self.steps]
        keyed = [((primary(item), *[value(item) for value in values]), item) for item in items]
        keyed.sort(key=itemgetter(0))
        out: list[Decided[T]] = []
        end = len(keyed) if first is None else first
        at = 0
        while at < len(keyed) and len(out) < end:
            key, item = keyed[at]
            out.append(self._decided(keyed[at - 1][0], key, item) if at else Decided(item, None, None))
            at += 1
            if at < len(keyed) and keyed[at][0] == key:
                equals = [item]
                while at < len(keyed) and keyed[at][0] == key:
                    equals.append(keyed[at][1])
                    at += 1
                out[-1:] = self._by_lot(equals, out[-1])
        return out[:first]

    def _decided(self, before: tuple[Any, ...], key: tuple[Any, ...], item: T) -> Decided[T]:
        """The first step after `primary` in which the two keys differ; both lots are handled apart."""
        if before[0] != key[0]:
            return Decided(item, None, None)
        at = next(at for at in range(1, len(key)) if before[at] != key[at])
        return Decided(item, self.steps[at - 1][0], (before[at], key[at]))

    def _by_lot(self, equals: Sequence[T], first: Decided[T]) -> list[Decided[T]]:
        """Equals in everything by drawn lot; `first` says why the first of them stands where he stands."""
        lots = self.lots
        names = [self.player(item) for item in equals]
        if any(name not in lots for name in names):
            raise Refusal("lot_missing", {"players": tuple(names)}, article="D15", pointer="/lots")
        drawn = sorted(zip((lots[name] for name in names), equals, strict=True), key=itemgetter(0))
        ordered = [first._replace(item=drawn[0][1])]
        ordered += [Decided(item, "lot", (before + 1, lot + 1)) for (before, _), (lot, item) in pairwise(drawn)]
        return ordered
