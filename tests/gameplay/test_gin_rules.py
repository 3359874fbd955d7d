"""Gin rummy as its rules have it, article by article (R1-R8, RD1-RD7)."""

import pytest

from core.refusal import Refusal
from gameplay.rules import gin
from gameplay.rules.cards import cards_in, mask
from gameplay.rules.deals import deal_from, shuffled_again
from gameplay.rules.gin_melds import Laid
from gameplay.rules.moves import Move
from scoring.rules.gin import GinOutcome, gin_points
from tests.gameplay.gin_tables import SEED, after, all_cards, card, cards, held, knocked, refused, start, written

TEN_LEFT = "JsJdJc 5h6h7h As2c3d4s"
"""Ten cards of the source's knocker: three jacks, a run of hearts, and ten deadwood."""
TWENTY_FOUR = "Jh8h6c KsKcKd 9s9c9dTs"


def verbs(state):
    return {move.verb for move in gin.legal_moves(state)}


def knocks(state):
    return {move.value for move in gin.legal_moves(state) if move.verb == "knock"}


# R2


@pytest.mark.parametrize(("players", "size", "stock"), [(2, 10, 31), (3, 7, 30), (4, 7, 23)])
def test_two_get_ten_cards_more_get_seven_and_one_lies_open(players, size, stock):
    state = gin.new_hand(deal_from(SEED, gin.DECK), 0, gin.options({"players": players}))
    assert [hand.bit_count() for hand in state.hands] == [size] * players
    assert (len(state.discards), state.left) == (1, stock)
    assert sorted(all_cards(state)) == list(range(52))
    assert gin.seats(state.table.options) == players


def test_cards_are_dealt_one_at_a_time_first_to_the_player_after_the_dealer():
    deal = deal_from(SEED, gin.DECK)
    state = gin.new_hand(deal, 1, gin.options({"players": 3}))
    assert state.hands == (mask(deal.deck[1:21:3]), mask(deal.deck[2:21:3]), mask(deal.deck[0:21:3]))
    assert state.discards == (deal.deck[21],)
    state = after(state, "pass", "pass", "pass", "draw")
    assert state.hands[2] >> deal.deck[22] & 1


@pytest.mark.parametrize("dealer", [-1, 3, True, None, "0", 1.0])
def test_a_dealer_sits_at_the_table(dealer):
    with pytest.raises(Refusal, match="bad_dealer"):
        gin.new_hand(deal_from(SEED, gin.DECK), dealer, gin.options({"players": 3}))


# R3


def test_the_first_card_is_offered_round_from_the_player_after_the_dealer():
    state = start(["", "", ""], dealer=0)
    for seat in (1, 2, 0):
        assert (state.phase, state.turn, verbs(state)) == ("upcard", seat, {"take", "pass"})
        state = after(state, "pass")
    assert (state.phase, state.turn) == ("draw", 1)


def test_who_takes_it_discards_and_play_goes_on_with_the_next():
    state = after(start(["Ks", "", ""], dealer=2), "pass", "take")
    assert (state.phase, state.turn, state.picked, state.turns) == ("discard", 1, card("Kh"), 1)
    state = gin.apply(state, gin.legal_moves(state)[0])
    assert (state.phase, state.turn, state.turns, verbs(state)) == ("draw", 2, 2, {"draw", "pick"})


def test_when_all_have_passed_the_first_player_must_draw_from_the_stock():
    state = after(start(["", ""]), "pass", "pass")
    assert (state.turn, state.turns, gin.legal_moves(state)) == (0, 1, (Move(0, "draw"),))
    assert refused(state, 0, "pick") == ("must_draw", "R3")
    assert refused(state, 0, "take") == ("wrong_phase", "R3")


# R4


def test_a_turn_is_a_card_from_the_stock_or_the_discards_and_one_discarded():
    state = after(start(["9s", ""], stock="2h"), "pass", "pass", "draw")
    assert state.hands[0] >> card("2h") & 1
    assert state.hands[0].bit_count() == 11
    state = after(state, "discard 9s")
    assert state.discards == (card("Kh"), card("9s"))
    state = after(state, "pick")
    assert state.hands[1] >> card("9s") & 1
    assert (state.discards, state.picked) == ((card("Kh"),), card("9s"))


