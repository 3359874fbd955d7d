"""Lists of players as clubs keep them, CSV or XLSX: who is in them, and what is wrong with which row.

Nothing is asked of a list but a name in each row. Delimiter, letters and headings are found out; what was found out
is told, so that a person can say otherwise.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterable, Iterator, Sequence
from io import StringIO
from typing import NamedTuple
from unicodedata import category

from core.refusal import Refusal
from players.rules.names import search_key
from players.services import JOINERS, checked_name
from tournaments.exchange.xlsx import SheetRow, read_workbook

ROWS = 2000
CLUB_LENGTH = 120
ENCODINGS = ("utf-8", "windows-1252", "windows-1254")
WORKBOOK, UTF_16 = "xlsx", "utf-16"
_DELIMITERS = "\t;,"
_LOOKED_AT = 30  # rows by which the delimiter is found
_SEPARATOR = re.compile("sep=([\t;,])\\s*", re.IGNORECASE)
_SPACES = re.compile("[ \u00a0\t]+")  # not line breaks: a quotation mark that is never closed shall be seen
# The six places in which the two Windows alphabets differ: ĞğİışŞ here, ÐðÝýÞþ there.
_TURKISH = frozenset(b"\xd0\xf0\xdd\xfd\xde\xfe")
# Headings as `search_key` spells them.
_NAME = {
    *("name", "nome", "ad", "adi", "isim", "player", "players", "giocatore", "giocatori", "oyuncu", "oyuncular"),
    *("nominativo", "full name", "nome completo", "nome e cognome", "cognome e nome", "nome cognome", "cognome nome"),
    *("ad soyad", "adi soyadi", "ad soyadi", "isim soyisim"),
}
_FIRST = {"name", "nome", "ad", "adi", "isim", "first name", "firstname", "given name", "forename"}
_SURNAME = {"surname", "last name", "lastname", "family name", "cognome", "soyad", "soyadi", "soyisim"}
_CLUB = {"club", "team", "circolo", "societa", "associazione", "squadra", "kulup", "kulubu", "dernek", "takim"}


class Line(NamedTuple):
    """A player of the list, by the number of his row. `club`: "" where the list has none."""

    row: int
    name: str
    club: str


class Bad(NamedTuple):
    """A row that cannot be entered: `name_missing`, `bad_name`, `bad_club` or `letters_unreadable`."""

    row: int
    text: str
    refusal: Refusal


class PlayerList(NamedTuple):
    """A list that was read. `encoding`: one of `ENCODINGS`, or `WORKBOOK`, `UTF_16`; `headed`: it has a heading."""

    lines: tuple[Line, ...]
    bad: tuple[Bad, ...]
    encoding: str
    headed: bool


class _Columns(NamedTuple):
    """Where what stands: the columns whose words together are the name, in order, and that of the club or None."""

    name: tuple[int, ...]
    club: int | None


def read_players(data: bytes, encoding: str = "") -> PlayerList:
    """Everybody in a list. `encoding`: one of `ENCODINGS`, which somebody chose; "" to find it out.

    Refusals: `list_empty`, `list_too_long`, `old_workbook`, `not_a_workbook`, `workbook_too_large`, `not_a_list`.
    """
    if data.startswith(b"PK"):
        rows, encoding = read_workbook(data, ROWS + 2), WORKBOOK
    elif data.startswith(b"\xd0\xcf\x11\xe0"):
        raise Refusal("old_workbook")
    else:
        text, encoding = _decoded(data, encoding)
        rows = _csv_rows(text)
    columns = _columns(rows[0].cells) if rows else None
    players = rows[1:] if columns else rows
    if not players:
        raise Refusal("list_empty")
    if len(players) > ROWS:
        raise Refusal("list_too_long", {"limit": ROWS})
    lines: list[Line] = []
    bad: list[Bad] = []
    for row in players:
        name, club = _taken(row.cells, columns or _Columns((0,), 1))
        try:
            lines.append(_line(row, name, club))
        except Refusal as refusal:
            bad.append(Bad(row.number, ", ".join(filter(None, (name, club)))[:CLUB_LENGTH], refusal))
    return PlayerList(tuple(lines), tuple(bad), encoding, columns is not None)


def _decoded(data: bytes, encoding: str) -> tuple[str, str]:
    """The text, and what it was taken for. Letters that cannot be read are U+FFFD."""
    for mark, name in ((b"\xef\xbb\xbf", "utf-8-sig"), (b"\xff\xfe", UTF_16), (b"\xfe\xff", UTF_16)):
        if data.startswith(mark):
            return data.decode(name, errors="replace"), "utf-8" if name == "utf-8-sig" else name
    if not encoding:
        try:
            return data.decode("utf-8"), "utf-8"
        except UnicodeDecodeError:
            # Names with ğ, ı or ş are met more often where this is played than names with ð, ý or þ.
            encoding = "windows-1254" if _TURKISH.intersection(data) else "windows-1252"
    return data.decode(encoding, errors="replace"), encoding


def _csv_rows(text: str) -> list[SheetRow]:
    """Rows that have text, with their numbers. Refusals: `not_a_list`, `list_too_long`."""
    lines = text.splitlines(keepends=True)
    # Excel writes `sep=;` above a list, and does not show it.
    told = _SEPARATOR.fullmatch(lines[0]) if lines else None
    if told:
        del lines[0]
    reader = csv.reader(StringIO("".join(lines), newline=""), delimiter=told[1] if told else _delimiter(lines))
    rows = []
    try:
        for number, cells in enumerate(reader, start=1):
            if any(cell.strip() for cell in cells):
                rows.append(SheetRow(number, cells))
                if len(rows) > ROWS + 1:
                    break
    except csv.Error:
        raise Refusal("not_a_list") from None
    return rows


def _delimiter(lines: Sequence[str]) -> str:
    """The sign that stands in most of the first rows; of several the first of `_DELIMITERS`."""
    looked = [line for line in lines if line.strip()][:_LOOKED_AT]
    return max(_DELIMITERS, key=lambda sign: sum(sign in line for line in looked))


def _columns(cells: Sequence[str]) -> _Columns | None:
    """What the first row says that stands where; None if it is a player already."""
    headings = [search_key(cell) for cell in cells]
    surname = _first(headings, _SURNAME)
    name = _first(headings, _FIRST if surname is not None else _NAME)
    club = _first(headings, _CLUB)
    if surname is None and name is None:
        return None
    return _Columns(tuple(column for column in (name, surname) if column is not None), club)


def _first(headings: Sequence[str], wanted: Iterable[str]) -> int | None:
    return next((column for column, heading in enumerate(headings) if heading in wanted), None)


def _taken(cells: Sequence[str], columns: _Columns) -> tuple[str, str]:
    def at(column: int) -> str:
        return _SPACES.sub(" ", cells[column]).strip() if column < len(cells) else ""

    name = " ".join(filter(None, map(at, columns.name)))
    return name, at(columns.club) if columns.club is not None else ""


def _line(row: SheetRow, name: str, club: str) -> Line:
    if "\ufffd" in name + club:
        raise Refusal("letters_unreadable")
    if not name:
        raise Refusal("name_missing")
    return Line(row.number, checked_name(name), checked_club(club) or "")


def checked_club(text: str) -> str | None:
    """The words for somebody's club as they are kept, None for none.

    Refusal `bad_club`: more than 120 characters, or one that nobody sees.
    """
    bare = text.strip()
    unseen = any(category(sign) in ("Cc", "Cf", "Cs") for sign in bare if sign not in JOINERS)
    if unseen or len(bare) > CLUB_LENGTH:
        raise Refusal("bad_club", {"length": CLUB_LENGTH}, pointer="/club")
    return bare or None


def numbered(lines: Iterable[Line]) -> Iterator[tuple[Line, int]]:
    """Each line with how many of its name the list has up to it: of two namesakes the second is 2."""
    seen: dict[str, int] = {}
    for line in lines:
        key = search_key(line.name)
        seen[key] = seen.get(key, 0) + 1
        yield line, seen[key]
