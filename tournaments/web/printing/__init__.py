"""Print: one document, built from the rows of a page, as PDF and as CSV."""

from __future__ import annotations

from tournaments.web.printing.csv_file import csv_of
from tournaments.web.printing.document import (
    Article,
    Blank,
    Block,
    Card,
    Cards,
    Cell,
    Document,
    Facts,
    Gap,
    Gaps,
    Hand,
    HandCell,
    Lines,
    Part,
    Ranked,
    Ranking,
    Seat,
    Sheet,
)
from tournaments.web.printing.names import disposition, file_name
from tournaments.web.printing.pages import gaps_of, ranking_of, sheet_of
from tournaments.web.printing.pdf import pdf_of

__all__ = [
    "Article",
    "Blank",
    "Block",
    "Card",
    "Cards",
    "Cell",
    "Document",
    "Facts",
    "Gap",
    "Gaps",
    "Hand",
    "HandCell",
    "Lines",
    "Part",
    "Ranked",
    "Ranking",
    "Seat",
    "Sheet",
    "csv_of",
    "disposition",
    "file_name",
    "gaps_of",
    "pdf_of",
    "ranking_of",
    "sheet_of",
]
