"""Bots for Gingo and briscola a cinque: they bid, call and play from a view, never from a state.

Level 1 goes by the rules of thumb of `rollouts`. Levels 2 and 3 deal themselves worlds that the view allows, try every
card in the same worlds, let simple players finish each hand, and take the card that served best: first to make or to
defeat the bid, then for card points. Bids and calls are weighed in the same way.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import NamedTuple, cast

from core.lots import Lots
from gameplay.rules.bots.rollouts import BITS, FOLLOWERS, SIDES, follow, lead, on_table, play_out, whole_hand
from gameplay.rules.bots.worlds import Dice, World, fallen, in_turn, worlds
from gameplay.rules.cards import Hand, cards_in, mask
from gameplay.rules.moves import Move
from gameplay.rules.tricks import MOST, POINTS, RANKS, SEATS, SUITS, TrickView

CARD_PLAYS = (0, 2_000, 50_000)
"""By level, less one: about so many cards are played out for one move."""
_MOST_WORLDS = 250
_GOAL = 100
"""What making the bid or defeating it is worth, in card points."""
_ELSE_GINGO, _ELSE_BRISCOLA = 36, 0.8
"""Points of a hand for one who leaves the call to another (S15, B5): who bids must expect more."""
_HOPE, _HOPES = 64, (1, 1, 1, 1, 1, 2, 4, 6, 9, 8)
"""Card points a side makes among simple players if the caller has no trump, and what each of his adds, by strength."""


class Call(NamedTuple):
    """A card that might be called, and the card points that the side made with it in each world."""

    card: int
    alone: bool
    made: tuple[int, ...]

    def expected(self, bid: int, by_turn: bool) -> float:
        """Points that a caller may expect above those he gets otherwise: by S15 or, if one bids by turn, by B5."""
        if by_turn:
            won = 4 if self.alone else 2
            gained = sum(2 * won if made == MOST else won for made in self.made if made >= bid)
            return gained / len(self.made) - _ELSE_BRISCOLA
        won = 2 * bid if self.alone else bid
        return sum(won if made >= bid else made - bid for made in self.made) / len(self.made) - _ELSE_GINGO


def choose(view: TrickView, level: int, lots: Lots) -> Move | None:
    """One of `view.moves`; None: nothing to say. `level` is 1 to 3. The same view, level and lots: the same move."""
    if not view.moves:
        return None
    if view.phase == "play":
        return _move(view, "play", _card(view, level, lots))
    by_turn = in_turn(view)
    calls = [_simple_call(view.hand)] if level == 1 else _weighed_calls(view, by_turn, level, lots)
    bids = [move for move in view.moves if move.verb == "bid"]
    bid = bids[0].value if bids else view.bid
    worth, best = max((call.expected(bid, by_turn), call) for call in calls)
    if view.phase == "call":
        return _move(view, "call", best.card)
    return bids[0] if worth > 0 else next((move for move in view.moves if move.verb == "pass"), None)


def _move(view: TrickView, verb: str, card: int) -> Move:
    return next(move for move in view.moves if move.verb == verb and move.value == card)


def hope(hand: Hand, suit: int) -> int:
    """Card points that a simple player expects to make with the highest card of this suit that he lacks."""
    return _HOPE + sum(_HOPES[card % RANKS] for card in cards_in(hand & SUITS[suit]))


def _highest(cards: Hand) -> int:
    return cards.bit_length() - 1


def _simple_call(hand: Hand) -> Call:
    made, suit = max((hope(hand, suit), suit) for suit in range(len(SUITS)))
    return Call(_highest(SUITS[suit] & ~hand), False, (made,))


def _callable(hand: Hand, by_turn: bool) -> list[int]:
    """Of each suit held twice: the highest card he lacks, his own highest, and, where any may be called, one more."""
    cards = []
    for suit in SUITS:
        held = hand & suit
        if held & held - 1:
            first = _highest(suit & ~hand)
            cards += [first, _highest(held)]
            if by_turn:
                cards.append(_highest(suit & ~hand & ~(1 << first)))
    return cards


def _weighed_calls(view: TrickView, by_turn: bool, level: int, lots: Lots) -> list[Call]:
    """Calls tried in worlds, as if the viewer had the auction."""
    caller = cast(int, view.seat)
    leader = (view.dealer + 1) % SEATS if by_turn else caller
    cards = _callable(view.hand, by_turn)
    made: list[list[int]] = [[] for _ in cards]
    trumps = {card // RANKS: BITS[card // RANKS] for card in cards}
    for hands, _partner in _some_worlds(view, level, len(cards), lots):
        owner = {card: seat for seat, hand in enumerate(hands) for card in hand}
        dealt = {suit: [sum([bits[card] for card in hand]) for hand in hands] for suit, bits in trumps.items()}
        for results, card in zip(made, cards, strict=True):
            suit = card // RANKS
            results.append(whole_hand(dealt[suit].copy(), SIDES[caller][owner[card]], trumps[suit][card], leader))
    return [Call(card, bool(view.hand >> card & 1), tuple(results)) for card, results in zip(cards, made, strict=True)]


def _some_worlds(view: TrickView, level: int, candidates: int, lots: Lots) -> Iterator[World]:
    """As many worlds as the level has time for: a seed for them is all that a bot draws."""
    plays = candidates * sum(view.counts)
    return islice(worlds(view, Dice(lots.below(1 << 30))), min(_MOST_WORLDS, CARD_PLAYS[level - 1] // plays + 1))


class _Seat(NamedTuple):
    """Where the viewer stands once a card is called, in the bits of `rollouts`; `called`: 0 once that has fallen."""

    seat: int
    caller: int
    bits: tuple[int, ...]
    hand: Hand
    trick: tuple[int, ...]
    called: int
    calls: bool


def _seat(view: TrickView) -> _Seat:
    seat, caller = cast(int, view.seat), cast(int, view.caller)
    bits, called = BITS[cast(int, view.trump)], cast(int, view.called_card)
    return _Seat(
        seat,
        caller,
        bits,
        sum(bits[card] for card in cards_in(view.hand)),
        tuple(bits[card] for card in view.trick),
        0 if called in fallen(view) else bits[called],
        seat in (caller, view.partner),
    )


def _card(view: TrickView, level: int, lots: Lots) -> int:
    cards = _distinct(view)
    if len(cards) == 1:
        return cards[0]
    return _simple_card(view) if level == 1 else _best_card(view, cards, level, lots)


def _distinct(view: TrickView) -> list[int]:
    """The viewer's cards, one of those that do the same: no points, and no card between them may yet take a trick."""
    gone = view.hand | mask(fallen(view)) & ~mask(view.trick)
    found: list[int] = []
    for card in cards_in(view.hand):
        last = found[-1] if found else card
        between = (1 << card) - (1 << last)
        alike = card // RANKS == last // RANKS and not POINTS[card] and not between & ~gone
        if not found or not alike or view.called_card in (card, last):
            found.append(card)
    return found


