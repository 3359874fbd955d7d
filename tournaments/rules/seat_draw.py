"""The draw of seats with cards: highest card first, who is level draws again (S4, D1)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from core.lots import Lots
from core.refusal import Refusal

RANKS = ("K", "C", "J", "7", "6", "5", "4", "3", "2", "A")
"""From the highest to the lowest (S4): by pips, so that the ace is the last."""
SUITS = ("coins", "cups", "swords", "batons")
DECK = tuple(f"{suit}-{rank.lower()}" for suit in SUITS for rank in RANKS)
"""The forty cards, by the codes under which they are drawn on pages."""

_HEIGHT = {rank: height for height, rank in enumerate(RANKS)}


class Seating(NamedTuple):
    """`order`: players from seat 0 on, who deals first; among the `tied` it is still open, they draw again (D1)."""

    order: tuple[str, ...]
    tied: tuple[str, ...]


def seat_order(players: Sequence[str], rounds: Sequence[Mapping[str, str]]) -> Seating:
    """Who sits where after these rounds of cards: the first of all players, each further one of the tied only.

    Refusals with pointers `/rounds/<number>`: `wrong_drawers` (D1: exactly those who must draw), `no_such_card`,
    `too_many_of_a_card` (a deck has four of each), all S4.
    """
    drawn: dict[str, tuple[int, ...]] = dict.fromkeys(players, ())
    order, due = tuple(players), tuple(players)
    for number, cards in enumerate(rounds):
        _check(cards, due, f"/rounds/{number}")
        for player in due:
            drawn[player] = (*drawn[player], _HEIGHT[cards[player]])
        order = tuple(sorted(players, key=lambda player: drawn[player]))
        level = Counter(drawn.values())
        due = tuple(player for player in order if level[drawn[player]] > 1)
    return Seating(order, due)


def draw_cards(players: Sequence[str], seed: bytes) -> tuple[dict[str, str], ...]:
    """Rounds of cards out of a whole deck for each, until nobody is level. The same seed gives the same cards."""
    lots = Lots(seed, "draw of seats")
    rounds: list[dict[str, str]] = []
    while due := seat_order(players, [ranks_of(cards) for cards in rounds]).tied:
        rounds.append(dict(zip(due, lots.shuffled(DECK), strict=False)))
    return tuple(rounds)


def ranks_of(cards: Mapping[str, str]) -> dict[str, str]:
    """What counts of drawn cards: `cups-k` is a `K`."""
    return {player: card.rpartition("-")[2].upper() for player, card in cards.items()}


def _check(cards: Mapping[str, str], due: Sequence[str], pointer: str) -> None:
    if set(cards) != set(due):
        raise Refusal("wrong_drawers", {"players": tuple(due)}, article="D1", pointer=pointer)
    for player, card in cards.items():
        if card not in _HEIGHT:
            raise Refusal("no_such_card", {"card": card}, article="S4", pointer=f"{pointer}/{player}")
    card, times = Counter(cards.values()).most_common(1)[0]
    if times > len(SUITS):
        raise Refusal("too_many_of_a_card", {"card": card, "most": len(SUITS)}, article="S4", pointer=pointer)