def test_ten_or_seven_cards_are_left_after_the_discard():
    """RD1"""
    for players, size in ((2, 10), (3, 7)):
        state = after(start([""] * players, dealer=players - 1), "take")
        assert gin.apply(state, gin.legal_moves(state)[0]).hands[0].bit_count() == size


def test_only_cards_of_the_hand_are_discarded():
    state = after(start(["", "9s"]), "take")
    assert refused(state, 0, "discard", card("9s")) == ("card_not_held", "R4")
    assert refused(state, 0, "knock", card("9s")) == ("card_not_held", "R4")


def test_the_card_just_taken_from_the_discards_stays_for_this_turn():
    """RD2"""
    state = after(start(["AsAcAd 2s2c2d 3s3c3d4s", ""]), "take")
    assert refused(state, 0, "discard", card("Kh")) == ("may_not_return", "RD2")
    assert refused(state, 0, "knock", card("Kh")) == ("may_not_return", "RD2")
    assert card("Kh") not in {move.value for move in gin.legal_moves(state)}
    later = after(state, "discard 4s", "draw")
    later = gin.apply(later, gin.legal_moves(later)[0])
    assert after(later, "draw", "discard Kh").discards[-1] == card("Kh")


def test_a_table_may_let_it_go_back():
    """RD2"""
    state = after(start(["AsAcAd 2s2c2d 3s3c3d4s", ""], may_return_upcard=True), "take")
    assert card("Kh") in knocks(state)
    assert after(state, "discard Kh").discards == (card("Kh"),)


def test_a_card_drawn_from_the_stock_may_be_discarded_at_once():
    state = after(start(["", ""], stock="2h"), "pass", "pass", "draw")
    assert after(state, "discard 2h").discards[-1] == card("2h")


# R5, RD3, RD4


def drawn_down(state, left):
    """Everybody discards what he draws, until so many cards of the stock are left."""
    while state.left > left:
        state = after(state, "draw")
        state = gin.apply(state, Move(state.turn, "discard", state.table.stock[state.left]))
    return state


def passed(players=2, **given):
    return after(start([""] * players, dealer=players - 1, **given), *["pass"] * players)


@pytest.mark.parametrize("players", [2, 3, 4])
def test_with_two_cards_left_the_discards_but_the_last_are_shuffled_and_laid_on_them(players):
    state = after(drawn_down(passed(players), 3), "draw")
    assert (state.left, state.phase) == (2, "discard")  # nothing happens yet: the turn is not over
    bottom, thrown = state.table.stock[:2], state.table.stock[2]
    before = state.discards
    state = gin.apply(state, Move(state.turn, "discard", thrown))
    assert state.table.stock == (*bottom, *shuffled_again(SEED, before, 1))
    assert (state.left, state.discards) == (len(state.table.stock), (thrown,))
    assert sorted(all_cards(state)) == list(range(52))
    assert verbs(state) == {"draw", "pick"}


def test_every_shuffle_of_a_hand_is_another_one():
    state = drawn_down(passed(), 3)
    for time in (1, 2):
        state = after(drawn_down(state, 3), "draw")
        bottom, before, thrown = state.table.stock[:2], state.discards, state.table.stock[2]
        state = gin.apply(state, Move(state.turn, "discard", thrown))
        assert state.table.stock == (*bottom, *shuffled_again(SEED, before, time))


def test_a_table_may_call_the_hand_void_instead():
    """RD3"""
    state = after(drawn_down(passed(stock_end="void"), 3), "draw")
    state = gin.apply(state, gin.legal_moves(state)[0])
    assert (state.phase, gin.legal_moves(state)) == ("over", ())
    assert gin.outcome(state) == GinOutcome("void", None, (0, 0))
    assert not any(gin.view_for(state, 0).shown)


def test_the_last_card_of_a_stock_that_ends_may_still_be_knocked_with():
    """RD3"""
    state = after(start([TEN_LEFT, ""], stock_end="void"), "pass", "pass")
    state = after(drawn_down(state, 3), "draw")
    assert (state.turn, state.left) == (0, 2)
    assert gin.apply(state, Move(0, "knock", state.table.stock[2])).phase == "lay"


def test_after_so_many_turns_a_hand_is_void():
    """RD4"""
    state = passed(turn_cap=3)
    for turn in (1, 2, 3):
        assert (state.turns, state.phase) == (turn, "draw")
        state = after(state, "draw")
        state = gin.apply(state, Move(state.turn, "discard", state.table.stock[state.left]))
    assert gin.outcome(state) == GinOutcome("void", None, (0, 0))


