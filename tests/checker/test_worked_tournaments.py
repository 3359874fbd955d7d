"""Tournaments worked by hand from the rules: places, repechage, withdrawals, final ranking, points, A.G.P."""

import pytest

from . import check
from .samples import (
    dump,
    final,
    hand,
    hands_heat,
    ordered_heat,
    result,
    second_final,
    totals_heat,
    tournament,
    two_heats,
)


def leave(*pairs: str) -> list[dict]:
    """Withdrawals, each "player stage"."""
    return [dict(zip(("player", "from"), pair.split(), strict=True)) for pair in pairs]


def row(file: dict, stage: int = 0) -> dict:
    return result(file)["qualification"][stage]


def substitutions(found: dict) -> list[tuple]:
    return [tuple(line[key] for key in ("out", "in", "as", "article")) for line in found["substitutions"]]


def many(count: int) -> list[dict]:
    """Heats A, B, ... of a1..a5, b1..b5, ...; winners have 1000, 1100, ... so gaps shrink from heat to heat."""
    names = "abcdefghijklmnop"[:count]
    return [
        ordered_heat(name.upper(), [f"{name}{seat}" for seat in range(1, 6)], 1000 + 100 * index)
        for index, name in enumerate(names)
    ]


def refusal(file: dict) -> tuple:
    outcome = check(dump(file))
    return outcome.exit, outcome.article, outcome.pointer


@pytest.mark.parametrize(
    ("heats", "to", "seats", "direct", "repeched"),
    [
        (1, "final", 5, 5, 0),
        (2, "final", 5, 2, 1),
        (3, "final", 5, 1, 2),
        (4, "final", 5, 1, 1),
        (5, "final", 5, 1, 0),
        (6, "heats:2", 10, 1, 4),
        (9, "heats:2", 10, 1, 1),
        (10, "heats:2", 10, 1, 0),
        (11, "heats:2", 15, 1, 4),
        (16, "heats:2", 20, 1, 4),
    ],
)
def test_d20_sizes(heats, to, seats, direct, repeched):
    found = row(tournament(many(heats)))
    assert (found["to"], found["seats"], found["direct_per_heat"]) == (to, seats, direct)
    assert len(found["repechage"]) == (heats if repeched else 0)
    assert sum(line["qualified"] for line in found["repechage"]) == repeched
    assert len(found["qualified"]) == seats
    assert {line["position"] for line in found["repechage"]} <= {direct + 1}


def test_repechage_prefers_the_smaller_share_not_the_smaller_distance():
    a = totals_heat("A", {"a1": 1000, "a2": 990, "a3": 900, "a4": 10, "a5": 0})  # 100 behind, 10 %
    b = totals_heat("B", {"b1": 500, "b2": 490, "b3": 440, "b4": 20, "b5": 1})  # 60 behind, 12 %
    found = row(tournament([a, b]))
    assert [(line["player"], line["gap"]) for line in found["repechage"]] == [("a3", "1/10"), ("b3", "3/25")]


def test_equal_gaps_points_per_hand_then_agp_then_lot():
    """Thirds all 1/10 behind: A 90 of 20 hands, B 90 of 18, C 45 of 10: B 5 a hand, A and C 4.5."""
    a = totals_heat("A", {"a1": 100, "a2": 90, "a3": 50, "a4": 10, "a5": 0}, 20)
    b = totals_heat("B", {"b1": 100, "b2": 90, "b3": 51, "b4": 11, "b5": 1}, 18)
    c = totals_heat("C", {"c1": 50, "c2": 45, "c3": 20, "c4": 6, "c5": 2}, 10)
    lots = ["c2", "a2"]
    found = row(tournament([a, b, c], lots=lots))
    expected = [("b2", True, None), ("c2", True, "points_per_hand"), ("a2", False, "lot")]
    assert [(line["player"], line["qualified"], line["decided_by"]) for line in found["repechage"]] == expected
    past = [{"edition": 25, "ranking": ["a2"]}]
    found = row(tournament([a, b, c], editions_before=past))
    expected = [("b2", True, None), ("a2", True, "points_per_hand"), ("c2", False, "agp")]
    assert [(line["player"], line["qualified"], line["decided_by"]) for line in found["repechage"]] == expected


def test_the_tie_chain_does_not_reach_across_heats():
    """With lot alone inside heats, points per hand still decides between them."""
    heats = [ordered_heat("A", "a1 a2 a3 a4 a5", hands_played=20), ordered_heat("B", "b1 b2 b3 b4 b5", hands_played=19)]
    found = row(tournament(heats, rules={"tie_chain": ["lot"]}))
    assert [line["player"] for line in found["repechage"]] == ["b3", "a3"]
    assert found["second_final"] == ["a3", "b4", "a4", "b5", "a5"]


