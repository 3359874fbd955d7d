"""Melds and deadwood as the rules of gin rummy have them (R1, R6, R7)."""

import pytest

from core.refusal import Refusal
from gameplay.rules.cards import FRENCH, mask
from gameplay.rules.gin_melds import (
    VALUES,
    arrangements,
    best_arrangement,
    best_discards,
    check_melds,
    deadwood,
    is_meld,
    knockable,
)
from tests.gameplay.gin_brute_force import MELDS
from tests.gameplay.gin_tables import card, cards, held


def melds(text):
    return tuple(held(meld) for meld in text.split("/"))


def refused(verb, *args):
    with pytest.raises(Refusal) as caught:
        verb(*args)
    return caught.value.code, caught.value.article, caught.value.pointer


def test_what_cards_are_worth():
    assert [VALUES[FRENCH.number(f"hearts-{rank}")] for rank in FRENCH.ranks] == [
        1,
        2,
        3,
        4,
        5,
        6,
        7,
        8,
        9,
        10,
        10,
        10,
        10,
    ]
    assert VALUES[:13] * 4 == VALUES


@pytest.mark.parametrize("meld", ["As2s3s", "JdQdKd", "AsAcAd", "7s7c7d7h", "As2s3s4s5s6s7s8s9sTsJsQsKs"])
def test_three_of_a_rank_or_three_of_a_suit_in_sequence_are_a_meld(meld):
    assert is_meld(held(meld))


@pytest.mark.parametrize(
    "cards", ["", "As", "As2s", "AsAc", "As2s4s", "As2s3c", "QsKsAs", "KsAs2s", "KsAc2c", "AsAcAd2s", "As2s3s5s"]
)
def test_what_is_no_meld(cards):
    assert not is_meld(held(cards))


def test_there_are_no_other_melds():
    assert all(is_meld(mask(meld)) for meld in MELDS)
    assert not any(is_meld(mask(meld) | 1 << other) for meld in MELDS for other in (52, 60))
    assert not any(is_meld(-mask(meld)) for meld in MELDS)


@pytest.mark.parametrize(
    ("hand", "left"),
    [
        ("", 0),
        ("AsKs", 11),
        ("As3s5s7s9sJsKs", 45),
        ("QsKsAs2d3c4h5s", 35),  # the ace is low
        ("5h6h7h 8s8d8c KsQd2h3c", 25),
        ("4s5s6s7s8s9sTsJsQsKs", 0),
        ("7s7c7d7h 7s8s9s", 0),  # the seven of spades is needed in the run only
        ("7s8s9s 7c8c9c 7d 7h", 14),  # two of four sevens in runs: no set
        ("7s8s9s 7c 7d 7h", 0),
        ("7s8s9s 7c8c9c 7d8d9d 7h", 0),  # three sets
        ("5s5c5d5h 6s6c6d6h 7s7c7d", 0),
        ("5s5c5d5h 6s6c6d6h 7s7c", 7),  # one run and two sets of three; a second run would cost both sets
        ("5s5c5d5h 6s6c6d6h 7s4c", 4),
        ("AsAcAd 2s3s 2c3c 2d3d KhQh", 20),
        ("AsAcAd 2s3s 2c3c 2d4d KhQh", 27),
        ("AsAcAdAh 2s3s KdQh", 20),
        ("As2s AcAdAh JsJcJd KhQh", 22),
        ("TsJsQsKs ThJhQh TcJcQc", 0),
    ],
)
def test_deadwood_is_counted_at_its_least(hand, left):
    assert deadwood(held(hand)) == left


@pytest.mark.parametrize(
    ("hand", "thrown"),
    [
        ("2s Ad 3h 4h 6h 4c5c6c 4d5d6d", "6h"),
        ("3s Ac Ah 5c6c7c 5d6d7d 5h 7h", "7h"),
        ("7s8s 6c7c8c9c 3d 8d Ah 7h 8h", "9c"),
    ],
)
def test_legal_knocks_that_a_well_known_engine_refuses(hand, thrown):
    left = dict(best_discards(held(hand)))
    assert left[card(thrown)] == deadwood(held(hand) ^ held(thrown)) == 10
    assert knockable(held(hand), 10) == (card(thrown),)
    assert knockable(held(hand), 9) == ()


def test_the_gin_hand_that_the_same_engine_does_not_see():
    hand = held("As2s3s AcAh 2c2d2h 5h6h7h")
    assert deadwood(hand) == 2  # of eleven cards
    assert knockable(hand, 0) == (card("3s"),)
    assert deadwood(hand ^ held("3s")) == 0


