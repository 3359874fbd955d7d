"""Deals that anybody can repeat from their seed, and nobody can change after the commitment."""

from hashlib import sha256

import pytest

from core.refusal import Refusal
from gameplay.rules.cards import FRENCH, ITALIAN
from gameplay.rules.deals import commitment, deal_from, shuffled_again

SEED = bytes(range(32))


def words(seed, purpose):
    """The stream as ADR 1 describes it."""
    start = len(purpose).to_bytes(4, "big") + purpose.encode() + seed
    for block in range(100):
        digest = sha256(start + block.to_bytes(8, "big")).digest()
        yield from (int.from_bytes(digest[at : at + 8], "big") for at in (0, 8, 16, 24))


def shuffled(cards, seed, purpose):
    """Fisher-Yates from the end. No word of these seeds is one of the few that would be thrown away."""
    cards, stream = list(cards), words(seed, purpose)
    for last in range(len(cards) - 1, 0, -1):
        other = next(stream) % (last + 1)
        cards[last], cards[other] = cards[other], cards[last]
    return tuple(cards)


@pytest.mark.parametrize("deck", [ITALIAN, FRENCH], ids=["italian", "french"])
def test_a_seed_is_a_deal_for_good(deck):
    deal = deal_from(SEED, deck)
    assert deal == deal_from(SEED, deck)
    assert deal.seed == SEED
    assert deal.deck == shuffled(range(len(deck.codes)), SEED, f"deal of the {deck.name} deck")


def written(cards):
    return " ".join(map(str, cards))


def test_deals_that_may_never_change():
    italian = (
        "14 3 11 0 2 38 1 13 26 7 31 24 29 16 22 20 21 4 15 35 30 9 10 8 17 25 12 28 39 27 19 34 32 18 23 33 6 5 36 37"
    )
    french = (
        "4 7 45 12 17 22 30 42 36 50 28 48 11 14 34 0 16 33 24 39 18 25 23 35 8 31 "
        "49 2 10 21 13 9 43 46 20 44 29 1 37 38 19 5 6 15 27 40 32 41 47 51 3 26"
    )
    assert written(deal_from(SEED, ITALIAN).deck) == italian
    assert written(deal_from(SEED, FRENCH).deck) == french
    assert written(shuffled_again(SEED, tuple(range(10)), 1)) == "8 2 0 5 4 1 3 9 6 7"


@pytest.mark.parametrize("deck", [ITALIAN, FRENCH], ids=["italian", "french"])
def test_every_card_is_dealt_once(deck):
    for number in range(200):
        deal = deal_from(number.to_bytes(32, "big"), deck)
        assert sorted(deal.deck) == list(range(len(deck.codes)))


def test_another_seed_is_another_deal():
    assert len({deal_from(bytes([number]) * 32, ITALIAN).deck for number in range(256)}) == 256
    assert len({deal_from(sha256(SEED[:at]).digest(), FRENCH).deck for at in range(32)}) == 32


@pytest.mark.parametrize("seed", [b"", SEED[1:], SEED + b"!", bytearray(SEED), SEED.hex(), 0, None])
def test_a_seed_has_256_bits(seed):
    with pytest.raises(Refusal) as caught:
        deal_from(seed, ITALIAN)
    assert (caught.value.code, caught.value.params, caught.value.pointer) == ("bad_seed", {"count": 32}, "/seed")


def test_what_is_shuffled_again_is_new_each_time_and_the_same_for_everybody():
    left = (5, 3, 8, 40, 41, 42, 17)
    first, second = shuffled_again(SEED, left, 1), shuffled_again(SEED, left, 2)
    assert sorted(first) == sorted(second) == sorted(left)
    assert first != second
    assert first == shuffled(left, SEED, "shuffle 1")
    assert second == shuffled(left, SEED, "shuffle 2")


def test_the_commitment_is_the_hash_of_the_seed():
    assert commitment(SEED) == sha256(SEED).hexdigest()
    assert commitment(bytes(32)) == "66687aadf862bd776c8fc18b8e9f8e20089714856ee233b3902a591d0d5f2925"
