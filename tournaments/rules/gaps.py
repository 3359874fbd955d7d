"""The percentage gap behind the winner of a heat (S7, D13), exact."""

from __future__ import annotations

from fractions import Fraction
from typing import NamedTuple

# A total of points never has more digits than 2**128, so two gaps differ by more than 2**-256: whole 2**-256ths tell
# them apart.
_PARTS = 256


def ratio_key(numerator: int, denominator: int) -> int:
    """An integer that sorts exactly like the ratio of two totals of points, and faster than a fraction."""
    return (numerator << _PARTS) // denominator


class Gap(NamedTuple):
    """Smaller is better. A finite gap is `(W - S) / W`; an infinite one keeps the points `W - S` as its `size`."""

    infinite: bool
    size: Fraction

    def text(self) -> str:
        """Lowest terms, `0`, or `inf`."""
        return "inf" if self.infinite else str(self.size)

    def percent(self) -> str:
        """Two decimals, half up, or `inf`."""
        if self.infinite:
            return "inf"
        hundredths = int(self.size * 10_000 + Fraction(1, 2))
        return f"{hundredths // 100}.{hundredths % 100:02d}"


def percentage_gap(winner: int, points: int) -> Gap:
    """Gap of a player with `points` behind a heat winner with `winner` points, penalties included.

    D13: a winner without positive points leaves gap 0 to his equals and an infinite one to the others.
    """
    behind = winner - points
    if behind == 0:
        return Gap(False, Fraction(0))
    if winner <= 0:
        return Gap(True, Fraction(behind))
    return Gap(False, Fraction(behind, winner))


def gap_key(winner: int, points: int) -> tuple[bool, int]:
    """Sorts exactly like the percentage gap of the same points: finite before infinite, smaller first (D13)."""
    behind = winner - points
    if winner > 0 or not behind:
        return (False, behind and ratio_key(behind, winner))
    return (True, behind)
