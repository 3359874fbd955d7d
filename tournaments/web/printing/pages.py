"""From the rows that the page components take to the blocks of a print, in the active language."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from tournaments.web.printing.document import Gap, Gaps, Hand, HandCell, Ranked, Ranking, Seat, Sheet

Row = Mapping[str, Any]

# The default words of `templates/components/tag.html`.
TAGS = {
    "direct": gettext_lazy("direct"),
    "repechage": gettext_lazy("repechage"),
    "substitute": gettext_lazy("substitute"),
    "out": gettext_lazy("out"),
    "excluded": gettext_lazy("excluded"),
    "reserve": gettext_lazy("reserve"),
    "seed": gettext_lazy("seed"),
    "winner": gettext_lazy("winner"),
    "penalty": gettext_lazy("penalty"),
}


def ranking_of(caption: str, columns: Iterable[object], rows: Iterable[Row], sub_label: str = "") -> Ranking:
    """Rows as in `templates/components/ranking.html`."""
    return Ranking(
        caption=str(caption),
        columns=tuple(str(column) for column in columns),
        rows=tuple(
            Ranked(
                place=row["place"],
                name=str(row["name"]),
                cells=tuple(row["cells"]),
                sub=_text(row, "sub"),
                tag_text=_tag(row, "tag", "tag_text"),
                reason=_text(row, "reason"),
                article=_text(row, "article"),
            )
            for row in rows
        ),
        sub_label=sub_label,
    )


def gaps_of(caption: str, rows: Iterable[Row]) -> Gaps:
    """Rows as in `templates/components/gaps.html`."""
    return Gaps(
        caption=str(caption),
        rows=tuple(
            Gap(
                order=row["order"],
                name=str(row["name"]),
                heat=str(row["heat"]),
                points=row["points"],
                winner_points=row["winner_points"],
                gap=row["gap"],
                decision_text=_tag(row, "decision", "decision_text"),
                reason=_text(row, "reason"),
                article=_text(row, "article"),
            )
            for row in rows
        ),
    )


def sheet_of(sheet: Row, signatures: Sequence[str] | None = None) -> Sheet:
    """A sheet as in `templates/components/scoresheet.html`; who signs are its players unless said otherwise."""
    players = tuple(Seat(str(player["name"]), _text(player, "sub")) for player in sheet["players"])
    return Sheet(
        title=str(sheet["title"]),
        subtitle=_text(sheet, "subtitle"),
        state=sheet.get("state") or "",
        players=players,
        hands=tuple(_hand(hand) for hand in sheet["hands"]),
        totals=tuple(sheet["totals"]),
        signatures=tuple(player.name for player in players) if signatures is None else tuple(signatures),
    )


def _hand(hand: Row) -> Hand:
    return Hand(
        number=hand["number"] if isinstance(hand["number"], int) else None,
        label=_text(hand, "label"),
        bid=hand["bid"],
        made=hand["made"],
        outcome=_text(hand, "outcome"),
        state=hand.get("state") or "",
        cells=tuple(
            HandCell(
                points=cell["points"],
                total=cell["total"],
                old=cell.get("old"),
                dealer=bool(cell.get("dealer")),
                caller=bool(cell.get("caller")),
                called=bool(cell.get("called")),
            )
            for cell in hand["cells"]
        ),
        reason=_text(hand, "reason"),
        article=_text(hand, "article"),
    )


def _text(row: Row, key: str) -> str:
    return str(row.get(key) or "")


def _tag(row: Row, kind: str, text: str) -> str:
    return _text(row, text) or str(TAGS.get(row.get(kind) or "", ""))


def words_of_state(state: str) -> str:
    """The word for the state of a sheet or of a hand; "" for none."""
    return {
        "open": _("open"),
        "closed": _("closed"),
        "frozen": _("frozen"),
        "voided": _("voided"),
        "corrected": _("corrected"),
    }.get(state, "")
