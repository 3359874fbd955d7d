"""Prints read back as CSV, by a parser that is set to this separator or to another; and the names of their files."""

from __future__ import annotations

import csv
import io
import re
from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.tournaments.prints import HOSTILE, NAMES, names_document, ranking_document, sheet_document
from tournaments.web.printing import Document, Facts, Gap, Gaps, Lines, Ranked, Ranking, csv_of, file_name
from tournaments.web.printing.csv_file import neutral


def tables(document: Document) -> list[list[list[str]]]:
    """The tables of the file: rows of cells, without captions."""
    data = csv_of(document)
    assert data.startswith(b"\xef\xbb\xbf")
    text = data.decode("utf-8-sig")
    assert re.fullmatch(r"(?:[^\r\n]*\r\n)*", text)
    rows = list(csv.reader(io.StringIO(text, newline=""), delimiter="," if document.language == "en" else ";"))
    found: list[list[list[str]]] = [[]]
    for row in rows:
        if row:
            found[-1].append(row)
        else:
            found.append([])
    return found


def test_the_ranking_as_csv_has_every_place_name_and_number():
    document = ranking_document()
    [[head, *rows]] = tables(document)
    assert head[:7] == ["Pos.", "Giocatore", "", "Punti", "Mani vinte", "Distacco", head[6]]
    assert len(rows) == 1000
    for row, written in zip(document.blocks[0].rows, rows, strict=True):
        points, won, gap = row.cells
        assert len(written) == len(head)
        assert (int(written[0]), written[1], written[2], int(written[3])) == (row.place, row.name, row.sub, points)
        assert written[4] == ("" if won is None else str(won))
        assert re.fullmatch(r"\d+,\d\d%", written[5])
        assert written[6][0] == "'"
        assert Fraction(written[6][1:]) == gap
        assert abs(Fraction(written[5][:-1].replace(",", ".")) / 100 - gap) <= Fraction(1, 20000)
        assert written[7:] == [row.tag_text, row.reason, row.article]


def test_the_sheet_as_csv_has_every_hand():
    document = sheet_document()
    [[head, *rows, last]] = tables(document)
    sheet = document.blocks[1]
    assert [cell for cell in head if cell in NAMES] == list(NAMES)
    column = {name: head.index(name) for name in NAMES}
    marks = [head.index(word) for word in ("mazziere", "chiamante", "chiamato")]
    for hand, written in zip(sheet.hands, rows, strict=True):
        assert len(written) == len(head)
        assert list(map(int, written[:3])) == [hand.number, hand.bid, hand.made]
        assert written[4] == {"": "", "voided": "annullata", "corrected": "corretta"}[hand.state]
        for at, (name, cell) in enumerate(zip(NAMES, hand.cells, strict=True)):
            assert int(written[column[name]]) == cell.points
            assert written[column[name] + 1] == ("" if cell.total is None else str(cell.total))
            if cell.old is not None:
                assert int(written[head.index(f"{name}: prima")]) == cell.old
            assert [written[mark] == name for mark in marks] == [cell.dealer, cell.caller, cell.called], at
        assert written[-2:] == [hand.reason, hand.article]
    assert last[0] == "Totale"
    assert [int(last[column[name] + 1]) for name in NAMES] == list(sheet.totals)
    assert len(last) == len(head)


def test_a_ranking_without_further_columns_is_a_list_of_names():
    rows = tuple(Ranked(at, name, ()) for at, name in enumerate(NAMES, start=1))
    [[_, *written]] = tables(Document("Iscritti", "", "", "it", (Ranking("Tutti", (), rows),)))
    assert written == [[str(row.place), row.name] for row in rows]


