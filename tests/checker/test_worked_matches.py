"""Matches worked by hand from the rules: scores, penalties, ties inside a heat, gaps."""

import pytest

from . import check
from .samples import (
    admitted,
    award,
    dump,
    final,
    hand,
    hands_heat,
    ordered_heat,
    result,
    totals_heat,
    tournament,
    two_heats,
)

ALL = list("abcde")


def match(hands: list[dict], rules: dict | None = None, lots: list[str] | None = ALL) -> dict:
    """The only heat of a tournament of five, a to e."""
    more = {} if lots is None else {"lots": lots}
    return result(tournament([hands_heat("A", "abcde", hands)], rules=rules, **more))["heats"][0]


def points(heat: dict) -> dict[str, int]:
    return {line["player"]: line["points"] for line in heat["ranking"]}


def lines(heat: dict, *keys: str) -> list[tuple]:
    return [tuple(line[key] for key in keys) for line in heat["ranking"]]


# --- scores -----------------------------------------------------------------------------------------------------------


def test_d3_alone_and_lost_is_not_doubled():
    assert points(match([hand("c", "c", 100, 70)])) == {"a": 50, "b": 50, "c": -30, "d": 50, "e": 50}


def test_s16_scores_add_up_with_awards():
    # won 75: a b +75; lost 90 with 80: c d -10, others +40; award to e.
    hands = [hand("a", "b", 75, 90), hand("c", "d", 90, 80), award("e", 7), award("a", -100)]
    assert points(match(hands)) == {"a": 15, "b": 115, "c": -10, "d": -10, "e": 47}


def test_awards_count_no_hand_and_can_be_the_whole_sheet():
    heat = match([award("a", -5)])
    assert (heat["hands_played"], heat["golden_call"]) == (0, None)
    assert points(heat)["a"] == -5


def test_d17_the_lowest_bid_follows_the_rule():
    assert points(match([hand("a", "b", 20, 20)], {"min_bid": 20}))["a"] == 20
    refused = tournament([hands_heat("A", "abcde", [hand("a", "b", 69, 80)])], rules={"min_bid": 70}, lots=ALL)
    assert check(dump(refused)).article == "S12"


def test_d4_golden_call_is_the_earliest_of_the_highest_won():
    hands = [hand("a", "b", 80, 100), hand("c", "c", 95, 95), hand("d", "e", 95, 120), hand("e", "a", 110, 0)]
    assert match(hands)["golden_call"] == {"player": "c", "bid": 95, "solo": True}
    assert match([hand("d", "e", 95, 120), *hands[:2]])["golden_call"] == {"player": "d", "bid": 95, "solo": False}


def test_d4_no_hand_won_no_golden_call():
    assert match([hand("a", "b", 80, 79)])["golden_call"] is None


def test_voided_hands_are_neither_played_nor_won():
    heat = match([hand("a", "b", 110, 120, "disloyal_raise"), hand("a", "b", 61, 61)])
    assert heat["hands_played"] == 1
    assert heat["golden_call"]["bid"] == 61
    assert points(heat) == {"a": 11, "b": 61, "c": 0, "d": 0, "e": 0}


# --- penalties --------------------------------------------------------------------------------------------------------


def test_d10_offences_count_by_player_and_an_admission_counts():
    # a: 50, then 70 + 16 lost, 100, 100 = -336; b: first offence of his own, judged on a hand he won = -50.
    hands = [
        admitted("a", 73),
        hand("a", "c", 80, 64, "disloyal_raise"),
        hand("b", "a", 80, 80, "disloyal_raise"),
        admitted("a", 90),
        admitted("a", 91),
    ]
    assert points(match(hands)) == {"a": -336, "b": -50, "c": 0, "d": 0, "e": 0}


def test_the_last_of_the_disloyal_points_repeats():
    assert points(match([admitted("a", 90)] * 4, {"disloyal_points": [10, 20]}))["a"] == -70


def test_a_suicidal_call_is_no_disloyal_offence():
    # 200 + (100-90) and then the first disloyal one, 50.
    assert points(match([hand("a", "b", 100, 90, "suicidal_call"), admitted("a", 90)]))["a"] == -260


def test_d18_suicidal_call_alone_loses_the_plain_difference():
    file = tournament([hands_heat("A", "abcde", [hand("a", "a", 120, 20, "suicidal_call")])], lots=ALL)
    assert points(result(file)["heats"][0]) == {"a": -300, "b": 0, "c": 0, "d": 0, "e": 0}
    assert result(file)["tournament_points"] == {"a": -1}


