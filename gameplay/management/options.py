"""Options of a game on a command line: `--players 3 --option target_score=100`."""

from __future__ import annotations

import json
from argparse import ArgumentParser
from typing import Any

from core.refusal import Refusal
from gameplay.rules.games import Game


def add_options(parser: ArgumentParser) -> None:
    """`--players` and `--option`, which may come more than once."""
    parser.add_argument("--players", type=int, metavar="N", help="where a game is not always for five")
    parser.add_argument("--option", action="append", default=[], metavar="NAME=VALUE", help="see docs/rules")


def options_of(game: Game, words: list[str], players: int | None) -> Any:
    """The options that were typed. Refusals: `unexpected` for a name that the game has not, those of its `options`."""
    given = {} if players is None else {"players": players}
    for word in words:
        name, _equals, value = word.partition("=")
        given[name] = _value(value)
    options = game.options(given)
    for name in given:
        if name not in options._fields:
            raise Refusal("unexpected", {"key": name[:40]})
    return options


def _value(text: str) -> Any:
    """A number, `true`, `false` or `null`; whatever is none of these is itself."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return text
