"""Gin rummy by the letter of its rules: everything is tried, nothing is clever, and no line is shared with ours."""

from functools import cache
from itertools import combinations

ROWS = [range(first, first + 13) for first in range(0, 52, 13)] + [range(rank, 52, 13) for rank in range(13)]


def is_meld(cards):
    """R1, word by word."""
    ranks = sorted(card % 13 for card in cards)
    same_rank = len(set(ranks)) == 1
    same_suit = len({card // 13 for card in cards}) == 1
    return len(ranks) >= 3 and (same_rank or (same_suit and ranks == list(range(ranks[0], ranks[0] + len(ranks)))))


MELDS = [frozenset(m) for row in ROWS for size in (3, 4, 5) for m in combinations(row, size) if is_meld(m)]
"""All melds of up to five cards: a longer run is two of these."""


def worth(cards):
    """What loose cards count (R1)."""
    return sum(min(card % 13 + 1, 10) for card in cards)


def all_arrangements(hand):
    """Every list of melds without a common card."""

    def further(chosen, melds):
        yield chosen
        for at, meld in enumerate(melds):
            yield from further([*chosen, meld], [other for other in melds[at + 1 :] if not other & meld])

    return further([], [meld for meld in MELDS if meld <= hand])


@cache
def least(hand):
    """The least deadwood of a frozenset of cards (R1)."""
    return min(worth(hand.difference(*melds)) for melds in all_arrangements(hand))


def least_laid(hand, melds):
    """The least deadwood that an opponent can keep, card by card laid on the knocker's melds (R7)."""
    seen = set()

    def lay(hand, melds):
        if (hand, melds) not in seen:
            seen.add((hand, melds))
            for meld in melds:
                for card in hand:
                    if is_meld(meld | {card}):
                        lay(hand - {card}, melds - {meld} | {meld | {card}})

    lay(hand, frozenset(melds))
    return min(least(rest) for rest, _ in seen)


def could_be_laid(melds, unseen):
    """The points of the cards that could come onto melds, each where cards before it may already have come (R7)."""
    on_the_table, laid = [set(meld) for meld in melds], set()
    while True:
        more = [(meld, card) for meld in on_the_table for card in unseen - meld if is_meld(meld | {card})]
        if not more:
            return worth(laid)
        for meld, card in more:
            meld.add(card)
            laid.add(card)


def best_for_knocker(hand, unseen):
    """The knocker's deadwood, and the fewest points of cards not seen that could then be laid off (RD7)."""
    ways = [melds for melds in all_arrangements(hand) if worth(hand.difference(*melds)) == least(hand)]
    return least(hand), min(could_be_laid(melds, unseen) for melds in ways)
