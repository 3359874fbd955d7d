"""Reasons in words: each step, each role, each ruling, and whole invented tournaments in three languages."""

from fractions import Fraction

import pytest
from django.template.loader import render_to_string
from django.utils import translation

from scoring.rules.hands import HandOutcome
from scoring.rules.penalties import Effect
from scoring.rules.scoresheet import Admitted, Award, Entry, Played, Voided
from scoring.web.reasons import ARTICLES, effect_reason
from tests.tournaments.files import by_place, hands_heat, stage, totals_heat, tournament_file
from tests.tournaments.views import heat_view, view_of
from tournaments.exchange.generator import generate_tournament
from tournaments.rules.qualification import plan_next
from tournaments.rules.series import Edition, series_table
from tournaments.rules.ties import UNPLACED
from tournaments.web import presenting, presenting_series, reasons, tournament_views
from tournaments.web.presenting_sheet import sheet_for_page


@pytest.fixture(autouse=True)
def english():
    with translation.override("en"):
        yield


@pytest.mark.parametrize(
    ("step", "values", "said"),
    [
        ("hands_won", (8, 5), "won more hands: 8 to 5"),
        ("golden_call", (92, 90), "won a higher call: 92 to 90"),
        ("golden_call", (92, 0), "won a call at 92"),
        ("agp", (3, 9), "number 3 against 9"),
        ("agp", (3, UNPLACED), "is number 3 of the A.G.P. ranking; who is unranked comes after"),
        ("points_per_hand", (-1 << 260, 0), "more points a hand: 223/7 (31.86) to 30."),
        ("lot", (1, 2), "lot was drawn earlier: number 1 against 2"),
    ],
)
def test_each_step_of_the_chain_has_its_sentence(step, values, said):
    reason = reasons.tie_reason(step, values, "Anna", (Fraction(223, 7), Fraction(30)))
    assert said in reason.text
    assert "Anna" in reason.text
    assert "D15" in reason.article


def test_no_step_no_sentence():
    assert reasons.tie_reason(None, None, "Anna") is None


@pytest.mark.parametrize(
    ("value", "language", "shown"),
    [
        (Fraction(223, 7), "en", "223/7 (31.86)"),
        (Fraction(223, 7), "it", "223/7 (31,86)"),
        (Fraction(-5, 3), "en", "−5/3 (−1.67)"),
        (Fraction(1, 200), "en", "1/200 (0.01)"),  # half goes up
        (Fraction(-12), "en", "−12"),
    ],
)
def test_an_exact_value_stands_beside_its_decimals(value, language, shown):
    with translation.override(language):
        assert reasons.exact_and_decimal(value) == shown


@pytest.mark.parametrize(
    ("effect", "said", "article"),
    [
        (
            Effect("suicidal_call", 0, -270, "S17", ledger=-1),
            "Anna: −270, of which 70 lost in the hand, and −1",
            "S17 D18",
        ),
        (Effect("disloyal_raise", 0, -50, "S18", offence=1, admitted=True), "Anna, offence 1: −50.", "S18 D10"),
        (Effect("disloyal_raise", 0, -140, "S18", offence=2), "Anna, offence 2: −140, of which 70 lost", "S18 D10"),
        (Effect("award", 0, 30, "D8", voided=False), "Ruling on Anna: +30. “late”", "D8"),
        (Effect("award", 0, 30, "S2 S19", voided=False), "Ruling on Anna: +30. “late”", "S2 S19"),
        (Effect("award", 0, 30, "Art. 12", voided=False), "Ruling on Anna by “Art. 12”: +30. “late”", "S19"),
    ],
)
def test_each_ruling_has_its_sentence_and_an_article_that_exists(effect, said, article):
    reason = effect_reason(effect, "Anna", 70, "late")
    assert said in reason.text
    assert reason.article == article
    assert set(article.split()) <= ARTICLES


