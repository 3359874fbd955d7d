"""Cards for people: codes, files and spoken names of both decks, in the reader's language.

A code is `suit-rank` in English, as the files are named: `cups-k`, `hearts-10`. The court letters are those of
the seat draw (S4): j knave, c knight, k king; the French deck has q queen instead of the knight.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from django.utils.translation import gettext, pgettext

ITALIAN: Final = "italian"
FRENCH: Final = "french"

_PIPS: Final = ("a", "2", "3", "4", "5", "6", "7")
SUITS: Final = {
    ITALIAN: ("coins", "cups", "swords", "batons"),
    FRENCH: ("hearts", "diamonds", "clubs", "spades"),
}
RANKS: Final = {
    ITALIAN: (*_PIPS, "j", "c", "k"),
    FRENCH: (*_PIPS, "8", "9", "10", "j", "q", "k"),
}


class Face(NamedTuple):
    """A card as a page shows it: what components/card.html takes."""

    deck: str
    code: str
    file: str  # path of the drawing below static/
    name: str  # spoken, in the reader's language


def codes(deck: str) -> list[str]:
    """A whole deck, suit by suit: 40 codes of the Italian, 52 of the French."""
    return [f"{suit}-{rank}" for suit in SUITS[deck] for rank in RANKS[deck]]


def face(deck: str, code: str) -> Face:
    """A card by its code. KeyError for one that the deck does not have."""
    suit, _, rank = code.partition("-")
    if suit not in SUITS[deck] or rank not in RANKS[deck]:
        raise KeyError(code)
    return Face(deck, code, f"cards/{deck}/{code}.svg", spoken(suit, rank))


def suit_name(suit: str) -> str:
    """Spoken name of one of the eight suits."""
    return {
        "coins": pgettext("suit", "coins"),
        "cups": pgettext("suit", "cups"),
        "swords": pgettext("suit", "swords"),
        "batons": pgettext("suit", "batons"),
        "hearts": pgettext("suit", "hearts"),
        "diamonds": pgettext("suit", "diamonds"),
        "clubs": pgettext("suit", "clubs"),
        "spades": pgettext("suit", "spades"),
    }[suit]


def rank_name(rank: str) -> str:
    """Spoken name of a rank as it stands inside a card's name (Turkish wants a possessive there)."""
    return {
        "a": pgettext("rank in a card's name", "ace"),
        "2": pgettext("rank in a card's name", "two"),
        "3": pgettext("rank in a card's name", "three"),
        "4": pgettext("rank in a card's name", "four"),
        "5": pgettext("rank in a card's name", "five"),
        "6": pgettext("rank in a card's name", "six"),
        "7": pgettext("rank in a card's name", "seven"),
        "8": pgettext("rank in a card's name", "eight"),
        "9": pgettext("rank in a card's name", "nine"),
        "10": pgettext("rank in a card's name", "ten"),
        "j": pgettext("rank in a card's name", "knave"),
        "c": pgettext("rank in a card's name", "knight"),
        "q": pgettext("rank in a card's name", "queen"),
        "k": pgettext("rank in a card's name", "king"),
    }[rank]


def spoken(suit: str, rank: str) -> str:
    """Spoken name of a card: `king of cups`, `re di coppe`, `kadeh kralı`."""
    return gettext("%(rank)s of %(suit)s") % {"rank": rank_name(rank), "suit": suit_name(suit)}
