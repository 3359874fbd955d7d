"""Laying off after a knock, on the knocker's original melds only (R7, RD7)."""

import pytest

from core.refusal import Refusal
from gameplay.rules.gin_melds import Laid, best_layoff, check_laid
from tests.gameplay.gin_tables import held

KNOCKER = "JsJdJc/5h6h7h"


def melds(text):
    return tuple(held(meld) for meld in text.split("/") if meld)


def laid_off(hand, knocker):
    """Own melds, cards laid off and deadwood, when all is arranged as well as can be."""
    laid = best_layoff(held(hand), melds(knocker))
    assert check_laid(held(hand), melds(knocker), laid.melds, laid.laid) == laid
    return laid


def refused(hand, knocker, own, laid):
    with pytest.raises(Refusal) as caught:
        check_laid(held(hand), melds(knocker), melds(own), laid if isinstance(laid, int) else held(laid))
    return caught.value.code, caught.value.article, caught.value.pointer


def test_the_example_of_the_rules():
    assert laid_off("Jh8h6c", "").deadwood == 24
    assert laid_off("Jh8h6c", KNOCKER) == Laid((), held("Jh8h"), 6)


def test_one_opponents_seven_does_not_let_the_next_add_the_eight():
    first, second = laid_off("7hKdQs", "4h5h6h"), laid_off("8hKcQd", "4h5h6h")
    assert first == Laid((), held("7h"), 20)
    assert second == Laid((), 0, 28)
    assert refused("8hKcQd", "4h5h6h", "", "8h") == ("no_layoff", "R7", "/value")


def test_one_opponent_adds_several_cards_in_a_row():
    assert laid_off("7h8hKd", "4h5h6h") == Laid((), held("7h8h"), 10)
    assert laid_off("Ah2h3h 8h KdKcKs", "4h5h6h").deadwood == 8
    assert laid_off("2h3h7h8hTh Kd", "4h5h6h") == Laid((), held("2h3h7h8h"), 20)


def test_a_run_ends_at_the_ace_and_at_the_king():
    assert laid_off("Ks2c", "As2s3s") == Laid((), 0, 12)
    assert laid_off("As2c", "JsQsKs") == Laid((), 0, 3)
    assert laid_off("KsAc2s", "TcJcQc") == Laid((), 0, 13)  # and the next suit is another suit
    assert laid_off("Ac", "JsQsKs") == Laid((), 0, 1)


def test_a_set_of_four_takes_no_more():
    assert laid_off("KsQs", "9s9c9d9h") == Laid((), 0, 20)


def test_a_card_may_fit_a_set_and_a_run():
    knocker = "JsJdJc/8h9hTh"
    assert laid_off("Jh2s", knocker) == Laid((), held("Jh"), 2)
    assert laid_off("JhQh2s", knocker) == Laid((), held("JhQh"), 2)  # the queen, because the jack lies on the run
    assert refused("JhQh2s", knocker, "", "Qh") == ("no_layoff", "R7", "/value")


def test_a_card_between_two_runs_fits_both():
    assert laid_off("6h7h2s", "3h4h5h/8h9hTh") == Laid((), held("6h7h"), 2)
    assert laid_off("6h2s", "3h4h5h/7h8h9h") == Laid((), held("6h"), 2)


def test_own_melds_and_lay_offs_are_chosen_together():
    # The eight in the own set saves 24 and not 8.
    assert laid_off("8h8s8dKc", KNOCKER) == Laid(melds("8s8d8h"), 0, 10)
    # Of four eights one may go, but gains nothing; with a nine behind it, it does.
    assert laid_off("8h8s8d8c9hKc", KNOCKER) == Laid(melds("8s8c8d"), held("8h9h"), 10)
    # A set is broken up when two of its cards find another place.
    assert laid_off("4hJh 4s5s6s 4d Ac", KNOCKER) == Laid(melds("4s5s6s"), held("4hJh"), 5)


def test_nobody_has_to_lay_off_all_he_could():
    hand = held("Jh8h6c")
    assert check_laid(hand, melds(KNOCKER), (), 0) == Laid((), 0, 24)
    assert check_laid(hand, melds(KNOCKER), (), held("8h")) == Laid((), held("8h"), 16)


@pytest.mark.parametrize(
    ("own", "laid", "refusal"),
    [
        ("", "9h", ("card_not_held", "R7", "/value")),
        ("", -1, ("card_not_held", "R7", "/value")),
        ("", "6c", ("no_layoff", "R7", "/value")),
        ("8s8d8h", "8h", ("card_not_held", "R1", "/melds")),  # it lies at the knocker's
        ("8s8d", "", ("not_a_meld", "R1", "/melds")),
    ],
)
def test_what_cannot_be_laid_off(own, laid, refusal):
    assert refused("Jh6c8h8s8d", KNOCKER, own, laid) == refusal


def test_an_own_meld_takes_no_lay_offs():
    assert laid_off("4s5s6s7s 9s", KNOCKER) == Laid(melds("4s5s6s7s"), 0, 9)
    assert refused("4s5s6s7s 9s", KNOCKER, "4s5s6s", "7s") == ("no_layoff", "R7", "/value")
