"""One hand of briscola a cinque as its rules have it (B1 to B5, BD1)."""

import pytest

from gameplay.rules import briscola
from gameplay.rules.moves import Move
from scoring.rules.briscola import BriscolaOutcome, briscola_points
from scoring.rules.hands import Redeal
from tests.gameplay.trick_hands import after, bid, call, card, deal_of, knock, lay, random_hand, refused, silent

HANDS = {
    "seat0": "coins-a coins-3 coins-k cups-2 cups-4 swords-2 swords-4 batons-2",
    "seat1": "coins-c cups-a cups-3 cups-k swords-5 swords-6 batons-4 batons-5",
    "seat2": "coins-j coins-7 cups-5 cups-6 swords-a swords-3 batons-6 batons-7",
}

EIGHT_COINS = "coins-a coins-3 coins-k coins-c coins-j coins-7 coins-6 coins-5"


def opened(dealer=0, **options):
    return briscola.new_hand(deal_of(dealer, **HANDS), dealer, briscola.options(options))


def code(state, move):
    refusal = refused(briscola, state, move)
    return refusal.code, refusal.article, refusal.pointer


def awarded():
    """Seat 2 of dealer 0 gets it for 62."""
    return after(briscola, opened(), bid(1, 61), bid(2, 62), *map(silent, (3, 4, 0, 1)))


def test_five_players_with_eight_cards():
    assert briscola.seats(briscola.options({})) == 5
    assert briscola.view_for(opened(), None).counts == (8,) * 5
    assert briscola.view_for(opened(4), 0).hand == sum(1 << card(code) for code in HANDS["seat0"].split())


@pytest.mark.parametrize("dealer", range(5))
def test_the_dealers_right_speaks_first(dealer):
    assert briscola.view_for(opened(dealer), None).turn == (dealer + 1) % 5


def test_the_auction_goes_round_until_four_have_passed():
    state = opened()
    for move, turn in (
        (bid(1, 61), 2),
        (silent(2), 3),
        (bid(3, 70), 4),
        (silent(4), 0),
        (bid(0, 71), 1),
        (bid(1, 72), 3),
        (silent(3), 0),
    ):
        state = after(briscola, state, move)
        assert (state.phase, state.turn) == ("auction", turn)
    state = after(briscola, state, silent(0))
    view = briscola.view_for(state, None)
    assert (view.phase, view.turn, view.caller, view.bid) == ("call", 1, 1, 72)
    assert [move.verb for move in view.auction] == ["bid", "pass", "bid", "pass", "bid", "bid", "pass", "pass"]


def test_a_pass_is_final():
    state = after(briscola, opened(), silent(1), bid(2, 61), bid(3, 62), bid(4, 63), bid(0, 64))
    assert state.turn == 2
    assert code(state, bid(1, 65)) == ("not_your_turn", "B2", "/seat")


def test_the_last_who_has_not_passed_may_still_bid():
    state = after(briscola, opened(), *map(silent, (1, 2, 3, 4)))
    assert (state.phase, state.turn) == ("auction", 0)
    state = after(briscola, state, bid(0, 61))
    assert (state.phase, state.turn) == ("call", 0)


def test_nobody_bids_and_it_is_dealt_again():
    state = after(briscola, opened(), *map(silent, (1, 2, 3, 4, 0)))
    assert (state.phase, briscola.outcome(state), briscola.legal_moves(state)) == ("over", Redeal(), ())
    assert briscola.view_for(state, 3).caller is None


def test_120_ends_it_at_once():
    state = after(briscola, opened(), silent(1), bid(2, 120))
    assert (state.phase, state.turn) == ("call", 2)


def test_every_bid_tops_the_last():
    state = after(briscola, opened(), bid(1, 80))
    assert code(state, bid(2, 80)) == ("bid_too_low", "B2", "/value")
    assert code(state, bid(2, 121)) == ("bid_out_of_range", "B2", "/value")
    assert code(state, bid(2, 60)) == ("bid_out_of_range", "B2", "/value")
    assert code(opened(min_bid=100), bid(1, 99)) == ("bid_out_of_range", "B2", "/value")


def test_turns_are_kept():
    assert code(opened(), bid(2, 61)) == ("not_your_turn", "B2", "/seat")
    assert code(opened(), silent(0)) == ("not_your_turn", "B2", "/seat")
    assert code(opened(), bid(5, 61)) == ("no_such_seat", "", "/seat")
    assert code(awarded(), call(1, "coins-a")) == ("not_your_turn", "B3", "/seat")
    assert code(after(briscola, awarded(), call(2, "coins-a")), lay(2, "swords-a")) == ("not_your_turn", "B4", "/seat")


