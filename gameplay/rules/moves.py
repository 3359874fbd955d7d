"""What can be done in a hand of cards, in all games: a seat, a verb and at most a number."""

from __future__ import annotations

from typing import NamedTuple

from core.refusal import Refusal

AUCTIONEER = -1
"""Who knocks: no seat, a clock outside of the rules sends these moves."""

NOBODY = -1
"""Whose turn it is when a hand is over, or in an auction that is open to all."""
build = tuple.__new__
"""Makes a NamedTuple from its items; its own constructor takes three times as long."""


class Move(NamedTuple):
    """`value`: a card, a bid or nothing (0), by the verb. `melds`: sets of cards, where a player arranges himself."""

    seat: int
    verb: str
    value: int = 0
    melds: tuple[int, ...] = ()


def check_shape(move: object) -> Move:
    """A move that is one in form, whatever came in. Refusal `move_malformed` at the field that is not."""
    if type(move) is not Move or len(move) != len(Move._fields):  # a subclass may lie, a tuple be called one
        raise Refusal("move_malformed")
    for name, kind in (("seat", int), ("verb", str), ("value", int), ("melds", tuple)):
        if type(getattr(move, name)) is not kind:
            raise Refusal("move_malformed", pointer=f"/{name}")
    if any(type(meld) is not int for meld in move.melds):
        raise Refusal("move_malformed", pointer="/melds")
    return move
