"""Hands that the other players may hold, as far as one seat can tell: what a bot thinks about instead of the deal."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple, cast

from gameplay.rules import briscola
from gameplay.rules.cards import Hand, cards_in, mask
from gameplay.rules.tricks import CARDS, SEATS, SUITS, TrickView

ALONE_ODDS = 32
"""Of so many callers who may be alone, one is."""
_EVERY_CARD: Hand = (1 << CARDS) - 1
_MODULUS, _FACTOR = (1 << 31) - 1, 48_271


class Dice:
    """A quick generator of numbers for bots (Lehmer's). Far too weak for deals: those are drawn by `core.lots`."""

    def __init__(self, seed: int) -> None:
        """`seed`: any number from 0 on."""
        self._state = seed % (_MODULUS - 1) + 1

    def below(self, limit: int) -> int:
        """A number in `0..limit-1`."""
        self._state = self._state * _FACTOR % _MODULUS
        return self._state % limit

    def shuffle(self, cards: list[int]) -> None:
        """Put the cards into another order, in place."""
        state = self._state
        for left in range(len(cards), 1, -1):
            state = state * _FACTOR % _MODULUS
            other = state % left
            cards[left - 1], cards[other] = cards[other], cards[left - 1]
        self._state = state


class World(NamedTuple):
    """`hands`: cards by seat. `partner`: who holds or held the called card, the caller too; None before the call."""

    hands: tuple[tuple[int, ...], ...]
    partner: int | None


class _Plan(NamedTuple):
    """How to deal a world: cards that are certain, by seat, the rest, and where to cut it."""

    sure: tuple[tuple[int, ...], ...]
    rest: list[int]
    cuts: tuple[tuple[int, int], ...]
    partner: int | None


def fallen(view: TrickView) -> dict[int, int]:
    """Who has played each card that has fallen."""
    played = [(trick.leader, trick.cards) for trick in view.tricks] + [(view.leader, view.trick)]
    return {card: (leader + at) % SEATS for leader, cards in played for at, card in enumerate(cards)}


def in_turn(view: TrickView) -> bool:
    """Does one bid in turn, and call any card? So in briscola a cinque; in Gingo it is nobody's turn, nobody passes."""
    return view.game == briscola.NAME


def worlds(view: TrickView, dice: Dice) -> Iterator[World]:
    """Worlds without end in which `view` would be just what it is. The seat of the view must be a player's.

    A caller who is not alone holds all trumps above the card he called that have not fallen (S13 b; only in Gingo).
    """
    plans = _plans(view)
    while True:
        plan = plans[dice.below(len(plans))]
        dice.shuffle(plan.rest)
        hands = [plan.sure[seat] + tuple(plan.rest[start:end]) for seat, (start, end) in enumerate(plan.cuts)]
        yield World(tuple(hands), plan.partner)


def _plans(view: TrickView) -> tuple[_Plan, ...]:
    """Plans, each as often as it is likely: who holds the called card, where the viewer cannot know it."""
    played = fallen(view)
    unseen = _EVERY_CARD & ~view.hand & ~mask(played)
    if view.called_card is None or view.trump is None or view.caller is None:
        return (_plan(view, unseen, 0, 0, None),)
    above = 0 if in_turn(view) else SUITS[view.trump] & ~((2 << view.called_card) - 1)
    missing = above & unseen
    fits = missing.bit_count() <= view.counts[view.caller]  # not so: he is alone
    if view.partner is not None:
        of_caller = missing if fits and view.partner != view.caller else 0
        return (_plan(view, unseen, of_caller, 0, view.partner),)
    called = 1 << view.called_card
    others = [seat for seat in range(SEATS) if seat not in (view.seat, view.caller)]
    together: list[_Plan] = []
    for seat in others:
        if view.counts[seat]:
            together += [_plan(view, unseen, missing, called, seat)] * view.counts[seat]
    if view.seat == view.caller:
        return tuple(together)
    alone = _plan(view, unseen, 0, called, view.caller)
    elsewhere = view.hand | mask(card for card, seat in played.items() if seat != view.caller)
    if not together or not fits or above & elsewhere:
        return (alone,)
    if not view.counts[view.caller]:
        return tuple(together)
    return (*together * (ALONE_ODDS // len(together) + 1), alone)


def _plan(view: TrickView, unseen: Hand, of_caller: Hand, called: Hand, partner: int | None) -> _Plan:
    sure = [0] * SEATS
    if view.caller is not None:
        sure[view.caller] = of_caller
    if partner is not None:
        sure[partner] |= called
    sure[cast(int, view.seat)] = view.hand
    start, cuts = 0, []
    for seat, held in enumerate(sure):
        end = start + view.counts[seat] - held.bit_count()
        cuts.append((start, end))
        start = end
    rest = list(cards_in(unseen & ~mask(card for held in sure for card in cards_in(held))))
    return _Plan(tuple(tuple(cards_in(held)) for held in sure), rest, tuple(cuts), partner)
