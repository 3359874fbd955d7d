"""Lists of players as clubs keep them: letters, delimiters, headings, workbooks, and what is wrong with which row."""

import io
import zipfile
from xml.sax.saxutils import escape

import pytest

from core.refusal import Refusal
from tournaments.exchange.entries_file import ROWS, numbered, read_players
from tournaments.exchange.xlsx import UNPACKED, read_workbook

NAMES = ["Ada Arrigoni", "Nicolò D'Este", "Çağla Işık"]


def told(data, encoding=""):
    """Names and clubs of the lines, and rows and codes of the bad ones."""
    listed = read_players(data, encoding)
    return [line[1:] for line in listed.lines], [(bad.row, bad.refusal.code) for bad in listed.bad]


def names(data, encoding=""):
    return [line.name for line in read_players(data, encoding).lines]


MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
KINDS = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"


def relations(*told):
    rows = "".join(f'<Relationship Id="{name}" Type="{KINDS}/{kind}" Target="{to}"/>' for name, kind, to in told)
    return f'<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">{rows}</Relationships>'


def workbook(sheet, shared=None, *, sheets='<sheet name="A" sheetId="1" r:id="rId1"/>', **parts):
    """An XLSX with this XML as the rows of its first sheet."""
    files = {
        "_rels/.rels": relations(("rId1", "officeDocument", "xl/workbook.xml")),
        "xl/workbook.xml": f'<workbook xmlns="{MAIN}" xmlns:r="{KINDS}"><sheets>{sheets}</sheets></workbook>',
        "xl/_rels/workbook.xml.rels": relations(
            ("rId1", "worksheet", "worksheets/sheet1.xml"),
            ("rId2", "worksheet", "/xl/worksheets/sheet2.xml"),
            ("rId3", "sharedStrings", "sharedStrings.xml"),
        ),
        "xl/sharedStrings.xml": f'<sst xmlns="{MAIN}">{shared or ""}</sst>',
        "xl/worksheets/sheet1.xml": f'<worksheet xmlns="{MAIN}"><sheetData>{sheet}</sheetData></worksheet>',
        **parts,
    }
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in files.items():
            archive.writestr(name, text)
    return packed.getvalue()


def inline(*rows):
    """Rows of cells that carry their own text, as most programs write them."""
    cells = ("".join(f'<c t="inlineStr"><is><t>{escape(cell)}</t></is></c>' for cell in row) for row in rows)
    return "".join(f"<row>{row}</row>" for row in cells)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "windows-1254"])
def test_letters_of_every_kind_are_found_out(encoding):
    assert names("\r\n".join(["Nome", *NAMES]).encode(encoding)) == NAMES


def test_italian_letters_of_windows_are_western_and_can_be_said_to_be_turkish():
    data = "Nome;Circolo\nNicolò Rè;Forlì\n".encode("windows-1252")
    assert read_players(data).encoding == "windows-1252"
    assert told(data) == ([("Nicolò Rè", "Forlì")], [])
    turkish = "Ad;Kulüp\nŞule Işık;İzmir\n".encode("windows-1254")
    assert told(turkish, "windows-1252")[0] == [("Þule Iþýk", "Ýzmir")]
    assert told(turkish) == ([("Şule Işık", "İzmir")], [])
    assert read_players(turkish).encoding == "windows-1254"


def test_letters_that_cannot_be_read_make_a_bad_row_and_no_other():
    data = "Ada\nNicol\xf2\nBea\n".encode("latin-1")
    assert told(data, "utf-8") == ([("Ada", ""), ("Bea", "")], [(2, "letters_unreadable")])


@pytest.mark.parametrize("sign", [";", ",", "\t"])
def test_any_delimiter_is_found_and_other_signs_stay_in_the_text(sign):
    other = "," if sign == ";" else ";"
    data = f"Name{sign}Club\nAda{sign}Rossi{other} figli\nBea{sign}\n".encode()
    assert told(data) == ([("Ada", f"Rossi{other} figli"), ("Bea", "")], [])


def test_excels_own_line_about_the_delimiter_is_obeyed_and_not_counted():
    assert read_players(b"sep=,\r\nAda,A;B\r\n;,C\r\nBea;x,y\r\n").bad[0].row == 2
    assert told(b'sep=,\r\n"Rossi; Ada",Circolo\r\n')[0] == [("Rossi; Ada", "Circolo")]


@pytest.mark.parametrize(
    "heading",
    ["Name;Club", "Nome;Circolo", "Ad;Kulüp", "NOMINATIVO ;SOCIETÀ", "Adı Soyadı;Kulübü", "Cognome e nome;Squadra"],
)
def test_headings_of_three_languages(heading):
    listed = read_players(f"{heading}\nAda;Ancora\n".encode())
    assert (listed.headed, listed.lines) == (True, ((2, "Ada", "Ancora"),))


def test_headings_may_stand_in_any_order_and_a_name_in_two_columns():
    assert told(b"N.;Circolo;Cognome;Nome\n1;Ancora;Rossi;Mario\n")[0] == [("Mario Rossi", "Ancora")]
    assert told("Ad;Soyad\nŞule;Işık\n".encode())[0] == [("Şule Işık", "")]
    assert told(b"Surname\nRossi\n")[0] == [("Rossi", "")]


def test_without_a_heading_the_first_column_is_the_name_and_the_second_the_club():
    listed = read_players(b"Ada;Ancora\nBea\n")
    assert (listed.headed, [line[1:] for line in listed.lines]) == (False, [("Ada", "Ancora"), ("Bea", "")])