def test_suicidal_amounts_follow_the_rules():
    hands = [hand("a", "b", 100, 99, "suicidal_call"), hand("a", "c", 100, 98, "suicidal_call")]
    rules = {"suicidal_points": 10, "suicidal_ledger": -3}
    file = tournament([hands_heat("A", "abcde", hands)], rules=rules, lots=ALL)
    assert points(result(file)["heats"][0])["a"] == -23
    assert result(file)["tournament_points"] == {"a": -6}


def test_disloyal_above_follows_the_rule():
    assert points(match([admitted("a", 61)], {"disloyal_above": 60}))["a"] == -50


def test_offence_scope_tournament_counts_earlier_stages_not_neighbours():
    """a offends twice in his heat and once in the final; f once in the other heat."""
    a = hands_heat(
        "A", "abcde", [admitted("a", 90), admitted("a", 90), *[award(p, 900 - 10 * i) for i, p in enumerate("abcde")]]
    )
    b = hands_heat("B", "fghij", [admitted("f", 90), *[award(p, 900 - 5 * i) for i, p in enumerate("fghij")]])
    # A: a 780, b 890, c 880, d 870, e 860; B: f 850, g 895, h 890, i 885, j 880.
    last = hands_heat("F", "bcghi", [admitted("b", 90)])
    base = {"lots": list("abcdefghij")}
    found = result(tournament([a, b], final(last), rules={"offence_scope": "tournament"}, **base))
    assert points(found["heats"][0])["a"] == 900 - 50 - 70
    assert points(found["heats"][1])["f"] == 900 - 50
    assert points(found["heats"][2])["b"] == -50


@pytest.mark.parametrize(("scope", "due"), [("match", -50), ("tournament", -100)])
def test_offences_of_an_earlier_stage(scope, due):
    awards = [award(player, 900 - 10 * index) for index, player in enumerate("abcde")]
    first = hands_heat("A", "abcde", [admitted("a", 90), admitted("a", 90), *awards])
    last = hands_heat("F", "abcde", [admitted("a", 90)])
    found = result(tournament([first], final(last), rules={"offence_scope": scope}, lots=ALL))
    assert points(found["heats"][1])["a"] == due


# --- the order inside a heat ------------------------------------------------------------------------------------------


def test_hands_won_come_first_and_alone_counts_once():
    # a 2*61=122 alone (one hand won); b 61+61=122 (two); c and d 61 each (one), d the caller.
    hands = [hand("a", "a", 61, 61), hand("b", "c", 61, 61), hand("d", "b", 61, 61)]
    heat = match(hands)
    assert lines(heat, "player", "place", "decided_by")[:2] == [("b", 1, None), ("a", 1, "hands_won")]
    assert lines(heat, "player", "place", "decided_by")[2:4] == [("d", 3, None), ("c", 3, "golden_call")]


def test_the_chain_can_be_turned_round():
    # a and b level at 122: a won one hand with a call of 61 alone; b two, calling 60 once. Golden call first: a.
    hands = [hand("a", "a", 61, 61), hand("b", "c", 60, 61), hand("d", "b", 62, 62)]
    rules = {"min_bid": 60, "tie_chain": ["golden_call", "hands_won", "lot"]}
    heat = match(hands, rules)
    assert lines(heat, "player", "decided_by")[:2] == [("a", None), ("b", "golden_call")]


def test_agp_decides_and_unranked_come_last():
    """c was third, d second in the only edition before; e has never been placed: d, c, e."""
    past = [{"edition": 25, "ranking": ["x", "d", "c"]}]
    heat = totals_heat("A", {"a": 50, "b": 40, "c": 30, "d": 30, "e": 30})
    found = result(tournament([heat], editions_before=past))["heats"][0]
    assert lines(found, "player", "place", "decided_by")[2:] == [("d", 3, None), ("c", 3, "agp"), ("e", 3, "agp")]


def test_two_unranked_go_on_to_the_lot_and_need_it():
    heat = totals_heat("A", {"a": 50, "b": 40, "c": 30, "d": 20, "e": 20})
    found = result(tournament([heat], lots=["e", "b", "d"]))["heats"][0]
    assert lines(found, "player", "place", "decided_by")[3:] == [("e", 4, None), ("d", 4, "lot")]
    for lots in (None, ["e"], ["a", "b", "c"]):
        outcome = check(dump(tournament([heat], **({"lots": lots} if lots else {}))))
        assert (outcome.exit, outcome.article) == (3, "D15")
        assert "d" in outcome.sentence
        assert "e" in outcome.sentence