def test_lots_are_asked_only_for_an_order_that_is_printed():
    """Fifteen players whose fifths are level across the heats, and nobody else."""
    heats = [
        totals_heat("A", {"a1": 100, "a2": 99, "a3": 50, "a4": 40, "a5": 30}),
        totals_heat("B", {"b1": 100, "b2": 98, "b3": 49, "b4": 39, "b5": 30}),
        totals_heat("C", {"c1": 100, "c2": 97, "c3": 48, "c4": 38, "c5": 30}),
    ]
    # The second final stops at a fourth.
    assert row(tournament(heats))["second_final"] == ["c2", "a3", "b3", "c3", "a4"]
    # With a final the whole ranking is printed, and the fifths need their lots.
    last = final(ordered_heat("F", "a1 b1 c1 a2 b2"))
    assert refusal(tournament(heats, last))[:2] == (3, "D15")
    assert refusal(tournament(heats, last, lots=["c5", "a5"]))[:2] == (3, "D15")
    ranking = result(tournament(heats, last, lots=["c5", "a5", "b5"]))["final_ranking"]
    assert [line["player"] for line in ranking][12:] == ["c5", "a5", "b5"]


def test_a_tie_on_the_edge_of_the_second_final_needs_a_lot():
    """Ten behind the final of fifteen: c2 and the thirds, then a4 and b4 level for the last place."""
    heats = [
        totals_heat("A", {"a1": 100, "a2": 99, "a3": 50, "a4": 40, "a5": 30}),
        totals_heat("B", {"b1": 100, "b2": 98, "b3": 49, "b4": 40, "b5": 29}),
        totals_heat("C", {"c1": 100, "c2": 97, "c3": 48, "c4": 38, "c5": 28}),
    ]
    assert refusal(tournament(heats))[:2] == (3, "D15")
    assert row(tournament(heats, lots=["b4", "a4"]))["second_final"] == ["c2", "a3", "b3", "c3", "b4"]
    # Once a3 moves up both are in, and then their order is printed: still a lot.
    assert refusal(tournament(heats, withdrawals=leave("a1 final", "a2 final")))[:2] == (3, "D15")
    # Without a second final nothing prints them in a file that ends here.
    assert row(tournament(heats, rules={"second_final": False}))["second_final"] == []


def test_a_tie_for_the_place_of_a_renouncer_needs_a_lot():
    """a2 (repeched) leaves; of B and C the seconds are taken or gone, and the thirds b3 and c3 are level."""
    heats = [
        totals_heat("A", {"a1": 100, "a2": 99, "a3": 50, "a4": 40, "a5": 30}),
        totals_heat("B", {"b1": 100, "b2": 98, "b3": 49, "b4": 39, "b5": 29}),
        totals_heat("C", {"c1": 100, "c2": 97, "c3": 49, "c4": 38, "c5": 28}),
    ]
    rules = {"second_final": False}
    gone = leave("b2 final", "a2 final")  # b2 -> c2, then a2 -> b3 or c3
    assert refusal(tournament(heats, withdrawals=gone, rules=rules))[:2] == (3, "D15")
    found = row(tournament(heats, withdrawals=gone, rules=rules, lots=["c3", "b3"]))
    assert substitutions(found) == [("b2", "c2", "repechage", "S8"), ("a2", "c3", "repechage", "S8")]


def test_s8_direct_qualifier_and_then_his_substitute():
    # B's third is repeched. a1 -> a3; a3 -> a4.
    found = row(tournament(two_heats(), withdrawals=leave("a1 final", "a3 final")))
    assert substitutions(found) == [("a1", "a3", "direct", "S8"), ("a3", "a4", "direct", "S8")]
    assert found["qualified"] == ["a2", "a4", "b1", "b2", "b3"]
    assert found["direct"] == ["a1", "a2", "b1", "b2"]
    assert [line["qualified"] for line in found["repechage"]] == [True, False]
    assert found["second_final"] == []


def test_s8_repeched_by_the_best_of_another_heat_then_back():
    # b3 -> a3 (not B); a3 -> b4 (not A), though a4 stands at the same position.
    found = row(tournament(two_heats(), withdrawals=leave("b3 final", "a3 final")))
    assert substitutions(found) == [("b3", "a3", "repechage", "S8"), ("a3", "b4", "repechage", "S8")]
    assert found["qualified"] == ["a1", "a2", "b1", "b2", "b4"]