def test_bad_rows_are_told_by_number_and_reason_and_empty_ones_count():
    data = f"Nome;Club\nAda;x\n\n ; \n;Ancora\n{'A' * 121};\n--;\nA\u202eda;\nBea;{'c' * 121}\nCem\u00a0 Çelik;y\n"
    good, bad = told(data.encode())
    assert good == [("Ada", "x"), ("Cem Çelik", "y")]
    assert bad == [(5, "name_missing"), (6, "bad_name"), (7, "bad_name"), (8, "bad_name"), (9, "bad_club")]


def test_a_quotation_mark_that_is_never_closed_takes_no_row_along_unseen():
    good, bad = told(b'Nome;Club\nAda;x\n"Bea;y\nCem;z\n')
    assert (good, bad) == ([("Ada", "x")], [(3, "bad_name")])


def test_two_namesakes_are_told_apart_by_their_turn():
    lines = read_players("Ada Rossi\nBea\nADA ROSSİ\n".encode()).lines
    assert [nth for _line, nth in numbered(lines)] == [1, 1, 2]


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (b"", "list_empty"),
        (b"\n \n;;\n", "list_empty"),
        (b"Nome;Club\n", "list_empty"),
        (b"Ada\n" * (ROWS + 1), "list_too_long"),
        (b"Nome\n" + b"Ada\n" * (ROWS + 1), "list_too_long"),
        (b"A" * 200_000, "not_a_list"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(600), "old_workbook"),
        (b"PK\x03\x04 and no more", "not_a_workbook"),
        (workbook(inline()), "list_empty"),
        (workbook(inline(*[["Ada"]] * (ROWS + 1))), "list_too_long"),
    ],
)
def test_what_is_no_list(data, code):
    with pytest.raises(Refusal) as refused:
        read_players(data)
    assert refused.value.code == code


def test_as_many_rows_as_may_be_are_read():
    assert len(read_players(b"Nome\n" + b"Ada\n" * ROWS).lines) == ROWS
    assert len(read_players(workbook(inline(["Nome"], *[["Ada"]] * ROWS))).lines) == ROWS


def test_a_workbook_is_read_as_a_list_is():
    data = workbook(inline(["Circolo", "Nome"], ["Ancora", NAMES[2]], ["", ""], ["Bussola", ""]))
    assert told(data) == ([(NAMES[2], "Ancora")], [(4, "name_missing")])
    assert read_players(data).encoding == "xlsx"


def test_cells_and_rows_stand_where_they_say():
    sheet = (
        '<row r="2"><c r="B2" t="s"><v>1</v></c><c r="AB2"><v>7.5</v></c></row>'
        '<row r="9"><c r="A9" t="str"><f>A1&amp;"x"</f><v>Ada</v></c><c r="XFD9" t="s"><v>0</v></c></row>'
        '<row><c r="C10" t="b"><v>1</v></c></row><row r="11"><c r="A11" t="s"/></row>'
    )
    shared = "<si><t>far</t></si><si><r><t>Be</t></r><r><t>a</t></r><rPh><t>reading</t></rPh></si>"
    rows = read_workbook(workbook(sheet, shared), 10)
    assert [(row.number, [cell for cell in row.cells if cell]) for row in rows] == [
        (2, ["Bea", "7.5"]),
        (9, ["Ada"]),
        (10, ["1"]),
    ]
    assert [row.cells.index(text) for row, text in zip(rows, ("7.5", "Ada", "1"), strict=True)] == [27, 0, 2]


def test_the_first_sheet_that_is_shown_counts():
    sheets = '<sheet name="A" sheetId="1" state="hidden" r:id="rId1"/><sheet name="B" sheetId="2" r:id="rId2"/>'
    other = f'<worksheet xmlns="{MAIN}"><sheetData>{inline(["Bea"])}</sheetData></worksheet>'
    assert names(workbook(inline(["Ada"]), sheets=sheets, **{"xl/worksheets/sheet2.xml": other})) == ["Bea"]


BOMB = '<!DOCTYPE x [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;&a;">]>'


@pytest.mark.parametrize(
    ("parts", "code"),
    [
        ({"xl/worksheets/sheet1.xml": f"{BOMB}<worksheet>&b;</worksheet>"}, "not_a_workbook"),
        ({"xl/worksheets/sheet1.xml": "<worksheet>" + " " * (UNPACKED + 1) + "</worksheet>"}, "workbook_too_large"),
        ({"xl/sharedStrings.xml": "<sst>" + "<si/>" * (UNPACKED // 5) + "</sst>"}, "workbook_too_large"),
        ({"xl/worksheets/sheet1.xml": "<worksheet><row>"}, "not_a_workbook"),
        ({"xl/worksheets/sheet1.xml": '<worksheet><row r="x"/></worksheet>'}, "not_a_workbook"),
        ({"xl/worksheets/sheet1.xml": '<worksheet><c r="1"/></worksheet>'}, "not_a_workbook"),
        ({"xl/worksheets/sheet1.xml": '<worksheet><c t="s"><v>7</v></c></worksheet>'}, "not_a_workbook"),
        ({"xl/workbook.xml": "<workbook/>"}, "not_a_workbook"),
        ({"_rels/.rels": relations()}, "not_a_workbook"),
        ({"xl/_rels/workbook.xml.rels": relations(("rId1", "worksheet", "../../../etc/passwd"))}, "not_a_workbook"),
    ],
)
def test_workbooks_that_swell_or_are_broken_are_refused(parts, code):
    with pytest.raises(Refusal) as refused:
        read_players(workbook("", **parts))
    assert refused.value.code == code
