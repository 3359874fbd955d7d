"""S6-S8, D12-D16, D20: gaps, ties, sizes, draw, withdrawals, second final, as the regulation tells them."""

from fractions import Fraction

import pytest

from core.refusal import Refusal
from gameplay.rules.ruleset import game_rules
from tests.tournaments.files import by_place, hands_heat, refusal, result, stage, totals_heat, tournament_file
from tournaments.rules.draw import draw_heats
from tournaments.rules.gaps import percentage_gap
from tournaments.rules.heats import MatchResult, SeatResult, rank_heat
from tournaments.rules.qualification import plan_next
from tournaments.rules.ruleset import placing_rules

TEN = (by_place("A", "abcde"), by_place("B", "vwxyz", step=60))


# S7, D13


@pytest.mark.parametrize(
    ("winner", "points", "text", "percent"),
    [
        (887, 846, "41/887", "4.62"),
        (600, 600, "0", "0.00"),
        (600, 300, "1/2", "50.00"),
        (100, 0, "1", "100.00"),
        (5, -4, "9/5", "180.00"),
        (800, 799, "1/800", "0.13"),  # 0.125 half up
        (0, 0, "0", "0.00"),
        (0, -1, "inf", "inf"),
        (-5, -5, "0", "0.00"),
        (-5, -9, "inf", "inf"),
    ],
)
def test_percentage_gap(winner, points, text, percent):
    gap = percentage_gap(winner, points)
    assert (gap.text(), gap.percent()) == (text, percent)


def test_an_infinite_gap_comes_after_every_finite_one_and_the_smaller_difference_first():
    gaps = [percentage_gap(0, -9), percentage_gap(-5, -6), percentage_gap(1, -10_000), percentage_gap(3, 3)]
    assert sorted(gaps) == [gaps[3], gaps[2], gaps[1], gaps[0]]
    assert percentage_gap(0, -2) == percentage_gap(-7, -9)  # the same W-S in two heats is the same gap


# D20


@pytest.mark.parametrize(
    ("heats", "seats", "direct", "repechage"),
    [
        (1, 5, 5, 0),
        (2, 5, 2, 1),
        (3, 5, 1, 2),
        (4, 5, 1, 1),
        (5, 5, 1, 0),
        (6, 10, 1, 4),
        (10, 10, 1, 0),
        (11, 15, 1, 4),
        (200, 200, 1, 0),
        (201, 205, 1, 4),
    ],
)
def test_seats_of_the_next_stage(heats, seats, direct, repechage):
    assert plan_next(heats) == (seats, direct, repechage)
    assert plan_next(heats).final is (seats == 5)


# D15


def match(*rows, hands=20):
    return MatchResult("heat", tuple(SeatResult(*row) for row in rows), hands)


def test_equals_share_the_place_and_the_chain_gives_the_strict_order():
    rows = (("a", 10, 1, 80), ("b", 20, 0, 0), ("c", 10, 1, 90), ("d", 10, 2, 70), ("e", 5, 0, 0))
    ranking = rank_heat(match(*rows), ("hands_won", "golden_call", "agp", "lot"), {}, {})
    assert [(p.player, p.order, p.place, p.decided_by) for p in ranking] == [
        ("b", 1, 1, None),
        ("d", 2, 2, None),
        ("c", 3, 2, "hands_won"),
        ("a", 4, 2, "golden_call"),
        ("e", 5, 5, None),
    ]


def test_the_order_of_the_chain_is_the_rule_sets():
    rows = (("a", 10, 1, 80), ("b", 10, 2, 70), ("c", 1, 0, 0), ("d", 0, 0, 0), ("e", -1, 0, 0))
    by_call = rank_heat(match(*rows), ("golden_call", "hands_won", "lot"), {}, {})
    by_lot = rank_heat(match(*rows), ("lot",), {}, {"b": 3, "a": 7})
    assert [p.player for p in by_call[:2]] == ["a", "b"]
    assert [p.player for p in by_lot[:2]] == ["b", "a"]
    assert (by_lot[1].decided_by, by_lot[1].values) == ("lot", (4, 8))


