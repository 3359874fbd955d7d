"""S15: every bid, every number of points made, alone and in a pair, plain and with each penalty."""

import itertools

import pytest

from core.refusal import Refusal
from scoring.rules.hands import CARD_POINTS, HandOutcome, check_outcome, hand_points
from scoring.rules.penalties import check_admission, disloyal_raise, is_upheld, judges, suicidal_call
from scoring.rules.ruleset import DEFAULT_SCORING, scoring_rules
from scoring.rules.scoresheet import Admitted, Award, Entry, Played, fold

CALLER, PARTNER, OTHERS = 1, 3, (0, 2, 4)
EVERY_HAND = [
    HandOutcome(CALLER, called, bid, made)
    for bid, made, called in itertools.product(range(61, 121), range(121), (PARTNER, CALLER))
]


def folded(*contents):
    return fold([Entry(content) for content in contents], DEFAULT_SCORING)


def test_a_won_hand_pays_the_bid_to_the_pair_and_twice_to_who_is_alone():
    for hand in EVERY_HAND:
        if hand.made >= hand.bid:
            points = hand_points(hand)
            alone = hand.called == CALLER
            assert points[CALLER] == (2 * hand.bid if alone else hand.bid)
            assert points[PARTNER] == (0 if alone else hand.bid)
            assert [points[seat] for seat in OTHERS] == [0, 0, 0]
            assert sum(points) == 2 * hand.bid


def test_a_lost_hand_costs_what_is_missing_and_pays_the_defence_what_it_took():
    for hand in EVERY_HAND:
        if hand.made < hand.bid:
            points = hand_points(hand)
            alone = hand.called == CALLER
            assert points[CALLER] == hand.made - hand.bid  # D3: never doubled
            assert points[PARTNER] == (CARD_POINTS - hand.made if alone else hand.made - hand.bid)
            assert [points[seat] for seat in OTHERS] == [CARD_POINTS - hand.made] * 3
            expected = 480 - hand.bid - 3 * hand.made if alone else 360 - 2 * hand.bid - hand.made
            assert sum(points) == expected


def test_the_seats_carry_the_points_whoever_sits_there():
    for caller, called in itertools.product(range(5), repeat=2):
        lost = hand_points(HandOutcome(caller, called, 90, 50))
        assert [lost[seat] for seat in range(5)] == [-40 if s in (caller, called) else 70 for s in range(5)]


def test_a_suicidal_call_costs_two_hundred_and_the_points_lost_whatever_the_bid():
    for hand in EVERY_HAND:
        if hand.made >= hand.bid:
            with pytest.raises(Refusal) as refused:
                suicidal_call(hand, DEFAULT_SCORING)
            assert (refused.value.code, refused.value.article) == ("suicidal_needs_lost_hand", "D18")
            continue
        effect = suicidal_call(hand, DEFAULT_SCORING)
        assert effect.points == -200 - (hand.bid - hand.made)
        assert (effect.offender, effect.ledger, effect.voided, effect.repeated) == (CALLER, -1, True, False)
        sheet = folded(Played(hand, "suicidal_call"))
        assert sheet.totals == tuple(effect.points if seat == CALLER else 0 for seat in range(5))
        assert (sheet.hands_played, sheet.hands_voided) == (0, 1)


@pytest.mark.parametrize(("offence", "amount"), [(1, 50), (2, 70), (3, 100), (4, 100), (9, 100)])
def test_a_disloyal_raise_judged_afterwards_adds_the_points_lost(offence, amount):
    for hand in EVERY_HAND:
        if hand.bid <= 72:
            with pytest.raises(Refusal) as refused:
                disloyal_raise(CALLER, hand.bid, DEFAULT_SCORING, offence=offence, outcome=hand)
            assert (refused.value.code, refused.value.article) == ("disloyal_needs_higher_bid", "S18")
            continue
        lost = max(hand.bid - hand.made, 0)
        judged = disloyal_raise(CALLER, hand.bid, DEFAULT_SCORING, offence=offence, outcome=hand)
        assert (judged.points, judged.repeated, judged.ledger, judged.offence) == (-amount - lost, True, 0, offence)
        admitted = disloyal_raise(CALLER, hand.bid, DEFAULT_SCORING, offence=offence)
        assert (admitted.points, admitted.admitted) == (-amount, True)


def test_every_hand_with_each_penalty_on_a_sheet_touches_nobody_but_the_offender():
    for hand in EVERY_HAND:
        if hand.bid > 72:
            for content in (Played(hand, "disloyal_raise"), Admitted(CALLER, hand.bid)):
                sheet = folded(content)
                assert [sheet.totals[seat] for seat in range(5) if seat != CALLER] == [0] * 4
                assert sheet.totals[CALLER] <= -50
                assert sheet.next_dealer == 0  # the same dealer again


def test_an_award_gives_its_points_and_is_no_hand():
    sheet = folded(Award(2, -30, "S19", "late"), Award(4, 10, "D8", "table moved"))
    assert sheet.totals == (0, 0, -30, 0, 10)
    assert (sheet.hands_played, sheet.hands_voided, sheet.next_dealer) == (0, 0, 0)


@pytest.mark.parametrize(
    ("bid", "made", "code", "article", "pointer"),
    [
        (60, 80, "bid_out_of_range", "S12", "/bid"),
        (121, 80, "bid_out_of_range", "S12", "/bid"),
        (61, -1, "made_out_of_range", "S15", "/made"),
        (61, 121, "made_out_of_range", "S15", "/made"),
    ],
)
def test_impossible_numbers_are_refused_with_their_article(bid, made, code, article, pointer):
    with pytest.raises(Refusal) as refused:
        check_outcome(HandOutcome(0, 1, bid, made), DEFAULT_SCORING)
    assert (refused.value.code, refused.value.article, refused.value.pointer) == (code, article, pointer)


def test_the_limits_themselves_are_possible():
    for bid, made in ((61, 0), (120, 120)):
        check_outcome(HandOutcome(0, 1, bid, made), DEFAULT_SCORING)
    check_outcome(HandOutcome(0, 1, 1, 1), scoring_rules({"min_bid": 1}))


def test_the_judges_are_who_neither_called_nor_was_called():
    assert judges(1, 3) == (0, 2, 4)
    assert judges(1, 1) == (0, 2, 3, 4)


@pytest.mark.parametrize(
    ("votes", "judges", "upheld"),
    [
        ((True, True, False), 3, True),
        ((True, False, False), 3, False),
        ((True, True, False, False), 4, False),
        ((True, True, True, False), 4, True),
        ((True,), 3, False),
        ((), 3, False),
    ],
)
def test_a_majority_of_the_judges_upholds_and_a_tie_rejects(votes, judges, upheld):
    assert is_upheld(votes, judges) is upheld


def test_an_admission_comes_before_the_first_card():
    check_admission(first_card_led=False)
    with pytest.raises(Refusal) as refused:
        check_admission(first_card_led=True)
    assert refused.value.article == "D19"


def test_the_amounts_of_the_rule_set_are_used():
    rules = scoring_rules({"disloyal_above": 80, "disloyal_points": [10], "suicidal_points": 5, "suicidal_ledger": -3})
    assert disloyal_raise(0, 81, rules, offence=7).points == -10
    with pytest.raises(Refusal):
        disloyal_raise(0, 80, rules, offence=1)
    effect = suicidal_call(HandOutcome(0, 1, 61, 60), rules)
    assert (effect.points, effect.ledger) == (-6, -3)