def test_d14_the_repeched_moves_up_and_his_place_goes_elsewhere():
    found = row(tournament(two_heats(), withdrawals=leave("b1 final")))
    assert substitutions(found) == [("b1", "b3", "direct", "S8"), ("b3", "a3", "repechage", "D14")]
    assert found["qualified"] == ["a1", "a2", "b2", "b3", "a3"]


def test_d14_among_fifteen():
    # Direct a1 b1 c1, repeched c2 b2 (gaps 1/120 and 1/110; a2 1/100). c1 leaves: c2 up, his place to a2.
    found = row(tournament(many(3), withdrawals=leave("c1 final", "a2 final")))
    assert substitutions(found) == [
        ("c1", "c2", "direct", "S8"),
        ("c2", "a2", "repechage", "D14"),
        ("a2", "c3", "repechage", "S8"),  # best excluded not of A: c3 (20/1200) before b3 (20/1100)
    ]
    assert found["qualified"] == ["a1", "b1", "c2", "b2", "c3"]
    assert found["second_final"] == ["b3", "a3", "c4", "b4", "a4"]


def test_withdrawn_are_never_substitutes():
    # a2 renounced the second final, so a3 takes a1's place.
    found = row(tournament(many(3), withdrawals=leave("a2 second_final", "a1 final")))
    assert substitutions(found) == [("a2", "b4", "second_final", "D16"), ("a1", "a3", "direct", "S8")]


def test_d16_the_next_comes_in_until_nobody_remains():
    # Ten behind the final; called: a2 c3 b3 a3 c4; then b4 a4 c5 b5 a5.
    found = result(tournament(many(3), withdrawals=leave("a2 second_final", "b4 second_final")))
    assert substitutions(found["qualification"][0]) == [
        ("a2", "b4", "second_final", "D16"),
        ("b4", "a4", "second_final", "D16"),
    ]
    assert found["qualification"][0]["second_final"] == ["c3", "b3", "a3", "c4", "a4"]
    assert found["excluded"] == ["a2", "b4"]
    five = row(tournament(two_heats(), withdrawals=leave("a3 second_final")))
    assert substitutions(five) == [("a3", None, "second_final", "D16")]
    assert five["second_final"] == []


def test_d16_nobody_is_called_once_it_is_not_held():
    file = tournament(two_heats(), withdrawals=leave("a3 second_final", "a4 second_final"))
    assert refusal(file) == (3, "D16", "/withdrawals/1")
    file = tournament(two_heats(), withdrawals=leave("a3 second_final"), rules={"second_final": False})
    assert refusal(file) == (3, "D16", "/withdrawals/0")


def test_moving_up_from_the_second_final_lets_the_next_in_without_a_row():
    # c1 leaves the final: c2 up (D14), a2 repeched; the second final loses a2 and takes b4.
    found = row(tournament(many(3), withdrawals=leave("c1 final")))
    assert len(found["substitutions"]) == 2
    assert found["second_final"] == ["c3", "b3", "a3", "c4", "b4"]


def test_positions_and_gaps_stay_as_played():
    """b1 and b2 gone, B's gaps are still measured from b1."""
    heats = [ordered_heat("A", "a1 a2 a3 a4 a5", 500), ordered_heat("B", "b1 b2 b3 b4 b5", 600)]
    found = result(tournament(heats, withdrawals=leave("b1 final", "b2 final")))
    assert [line["gap"] for line in found["heats"][1]["ranking"]] == ["0", "1/60", "1/30", "1/20", "1/15"]
    assert found["qualification"][0]["qualified"] == ["a1", "a2", "b3", "b4", "a3"]


def thirty(withdrawals: list[dict] | None = None, second_stage: list[list[str]] | None = None) -> dict:
    """Six heats: winners a1..f1 and seconds f2 e2 d2 c2 go on; then two heats, a final, a second final."""
    x, y = second_stage or [["a1", "b1", "c1", "f2", "e2"], ["d1", "e1", "f1", "d2", "c2"]]
    middle = [ordered_heat("X", x, 500), ordered_heat("Y", y, 600)]
    last = ordered_heat("F", [x[0], x[1], y[0], y[1], y[2]])
    other = ordered_heat("S", [x[4], x[3], x[2], y[4], y[3]])
    return tournament(many(6), middle, final(last), second_final(other), withdrawals=withdrawals or [])


