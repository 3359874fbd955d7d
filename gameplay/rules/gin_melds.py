"""Melds of gin rummy: deadwood, knocks, arrangements and lay-offs (R1, R6, R7, RD7).

A hand of French cards is four suits of thirteen bits, here called a, b, c and d. What runs can do inside one suit is
worked out once, at import, for each of the 8,192 sets of ranks; only sets tie the suits together. So a hand without
three of a rank is four look-ups, and three of a rank none of which could also stand in a run are melded without a
question. Only ranks that are torn between the two are tried out.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import NamedTuple

from core.refusal import Refusal
from gameplay.rules.cards import Hand, cards_in, mask

_RANKS = 13
_SUIT = (1 << _RANKS) - 1
_EACH_SUIT = 1 | 1 << 13 | 1 << 26 | 1 << 39
_HIGHEST = 10
_WORTH = (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 10, 10, 10)

VALUES: tuple[int, ...] = _WORTH * 4
"""Deadwood of each card (R1)."""


def _least_of_a_suit() -> tuple[int, ...]:
    """Least deadwood of every set of ranks of one suit, by runs alone."""
    least = [0]
    for ranks in range(1, _SUIT + 1):
        low = ranks & -ranks
        left = _WORTH[low.bit_length() - 1] + least[ranks ^ low]
        run = 7 * low
        while ranks & run == run:  # runs of any length from here
            left = min(left, least[ranks ^ run])
            run |= run << 1
        least.append(left)
    return tuple(least)


_LEAST = _least_of_a_suit()
_IN_RUNS = tuple(low | low << 1 | low << 2 for low in (ranks & ranks >> 1 & ranks >> 2 for ranks in range(_SUIT + 1)))
"""By set of ranks: those that some run of three could hold."""


def deadwood(hand: Hand) -> int:
    """The least deadwood of a set of cards (R1)."""
    ab = hand & 0x3FFFFFF  # halves of 26 bits: one digit of an int, which makes what follows faster
    cd = hand >> 26
    a = ab & 0x1FFF
    b = ab >> 13
    c = cd & 0x1FFF
    d = cd >> 13
    if threes := (a | b) & c & d | a & b & (c | d):
        if torn := threes & (_IN_RUNS[a] | _IN_RUNS[b] | _IN_RUNS[c] | _IN_RUNS[d]):
            others = ~(threes ^ torn)
            return _tried(a & others, b & others, c & others, d & others, torn)
        others = ~threes
        return _LEAST[a & others] + _LEAST[b & others] + _LEAST[c & others] + _LEAST[d & others]
    return _LEAST[a] + _LEAST[b] + _LEAST[c] + _LEAST[d]


def _tried(a: int, b: int, c: int, d: int, torn: int) -> int:
    """The same, where only ranks of `torn` can still be sets: each is tried as none, as one, and as one of three."""
    rank = torn & -torn
    rest = ~rank
    four = a & b & c & d & rank
    e, f, g, h = a & rest, b & rest, c & rest, d & rest
    if torn := torn & rest:
        apart, melded = _tried(a, b, c, d, torn), _tried(e, f, g, h, torn)
        if four:
            melded = min(
                melded,
                _tried(a, f, g, h, torn),
                _tried(e, b, g, h, torn),
                _tried(e, f, c, h, torn),
                _tried(e, f, g, d, torn),
            )
    else:
        a, b, c, d = _LEAST[a], _LEAST[b], _LEAST[c], _LEAST[d]
        e, f, g, h = _LEAST[e], _LEAST[f], _LEAST[g], _LEAST[h]
        apart, melded = a + b + c + d, e + f + g + h
        if four:  # all four, or without the one that its run misses most
            melded -= max(0, e - a, f - b, g - c, h - d)
    return apart if apart < melded else melded


def _meldable(hand: Hand) -> Hand:
    """The cards that could stand in some meld; every other card is loose, whatever becomes of these."""
    a, b, c, d = hand & _SUIT, hand >> 13 & _SUIT, hand >> 26 & _SUIT, hand >> 39
    threes = (a | b) & c & d | a & b & (c | d)
    sets = hand & threes * _EACH_SUIT
    return sets | _IN_RUNS[a] | _IN_RUNS[b] << 13 | _IN_RUNS[c] << 26 | _IN_RUNS[d] << 39


def best_discards(hand: Hand) -> tuple[tuple[int, int], ...]:
    """For every card, lowest first: the card, and the least deadwood of the others."""
    least, meldable = deadwood(hand), _meldable(hand)
    return tuple(
        [
            (card, deadwood(hand ^ 1 << card) if meldable >> card & 1 else least - VALUES[card])
            for card in cards_in(hand)
        ]
    )


def knockable(hand: Hand, limit: int) -> tuple[int, ...]:
    """The cards, lowest first, without which the hand has at most `limit` deadwood (R7)."""
    over = deadwood(hand) - limit
    if over > _HIGHEST:  # no card is worth so much
        return ()
    meldable = _meldable(hand)
    return tuple(
        [
            card
            for card in cards_in(hand)
            if VALUES[card] >= over and not (meldable >> card & 1 and deadwood(hand ^ 1 << card) > limit)
        ]
    )


def _chains(meld: Hand) -> tuple[tuple[int, ...], ...]:
    """What may be added to a meld: from each of its ends, the cards in the order in which they must come (R7)."""
    low, high = (meld & -meld).bit_length() - 1, meld.bit_length() - 1
    first = low - low % _RANKS
    if high < first + _RANKS:
        return tuple(range(low - 1, first - 1, -1)), tuple(range(high + 1, first + _RANKS))
    return tuple((card,) for card in range(low % _RANKS, 52, _RANKS) if not meld >> card & 1)


def _every_meld() -> Iterator[Hand]:
    """Sets of three and four, runs of three and more; the longest first."""
    for first in range(0, 52, _RANKS):
        for length in range(_RANKS, 2, -1):
            for low in range(first, first + _RANKS - length + 1):
                yield mask(range(low, low + length))
    for rank in range(_RANKS):
        four = mask(range(rank, 52, _RANKS))
        yield four
        yield from (four ^ 1 << card for card in cards_in(four))


_ADDED = {meld: _chains(meld) for meld in _every_meld()}
"""All 329 melds, with what may be added to each."""

_MELDS_FROM = tuple(tuple(meld for meld in _ADDED if meld & -meld == 1 << card) for card in range(52))
"""By card: the melds of which it is the lowest."""


def is_meld(cards: Hand) -> bool:
    """Three or four of a rank, or three and more of a suit in sequence (R1)."""
    return cards in _ADDED


def _ways(hand: Hand, left: int) -> Iterator[tuple[Hand, ...]]:
    """Melds that leave `left`, which is the least deadwood of `hand`: every way once."""
    if not hand:
        yield ()
        return
    low = hand & -hand
    card = low.bit_length() - 1
    for meld in _MELDS_FROM[card]:
        if meld & hand == meld and deadwood(hand ^ meld) == left:
            for others in _ways(hand ^ meld, left):
                yield (meld, *others)
    loose = left - VALUES[card]
    if deadwood(hand ^ low) == loose:
        yield from _ways(hand ^ low, loose)


def arrangements(hand: Hand) -> tuple[tuple[Hand, ...], ...]:
    """Every lawful way to meld as much as can be: those that leave the least deadwood."""
    return tuple(_best_ways(hand))


def _best_ways(hand: Hand) -> Iterator[tuple[Hand, ...]]:
    """The same, one by one."""
    meldable = _meldable(hand)
    return _ways(meldable, deadwood(meldable))


class Laid(NamedTuple):
    """An opponent's cards after a knock: `melds` of his own, the cards `laid` off on the knocker's, what is left."""

    melds: tuple[Hand, ...]
    laid: Hand
    deadwood: int


def _along(chain: tuple[int, ...], cards: Hand) -> list[Hand]:
    """None, one, two ... of a chain, as far as it goes on in these cards."""
    parts = [0]
    for card in chain:
        if not cards >> card & 1:
            break
        parts.append(parts[-1] | 1 << card)
    return parts


def _least_laid(hand: Hand, knocker_melds: tuple[Hand, ...]) -> tuple[int, Hand]:
    """The least deadwood that lay-offs can leave, and the cards to lay off for it."""
    ends = [parts for meld in knocker_melds for chain in _ADDED[meld] if len(parts := _along(chain, hand)) > 1]
    best = deadwood(hand), 0
    for chosen in product(*ends):
        laid = 0
        for cards in chosen:
            laid |= cards  # two melds may want the same card
        best = min(best, (deadwood(hand ^ laid), laid))
    return best


def best_layoff(hand: Hand, knocker_melds: tuple[Hand, ...]) -> Laid:
    """Own melds and lay-offs, chosen together, that leave an opponent the least deadwood (R7, RD7)."""
    left, laid = _least_laid(hand, knocker_melds)
    return Laid(next(_best_ways(hand ^ laid)), laid, left)


def best_arrangement(hand: Hand, unseen: Hand) -> tuple[Hand, ...]:
    """A knocker's melds: the least deadwood, then the fewest points that could be laid off on them (RD7).

    `unseen`: all that he has not seen, whoever may hold it. Of ways that are as good, always the same one.
    """
    return min(arrangements(hand), key=lambda melds: _points(_fitting(unseen, melds)))


def _points(cards: Hand) -> int:
    """What these cards count, each by itself."""
    return sum(VALUES[card] for card in cards_in(cards))


def _fitting(cards: Hand, melds: tuple[Hand, ...]) -> Hand:
    """Those of some cards that could be laid off on melds, one after the other, if one player had them all (R7)."""
    fitting = 0
    for meld in melds:
        for chain in _ADDED[meld]:
            fitting |= _along(chain, cards)[-1]
    return fitting


def check_melds(hand: Hand, melds: tuple[Hand, ...]) -> int:
    """The deadwood of a hand arranged by its player. Refusals (R1, at `/melds`): `card_not_held`, `not_a_meld`,
    `meld_card_twice`."""
    rest = hand
    for meld in melds:
        if meld & hand != meld:
            raise Refusal("card_not_held", article="R1", pointer="/melds")
        if not is_meld(meld):
            raise Refusal("not_a_meld", article="R1", pointer="/melds")
        if meld & rest != meld:
            raise Refusal("meld_card_twice", article="R1", pointer="/melds")
        rest ^= meld
    return _points(rest)


def check_laid(hand: Hand, knocker_melds: tuple[Hand, ...], melds: tuple[Hand, ...], laid: Hand) -> Laid:
    """Own melds and lay-offs as an opponent chose them. Refusals as `check_melds`; `card_not_held` and `no_layoff`, a
    card that fits none of the knocker's melds (R7, at `/value`)."""
    if laid & hand != laid:
        raise Refusal("card_not_held", article="R7", pointer="/value")
    left = check_melds(hand ^ laid, melds)
    if _fitting(laid, knocker_melds) != laid:
        raise Refusal("no_layoff", article="R7", pointer="/value")
    return Laid(melds, laid, left)