def test_where_only_totals_survive_the_sheet_steps_are_passed_over():
    rows = (
        ("a", 10, None, None),
        ("b", 10, None, None),
        ("c", 1, None, None),
        ("d", 0, None, None),
        ("e", -1, None, None),
    )
    ranking = rank_heat(match(*rows), ("hands_won", "golden_call", "agp", "lot"), {"b": 4}, {})
    assert [(p.player, p.decided_by) for p in ranking[:2]] == [("b", None), ("a", "agp")]


def test_a_tie_that_nothing_decides_is_refused_by_name():
    refused = refusal(tournament_file(stage(totals_heat("A", {"a": 9, "b": 9, "c": 3, "d": 2, "e": 1})), lots=["a"]))
    assert (refused.code, refused.article, refused.pointer) == ("lot_missing", "D15", "/lots")
    assert refused.params["players"] == ("a", "b")


def test_points_per_hand_decide_between_equal_gaps_of_two_heats():
    heats = (
        totals_heat("A", {"a": 600, "b": 570, "c": 540, "d": 1, "e": 0}, hands_played=30),
        totals_heat("B", {"v": 500, "w": 480, "x": 450, "y": 1, "z": 0}, hands_played=20),
    )
    (row,) = result(tournament_file(stage(*heats)))["qualification"]
    assert [(e["player"], e["decided_by"]) for e in row["repechage"]] == [("x", None), ("c", "points_per_hand")]


def test_a_tie_that_is_printed_nowhere_asks_for_no_lot():
    # d and y are level in everything; they come eighth and ninth and the file ends before its final.
    heats = [
        totals_heat(n, dict(zip(p, (900, 800, 700 + k, 650, 600 + k), strict=True)))
        for k, (n, p) in enumerate((("A", "abcde"), ("B", "vwxyz")))
    ]
    ended_early = tournament_file(stage(*heats), lots=["a", "v", "b", "w"], second_final=False)
    del ended_early["tournament"]["second_final"]
    ended_early["tournament"]["rules"] = {"second_final": False}
    (row,) = result(ended_early)["qualification"]
    with_final = {
        **ended_early,
        "stages": [*ended_early["stages"], stage(by_place("F", row["qualified"]), kind="final")],
    }
    assert refusal(with_final).params["players"] == ("d", "y")


# S8, D14, D16


def qualification(*withdrawals, heats=TEN, **more):
    return result(tournament_file(stage(*heats), withdrawals=withdrawals, **more))["qualification"][0]


def test_ten_players_send_two_of_each_heat_and_the_best_third():
    row = qualification()
    assert row["direct"] == ["a", "b", "v", "w"]
    assert [(e["player"], e["qualified"]) for e in row["repechage"]] == [("c", True), ("x", False)]
    assert row["qualified"] == ["a", "b", "v", "w", "c"]
    assert row["second_final"] == ["x", "d", "y", "e", "z"]


def test_a_direct_qualifier_is_replaced_from_his_own_heat():
    row = qualification(("v", "final"))
    assert row["substitutions"] == [{"out": "v", "in": "x", "as": "direct", "article": "S8"}]
    assert row["qualified"] == ["a", "b", "w", "x", "c"]


def test_a_repeched_player_is_replaced_from_another_heat():
    row = qualification(("c", "final"))
    assert row["substitutions"] == [{"out": "c", "in": "x", "as": "repechage", "article": "S8"}]
    assert row["qualified"] == ["a", "b", "v", "w", "x"]


def test_a_repeched_player_who_moves_up_frees_his_place_for_another_heat():
    row = qualification(("a", "final"))
    assert row["substitutions"] == [
        {"out": "a", "in": "c", "as": "direct", "article": "S8"},
        {"out": "c", "in": "x", "as": "repechage", "article": "D14"},
    ]
    assert row["qualified"] == ["b", "c", "v", "w", "x"]


def test_substitutes_renounce_too_one_after_the_other():
    row = qualification(("v", "final"), ("x", "final"), ("y", "final"))
    assert [(s["out"], s["in"]) for s in row["substitutions"]] == [("v", "x"), ("x", "y"), ("y", "z")]
    assert row["second_final"] == []