# R6


def test_gin_ends_the_hand_at_once_and_nobody_lays_off():
    state = knocked("AsAcAd 2s2c2d 3s3c3d3h", ["Ah2h5c6hQsQd7s9dTdJc"])
    assert state.phase == "over"
    assert gin.outcome(state) == GinOutcome("gin", 0, (0, 1 + 2 + 5 + 6 + 10 + 10 + 7 + 9 + 10 + 10))
    assert gin.view_for(state, None).laid[1] == Laid((), 0, 70)
    assert all(gin.view_for(state, None).shown)


def test_the_others_still_meld_their_own():
    state = knocked("AsAcAd 2s2c2d 3s3c3d3h", ["4s4d4c 5h6h7h8h QsQd9d"])
    assert gin.outcome(state).deadwood == (0, 29)


def test_the_gin_hand_of_eleven_cards():
    state = after(start(["As2s3sAcAh2c2d2h5h6h", ""], "Kd", "7h"), "pass", "pass", "draw")
    over = [gin.outcome(gin.apply(state, Move(0, "knock", each))) for each in sorted(knocks(state))]
    assert "gin" in {found.kind for found in over if found}


# R7


@pytest.mark.parametrize(
    "hand", ["2s Ad 3h4h 6h 4c5c6c 4d5d6d", "3s AcAh 5c6c7c 5d6d7d 5h7h", "7s8s 6c7c8c9c 3d8d Ah7h8h"]
)
def test_legal_knocks_that_need_the_best_arrangement(hand):
    """Eleven cards that come to ten deadwood, whichever of them was drawn from the stock."""
    for last in cards(hand):
        ten = [each for each in cards(hand) if each != last]
        text = "".join(written(each) for each in ten)
        state = after(start([text, ""], "Kd", written(last)), "pass", "pass", "draw")
        left = [gin.apply(state, Move(0, "knock", each)).table.down.deadwood for each in knocks(state)]
        assert min(left) == 10


def test_who_has_at_most_ten_deadwood_after_the_discard_may_knock():
    state = after(start([TEN_LEFT, ""], "Qh", "Kh"), "pass", "pass", "draw")
    assert knocks(state) == {card("Kh")}
    assert refused(state, 0, "knock", card("As")) == ("too_much_deadwood", "R7")
    down = after(state, "knock Kh")
    assert (down.phase, down.turn, down.discards[-1]) == ("lay", 1, card("Kh"))
    assert set(down.table.down.melds) == {held("JsJdJc"), held("5h6h7h")}


def test_after_a_knock_with_a_card_from_the_discards_nothing_is_left_of_the_turn():
    state = after(start([TEN_LEFT.replace("As", "9s"), ""], "As"), "take")
    assert (state.picked, gin.view_for(after(state, "knock 9s"), 1).picked) == (card("As"), None)


def test_the_limit_is_an_option():
    state = after(start([TEN_LEFT, ""], "Qh", "Kh", knock_limit=9), "pass", "pass", "draw")
    assert not knocks(state)
    assert refused(state, 0, "knock", card("Kh")) == ("too_much_deadwood", "R7")


def test_a_hand_without_a_meld_may_be_low_enough_too():
    state = knocked("AsAc2d2h3s3c4d", ["", "", ""], "Kd", knock_limit=16)
    assert (state.phase, state.table.down.melds) == ("lay", ())


def test_lay_off_as_in_the_example_of_the_source():
    state = knocked(TEN_LEFT, [TWENTY_FOUR.replace("Ts", "9h")])
    state = after(state, "lay")
    assert state.table.down.laid[1].laid == held("Jh8h")
    assert gin.outcome(state) == GinOutcome("knock", 0, (10, 6))
    assert gin_points(gin.outcome(state), state.table.options) == (-24, 24)


def test_a_player_may_lay_off_less_by_hand():
    state = knocked(TEN_LEFT, [TWENTY_FOUR])
    own = (held("KsKcKd"), held("9s9c9d"))
    laid = gin.apply(state, Move(1, "lay", held("8h"), own)).table.down.laid[1]
    assert laid == Laid(own, held("8h"), 10 + 6 + 10)
    assert gin.apply(state, Move(1, "lay", 0, own[:1])).table.down.laid[1].deadwood == 10 + 8 + 6 + 27 + 10


