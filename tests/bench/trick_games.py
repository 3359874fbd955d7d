"""P3: whole hands of Gingo and briscola a cinque through the public rules, moves picked at random from the lawful ones."""

from __future__ import annotations

import random
import statistics
import time
from collections.abc import Iterator
from itertools import cycle
from types import ModuleType
from typing import Any

from gameplay.rules import briscola, gingo
from gameplay.rules.cards import ITALIAN
from gameplay.rules.deals import Deal, deal_from

AT_LEAST = 10_000  # hands a second
HANDS = 500
ROUNDS = 15
CHANCE = random.Random(1)
PICKS = [CHANCE.getrandbits(30) for _ in range(99_991)]  # a hand takes about fifty; the cycle meets no hand twice


def seed(number: int) -> bytes:
    """32 bytes for the hand of this number."""
    return number.to_bytes(32, "big")


def play_hand(game: ModuleType, deal: Deal, dealer: int, options: Any, picks: Iterator[int]) -> Any:
    """One hand from the deal to its outcome; `picks` decide the moves. An auction without a bid ends it."""
    legal_moves, apply = game.legal_moves, game.apply
    state = game.new_hand(deal, dealer, options)
    while moves := legal_moves(state):
        state = apply(state, moves[next(picks) % len(moves)])
    return game.outcome(state)


def hands_a_second(game: ModuleType, *, dealt: bool) -> float:
    """In seconds of the processor, so that what else runs counts less. `dealt`: the deal from its seed is part of them."""
    options = game.options({})
    deals = [deal_from(seed(number), ITALIAN) for number in range(HANDS)]
    picks = cycle(PICKS)
    start = time.process_time()
    for number in range(HANDS):
        play_hand(game, deal_from(seed(number), ITALIAN) if dealt else deals[number], number % 5, options, picks)
    return HANDS / (time.process_time() - start)


def main(args: list[str]) -> None:
    """Print the medians, games in turn. One argument: how many rounds."""
    rounds = int(args[0]) if args else ROUNDS
    print(f"\nP3: hands a second of processor time, auction, call and 40 cards; at least {AT_LEAST}")
    found: dict[tuple[str, bool], list[float]] = {}
    for _ in range(rounds):
        for game in (gingo, briscola):
            for dealt in (True, False):
                found.setdefault((game.NAME, dealt), []).append(hands_a_second(game, dealt=dealt))
    for (name, dealt), rates in found.items():
        print(
            f"  {name:<9} {'from the seed' if dealt else 'without the deal':<17} {statistics.median(rates):8.0f}"
            f"   best {max(rates):8.0f}",
            flush=True,
        )
