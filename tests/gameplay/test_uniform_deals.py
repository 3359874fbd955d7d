"""No card prefers a seat: chi-square of card by seat over 200,000 deals, and the same test catches a naive shuffle."""

import random

from gameplay.rules.cards import ITALIAN
from gameplay.rules.deals import SEED_BYTES, deal_from

DEALS = 200_000
CARDS, SEATS = len(ITALIAN.codes), 5
LIMIT = 234
"""A fair shuffle goes past this once in 20,000 tries: the 0.99995 quantile of chi-square with 39 * 4 = 156 degrees."""


def chi_square(decks):
    """Of card by seat, over `DEALS` decks; the dealer is seat 0, so card `at` goes to seat `(1 + at) % 5`.

    Every deal gives eight cards to each seat, which makes the usual sum larger than chi-square by 40/39.
    """
    dealt = bytearray()
    for deck in decks:
        dealt += bytes(deck)
    assert len(dealt) == DEALS * CARDS
    expected = DEALS / SEATS
    by_seat = [dealt[(seat - 1) % SEATS :: SEATS] for seat in range(SEATS)]
    sums = sum((cards.count(card) - expected) ** 2 for cards in by_seat for card in range(CARDS))
    return sums / expected * (CARDS - 1) / CARDS


def ours():
    for number in range(DEALS):
        yield deal_from(number.to_bytes(SEED_BYTES, "big"), ITALIAN).deck


def naive():
    """Every card is changed with any card: 40**40 ways that 40! orders cannot share evenly."""
    fair = 256 - 256 % CARDS
    others = iter(
        random.Random(6)
        .randbytes(2 * DEALS * CARDS)
        .translate(bytes(byte % CARDS for byte in range(256)), bytes(range(fair, 256)))
    )
    for _ in range(DEALS):
        deck = list(range(CARDS))
        for at, other in zip(range(CARDS), others, strict=False):
            deck[at], deck[other] = deck[other], deck[at]
        yield deck


def test_our_shuffle_gives_every_card_to_every_seat_equally_often():
    assert chi_square(ours()) < LIMIT


def test_a_naive_shuffle_is_caught_by_the_same_test():
    assert chi_square(naive()) > 5 * LIMIT
