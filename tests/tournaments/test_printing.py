"""Prints read back as PDF, by their text and by their tags."""

from __future__ import annotations

import io
import os
import re
import subprocess
import sys
from collections import Counter
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest
from django.utils import translation
from pypdf import PdfReader
from pypdf.generic import ArrayObject, DictionaryObject

from tests.tournaments.prints import (
    FOOTER,
    FOREIGN,
    HOSTILE,
    LETTERS,
    NAMES,
    assert_in_order,
    names_document,
    ranking_document,
    read,
    sheet_document,
    text_of,
)
from tournaments.web import printing
from tournaments.web.printing import (
    Document,
    Gap,
    Gaps,
    Ranked,
    Ranking,
    csv_of,
    gaps_of,
    pdf,
    pdf_of,
    ranking_of,
    sheet_of,
)
from tournaments.web.styleguide import context


def elements(reader: PdfReader) -> list[DictionaryObject]:
    """The structure elements, in reading order."""
    found = []

    def walk(node):
        node = node.get_object()
        if isinstance(node, ArrayObject):
            for child in node:
                walk(child)
        elif isinstance(node, DictionaryObject):
            if "/S" in node:
                found.append(node)
            if "/K" in node:
                walk(node["/K"])

    walk(reader.trailer["/Root"]["/StructTreeRoot"]["/K"])
    return found


# PDF: what it says


def test_every_hand_stands_on_paper_in_the_order_of_the_screen():
    document = sheet_document()
    text = " ".join(text_of(page) for page in read(document).pages)
    assert_in_order(text, ["Verbale", LETTERS, "Luogo", "Trieste", "Batteria 2", "Tavolo 4 · chiuso", *NAMES[:2]])
    sheet = document.blocks[1]
    parts = []
    for hand in sheet.hands:
        parts += [f"{hand.number} {hand.bid} / {hand.made}", "vinta"]
        for cell in hand.cells:
            figures = [cell.old, cell.points] if cell.old is not None else [cell.points]
            parts += [f"{'+' if figure > 0 else ''}{figure}".replace("-", "−") for figure in figures]
            parts += [] if cell.total is None else [str(cell.total).replace("-", "−")]
        parts += ["annullata", "Rialzo sleale: annullata.", "S18"] if hand.state == "voided" else []
        parts += ["corretta"] if hand.state == "corrected" else []
    parts += ["Totale", *(str(total).replace("-", "−") for total in sheet.totals)]
    parts += ["mazziere", "chiamante", "chiamato", *NAMES, "L'arbitro"]
    assert_in_order(text, parts)


def test_a_thousand_rows_keep_their_order_and_every_page_its_head_and_number():
    document = ranking_document()
    pages = [text_of(page) for page in read(document).pages]
    assert len(pages) > 20
    for number, text in enumerate(pages, start=1):
        assert "Pos. Giocatore Punti Mani vinte Distacco" in text
        assert f"{FOOTER} {number} / {len(pages)}" in text
    parts = []
    for row in document.blocks[0].rows:
        points, won, gap = row.cells
        parts += [f"{row.place} {row.name}", row.tag_text, row.sub] if row.sub else [f"{row.place} {row.name}"]
        parts += [str(points).replace("-", "−"), "–" if won is None else str(won)]
        parts += [f"{float(gap) * 100:.2f}%".replace(".", ","), *([row.reason, "S7", "D15"] if row.reason else [])]
    assert_in_order(" ".join(pages), parts)


def test_the_repechage_has_exact_gaps_in_the_language_of_the_reader():
    rows = (
        Gap(1, NAMES[2], "Batteria 1", 987, 1204, Fraction(217, 1204), "ripescata", "Il distacco minore.", "S7"),
        Gap(2, NAMES[1], "Batteria 2", -60, 0, None, "fuori", "Distacco infinito.", "D13"),
    )
    for language, percent in (("it", "18,02%"), ("tr", "%18,02"), ("en", "18.02%")):
        document = Document("Ripescaggio", "", FOOTER, language, (Gaps("Secondi", rows),))
        text = text_of(read(document).pages[0])
        parts = ["1", NAMES[2], percent, "987", "1204", "ripescata", "Il distacco minore.", "S7"]
        assert_in_order(text.replace("Batteria 1", ""), parts)
        assert_in_order(text, ["2", NAMES[1], "∞", "−60", "0", "fuori", "Distacco infinito.", "D13"])


