"""Bots of Gingo and briscola a cinque: lawful, blind to what their seat cannot see, and never silly."""

from itertools import islice

import pytest

from gameplay.rules import briscola, gingo
from gameplay.rules.bots import trick_games
from gameplay.rules.bots.rollouts import BITS, SIDES, whole_hand
from gameplay.rules.bots.trick_games import choose
from gameplay.rules.bots.worlds import Dice, fallen, in_turn, worlds
from gameplay.rules.cards import cards_in, mask
from gameplay.rules.moves import Move
from gameplay.rules.tricks import KNOCK, SEATS
from tests.gameplay.trick_hands import after, card
from tests.gameplay.trick_tables import (
    ALL_ALONE,
    ANY,
    EACH_GAME,
    STRONG,
    WEAK,
    at_the_end,
    called,
    cards,
    deal,
    dealt,
    lots,
    played,
    steps,
)

LEVELS = pytest.mark.parametrize("level", [1, 2, 3])

# What a bot may know


@EACH_GAME
def test_a_world_is_one_that_the_seat_cannot_tell_from_the_real_one(game):

    dice = Dice(1)
    for number in range(12):
        start = game.new_hand(deal(number), number % SEATS, game.options({}))
        for state, asked in steps(game, start, [1] * SEATS, lots()):
            view = asked or game.view_for(state, number % SEATS)
            out = fallen(view)
            for hands, partner in islice(worlds(view, dice), 2):
                assert tuple(map(len, hands)) == view.counts
                assert mask(hands[view.seat]) == view.hand
                held = sorted(held for hand in hands for held in hand)
                assert held == [left for left in range(40) if left not in out]
                if view.called_card is None:
                    assert partner is None
                    continue
                assert out.get(view.called_card, partner) == partner
                assert view.called_card in out or view.called_card in hands[partner]
                assert view.partner in (None, partner)
                if game is gingo and partner != view.caller:  # S13 b: he called the highest that he lacked
                    top = view.trump * 10 + 9
                    for above in range(view.called_card + 1, top + 1):
                        assert out.get(above, view.caller) == view.caller
                        assert above in out or above in hands[view.caller]


def partners(view, count=3000):
    found = [world.partner for world in islice(worlds(view, Dice(3)), count)]
    return {seat: found.count(seat) / count for seat in range(SEATS) if seat in found}


def test_the_called_card_may_be_anywhere_and_seldom_with_the_caller():
    state = called(gingo, dealt("coins-3 coins-k coins-7", "coins-a"), "coins-a")
    shares = partners(gingo.view_for(state, 2))
    assert set(shares) == {0, 1, 3, 4}
    assert 0.01 < shares[0] < 0.06
    assert all(0.25 < shares[seat] < 0.4 for seat in (1, 3, 4))
    assert set(partners(gingo.view_for(state, 0))) == {1, 2, 3, 4}  # the caller knows that he is not alone
    assert set(partners(gingo.view_for(state, 1))) == {1}


def test_who_holds_or_sees_a_higher_trump_elsewhere_knows_that_the_caller_is_alone():
    """S13 b and c: below the highest that he lacks only his own cards can be called."""
    state = called(gingo, dealt("coins-k coins-7 cups-2", "coins-3", "cups-a"), "coins-k")
    assert set(partners(gingo.view_for(state, 1))) == {0}
    assert set(partners(gingo.view_for(state, 2))) != {0}
    state = played(gingo, state, "cups-2", "coins-3", "cups-a", ANY, ANY)
    assert set(partners(gingo.view_for(state, 2))) == {0}


def test_in_briscola_any_card_can_be_called_and_nothing_follows_from_it():
    state = called(briscola, dealt("coins-k coins-7", "coins-3", "coins-4"), "coins-4")
    view = briscola.view_for(state, 1)
    assert in_turn(view)
    assert set(partners(view)) == {0, 2, 3, 4}
    assert any(card("coins-k") not in world.hands[0] for world in islice(worlds(view, Dice(1)), 50))