def test_every_discard_is_told_with_what_it_leaves():
    left = best_discards(held("5h6h7h8h 9s9c9d Kd"))
    assert left == tuple(
        (card(thrown), rest)
        for thrown, rest in (
            ("9s", 28),
            ("9c", 28),
            ("9d", 28),
            ("Kd", 0),
            ("5h", 10),
            ("6h", 30),
            ("7h", 29),
            ("8h", 10),
        )
    )


def test_who_is_far_from_knocking_has_nothing_to_knock_with():
    assert knockable(held("AsKs QdJd 9h7h 5c3c"), 10) == ()


def test_a_knock_may_throw_a_card_out_of_a_meld():
    assert knockable(held("5h6h7h8h 9s9c9d 3d"), 5) == tuple(cards("3d5h8h"))
    assert knockable(held("5h6h7h8h 9s9c9d 3d"), 3) == tuple(cards("3d5h8h"))
    assert knockable(held("5h6h7h8h 9s9c9d 3d"), 2) == (card("3d"),)


def ways(text):
    return {frozenset(way) for way in arrangements(held(text))}


def test_every_way_to_meld_as_much_as_can_be():
    assert arrangements(held("AsKs")) == ((),)
    assert ways("7s8s9s 7c7d 2h4h") == {frozenset(melds("7s8s9s"))}  # three sevens leave more
    assert ways("JsQsKs QcQd") == {frozenset(melds("JsQsKs")), frozenset(melds("QsQcQd"))}
    assert ways("7s8s9sTs 7c7d7h") == {frozenset(melds("8s9sTs/7s7c7d7h")), frozenset(melds("7s8s9sTs/7c7d7h"))}
    assert ways("4s5s6s7s8s9s") == {frozenset(melds("4s5s6s7s8s9s")), frozenset(melds("4s5s6s/7s8s9s"))}


def test_the_knocker_arranges_his_melds_so_that_least_can_be_laid_off():
    hand = held("JsQsKs QcQd AhAcAd")
    run, queens = set(melds("AcAdAh/JsQsKs")), set(melds("AcAdAh/QsQcQd"))

    def against(unseen):
        return set(best_arrangement(hand, held(unseen)))

    assert against("Qh 2c") == run
    assert against("Ts 2c") == queens
    assert against("Qh Ts9s") == queens  # ten could be laid off, and not nineteen
    assert against("Qh 9s8s7s") == run  # the ten is seen, so the nine has nothing to join
    assert (
        best_arrangement(hand, held("2c5d")) == best_arrangement(hand, 0) == arrangements(hand)[0]
    )  # as good: the first


def test_least_deadwood_comes_first():
    assert best_arrangement(held("JsQsKs QcQd 2h"), held("Ts9s8s7s")) == melds("QsQcQd")  # 22 are left either way
    assert best_arrangement(held("9sTsJsQs QcQd"), held("KsKc8s7s6s5s")) == melds("9sTsJs/QsQcQd")


def test_there_may_be_nothing_to_choose():
    assert best_arrangement(held("JsQsKs 2h"), held("TsAh")) == melds("JsQsKs")
    assert best_arrangement(held("KsQs"), held("TsAh")) == ()


def test_a_hand_may_be_arranged_by_its_player():
    hand = held("7s8s9sTs 7c7d7h AsAc Kd")
    assert check_melds(hand, melds("7s8s9sTs/7c7d7h")) == 12
    assert check_melds(hand, melds("7s8s9s/7c7d7h")) == 22  # worse than it could be, and lawful
    assert check_melds(hand, ()) == 34 + 21 + 12


@pytest.mark.parametrize(
    ("wrong", "code"),
    [
        ("7s8s9sTsJs", "card_not_held"),
        ("7s8s", "not_a_meld"),
        ("7s8s9sTs/7s7c7d7h", "meld_card_twice"),
        ("7c7d7h/7c7d7h", "meld_card_twice"),
    ],
)
def test_what_cannot_be_melded(wrong, code):
    assert refused(check_melds, held("7s8s9sTs 7c7d7h AsAc Kd"), melds(wrong)) == (code, "R1", "/melds")


@pytest.mark.parametrize(("wrong", "code"), [(-1, "card_not_held"), (1 << 70, "card_not_held"), (0, "not_a_meld")])
def test_what_is_no_set_of_cards(wrong, code):
    assert refused(check_melds, held("7s8s9s"), (wrong,)) == (code, "R1", "/melds")
