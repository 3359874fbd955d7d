"""Two worlds that differ in what a viewer of a hand of gin rummy cannot know look the same to him, and refuse alike."""

import random
from collections import Counter
from itertools import count, islice
from typing import NamedTuple

import pytest

from core.lots import Lots
from core.refusal import Refusal
from gameplay.rules import gin
from gameplay.rules.cards import cards_in, mask
from gameplay.rules.deals import deal_from
from gameplay.rules.gin_melds import arrangements, best_layoff, deadwood
from gameplay.rules.moves import Move
from tests.gameplay.gin_tables import after, card, lawful_walk, start, torn

STATES = 10_000
TABLES = (
    {},
    {"stock_end": "void", "knock_limit": 0},
    {"big_gin_bonus": 31, "turn_cap": 12},
    {"may_return_upcard": True, "knock_limit": 25},
)


class Moment(NamedTuple):
    """A state of a hand, and from where its knock can be made again: the state `before` it, or this one where nobody
    has knocked, and the `moves` since."""

    state: gin.State
    before: gin.State
    moves: tuple[Move, ...]


def moments_of(walk):
    """Of a hand, its first and last ones; of the many draws and discards between them one in nine."""
    before, moves = None, ()
    for number, (state, move) in enumerate(walk):
        if not moves:
            before = state
        if state.phase not in ("draw", "discard") or number % 9 == 0:
            yield Moment(state, before, moves)
        if state.phase == "lay" or (move and move.verb in ("knock", "big_gin")):
            moves += (move,)


def random_moments():
    """Hands one after the other, of two, three and four players, with all options, without end."""
    lots = Lots(b"views", "states")
    for number in count():
        options = gin.options({"players": 2 + number % 3, **TABLES[number % len(TABLES)]})
        seed = number.to_bytes(32, "big")
        deal = torn(seed, options.players, lots) if number % 5 else deal_from(seed, gin.DECK)
        yield from moments_of(lawful_walk(options, deal, lots))


def other_world(moment, viewer, rng):
    """The same to this viewer: other cards in the hands that he has not seen, another stock, another seed. A knock, and
    what came after it, is made again."""
    shown = gin.view_for(moment.state, None).shown
    world = exchanged(moment.before, [hand or seat == viewer for seat, hand in enumerate(shown)], rng)
    for move in moment.moves:
        world = gin.apply(world, move)
    return world


def exchanged(state, seen, rng):
    """The state with other cards wherever they are not `seen` (by seat) or known to be held."""
    stays = [hand if open_ else known for hand, known, open_ in zip(state.hands, state.known, seen, strict=True)]
    stock = state.table.stock[: state.left]
    pool = [*stock, *(each for hand, kept in zip(state.hands, stays, strict=True) for each in cards_in(hand ^ kept))]
    rng.shuffle(pool)
    hands = []
    for hand, kept in zip(state.hands, stays, strict=True):
        taken = (hand ^ kept).bit_count()
        hands.append(kept | mask(pool[:taken]))
        del pool[:taken]
    table = state.table._replace(stock=tuple(pool), seed=rng.randbytes(32))
    return state._replace(hands=tuple(hands), table=table)


def answer(state, move):
    """The refusal, or that there was none."""
    try:
        gin.apply(state, move)
    except Refusal as refusal:
        return refusal.args
    return None


def first_difference(view_for, states):
    """How many states it takes to tell two worlds apart, None if all of them look alike."""
    rng = random.Random(6)
    for number, moment in enumerate(islice(random_moments(), states)):
        for viewer in (None, *range(len(moment.state.hands))):
            world = other_world(moment, viewer, rng)
            if view_for(moment.state, viewer) != view_for(world, viewer):
                return number
    return None


def test_nobody_can_tell_two_worlds_apart_that_differ_in_what_he_has_not_seen():
    assert first_difference(gin.view_for, STATES) is None