def test_an_auction_that_jumps_to_120_is_still_briscola():
    state = briscola.new_hand(dealt("coins-2 coins-5", "coins-4"), 4, briscola.options({}))
    state = after(briscola, state, Move(0, "bid", 120), Move(0, "call", card("coins-4")))
    assert in_turn(briscola.view_for(state, 1))


@EACH_GAME
def test_dice_deal_every_card_to_every_seat(game):
    """The bots' own generator: each unseen card falls to each of four seats about as often."""
    view = game.view_for(game.new_hand(deal(1), 0, game.options({})), 0)
    times = [[0] * 40 for _ in range(SEATS)]
    for world in islice(worlds(view, Dice(5)), 2000):
        for seat, hand in enumerate(world.hands):
            for held in hand:
                times[seat][held] += 1
    unseen = [times[seat][held] for seat in range(1, SEATS) for held in range(40) if not view.hand >> held & 1]
    assert sum((count - 500) ** 2 / 500 for count in unseen) < 170  # 128 cells, 31 * 3 degrees of freedom
    assert len({Dice(0).below(1000), Dice(1).below(1000), Dice(2).below(1000)}) == 3


@LEVELS
@EACH_GAME
def test_equal_views_get_equal_moves(game, level):
    """Two deals that differ in hands the viewer does not see, and other thoughts in between."""
    own = "coins-3 coins-k cups-a cups-7 swords-2 swords-5 batons-j batons-c"
    one = called(game, dealt(own, "coins-a", "cups-3", "swords-a"), "coins-a", 70)
    two = called(game, dealt(own, "cups-3", "coins-a", "batons-3"), "coins-a", 70)
    assert game.view_for(one, 0) == game.view_for(two, 0)
    assert game.view_for(one, 1) != game.view_for(two, 1)
    move = choose(game.view_for(one, 0), level, lots())
    choose(game.view_for(two, 1), level, lots("other"))
    assert choose(game.view_for(two, 0), level, lots()) == move


# Whole hands


@EACH_GAME
def test_the_players_of_the_rollouts_are_the_bots_of_level_1(game):
    """The quick code and the real rules: the same cards, the same points."""
    for number in range(60):
        result, start = None, game.new_hand(deal(number), number % SEATS, game.options({}))
        for state, view in steps(game, start, [1] * SEATS, lots()):
            if view and view.phase == "play" and result is None:
                result = rolled_out(game, state)
        assert result == game.outcome(state).made


def rolled_out(game, state):
    seen = [game.view_for(state, seat) for seat in range(SEATS)]
    bits, caller = BITS[seen[0].trump], seen[0].caller
    partner = next(view.seat for view in seen if view.partner == view.seat)
    hands = [sum(bits[held] for held in cards_in(view.hand)) for view in seen]
    return whole_hand(hands, SIDES[caller][partner], bits[seen[0].called_card], seen[0].leader)


@EACH_GAME
def test_an_alone_hand_in_the_rollouts(game):
    """S13 c, B3: he calls a card of his own, and the others find out when it falls."""
    state = called(game, dealt(ALL_ALONE), "coins-a")
    assert rolled_out(game, state) == game.outcome(at_the_end(game, state, [1] * SEATS, lots())).made


# Choices that anybody would make


@LEVELS
@EACH_GAME
def test_the_last_card_is_played_without_a_thought(game, level):
    for _state, view in steps(game, called(game, dealt("coins-3"), "coins-a"), [1] * SEATS, lots()):
        if view and len(view.moves) == 1:
            assert choose(view, level, None) == view.moves[0]  # no lots are drawn


@LEVELS
@EACH_GAME
def test_an_opponent_takes_a_rich_trick_from_the_caller(game, level):
    own = "coins-4 swords-2 swords-4 swords-5 batons-2 batons-4 batons-5 batons-6"
    state = called(game, dealt("cups-a coins-3", "cups-3", "cups-k", "cups-c coins-a", own), "coins-a")
    state = played(game, state, "cups-a", "cups-3", "cups-k", "cups-c")
    assert choose(game.view_for(state, 4), level, lots()).value == card("coins-4")


