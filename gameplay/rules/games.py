"""Every card game by its name. A game is one module with the names of `Game`; here it is one line."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol

from core.refusal import Refusal
from gameplay.rules import briscola, gin, gingo
from gameplay.rules.cards import Deck
from gameplay.rules.deals import Deal
from gameplay.rules.moves import Move


class Game(Protocol):
    """What a module offers. Its options, states, views and outcomes are values of its own types."""

    NAME: str
    DECK: Deck
    CARD_VERBS: frozenset[str]
    """Verbs whose value is a card; of all others but `SET_VERBS` it is a number."""
    SET_VERBS: frozenset[str]
    """Verbs whose value is a set of cards."""

    def options(self, given: Mapping[str, Any]) -> Any:
        """Every option with its given, checked value or its default. Refusals: those of `RuleField.check`."""

    def seats(self, options: Any) -> int:
        """How many play."""

    def new_hand(self, deal: Deal, dealer: int, options: Any) -> Any:
        """The state before the first move. Refusal `bad_dealer`."""

    def legal_moves(self, state: Any) -> tuple[Move, ...]:
        """Moves of everybody who may move now, the auctioneer too; () when the hand is over."""

    def apply(self, state: Any, move: Any) -> Any:
        """The state after a move, or a Refusal; the old state stays as it was."""

    def view_for(self, state: Any, seat: int | None) -> Any:
        """What this seat may know, None: a spectator. Nothing else ever leaves."""

    def outcome(self, state: Any) -> Any:
        """What the hand came to, for the scorer; None while it is played."""


GAMES: dict[str, Game] = {
    game.NAME: game
    for game in (
        briscola,
        gin,
        gingo,
    )
}


def game(name: object) -> Game:
    """The game of this name. Refusal `game_unknown`."""
    found = GAMES.get(name) if isinstance(name, str) else None
    if found is None:
        raise Refusal("game_unknown", {"games": tuple(sorted(GAMES))})
    return found
