"""A document as PDF/UA: A4, black on white, tagged, with its language, without any time.

The template is one fixed file; the document goes in as data, which Typst never reads as markup. The work is done by a
process of its own (`press.py`): Typst keeps what it computed, 10 MB for a sheet and 100 MB for a long ranking, and only
its end gives that back.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from fractions import Fraction
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import override

from core.templatetags.look import articles, figure, percent, score, signed
from tournaments.web.printing.document import (
    Blank,
    Cards,
    Document,
    Facts,
    Gaps,
    Hand,
    HandCell,
    Lines,
    Part,
    Ranking,
    Sheet,
)
from tournaments.web.printing.pages import words_of_state

PRESS = Path(__file__).with_name("press.py")
# Seconds. A ranking of 1,000 rows takes two.
LONGEST = 120
# Letters; a longer text does not get the column to itself.
WIDE = 18
# Marks that turn the direction of all text behind them.
_TURNS = re.compile("[\u202a-\u202e\u2066-\u2069]")
_SPACES = {"Cc", "Zl", "Zp"}

Data = dict[str, Any]


class PrintFailed(Exception):
    """No PDF came out: the press failed or ran for too long. For the log; it says what Typst said."""


def pdf_of(document: Document) -> bytes:
    """The print as bytes; equal documents give equal bytes. Raises PrintFailed."""
    with override(document.language):
        data = _clean(
            {
                "title": document.title,
                "subtitle": document.subtitle,
                "footer": document.footer,
                "language": document.language.split("-")[0],
                "blocks": list(_blocks(document)),
                "bare": any(isinstance(block, Cards) for block in document.blocks),
            }
        )
    # PDF/UA demands a title.
    data["title"] = data["title"].strip() or "–"
    try:
        # Isolated: neither the folder of the press nor a variable of the environment chooses what it imports. It is
        # told where Typst is: the packages of a house need not be those of its interpreter.
        made = subprocess.run(
            [sys.executable, "-I", str(PRESS), _packages()],
            input=json.dumps(data).encode("ascii"),
            capture_output=True,
            timeout=LONGEST,
            check=False,
        )
    except subprocess.TimeoutExpired as late:
        raise PrintFailed(f"not ready after {LONGEST} s") from late
    if made.returncode:
        said = made.stderr.decode("utf-8", "replace").strip().splitlines() or [f"exit status {made.returncode}"]
        raise PrintFailed(said[-1])
    return made.stdout


@cache
def _packages() -> str:
    """The folder in which this process would find Typst, which it never loads itself."""
    found = find_spec("typst")
    if found is None or found.origin is None:
        raise PrintFailed("Typst is not installed")
    return str(Path(found.origin).parents[1])


def _clean(value: Any) -> Any:
    """Texts without what a page cannot show: controls, lone surrogates, marks that turn the rest of a line."""
    if isinstance(value, str):
        plain = "".join(" " if unicodedata.category(letter) in _SPACES else letter for letter in value)
        return _TURNS.sub("", plain).encode("utf-16", "replace").decode("utf-16", "replace")
    if isinstance(value, dict):
        return {key: _clean(inner) for key, inner in value.items()}
    if isinstance(value, list):
        return [_clean(inner) for inner in value]
    return value


def _blocks(document: Document) -> Iterator[Data]:
    first = True
    for block in document.blocks:
        if isinstance(block, Part):
            yield {"kind": "part", "title": block.title, "first": first}
            first = False
        else:
            yield _block(block)


def _block(block: Facts | Lines | Ranking | Gaps | Sheet | Cards | Blank) -> Data:
    if isinstance(block, Facts):
        return {"kind": "facts", "pairs": [list(pair) for pair in block.pairs]}
    if isinstance(block, Lines):
        sentences = [_why(text, article) for text, article in block.sentences]
        return {"kind": "lines", "caption": block.caption, "sentences": sentences}
    if isinstance(block, Ranking):
        return _ranking(block)
    if isinstance(block, Cards):
        return {"kind": "cards", "shape": block.shape, "cards": [asdict(card) for card in block.cards]}
    if isinstance(block, Blank):
        return _blank(block)
    return _gaps(block) if isinstance(block, Gaps) else _sheet(block)


def _why(text: str, article: str) -> Data | None:
    return {"text": text, "articles": articles(article)} if text or article else None


def _ranking(ranking: Ranking) -> Data:
    rows = [
        {
            "place": str(row.place),
            "name": row.name,
            "tag": row.tag_text,
            "sub": row.sub,
            "cells": [figure(cell) for cell in row.cells],
            "why": _why(row.reason, row.article),
        }
        for row in ranking.rows
    ]
    return _table(ranking.caption, [_("Place"), _("Player"), *ranking.columns], rows)


def _gaps(gaps: Gaps) -> Data:
    rows = [
        {
            "place": str(row.order),
            "name": row.name,
            "tag": "",
            "sub": row.heat,
            "cells": [_gap(row.gap), score(row.points), score(row.winner_points), row.decision_text],
            "why": _why(row.reason, row.article),
        }
        for row in gaps.rows
    ]
    head = [_("No."), _("Player"), _("Gap"), _("Points"), _("Winner"), _("Decision")]
    return _table(gaps.caption, head, rows, words=[5])


def _gap(gap: Fraction | None) -> str:
    """As the page has it: for the eye and, where that differs, exactly."""
    if gap is None or gap.denominator == 1:
        return percent(gap)
    return f"{percent(gap)} ({score(gap.numerator)}/{gap.denominator})"


def _table(caption: str, head: list[str], rows: list[Data], words: Sequence[int] = ()) -> Data:
    """`words`: columns of words, set to the left. Columns of long texts share the width with the names."""
    return {
        "kind": "table",
        "caption": caption,
        "head": head,
        "words": list(words),
        "wide": [
            max(map(len, (label, *(row["cells"][at] for row in rows)))) > WIDE for at, label in enumerate(head[2:])
        ],
        "rows": rows,
    }


def _sheet(sheet: Sheet) -> Data:
    return {
        "kind": "sheet",
        "title": sheet.title,
        "subtitle": " · ".join(filter(None, (sheet.subtitle, words_of_state(sheet.state)))),
        "hand": _("Hand"),
        "bid": _("Bid / made"),
        "points": _("Points"),
        "running": _("Total"),
        "total": _("Total"),
        "marks": {"dealer": _("dealer"), "caller": _("caller"), "called": _("called")},
        "players": [{"name": player.name, "sub": player.sub} for player in sheet.players],
        "hands": [_hand(hand) for hand in sheet.hands],
        "totals": [score(total) for total in sheet.totals],
        "signatures": list(sheet.signatures),
    }


def _blank(sheet: Blank) -> Data:
    return {
        "kind": "blank",
        "subtitle": "",
        "hand": _("Hand"),
        "heads": [_("Caller"), _("Called"), _("Bid"), _("Made")],
        "points": _("Points"),
        "running": _("Total"),
        "total": _("Total"),
        "dealer": _("dealer"),
        "players": list(sheet.players),
        "dealers": sheet.drawn,
        "hands": sheet.hands,
        "note": sheet.note,
        "signatures": list(sheet.signatures),
    }


def _hand(hand: Hand) -> Data:
    return {
        "number": "" if hand.number is None else str(hand.number),
        "bid": "" if hand.bid is None else f"{hand.bid} / {figure(hand.made)}",
        "words": " ".join(filter(None, (hand.label, hand.outcome))),
        "voided": hand.state == "voided",
        "state": words_of_state(hand.state),
        "cells": [_cell(cell) for cell in hand.cells],
        "why": _why(hand.reason, hand.article),
    }


def _cell(cell: HandCell) -> Data:
    return {
        "points": "·" if cell.points is None else signed(cell.points),
        "total": "" if cell.total is None else score(cell.total),
        "old": "" if cell.old is None else signed(cell.old),
        "marks": list(_marks(cell)),
    }


def _marks(cell: HandCell) -> Iterator[str]:
    if cell.dealer:
        yield "dealer"
    if cell.caller:
        yield "caller"
    if cell.called:
        yield "called"
