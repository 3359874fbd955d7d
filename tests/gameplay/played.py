"""Whole hands of every game, played at random from a seed."""

import random

from gameplay.rules.deals import deal_from
from gameplay.rules.games import game
from gameplay.rules.records import Record

TABLES = (
    ("gingo", {}),
    ("gingo", {"min_bid": 1}),
    ("briscola", {}),
    ("briscola", {"tie": "sudden_death"}),
    ("gin", {}),
    ("gin", {"players": 3, "target_score": 100}),
    ("gin", {"players": 4, "big_gin_bonus": 31, "may_return_upcard": True}),
    ("gin", {"knock_limit": 0, "turn_cap": 80}),  # long: the discards are dealt again
)


def random_record(number):
    """The record of a hand by its number; each of `TABLES` in turn."""
    chance = random.Random(number)
    name, given = TABLES[number % len(TABLES)]
    played = game(name)
    options = played.options(given)
    seed, dealer = chance.randbytes(32), chance.randrange(played.seats(options))
    state = played.new_hand(deal_from(seed, played.DECK), dealer, options)
    moves = []
    while lawful := played.legal_moves(state):
        bids = [move for move in lawful if move.verb == "bid"]
        if bids and chance.random() < 0.5:
            lawful = bids[:3]
        elif bids:
            lawful = [move for move in lawful if move.verb != "bid"]
        moves.append(chance.choice(lawful))
        state = played.apply(state, moves[-1])
    return Record(name, options, dealer, seed, tuple(moves)), state
