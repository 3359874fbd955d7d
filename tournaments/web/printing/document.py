"""What can be printed, as values. Every text is already in the reader's language; figures are still figures.

The table blocks have the shapes of the page components of the same name (`templates/components/`), so paper, file and
screen say the same in the same order.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

# int: a score; Fraction: an exact ratio, shown as a percentage; None: nothing to show; str: as it is.
Cell = int | Fraction | str | None
# Article ids with a space between, e.g. "S7 D13"; "" for none.
Article = str


@dataclass(frozen=True, slots=True)
class Facts:
    """Pairs of a label and its value: date, place, winner."""

    pairs: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Lines:
    """Sentences, each with its articles, under an optional caption."""

    sentences: tuple[tuple[str, Article], ...]
    caption: str = ""


@dataclass(frozen=True, slots=True)
class Ranked:
    """A row of a ranking. Ties share a place; "" is out of the ranking. `cells`: one for each further column."""

    place: int | str
    name: str
    cells: tuple[Cell, ...]
    sub: str = ""
    tag_text: str = ""
    reason: str = ""
    article: Article = ""


@dataclass(frozen=True, slots=True)
class Ranking:
    """Place, name and further columns. `sub_label` names the quiet second lines where they need a column (CSV)."""

    caption: str
    columns: tuple[str, ...]
    rows: tuple[Ranked, ...]
    sub_label: str = ""


@dataclass(frozen=True, slots=True)
class Gap:
    """A candidate for repechage. `gap`: exactly (W-S)/W, None for an infinite one (D13)."""

    order: int
    name: str
    heat: str
    points: int
    winner_points: int
    gap: Fraction | None
    decision_text: str
    reason: str = ""
    article: Article = ""


@dataclass(frozen=True, slots=True)
class Gaps:
    """The repechage table, smallest gap first (S7)."""

    caption: str
    rows: tuple[Gap, ...]


@dataclass(frozen=True, slots=True)
class Seat:
    """A player at the head of a column of the sheet; `sub` is a quiet second line."""

    name: str
    sub: str = ""


@dataclass(frozen=True, slots=True)
class HandCell:
    """One player in one hand: points, running total, replaced points. Caller and called together: alone."""

    points: int | None = None
    total: int | None = None
    old: int | None = None
    dealer: bool = False
    caller: bool = False
    called: bool = False


@dataclass(frozen=True, slots=True)
class Hand:
    """A line of the sheet. A penalty or an award has a `label` instead of a number. `cells`: one for each player."""

    cells: tuple[HandCell, ...]
    number: int | None = None
    label: str = ""
    bid: int | None = None
    made: int | None = None
    outcome: str = ""
    state: Literal["", "voided", "corrected"] = ""
    reason: str = ""
    article: Article = ""


@dataclass(frozen=True, slots=True)
class Sheet:
    """The verbale of one match: hands down, players across. `signatures`: who signs at the foot."""

    title: str
    players: tuple[Seat, ...]
    hands: tuple[Hand, ...]
    totals: tuple[int, ...]
    subtitle: str = ""
    state: Literal["", "open", "closed", "frozen"] = ""
    signatures: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Card:
    """A card to be cut out. `qr`: a square to be read by a phone, as SVG; `alt` says what it is."""

    name: str
    lines: tuple[str, ...]
    foot: str
    qr: str = ""
    alt: str = ""


@dataclass(frozen=True, slots=True)
class Cards:
    """Place cards, four to a page, or badges, eight to a page. They are all of their document."""

    shape: Literal["place", "badge"]
    cards: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class Blank:
    """A scoresheet to be written by hand, with so many lines; `drawn`: the first of the players deals first."""

    players: tuple[str, ...]
    drawn: bool
    hands: int
    note: str
    signatures: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Part:
    """What follows, up to the next part, is a part of its own: it begins on a new page."""

    title: str


Block = Facts | Lines | Ranking | Gaps | Sheet | Part | Cards | Blank


@dataclass(frozen=True, slots=True)
class Document:
    """One print. `footer` names tournament, heat and version; `language` is it, tr or en."""

    title: str
    subtitle: str
    footer: str
    language: str
    blocks: tuple[Block, ...]
