"""Gin rummy for tests: cards as people write them, stacked decks, and hands played at random."""

import pytest

from core.refusal import Refusal
from gameplay.rules import gin
from gameplay.rules.cards import cards_in, mask
from gameplay.rules.deals import Deal
from gameplay.rules.gin_melds import best_discards
from gameplay.rules.moves import Move

RANKS, SUITS = "A23456789TJQK", "scdh"
SEED = bytes(32)


def cards(text):
    """`"As 2s3s"` as card numbers, in that order."""
    text = text.replace(" ", "")
    return [SUITS.index(suit) * 13 + RANKS.index(rank) for rank, suit in zip(text[::2], text[1::2], strict=True)]


def held(text):
    """The same as a set."""
    return mask(cards(text))


def card(text):
    (found,) = cards(text)
    return found


def written(number):
    """A card number as `cards` reads it."""
    return RANKS[number % 13] + SUITS[number // 13]


def stacked(hands, upcard, stock="", dealer=1):
    """A deal that gives these hands by seat, this upcard and these next cards of the stock; the rest as it comes."""
    wanted = [cards(hand) for hand in hands]
    top, following = card(upcard), cards(stock)
    named = {top, *following, *(each for hand in wanted for each in hand)}
    others = [each for each in range(52) if each not in named]
    size, players = (10 if len(hands) == 2 else 7), len(hands)
    for hand in wanted:
        while len(hand) < size:
            hand.append(others.pop(0))
    dealt = [wanted[(dealer + 1 + at) % players][at // players] for at in range(size * players)]
    return Deal(SEED, (*dealt, top, *following, *others))


def start(hands, upcard="Kh", stock="", dealer=1, **given):
    """The state after such a deal. By default seat 0 of two players plays first."""
    options = gin.options({"players": len(hands), **given})
    return gin.new_hand(stacked(hands, upcard, stock, dealer), dealer, options)


def after(state, *moves):
    """Moves of whoever's turn it is: `"pass"`, `"draw"`, `"discard Kh"`, `"knock 2c"`."""
    for move in moves:
        verb, _, named = move.partition(" ")
        state = gin.apply(state, Move(state.turn, verb, card(named) if named else 0))
    return state


def knocked(knocker, opponents, thrown="Kh", **given):
    """After everybody passed, seat 0 drew and knocked with these cards: the first opponent is to lay off (or it was gin)."""
    state = start([knocker, *opponents], "Qh", thrown, dealer=len(opponents), **given)
    return after(state, *["pass"] * (len(opponents) + 1), "draw", f"knock {thrown}")


def refused(state, *move):
    """The code and the article with which a move is refused; the state is the same afterwards."""
    before = tuple(state)
    with pytest.raises(Refusal) as caught:
        gin.apply(state, Move(*move))
    assert tuple(state) == before
    return caught.value.code, caught.value.article


def torn(seed, players, lots):
    """A deal whose first player may soon knock, and has a run and a set that want the same card: 2s3s4s or 3s3c3d."""
    rank, (suit, *others, _) = lots.below(3) + 1, lots.shuffled(range(0, 52, 13))
    own = [suit + rank - 1, suit + rank, suit + rank + 1, *(other + rank for other in others)]
    own += range(suit + 7, suit + 10) if players == 2 else ()
    rest = [each for each in lots.shuffled(range(52)) if each not in own]
    own += [each for each in rest if each % 13 < 2][:2]
    deck = [each for each in rest if each not in own]
    for at, each in enumerate(own):
        deck.insert(at * players, each)
    return Deal(seed, tuple(deck))


def lawful_walk(options, deal, lots, skill=2):
    """Every state of a hand played at random, and the move that follows (None at the end).

    In `skill` of 4 discards the least deadwood is kept, every second time that somebody may go out he does.
    """
    state = gin.new_hand(deal, lots.below(options.players), options)
    while moves := gin.legal_moves(state):
        out = [move for move in moves if move.verb in ("knock", "big_gin")]
        if out and lots.below(2):
            moves = out
        elif state.phase == "discard" and lots.below(4) < skill:
            kept = dict(best_discards(state.hands[state.turn]))
            moves = [min(moves, key=lambda move: kept[move.value])]
        move = lots.choice(moves)
        yield state, move
        state = gin.apply(state, move)
    yield state, None


def all_cards(state):
    """Every card that is anywhere, as a list: conserved if it has each once."""
    hands = [each for hand in state.hands for each in cards_in(hand)]
    return [*hands, *state.table.stock[: state.left], *state.discards]