def test_these_states_are_of_all_kinds():
    kinds, choices = Counter(), Counter()
    for state, _, _ in islice(random_moments(), STATES):
        kinds[len(state.hands), state.phase] += 1
        if state.phase == "lay":
            choices[len(state.hands)] += len(arrangements(state.hands[state.table.down.knocker])) > 1
    assert set(kinds) == {(n, phase) for n in (2, 3, 4) for phase in ("upcard", "draw", "discard", "lay", "over")}
    assert min(kinds.values()) >= 200
    assert min(choices[n] for n in (2, 3, 4)) >= 30  # there is something to choose


def test_the_worlds_differ_in_hands_and_stock():
    rng = random.Random(6)
    state = start(["", "", ""])
    world = other_world(Moment(state, state, ()), 1, rng)
    assert world.hands[1] == state.hands[1]
    assert all(world.hands[seat] != state.hands[seat] for seat in (0, 2))
    assert world.table.stock != state.table.stock
    assert world.table.seed != state.table.seed


def test_a_refusal_tells_no_more_than_the_view():
    rng = random.Random(7)
    for moment in islice(random_moments(), 0, STATES, 20):
        state = moment.state
        for viewer in range(len(state.hands)):
            world = other_world(moment, viewer, rng)
            for verb, value in (
                ("take", 0),
                ("draw", 0),
                ("discard", rng.randrange(52)),
                ("knock", rng.randrange(52)),
                ("lay", 1),
            ):
                move = Move(viewer, verb, value)
                assert answer(state, move) == answer(world, move)


def test_open_cards_are_the_same_in_both_worlds():
    """Who took a card from the discards holds it, and who has knocked lies open: nothing of that is exchanged."""
    state = after(start(["9s", "8s"]), "take", "discard 9s")
    assert other_world(Moment(state, state, ()), 1, random.Random(1)).hands[0] >> card("Kh") & 1
    drawn = after(start(["4h5h6hAsAc2d3s", "7h", ""], "Qh", "Kd", dealer=2), *["pass"] * 3, "draw")
    moves = Move(0, "knock", card("Kd")), Move(1, "lay")
    down = after(drawn, "knock Kd", "lay")
    world = other_world(Moment(down, drawn, moves), None, random.Random(1))
    assert world.hands[:2] == down.hands[:2]
    assert world.hands[2] != down.hands[2]
    assert gin.view_for(world, None) == gin.view_for(down, None)


def leaks():
    """Views that tell what they must not."""

    def top_of_the_stock(view, state):
        return view._replace(stock=state.table.stock[state.left - 1])

    def bottom_of_the_stock(view, state):
        return view._replace(stock=state.table.stock[0])

    def seed(view, state):
        return view._replace(dealer=state.table.seed[0])

    def hidden_hand(view, state):
        return view._replace(shown=state.hands)

    def moves_of_others(view, state):
        return view._replace(moves=gin.legal_moves(state))

    def hearts_of_others(view, state):
        return view._replace(counts=tuple((hand >> 39).bit_count() for hand in state.hands))

    def who_could_knock(view, state):
        return view._replace(turns=tuple(deadwood(hand) <= 10 for hand in state.hands))

    def an_ace_of_the_first_seat(view, state):
        return view._replace(passes=state.hands[0] & 1)

    def melds_against_closed_hands(view, state):
        if view.knocker is None:
            return view
        others = [hand for seat, hand in enumerate(state.hands) if seat != view.knocker]
        ways = arrangements(state.hands[view.knocker])
        left = [sum(best_layoff(hand, melds).deadwood for hand in others) for melds in ways]
        return view._replace(melds=ways[left.index(max(left))])

    return [value for value in locals().values() if callable(value)]


@pytest.mark.parametrize("leak", leaks(), ids=lambda leak: leak.__name__)
def test_a_leak_would_be_found(leak):
    assert first_difference(lambda state, viewer: leak(gin.view_for(state, viewer), state), 500) is not None
