"""Strict orders from chains of steps, with the step that decided each place (D15)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
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
        if first == 0:
            return []
        keyed = sorted(((self._key(item), item) for item in items), key=lambda pair: pair[0])
        out: list[Decided[T]] = []
        at = 0
        while at < len(keyed) and (first is None or len(out) < first):
            end = at + 1
            while end < len(keyed) and keyed[end][0] == keyed[at][0]:
                end += 1
            for item in self._by_lot([pair[1] for pair in keyed[at:end]]):
                out.append(self._decided(out[-1].item if out else None, item))
            at = end
        return out[:first]

    def _key(self, item: T) -> tuple[Any, ...]:
        return (self.primary(item), *(value(item) for _, value in self.steps))

    def _by_lot(self, equals: Sequence[T]) -> Sequence[T]:
        if len(equals) == 1:
            return equals
        names = [self.player(item) for item in equals]
        if any(name not in self.lots for name in names):
            raise Refusal("lot_missing", {"players": tuple(names)}, article="D15", pointer="/lots")
        return sorted(equals, key=lambda item: self.lots[self.player(item)])

    def _decided(self, before: T | None, item: T) -> Decided[T]:
        if before is None or self.primary(before) != self.primary(item):
            return Decided(item, None, None)
        for name, value in self.steps:
            if value(before) != value(item):
                return Decided(item, name, (value(before), value(item)))
        lots = (self.lots[self.player(before)] + 1, self.lots[self.player(item)] + 1)
        return Decided(item, "lot", lots)
