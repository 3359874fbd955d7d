"""Points of gin rummy (R8, RD5), who deals next and who has won (RD6)."""

from itertools import product

import pytest

from core.refusal import Refusal
from gameplay.rules import gin
from scoring.rules.gin import GinOutcome, gin_points, match_winners, next_dealer

RULES = gin.options({})
TO_100 = gin.options({"target_score": 100})


def knock(*deadwood, knocker=0, rules=RULES):
    return gin_points(GinOutcome("knock", knocker, deadwood), rules)


def test_whoever_has_more_deadwood_than_the_knocker_pays_the_difference():
    assert knock(6, 31) == (25, -25)
    assert knock(31, 6, knocker=1) == (-25, 25)


def test_less_deadwood_undercuts_the_knocker():
    assert knock(6, 4) == (-22, 22)


def test_as_much_deadwood_undercuts_him_too():
    assert knock(6, 6) == (-20, 20)


def test_the_bonus_for_undercutting_can_be_agreed():
    assert knock(6, 4, rules=gin.options({"undercut_bonus": 10})) == (-12, 12)


def test_the_knocker_settles_with_each_opponent_by_himself():
    """6 against 31, 6 and 4: gets 25, pays 20 and 22."""
    assert knock(31, 6, 6, 4, knocker=1) == (-25, -17, 20, 22)


def test_who_goes_gin_gets_all_deadwood_and_the_bonus_from_each():
    assert gin_points(GinOutcome("gin", 1, (31, 0, 12)), RULES) == (-56, 93, -37)


def test_nobody_undercuts_gin_not_even_without_deadwood():
    assert gin_points(GinOutcome("gin", 0, (0, 0)), RULES) == (25, -25)


def test_big_gin_has_its_own_bonus():
    assert gin_points(GinOutcome("big_gin", 0, (0, 30)), gin.options({"big_gin_bonus": 50})) == (80, -80)


def test_a_void_hand_gives_nobody_anything():
    assert gin_points(GinOutcome("void", None, (0, 0, 0)), RULES) == (0, 0, 0)


@pytest.mark.parametrize("players", [2, 3, 4])
def test_what_some_get_others_pay(players):
    for deadwood in product((0, 3, 7, 40), repeat=players):
        for kind in ("knock", "gin", "big_gin"):
            assert sum(gin_points(GinOutcome(kind, 1, deadwood), RULES)) == 0


def test_of_two_players_the_loser_deals():
    assert next_dealer(GinOutcome("knock", 0, (6, 31)), (25, -25), 0) == 1
    assert next_dealer(GinOutcome("knock", 0, (6, 4)), (-22, 22), 0) == 0


def test_of_more_players_the_next_one_deals():
    assert next_dealer(GinOutcome("knock", 0, (6, 31, 8)), (27, -25, -2), 2) == 0


def test_a_hand_that_nobody_lost_is_dealt_again():
    assert next_dealer(GinOutcome("void", None, (0, 0, 0)), (0, 0, 0), 2) == 2
    assert next_dealer(GinOutcome("knock", 0, (5, 5)), (0, 0), 1) == 1


def test_a_match_is_one_hand_that_counts():
    assert match_winners((0, 0), 0, RULES) == ()
    assert match_winners((25, -25), 1, RULES) == (0,)
    assert match_winners((-40, 20, 20), 1, RULES) == (1, 2)


def test_a_match_to_a_target_goes_on_until_one_alone_is_there_first():
    assert match_winners((99, -99), 5, TO_100) == ()
    assert match_winners((-100, 100), 6, TO_100) == (1,)
    assert match_winners((110, 110, -220), 6, TO_100) == ()
    assert match_winners((110, 111, -221), 7, TO_100) == (1,)


@pytest.mark.parametrize("name", ["undercut_bonus", "gin_bonus", "big_gin_bonus", "target_score"])
def test_options_out_of_range_are_refused(name):
    for wrong in (-1, 1_000_000, "20", True):
        with pytest.raises(Refusal) as caught:
            gin.options({name: wrong})
        assert caught.value.pointer == f"/{name}"