@LEVELS
@EACH_GAME
def test_an_opponent_gives_the_caller_nothing(game, level):
    own = "cups-a cups-3 swords-a swords-2 swords-3 batons-a batons-3 batons-k"
    state = called(game, dealt("coins-3", "batons-2", "batons-4", "batons-5 coins-a", own), "coins-a")
    state = played(game, state, "coins-3", "batons-2", "batons-4", "batons-5")
    assert choose(game.view_for(state, 4), level, lots()).value == card("swords-2")


@LEVELS
@EACH_GAME
def test_the_called_player_gives_points_to_the_caller_as_the_last(game, level):
    own = "coins-a cups-3 swords-a swords-2 swords-4 batons-k batons-c batons-4"
    state = called(game, dealt("coins-3", "cups-2", "cups-4", "cups-5", own), "coins-a")
    state = played(game, state, "coins-3", "cups-2", "cups-4", "cups-5")
    assert choose(game.view_for(state, 4), level, lots()).value in cards("cups-3 swords-a")


def test_of_cards_that_do_the_same_one_is_tried():
    """A 4 and a 6 are the same if the 5 is out or one's own, but not if the trick may be won with the 6 alone."""
    own = "coins-a cups-4 cups-5 cups-6 swords-4 swords-6 batons-k batons-c"
    state = called(gingo, dealt("coins-3 swords-5", own), "coins-a")
    assert len(trick_games._distinct(gingo.view_for(state, 1))) == 6
    state = played(gingo, state, "swords-5")
    assert len(trick_games._distinct(gingo.view_for(state, 1))) == 6
    state = played(gingo, state, "cups-4", ANY, ANY, ANY)
    assert len(trick_games._distinct(gingo.view_for(state, 1))) == 5


# Bids and calls


@LEVELS
@EACH_GAME
def test_a_strong_hand_bids_the_next_number(game, level):
    state = game.new_hand(dealt(STRONG), 4, game.options({}))
    assert choose(game.view_for(state, 0), level, lots()) == Move(0, "bid", 61)
    state = game.new_hand(dealt("", STRONG), 4, game.options({}))
    state = game.apply(state, Move(0, "bid", 70))
    assert choose(game.view_for(state, 1), level, lots()) == Move(1, "bid", 71)


@LEVELS
def test_a_weak_hand_is_silent_or_passes(level):
    state = after(gingo, gingo.new_hand(dealt("", WEAK), 4, gingo.options({})), Move(0, "bid", 90))
    assert choose(gingo.view_for(state, 1), level, lots()) is None
    state = after(briscola, briscola.new_hand(dealt("", WEAK), 4, briscola.options({})), Move(0, "bid", 90))
    assert choose(briscola.view_for(state, 1), level, lots()) == Move(1, "pass")


@LEVELS
def test_who_has_no_move_says_nothing(level):
    state = after(gingo, gingo.new_hand(dealt(STRONG), 4, gingo.options({})), Move(0, "bid", 70))
    assert choose(gingo.view_for(state, 0), level, lots()) is None  # D17: he holds the highest bid
    assert choose(gingo.view_for(state, None), level, lots()) is None
    state = called(gingo, dealt(STRONG), "coins-a")
    assert choose(gingo.view_for(state, 1), level, lots()) is None


def to_call(game, deal, bid):
    state = game.new_hand(deal, 4, game.options({}))
    rest = [KNOCK] * 3 if game is gingo else [Move(seat, "pass") for seat in range(1, SEATS)]
    return game.view_for(after(game, state, Move(0, "bid", bid), *rest), 0)


@LEVELS
@EACH_GAME
def test_the_ace_of_the_strong_suit_is_called(game, level):
    view = to_call(game, dealt(STRONG), 80)
    assert choose(view, level, lots()) == Move(0, "call", card("coins-a"))


@pytest.mark.parametrize("level", [2, 3])
@EACH_GAME
def test_who_needs_nobody_plays_alone(game, level):
    """It doubles what he wins (S15, B5); the others have to guess, as he calls his highest."""
    assert choose(to_call(game, dealt(ALL_ALONE), 70), level, lots()) == Move(0, "call", card("coins-a"))
