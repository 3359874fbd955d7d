"""Old matches of which nothing but totals survives."""

from __future__ import annotations

from typing import NamedTuple

from scoring.rules.hands import Points


class SeatTotals(NamedTuple):
    """By seat: points, and points of the standings ledger (None: untouched, D18). `hands_played`: scored hands."""

    points: Points
    hands_played: int
    adjustments: tuple[int | None, ...]
