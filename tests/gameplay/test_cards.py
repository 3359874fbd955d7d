"""Two decks, their numbers and their codes."""

import pytest

from core.refusal import Refusal
from gameplay.rules.cards import FRENCH, ITALIAN, cards_in, mask
from gameplay.rules.moves import AUCTIONEER, Move, check_shape


def test_forty_cards_in_order_of_strength():
    assert len(ITALIAN.codes) == 40
    assert [ITALIAN.codes[card] for card in (0, 9, 10, 27, 38, 39)] == [
        "coins-2",
        "coins-a",
        "cups-2",
        "swords-k",
        "batons-3",
        "batons-a",
    ]
    assert ITALIAN.ranks == ("2", "4", "5", "6", "7", "j", "c", "k", "3", "a")


def test_fifty_two_cards_with_the_ace_low():
    assert len(FRENCH.codes) == 52
    assert [FRENCH.codes[card] for card in (0, 12, 13, 35, 51)] == [
        "spades-a",
        "spades-k",
        "clubs-a",
        "diamonds-10",
        "hearts-k",
    ]


@pytest.mark.parametrize("deck", [ITALIAN, FRENCH], ids=["italian", "french"])
def test_a_code_is_one_card(deck):
    assert [deck.number(code) for code in deck.codes] == list(range(len(deck.suits) * len(deck.ranks)))
    assert all(
        deck.codes[len(deck.ranks) * s + r] == f"{suit}-{rank}"
        for s, suit in enumerate(deck.suits)
        for r, rank in enumerate(deck.ranks)
    )


@pytest.mark.parametrize("code", ["coins-8", "", "COINS-2", "spades-a", 0, None, ["coins-2"], "x" * 1000])
def test_what_is_no_card(code):
    with pytest.raises(Refusal) as caught:
        ITALIAN.number(code)
    assert caught.value.code == "no_such_card"
    assert len(caught.value.params["card"]) <= 20


def test_a_hand_is_a_set_of_bits():
    assert mask([]) == 0
    assert mask([0, 3, 51]) == mask([51, 0, 3, 3]) == 1 | 8 | 1 << 51
    assert list(cards_in(mask([51, 0, 3]))) == [0, 3, 51]
    assert list(cards_in(0)) == []


def test_a_move_in_form():
    for move in (Move(0, "bid", 61), Move(AUCTIONEER, "knock"), Move(7, "no such verb", -5, (1, 2))):
        assert check_shape(move) is move


class Other(Move):
    """Says it is a move, and could say anything else."""


class Masked:
    @property
    def __class__(self):
        return Move


@pytest.mark.parametrize(
    ("move", "pointer"),
    [
        (None, ""),
        (Other(0, "bid", 61), ""),
        (Masked(), ""),
        (tuple.__new__(Move, ()), ""),
        (tuple.__new__(Move, (0, "take")), ""),
        (tuple.__new__(Move, (0, "bid", 61, (), 5)), ""),
        ((0, "bid", 61, ()), ""),
        ({"seat": 0, "verb": "bid"}, ""),
        (Move("0", "bid"), "/seat"),
        (Move(True, "bid"), "/seat"),
        (Move(0, b"bid"), "/verb"),
        (Move(0, "bid", 61.0), "/value"),
        (Move(0, "bid", None), "/value"),
        (Move(0, "knock", 1, [7]), "/melds"),
        (Move(0, "knock", 1, (7, "7")), "/melds"),
        (Move(0, "knock", 1, (7, False)), "/melds"),
    ],
)
def test_what_is_no_move(move, pointer):
    with pytest.raises(Refusal) as caught:
        check_shape(move)
    assert (caught.value.code, caught.value.pointer) == ("move_malformed", pointer)
