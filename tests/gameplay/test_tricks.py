"""What Gingo and briscola a cinque share: cards, tricks, moves that are none, and whole hands."""

import random
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from core.refusal import Refusal
from gameplay.rules.cards import ITALIAN
from gameplay.rules.deals import deal_from
from gameplay.rules.moves import Move
from gameplay.rules.tricks import POINTS, State, winner_of
from scoring.rules.hands import Redeal
from tests.gameplay.trick_hands import GAMES, QUIET, bid, card, random_deal, refused, states_of

GAME = pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)


def test_120_points_are_in_the_deck():
    values = {"a": 11, "3": 10, "k": 4, "c": 3, "j": 2}
    assert tuple(values.get(code.rpartition("-")[2], 0) for code in ITALIAN.codes) == POINTS
    assert sum(POINTS) == 120


@pytest.mark.parametrize(
    ("codes", "winner"),
    [
        ("cups-2", 3),
        ("cups-2 swords-a", 3),
        ("cups-2 cups-4 cups-3 cups-a cups-k", 1),
        ("cups-a coins-2 cups-3", 4),
        ("cups-a coins-2 coins-k coins-3 batons-a", 1),
        ("coins-7 coins-6 cups-a coins-j swords-a", 1),
        ("swords-2 batons-a swords-4 cups-a batons-3", 0),
    ],
)
def test_who_takes_a_trick_that_seat_3_led_when_coins_are_trump(codes, winner):
    assert winner_of(tuple(map(card, codes.split())), 3, 0) == winner