@pytest.mark.parametrize(
    ("heats", "said"),
    [
        (1, "1 heat: the final seats five. The first 5 of each heat go on directly. No seat is left over"),
        (2, "2 heats: the final seats five. The first 2 of each heat go on directly. One seat is left"),
        (3, "The winner of each heat goes on directly. 2 seats are left for the repechage among the seconds"),
        (5, "The winner of each heat goes on directly. No seat is left over: there is no repechage."),
        (12, "so the next stage has 15 seats, the smallest multiple of five that seats them all. The winner of each"),
    ],
)
def test_how_many_seats_are_left_and_why(heats, said):
    reason = reasons.plan_reason(heats, plan_next(heats))
    assert said in reason.text
    assert reason.article == "D20"


def test_direct_repeched_substitute_excluded_and_eliminated_all_say_why():
    heats = (by_place("A", "abcde"), by_place("B", "vwxyz", step=60))
    final = stage(by_place("F", "bcvwx"), kind="final")
    view = view_of(tournament_file(stage(*heats), final, withdrawals=[("a", "final")]))
    first = {row["name"]: row for heat in (1, 2) for row in presenting.heat_ranking_rows(view, 1, heat)}
    assert first["Player b"]["reason"] == "Among the first 2 of the heat: a direct place."
    assert first["Player a"]["tag"] == "excluded"
    assert (first["Player a"]["article"], first["Player a"]["reason"][:19]) == ("S8", "Renounced the final")
    assert (first["Player c"]["tag"], first["Player c"]["reason"]) == ("substitute", "Goes on in place of Player a.")
    assert (first["Player x"]["article"], first["Player x"]["reason"]) == ("D14", "Goes on in place of Player c.")
    assert first["Player e"]["reason"] == "Eliminated: fifth of the heat."
    assert [reason.article for reason in presenting.substitution_reasons(view, 1)] == ["S8", "D14"]
    decisions = {row["name"]: (row["qualified"], row["decision"]) for row in presenting.repechage_rows(view, 1)}
    assert decisions == {"Player c": (True, "substitute"), "Player x": (False, "substitute")}
    ranking = presenting.final_ranking_rows(view)
    assert ranking[0]["reason"] == "Winner of the final: champion."
    assert "Eliminated in stage 1: fourth of the heat, 16.67% behind" in ranking[5]["reason"]
    excluded = presenting.excluded_rows(view)
    assert [(row["name"], row["article"]) for row in excluded] == [("Player a", "S8")]


def level_heats():
    """Two thirds of 10 % behind, one of them in fewer hands."""
    return (
        totals_heat("A", {"a": 600, "b": 570, "c": 540, "d": 400, "e": 300}),
        totals_heat("B", {"v": 500, "w": 480, "x": 450, "y": 300, "z": 200}),
    )


def test_an_equal_gap_is_not_called_larger():
    view = view_of(tournament_file(stage(*level_heats()), stage(by_place("F", "abvwc"), kind="final")))
    best, behind = presenting.repechage_rows(view, 1)
    assert behind["reason"] == "Level with Player c, who made more points a hand: 27 to 45/2 (22.50)."
    assert best["reason"].startswith("One seat was left: of the thirds of the heats nobody has a smaller")
    assert (best["exact"], behind["exact"]) == ("1/10", "1/10")
    in_the_heat = presenting.heat_ranking_rows(view, 1, 2)[2]
    assert in_the_heat["reason"] == "Eliminated: third of the heat."


def test_the_first_who_was_eliminated_is_behind_the_last_of_the_second_final():
    """The step decided in the overall order, where that one stood before him, whatever his place in the second final."""
    points = (600, 540, 480, 420, 360)
    seconds = [
        totals_heat(name, {f"{name}{at}": score for at, score in enumerate(points, start=1)}, hands_played)
        for name, hands_played in (("a", 20), ("b", 21), ("c", 22))
    ]
    final = stage(by_place("F", ["a1", "b1", "c1", "a2", "b2"]), kind="final")
    second = stage(by_place("S", ["b3", "a4", "c2", "c3", "a3"]), kind="second_final")
    row = presenting.final_ranking_rows(view_of(tournament_file(stage(*seconds), final, second)), 10, 11)[0]
    assert row["name"] == "Player b4"
    assert "Level with Player a4, who made more points a hand: 21 to 20." in row["reason"]


