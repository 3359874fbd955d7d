"""Bots: each sees a view and nothing else, and says what it does."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from core.lots import Lots
from core.refusal import Refusal
from gameplay.rules.bots import gin, trick_games
from gameplay.rules.gin import GinView
from gameplay.rules.moves import Move
from gameplay.rules.tricks import TrickView

Chooser = Callable[[Any, int, Lots], Move | None]
CHOOSERS: dict[type, Chooser] = {
    TrickView: trick_games.choose,
    GinView: gin.choose,
}


def choose(view: Any, level: int, lots: Lots) -> Move | None:
    """A lawful move of the seat whose view this is; None: it says nothing, in an open auction.

    `level`: 1 to 3; `lots`: what a bot draws its thoughts from. Refusal `no_bot` for a game that has none.
    """
    chooser = CHOOSERS.get(type(view))
    if chooser is None:
        raise Refusal("no_bot")
    return chooser(view, level, lots)
