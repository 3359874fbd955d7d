"""A file becomes rows and comes out equal; pages, tables and prints show the places that the file gives, every one."""

import csv
import io
import json
import re
from fractions import Fraction
from html.parser import HTMLParser

import pytest
from django.urls import reverse
from django.utils.translation import override

from core.refusal import Refusal
from core.templatetags.look import MINUS, figure, percent
from players.actor import SYSTEM
from tests.tournaments.prints import assert_in_order, read, text_of
from tournaments.exchange.generator import generate_tournament
from tournaments.exchange.records import record_from_file
from tournaments.exchange.result import result_of
from tournaments.queries.tournament import file_for_export, tournament_for_page
from tournaments.rules.replay import replay
from tournaments.services.importing import import_tournament
from tournaments.web import presenting, presenting_series
from tournaments.web.printing import Gaps, Ranking, Sheet, csv_of
from tournaments.web.prints import document_of, print_of

pytestmark = pytest.mark.django_db
LANGUAGES = ("it", "tr", "en")


def imported(seed, heats=None):
    """A random tournament that has gone in and out: its view, what its exported file gives, and its names."""
    file = generate_tournament(seed, heats or 1 + seed % 9, hands=12)
    done = import_tournament(SYSTEM, json.dumps(file).encode())
    assert done.created
    exported = file_for_export(SYSTEM, done.slug)
    assert exported == file, seed
    given = result_of(replay(record_from_file(exported)))
    return tournament_for_page(SYSTEM, done.slug), given, {player["id"]: player["name"] for player in file["players"]}


class Given:
    """What a replayed file says, as plain values that rows of every kind can be compared with."""

    def __init__(self, result, names):
        self.result, self.name = result, lambda code: names.get(code, code)

    def heat(self, stage, heat):
        of_stage = [match for match in self.result["heats"] if match["stage"] == stage]
        return [
            (row["place"], self.name(row["player"]), row["points"], gap_of(row["gap"]))
            for row in of_stage[heat - 1]["ranking"]
        ]

    def repechage(self, stage):
        told = next((each for each in self.result["qualification"] if each["stage"] == stage), {"repechage": ()})
        return [
            (at, self.name(row["player"]), row["heat"], gap_of(row["gap"]), row["player"] in told["qualified"])
            for at, row in enumerate(told["repechage"], start=1)
        ]

    def final(self):
        points = self.result["tournament_points"]
        return [
            (row["place"], self.name(row["player"]), points.get(row["player"], 0))
            for row in self.result["final_ranking"]
        ]

    def excluded(self):
        return [("", self.name(player)) for player in self.result["excluded"]]

    def agp(self):
        return [(row["rank"], self.name(row["player"]), row["points"]) for row in self.result["agp"]]


def gap_of(text):
    return None if text == "inf" else Fraction(text)


def numbers(view):
    """Stage and heat of every match, and every stage with a repechage."""
    heats = [(stage.number, heat) for stage in view.outcome.stages for heat in range(1, len(stage.matches) + 1)]
    return heats, [stage.number for stage in view.outcome.stages if stage.qualification]


def assert_rows(view, given):
    """(b) The rows that the pages are made of."""
    heats, stages = numbers(view)
    for stage, heat in heats:
        rows = presenting.heat_ranking_rows(view, stage, heat)
        assert [(row["place"], row["name"], *row["cells"]) for row in rows] == given.heat(stage, heat)
    for stage in stages:
        rows = presenting.repechage_rows(view, stage)
        assert [
            (row["order"], row["name"], row["heat"], row["gap"], row["decision"] in ("repechage", "substitute"))
            for row in rows
        ] == given.repechage(stage)
    rows = presenting.final_ranking_rows(view)
    assert [(row["place"], row["name"], *row["cells"]) for row in rows] == given.final()
    assert [(row["place"], row["name"]) for row in presenting.excluded_rows(view)] == given.excluded()
    rows = presenting_series.agp_rows(view)
    assert [(row["place"], row["name"], row["cells"][0]) for row in rows] == given.agp()


