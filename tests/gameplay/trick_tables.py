"""Hands of Gingo and briscola a cinque, and bots that play them through the real rules."""

import pytest

from core.lots import Lots
from gameplay.rules import briscola, gingo
from gameplay.rules.bots.trick_games import choose
from gameplay.rules.cards import ITALIAN
from gameplay.rules.deals import Deal, deal_from
from gameplay.rules.moves import Move
from gameplay.rules.tricks import KNOCK, PASSES, SEATS
from tests.gameplay.trick_hands import after, card

EACH_GAME = pytest.mark.parametrize("game", [gingo, briscola], ids=["gingo", "briscola"])
ANY = "any"
ALL_ALONE = "coins-a coins-3 coins-k coins-c coins-j coins-7 coins-6 cups-a"
WEAK = "coins-2 coins-4 cups-2 cups-4 swords-2 swords-4 batons-2 batons-4"
STRONG = "coins-3 coins-k coins-c coins-j coins-7 coins-4 cups-a cups-3"


def cards(text):
    return [card(code) for code in text.split()]


def deal(number):
    return deal_from(number.to_bytes(32, "big"), ITALIAN)


def dealt(*firsts, lots=None):
    """A deal by seat 4 in which seats 0, 1, ... hold at least these cards; `lots` shuffles the rest."""
    hands = [cards(text) for text in firsts] + [[] for _ in range(SEATS - len(firsts))]
    rest = [left for left in range(40) if not any(left in hand for hand in hands)]
    rest = lots.shuffled(rest) if lots else rest
    for hand in hands:
        while len(hand) < 8:
            hand.append(rest.pop(0))
    return Deal(bytes(32), tuple(hands[at % SEATS][at // SEATS] for at in range(40)))


def lots(text="x"):
    return Lots(text.encode(), "bots")


def steps(game, state, levels, drawn):
    """A hand that bots play: states and views of those who are asked; in an open auction they are asked in turn."""
    silent = asked = 0
    while game.outcome(state) is None:
        turn = game.view_for(state, None).turn
        asked = (asked + 1) % SEATS if turn is None else turn
        view = game.view_for(state, asked)
        yield state, view
        move = choose(view, levels[asked], drawn)
        assert move in (view.moves or (None,)) or (move is None and turn is None)
        silent = 0 if move else silent + 1
        if move or silent >= SEATS:
            state = game.apply(state, move or KNOCK)
    yield state, None


def at_the_end(game, state, levels, drawn):
    """The last state of such a hand."""
    *_, (state, _view) = steps(game, state, levels, drawn)
    return state


def called(game, deal, code, bid=61):
    """Seat 0, on the dealer's right, has the auction and calls; he leads in both games."""
    state = game.new_hand(deal, 4, game.options({}))
    rest = [KNOCK] * 3 if game is gingo else PASSES[1:]
    return after(game, state, Move(0, "bid", bid), *rest, Move(0, "call", card(code)))


def played(game, state, *codes):
    """Cards fall, from whose turn it is; ANY stands for any card."""
    for code in codes:
        moves = game.legal_moves(state)
        state = game.apply(state, moves[0] if code == ANY else Move(moves[0].seat, "play", card(code)))
    return state