def _simple_card(view: TrickView) -> int:
    """Level 1: what the simple players of the rollouts would play, knowing what the viewer knows."""
    seat, caller, bits, hand, trick, called, calls = _seat(view)
    if not trick:
        return bits.index(lead(hand, calls))
    sides = SIDES[caller][caller if view.partner is None else view.partner]
    friends = (sides.guessed if called else sides.known)[seat]
    _leader, played, best, winner, points = on_table(view.leader, trick)
    enemies = FOLLOWERS[view.leader][played][1] & ~friends
    return bits.index(follow(hand, best, friends >> winner & 1, enemies, points))


def _best_card(view: TrickView, cards: list[int], level: int, lots: Lots) -> int:
    seat, caller, bits, hand, trick, called, calls = _seat(view)
    tries = [
        (hand ^ bit, 0 if bit == called else called, on_table(view.leader, (*trick, bit)))
        for bit in (bits[card] for card in cards)
    ]
    worth = [0] * len(cards)
    for hands, partner in _some_worlds(view, level, len(cards), lots):
        sides = SIDES[caller][cast(int, partner)]
        taken = sum([points for at, points in enumerate(view.points) if sides.calling >> at & 1])
        dealt = [sum([bits[held] for held in cards_held]) for cards_held in hands]
        for at, (left, unseen, table) in enumerate(tries):
            tried = dealt.copy()
            tried[seat] = left
            made = taken + play_out(tried, sides, unseen, table)
            worth[at] += made + _GOAL if made >= view.bid else made
    return cards[worth.index(max(worth) if calls else min(worth))]
