"""A hand of Gingo or briscola a cinque played to its end by simple players, in a few dozen microseconds.

Here a card is one bit and a hand a set of bits, in the order in which a player gives cards away, cheapest first: the
lowest bit of a hand is what it throws, the highest side card what it gives to a friend's trick, and the lowest bit of
those that beat the best card is the cheapest way to take.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from gameplay.rules.cards import Hand
from gameplay.rules.tricks import POINTS, RANKS, SEATS

_PLAIN, _STRONG = range(8), range(8, RANKS)
"""Strengths up to the king; three and ace."""


def _bits(trump: int) -> tuple[int, ...]:
    """By card its bit: side cards up to the king, trumps up to it, side threes and aces, trump's three and ace."""
    side = [suit for suit in range(4) if suit != trump]
    order: list[int] = []
    for strengths in (_PLAIN, _STRONG):
        order += [suit * RANKS + strength for strength in strengths for suit in side]
        order += [trump * RANKS + strength for strength in strengths]
    return tuple(1 << order.index(card) for card in range(len(order)))


BITS = tuple(_bits(trump) for trump in range(4))
"""By trump and card: its bit."""

# What follows is the same for every trump, as side suits differ only by their place: it is taken from trump 0.
_BITS = BITS[0]
VALUE = dict(zip(_BITS, POINTS, strict=True))
"""Card points by bit."""
BEATS = {
    bit: sum(
        other
        for rival, other in enumerate(_BITS)
        if (rival > card if rival // RANKS == card // RANKS else rival < RANKS)
    )
    for card, bit in enumerate(_BITS)
}
"""By bit: the cards that take a trick from it."""
_SIDE: Hand = sum(_BITS[RANKS:])
_GIFTS: Hand = sum(bit for bit in _BITS[RANKS:] if VALUE[bit])
_PLAIN_TRUMPS: Hand = sum(_BITS[:8])
_HIGH_TRUMP = _BITS[8]
"""The three of trumps; only the ace has a higher bit."""

FOLLOWERS = tuple(
    tuple(
        ((leader + at) % SEATS, sum(1 << (leader + later) % SEATS for later in range(at + 1, SEATS)))
        for at in range(SEATS)
    )
    for leader in range(SEATS)
)
"""By leader and place in the trick: the seat, and the set of seats that play after it."""


class Sides(NamedTuple):
    """Sets of seats: the calling side, and whom each seat takes for its friends.

    `guessed`, until the called card falls: the caller trusts nobody, his partner knows, the others trust everybody but
    the caller. `known`: from then on.
    """

    calling: int
    guessed: tuple[int, ...]
    known: tuple[int, ...]


def _sides(caller: int, partner: int) -> Sides:
    everybody = (1 << SEATS) - 1
    calling = 1 << caller | 1 << partner
    guesses = {caller: 1 << caller, partner: calling}  # alone he is his own partner
    guessed = tuple(guesses.get(seat, everybody ^ 1 << caller) for seat in range(SEATS))
    known = tuple(calling if calling >> seat & 1 else everybody ^ calling for seat in range(SEATS))
    return Sides(calling, guessed, known)


SIDES = tuple(tuple(_sides(caller, partner) for partner in range(SEATS)) for caller in range(SEATS))
"""By caller and partner."""


class OnTable(NamedTuple):
    """A trick: who led, how many have played, the best card, whose that is, and the card points in it."""

    leader: int
    played: int
    best: int
    winner: int
    points: int


def on_table(leader: int, trick: Sequence[int]) -> OnTable:
    """The trick of these cards, at least one, from the leader's on."""
    best, winner = trick[0], leader
    for at, card in enumerate(trick):
        if card & BEATS[best]:
            best, winner = card, (leader + at) % SEATS
    return OnTable(leader, len(trick), best, winner, sum([VALUE[card] for card in trick]))


def lead(hand: Hand, calling: int) -> int:
    """What a simple player leads: his cheapest card, but against the caller (`calling` is 0) his cheapest plain trump,
    so that trumps fall."""
    trumps = hand & _PLAIN_TRUMPS
    if trumps and not calling:
        return trumps & -trumps
    return hand & -hand


def follow(hand: Hand, best: int, friendly: int, enemies: int, points: int) -> int:
    """What a simple player plays on a trick of these card points, in which `best` is the best card.

    `friendly`: a friend is winning; if that is safe he gives points. `enemies` (a set, or 0) play after him: if none,
    he takes with his dearest side card, or with a trump if it is worth it; else only with a side card, or for a three
    or an ace. Otherwise he throws.
    """
    if friendly:
        gifts = hand & _GIFTS
        if gifts and (not enemies or best >= _HIGH_TRUMP):
            return 1 << gifts.bit_length() - 1
        return hand & -hand
    takes = hand & BEATS[best]
    if takes:
        cheapest = takes & -takes
        if enemies:
            if points >= 10 or (points and cheapest & _SIDE):
                return cheapest
        else:
            side = takes & _SIDE
            if side:
                return 1 << side.bit_length() - 1
            if points >= (10 if cheapest >= _HIGH_TRUMP else 2):
                return cheapest
    return hand & -hand


def play_out(hands: list[Hand], sides: Sides, called: int, table: OnTable) -> int:
    """Card points that the calling side takes, from the trick on the table to the end of the hand. Empties `hands`.

    `called`: the called card as long as it has not fallen, else 0.
    """
    leader, played, best, winner, points = table
    calling, guessed, known = sides
    friends = guessed if called else known
    made = 0
    followers = FOLLOWERS[leader][played:]
    while True:
        beats = BEATS[best]
        for seat, later in followers:
            hand = hands[seat]
            mine = friends[seat]
            card = follow(hand, best, mine >> winner & 1, later & ~mine, points)
            hands[seat] = hand ^ card
            points += VALUE[card]
            if card & beats:
                best, winner, beats = card, seat, BEATS[card]
            if card == called:
                friends = known
        ours = calling >> winner & 1
        if ours:
            made += points
        hand = hands[winner]
        if not hand:
            return made
        best = lead(hand, ours)
        if best == called:
            friends = known
        hands[winner] = hand ^ best
        points = VALUE[best]
        followers = FOLLOWERS[winner][1:]


def whole_hand(hands: list[Hand], sides: Sides, called: int, leader: int) -> int:
    """Card points that the calling side takes in eight tricks. Empties `hands`."""
    card = lead(hands[leader], sides.calling >> leader & 1)
    hands[leader] ^= card
    return play_out(hands, sides, 0 if card == called else called, OnTable(leader, 1, card, leader, VALUE[card]))
