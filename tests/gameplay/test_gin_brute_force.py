"""Deadwood, discards, knocks and lay-offs are what trying everything gives (R1, R7, RD7)."""

import random

import pytest

from gameplay.rules.cards import cards_in, mask
from gameplay.rules.gin_melds import (
    arrangements,
    best_arrangement,
    best_discards,
    best_layoff,
    check_laid,
    check_melds,
    deadwood,
    knockable,
)
from tests.gameplay.gin_brute_force import best_for_knocker, could_be_laid, least, least_laid

HANDS = 20_000
POSITIONS = 2_000


def cards_of(chance, ranks, size):
    """Cards of so many neighbouring ranks: of few, melds fight for cards; of 13, they are rare."""
    low = chance.randrange(14 - ranks)
    return chance.sample([card for card in range(52) if low <= card % 13 < low + ranks], size)


def position(chance, ranks, opponents, size):
    """A knocker with cards of few ranks, and opponents with those around them."""
    knocker = cards_of(chance, ranks, size)
    low, high = min(card % 13 for card in knocker), max(card % 13 for card in knocker)
    near = [card for card in range(52) if low - 4 <= card % 13 <= high + 4 and card not in knocker]
    others = chance.sample(near, size * opponents)
    return frozenset(knocker), [frozenset(others[at::opponents]) for at in range(opponents)]


@pytest.mark.parametrize("size", [7, 8, 10, 11])
def test_deadwood(size):
    chance = random.Random(size)
    for number in range(HANDS // 4):
        hand = cards_of(chance, (13, 5, 7)[number % 3], size)
        assert deadwood(mask(hand)) == least(frozenset(hand)), hand


@pytest.mark.parametrize("size", [8, 11])
def test_what_is_left_after_each_discard(size):
    chance = random.Random(size)
    for number in range(600):
        hand = sorted(cards_of(chance, (13, 5, 7)[number % 3], size))
        left = [(card, least(frozenset(hand) - {card})) for card in hand]
        assert list(best_discards(mask(hand))) == left
        for limit in (0, 5, 10):
            assert list(knockable(mask(hand), limit)) == [card for card, rest in left if rest <= limit]


def sets_of(melds):
    """Masks as sets of cards."""
    return [frozenset(cards_in(meld)) for meld in melds]


@pytest.mark.parametrize(("opponents", "size"), [(1, 10), (2, 7), (3, 7)])
def test_lay_offs_of_each_opponent_alone_against_the_best_arrangement(opponents, size):
    chance = random.Random(opponents)
    laid_off = 0
    for number in range(POSITIONS if opponents > 1 else 500):
        knocker, others = position(chance, (4, 5, 6)[number % 3], opponents, size)
        melds = best_arrangement(mask(knocker), mask(set(range(52)) - knocker))
        for other in others:
            laid = best_layoff(mask(other), melds)
            assert laid.deadwood == least_laid(other, sets_of(melds))
            assert check_laid(mask(other), melds, laid.melds, laid.laid) == laid
            laid_off += laid.laid > 0
    assert laid_off > number / 4


@pytest.mark.parametrize("size", [7, 10])
def test_the_knocker_gives_least_away_by_what_he_has_seen_himself(size):
    chance = random.Random(size)
    chosen = 0
    for number in range(POSITIONS // 4):
        knocker = frozenset(cards_of(chance, (3, 4, 5)[number % 3], size))
        closed = sorted(set(range(52)) - knocker)
        unseen = set(chance.sample(closed, chance.randint(len(closed) // 2, len(closed))))
        melds = best_arrangement(mask(knocker), mask(unseen))
        found = check_melds(mask(knocker), melds), could_be_laid(sets_of(melds), unseen)
        assert found == best_for_knocker(knocker, unseen), (knocker, unseen)
        chosen += len({could_be_laid(sets_of(way), unseen) for way in arrangements(mask(knocker))}) > 1
    assert chosen > number / 25
