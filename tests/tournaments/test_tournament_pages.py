"""The pages of one tournament say what its replay gives: rank by rank, gap by gap, hand by hand."""

import json
import re
from html import unescape

import pytest
from django.urls import reverse

from players.actor import SYSTEM
from scoring.models import Entry as EntryRow
from scoring.rules.scoresheet import Award, Entry, Voided
from scoring.web.reasons import ARTICLES
from tests.tournaments.championships import FIVE, championship, in_turn
from tests.tournaments.files import by_place, hands_heat, stage, tournament_file
from tests.tournaments.reading import PARTS, number, pages_of, percent, table, words
from tests.tournaments.rows import CUP, FOLDER, WORLD_2007, first_hand, imported, other_hand
from tournaments.exchange.reading import read_tournament
from tournaments.exchange.records import record_from_file
from tournaments.exchange.result import result_of
from tournaments.models import Entrant
from tournaments.queries.tournament import tournament_for_page
from tournaments.rules.replay import replay
from tournaments.services.results import correct_result

pytestmark = pytest.mark.django_db
MONDIALE = FOLDER / "demo" / "mondiale-3.json"
WORLD_2001 = FOLDER / "championships" / "world-2001.json"


class Told:
    """What a file gives, as the result of its replay, with names for codes."""

    def __init__(self, path):
        file = read_tournament(path.read_bytes() if not isinstance(path, dict) else json.dumps(path).encode())
        names = {player["id"]: player["name"] for player in file["players"]}
        self.result = result_of(replay(record_from_file(file)))
        self.name = lambda code: names.get(code, code)
        self.slug = imported(path).slug

    def heats(self):
        """(stage, heat, match) of every match."""
        seen = {}
        for match in self.result["heats"]:
            seen[match["stage"]] = seen.get(match["stage"], 0) + 1
            yield match["stage"], seen[match["stage"]], match


# What a page says is what the replay gives


@pytest.mark.parametrize("path", [CUP, MONDIALE, WORLD_2001, WORLD_2007], ids=lambda path: path.stem)
def test_every_heat_says_what_its_replay_gives(html, path):
    told = Told(path)
    for at, heat, match in told.heats():
        rows = table(html("heat", told.slug, at, heat), "ranking")
        assert len(rows) == 5
        for row, given in zip(rows, match["ranking"], strict=True):
            assert row[0] == str(given["place"])
            assert row[1].startswith(told.name(given["player"]))
            assert row[2:4] == [number(given["points"]), percent(given["gap_percent"])]
            assert ("Level with" in row[-1]) == (given["decided_by"] is not None)
        stage_rows = table(html("stage", told.slug, at), f"heat-{heat}")
        assert stage_rows == rows


@pytest.mark.parametrize("path", [CUP, MONDIALE, WORLD_2001, WORLD_2007], ids=lambda path: path.stem)
def test_the_repechage_shows_exact_gaps_and_every_substitution(html, path):
    told = Told(path)
    seen = 0
    for given in told.result["qualification"]:
        page = html("repechage", told.slug, given["stage"])
        rows = table(page, "gaps") if given["repechage"] else []
        assert len(rows) == len(given["repechage"])
        for at, (row, line) in enumerate(zip(rows, given["repechage"], strict=True), start=1):
            assert row[0] == str(at)
            assert row[1].startswith(told.name(line["player"]))
            assert line["heat"] in row[1]
            assert row[2].split()[1:] == ([line["gap"]] if line["gap"] != "inf" else [])
            assert ("Level with" in row[-1]) == (line["decided_by"] is not None)
            goes_on = any(word in row[5] for word in ("repechage", "substitute"))
            assert goes_on == (line["player"] in given["qualified"])
        chain = re.search(r'<ol class="chain">.*?</ol>', page, re.DOTALL)
        swaps = re.findall(r"<li>(.*?)</li>", chain[0], re.DOTALL) if chain else []
        for swap, line in zip(swaps, given["substitutions"], strict=True):
            assert words(swap).endswith(f"Article {line['article']}")
            assert told.name(line["out"]) in words(swap)
            assert told.name(line["in"]) in words(swap)
            seen += 1
        for player in given["qualified"]:
            assert told.name(player) in unescape(page)
    assert seen == len([swap for given in told.result["qualification"] for swap in given["substitutions"]])


@pytest.mark.parametrize("path", [CUP, MONDIALE, WORLD_2001, WORLD_2007], ids=lambda path: path.stem)
def test_the_final_ranking_and_the_agp_are_those_of_the_replay(html, path):
    told = Told(path)
    rows = table(html("ranking", told.slug), "ranking")
    for row, given in zip(rows, told.result["final_ranking"], strict=True):
        assert row[0] == str(given["place"])
        assert row[1].startswith(told.name(given["player"]))
        assert row[2] == number(told.result["tournament_points"].get(given["player"], 0))
    if told.result["excluded"]:
        excluded = table(html("ranking", told.slug), "excluded")
        for row, player in zip(excluded, told.result["excluded"], strict=True):
            assert row[1].startswith(told.name(player))
            assert re.search(r"Article (S8|D16)$", row[-1])
    agp = table(html("agp", told.slug), "agp") if told.result["agp"] else []
    for row, given in zip(agp, told.result["agp"], strict=True):
        assert row[:3] == [str(given["rank"]), told.name(given["player"]), number(given["points"])]
        for edition in given["by_edition"]:
            assert f"edition {edition}: " in row[-1]