def test_numbers_are_written_as_a_spreadsheet_of_the_language_reads_them():
    gap = Gap(1, NAMES[0], "B1", -5, 12, Fraction(17, 12), "out")
    for language, line in (
        ("en", '1,"Ada Bonetti","B1","141.67%","\'17/12",-5,12,"out","",""\r\n'),
        ("it", '1;"Ada Bonetti";"B1";"141,67%";"\'17/12";-5;12;"out";"";""\r\n'),
        ("tr", '1;"Ada Bonetti";"B1";"141,67%";"\'17/12";-5;12;"out";"";""\r\n'),
    ):
        assert csv_of(Document("x", "", "", language, (Gaps("c", (gap,)),))).decode("utf-8-sig").endswith(line)
    infinite = Document("x", "", "", "en", (Gaps("c", (replace(gap, gap=None),)),))
    assert tables(infinite)[0][1][3:5] == ["∞", ""]


def test_several_tables_carry_their_captions_and_a_line_between():
    ranking = Ranking("=Finale", ("Punti",), (Ranked("", NAMES[0], (-3,)),))
    document = Document("x", "", "", "en", (ranking, Facts((("a", "b"),)), Lines((("c", ""),)), ranking))
    assert csv_of(document).decode("utf-8-sig") == (
        '"\'=Finale"\r\n"Place","Player","Punti"\r\n"","Ada Bonetti",-3\r\n\r\n'
        '"\'=Finale"\r\n"Place","Player","Punti"\r\n"","Ada Bonetti",-3\r\n'
    )


@pytest.mark.parametrize("name", HOSTILE)
def test_no_name_is_a_formula(name):
    for language in ("it", "en"):
        document = replace(names_document((name,) * 5), language=language)
        cells = [cell for table in tables(document) for row in table for cell in row]
        assert any(name.strip("'\t ") in cell for cell in cells)
        assert not [cell for cell in cells if starts_a_formula(cell)]


def starts_a_formula(cell: str) -> bool:
    plain = re.fullmatch(r"-?\d+", cell)
    return not plain and (cell.lstrip()[:1] in tuple("=+-@＝＋－＠") or cell[:1] in ("\t", "\r", "\n"))


@given(st.lists(st.text(st.sampled_from("=+-@＝＋－＠\t\r\n ;,\"'a7"), max_size=9), min_size=3, max_size=3))
@settings(max_examples=300, deadline=None)
def test_no_text_is_a_formula_whatever_parts_the_cells(texts):
    """Also in a spreadsheet that is set to another separator than the one the file was written for."""
    rows = tuple(Ranked(1, text, (text,)) for text in texts)
    for language in ("it", "en"):
        data = csv_of(Document("x", "", "", language, (Ranking("c", ("p",), rows),))).decode("utf-8-sig")
        for delimiter in ";,\t":
            for row in csv.reader(io.StringIO(data, newline=""), delimiter=delimiter):
                # A blank before the sign makes text of it, unless the cell is what we meant as one.
                assert not [cell for cell in row if cell[:1] in tuple("=+-@＝＋－＠")], data
        own = csv.reader(io.StringIO(data, newline=""), delimiter="," if language == "en" else ";")
        assert not [cell for row in own for cell in row if starts_a_formula(cell)]


def test_what_is_no_formula_stays_as_it_is():
    for text in (*NAMES, "7", "S7 D13", "a=b", "−20", "Ada, Bruno; 3", "O'Neil", "a - b, -", "", "\u202dx"):
        assert neutral(text) == text


@pytest.mark.parametrize(
    ("title", "name"),
    [
        ("Verbale – Manche 2", "verbale-manche-2.pdf"),
        ("Çiğdem Işık'ın sıralaması, İzmir", "cigdem-isik-in-siralamasi-izmir.pdf"),
        ("../../etc/passwd\x00\r\nX: y", "etc-passwd-x-y.pdf"),
        ("Straße Ærø Łódź", "strasse-aero-lodz.pdf"),
        ("王小明", "gingodrome.pdf"),
        ("", "gingodrome.pdf"),
        ("CON", "gingodrome-con.pdf"),
        ("a" * 300, f"{'a' * 80}.pdf"),
    ],
)
def test_a_file_name_is_plain(title, name):
    assert file_name(title, "pdf") == name
