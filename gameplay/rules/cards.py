"""Two decks of small ints, and the codes under which their cards are written and drawn."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from core.refusal import Refusal

Hand = int
"""A set of cards: bit `card` is set where the card is in it."""


class Deck(NamedTuple):
    """`codes`: one for each card, at its number: suit first, the name of its picture (`cups-k`, `spades-10`)."""

    name: str
    suits: tuple[str, ...]
    ranks: tuple[str, ...]
    codes: tuple[str, ...]
    numbers: dict[str, int]

    def number(self, code: object) -> int:
        """The card of this code. Refusal `no_such_card`."""
        found = self.numbers.get(code) if isinstance(code, str) else None
        if found is None:
            raise Refusal("no_such_card", {"card": str(code)[:20]})
        return found


def _deck(name: str, suits: tuple[str, ...], ranks: tuple[str, ...]) -> Deck:
    codes = tuple(f"{suit}-{rank}" for suit in suits for rank in ranks)
    return Deck(name, suits, ranks, codes, {code: number for number, code in enumerate(codes)})


ITALIAN = _deck("italian", ("coins", "cups", "swords", "batons"), ("2", "4", "5", "6", "7", "j", "c", "k", "3", "a"))
"""Forty cards: `suit * 10 + strength`, so that of two cards of a suit the higher number takes the trick (S1)."""

FRENCH = _deck(
    "french",
    ("spades", "clubs", "diamonds", "hearts"),
    ("a", "2", "3", "4", "5", "6", "7", "8", "9", "10", "j", "q", "k"),
)
"""Fifty-two cards: `suit * 13 + rank`, ace low (R1)."""


def mask(cards: Iterable[int]) -> Hand:
    """The set of these cards."""
    found = 0
    for card in cards:
        found |= 1 << card
    return found


def cards_in(hand: Hand) -> Iterator[int]:
    """The cards of a set, lowest number first."""
    while hand:
        lowest = hand & -hand
        yield lowest.bit_length() - 1
        hand ^= lowest