def test_all_steps_of_a_tie_are_told_with_their_values(html):
    """The cup has ties of every kind; what decided is named with both values."""
    slug = imported(CUP).slug
    page = html("ranking", slug) + "".join(html("stage", slug, at) for at in (1, 2))
    level = re.findall(r"Level with [^<]*", page)
    assert level
    for sentence in level:
        assert re.search(r"\d", sentence), sentence


def test_a_golden_call_is_shown_unless_its_hands_were_invented_beside_published_totals(html):
    told = Told(CUP)
    for at, heat, match in told.heats():
        page = words(html("heat", told.slug, at, heat))
        golden = match["golden_call"]
        if golden:
            assert f"Golden call: {golden['bid']} by {told.name(golden['player'])}" in page
    slug = imported(WORLD_2007).slug
    assert "Golden call" not in html("heat", slug, 1, 1)
    assert "they add up to the totals that were published" in html("heat", slug, 1, 1)


def test_what_was_published_and_what_was_invented_is_said(read, html):
    slug = imported(WORLD_2007).slug
    page = read(reverse("tournament", args=[slug]))
    assert "Published in Gazzetta 7 (2007) n. 1, federgingo; players appear by code." in page
    assert "champion published the rest invented" in page
    heats = read(reverse("stage", args=[slug, 1]))
    assert "totals published, hands invented" in heats
    assert heats.count("invented") > 1
    old = imported(WORLD_2001).slug
    assert "order published, points invented" in read(reverse("heat", args=[old, 1, 1]))
    assert "Only the totals of this match survive" in read(reverse("heat", args=[old, 1, 1]))
    cup = read(reverse("tournament", args=[imported(CUP).slug]))
    assert "Everything in this tournament is invented" in cup


def test_a_reader_goes_from_the_tournament_to_every_hand(client):
    slug = imported(CUP).slug
    start = reverse("tournament", args=[slug])
    seen, waiting = set(), [start]
    while waiting:
        path = waiting.pop()
        if path in seen or not path.startswith(start) or "/print/" in path or path.endswith(".json"):
            continue
        seen.add(path)
        answer = client.get(path)
        assert answer.status_code == 200, path
        waiting += [link.split("#")[0] for link in re.findall(r'href="([^"?]+)', answer.content.decode())]
    assert {reverse(name, args=args) for name, *args in pages_of(slug)} <= seen


def test_before_the_final_the_ranking_says_whom_it_waits_for(read, html):
    file = tournament_file(stage(by_place("A", "abcde"), by_place("B", "vwxyz", step=60)))
    slug = imported(file).slug
    page = read(reverse("ranking", args=[slug]))
    assert "Waiting for: Final" in page
    assert all(f"Player {code}" in page for code in "abvwc")
    assert "Player y" in page  # called to the second final
    assert "Waiting for: Final" in read(reverse("tournament", args=[slug]))
    assert "it moves when the final has been played" in read(reverse("agp", args=[slug]))


# Rules, rulings, versions


def test_the_rules_are_told_in_words_and_those_adjusted_are_marked(read):
    rules = {"second_final_minutes": 90, "tie_chain": ["agp", "lot"], "disloyal_points": [10, 20], "knock_ms": 2500}
    slug = imported(tournament_file(stage(by_place("A", "abcde")), rules=rules)).slug
    page = read(reverse("tournament_rules", args=[slug]))
    assert "4 rules are not the usual ones." in page
    assert "90 minutes adjusted usually as long as a match" in page
    assert "A.G.P. rank, drawn lot adjusted usually hands won, golden call, A.G.P. rank, drawn lot" in page
    assert "10, 20 adjusted usually 50, 70, 100" in page
    assert "2.5 seconds adjusted usually 2 seconds" in page
    assert page.count("as usual") == 14


def correct(row, entry, stage=1, heat=1):
    row.refresh_from_db()
    correct_result(SYSTEM, row.pk, stage=stage, heat=heat, entry=entry, version=row.version, key=f"v{row.version}")
    row.refresh_from_db()


def test_a_correction_is_on_every_page_at_once_with_its_old_value(read, html):
    row = imported(WORLD_2007)
    before = {name: read(reverse(name, args=[row.slug])) for name in PARTS}
    hand = first_hand(row, 1, 1)
    correct(row, other_hand(hand, "misread", made=hand.made + 1))
    heat = html("heat", row.slug, 1, 1)
    line = re.search(rf'<tr class="corrected[^>]*id="line-{hand.line + 1}".*?</tr>', heat, re.DOTALL)[0]
    assert f"{hand.bid} / {hand.made}</del>" in line
    assert "“misread”" in heat
    cases = html("rulings", row.slug)
    assert f'{reverse("heat", args=[row.slug, 1, 1])}#line-{hand.line + 1}"' in cases
    assert "Version 2" in read(reverse("versions", args=[row.slug]))
    change = read(reverse("version", args=[row.slug, 2]))
    assert f"{hand.made + 1} made instead of {hand.bid} bid by" in change
    assert f"Line {hand.line + 1} of the sheet" in change
    assert "no longer has the hash" not in change
    now = {name: read(reverse(name, args=[row.slug])) for name in PARTS}
    assert [name for name in PARTS if now[name] == before[name]] == ["ranking", "agp", "tournament_rules"]


