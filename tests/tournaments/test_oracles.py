"""Published results and worked cases, each through the product's own rules."""

import json
from decimal import Decimal
from fractions import Fraction
from pathlib import Path

import pytest

from scoring.rules.hands import HandOutcome, hand_points
from tests.tournaments.files import by_place, hands_heat, outcome, refusal, result, stage, totals_heat, tournament_file
from tournaments.rules.heats import MatchResult, SeatResult, rank_heat
from tournaments.rules.qualification import open_stage
from tournaments.rules.ruleset import TIE_STEPS
from tournaments.rules.series import Edition, series_table

CASES = {
    case["id"]: case for case in json.loads((Path(__file__).parents[1] / "oracles/gingo.json").read_text())["cases"]
}
SEEN = set()


def cases(*kinds):
    chosen = [pytest.param(case, id=name) for name, case in CASES.items() if case["kind"] in kinds]
    SEEN.update(name for name, case in CASES.items() if case["kind"] in kinds)
    assert chosen
    return pytest.mark.parametrize("case", chosen)


def heat_of(match, agp=None, lots=None):
    return rank_heat(match, TIE_STEPS, agp or {}, lots or {})


def match_of(scores, hands=20, won=None, calls=None):
    seats = tuple(SeatResult(p, s, (won or {}).get(p, 0), (calls or {}).get(p, 0)) for p, s in scores.items())
    return MatchResult("heat", seats, hands)


@cases("hand_score")
def test_hand_scores(case):
    seat = {player: at for at, player in enumerate(case["players"])}
    points = hand_points(HandOutcome(seat[case["caller"]], seat[case["called"]], case["bid"], case["made"]))
    assert dict(zip(case["players"], points, strict=True)) == case["expect"]


def penalised(case):
    """The case as one hand of a file; earlier offences of the same caller stand before it."""
    earlier = [
        {"caller": "a", "bid": 80, "ruling": {"kind": "disloyal_raise", "admitted": True}}
        for _ in range(case.get("offence", 1) - 1)
    ]
    ruling = {"kind": case["kind"]}
    hand = {"caller": "a", "bid": case["bid"], "ruling": ruling}
    if case["kind"] == "disloyal_raise":
        ruling["admitted"] = "made" not in case and case["expect"] != "inadmissible (rule applies only above 72)"
    if not ruling.get("admitted"):
        hand |= {"called": "b", "made": case.get("made", 0)}
    return tournament_file(stage(hands_heat("Heat", "abcde", [*earlier, hand]))), [50, 70, 100][: len(earlier)]


@cases("suicidal_call", "disloyal_raise")
def test_penalties(case):
    file, before = penalised(case)
    if isinstance(case["expect"], str):
        assert refusal(file).article == "S18"
        return
    replayed = result(file)
    points = {row["player"]: row["points"] for row in replayed["heats"][0]["ranking"]}
    for player, expected in case["expect"]["match"].items():
        assert points[player] == expected - (sum(before) if player == "a" else 0)
    assert {player: points[player] for player in "bcde"} == dict.fromkeys("bcde", 0)
    assert replayed["tournament_points"] == case["expect"].get("tournament_points", {})
    assert replayed["heats"][0]["hands_played"] == 0


@cases("percentage_gap")
def test_the_published_heat_of_2007(case):
    heat = case["heat"]
    ranking = result(tournament_file(stage(totals_heat("Centrale", heat["scores"], heat["hands"]))))["heats"][0]
    assert ranking["hands_played"] == 27
    for row in ranking["ranking"]:
        expected = case["expect"][row["player"]]
        assert row["place"] == row["order"] == expected["place"]
        assert Fraction(row["gap"]) == Fraction(expected["gap_fraction"])
        assert row["gap_percent"] == f"{expected['gap_percent_2dp']:.2f}"
        assert f"{100 - Decimal(row['gap_percent']):.2f}" == f"{expected['percent_of_winner_2dp']:.2f}"
    assert ranking["ranking"][0]["player"] == case["extra"]["champion"]
    assert sum(heat["scores"].values()) == case["extra"]["total"]


@cases("qualification", "qualification_tie_between_heats", "qualification_15")
def test_qualification_by_points(case):
    heats = [totals_heat(name, scores) for name, scores in case["heats"].items()]
    (row,) = result(tournament_file(stage(*heats)))["qualification"]
    expect = case["expect"]
    assert row["direct"] == expect["direct"]
    assert [entry["player"] for entry in row["repechage"] if entry["qualified"]] == expect["repeched"]
    assert [[e["player"], e["heat"], e["gap"]] for e in row["repechage"]] == [c[:3] for c in expect["candidates"]]
    for entry, (*_, percent) in zip(row["repechage"], expect["candidates"], strict=True):
        assert float(Fraction(entry["gap"]) * 100) == pytest.approx(percent, abs=1e-4)
    if "finalists_published" in case:
        assert sorted(row["qualified"]) == sorted(case["finalists_published"])
    if case["kind"] == "qualification_tie_between_heats":
        assert row["repechage"][1]["decided_by"] == "points_per_hand"


def test_the_world_championship_of_2001_from_its_placings():
    case = CASES["G-R1"]
    expect = case["expect"]
    heats = [by_place(name, order, step=50 + 5 * at) for at, (name, order) in enumerate(case["heats"].items())]
    replayed = result(
        tournament_file(
            stage(*heats),
            stage(by_place("Finale", expect["final_order"]), kind="final"),
            stage(by_place("Finale dei secondi", expect["second_final_order"]), kind="second_final"),
        )
    )
    (row,) = replayed["qualification"]
    assert sorted(row["direct"]) == sorted(expect["direct"])
    assert [entry["player"] for entry in row["repechage"]] == expect["repeche_candidates"]
    assert [entry["player"] for entry in row["repechage"] if entry["qualified"]] == expect["repeched"]
    assert sorted(row["second_final"]) == sorted(expect["second_final"])
    assert [entry["player"] for entry in replayed["final_ranking"]] == expect["tournament_ranking"]
    assert replayed["tournament_points"] == expect["agp_points"]
    assert {row["player"]: row["points"] for row in replayed["agp"]} == expect["agp_points"]
    SEEN.add("G-R1")


