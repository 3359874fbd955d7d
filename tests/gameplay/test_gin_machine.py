"""Hands of gin rummy in which anything is tried: what holds whatever players do."""

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from core.refusal import Refusal
from gameplay.rules import gin
from gameplay.rules.cards import mask
from gameplay.rules.deals import Deal, deal_from
from gameplay.rules.gin_melds import arrangements, best_discards, best_layoff
from gameplay.rules.moves import Move
from scoring.rules.gin import gin_points
from tests.gameplay.gin_tables import all_cards

VERBS = ("take", "pass", "draw", "pick", "discard", "knock", "big_gin", "lay")


def runs(players, swaps):
    """A deck that gives everybody cards in sequence but for these that are exchanged."""
    size = 10 if players == 2 else 7
    deck = [seat * size + at for at in range(size) for seat in range(players)]
    deck += range(len(deck), 52)
    for one, other in swaps:
        deck[one], deck[other] = deck[other], deck[one]
    return tuple(deck)


class GinMachine(RuleBasedStateMachine):
    """Cards are conserved, points settle to nothing, a replay gives the state, and what is refused changes nothing."""

    @initialize(
        players=st.integers(2, 4),
        seed=st.binary(min_size=32, max_size=32),
        dealer=st.integers(0, 1),
        stock_end=st.sampled_from(["recycle", "void"]),
        may_return_upcard=st.booleans(),
        knock_limit=st.sampled_from([0, 10, 30]),
        turn_cap=st.sampled_from([200, 20, 5]),
        big_gin_bonus=st.none() | st.just(31),
        swaps=st.none() | st.lists(st.tuples(st.integers(0, 51), st.integers(0, 51)), max_size=12),
    )
    def deal(self, seed, dealer, swaps, **given):
        """A hand by any options; of shuffled cards, or of runs with some cards exchanged."""
        self.options = gin.options(given)
        deal = deal_from(seed, gin.DECK) if swaps is None else Deal(seed, runs(self.options.players, swaps))
        self.first = self.state = gin.new_hand(deal, dealer, self.options)
        self.moves = []

    def make(self, move):
        """A move that is lawful."""
        self.state = gin.apply(self.state, move)
        self.moves.append(move)

    @rule(data=st.data())
    def lawful(self, data):
        """Any of the moves that are offered."""
        if moves := gin.legal_moves(self.state):
            self.make(data.draw(st.sampled_from(moves)))

    @rule()
    def out_as_soon_as_possible(self):
        """A knock, if there is one."""
        for move in gin.legal_moves(self.state):
            if move.verb in ("knock", "big_gin"):
                self.make(move)
                return

    @rule(times=st.sampled_from([40, 7, 1]))
    def draw_and_discard(self, times):
        """The stock goes down, and is dealt again or ends the hand."""
        for _ in range(times):
            if self.state.phase == "draw":
                self.make(Move(self.state.turn, "draw"))
                self.make(Move(self.state.turn, "discard", self.state.table.stock[self.state.left]))

    @rule(times=st.integers(1, 30))
    def play_well(self, times):
        """Everybody keeps the least deadwood, until somebody could go out."""
        for _ in range(times):
            moves = gin.legal_moves(self.state)
            if self.state.phase in ("lay", "over") or any(move.verb == "knock" for move in moves):
                return
            if self.state.phase == "discard":
                kept = dict(best_discards(self.state.hands[self.state.turn]))
                moves = [min(moves, key=lambda move: kept[move.value])]
            self.make(moves[0])

    @precondition(lambda self: self.state.phase in ("discard", "lay"))
    @rule(data=st.data())
    def go_out_by_hand(self, data):
        """A lawful knock, arranged in any of the best ways, and what the others then make of it."""
        if knocks := [move for move in gin.legal_moves(self.state) if move.verb == "knock"]:
            move = data.draw(st.sampled_from(knocks))
            ways = arrangements(self.state.hands[move.seat] ^ 1 << move.value)
            self.make(move._replace(melds=data.draw(st.sampled_from(ways))))
        while self.state.phase == "lay":
            self.lay_by_hand(data.draw(st.sets(st.integers(0, 51), max_size=3)))

    def lay_by_hand(self, kept):
        """What the program would lay off and meld, but for these cards if that is lawful."""
        seat, down = self.state.turn, self.state.table.down
        best = best_layoff(self.state.hands[seat], down.melds)
        try:
            self.make(Move(seat, "lay", best.laid & ~mask(kept), best.melds))
        except Refusal as refusal:
            if refusal.code != "no_layoff":  # one of these would have joined another card to its run
                raise
            self.make(Move(seat, "lay", best.laid, best.melds))
        assert self.state.table.down.laid[seat].deadwood >= best.deadwood

    @rule(
        seat=st.integers(-1, 4),
        verb=st.sampled_from(VERBS),
        value=st.integers(-1, 52),
        melds=st.tuples(st.integers(0, 2**52)) | st.just(()),
    )
    def anything(self, seat, verb, value, melds):
        """Mostly refused; what is lawful but not offered is by hand."""
        before, move = tuple(self.state), Move(seat, verb, value, melds)
        try:
            found = gin.apply(self.state, move)
        except Refusal:
            assert move not in gin.legal_moves(self.state)
        else:
            assert move in gin.legal_moves(self.state) or verb in ("knock", "big_gin", "lay")
            assert sorted(all_cards(found)) == list(range(52))
        assert tuple(self.state) == before

    @invariant()
    def every_card_is_somewhere(self):
        assert sorted(all_cards(self.state)) == list(range(52))

    @invariant()
    def everybody_has_his_cards(self):
        size = 10 if self.options.players == 2 else 7
        for seat, hand in enumerate(self.state.hands):
            more = self.state.phase == "discard" and seat == self.state.turn
            down = self.state.table.down
            big = down is not None and down.kind == "big_gin" and down.knocker == seat
            assert hand.bit_count() == size + (more or big)

    @invariant()
    def every_move_that_is_offered_is_lawful(self):
        for move in gin.legal_moves(self.state):
            gin.apply(self.state, Move(*move))

    @invariant()
    def points_settle_to_nothing(self):
        found = gin.outcome(self.state)
        assert (found is None) == bool(gin.legal_moves(self.state))
        if found:
            assert sum(gin_points(found, self.options)) == 0
            assert found.knocker is None or found.deadwood[found.knocker] <= self.options.knock_limit

    def teardown(self):
        """The moves alone give the state again."""
        state = self.first
        for move in self.moves:
            state = gin.apply(state, Move(*move))
        assert state == self.state


TestGinMachine = GinMachine.TestCase
TestGinMachine.settings = settings(max_examples=100, stateful_step_count=25, deadline=None)
