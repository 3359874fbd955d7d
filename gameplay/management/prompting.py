"""What a person may type at a terminal, and what it means: a number of the list, a bid, or a card."""

from __future__ import annotations

import re
from collections.abc import Iterator

from django.utils.translation import gettext as _

from gameplay.management.talking import TIED, short
from gameplay.rules.cards import Deck
from gameplay.rules.games import Game
from gameplay.rules.moves import Move


class Choice:
    """The lawful moves of a person, numbered. A bid has no number of its own: it is typed as it is."""

    def __init__(self, seat: int, moves: tuple[Move, ...], game: Game) -> None:
        self._seat, self._game = seat, game
        self._bids = [move for move in moves if move.verb == "bid"]
        self._others = [move for move in moves if move.verb != "bid"]

    def lines(self) -> Iterator[str]:
        """The list, one line for each verb."""
        if self._bids:
            low, high = self._bids[0].value, self._bids[-1].value
            yield "  " + _("a bid from %(low)s to %(high)s") % {"low": low, "high": high}
        verbs = dict.fromkeys(move.verb for move in self._others)
        width = max(map(len, map(verb_name, verbs)), default=0)
        for verb in verbs:
            items = [self._item(number, move) for number, move in enumerate(self._others, 1) if move.verb == verb]
            yield f"  {verb_name(verb):<{width}}  " + "  ".join(items)

    def _key(self, number: int) -> str:
        """Beside bids a number would be one of them: there a letter stands for the other move, `p`."""
        return self._others[number - 1].verb[0] if self._bids else str(number)

    def _item(self, number: int, move: Move) -> str:
        key = self._key(number)
        if move.verb not in self._game.CARD_VERBS:
            return f"[{key}]"
        return f"[{key}] {short(move.value, self._game.DECK)}".replace(" ", TIED)

    def meant(self, text: str) -> Move | None:
        """The move that was typed, whether lawful or not; None for what means nothing.

        A number of the list or a bid; a card, with or without its verb: without one, the first that takes a card.
        """
        text = " ".join(text.split()).casefold()
        if re.fullmatch(r"[0-9]{1,3}", text) and self._bids:
            return Move(self._seat, "bid", int(text))
        for number, move in enumerate(self._others, 1):
            if text == self._key(number):
                return move
        for verb in dict.fromkeys(move.verb for move in self._others):
            names = (verb, verb_name(verb).casefold())
            if verb not in self._game.CARD_VERBS:
                if text in names:
                    return Move(self._seat, verb)
                continue
            for name in ("", *(f"{name} " for name in names)):
                card = named(text.removeprefix(name), self._game.DECK)
                if card is not None:
                    return Move(self._seat, verb, card)
        return None


def named(text: str, deck: Deck) -> int | None:
    """The card of a code (`hearts-k`) or as it is shown (`K♥`, `K cups`)."""
    for card, code in enumerate(deck.codes):
        if text in (code, short(card, deck).casefold()):
            return card
    return None


def verb_name(verb: str) -> str:
    """A verb as a card player says it."""
    return {
        "pass": _("pass"),
        "call": _("call"),
        "play": _("play"),
        "take": _("take"),
        "draw": _("draw"),
        "pick": _("pick up"),
        "discard": _("discard"),
        "knock": _("knock"),
        "big_gin": _("big gin"),
        "lay": _("lay off"),
    }.get(verb, verb)