def test_an_infinite_gap_names_the_points_behind():
    heats = (
        totals_heat("A", {"a": 600, "b": 570, "c": 540, "d": 400, "e": 300}),
        totals_heat("B", {"v": 0, "w": -20, "x": -30, "y": -40, "z": -50}),
    )
    view = view_of(tournament_file(stage(*heats), stage(by_place("F", "abvwc"), kind="final")))
    behind = presenting.repechage_rows(view, 1)[1]
    assert (behind["gap"], behind["exact"], behind["article"]) == (None, "", "S7 D13")
    assert "30 points behind him" in behind["reason"]
    last = presenting.final_ranking_rows(view)[-1]
    assert last["reason"].endswith("fifth of a heat whose winner had no points, 50 points behind him.")
    assert last["article"] == "S8 D13"


def test_the_table_of_a_series_says_what_decided_at_equal_points():
    by_place_table = series_table([Edition(1, ("a", "b")), Edition(2, ("b", "a"))])
    assert "reached the same best place later" in reasons.series_reason(by_place_table[1], "b").text
    assert reasons.series_reason(by_place_table[0], "").text == "edition 1: number 2, +12 · edition 2: number 1, +15"
    ledger = series_table([Edition(1, ("a",), {"a": -1, "y": -1, "z": -1})])
    assert reasons.series_reason(ledger[0], "").text == "edition 1: number 1, +15 −1"
    assert reasons.series_reason(ledger[1], "a").text == "edition 1: −1"
    assert "Level with y in everything: both count as number 2." in reasons.series_reason(ledger[2], "y").text


def test_before_and_after_stand_side_by_side_in_words():
    editions = [
        {"edition": number, "ranking": ranking} for number, ranking in ((23, ["a", "old"]), (24, []), (25, ["b", "v"]))
    ]
    final = stage(by_place("F", "vabwc"), kind="final")
    file = tournament_file(stage(*level_heats()), final, editions=editions)
    view = view_of(file)
    rows = presenting_series.agp_rows(view)
    # v 15 + 12, b 10 + 15, and edition 23 counts no more: a has 12 of this one.
    shown = [(row["name"], *row["cells"]) for row in rows[:4]]
    assert shown == [
        ("Player v", 27, 3, "up 2", 12),
        ("Player b", 25, 1, "down 1", 15),
        ("Player a", 12, 2, "down 1", 15),
        ("Player w", 8, None, "new", None),
    ]
    assert [(row["name"], row["place"]) for row in presenting_series.left_rows(view)] == [("old", 4)]
    other = view_of(tournament_file(stage(*level_heats()), final, editions=editions, series="cup"))
    assert [row["cells"] for row in presenting_series.agp_rows(other)] == [[15], [15], [12], [12]]
    assert presenting_series.left_rows(other) == []


# The scoresheet


SEATS = ("a", "b", "c", "d", "e")


def sheet_with(*entries):
    hand = {"caller": "a", "called": "b", "bid": 80, "made": 90}
    view = view_of(tournament_file(stage(hands_heat("A", SEATS, [hand]))))
    return sheet_for_page(heat_view(view, entries=entries))


def cells(row, key="points"):
    return [cell.get(key) for cell in row["cells"]]


def test_a_judged_hand_is_struck_through_and_its_penalty_is_a_row_of_its_own():
    hand = Played(HandOutcome(0, 1, 90, 70), "suicidal_call")
    struck, penalty = sheet_with(Entry(hand))["hands"]
    assert (struck["state"], cells(struck), cells(struck, "total")) == ("voided", [-20, -20, 50, 50, 50], [None] * 5)
    assert struck["reason"] == "Suicidal call of Player a: the hand is voided and the deal moves on."
    assert penalty["label"] == "penalty"
    assert cells(penalty) == [-220, None, None, None, None]
    assert cells(penalty, "total") == [-220, 0, 0, 0, 0]


