"""What an organiser changes in a draw: two players change places, with a reason (S6)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from core.refusal import Refusal
from tournaments.rules.draw import Draw, draw_heats


class Lists(NamedTuple):
    """Who sits in which heat and who is a reserve, in order."""

    heats: tuple[tuple[str, ...], ...]
    reserves: tuple[str, ...]

    def heat_of(self, player: str) -> int | None:
        """The heat of a player, from 0; None for a reserve. Refusal: `not_in_draw`."""
        for number, heat in enumerate(self.heats):
            if player in heat:
                return number
        if player not in self.reserves:
            raise Refusal("not_in_draw", {"player": player}, article="S6", pointer="/player")
        return None

    def swapped(self, player: str, other: str) -> Lists:
        """The two change places. Refusals: `not_in_draw`, `same_heat` (also for two reserves)."""
        if self.heat_of(player) == self.heat_of(other):
            raise Refusal("same_heat", {"player": player}, article="S6", pointer="/with")
        places = {player: other, other: player}

        def change(row: Iterable[str]) -> tuple[str, ...]:
            return tuple(places.get(each, each) for each in row)

        return Lists(tuple(map(change, self.heats)), change(self.reserves))


def lists_of(draw: Draw) -> Lists:
    """A draw without its reasons."""
    heats = tuple(tuple(seat.player for seat in heat) for heat in draw.heats)
    return Lists(heats, tuple(seat.player for seat in draw.reserves))


def draw_again(
    players: Sequence[str], agp: Mapping[str, int], seeds_per_heat: int, seed: bytes, moves: Iterable[tuple[str, str]]
) -> tuple[Draw, Lists]:
    """A published draw once more: as the seed gives it, with its reasons, and after its moves, one after the other.

    Refusals: those of `draw_heats` and of `Lists.swapped`.
    """
    draw = draw_heats(players, agp, seeds_per_heat, seed)
    lists = lists_of(draw)
    for player, other in moves:
        lists = lists.swapped(player, other)
    return draw, lists
