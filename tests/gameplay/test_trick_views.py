"""Nobody sees what he may not know: worlds that differ only in that look the same to him (S3, S14, B3).

A hand is played in two worlds at once: the same seats do the same, but two cards that a viewer cannot see lie in each
other's place, perhaps the called card among them, so that another man is the partner or the caller is alone. As long
as both worlds allow the same moves, and until one of the two cards falls, every view of that viewer must be equal,
and so must be the answers to whatever he tries.
"""

import random
from collections import Counter

import pytest

from core.refusal import Refusal
from gameplay.rules.moves import Move
from tests.gameplay.trick_hands import GAMES, random_hand

HANDS = 280
VIEWERS = (None, 0, 1, 2, 3, 4)


def swaps(deal, dealer, moves, viewer, chance):
    """Pairs of cards of two other seats: some that fall late, and the called card with some other."""
    fallen = {move.value: at for at, move in enumerate(moves) if move.verb == "play"}
    called = next((move.value for move in moves if move.verb == "call"), None)
    seat_of = {number: (dealer + 1 + at) % 5 for at, number in enumerate(deal.deck)}
    unseen = [number for number in deal.deck if seat_of[number] != viewer]
    chance.shuffle(unseen)
    late = sorted(unseen, key=lambda number: -fallen.get(number, 0))
    firsts = [late[0], unseen[0]] + [called] * (2 if called in unseen else 0)
    for at, first in enumerate(firsts):
        others = [number for number in (late if at == 0 else unseen) if seat_of[number] != seat_of[first]]
        yield first, others[0] if at == 0 else chance.choice(others)


def swapped(deal, first, second):
    other = {first: second, second: first}
    return deal._replace(deck=tuple(other.get(number, number) for number in deal.deck))


def answer(game, state, move):
    try:
        game.apply(state, move)
    except Refusal as refusal:
        return repr(refusal)
    return "done"


def kind(state):
    """Is the caller alone?"""
    terms = state.terms
    return terms.called_card in terms.dealt[terms.holder] if state.phase == "play" else None


def compare(game, view_for, hands):
    """Equal and unequal views by viewer and phase; pairs of worlds by (alone here, alone there)."""
    equal, unequal, pairs, seen = Counter(), Counter(), Counter(), Counter()
    for number in range(hands):
        deal, dealer, moves = random_hand(game, number)
        chance, options = random.Random(-number), game.options({})
        states = [game.new_hand(deal, dealer, options)]
        for move in moves:
            states.append(game.apply(states[-1], move))
        for viewer in VIEWERS:
            views, met = [view_for(state, viewer) for state in states], set()
            for first, second in swaps(deal, dealer, moves, viewer, chance):
                other = game.new_hand(swapped(deal, first, second), dealer, options)
                for at, state in enumerate(states):
                    equal_here = views[at] == view_for(other, viewer)
                    (equal if equal_here else unequal)[viewer, state.phase] += 1
                    met.add(at)
                    pairs[kind(state), kind(other)] += 1
                    if viewer is not None and chance.random() < 0.1:
                        tried = Move(viewer, chance.choice(("play", "call", "bid")), chance.randrange(121))
                        assert answer(game, state, tried) == answer(game, other, tried)
                    if at == len(moves) or (moves[at].verb == "play" and moves[at].value in (first, second)):
                        break
                    try:
                        other = game.apply(other, moves[at])
                    except Refusal:  # Gingo: the call tells this world from the other
                        assert moves[at].verb == "call"
                        break
            seen[viewer] += len(met)
    return equal, unequal, pairs, seen


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
def test_ten_thousand_states_look_the_same_in_every_world_that_may_be(game):
    equal, unequal, pairs, seen = compare(game, game.view_for, HANDS)
    assert not unequal
    assert all(seen[viewer] >= 10_000 for viewer in VIEWERS), seen
    for viewer in VIEWERS:
        for phase in ("auction", "call", "play", "over"):
            assert equal[viewer, phase] >= 30, (viewer, phase)
    for alone in ((True, False), (False, True), (False, False)):
        assert pairs[alone] >= 1000, alone


def partner_of(state):
    return next((seat for seat, cards in enumerate(state.terms.dealt) if state.terms.called_card in cards), None)


LEAKS = {
    "the partner": lambda state, view: view._replace(partner=partner_of(state)),
    "a caller who is alone": lambda state, view: view._replace(knocks=9 if kind(state) else view.knocks),
    "another's lawful moves": lambda state, view: view._replace(moves=state.hands[:1] or view.moves),
    "a hand": lambda state, view: view._replace(hand=sum(state.terms.dealt[4])),
    "the order of a hand": lambda state, view: view._replace(counts=tuple(cards[0] % 2 for cards in state.terms.dealt)),
}


@pytest.mark.parametrize("leak", LEAKS.values(), ids=LEAKS)
@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
def test_a_leak_is_noticed(game, leak):
    unequal = compare(game, lambda state, seat: leak(state, game.view_for(state, seat)), 12)[1]
    assert unequal