def test_the_trophy_of_2001_with_its_heat_of_six_by_place():
    # A heat of six contradicts S1: its file is refused, but places and repechage by place still hold.
    case = CASES["G-R2"]
    expect = case["expect"]
    assert outcome(json.dumps(tournament_file(stage(by_place("semi6", case["heats"]["semi6"])))).encode())[0] == 2
    heats = [
        rank_heat(match_of({p: 900 - (50 + 5 * at) * place for place, p in enumerate(order)}), TIE_STEPS, {}, {}, at)
        for at, order in enumerate(case["heats"].values())
    ]
    opened = open_stage(heats, {}, {})
    assert list(opened.direct) == expect["direct"]
    assert [decided.item.player for decided in opened.candidates] == expect["repeche_candidates"]
    assert [d.item.player for d in opened.candidates[: opened.plan.repechage]] == expect["repeched"]
    assert expect["final_order"] + expect["second_final_order"] == expect["tournament_ranking"]
    SEEN.add("G-R2")


@cases("tie_across_boundary")
def test_a_tie_on_the_qualification_line_goes_down_the_chain(case):
    scores = case["heat"]
    tied = [player for player, points in scores.items() if points == 5]
    shared = heat_of(match_of(scores), agp={tied[1]: 3, tied[0]: 9})
    assert [(placed.player, placed.order, placed.place) for placed in shared[1:3]] == [(tied[1], 2, 2), (tied[0], 3, 2)]
    assert shared[2].decided_by == "agp"
    assert shared[2].values == (3, 9)


@cases("tie_break_ruling_chain")
def test_hands_won_count_absolutely_not_by_share(case):
    data = case["data"]
    assert {p: f"{d['hands_won'] / d['hands']:.1%}"[:-1] for p, d in data.items()} == case["expect"]["percentages"]
    scores = {"N09": 10, "N01": 10, "x": 3, "y": 2, "z": 1}
    ranking = heat_of(match_of(scores, won={player: row["hands_won"] for player, row in data.items()}))
    assert [placed.player for placed in ranking[:2]] == case["expect"]["absolute_order"]
    assert (ranking[1].decided_by, ranking[1].values) == ("hands_won", (8, 5))


@cases("exclusion_and_repechage")
def test_who_is_excluded_leaves_his_place_to_the_next_of_the_heat(case):
    scores = case["scores"]
    assert sum(scores.values()) == case["expect"]["sum"]
    ranking = heat_of(match_of(scores), lots={"N11": 0, "N05": 1})
    assert [placed.player for placed in ranking[:3]] == ["N11", "N05", "N06"]
    left = [placed.player for placed in ranking if placed.player not in case["expect"]["excluded"]]
    assert left[2:3] == case["expect"]["repeched"]


@cases("tie_break_highest_bid")
def test_the_golden_call_decides_between_equals(case):
    scores = {"N14": 1, "N05": 1, "x": 0, "y": -1, "z": -2}
    ranking = heat_of(match_of({**scores, **case["scores"]}, calls={"N05": 92, "N14": 90}))
    assert [placed.player for placed in ranking[:2]] == case["expect"]["order"]
    assert (ranking[1].decided_by, ranking[1].values) == ("golden_call", (92, 90))


@cases("substitution")
def test_substitutions(case):
    heats = [by_place(name, order, step=50 + 5 * at) for at, (name, order) in enumerate(case["heats_by_place"].items())]
    replayed = result(tournament_file(stage(*heats), withdrawals=[(case["withdraws"], "final")]))
    (row,) = replayed["qualification"]
    assert sorted(row["qualified"]) == sorted(case["expect"]["finalists"])
    assert replayed["excluded"] == case["expect"]["excluded_from_ranking"]


@cases("second_final_impossible")
def test_four_who_remain_play_no_second_final(case):
    heats = [by_place("A", "abcde"), by_place("B", "vwxyz", step=60)]
    file = tournament_file(stage(*heats), withdrawals=[("a", "final")])
    (row,) = result(file)["qualification"]
    assert row["second_final"] == []
    file["stages"].append(stage(by_place("Finale", row["qualified"]), kind="final"))
    ranked = [entry["player"] for entry in result(file)["final_ranking"]]
    assert len(ranked) == 9
    assert ranked[5:] == ["d", "y", "e", "z"]  # by heat position, then by gap


def editions_of(case):
    for number, places in enumerate(case["editions"], start=1):
        ranking = [f"filler {number} {place}" for place in range(1, 11)]
        for player, place in places.items():
            ranking[place - 1] = player
        yield Edition(number, tuple(ranking) if places else ())


def known(table):
    return [[s.player, s.points] for s in table if not s.player.startswith("filler")]


@cases("agp")
def test_agp(case):
    assert known(series_table(list(editions_of(case)))) == case["expect"]


@cases("agp_window")
def test_agp_window(case):
    editions = list(editions_of(case))
    assert known(series_table(editions[:3])) == case["expect_after_3"]
    assert known(series_table(editions)) == case["expect_after_4"]


def test_no_case_is_left_out():
    assert set(CASES) == SEEN