def test_other_series_do_not_rank_in_the_chain():
    past = [{"edition": 25, "ranking": ["e", "d"], "series": "club"}]
    heat = totals_heat("A", {"a": 50, "b": 40, "c": 30, "d": 20, "e": 20})
    found = result(tournament([heat], lots=["d", "e"], editions_before=past))["heats"][0]
    assert lines(found, "player", "decided_by")[3:] == [("d", None), ("e", "lot")]


def test_a_tie_settled_by_a_penalty_is_no_tie():
    heat = match([hand("a", "b", 75, 75), award("b", -1)], lots=["c", "d", "e"])
    assert lines(heat, "player", "place", "decided_by")[:2] == [("a", 1, None), ("b", 2, None)]


def test_the_final_is_ranked_by_the_same_chain():
    last = totals_heat("F", {"a1": 10, "a2": 10, "b1": 30, "b2": 40, "b3": 20})
    found = result(tournament(two_heats(), final(last), lots=["a2", "a1"]))
    assert [line["player"] for line in found["final_ranking"]][:5] == ["b2", "b1", "b3", "a2", "a1"]


# --- gaps -------------------------------------------------------------------------------------------------------------


def test_s7_gap_is_exact_and_shown_half_up():
    # 1/32 = 3.125 %, 800/800 when S is 0, 9/8 when S is negative.
    found = result(tournament([totals_heat("A", {"a": 800, "b": 775, "c": 400, "d": 0, "e": -100})]))["heats"][0]
    assert lines(found, "gap", "gap_percent") == [
        ("0", "0.00"),
        ("1/32", "3.13"),
        ("1/2", "50.00"),
        ("1", "100.00"),
        ("9/8", "112.50"),
    ]


def test_s7_half_up_just_below_the_half():
    # 374997/30000000 is 1.24999 %, a third and two thirds never end.
    totals = {"a": 30_000_000, "b": 30_000_000 - 374_997, "c": 20_000_000, "d": 10_000_000, "e": 1}
    found = result(tournament([totals_heat("A", totals)]))["heats"][0]
    assert [percent for (percent,) in lines(found, "gap_percent")] == ["0.00", "1.25", "33.33", "66.67", "100.00"]


def test_d13_a_winner_without_points():
    totals = {"a": 0, "b": 0, "c": -1, "d": -5, "e": -9}
    found = result(tournament([totals_heat("A", totals)], lots=["a", "b"]))["heats"][0]
    assert lines(found, "gap", "gap_percent")[:3] == [("0", "0.00"), ("0", "0.00"), ("inf", "inf")]


def test_d13_a_winner_below_zero_and_the_smaller_distance_first():
    """Thirds: A 8 behind a winner at -2, B 7 behind a winner at 0, both infinite: B's is repeched."""
    a = totals_heat("A", {"a1": -2, "a2": -3, "a3": -10, "a4": -20, "a5": -30})
    b = totals_heat("B", {"b1": 0, "b2": -5, "b3": -7, "b4": -30, "b5": -40})
    row = result(tournament([a, b]))["qualification"][0]
    assert [(line["player"], line["gap"], line["decided_by"]) for line in row["repechage"]] == [
        ("b3", "inf", None),
        ("a3", "inf", None),
    ]
    # Fourths: 18 and 30 behind; fifths: 28 and 40 behind.
    assert row["second_final"] == ["a3", "a4", "b4", "a5", "b5"]


def test_d13_an_infinite_gap_comes_after_any_finite_one():
    a = totals_heat("A", {"a1": 0, "a2": -1, "a3": -2, "a4": -3, "a5": -4})
    b = totals_heat("B", {"b1": 1, "b2": 0, "b3": -900, "b4": -901, "b5": -902})
    row = result(tournament([a, b]))["qualification"][0]
    assert [(line["player"], line["gap"]) for line in row["repechage"]] == [("b3", "901"), ("a3", "inf")]


def test_points_per_hand_with_no_scored_hand_is_zero():
    """Thirds level at -10 below winners at 0, both infinite: A has 20 hands (-1/2 each), B none (0)."""
    a = totals_heat("A", {"a1": 0, "a2": -1, "a3": -10, "a4": -20, "a5": -30})
    b = hands_heat("B", "b1 b2 b3 b4 b5", [award("b2", -1), award("b3", -10), award("b4", -21), award("b5", -31)])
    row = result(tournament([a, b]))["qualification"][0]
    assert [(line["player"], line["decided_by"]) for line in row["repechage"]] == [
        ("b3", None),
        ("a3", "points_per_hand"),
    ]


def test_totals_stand_without_hands_won_or_golden_call():
    heat = ordered_heat("A", "a b c d e", hands_played=18)
    found = result(tournament([heat]))["heats"][0]
    assert (found["hands_played"], found["golden_call"]) == (18, None)
