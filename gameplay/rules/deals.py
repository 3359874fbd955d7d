"""Deals that anybody can repeat: a deck from a secret seed, and what is published of the seed before it is used.

Before the first move the commitment is published, after the hand the seed. Who has both can tell that the deck was
settled before anybody saw a card, and deal it again.
"""

from __future__ import annotations

from hashlib import sha256
from typing import NamedTuple

from core.lots import Lots
from core.refusal import Refusal
from gameplay.rules.cards import Deck

SEED_BYTES = 32


class Deal(NamedTuple):
    """`deck`: every card once, the first is dealt first. The seed also decides every later shuffle of the hand."""

    seed: bytes
    deck: tuple[int, ...]


def deal_from(seed: bytes, deck: Deck) -> Deal:
    """The deck as 256 bits of seed put it: Fisher-Yates with rejection sampling (`core.lots`). `bad_seed` otherwise."""
    if not isinstance(seed, bytes) or len(seed) != SEED_BYTES:
        raise Refusal("bad_seed", {"count": SEED_BYTES}, pointer="/seed")
    return Deal(seed, tuple(Lots(seed, f"deal of the {deck.name} deck").shuffled(range(len(deck.codes)))))


def shuffled_again(deal_seed: bytes, cards: tuple[int, ...], time: int) -> tuple[int, ...]:
    """Cards that are shuffled in the middle of a hand; `time`: 1 for the first time in it."""
    return tuple(Lots(deal_seed, f"shuffle {time}").shuffled(cards))


def commitment(seed: bytes) -> str:
    """What is published before the first move: SHA-256 of the seed, in hex."""
    return sha256(seed).hexdigest()