def test_a_change_of_points_is_told_with_names_and_both_values(read):
    file = tournament_file(stage(hands_heat("A", "abcde", [{"caller": "a", "called": "b", "bid": 80, "made": 90}] * 2)))
    row = imported(file)
    first = EntryRow.objects.get(sheet__heat__stage__tournament=row, number=0)
    correct(row, other_hand(first, "misread", called=2, made=90))
    page = read(reverse("version", args=[row.slug, 2]))
    assert "80 bid by Player a with Player c, 90 made instead of 80 bid by Player a with Player b, 90 made" in page
    assert "Player b: place 2 instead of 1, points 80 instead of 160, gap 1/2 instead of 0, decided by no tie" in page
    correct(row, Entry(Award(4, 500, "S19", "council")))
    page = read(reverse("version", args=[row.slug, 3]))
    assert "Line 3 of the sheet: ruling on Player e, 500 points by S19, “council”, where there was nothing." in page
    assert "Player e: order 1 instead of 5, place 1 instead of 4, points 500 instead of 0" in page
    correct(row, Entry(Voided(), 1, "no such hand"))
    assert "“no such hand”" in read(reverse("heat", args=[row.slug, 1, 1]))


def test_every_ruling_is_a_case_and_cases_can_be_asked_for_by_article(read, html, client):
    file = read_tournament(CUP.read_bytes())
    slug = imported(CUP).slug
    given = [
        hand
        for stage in file["stages"]
        for heat in stage["heats"]
        for hand in heat.get("hands", ())
        if "ruling" in hand
    ]
    page = html("rulings", slug)
    assert page.count('class="case-head"') == len(given) == 9
    raises = html("rulings", slug, query="?article=S18")
    assert raises.count('class="case-head"') == sum(hand["ruling"]["kind"] == "disloyal_raise" for hand in given)
    for href, anchor in re.findall(r'<a class="step" href="([^"#]+)#([^"]+)"', page):
        assert f'id="{anchor}"' in client.get(href).content.decode()
    assert client.get(reverse("rulings", args=[slug]) + "?article=S999").status_code == 404


def test_a_judged_hand_is_two_rows_of_the_sheet(read):
    slug = imported(CUP).slug
    view = tournament_for_page(SYSTEM, slug)
    heat = next(at for at, match in enumerate(view.outcome.stages[0].matches, start=1) if match.name == "Tramontana")
    page = read(reverse("heat", args=[slug, 1, heat]))
    assert "Suicidal call of Ivano Lombardini: the hand is voided and the deal moves on." in page
    assert "Ivano Lombardini: −274, of which 74 lost in the hand, and −1 in the standings of the tournament." in page


@pytest.mark.parametrize("path", [CUP, WORLD_2001], ids=lambda path: path.stem)
def test_every_article_opens_one_that_the_rules_have(html, path):
    row = imported(path)
    if path == CUP:
        correct(row, Entry(Award(0, -5, "house rule 12 bis", "shouting")))
    ids = re.findall(r'<div id="([A-Z0-9]+)"', html("rules"))
    assert set(ids) == ARTICLES
    found = set()
    for page in pages_of(row.slug):
        found |= set(re.findall(r'class="article" href="/rules/#([^"]+)"', html(*page)))
    assert {"S8", "D15", "D20", "S7"} <= found <= set(ids)


# The A.G.P. snapshot beside the books


def test_the_snapshot_of_the_file_and_the_books_of_the_house_are_compared(read, html):
    orders = (("p1", "p2", "p3", "p4", "p5"), ("p2", "p1", "p3", "p4", "p5"))
    first, second = in_turn(*orders)
    page = html("agp", second.slug)
    assert "The books of this house tell it otherwise" in page  # its file has no earlier edition
    assert f'href="{reverse("series", args=["world"])}"' in page
    text = read(reverse("agp", args=[second.slug]))
    assert "of editions: none. In the books of this house these editions count before it: 41." in text
    assert "Player p1: here unranked, in the books 1" in text
    assert "otherwise" not in html("agp", first.slug)


def test_a_snapshot_that_agrees_is_not_spoken_of_until_the_books_change(html):
    first = imported(championship(41))
    people = dict(Entrant.objects.filter(tournament=first).values_list("code", "person"))
    second = championship(42) | {"editions_before": [{"edition": 41, "ranking": list(FIVE)}]}
    row = imported(second, people=people)
    assert "otherwise" not in html("agp", row.slug)
    imported(championship(40, order=("q1", "q2", "q3", "q4", "q5")))
    page = words(html("agp", row.slug))
    assert "these editions count before it: 40, 41." in page
    assert "Player p1: here 1, in the books 1" not in page
