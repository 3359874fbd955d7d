"""What can be wished of a match. A wish gives the distance from it in points; several add up."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from scoring.rules.hands import SEATS
from scoring.rules.scoresheet import Scoresheet
from tools.demo_files.hands import Wish

AGP = Mapping[str, int]
"""A.G.P. rank by id; who is not ranked is not in it."""
FAR = 60
"""Distance of what no small step brings nearer."""


def anything(_: Scoresheet) -> int:
    """Whatever the cards brought."""
    return 0


def all_of(*wishes: Wish) -> Wish:
    """Every one of them."""
    return lambda sheet: sum(wish(sheet) for wish in wishes)


def by_points(sheet: Scoresheet) -> list[int]:
    """Seats, best first."""
    return sorted(range(SEATS), key=lambda seat: -sheet.totals[seat])


def leaders(winner: int, second: int) -> Wish:
    """These totals for the first two, and the third clearly behind."""

    def wish(sheet: Scoresheet) -> int:
        first, other, third = sorted(sheet.totals, reverse=True)[:3]
        return abs(first - winner) + abs(other - second) + max(0, third + 5 - second)

    return wish


def gap_of_second(low: int, high: int) -> Wish:
    """The second between `low` and `high` percent behind the winner."""

    def wish(sheet: Scoresheet) -> int:
        first, other = sorted(sheet.totals, reverse=True)[:2]
        behind = 100 * (first - other)
        return max(0, low * first - behind, behind - high * first) // 25

    return wish


def at_place(seat: int, place: int) -> Wish:
    """That seat comes out at that place, counted from 1."""
    return lambda sheet: FAR * abs(by_points(sheet).index(seat) + 1 - place)


def not_first(seats: Sequence[int]) -> Wish:
    """Somebody else wins."""
    return lambda sheet: FAR if by_points(sheet)[0] in seats else 0


def tie(place: int, step: str, seats: Sequence[str], agp: AGP) -> Wish:
    """Those at `place` and the next one, and nobody else, have equal points; `step` of the tie chain decides."""

    def wish(sheet: Scoresheet) -> int:
        order = by_points(sheet)
        totals = [sheet.totals[seat] for seat in order]
        one, other = order[place - 1], order[place]
        cost = totals[place - 1] - totals[place]
        cost += 3 * (SEATS - 1 - len({*totals[:place], *totals[place + 1 :]}))
        won = abs(sheet.hands_won[one] - sheet.hands_won[other])
        if step == "hands_won":
            return cost + (0 if won else FAR)
        called = abs(sheet.best_calls[one] - sheet.best_calls[other])
        if step == "golden_call":
            return cost + 20 * won + (0 if called else FAR)
        ranked = {agp.get(seats[one]), agp.get(seats[other])}
        decided = len(ranked) == 2 if step == "agp" else ranked == {None}
        return cost + 20 * won + 4 * called + (0 if decided else FAR)

    return wish
