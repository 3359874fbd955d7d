"""The first visible sheet of an XLSX workbook as rows of text.

Read with the standard library alone: of a workbook somebody sends, only four parts are opened, none of them beyond a
size, and no document type, so that nothing in it can swell or call out.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from io import BytesIO
from posixpath import dirname, join, normpath
from typing import NamedTuple, NoReturn
from xml.parsers import expat
from zipfile import BadZipFile, ZipFile

from core.refusal import Refusal

UNPACKED = 8 * 1024 * 1024  # bytes of one part; a list of two thousand players needs less than one million
COLUMNS = 40  # what stands further right is passed over
_PIECE = 64 * 1024
# What a broken archive and broken parts of it raise. RuntimeError: a part is encrypted, or packed as nobody packs.
_BROKEN = (BadZipFile, zlib.error, EOFError, OSError, RuntimeError, LookupError, ValueError, expat.ExpatError)
_COLUMN = re.compile(r"[A-Z]{1,3}")
Start = Callable[[str, dict[str, str]], None]
End = Callable[[str], None]


class SheetRow(NamedTuple):
    """One row that has cells: its number as the workbook counts, from 1, and the text of its cells."""

    number: int
    cells: list[str]


class _EnoughError(Exception):
    """Everything that was wanted is read."""


def read_workbook(data: bytes, rows: int) -> list[SheetRow]:
    """The rows of the first visible sheet that have text, `rows` of them at most.

    Refusals: `not_a_workbook`, `workbook_too_large` (a part of it unpacks to more than `UNPACKED` bytes).
    """
    with _refused():
        archive = ZipFile(BytesIO(data))
        book = _target(archive, "", "/officeDocument")
        sheet = _first_sheet(archive, book)
        texts = _texts(archive, book)
        return _rows(archive, sheet, texts, rows)


@contextmanager
def _refused() -> Iterator[None]:
    try:
        yield
    except _BROKEN:
        raise Refusal("not_a_workbook") from None


def _parse(archive: ZipFile, part: str, start: Start, end: End, text: Callable[[str], None]) -> None:
    parser = expat.ParserCreate(namespace_separator="}")
    parser.buffer_text = True
    parser.StartDoctypeDeclHandler = _no_document_type
    parser.StartElementHandler = lambda name, told: start(_local(name), {_local(key): told[key] for key in told})
    parser.EndElementHandler = lambda name: end(_local(name))
    parser.CharacterDataHandler = text
    read = 0
    with archive.open(part) as stream:
        while piece := stream.read(_PIECE):
            read += len(piece)
            if read > UNPACKED:
                raise Refusal("workbook_too_large")
            parser.Parse(piece)
    parser.Parse(b"", True)


def _no_document_type(*_told: object) -> NoReturn:
    raise Refusal("not_a_workbook")


def _local(name: str) -> str:
    return name.rpartition("}")[2]


def _ignore(*_told: object) -> None:
    """What is of no interest."""


def _target(archive: ZipFile, part: str, kind: str, name: str = "") -> str:
    """The part that `part` ("" for the archive itself) relates to by a kind that ends so, or by the id `name`.

    "" where there is none.
    """
    found: list[str] = []

    def start(tag: str, told: dict[str, str]) -> None:
        if tag == "Relationship" and (told["Id"] == name if name else told["Type"].endswith(kind)):
            found.append(told["Target"])

    folder = dirname(part)
    relations = join(folder, "_rels", f"{part[len(folder) :].strip('/')}.rels")
    if relations in archive.namelist():
        _parse(archive, relations, start, _ignore, _ignore)
    return normpath(join("/", folder, found[0])).strip("/") if found else ""


def _first_sheet(archive: ZipFile, book: str) -> str:
    visible: list[str] = []

    def start(tag: str, told: dict[str, str]) -> None:
        if tag == "sheet" and told.get("state", "visible") == "visible":
            visible.append(told["id"])

    _parse(archive, book, start, _ignore, _ignore)
    return _target(archive, book, "", visible[0])


class _Words:
    """Collects the text of `t` and `v`, without the readings (`rPh`) that Japanese workbooks put beside it."""

    def __init__(self) -> None:
        self.parts: list[str] = []
        self.inside = self.beside = False

    def start(self, tag: str) -> None:
        if tag in ("t", "v"):
            self.inside = True
        elif tag == "rPh":
            self.beside = True

    def end(self, tag: str) -> None:
        if tag in ("t", "v"):
            self.inside = False
        elif tag == "rPh":
            self.beside = False

    def text(self, text: str) -> None:
        if self.inside and not self.beside:
            self.parts.append(text)

    def taken(self) -> str:
        text = "".join(self.parts)
        self.parts.clear()
        return text


def _texts(archive: ZipFile, book: str) -> list[str]:
    """The texts that cells share; a workbook need not have any."""
    part = _target(archive, book, "/sharedStrings")
    words, texts = _Words(), list[str]()

    def end(tag: str) -> None:
        words.end(tag)
        if tag == "si":
            texts.append(words.taken())

    if part:
        _parse(archive, part, lambda tag, _told: words.start(tag), end, words.text)
    return texts


class _Sheet:
    """Rows as they are read. Cells and rows may leave out where they stand: then each follows the one before."""

    def __init__(self, texts: list[str], limit: int) -> None:
        self.texts, self.limit = texts, limit
        self.words = _Words()
        self.rows: list[SheetRow] = []
        self.number = self.column = 0
        self.cells: list[str] = []
        self.shared = False

    def start(self, tag: str, told: dict[str, str]) -> None:
        if tag == "row":
            self.number = int(told.get("r", self.number + 1))
            self.cells, self.column = [], 0
        elif tag == "c":
            self.column = _column(told["r"]) if "r" in told else self.column + 1
            self.shared = told.get("t") == "s"
            self.words.taken()
        self.words.start(tag)

    def end(self, tag: str) -> None:
        self.words.end(tag)
        if tag == "c" and self.column <= COLUMNS:
            text = self.words.taken()
            self.cells += [""] * (self.column - len(self.cells) - 1)
            self.cells.append(self.texts[int(text)] if self.shared and text else text)
        elif tag == "row" and any(cell.strip() for cell in self.cells):
            self.rows.append(SheetRow(self.number, self.cells))
            if len(self.rows) >= self.limit:
                raise _EnoughError


def _rows(archive: ZipFile, part: str, texts: list[str], limit: int) -> list[SheetRow]:
    sheet = _Sheet(texts, limit)
    with suppress(_EnoughError):
        _parse(archive, part, sheet.start, sheet.end, sheet.words.text)
    return sheet.rows


def _column(place: str) -> int:
    """Of a cell `B3` the column, from 1."""
    letters = _COLUMN.match(place)
    if letters is None:
        raise ValueError(place)
    number = 0
    for letter in letters[0]:
        number = number * 26 + ord(letter) - 64
    return number
