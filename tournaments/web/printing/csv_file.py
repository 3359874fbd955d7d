"""A document's tables as CSV that a spreadsheet opens with a double click and that does nothing there."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator, Sequence
from decimal import ROUND_HALF_UP, Decimal
from fractions import Fraction

from django.utils.translation import gettext as _
from django.utils.translation import override

from core.templatetags.look import INFINITE
from tournaments.web.printing.document import Cell, Document, Gaps, Lines, Part, Ranking, Sheet
from tournaments.web.printing.pages import words_of_state

Value = int | str
Line = list[Value]

# Where the comma is the decimal sign, spreadsheets part cells at the semicolon.
_COMMA_IS_DECIMAL = ("it", "tr")
# What a cell starts with, spaces left out, makes it a formula. A spreadsheet set to another separator than the file's
# cuts a cell in two, so the place right behind each separator counts as a start.
_FORMULA = re.compile(
    r"""
    ^(?=[\s\u200b\u2060\ufeff]*[=+\-@＝＋－＠])
    | ^(?=[\ ]*[\t\r\n])
    | [;,\t\r\n]"*(?=[=+\-@＝＋－＠])
    """,
    re.VERBOSE,
)
_SURROGATE = re.compile("[\ud800-\udfff]")


class _Figure(str):
    """Digits that the spreadsheet is meant to take for a number."""

    __slots__ = ()


def csv_of(document: Document) -> bytes:
    """UTF-8 with a byte order mark and CRLF; semicolons for it and tr, commas for en.

    A single table starts with its header; several carry their part and caption and have an empty line between.
    Sentences under a caption are a table, others stay out. Ints are plain digits, a ratio is a percentage with two
    decimals and stands exactly, as text, in the column behind it. Text that a spreadsheet could take for a formula or a
    date starts with an apostrophe.
    """
    comma = document.language.split("-")[0] in _COMMA_IS_DECIMAL
    with override(document.language):
        tables = list(_tables(document, comma))
    out = io.StringIO()
    writer = csv.writer(out, delimiter=";" if comma else ",", quoting=csv.QUOTE_NONNUMERIC, lineterminator="\r\n")
    for number, (caption, lines) in enumerate(tables):
        if number:
            out.write("\r\n")
        if len(tables) > 1:
            writer.writerow([neutral(caption)])
        for line in lines:
            writer.writerow([_written(value) for value in line])
    return out.getvalue().encode("utf-8-sig")


def neutral(text: str) -> str:
    """Text that no spreadsheet takes for a formula: an apostrophe stands before what it would start with."""
    return _FORMULA.sub(lambda found: f"{found[0]}'", _SURROGATE.sub("\ufffd", text))


def _written(value: Value) -> Value:
    return value if isinstance(value, (int, _Figure)) else neutral(value)


def _tables(document: Document, comma: bool) -> Iterator[tuple[str, list[Line]]]:
    """Every table under its part and its caption."""
    part = ""
    for block in document.blocks:
        if isinstance(block, Part):
            part = block.title
        elif found := _table(block, comma):
            caption, lines = found
            yield " · ".join(filter(None, (part, caption))), lines


def _table(block: object, comma: bool) -> tuple[str, list[Line]] | None:
    if isinstance(block, Ranking):
        return block.caption, list(_ranking(block, comma))
    if isinstance(block, Gaps):
        return block.caption, list(_gaps(block, comma))
    if isinstance(block, Sheet):
        return " · ".join(filter(None, (block.title, block.subtitle))), list(_sheet(block))
    if isinstance(block, Lines) and block.caption:
        return block.caption, [[_("No."), _("Reason"), _("Article")], *_numbered(block)]
    return None


def _ranking(ranking: Ranking, comma: bool) -> Iterator[Line]:
    rows = ranking.rows
    has_sub = any(row.sub for row in rows)
    has_tag = any(row.tag_text for row in rows)
    has_why = any(row.reason for row in rows)
    ratios = [any(isinstance(row.cells[at], Fraction) for row in rows) for at in range(len(ranking.columns))]
    header: Line = [_("Place"), _("Player"), *([ranking.sub_label] if has_sub else [])]
    for label, is_ratio in zip(ranking.columns, ratios, strict=True):
        header += [label, _exactly(label)] if is_ratio else [label]
    yield [*header, *([_("Decision")] if has_tag else []), *([_("Reason"), _("Article")] if has_why else [])]
    for row in rows:
        line: Line = [row.place, row.name, *([row.sub] if has_sub else [])]
        for cell, is_ratio in zip(row.cells, ratios, strict=True):
            line += _ratio(cell, comma) if is_ratio else [_plain(cell)]
        yield [*line, *([row.tag_text] if has_tag else []), *([row.reason, row.article] if has_why else [])]


def _gaps(gaps: Gaps, comma: bool) -> Iterator[Line]:
    gap = _("Gap")
    header = [_("No."), _("Player"), _("Heat"), gap, _exactly(gap), _("Points"), _("Winner"), _("Decision")]
    yield [*header, _("Reason"), _("Article")]
    for row in gaps.rows:
        ratio = [INFINITE, ""] if row.gap is None else _ratio(row.gap, comma)
        line: Line = [row.order, row.name, row.heat, *ratio, row.points, row.winner_points, row.decision_text]
        yield [*line, row.reason, row.article]


def _sheet(sheet: Sheet) -> Iterator[Line]:
    replaced = [any(hand.cells[seat].old is not None for hand in sheet.hands) for seat in range(len(sheet.players))]
    header: Line = [_("Hand"), _("Bid"), _("Points made"), _("Outcome"), _("State")]
    for player, has_old in zip(sheet.players, replaced, strict=True):
        header += [player.name, f"{player.name}: {_('total')}"]
        header += [f"{player.name}: {_('before')}"] if has_old else []
    yield [*header, _("dealer"), _("caller"), _("called"), _("Reason"), _("Article")]
    for hand in sheet.hands:
        number = hand.label if hand.number is None else hand.number
        line: Line = [number, _plain(hand.bid), _plain(hand.made), hand.outcome, words_of_state(hand.state)]
        marked: dict[str, list[str]] = {"dealer": [], "caller": [], "called": []}
        for player, cell, has_old in zip(sheet.players, hand.cells, replaced, strict=True):
            line += [_plain(cell.points), _plain(cell.total), *([_plain(cell.old)] if has_old else [])]
            for mark, names in marked.items():
                if getattr(cell, mark):
                    names.append(player.name)
        yield [*line, *(" / ".join(names) for names in marked.values()), hand.reason, hand.article]
    line = [_("Total"), "", "", "", ""]
    for total, has_old in zip(sheet.totals, replaced, strict=True):
        line += ["", total, *([""] if has_old else [])]
    yield [*line, "", "", "", "", ""]


def _numbered(block: Lines) -> Iterator[Line]:
    for number, (text, article) in enumerate(block.sentences, start=1):
        yield [number, text, article]


def _plain(cell: Cell) -> Value:
    return "" if cell is None else cell if isinstance(cell, int) else str(cell)


def _exactly(label: str) -> str:
    return _("%(column)s, exactly") % {"column": label}


def _ratio(cell: Cell, comma: bool) -> Sequence[Value]:
    """A percentage and the exact fraction. Without the apostrophe 5/12 would become the fifth of December."""
    if not isinstance(cell, Fraction):
        return [_plain(cell), ""]
    percent = (Decimal(cell.numerator * 100) / Decimal(cell.denominator)).quantize(Decimal("0.01"), ROUND_HALF_UP)
    figure = f"{percent}%".replace(".", ",") if comma else f"{percent}%"
    return [_Figure(figure), f"'{cell.numerator}/{cell.denominator}"]