def tables(data, language):
    """The tables of a CSV, each as its header and its rows."""
    text = io.StringIO(data.decode("utf-8-sig"), newline="")
    found = [[]]
    for row in csv.reader(text, delimiter="," if language == "en" else ";"):
        if row:
            found[-1].append(row)
        else:
            found.append([])
    # One table alone has no caption.
    return found if len(found) == 1 else [table[1:] for table in found]


def exact(cell):
    """A ratio as the CSV has it; "" beside an infinite gap."""
    return Fraction(cell.removeprefix("'")) if cell else None


def printed(view, word, language):
    """The document that is the source of the PDF, and the tables of its CSV."""
    document = document_of(view, print_of(view, word), language)
    assert document.language == language
    return [block for block in document.blocks if isinstance(block, Ranking | Gaps | Sheet)], tables(
        csv_of(document), language
    )


def rows_of(block):
    if isinstance(block, Gaps):
        return [(row.order, row.name, row.heat, row.gap) for row in block.rows]
    return [(row.place, row.name, *row.cells) for row in block.rows]


def ranked(table, *, ratio=False):
    """Rows of a ranking in a CSV: place, name, points and, where there is one, the exact gap."""
    rows = [(int(row[0]), row[1], int(row[2])) for row in table[1:]]
    return [(*start, exact(row[4])) for start, row in zip(rows, table[1:], strict=True)] if ratio else rows


def has(view, word):
    try:
        print_of(view, word)
    except Refusal:
        return False
    return True


def assert_prints(view, given, language):
    """(c) The CSV, parsed again, and (d) the document that the PDF is made of."""
    heats, stages = numbers(view)
    for stage, heat in heats:
        blocks, found = printed(view, f"heat-{stage}-{heat}", language)
        assert rows_of(blocks[0]) == ranked(found[0], ratio=True) == given.heat(stage, heat)
        for sheet in blocks[1:]:
            totals = [(seat.name, total) for seat, total in zip(sheet.players, sheet.totals, strict=True)]
            assert sorted(totals) == sorted(row[1:3] for row in given.heat(stage, heat))
    for stage in dict.fromkeys(stage for stage, _ in heats):
        blocks, found = printed(view, f"heats-{stage}", language)
        of_stage = [heat for at, heat in heats if at == stage]
        for heat, block, table in zip(of_stage, blocks, found, strict=False):
            assert rows_of(block) == ranked(table, ratio=True) == given.heat(stage, heat)
        told = [row[:4] for row in given.repechage(stage)]
        assert [rows_of(block) for block in blocks[len(of_stage) :]] == ([told] if told else [])
    for stage in stages:
        told = given.repechage(stage)
        assert has(view, f"repechage-{stage}") >= bool(told)
        if told:
            [block], [table, *_] = printed(view, f"repechage-{stage}", language)
            in_csv = [(int(row[0]), row[1], row[2], exact(row[4])) for row in table[1:]]
            assert rows_of(block) == in_csv == [row[:4] for row in told]
    assert has(view, "ranking") == bool(given.final())
    if given.final():
        blocks, found = printed(view, "ranking", language)
        assert rows_of(blocks[0]) == ranked(found[0]) == given.final()
        assert [row for block in blocks[1:] for row in rows_of(block)] == given.excluded()
        assert [row[:2] for table in found[1:] for row in table[1:]] == [list(row) for row in given.excluded()]
    assert has(view, "agp") == bool(given.agp())
    if given.agp():
        blocks, found = printed(view, "agp", language)
        assert [row[:3] for row in rows_of(blocks[0])] == ranked(found[0]) == given.agp()


@pytest.mark.parametrize("block", range(10))
def test_random_tournaments_come_out_as_they_went_in_and_every_rank_is_shown(block):
    for seed in range(30 * block, 30 * block + 30):
        view, result, names = imported(seed)
        assert result_of(view.outcome) == result, seed  # (a) the query behind every page
        given, language = Given(result, names), LANGUAGES[seed % 3]
        with override(language):
            assert_rows(view, given)
        assert_prints(view, given, language)