def test_what_is_laid_by_hand_must_be_lawful():
    state = knocked(TEN_LEFT, [TWENTY_FOUR])
    assert refused(state, 1, "lay", held("6c"))[0] == "no_layoff"
    assert refused(state, 1, "lay", held("2d"))[0] == "card_not_held"
    assert refused(state, 1, "lay", -1)[0] == "card_not_held"
    assert refused(state, 1, "lay", 0, (held("KsKc"),))[0] == "not_a_meld"
    assert refused(state, 1, "lay", 0, (held("KsKcKd"), held("KsKcKd")))[0] == "meld_card_twice"


def test_one_opponent_may_add_several_cards_in_a_row_to_a_run():
    state = after(knocked("4h5h6hAsAc2d3s", ["7h8h9dJsQcKc2s", ""], "Kd"), "lay")
    assert state.table.down.laid[1].laid == held("7h8h")


def test_nobody_lays_off_on_what_another_laid_off():
    """The 7 on 4-5-6 does not let the next one add his 8; each could have added his own 3 or 7."""
    state = knocked("4h5h6hAsAc2d3s", ["7h9dJsQcKc2s2c", "8h9cJcQdKs3h4d"], "Kd")
    first, second = after(state, "lay"), after(state, "lay", "lay")
    assert first.table.down.laid[1].laid == held("7h")
    assert second.table.down.laid[2].laid == held("3h")
    assert refused(first, 2, "lay", held("8h"))[0] == "no_layoff"


def test_nobody_lays_off_on_deadwood_or_on_melds_of_other_opponents():
    state = after(knocked("4h5h6hAsAc2d3s", ["KsKcKd9c9d7s2c", "Kh9h9sQdJc3c7d"], "Qs"), "lay")
    assert state.table.down.laid[1].melds == (held("KsKcKd"),)
    assert refused(state, 2, "lay", held("Kh"))[0] == "no_layoff"
    assert refused(state, 2, "lay", held("3c"))[0] == "no_layoff"


def test_opponents_lay_off_in_turn_and_then_it_is_over():
    state = knocked("4h5h6hAsAc2d3s", ["", "", ""], "Kd")
    for seat in (1, 2, 3):
        assert (state.phase, gin.legal_moves(state), gin.outcome(state)) == ("lay", (Move(seat, "lay"),), None)
        assert refused(state, 0, "lay") == ("not_your_turn", "R7")
        state = after(state, "lay")
    assert (state.phase, gin.legal_moves(state), gin.view_for(state, 0).turn) == ("over", (), None)
    assert gin.outcome(state).kind == "knock"


def test_hands_lie_open_from_the_moment_at_which_they_do():
    state = knocked("4h5h6hAsAc2d3s", ["", ""], "Kd")
    assert [bool(hand) for hand in gin.view_for(state, 2).shown] == [True, False, False]
    assert [bool(hand) for hand in gin.view_for(after(state, "lay"), None).shown] == [True, True, False]


# RD7


def test_the_knocker_is_arranged_so_that_least_can_be_laid_off():
    """Four sixes and 7-8-9 of spades leave as much as three sixes and 6-7-8-9; on those the 5 could be laid off."""
    state = knocked("6s6c6d6h 7s8s9s AcAd2h", ["5s KcKd 9c9d QsQd Jc 2s2c"])
    assert set(state.table.down.melds) == {held("6s6c6d6h"), held("7s8s9s")}
    assert after(state, "lay").table.down.laid[1].laid == 0


@pytest.mark.parametrize("others", [["3h", "5s"], ["5s6s7s", "As"], ["", "3hAs"], ["As5s6s", "7s8s"], ["", ""]])
def test_what_the_others_hold_does_not_arrange_the_knocker(others):
    """The threes take one card, the run up to ten: he cannot know who holds any of them."""
    state = knocked("2s3s4s 3c3d AhAc", others, "Kd")
    assert state.table.down.melds == (held("3s3c3d"),)


def test_what_the_knocker_has_seen_cannot_be_laid_off():
    """Ace and five of spades lie in the discards, the five with his knock: the run takes nothing any more."""
    state = after(start(["2s3s4s 3c3d AhAc", "", ""], "As", "5s", dealer=2), *["pass"] * 3, "draw", "knock 5s")
    assert state.table.down.melds == (held("2s3s4s"),)