def test_an_intermediate_stage():
    found = result(thirty())
    first, second = found["qualification"]
    assert first["qualified"] == ["a1", "b1", "c1", "d1", "e1", "f1", "f2", "e2", "d2", "c2"]
    assert (first["second_final"], second["to"], second["stage"]) == ([], "final", 2)
    names = [line["player"] for line in found["final_ranking"]]
    assert names[:10] == ["a1", "b1", "d1", "e1", "f1", "e2", "f2", "c1", "c2", "d2"]
    # The rest of stage 1: seconds b2 a2, then thirds, fourths, fifths, from F (smallest gaps) to A.
    assert names[10:12] == ["b2", "a2"]
    assert names[12:] == [f"{heat}{position}" for position in (3, 4, 5) for heat in "fedcba"]
    assert [line["place"] for line in found["final_ranking"]] == list(range(1, 31))


def test_a_withdrawal_from_an_intermediate_stage():
    # f1 leaves: f2 (repeched) is direct, his place goes to b2.
    second_stage = [["a1", "b1", "c1", "f2", "e2"], ["d1", "e1", "b2", "d2", "c2"]]
    found = result(thirty(leave("f1 heats:2"), second_stage))
    assert substitutions(found["qualification"][0]) == [("f1", "f2", "direct", "S8"), ("f2", "b2", "repechage", "D14")]
    assert found["excluded"] == ["f1"]
    names = [line["player"] for line in found["final_ranking"]]
    assert "f1" not in names
    assert len(names) == 29
    assert refusal(thirty(leave("f1 heats:2"))) == (3, "D20", "/stages/1/heats")


def test_withdrawals_belong_to_their_stage_whatever_their_order():
    # b2 came in for f1 and later renounced the final, though the list names that first.
    second_stage = [["a1", "b1", "c1", "f2", "e2"], ["d1", "e1", "b2", "d2", "c2"]]
    x, y = second_stage
    middle = [ordered_heat("X", x, 500), ordered_heat("Y", y, 600)]
    last = final(ordered_heat("F", ["a1", "b1", "d1", "e1", "c1"]))
    file = tournament(many(6), middle, last, withdrawals=leave("b2 final", "f1 heats:2"))
    found = result(file)
    # b2 was Y's repeched third: the best excluded of another heat is c1, X's third.
    assert substitutions(found["qualification"][1]) == [("b2", "c1", "repechage", "S8")]
    assert found["excluded"] == ["b2", "f1"]


def test_a_file_may_end_after_any_stage():
    whole = thirty()
    for count in (1, 2, 3):
        found = result(whole | {"stages": whole["stages"][:count]})
        assert len(found["qualification"]) == min(count, 2)
        assert bool(found["final_ranking"]) == (count == 3)
        assert bool(found["tournament_points"]) == (count == 3)


def test_five_heats_or_fewer_lead_to_the_final_only():
    assert refusal(tournament(two_heats(), [ordered_heat("X", "b1 b2 b3 a1 a2")])) == (3, "D20", "/stages/1/kind")


def test_no_second_final_ranks_the_eliminated_by_position_then_gap():
    last = final(ordered_heat("F", "a1 a2 b1 b2 b3"))
    names = [line["player"] for line in result(tournament(two_heats(), last))["final_ranking"]]
    assert names == ["a1", "a2", "b1", "b2", "b3", "a3", "b4", "a4", "b5", "a5"]


def test_excluded_players_leave_their_place_to_those_behind():
    last = final(ordered_heat("F", "a1 a2 b2 b3 a3"))
    found = result(tournament(two_heats(), last, withdrawals=leave("b1 final")))
    assert [line["player"] for line in found["final_ranking"]][5:] == ["b4", "a4", "b5", "a5"]
    assert "b1" not in found["tournament_points"]
    assert found["tournament_points"]["b4"] == 5


def suicidal(withdrawals: list[dict] | None = None, **more) -> dict:
    """e, last of A, called suicidally; with totals of B that take a point from j and two from f."""
    hands = [hand(p, "b" if p == "a" else "a", bid, 120) for p, bid in zip("abcd", (100, 90, 80, 70), strict=True)]
    # a 340, b 190, c 80, d 70, e -210: 100 to a b, 90 to b a, 80 to c a, 70 to d a; e 200 + 10.
    first = hands_heat("A", "abcde", [*hands, hand("e", "b", 100, 90, "suicidal_call")])
    second = ordered_heat("B", "f g h i j", 600) | {"adjustments": {"j": -1, "f": -2}}
    return tournament([first, second], withdrawals=withdrawals or [], **more)


