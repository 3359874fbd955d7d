"""Hands of Gingo and briscola a cinque for tests: dealt as one likes, or played at random from a seed."""

import random

import pytest

from core.refusal import Refusal
from gameplay.rules import briscola, gingo
from gameplay.rules.cards import ITALIAN
from gameplay.rules.deals import Deal, deal_from
from gameplay.rules.moves import AUCTIONEER, Move

GAMES = {"gingo": gingo, "briscola": briscola}
QUIET = {"knock": 0.45, "pass": 0.6}
"""How often an auction falls silent for a move: with bids alone all would end at 120."""


def card(code):
    return ITALIAN.number(code)


def bid(seat, value):
    return Move(seat, "bid", value)


def knock():
    return Move(AUCTIONEER, "knock")


def silent(seat):
    return Move(seat, "pass")


def call(seat, code):
    return Move(seat, "call", card(code))


def lay(seat, code):
    return Move(seat, "play", card(code))


def deal_of(dealer, **hands):
    """A deal that gives these cards: `seat0="coins-a coins-3"`; whatever is not named is spread over what is empty."""
    held = [[card(code) for code in hands.get(f"seat{seat}", "").split()] for seat in range(5)]
    rest = [number for number in range(40) if not any(number in cards for cards in held)]
    for cards in held:
        while len(cards) < 8:
            cards.append(rest.pop(0))
    return Deal(b"\0" * 32, tuple(held[(dealer + 1 + at) % 5][at // 5] for at in range(40)))


def after(game, state, *moves):
    for move in moves:
        state = game.apply(state, move)
    return state


def refused(game, state, move):
    """The refusal of this move."""
    with pytest.raises(Refusal) as caught:
        game.apply(state, move)
    return caught.value


def random_deal(chance):
    return deal_from(chance.randbytes(32), ITALIAN)


def random_move(moves, chance):
    """One of the lawful moves, the silent one of an auction (it comes first) more often than the others."""
    quiet = QUIET.get(moves[0].verb, 0)
    return moves[0] if chance.random() < quiet else chance.choice(moves)


def random_hand(game, number):
    """Deal, dealer and all moves of a hand played at random."""
    chance = random.Random(number)
    deal, dealer = random_deal(chance), chance.randrange(5)
    state, moves = game.new_hand(deal, dealer, game.options({})), []
    while lawful := game.legal_moves(state):
        moves.append(random_move(lawful, chance))
        state = game.apply(state, moves[-1])
    return deal, dealer, moves


def states_of(game, number):
    """Every state of that hand, from the first to the last."""
    deal, dealer, moves = random_hand(game, number)
    state = game.new_hand(deal, dealer, game.options({}))
    yield state
    for move in moves:
        state = game.apply(state, move)
        yield state