def test_a_row_is_never_parted_from_its_reason():
    for page in read(ranking_document()).pages:
        text = text_of(page)
        body = text.partition("Distacco ")[2]
        assert re.match(r"\d+ \w+", body)
        assert not body.startswith("A pari punti")


# PDF: what it is


@pytest.mark.parametrize("document", [sheet_document(), ranking_document(60)], ids=["sheet", "ranking"])
def test_no_time_is_in_a_print(document):
    data = pdf_of(document)
    reader = PdfReader(io.BytesIO(data))
    assert set(reader.metadata) == {"/Title", "/Creator"}
    packet = reader.trailer["/Root"]["/Metadata"].get_data().decode()
    for word in ("CreationDate", "ModDate", "CreateDate", "ModifyDate", "MetadataDate", "LastModified"):
        assert word.encode() not in data
        assert word not in packet


def test_the_same_document_gives_the_same_bytes(monkeypatch):
    first = pdf_of(sheet_document())
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "86400")
    monkeypatch.setenv("TZ", "Asia/Tokyo")
    monkeypatch.setenv("TYPST_FONT_PATHS", "/usr/share/fonts")
    with translation.override("tr"):
        assert pdf_of(sheet_document()) == first
    assert csv_of(sheet_document()) == csv_of(sheet_document())
    assert pdf_of(replace(sheet_document(), footer="versione 4")) != first


def test_a_print_is_tagged_and_says_its_language():
    reader = read(sheet_document())
    root = reader.trailer["/Root"]
    assert root["/Lang"] == "it"
    assert root["/MarkInfo"]["/Marked"]
    assert "<pdfuaid:part>1</pdfuaid:part>" in root["/Metadata"].get_data().decode()
    found = elements(reader)
    kinds = Counter(element["/S"] for element in found)
    heads = 2 + 5 + 2 * 5
    assert (kinds["/Table"], kinds["/THead"], kinds["/TFoot"]) == (1, 1, 1)
    assert kinds["/TH"] == heads
    assert kinds["/TR"] >= 2 + 40 + 1
    assert kinds["/H1"] == 1
    said = Counter(element["/Alt"] for element in found if "/Alt" in element)
    # One for each hand and one in the legend.
    assert said["mazziere"] == said["chiamante"] == said["chiamato"] == 41


def test_fonts_are_ours_and_embedded_as_subsets():
    document = names_document((*NAMES, *FOREIGN))
    fonts = {}
    for page in read(document).pages:
        for font in page["/Resources"]["/Font"].values():
            inner = font.get_object()["/DescendantFonts"][0].get_object()
            fonts[str(inner["/BaseFont"])] = inner["/FontDescriptor"].get_object()
    assert all(
        re.match(r"/[A-Z]{6}\+(Vollkorn-(Medium|Bold)|DejaVuSans|GingodromeBoxes-Regular)", name) for name in fonts
    )
    assert len(fonts) == 4
    assert all({"/FontFile2", "/FontFile3"} & set(descriptor) for descriptor in fonts.values())


def test_every_font_has_its_licence():
    folder = Path(printing.__file__).parent / "fonts"
    licences = (folder / "LICENSES.md").read_text(encoding="utf-8")
    assert all(f"`{font.name}`" in licences for font in folder.glob("*.ttf"))
    assert "SIL OPEN FONT LICENSE Version 1.1" in licences
    assert "Bitstream Vera Fonts Copyright" in licences


def test_pages_do_not_load_the_press():
    check = "import sys, tournaments.web.printing; sys.exit('typst' in sys.modules or 'pypdf' in sys.modules)"
    root = Path(printing.__file__).parents[3]
    subprocess.run([sys.executable, "-c", check], cwd=root, check=True, env={**os.environ, "PYTHONPATH": str(root)})


