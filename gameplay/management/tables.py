"""Which games can be shown at a terminal: by the type of their view."""

from __future__ import annotations

from typing import Any, Protocol

from core.refusal import Refusal
from gameplay.management.gin_table import GinTable
from gameplay.management.trick_table import TrickTable
from gameplay.rules.gin import GinView
from gameplay.rules.moves import Move
from gameplay.rules.tricks import TrickView


class Table(Protocol):
    """A game in words. Views are those of the reader, who may be a spectator."""

    def lines(self, view: Any) -> list[str]:
        """What lies on the table, and the reader's hand."""

    def told(self, move: Move, before: Any, after: Any) -> list[str]:
        """A move that was made, and what came of it."""

    def closing(self, view: Any) -> list[str]:
        """What came out, once the hand is over."""

    def rules(self, view: Any) -> list[str]:
        """The game in a few lines."""


TABLES: dict[type, Table] = {
    TrickView: TrickTable(),
    GinView: GinTable(),
}


def table_of(view: Any) -> Table:
    """Who tells this view. Refusal `no_table` for a game that cannot be shown here."""
    table = TABLES.get(type(view))
    if table is None:
        raise Refusal("no_table")
    return table
