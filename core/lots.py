"""Drawing lots that anyone can repeat: numbers and shuffles from a stored seed.

The stream is SHA-256 over `purpose`, the seed and a block counter, cut into 64-bit big-endian words. A word that
would favour some outcomes is thrown away (rejection sampling), so every outcome is equally likely.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from hashlib import sha256
from typing import TypeVar

T = TypeVar("T")
_WORD = 1 << 64


class Lots:
    """A stream of fair numbers fixed by `seed` (any bytes; 32 for a published draw) and `purpose`."""

    def __init__(self, seed: bytes, purpose: str) -> None:
        name = purpose.encode()
        self._start = len(name).to_bytes(4, "big") + name + seed
        self._words = self._stream()

    def _stream(self) -> Iterator[int]:
        block = 0
        while True:
            digest = sha256(self._start + block.to_bytes(8, "big")).digest()
            for at in range(0, 32, 8):
                yield int.from_bytes(digest[at : at + 8], "big")
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
        for last in range(len(drawn) - 1, 0, -1):
            other = self.below(last + 1)
            drawn[last], drawn[other] = drawn[other], drawn[last]
        return drawn
