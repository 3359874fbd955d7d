"""A bot for gin rummy with two to four players: it draws, discards and knocks from a view, never from a state.

Level 1 is the simple player: he discards what leaves the least deadwood and knocks as soon as he may. Level 2 also
keeps what can still become a meld: a card that would complete one counts as long as it can come, that is, neither lies
in the discards nor is known to sit in another hand. Level 3 also keeps from the next player what fits the cards he is
known to hold, and against one opponent knocks in his first turns only: later, little deadwood is worth more as a trap
for whoever knocks (R8) and as a step to gin (R6). Of more players all pay for a knock (RD5), and he never waits.
"""

from __future__ import annotations

from typing import NamedTuple, cast

from core.lots import Lots
from gameplay.rules.cards import Hand, cards_in, mask
from gameplay.rules.gin import GinView
from gameplay.rules.gin_melds import VALUES, best_discards, deadwood
from gameplay.rules.moves import Move


class Skill(NamedTuple):
    """What a level looks at.

    `hope`: the share of a point of deadwood that it is worth if one live card would take off a point; `feeding`: the
    points that it costs to discard what the next player may add to cards he is known to hold. `waits`: against one
    opponent he knocks in his first turns only.
    """

    hope: float
    feeding: float
    waits: bool


SKILLS = (Skill(0.0, 0.0, False), Skill(0.1, 0.0, False), Skill(0.1, 2.0, True))
"""By level, less one."""
_FIRST_TURNS = 5
_LOOSE = 9
"""No two loose cards differ by more: a discard that leaves so much more than another would break a meld."""
_ALL = (1 << 52) - 1
_RANKS = 13
_RANK = (1 << _RANKS) - 1
_EACH_SUIT = mask(range(0, 52, _RANKS))
_NO_ACES = _ALL ^ _EACH_SUIT
_NO_KINGS = _ALL ^ _EACH_SUIT << _RANKS - 1


def choose(view: GinView, level: int, _lots: Lots) -> Move | None:
    """One of `view.moves`, None where there is none. `level` is 1 to 3. Nothing is left to chance: equal views, equal
    moves."""
    moves = view.moves
    if len(moves) < 2:
        return moves[0] if moves else None
    if view.phase == "discard":
        return _discard(view, SKILLS[level - 1])
    wanted = _wants(view.hand, view.discards[-1])
    return next(move for move in moves if (move.verb in ("take", "pick")) is wanted)


def _wants(hand: Hand, card: int) -> bool:
    """Does this card make or lengthen a meld, so that less deadwood is left (R4)?"""
    if not _completing(hand) >> card & 1:
        return False
    return min(left for other, left in best_discards(hand | 1 << card) if other != card) < deadwood(hand)


def _completing(hand: Hand) -> Hand:
    """The cards that would make a meld with two cards of a hand, or lengthen one: sets and runs (R1)."""
    a, b, c, d = hand & _RANK, hand >> 13 & _RANK, hand >> 26 & _RANK, hand >> 39
    pairs = (a | b) & (c | d) | a & b | c & d
    up, down = hand << 1 & _NO_ACES, hand >> 1 & _NO_KINGS
    runs = up & down | up & (up << 1 & _NO_ACES) | down & (down >> 1 & _NO_KINGS)
    return (pairs * _EACH_SUIT | runs) & ~hand


def _touching(hand: Hand) -> Hand:
    """The cards of the same rank as one of these, or next to it in its suit."""
    a, b, c, d = hand & _RANK, hand >> 13 & _RANK, hand >> 26 & _RANK, hand >> 39
    return (a | b | c | d) * _EACH_SUIT | hand << 1 & _NO_ACES | hand >> 1 & _NO_KINGS


def _discard(view: GinView, skill: Skill) -> Move:
    """Down with gin, or with little deadwood if it is time; or else the discard that leaves the best hand."""
    moves = view.moves
    if moves[-1].verb == "big_gin":
        return moves[-1]
    discards = {move.value: move for move in moves if move.verb == "discard"}
    lefts = [(left, -VALUES[card], card) for card, left in best_discards(view.hand) if card in discards]
    least, _, heaviest = min(lefts)
    if least == 0 or (least <= view.knock_limit and _knocks(view, skill)):
        return next(move for move in moves if move.verb == "knock" and move.value == heaviest)
    if not skill.hope:
        return discards[heaviest]
    live = _live(view)
    fitting = _touching(view.known[_next(view)])
    *_, best = min(
        (left - skill.hope * _promise(view.hand ^ 1 << card, live) + skill.feeding * (fitting >> card & 1), value, card)
        for left, value, card in lefts
        if left <= least + _LOOSE
    )
    return discards[best]


def _next(view: GinView) -> int:
    """Who may pick what this seat discards."""
    return (cast(int, view.seat) + 1) % view.players


def _knocks(view: GinView, skill: Skill) -> bool:
    """Is it a time to knock with deadwood (R7)? `turns` counts those of everybody."""
    return not skill.waits or view.players > 2 or view.turns <= _FIRST_TURNS * view.players


def _live(view: GinView) -> Hand:
    """The cards that can still come: not held, not in the discards, not known to sit in another hand."""
    gone = view.hand | mask(view.discards)
    for held in view.known:
        gone |= held
    return _ALL & ~gone


def _promise(hand: Hand, live: Hand) -> int:
    """The deadwood that live cards would take off a hand, each by itself, all added up."""
    left = deadwood(hand)
    return sum([left - deadwood(hand | 1 << card) for card in cards_in(_completing(hand) & live)])