def test_nobody_left_to_move_up_is_refused():
    refused = refusal(tournament_file(stage(by_place("A", "abcde")), withdrawals=[("a", "final")]))
    assert (refused.code, refused.article, refused.pointer) == ("no_substitute", "S8", "/withdrawals/0/player")


def test_the_best_excluded_may_not_come_from_the_renouncers_heat():
    leave_one_heat = [("x", "second_final")]
    row = qualification(*leave_one_heat)
    assert row["substitutions"] == [{"out": "x", "in": None, "as": "second_final", "article": "D16"}]
    emptied = [("v", "final"), ("w", "final"), ("x", "final"), ("c", "final")]
    refused = refusal(tournament_file(stage(*TEN), withdrawals=emptied))
    assert (refused.code, refused.pointer) == ("no_substitute", "/withdrawals/3/player")


def test_who_has_not_qualified_cannot_renounce():
    for player, target, article in (("z", "final", "S8"), ("a", "second_final", "D16"), ("a", "heats:2", "S8")):
        assert refusal(tournament_file(stage(*TEN), withdrawals=[(player, target)])).article == article
    twice = refusal(tournament_file(stage(*TEN), withdrawals=[("a", "final"), ("a", "final")]))
    assert twice.pointer == "/withdrawals/1/player"


FIFTEEN = (*TEN, by_place("C", "lmnop", step=55))


def test_the_next_of_the_overall_order_comes_into_the_second_final():
    row = qualification(("w", "second_final"), heats=FIFTEEN)
    assert row["qualified"] == ["a", "v", "l", "b", "m"]
    assert row["substitutions"] == [{"out": "w", "in": "o", "as": "second_final", "article": "D16"}]
    assert row["second_final"] == ["c", "n", "x", "d", "o"]


def test_final_second_final_then_the_rest_by_position_and_gap():
    file = tournament_file(
        stage(*FIFTEEN),
        stage(by_place("Finale", "mblva"), kind="final"),
        stage(by_place("Seconds", "ndcxw"), kind="second_final"),
        withdrawals=[],
    )
    row = qualification(heats=FIFTEEN)
    file["stages"][2]["heats"][0] = by_place("Seconds", list(reversed(row["second_final"])))
    ranked = [entry["player"] for entry in result(file)["final_ranking"]]
    assert ranked == [*"mblva", *reversed(row["second_final"]), "o", "y", "e", "p", "z"]


def test_without_a_second_final_the_eliminated_stand_by_position_then_gap():
    file = tournament_file(stage(*FIFTEEN), stage(by_place("Finale", "mblva"), kind="final"))
    assert [e["player"] for e in result(file)["final_ranking"]][5:] == [*"wcnx", *"doy", *"epz"]


def test_who_renounces_is_out_of_the_ranking_and_those_behind_move_up():
    file = tournament_file(stage(*TEN), stage(by_place("Finale", "bcvwx"), kind="final"), withdrawals=[("a", "final")])
    replayed = result(file)
    assert replayed["excluded"] == ["a"]
    assert [e["player"] for e in replayed["final_ranking"]] == [*"bcvwx", *"dyez"]
    assert "a" not in replayed["tournament_points"]


def test_seats_that_contradict_the_qualifiers_are_refused_with_both_lists():
    refused = refusal(tournament_file(stage(*TEN), stage(by_place("Finale", "abcvx"), kind="final")))
    assert (refused.code, refused.pointer) == ("wrong_qualifiers", "/stages/1/heats")
    assert refused.params == {"expected": tuple("abvwc"), "seated": tuple("abcvx")}


def test_a_second_final_that_cannot_be_is_refused():
    finals = (stage(by_place("F", "abcvw"), kind="final"), stage(by_place("S", "xdyez"), kind="second_final"))
    refused = refusal(tournament_file(stage(*TEN), *finals, rules={"second_final": False}))
    assert (refused.code, refused.pointer) == ("second_final_not_held", "/stages/2/heats")


def thirty():
    names = [[f"{letter}{place}" for place in range(1, 6)] for letter in "abcdef"]
    return [by_place(letter, names[at], step=50 + at) for at, letter in enumerate("abcdef")]