class Rows(HTMLParser):
    """The rows of the tables of a page by the id of the table: words by class of the element that holds them."""

    def __init__(self, html):
        super().__init__()
        self.tables, self.rows, self.words = {}, None, None
        self.following = re.search(r'rel="next" href="(\?page=[0-9]+)"', html)
        self.feed(html)

    def handle_starttag(self, tag, attrs):
        found = dict(attrs)
        classes = (found.get("class") or "").split()
        if tag == "table":
            self.rows = self.tables.setdefault(found.get("id"), [])
        elif tag == "tr" and self.rows is not None and "why" not in classes:
            self.rows.append({})
        elif kind := next((name for name in ("place", "who-name", "who-sub", "exact", "num") if name in classes), None):
            self.words = self.rows[-1].setdefault(kind, []) if self.rows else None
            if self.words is not None:
                self.words.append("")

    def handle_endtag(self, tag):
        if tag in ("span", "a", "td", "th"):
            self.words = None

    def handle_data(self, data):
        if self.words is not None:
            self.words[-1] += data.strip()


def shown(client, name, *args, table):
    """The rows of a table on all pages of a list: place or order, name, then figures."""
    address, rows = reverse(name, args=args), []
    query = ""
    while query is not None:
        answer = client.get(f"{address}{query}")
        assert answer.status_code == 200
        page = Rows(answer.content.decode())
        found = page.tables.get(table, [])
        rows += [(row["place"][0], row["who-name"][0], row.get("who-sub", []), *row["num"]) for row in found[1:]]
        query = page.following and page.following[1]
    return rows


def figures(*values):
    return tuple(str(value).replace("-", MINUS) for value in values)


def on_page(rows):
    """Given rows as a page shows them."""
    return [(*figures(row[0]), row[1], [], *(figure(cell) for cell in row[2:])) for row in rows]


@pytest.mark.parametrize(("seed", "heats"), [(4, 5), (8, 9), (17, 24), (31, 11)])
def test_every_rank_is_on_the_pages(client, seed, heats):
    """(e) The pages as a browser gets them, list by list to the last page."""
    view, result, names = imported(seed, heats)
    given, language = Given(result, names), LANGUAGES[seed % 3]
    client.cookies["language"] = language
    matches, stages = numbers(view)
    with override(language):
        for stage, heat in matches:
            assert shown(client, "heat", view.slug, stage, heat, table="ranking") == on_page(given.heat(stage, heat))
        for stage in stages:
            rows = shown(client, "repechage", view.slug, stage, table="gaps")
            told = given.repechage(stage)
            assert [row[:4] for row in rows] == [
                (str(at), name, [heat], percent(gap)) for at, name, heat, gap, _ in told
            ]
        # The largest of these tournaments has more places than one page.
        assert (len(given.final()) > 100) == (heats == 24)
        assert shown(client, "ranking", view.slug, table="ranking") == on_page(given.final())
        rows = [row[:4] for row in shown(client, "agp", view.slug, table="agp")]
        assert rows == on_page(given.agp())


@pytest.mark.parametrize(("seed", "heats"), [(8, 7), (31, 4)])
def test_every_rank_is_in_the_text_of_the_print(seed, heats):
    """(f) The text that a reader of the PDF copies, searches or hears."""
    view, result, names = imported(seed, heats)
    given, language = Given(result, names), LANGUAGES[seed % 3]
    document = document_of(view, print_of(view, "everything"), language)
    text = " ".join(text_of(page) for page in read(document).pages)
    matches, stages = numbers(view)

    def in_order(rows):
        with override(language):
            parts = [part for row in on_page(rows) for part in (f"{row[0]} {row[1]}", *row[3:])]
        assert_in_order(text, parts)

    in_order(given.final())
    in_order(given.agp())
    for stage, heat in matches:
        in_order(given.heat(stage, heat))
    for stage in stages:
        in_order([(at, name) for at, name, *_ in given.repechage(stage)])