def test_who_takes_a_trick_reckoned_in_another_way():
    chance = random.Random(5)
    for _ in range(5000):
        cards, leader, trump = chance.sample(range(40), chance.randint(1, 5)), chance.randrange(5), chance.randrange(4)
        best = max(cards, key=lambda c: (c // 10 == trump, c // 10 == cards[0] // 10, c % 10))
        assert winner_of(tuple(cards), leader, trump) == (leader + cards.index(best)) % 5


@GAME
def test_cards_are_dealt_one_at_a_time_from_the_dealers_right(game):
    for dealer in range(5):
        deal = random_deal(random.Random(dealer))
        dealt = game.new_hand(deal, dealer, game.options({})).terms.dealt
        for at, number in enumerate(deal.deck):
            assert number in dealt[(dealer + 1 + at) % 5]


@GAME
@pytest.mark.parametrize("dealer", [-1, 5, None, True, 1.0, "1"])
def test_a_dealer_is_a_seat(game, dealer):
    with pytest.raises(Refusal, match="bad_dealer"):
        game.new_hand(random_deal(random.Random(1)), dealer, game.options({}))


@GAME
@pytest.mark.parametrize("seat", [-1, 5, True, 1.0, "1", []])
def test_a_viewer_is_a_seat_or_nobody(game, seat):
    for state in states_of(game, 2):
        with pytest.raises(Refusal, match="no_such_seat"):
            game.view_for(state, seat)


class Moody:
    """Cannot be compared."""

    def __eq__(self, other):
        raise RuntimeError

    __hash__ = None


class Liar(Move):
    """Says of itself that it is any other move."""

    def __eq__(self, other):
        return True

    __hash__ = None


@GAME
@pytest.mark.parametrize(
    ("move", "code", "pointer"),
    [
        (None, "move_malformed", ""),
        ((0, "bid", 70, ()), "move_malformed", ""),
        (Moody(), "move_malformed", ""),
        (Liar(0, "play", 7), "move_malformed", ""),
        *((Move(seat, "play", Moody()), "move_malformed", "/value") for seat in range(5)),
        (Move(True, "bid", 70), "move_malformed", "/seat"),
        (Move(0.0, "bid", 70), "move_malformed", "/seat"),
        (Move(0, None, 70), "move_malformed", "/verb"),
        (Move(0, "bid", 70.0), "move_malformed", "/value"),
        (Move(0, "bid", 10**5000), "move_malformed", "/value"),
        (Move(0, "bid", -1000), "move_malformed", "/value"),
        (Move(0, "bid", 70, []), "move_malformed", "/melds"),
        (Move(0, "play", True), "move_malformed", "/value"),
        (Move(0, "play", 7, (7,)), "move_malformed", "/melds"),
        (Move(-1, "knock", 1), "move_malformed", "/value"),
        (Move(0, "pass", 1), "move_malformed", "/value"),
        (Move(0, "play", -1), "no_such_card", "/value"),
        (Move(0, "play", 40), "no_such_card", "/value"),
        (Move(0, "call", 40), "no_such_card", "/value"),
    ],
)
def test_what_is_no_move_is_refused_in_every_phase(game, move, code, pointer):
    for state in states_of(game, 2):
        refusal = refused(game, state, move)
        assert (refusal.code, refusal.pointer) == (code, pointer)


@GAME
def test_a_move_from_elsewhere_is_as_good_as_one_of_ours(game):
    """And what is kept of it is ours."""
    states = list(states_of(game, 2))
    for state, later in pairwise(states):
        moves = [move for move in game.legal_moves(state) if game.apply(state, move) == later]
        assert moves
        copy = Move(int(str(moves[0].seat)), "".join(moves[0].verb), int(str(moves[0].value)))
        assert game.apply(state, copy) == later


def all_moves():
    """Every move in form, and some beyond the seats, bids and verbs that there are."""
    for seat in range(-2, 6):
        yield from (Move(seat, "bid", value) for value in range(58, 122))
        yield from (Move(seat, verb, number) for verb in ("call", "play") for number in range(40))
        yield from (Move(seat, verb) for verb in ("knock", "pass", "draw", ""))


@GAME
def test_lawful_moves_are_accepted_and_all_others_refused(game):
    everything = list(all_moves())
    assert len(set(everything)) == len(everything)
    for number in (1, 4):
        for state in states_of(game, number):
            lawful = set(game.legal_moves(state))
            assert len(lawful) == len(game.legal_moves(state))
            for move in everything:
                try:
                    game.apply(state, move)
                except Refusal:
                    assert move not in lawful
                else:
                    lawful.remove(move)
            assert not lawful


SOME_STATES = {
    name: [state for number in range(8) for state in states_of(game, number)] for name, game in GAMES.items()
}
SCALARS = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5) | st.binary(max_size=3)
ANYTHING = st.recursive(SCALARS, lambda inner: st.lists(inner, max_size=3) | st.tuples(inner, inner), max_leaves=5)
VERBS = st.sampled_from(("bid", "knock", "pass", "call", "play"))
MOVES = st.builds(
    Move,
    st.integers(-2, 6) | ANYTHING,
    VERBS | ANYTHING,
    st.integers(-1, 125) | ANYTHING,
    st.just(()) | ANYTHING,
)


@GAME
@settings(max_examples=200, deadline=None)
@given(data=st.data(), move=MOVES | ANYTHING)
def test_whatever_comes_is_a_move_or_refused(game, data, move):
    state = data.draw(st.sampled_from(SOME_STATES[game.NAME]))
    before, lawful = hash(state), game.legal_moves(state)
    try:
        later = game.apply(state, move)
    except Refusal:
        later = None
    assert hash(state) == before
    assert later is None or type(later) is State
    assert (later is not None) == any(repr(move) == repr(other) for other in lawful)


class HandMachine(RuleBasedStateMachine):
    """A hand from the deal to its outcome, with unlawful moves in between."""

    game = None

    @initialize(seed=st.binary(min_size=32, max_size=32), dealer=st.integers(0, 4))
    def deal(self, seed, dealer):
        self.given = (deal_from(seed, ITALIAN), dealer, self.game.options({}))
        self.state, self.moves = self.game.new_hand(*self.given), []

    def is_going_on(self):
        return self.state.phase != "over"

    def follow(self, move):
        self.state = self.game.apply(self.state, move)
        self.moves.append(move)

    @precondition(is_going_on)
    @rule(data=st.data())
    def move(self, data):
        lawful = self.game.legal_moves(self.state)
        quiet = lawful[0].verb in QUIET and data.draw(st.booleans())
        self.follow(lawful[0] if quiet else data.draw(st.sampled_from(lawful)))

    @precondition(lambda self: self.state.phase == "play")
    @rule(chance=st.randoms(use_true_random=False))
    def trick(self, chance):
        for _ in range(5 - len(self.state.trick)):
            self.follow(chance.choice(self.game.legal_moves(self.state)))

    @rule(move=MOVES)
    def refuse(self, move):
        if move not in self.game.legal_moves(self.state):
            before = hash(self.state)
            refused(self.game, self.state, move)
            assert hash(self.state) == before

    @invariant()
    def no_card_is_lost_or_doubled(self):
        state = self.state
        held = [[move.value for move in moves] for moves in state.hands] or state.terms.dealt
        cards = [number for cards in held for number in cards]
        cards += [*state.trick, *(number for trick in state.tricks for number in trick.cards)]
        assert sorted(cards) == list(range(40))

    @invariant()
    def views_agree_with_each_other(self):
        views = [self.game.view_for(self.state, seat) for seat in range(5)]
        for view in views:
            assert view.counts == tuple(other.hand.bit_count() for other in views)
            assert sum(view.points) == sum(POINTS[number] for trick in view.tricks for number in trick.cards)
        own = [move for view in views for move in view.moves]
        assert own == [move for move in self.game.legal_moves(self.state) if move.verb != "knock"]

    @precondition(lambda self: self.state.phase == "over")
    @invariant()
    def it_comes_to_something(self):
        found = self.game.outcome(self.state)
        assert self.game.legal_moves(self.state) == ()
        if found != Redeal():
            assert sum(self.game.view_for(self.state, None).points) == 120
            assert found.bid == self.state.terms.high >= 61

    def teardown(self):
        if hasattr(self, "given"):
            state = self.game.new_hand(*self.given)
            for move in self.moves:
                state = self.game.apply(state, move)
            assert state == self.state


class GingoMachine(HandMachine):
    game = GAMES["gingo"]


class BriscolaMachine(HandMachine):
    game = GAMES["briscola"]


TestGingoMachine, TestBriscolaMachine = GingoMachine.TestCase, BriscolaMachine.TestCase
TestGingoMachine.settings = TestBriscolaMachine.settings = settings(
    max_examples=20, stateful_step_count=40, deadline=None
)


def test_bids_in_a_state_are_shared():
    game = GAMES["gingo"]
    state = game.new_hand(random_deal(random.Random(1)), 0, game.options({}))
    assert game.apply(state, bid(3, 70)).terms.auction[0] is game.apply(state, bid(3, 70)).terms.auction[0]