def test_thirty_players_need_an_intermediate_stage():
    row = qualification(heats=thirty())
    assert (row["to"], row["seats"], row["direct_per_heat"]) == ("heats:2", 10, 1)
    assert [e["player"] for e in row["repechage"] if e["qualified"]] == ["a2", "b2", "c2", "d2"]
    assert row["second_final"] == []
    refused = refusal(tournament_file(stage(*thirty()), stage(by_place("F", row["qualified"][:5]), kind="final")))
    assert (refused.code, refused.article, refused.pointer) == ("wrong_stage", "D20", "/stages/1/kind")
    after_ten = tournament_file(stage(*TEN), stage(by_place("again", "abcvw")))
    assert refusal(after_ten).params == {"seats": 5, "due": "final"}


def test_renouncing_an_intermediate_stage_excludes_and_brings_in_a_substitute():
    row = qualification(("a1", "heats:2"), heats=thirty())
    assert [(s["out"], s["in"], s["as"], s["article"]) for s in row["substitutions"]] == [
        ("a1", "a2", "direct", "S8"),
        ("a2", "e2", "repechage", "D14"),
    ]
    groups = [by_place("G", row["qualified"][:5]), by_place("H", row["qualified"][5:], step=60)]
    file = tournament_file(stage(*thirty()), stage(*groups), withdrawals=[("a1", "heats:2")])
    second = result(file)["qualification"][1]
    file["stages"].append(stage(by_place("F", second["qualified"]), kind="final"))
    replayed = result(file)
    assert len(replayed["final_ranking"]) == 29
    assert replayed["excluded"] == ["a1"]
    last_round = {player for heat in groups for player in heat["seats"]}
    assert {e["player"] for e in replayed["final_ranking"][:10]} == last_round


# D10 over stages, D18


def admitted(player):
    return {"caller": player, "bid": 80, "ruling": {"kind": "disloyal_raise", "admitted": True}}


def won(caller, called, bid=61):
    return {"caller": caller, "called": called, "bid": bid, "made": bid}


@pytest.mark.parametrize(("scope", "second"), [("match", -50), ("tournament", -70)])
def test_offences_over_stages(scope, second):
    first = hands_heat("A", "abcde", [admitted("a"), *[won(p, "a", 61 + at) for at, p in enumerate("bcde")] * 2])
    row = qualification(heats=(first,))
    final = hands_heat("F", row["qualified"], [admitted("a")])
    replayed = result(tournament_file(stage(first), stage(final, kind="final"), rules={"offence_scope": scope}))
    assert {r["player"]: r["points"] for r in replayed["heats"][1]["ranking"]}["a"] == second


def test_the_standings_ledger_has_no_floor_and_touches_the_agp_of_this_edition():
    suicidal = {"caller": "e", "called": "a", "bid": 90, "made": 10, "ruling": {"kind": "suicidal_call"}}
    heat = hands_heat("A", "abcde", [suicidal, won("a", "b")])
    replayed = result(
        tournament_file(
            stage(heat),
            stage(totals_heat("F", {"a": 5, "b": 4, "c": 3, "d": 2, "e": 1}, adjustments={"e": -9}), kind="final"),
        )
    )
    assert replayed["tournament_points"] == {"a": 15, "b": 12, "c": 10, "d": 8, "e": 6 - 10}
    assert replayed["agp"][-1] == {"rank": 5, "player": "e", "points": -4, "by_edition": {"26": -4}, "decided_by": None}


def test_a_trophy_moves_no_agp():
    file = tournament_file(
        stage(by_place("A", "abcde")),
        stage(by_place("F", "abcde"), kind="final"),
        series="trophy",
        editions=[{"edition": 25, "ranking": ["old", "a"]}, {"edition": 3, "series": "trophy", "ranking": ["b"]}],
    )
    replayed = result(file)
    assert replayed["tournament_points"]["a"] == 15
    assert [(row["player"], row["points"]) for row in replayed["agp"]] == [("old", 15), ("a", 12)]


# S6, D12


