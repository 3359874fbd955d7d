"""P2: the deadwood of ten cards, ours against RLCard and OpenSpiel's C++, in turns in this one process.

Each engine gets its own kind of hand, made before the clock starts: OpenSpiel a list of ints, RLCard a list of cards.
What a game asks of us at every turn, eleven cards and the question what to discard, is printed with it.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from typing import Any, NamedTuple

from core.lots import Lots
from gameplay.rules import gin_melds
from gameplay.rules.cards import FRENCH, mask

HANDS = 500
SLICE = 100
ROUNDS = 15
TARGETS = {"RLCard": 30, "OpenSpiel": 2}


class Runner(NamedTuple):
    """`hands` in the engine's own form, `run` for one of them."""

    name: str
    run: Callable[[Any], Any]
    hands: list[Any]


def random_hands(size: int) -> list[list[int]]:
    """As they are dealt."""
    lots = Lots(b"bench", "random hands")
    return [lots.shuffled(range(52))[:size] for _ in range(HANDS)]


def rich_hands(size: int) -> list[list[int]]:
    """Cards of five neighbouring ranks: many melds, and sets and runs that want the same cards."""
    lots = Lots(b"bench", "rich hands")
    hands = []
    for _ in range(HANDS):
        low = lots.below(9)
        hands.append(lots.shuffled([card for card in range(52) if low <= card % 13 < low + 5])[:size])
    return hands


def late_hands(size: int) -> list[list[int]]:
    """As they are before a knock: a set of three, a run of four, and other cards."""
    lots = Lots(b"bench", "late hands")
    hands = []
    for _ in range(HANDS):
        low = 13 * lots.below(4) + lots.below(10)
        rank = lots.below(13)
        held = {*range(low, low + 4), *lots.shuffled(range(rank, 52, 13))[:3]}
        hands.append([*held, *(card for card in lots.shuffled(range(52)) if card not in held)][:size])
    return hands


KINDS = {"random": random_hands, "meld-rich": rich_hands, "before a knock": late_hands}


def others(hands: list[list[int]]) -> list[Runner]:
    """The engines of others, as their own games ask for deadwood."""
    import pyspiel
    from rlcard.games.gin_rummy.utils import melding, utils

    def rlcard(hand: list[Any]) -> int:
        clusters = melding.get_best_meld_clusters(hand)
        return int(utils.get_deadwood_count(hand, clusters[0] if clusters else []))

    helper = pyspiel.gin_rummy.GinRummyUtils(len(FRENCH.ranks), len(FRENCH.suits), len(hands[0]))
    ranks = "A23456789TJQK"
    cards = {
        card: next(own for own in utils.get_deck() if (own.suit, own.rank) == ("SCDH"[card // 13], ranks[card % 13]))
        for card in range(52)
    }
    return [
        Runner("OpenSpiel", helper.min_deadwood, hands),
        Runner("RLCard", rlcard, [[cards[card] for card in hand] for hand in hands]),
    ]


def ten_at_most(hand: int) -> tuple[int, ...]:
    """What a player may knock with."""
    return gin_melds.knockable(hand, 10)


def microseconds(run: Callable[[Any], Any], hands: list[Any]) -> float:
    """Time for these hands."""
    start = time.perf_counter()
    for hand in hands:
        run(hand)
    return (time.perf_counter() - start) * 1e6


def compare(*runners: Runner) -> list[float]:
    """Microseconds for one hand, by runner: in turns, a slice of hands each, on the same machine.

    A slice is run twice, so that nobody pays for caches that the other has filled, and counts with the least time it
    ever took: what else the machine has to do would rather hit the slow.
    """
    slices = [[hands[at : at + SLICE] for at in range(0, HANDS, SLICE)] for _, _, hands in runners]
    least = [[float("inf")] * len(parts) for parts in slices]
    for _ in range(ROUNDS):
        for at in range(HANDS // SLICE):
            for (_, run, _), parts, best in zip(runners, slices, least, strict=True):
                best[at] = min(best[at], microseconds(run, parts[at]), microseconds(run, parts[at]))
    return [sum(best) / HANDS for best in least]


def check(runners: list[Runner]) -> None:
    """All engines must find the same deadwood, or their times say nothing."""
    for hands in zip(*(runner.hands for runner in runners), strict=True):
        if len({runner.run(hand) for runner, hand in zip(runners, hands, strict=True)}) > 1:
            raise ValueError(hands)


def main(args: list[str]) -> None:
    """Print times and ratios for each kind of hand; a word in `args` chooses the kinds that begin with it."""
    for name, hands_of in KINDS.items():
        if args and not name.startswith(args[0]):
            continue
        print(f"\nP2: deadwood of ten cards, {name}")
        hands = hands_of(10)
        ours = Runner("deadwood", gin_melds.deadwood, [mask(hand) for hand in hands])
        engines = others(hands)
        check([ours, *engines])
        for other in engines:
            own, their = compare(ours, other)
            print(
                f"  {own:5.2f} us, {other.name:9} {their:6.2f} us: {their / own:5.1f}x   at least {TARGETS[other.name]}x"
            )
        eleven = [mask(hand) for hand in hands_of(11)]
        turns = Runner("knockable", ten_at_most, eleven), Runner("best_discards", gin_melds.best_discards, eleven)
        for turn, taken in zip(turns, compare(*turns), strict=True):
            print(f"  {taken:5.2f} us, {turn.name} of eleven cards", flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