def test_d18_the_ledger_without_a_final():
    found = result(suicidal())
    assert [line["points"] for line in found["heats"][0]["ranking"]] == [340, 190, 80, 70, -210]
    assert found["tournament_points"] == {"e": -1, "j": -1, "f": -2}
    assert (found["final_ranking"], found["agp"]) == ([], [])


def test_d18_the_ledger_has_no_floor_and_goes_into_the_agp():
    file = suicidal()
    file["stages"].append(final(ordered_heat("F", "a b f g h")))
    found = result(file)
    # Final a b f g h, then c i, d j (i 1/20, j 1/15 behind; c 13/17, d 27/34), then by position: i d | j e.
    names = [line["player"] for line in found["final_ranking"]]
    assert names == ["a", "b", "f", "g", "h", "c", "i", "d", "j", "e"]
    assert found["tournament_points"] == {
        "a": 15,
        "b": 12,
        "f": 8,
        "g": 8,
        "h": 6,
        "c": 5,
        "i": 4,
        "d": 3,
        "j": 1,
        "e": 0,
    }
    agp = {line["player"]: (line["points"], line["by_edition"], line["decided_by"]) for line in found["agp"]}
    assert agp["e"] == (0, {"26": 0}, None)
    assert agp["g"] == (8, {"26": 8}, "best_place")  # f third with 10-2, g fourth with 8


def test_other_series_leave_the_agp_as_before():
    file = suicidal(editions_before=[{"edition": 3, "ranking": ["x"]}])
    file["stages"].append(final(ordered_heat("F", "a b f g h")))
    file["tournament"]["series"] = "club"
    found = result(file)
    assert found["tournament_points"]["a"] == 15
    assert [(line["player"], line["by_edition"]) for line in found["agp"]] == [("x", {"3": 15})]


def test_agp_window_of_three_counts_this_edition_and_skips_other_series():
    past = [
        {"edition": 23, "ranking": ["old"]},
        {"edition": 24, "ranking": ["x", "y"]},
        {"edition": 7, "series": "club", "ranking": ["y", "x"]},
        {"edition": 25, "ranking": ["y", "a1"], "adjustments": {"x": -1}},
    ]
    before = result(tournament(two_heats(), editions_before=past))["agp"]
    assert [(line["player"], line["points"]) for line in before] == [("y", 27), ("old", 15), ("x", 14), ("a1", 12)]
    last = final(ordered_heat("F", "a1 a2 b1 b2 b3"))
    after = result(tournament(two_heats(), last, editions_before=past))["agp"]
    table = {line["player"]: line for line in after}
    assert (table["a1"]["rank"], table["a1"]["by_edition"]) == (1, {"25": 12, "26": 15})
    assert table["x"]["by_edition"] == {"24": 15, "25": -1}
    assert "old" not in table


def test_agp_equal_points_and_best_place_the_recent_one_first():
    """y 12+15 and a1 12+15: both have been first, a1 more recently."""
    past = [{"edition": 24, "ranking": ["x", "y"]}, {"edition": 25, "ranking": ["y", "a1"]}]
    last = final(ordered_heat("F", "a1 a2 b1 b2 b3"))
    table = result(tournament(two_heats(), last, editions_before=past))["agp"]
    assert [(line["player"], line["points"], line["decided_by"]) for line in table[:2]] == [
        ("a1", 27, None),
        ("y", 27, "recent_best_place"),
    ]


def test_agp_who_has_no_place_comes_after_who_has():
    past = [{"edition": 25, "ranking": [f"p{n}" for n in range(1, 12)], "adjustments": {"a1": 0}}]
    table = result(tournament(two_heats(), editions_before=past))["agp"]
    assert [(line["player"], line["points"], line["by_edition"]) for line in table[-2:]] == [
        ("p11", 0, {"25": 0}),
        ("a1", 0, {"25": 0}),
    ]


def test_agp_two_without_a_place_need_a_lot():
    past = [{"edition": 25, "ranking": ["x"], "adjustments": {"a1": -1, "b1": -1}}]
    assert refusal(tournament(two_heats(), editions_before=past))[:2] == (3, "D15")
    table = result(tournament(two_heats(), editions_before=past, lots=["b1", "a1"]))["agp"]
    assert [(line["rank"], line["player"], line["decided_by"]) for line in table] == [
        (1, "x", None),
        (2, "b1", None),
        (3, "a1", None),
    ]