def test_the_best_are_seeds_one_a_heat_and_the_rest_is_drawn():
    entrants = [f"p{n}" for n in range(15)]
    agp = {"p14": 1, "p7": 2, "p3": 3, "p0": 4}
    draw = draw_heats(entrants, agp, 1, b"seed")
    assert [heat[0].player for heat in draw.heats] == ["p14", "p7", "p3"]
    assert [(seat.reason, seat.number) for seat in (heat[0] for heat in draw.heats)] == [("seed", n) for n in (1, 2, 3)]
    assert all(len(heat) == 5 for heat in draw.heats)
    assert all(seat.reason == "lot" for heat in draw.heats for seat in heat[1:])
    assert draw == draw_heats(entrants, agp, 1, b"seed")
    assert draw.heats != draw_heats(entrants, agp, 1, b"other").heats


def test_more_seeds_a_heat_go_round_like_a_snake():
    entrants = [f"p{n:02d}" for n in range(15)]
    agp = {player: rank for rank, player in enumerate(entrants, start=1)}
    draw = draw_heats(entrants, agp, 2, b"")
    assert [[seat.number for seat in heat if seat.reason == "seed"] for heat in draw.heats] == [[1, 6], [2, 5], [3, 4]]
    assert [seat.agp for seat in draw_heats(entrants, agp, 5, b"").heats[0]] == [1, 6, 7, 12, 13]
    assert not any(seat.reason == "seed" for heat in draw_heats(entrants, agp, 0, b"").heats for seat in heat)


def test_who_is_too_many_is_a_reserve_in_agp_then_entry_order():
    entrants = ["late", *(f"p{n}" for n in range(10)), "ranked"]
    draw = draw_heats(entrants, {"ranked": 9}, 1, b"x")
    assert [(seat.player, seat.number, seat.heat) for seat in draw.reserves] == [("p8", 1, None), ("p9", 2, None)]
    assert draw.heats[0][0].player == "ranked"
    assert draw.heats[1][0].player == "late"


def test_a_draw_needs_five_who_entered_once():
    with pytest.raises(Refusal, match="too_few_entrants"):
        draw_heats(list("abcd"), {}, 1, b"")
    with pytest.raises(Refusal, match="entered_twice"):
        draw_heats(list("abcdea"), {}, 1, b"")


def test_every_entrant_is_equally_likely_in_every_heat():
    counts = dict.fromkeys("abcdefghij", 0)
    for seed in range(4000):
        for seat in draw_heats(list(counts), {}, 0, seed.to_bytes(2, "big")).heats[0]:
            counts[seat.player] += 1
    # 4,000 draws of five in ten: 2,000 expected, standard deviation 31.6; five of them on either side
    assert all(abs(count - 2000) < 160 for count in counts.values())


# Rule values of placing and play


@pytest.mark.parametrize(
    ("values", "code"),
    [
        ({"tie_chain": []}, "rule_bad_chain"),
        ({"tie_chain": ["hands_won"]}, "rule_bad_chain"),
        ({"tie_chain": ["lot", "agp"]}, "rule_bad_chain"),
        ({"tie_chain": ["agp", "agp", "lot"]}, "rule_bad_chain"),
        ({"tie_chain": ["coin", "lot"]}, "rule_bad_chain"),
        ({"seeds_per_heat": 6}, "rule_out_of_range"),
        ({"final_size": 4}, "rule_out_of_range"),
    ],
)
def test_placing_values_out_of_range(values, code):
    with pytest.raises(Refusal, match=code):
        placing_rules(values)


def test_a_second_final_may_be_shorter_by_half_and_no_more():
    assert game_rules({"match_minutes": 75}).second_final_minutes == 75
    assert game_rules({"match_minutes": 75, "second_final_minutes": 38}).second_final_minutes == 38
    with pytest.raises(Refusal) as refused:
        game_rules({"match_minutes": 75, "second_final_minutes": 37})
    assert (refused.value.code, refused.value.params["half"]) == ("second_final_too_short", 38)
    with pytest.raises(Refusal, match="second_final_too_long"):
        game_rules({"second_final_minutes": 121})


def test_fractions_stay_exact():
    gap = percentage_gap(10**18 + 1, 10**18)
    assert gap.size == Fraction(1, 10**18 + 1)
    assert gap > percentage_gap(10**18 + 2, 10**18 + 1)
