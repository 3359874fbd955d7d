"""Points and match of briscola a cinque (B1, B5, BD1 to BD3)."""

import pytest

from core.refusal import Refusal
from scoring.rules.briscola import BriscolaOutcome, briscola_match, briscola_points, briscola_rules
from scoring.rules.hands import Redeal

RULES = briscola_rules({})
ALONE_LOST = BriscolaOutcome(1, 1, 70, 40, 3)  # seat 1 gets nothing, the others one each
PAIR_WON = BriscolaOutcome(0, 2, 70, 90, 6)
OTHER_PAIR = BriscolaOutcome(2, 0, 70, 90, 6)


@pytest.mark.parametrize(
    ("outcome", "points"),
    [
        pytest.param(PAIR_WON, (2, 0, 1, 0, 0), id="caller 2, partner 1"),
        pytest.param(BriscolaOutcome(3, 3, 61, 61, 5), (0, 0, 0, 4, 0), id="alone: 4"),
        pytest.param(BriscolaOutcome(3, 4, 62, 61, 7), (1, 1, 1, 0, 0), id="lost by one point"),
        pytest.param(ALONE_LOST, (1, 0, 1, 1, 1), id="alone and lost: who is alone pays nothing"),
        pytest.param(BriscolaOutcome(4, 0, 100, 120, 8), (2, 0, 0, 0, 4), id="cappotto of a pair"),
        pytest.param(BriscolaOutcome(0, 0, 61, 120, 8), (8, 0, 0, 0, 0), id="alone and cappotto: 8"),
        pytest.param(BriscolaOutcome(2, 4, 61, 0, 0), (2, 2, 0, 2, 0), id="cappotto of the others: 2 each"),
        pytest.param(BriscolaOutcome(2, 2, 61, 0, 0), (2, 2, 0, 2, 2), id="cappotto of four others"),
        pytest.param(BriscolaOutcome(0, 1, 120, 120, 7), (2, 1, 0, 0, 0), id="BD2: 120 without the last trick"),
        pytest.param(
            BriscolaOutcome(0, 1, 61, 0, 1), (0, 0, 1, 1, 1), id="BD2: a trick without points saves from cappotto"
        ),
    ],
)
def test_worked_hands(outcome, points):
    assert briscola_points(outcome) == points


@pytest.mark.parametrize("alone", [False, True])
def test_every_hand_there_can_be(alone):
    """All bids, card points and tricks: B5 written down a second time, side by side."""
    for bid in range(61, 121):
        for made in range(121):
            for tricks in range(9):
                called = 1 if alone else 3
                points = briscola_points(BriscolaOutcome(1, called, bid, made, tricks))
                if made < bid:
                    each = 2 if tricks == 0 else 1
                    assert points == ((each, 0, each, each, each) if alone else (each, 0, each, 0, each))
                else:
                    times = 2 if tricks == 8 else 1
                    assert points == ((0, 4 * times, 0, 0, 0) if alone else (0, 2 * times, 0, times, 0))


def test_a_match_is_played_for_the_games_that_were_agreed():
    match = briscola_match([PAIR_WON] * 4, RULES)
    assert (match.totals, match.games, match.winners) == ((8, 0, 4, 0, 0), 4, ())
    assert briscola_match([PAIR_WON] * 5, RULES).winners == (0,)
    assert briscola_match([PAIR_WON] * 5, briscola_rules({"games": 6})).winners == ()
    assert briscola_match([], RULES) == ((0,) * 5, 0, 0, ())


def test_what_is_played_after_the_end_does_not_count():
    assert briscola_match([PAIR_WON] * 5 + [OTHER_PAIR] * 6, RULES) == briscola_match([PAIR_WON] * 5, RULES)


def test_the_deal_moves_to_the_right_so_that_in_five_games_everybody_deals():
    assert [briscola_match([PAIR_WON] * games, RULES, 3).dealer for games in range(6)] == [3, 4, 0, 1, 2, 3]


def test_the_same_dealer_deals_again_when_nobody_bid():
    match = briscola_match([PAIR_WON, Redeal(), Redeal(), OTHER_PAIR], RULES)
    assert (match.totals, match.games, match.dealer) == ((3, 0, 3, 0, 0), 2, 2)


def test_a_tie_is_shared():
    match = briscola_match([PAIR_WON, OTHER_PAIR], briscola_rules({"games": 2}))
    assert match.winners == (0, 2)


def test_a_tie_is_played_off_where_the_table_chose_so():
    rules = briscola_rules({"games": 2, "tie": "sudden_death"})
    assert briscola_match([PAIR_WON, OTHER_PAIR], rules).winners == ()
    assert briscola_match([PAIR_WON, OTHER_PAIR, ALONE_LOST], rules).winners == ()  # still level
    assert briscola_match([PAIR_WON, OTHER_PAIR, ALONE_LOST, OTHER_PAIR], rules).winners == (2,)
    assert briscola_match([PAIR_WON, PAIR_WON], rules).winners == (0,)


@pytest.mark.parametrize(
    ("given", "code", "article"),
    [
        ({"min_bid": 0}, "rule_out_of_range", "B2"),
        ({"min_bid": 121}, "rule_out_of_range", "B2"),
        ({"games": 0}, "rule_out_of_range", "B1"),
        ({"tie": "again"}, "rule_not_a_choice", "BD3"),
        ({"tie": True}, "rule_wrong_type", "BD3"),
    ],
)
def test_values_that_no_table_can_choose(given, code, article):
    with pytest.raises(Refusal, match=code) as caught:
        briscola_rules(given)
    assert caught.value.article == article
