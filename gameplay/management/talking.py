"""What the commands for hands of cards say to a person at a terminal of 80 columns, and in which language."""

from __future__ import annotations

import os
import sys
import textwrap
from argparse import ArgumentParser
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from io import TextIOWrapper
from typing import TextIO

from django.utils import translation
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from core.refusal import Refusal
from gameplay.rules.cards import Deck, Hand, cards_in
from gameplay.web.cards import suit_name
from players.web.asking import sentence

WIDTH = 80
LANGUAGES = ("it", "tr", "en")
TIED = "\u00a0"
"""A space at which no line ends."""
SYMBOLS = {"spades": "♠", "clubs": "♣", "diamonds": "♦", "hearts": "♥"}


def language_of(environ: Mapping[str, str]) -> str:
    """The language of a terminal, English if it is none of ours: the first of the variables that says one."""
    for name in ("LC_ALL", "LC_MESSAGES", "LANG"):
        if told := environ.get(name, ""):
            return told[:2] if told[:2] in LANGUAGES else "en"
    return "en"


def add_language(parser: ArgumentParser) -> None:
    """`--language`, by default the terminal's."""
    parser.add_argument("--language", choices=LANGUAGES, default=language_of(os.environ), help="it, tr or en")


@contextmanager
def at_terminal(language: str) -> Iterator[None]:
    """In this language, and with a sentence on standard error and exit status 1 for a refusal or a file that fails.

    A terminal that cannot show a card gets a question mark, and whoever stops reading ends the program, 141.
    """
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="replace")
    with translation.override(language):
        try:
            yield
        except Refusal as refusal:
            where = f"{refusal.pointer}: " if refusal.pointer else ""
            say(where + why_not(refusal), file=sys.stderr)
            sys.exit(1)
        except BrokenPipeError:
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # Python flushes once more when it ends
            sys.exit(141)
        except OSError as error:
            say(_("The file cannot be used: %(why)s.") % {"why": error.strerror or str(error)}, file=sys.stderr)
            sys.exit(1)


def say(*lines: str, file: TextIO | None = None) -> None:
    """Lines of at most 80 columns, with whatever could steer a terminal written out."""
    for line in lines:
        print("\n".join(_folded(line)), file=file, flush=True)


def _folded(line: str) -> list[str]:
    text = "".join(c if c.isprintable() or c == TIED else f"\\u{ord(c):04x}" for c in line)
    indent = " " * (len(text) - len(text.lstrip()) + 2)
    return [part.replace(TIED, " ") for part in textwrap.wrap(text, WIDTH, subsequent_indent=indent)] or [""]


def why_not(refusal: Refusal) -> str:
    """A sentence, with the article of the rules that says so."""
    return sentence(refusal) + (f" ({refusal.article})" if refusal.article else "")


def short(card: int, deck: Deck) -> str:
    """A card in a few letters: `K♣`, `10♥`; of the Italian deck, whose suits have no symbols, `K cups`."""
    suit, _dash, rank = deck.codes[card].partition("-")
    return rank_letter(rank) + SYMBOLS[suit] if suit in SYMBOLS else f"{rank_letter(rank)} {suit_name(suit)}"


def rank_letter(rank: str) -> str:
    """As it stands in a corner of the card."""
    return {
        "a": pgettext("corner of a card", "A"),
        "j": pgettext("corner of a card", "J"),
        "c": pgettext("corner of a card", "C"),
        "q": pgettext("corner of a card", "Q"),
        "k": pgettext("corner of a card", "K"),
    }.get(rank, rank)


def cards(held: Iterable[int], deck: Deck) -> str:
    """Cards side by side."""
    return (" " if deck.suits[0] in SYMBOLS else ", ").join(short(card, deck) for card in held)


def hand_lines(hand: Hand, deck: Deck) -> list[str]:
    """A hand, one line for each suit that is in it."""
    lines = []
    for suit, name in enumerate(deck.suits):
        ranks = [deck.ranks[card % len(deck.ranks)] for card in cards_in(hand) if card // len(deck.ranks) == suit]
        if ranks:
            label = SYMBOLS.get(name) or suit_name(name)
            lines.append(f"  {label:<9}" + " ".join(f"{rank_letter(rank):>2}" for rank in ranks))
    return lines


def seat_name(seat: int, person: int | None) -> str:
    """Who sits there, for this person."""
    return _("you") if seat == person else _("seat %(seat)s") % {"seat": seat}


def by_seat(values: Iterable[int], person: int | None) -> str:
    """Numbers with who has them."""
    return ", ".join(f"{seat_name(seat, person)} {value}" for seat, value in enumerate(values))
