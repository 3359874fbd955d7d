"""Reasons in words: each step, each role, and the page of an invented tournament in three languages."""

import dataclasses
import json

import pytest
from django.template.loader import render_to_string
from django.utils import translation

from scoring.rules.penalties import Effect
from tests.tournaments.files import by_place, stage, totals_heat, tournament_file
from tournaments.exchange.generator import generate_tournament
from tournaments.exchange.reading import read_tournament
from tournaments.exchange.records import record_from_file
from tournaments.queries import championships_for_home
from tournaments.rules.replay import replay
from tournaments.rules.series import Edition, series_table
from tournaments.rules.ties import UNPLACED
from tournaments.web import reasons
from tournaments.web.presenting import championship_for_page, scoresheet_for_page


@pytest.fixture(autouse=True)
def english():
    with translation.override("en"):
        yield


def championship_of(file):
    """The file as if it were one of the championships of the first page."""
    tournament = replay(record_from_file(read_tournament(json.dumps(file).encode())))
    return dataclasses.replace(
        championships_for_home()[0],
        slug="x",
        player_names={player["id"]: player["name"] for player in file["players"]},
        tournament=tournament,
    )


@pytest.mark.parametrize(
    ("step", "values", "said"),
    [
        ("hands_won", (8, 5), "won more hands: 8 to 5"),
        ("golden_call", (92, 90), "won a higher call: 92 to 90"),
        ("golden_call", (92, 0), "won a call at 92"),
        ("agp", (3, 9), "number 3 against 9"),
        ("agp", (3, UNPLACED), "is number 3 of the A.G.P. ranking"),
        ("points_per_hand", (0, 0), "more points a hand"),
        ("lot", (1, 2), "lot was drawn first"),
    ],
)
def test_each_step_of_the_chain_has_its_sentence(step, values, said):
    reason = reasons.tie_reason(step, values, "Anna")
    assert said in reason.text
    assert "Anna" in reason.text
    assert "D15" in reason.article


def test_no_step_no_sentence():
    assert reasons.tie_reason(None, None, "Anna") is None


@pytest.mark.parametrize(
    ("effect", "said", "article"),
    [
        (Effect("suicidal_call", 0, -270, "S17"), "−270, of which 70 lost", "S17"),
        (Effect("disloyal_raise", 0, -50, "S18", offence=1, admitted=True), "admitted by Anna, offence 1: −50", "S18"),
        (Effect("disloyal_raise", 0, -140, "S18", offence=2), "offence 2: −140, of which 70", "S18"),
        (Effect("award", 0, 30, "D8", voided=False), "Ruling on Anna: +30", "D8"),
    ],
)
def test_each_ruling_has_its_sentence(effect, said, article):
    reason = reasons.effect_reason(effect, "Anna", 70)
    assert said in reason.text
    assert reason.article == article


def rows_of(page):
    return {row["name"]: row for part in page["parts"] for match in part["matches"] for row in match["ranking"]}


def test_direct_repeched_substitute_excluded_and_eliminated_all_say_why():
    heats = (by_place("A", "abcde"), by_place("B", "vwxyz", step=60))
    file = tournament_file(
        stage(*heats),
        stage(by_place("F", "bcvwx"), kind="final"),
        withdrawals=[("a", "final")],
    )
    page = championship_for_page(championship_of(file))
    first = {row["name"]: row for match in page["parts"][0]["matches"] for row in match["ranking"]}
    assert first["Player b"]["reason"] == "Among the first 2 of the heat: a direct place."
    assert first["Player a"]["tag"] == "excluded"
    assert (first["Player c"]["tag"], first["Player c"]["reason"]) == ("substitute", "Goes on in place of Player a.")
    assert (first["Player x"]["article"], first["Player x"]["reason"]) == ("D14", "Goes on in place of Player c.")
    assert first["Player e"]["reason"] == "Eliminated: fifth of the heat."
    assert [reason.article for reason in page["parts"][0]["substitutions"]] == ["S8", "D14"]
    assert page["ranking"][0]["reason"] == "Winner of the final: champion."
    assert "Eliminated in stage 1: fourth of the heat, 16.67% behind" in page["ranking"][5]["reason"]


def test_an_equal_gap_is_not_called_larger():
    heats = (
        totals_heat("A", {"a": 600, "b": 570, "c": 540, "d": 400, "e": 300}),
        totals_heat("B", {"v": 500, "w": 480, "x": 450, "y": 300, "z": 200}),
    )
    (part,) = championship_for_page(championship_of(with_final(heats)))["parts"][:1]
    behind = part["repechage"][1]
    assert behind["reason"] == "Level with Player c, who made more points a hand."
    assert part["repechage"][0]["reason"].startswith(
        "One seat was left: of the thirds of the heats nobody has a smaller"
    )


def with_final(heats):
    return tournament_file(stage(*heats), stage(by_place("F", "abvwc"), kind="final"))


def test_the_table_of_a_series_says_what_decided_at_equal_points():
    by_place_table = series_table([Edition(1, ("a", "b")), Edition(2, ("b", "a"))])
    assert "reached the same best place later" in reasons.series_reason(by_place_table[1], "b").text
    assert reasons.series_reason(by_place_table[0], "").text == "edition 1: number 2, +12 · edition 2: number 1, +15"
    ledger = series_table([Edition(1, ("a",), {"a": -1, "z": -1})])
    assert reasons.series_reason(ledger[0], "").text == "edition 1: number 1, +15 −1"
    assert reasons.series_reason(ledger[1], "a").text == "edition 1: −1"


# Not those that end before their final
PLAYED_OUT = [
    seed for seed in range(14) if generate_tournament(seed, 1 + seed, hands=4)["stages"][-1]["kind"] != "heats"
]


@pytest.mark.parametrize("language", ["it", "tr", "en"])
@pytest.mark.parametrize("seed", PLAYED_OUT)
def test_any_tournament_can_be_put_into_words(seed, language):
    championship = championship_of(generate_tournament(seed, heats=1 + seed, hands=4))
    with translation.override(language):
        page = championship_for_page(championship)
        context = {"championships": [page], "heat_columns": ["a", "b"], "final_columns": ["c"], "rules": "/rules/"}
        html = render_to_string("tournaments/_championships.html", context)
        for outcome in championship.tournament.stages:
            for match in outcome.matches:
                if sheet := scoresheet_for_page(championship, outcome, match):
                    html += render_to_string("components/scoresheet.html", {"sheet": sheet})
    assert "%(" not in html
    assert str(UNPLACED) not in html
    assert "None" not in html
