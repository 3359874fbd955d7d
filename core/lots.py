"""Drawing lots that anyone can repeat: numbers and shuffles from a stored seed.

The stream is SHA-256 over `purpose`, the seed and a block counter, cut into 64-bit big-endian words. A word that
would favour some outcomes is thrown away (rejection sampling), so every outcome is equally likely.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from hashlib import sha256
from struct import Struct
from typing import TypeVar

T = TypeVar("T")
_WORD = 1 << 64
_SURELY_FAIR = 15 << 60
"""Below this a word is fair for any limit up to 2**60."""
_WORDS = Struct(">4Q").unpack


class Lots:
    """A stream of fair numbers fixed by `seed` (any bytes; 32 for a published draw) and `purpose`."""

    def __init__(self, seed: bytes, purpose: str) -> None:
        name = purpose.encode()
        self._start = len(name).to_bytes(4, "big") + name + seed
        self._words = self._stream()

    def _stream(self) -> Iterator[int]:
        block = 0
        while True:
            yield from _WORDS(sha256(self._start + block.to_bytes(8, "big")).digest())
            block += 1

    def below(self, limit: int) -> int:
        """A number in `0..limit-1`; `limit` is 1 to 2**64."""
        fair = _WORD - _WORD % limit
        for word in self._words:
            if word < fair:
                return word % limit
        raise AssertionError("the stream has no end")  # pragma: no cover

    def choice(self, items: Sequence[T]) -> T:
        """One of the items."""
        return items[self.below(len(items))]

    def shuffled(self, items: Sequence[T]) -> list[T]:
        """The items in drawn order (Fisher-Yates from the end)."""
        drawn = list(items)
        for last, word in zip(range(len(drawn) - 1, 0, -1), self._words, strict=False):
            limit = last + 1
            while word >= _SURELY_FAIR and word >= _WORD - _WORD % limit:
                word = next(self._words)
            other = word % limit
            drawn[last], drawn[other] = drawn[other], drawn[last]
        return drawn
