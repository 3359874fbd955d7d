"""The draw of a stage: reserves, seeds, lots, and why each player sits where he sits (S6, D12)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from core.lots import Lots
from core.refusal import Refusal
from scoring.rules.hands import SEATS
from tournaments.rules.ties import UNPLACED


class Seat(NamedTuple):
    """A player's place in the draw and its reason.

    `reason` is `seed` (number counts seeds from 1), `lot` (number is the position in the drawn order, from 1) or
    `reserve` (number is the turn of the reserve, from 1). `agp` is the A.G.P. rank, None for the unranked; `heat` is
    None for a reserve.
    """

    player: str
    heat: int | None
    reason: str
    number: int
    agp: int | None


class Draw(NamedTuple):
    """`heats` in order, each five players: seeds first, then by lot. The same arguments give the same draw."""

    seed: bytes
    heats: tuple[tuple[Seat, ...], ...]
    reserves: tuple[Seat, ...]


def draw_heats(entrants: Sequence[str], agp: Mapping[str, int], seeds_per_heat: int, seed: bytes) -> Draw:
    """Heats of five from `entrants` in order of entry; `agp` gives ranks, `seed` is the stored random seed.

    S6: the best of the A.G.P. order are seeds, one round of heats after the other, each round the other way
    (snake); the rest by drawn lot, heat after heat. Unranked after ranked, in order of entry. D12: who is too many
    for full tables is a reserve, in that order. Refusals: `too_few_entrants` (S1), `entered_twice` (S6).
    """
    if len(set(entrants)) < len(entrants):
        raise Refusal("entered_twice", article="S6", pointer="/entries")
    if len(entrants) < SEATS:
        raise Refusal("too_few_entrants", {"entrants": len(entrants)}, article="S1", pointer="/entries")
    field = sorted(entrants, key=lambda player: agp.get(player, UNPLACED))
    count = len(field) // SEATS
    seated, left = field[: count * SEATS], field[count * SEATS :]
    seeds, rest = seated[: count * seeds_per_heat], seated[count * seeds_per_heat :]
    heats: list[list[Seat]] = [[] for _ in range(count)]
    for index, player in enumerate(seeds):
        lap, at = divmod(index, count)
        heat = count - 1 - at if lap % 2 else at
        heats[heat].append(Seat(player, heat, "seed", index + 1, agp.get(player)))
    for index, player in enumerate(Lots(seed, "draw of heats").shuffled(rest)):
        heat = index % count
        heats[heat].append(Seat(player, heat, "lot", index + 1, agp.get(player)))
    reserves = tuple(Seat(player, None, "reserve", turn, agp.get(player)) for turn, player in enumerate(left, start=1))
    return Draw(seed, tuple(map(tuple, heats)), reserves)
