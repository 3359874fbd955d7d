"""Documents to print and a reader of what came out. Names and results are invented."""

from __future__ import annotations

import io
from fractions import Fraction
from functools import cache

from pypdf import PdfReader

from tournaments.web.printing import (
    Document,
    Facts,
    Gap,
    Gaps,
    Hand,
    HandCell,
    Lines,
    Ranked,
    Ranking,
    Seat,
    Sheet,
    pdf_of,
)

NAMES = ("Ada Bonetti", "Bruno De Santis", "Çiğdem Işık", "Dario Lo Verso", "Elif Özgür-Montefiori")
LETTERS = "ğ ş ı İ ç ö ü Ğ Ş Ç Ö Ü à è é ì ò ù À È É Ì Ò Ù"
FOOTER = "Campionato 2007 · Batteria 2 · versione 3"
HOSTILE = (
    '=HYPERLINK("http://x.example","y")',
    "+39 02 1234",
    "-2+3+cmd|' /C calc'!A0",
    "@SUM(1+1)*cmd",
    "  =1+1",
    "＝1+1",
    "\t=1+1",
    "#strong[x] #sys.inputs #read('print.typ')",
    "$x^2$ *b* _i_ `raw` ~ -- ---",
    "[a] \\ \\u{41} @ref <label> // no comment /* nor this */",
    "= Heading",
    '"quoted", ; and \\"escaped\\"',
    "<b>bold</b> &amp; {% now %} {{ x }}",
    "W" * 120,
    "Anna Maria " * 11,
)
FOREIGN = (
    "אבג דהו",
    "محمد علي",
    "王小明",
    "🃏 Joker 👨‍👩‍👧",
    "Ωμέγα Щёлкин",
    "\u202eevil\u202c",
    "\x00\x07bell",
    "\ud800",
)


def hands(count: int) -> tuple[tuple[Hand, ...], tuple[int, ...]]:
    """Invented hands in which each mark, state and sign comes up, and the totals they add up to."""
    totals = [0] * 5
    made = []
    for number in range(1, count + 1):
        caller, called, bid = number % 5, (number * 3) % 5, 61 + number
        points = [bid if seat in (caller, called) else -(number % 7) * 5 for seat in range(5)]
        state = "voided" if number % 13 == 0 else "corrected" if number % 11 == 0 else ""
        if state != "voided":
            totals = [total + more for total, more in zip(totals, points, strict=True)]
        cells = tuple(
            HandCell(
                points=points[seat],
                total=None if state == "voided" else totals[seat],
                old=bid - 2 if state == "corrected" and seat == caller else None,
                dealer=seat == (number + 1) % 5,
                caller=seat == caller,
                called=seat == called,
            )
            for seat in range(5)
        )
        why = ("Rialzo sleale: annullata.", "S18") if state == "voided" else ("", "")
        made.append(Hand(cells, number, "", bid, 120 - number, "vinta", state, *why))
    return tuple(made), tuple(totals)


@cache
def sheet_document(count: int = 40) -> Document:
    played, totals = hands(count)
    sheet = Sheet("Batteria 2", tuple(map(Seat, NAMES)), played, totals, "Tavolo 4", "closed", (*NAMES, "L'arbitro"))
    return Document("Verbale", LETTERS, FOOTER, "it", (Facts((("Luogo", "Trieste"),)), sheet))


@cache
def ranking_document(count: int = 1000) -> Document:
    rows = tuple(
        Ranked(
            place=at + 1,
            name=f"{NAMES[at % 5]} n{at}",
            cells=(3000 - 7 * at, None if at % 50 == 0 else at % 9, Fraction(at, 1204)),
            sub="Circolo di Trieste" if at % 4 == 0 else "",
            tag_text="ripescato" if at % 6 == 0 else "",
            reason="A pari punti il posto è lo stesso." if at % 3 == 0 else "",
            article="S7 D15" if at % 3 == 0 else "",
        )
        for at in range(count)
    )
    return Document("Classifica", "", FOOTER, "it", (Ranking("Finale", ("Punti", "Mani vinte", "Distacco"), rows),))


def names_document(names: tuple[str, ...]) -> Document:
    """Every name wherever a name can stand."""
    played, totals = hands(1)
    blocks = [
        Facts((("Vincitore", names[0]),)),
        Lines(tuple((name, "S8") for name in names), names[0]),
        Ranking(names[0], ("Punti", names[0]), tuple(Ranked(1, name, (1, name), name, name, name) for name in names)),
        Gaps(names[0], tuple(Gap(1, name, name, 1, 0, None, name, name) for name in names)),
    ]
    for at in range(0, len(names), 5):
        five = (names + names)[at : at + 5]
        blocks.append(Sheet(five[0], tuple(Seat(name, name) for name in five), played, totals, five[0], "", five))
    return Document(names[0], names[0], names[0], "it", tuple(blocks))


@cache
def read(document: Document) -> PdfReader:
    return PdfReader(io.BytesIO(pdf_of(document)))


def text_of(page) -> str:
    """The text of a page, one blank between its parts."""
    return " ".join(page.extract_text().replace("\u200b", "").split())


def assert_in_order(text: str, parts) -> None:
    at = 0
    for part in parts:
        found = text.find(part, at)
        assert found >= 0, (part, text[at : at + 200])
        at = found + len(part)