def test_any_card_is_called():
    assert [move.value for move in briscola.legal_moves(awarded())] == list(range(40))
    for number in range(40):
        view = briscola.view_for(after(briscola, awarded(), Move(2, "call", number)), 4)
        assert (view.called_card, view.trump) == (number, number // 10)


def test_not_the_caller_but_the_dealers_right_leads():
    view = briscola.view_for(after(briscola, awarded(), call(2, "coins-a")), None)
    assert (view.phase, view.caller, view.turn, view.leader) == ("play", 2, 1, 1)


def test_no_duty_to_follow_or_to_trump_and_the_highest_trump_takes():
    state = after(briscola, awarded(), call(2, "coins-a"), lay(1, "cups-a"))
    assert len(briscola.legal_moves(state)) == 8
    state = after(briscola, state, lay(2, "coins-7"))
    for _ in (3, 4):
        state = after(briscola, state, briscola.legal_moves(state)[-1])
    state = after(briscola, state, lay(0, "coins-3"))
    assert (state.tricks[0].winner, state.turn, state.leader) == (0, 0, 0)
    assert briscola.view_for(state, None).points[0] >= 21


def test_the_partner_says_nothing_and_a_caller_alone_looks_like_any():
    pair = after(briscola, awarded(), call(2, "coins-a"))
    assert [briscola.view_for(pair, seat).partner for seat in (None, 0, 1, 2)] == [None, 0, None, None]
    alone = after(briscola, awarded(), call(2, "swords-a"), lay(1, "cups-a"))
    assert [briscola.view_for(alone, seat).partner for seat in (None, 0, 1, 2)] == [None, None, None, 2]
    fallen = after(briscola, alone, lay(2, "swords-a"))
    assert [briscola.view_for(fallen, seat).partner for seat in (None, 0, 1, 2)] == [2, 2, 2, 2]


def test_verbs_of_other_phases():
    for move in (lay(1, "coins-a"), call(1, "coins-a"), knock(), Move(1, "dance")):
        assert code(opened(), move) == ("wrong_phase", "", "/verb")
    assert code(awarded(), silent(2)) == ("wrong_phase", "", "/verb")
    assert code(after(briscola, awarded(), call(2, "coins-a")), bid(1, 70)) == ("wrong_phase", "", "/verb")
    assert code(after(briscola, awarded(), call(2, "coins-a")), lay(1, "coins-a")) == ("card_not_held", "B4", "/value")


def test_what_the_callers_side_took_is_scored():
    """Reckoned again from the tricks of two hundred hands."""
    kinds = set()
    for number in range(200):
        deal, dealer, moves = random_hand(briscola, number)
        state = briscola.new_hand(deal, dealer, briscola.options({}))
        for move in moves:
            assert briscola.outcome(state) is None
            state = briscola.apply(state, move)
        assert refused(briscola, state, silent(0)).code == "hand_over"
        found = briscola.outcome(state)
        if found == Redeal():
            kinds.add("redeal")
            continue
        called = next(seat for seat in range(5) if state.terms.called_card in state.terms.dealt[seat])
        side = {state.terms.holder, called}
        won = [trick for trick in state.tricks if trick.winner in side]
        made = sum(
            {"a": 11, "3": 10, "k": 4, "c": 3, "j": 2}.get(briscola.DECK.codes[number].rpartition("-")[2], 0)
            for trick in won
            for number in trick.cards
        )
        assert found == BriscolaOutcome(state.terms.holder, called, state.terms.high, made, len(won))
        kinds.add((len(side), made >= found.bid))
    assert kinds >= {"redeal", (1, False), (2, True), (2, False)}


def all_eight(caller, called):
    """The outcome where seat 1, who leads, holds the eight highest trumps, seat 2 the four of them."""
    state = briscola.new_hand(deal_of(0, seat1=EIGHT_COINS, seat2="coins-4"), 0, briscola.options({}))
    state = after(briscola, state, *map(silent, range(1, caller)))
    state = after(briscola, state, bid(caller, 120), call(caller, called))
    while moves := briscola.legal_moves(state):
        state = after(briscola, state, moves[-1])
    return briscola.outcome(state)


def test_alone_and_all_eight_tricks():
    found = all_eight(1, "coins-a")
    assert (found, briscola_points(found)) == (BriscolaOutcome(1, 1, 120, 120, 8), (0, 8, 0, 0, 0))


def test_all_eight_tricks_to_the_others():
    found = all_eight(3, "coins-4")
    assert (found, briscola_points(found)) == (BriscolaOutcome(3, 2, 120, 0, 0), (2, 2, 0, 0, 2))