# PDF: what it must not become


def squeezed(text: str) -> str:
    return re.sub(r"[\s\u200b]", "", text)


def test_hostile_names_are_set_as_they_are():
    document = names_document(HOSTILE)
    reader = read(document)
    text = squeezed("".join(page.extract_text() for page in reader.pages))
    for name in HOSTILE:
        # As a sentence, five times in the ranking, four in the repechage, three on a sheet, more where it heads a part.
        assert text.count(squeezed(name)) >= 1 + 5 + 4 + 3, name
    assert reader.metadata["/Title"] == HOSTILE[0]
    assert not any("/Annots" in page for page in reader.pages)


def test_letters_without_a_glyph_keep_their_meaning():
    reader = read(names_document((*NAMES, *FOREIGN)))
    data = b"".join(page.get_contents().get_data() for page in reader.pages)
    text = "".join(page.extract_text() for page in reader.pages)
    assert "Ωμέγα Щёлкин" in text
    assert "evil" in text
    assert "\u202e" not in text
    assert {*"אבגדהו", *"محدعلي"} <= set(text)
    # Set as boxes, copied and read aloud as what they are: the first box by the map of its font, the others by a mark.
    meant = [bytes.fromhex(found.decode()).decode("utf-16") for found in re.findall(rb"/ActualText<([0-9A-F]+)>", data)]
    assert "王" in text
    assert {*"小明", "🃏"} <= set("".join(meant))


def test_no_letter_of_unicode_breaks_a_print():
    every = "".join(map(chr, range(0, 0x110000, 29)))
    names = tuple(every[at : at + 120] for at in range(0, len(every), 120))
    document = Document("x", "", FOOTER, "tr", (Ranking("", (), tuple(Ranked(1, name, ()) for name in names)),))
    assert f"1 / {len(read(document).pages)}" in text_of(read(document).pages[0])


def test_a_ranking_without_further_columns_is_a_list_of_names():
    rows = [Ranked(at, name, (), reason="Perché sì." if at == 2 else "") for at, name in enumerate(NAMES, start=1)]
    document = Document("Iscritti", "", FOOTER, "it", (Ranking("Tutti", (), tuple(rows)),))
    assert "1 Ada Bonetti 2 Bruno De Santis Perché sì. 3 Çiğdem" in text_of(read(document).pages[0])


def test_a_title_of_nothing_is_still_a_print():
    document = Document(" \x00", "", "", "en", ())
    assert read(document).metadata["/Title"] == "–"


def test_a_failed_press_is_told(monkeypatch):
    document = Document("x", "", "", "en", ())
    with pytest.raises(pdf.PrintFailed, match="language"):
        pdf_of(replace(document, language="xyzw"))
    monkeypatch.setattr(pdf, "LONGEST", 0.001)
    with pytest.raises(pdf.PrintFailed, match="not ready"):
        pdf_of(document)


# From pages


@pytest.mark.parametrize("language", ["it", "tr", "en"])
def test_the_rows_of_the_page_components_can_be_printed(language):
    with translation.override(language):
        page = context()
        ranking = ranking_of("Classifica", page["ranking_columns"], page["ranking"])
        gaps = gaps_of("Ripescaggio", page["gaps"])
        sheet = sheet_of(page["sheet"])
    assert [row.name for row in ranking.rows] == [row["name"] for row in page["ranking"]]
    assert ranking.rows[1].tag_text == {"it": "ripescato", "tr": "farkla", "en": "repechage"}[language]
    assert gaps.rows[2].gap is None
    assert sheet.signatures == NAMES
    assert sheet_of(page["sheet"], ("Arbitro",)).signatures == ("Arbitro",)
    text = " ".join(text_of(page) for page in read(Document("x", "", FOOTER, language, (ranking, gaps, sheet))).pages)
    penalty = {"it": "penalità", "tr": "ceza", "en": "penalty"}[language]
    assert_in_order(
        text, ["1 Ada Bonetti", "4 Bruno De Santis", "∞", "3", "74 / 61", penalty, "−63 −13", "4", "+142", "+144"]
    )