def test_the_same_dealer_deals_after_a_disloyal_raise():
    entries = (Entry(Admitted(2, 80)), Entry(Played(HandOutcome(0, 1, 80, 90))))
    struck, penalty, repeat = sheet_with(*entries)["hands"]
    assert [row["cells"][0].get("dealer") for row in (struck, repeat)] == [True, True]
    assert (struck["bid"], struck["made"], cells(struck)) == (80, None, [None] * 5)
    assert penalty["reason"] == "Player c, offence 1: −50."


def test_a_correction_shows_the_old_value_the_reason_and_the_article():
    entries = (
        Entry(Played(HandOutcome(0, 1, 80, 90))),
        Entry(Played(HandOutcome(0, 1, 80, 70)), 0, "miscounted"),
        Entry(Played(HandOutcome(0, 2, 82, 70)), 1, "wrong player"),
    )
    (row,) = sheet_with(*entries)["hands"]
    assert (row["state"], row["bid"], row["made"], row["old_bid"], row["old_made"]) == ("corrected", 82, 70, 80, 70)
    assert cells(row) == [-12, 50, -12, 50, 50]
    assert cells(row, "old") == [-10, -10, 50, None, None]
    assert row["reason"] == (
        "Before: 80 bid by Player a with Player b, 90 made. Corrected: “miscounted” "
        "Before: 80 bid by Player a with Player b, 70 made. Corrected: “wrong player”"
    )
    assert row["article"] == "S11"


def test_what_a_ruling_gave_before_its_correction_is_shown_too():
    judged = Played(HandOutcome(0, 1, 90, 70), "disloyal_raise")
    second = Entry(judged)
    entries = (Entry(Admitted(0, 80)), second, Entry(Played(HandOutcome(0, 1, 90, 70)), 1, "taken back"))
    row = sheet_with(*entries)["hands"][2]
    assert cells(row, "old") == [-90, 0, 0, 0, 0]  # second offence: 70, and the 20 points lost
    assert "disloyal raise" in row["reason"]


def test_a_voided_hand_and_an_award_taken_back_keep_their_lines():
    entries = (
        Entry(Played(HandOutcome(0, 0, 80, 90))),
        Entry(Award(3, -50, "S19", "late")),
        Entry(Voided(repeated=True), 0, "cards were short"),
        Entry(Voided(), 1, "he was there"),
    )
    hand, award = sheet_with(*entries)["hands"]
    assert (hand["state"], cells(hand), cells(hand, "old")) == ("voided", [None] * 5, [160, None, None, None, None])
    assert "“cards were short”" in hand["reason"]
    assert (award["label"], award["state"], cells(award)) == ("ruling", "voided", [None] * 5)
    assert cells(award, "old") == [None, None, None, -50, None]
    assert [row["id"] for row in (hand, award)] == ["line-1", "line-2"]


# Whole tournaments


@pytest.mark.parametrize("language", ["it", "tr", "en"])
@pytest.mark.parametrize("seed", range(14))
def test_any_tournament_can_be_put_into_words(seed, language):
    view = view_of(generate_tournament(seed, heats=1 + seed, hands=4))
    with translation.override(language):
        parts = [("tournament", tournament_views._tournament(view)), ("ranking", tournament_views._ranking(view, 1))]
        for outcome in view.outcome.stages:
            parts.append(("stage", tournament_views._stage(view, outcome.number, 1)))
            if outcome.qualification:
                parts.append(("repechage", tournament_views._repechage(view, outcome.number, 1)))
        html = "".join(
            render_to_string(f"tournaments/_{part}.html", {"view": view, "rules": "/rules/", "tabs": [], **context})
            for part, context in parts
        )
        for outcome in view.outcome.stages:
            for heat in range(1, len(outcome.matches) + 1):
                if sheet := sheet_for_page(heat_view(view, outcome.number, heat)):
                    html += render_to_string("components/scoresheet.html", {"sheet": sheet})
    assert "%(" not in html
    assert str(UNPLACED) not in html
    assert "None" not in html