def test_the_program_decides_where_nothing_is_said():
    """No cards to lay off and no melds are not nothing: whoever wants to keep all has to name his melds."""
    state = knocked(TEN_LEFT, [TWENTY_FOUR])
    assert gin.apply(state, Move(1, "lay", 0, ())) == after(state, "lay")


def test_he_may_arrange_otherwise_by_hand():
    state = after(start(["6s6c6d6h 7s8s9s AcAd2h", ""], "Qh", "Kh"), "pass", "pass", "draw")
    melds = (held("6c6d6h"), held("6s7s8s9s"))
    assert gin.apply(state, Move(0, "knock", card("Kh"), melds)).table.down.melds == melds
    assert refused(state, 0, "knock", card("Kh"), melds[:1]) == ("too_much_deadwood", "R7")
    assert refused(state, 0, "knock", card("Kh"), (held("6c6d"),))[0] == "not_a_meld"
    assert refused(state, 0, "knock", card("Kh"), (held("7h8h9h"),))[0] == "card_not_held"


def test_gin_laid_out_as_a_knock_is_a_knock():
    state = after(start(["AsAcAd 2s2c2d 3s3c3d3h", ""], "Qh", "Kh"), "pass", "pass", "draw")
    by_hand = gin.apply(state, Move(0, "knock", card("Kh"), (held("2s2c2d"), held("3s3c3d3h"))))
    assert (by_hand.phase, by_hand.table.down.deadwood) == ("lay", 3)


# RD5


def test_big_gin_is_off():
    state = after(start(["AsAcAd 2s2c2d 3s3c3d3h", ""], "Qh", "Ah"), "pass", "pass", "draw")
    assert "big_gin" not in verbs(state)
    assert refused(state, 0, "big_gin") == ("no_big_gin", "RD5")


def test_with_big_gin_all_eleven_cards_are_laid_down():
    state = after(start(["AsAcAd 2s2c2d 3s3c3d3h", ""], "Qh", "Ah", big_gin_bonus=50), "pass", "pass", "draw")
    assert Move(0, "big_gin") in gin.legal_moves(state)
    over = after(state, "big_gin")
    assert (over.phase, over.hands[0].bit_count(), gin.outcome(over).kind) == ("over", 11, "big_gin")
    melds = (held("AsAcAdAh"), held("2s2c2d"), held("3s3c3d3h"))
    assert gin.apply(state, Move(0, "big_gin", 0, melds)).table.down.melds == melds
    assert refused(state, 0, "big_gin", 0, melds[1:]) == ("too_much_deadwood", "R7")


def test_big_gin_needs_every_card_melded():
    state = after(start(["AsAcAd 2s2c2d 3s3c3d3h", ""], "Qh", "Kh", big_gin_bonus=50), "pass", "pass", "draw")
    assert verbs(state) == {"discard", "knock"}
    assert refused(state, 0, "big_gin") == ("too_much_deadwood", "R7")


# Views


def test_a_view_shows_the_own_hand_and_what_lies_on_the_table():
    state = after(start(["9s", "8s"], "Kh"), "take", "discard 9s")
    view = gin.view_for(state, 1)
    assert (view.seat, view.phase, view.dealer, view.turn, view.players, view.knock_limit) == (1, "draw", 1, 1, 2, 10)
    assert (view.hand, view.counts, view.stock) == (state.hands[1], (10, 10), 31)
    assert (view.discards, view.known, view.picked) == ((card("9s"),), (held("Kh"), 0), None)
    assert (view.passes, view.turns, view.knocker, view.melds, view.shown, view.laid) == (
        0,
        2,
        None,
        (),
        (0, 0),
        (None, None),
    )
    assert view.moves == gin.legal_moves(state)
    assert gin.view_for(state, 0).moves == ()
    spectator = gin.view_for(state, None)
    assert (spectator.seat, spectator.hand, spectator.moves) == (None, 0, ())


def test_a_card_taken_and_discarded_again_is_no_longer_known():
    state = after(start(["9s", "8s"], "Kh"), "take", "discard 9s", "draw", "discard 8s", "draw", "discard Kh")
    assert state.known == (0, 0)
    assert list(cards_in(after(state, "pick").known[1])) == [card("Kh")]


@pytest.mark.parametrize("seat", [-1, 2, True, "0", 1.0])
def test_nobody_looks_from_a_seat_that_is_not_there(seat):
    with pytest.raises(Refusal, match="no_such_seat"):
        gin.view_for(start(["", ""]), seat)
