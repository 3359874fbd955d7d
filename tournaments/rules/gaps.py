"""The percentage gap behind the winner of a heat (S7, D13), exact."""

from __future__ import annotations

from fractions import Fraction
from typing import NamedTuple


def sort_key(value: Fraction) -> int:
    """An integer that sorts exactly like the fraction, and faster.

    Two fractions with denominators below 2**128 (a total of points never has more digits) differ by more than 2**-256,
    so whole 2**-256ths tell them apart.
    """
    return (value.numerator << 256) // value.denominator


class Gap(NamedTuple):
    """Smaller is better. A finite gap is `(W - S) / W`; an infinite one keeps the points `W - S` as its `size`."""

    infinite: bool
    size: Fraction

    def sort_key(self) -> tuple[bool, int]:
        """Sorts exactly like the gap, and faster."""
        return (self.infinite, sort_key(self.size))

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
