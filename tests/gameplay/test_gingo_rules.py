"""One hand of Gingo as the regulation has it (S1, S5, S12 to S15, D2, D17)."""

import pytest

from gameplay.rules import gingo
from gameplay.rules.moves import AUCTIONEER, Move
from scoring.rules.hands import HandOutcome, Redeal, hand_points
from tests.gameplay.trick_hands import after, bid, call, card, deal_of, knock, lay, random_hand, refused

HANDS = {
    "seat0": "coins-a coins-3 coins-k cups-2 cups-4 swords-2 swords-4 batons-2",
    "seat1": "coins-c cups-a cups-3 cups-k swords-5 swords-6 batons-4 batons-5",
    "seat2": "coins-j coins-7 cups-5 cups-6 swords-a swords-3 batons-6 batons-7",
}

EIGHT_COINS = "coins-a coins-3 coins-k coins-c coins-j coins-7 coins-6 coins-5"


def opened(dealer=0, **options):
    return gingo.new_hand(deal_of(dealer, **HANDS), dealer, gingo.options(options))


def awarded(seat=0, value=70):
    return after(gingo, opened(), bid(seat, value), knock(), knock(), knock())


def code(state, move):
    refusal = refused(gingo, state, move)
    return refusal.code, refusal.article, refusal.pointer


def test_five_players():
    assert gingo.seats(gingo.options({})) == 5


def test_eight_cards_each_dealt_from_the_dealers_right():
    state = opened(3)
    for seat, cards in enumerate(HANDS.values()):
        assert gingo.view_for(state, seat).hand == sum(1 << card(code) for code in cards.split())
    assert gingo.view_for(state, None).counts == (8,) * 5


def test_anybody_bids_at_any_moment():
    state = after(gingo, opened(), bid(4, 61), bid(1, 62), bid(4, 80))
    view = gingo.view_for(state, None)
    assert (view.turn, view.holder, view.high, view.auction) == (None, 4, 80, (bid(4, 61), bid(1, 62), bid(4, 80)))
    assert (view.caller, view.bid) == (None, 0)


def test_every_bid_tops_the_last_by_one_at_least():
    state = after(gingo, opened(), bid(0, 75))
    assert code(state, bid(1, 75)) == ("bid_too_low", "S12", "/value")
    assert refused(gingo, state, bid(1, 74)).params == {"bid": 74, "low": 76}
    assert gingo.apply(state, bid(1, 76)).terms.high == 76


@pytest.mark.parametrize("value", [60, 121, 0, -61])
def test_bids_go_from_61_to_120(value):
    assert code(opened(), bid(0, value)) == ("bid_out_of_range", "S12", "/value")
    assert code(after(gingo, opened(), bid(1, 70)), bid(0, value)) == ("bid_out_of_range", "S12", "/value")


def test_where_bids_begin_is_an_option():
    state = opened(min_bid=20)
    assert code(state, bid(0, 19)) == ("bid_out_of_range", "S12", "/value")
    assert gingo.view_for(after(gingo, state, bid(0, 20)), 1).min_bid == 20


def test_nobody_raises_himself():
    state = after(gingo, opened(), bid(2, 61), knock(), knock())
    assert code(state, bid(2, 62)) == ("own_bid", "D17", "/seat")
    assert gingo.view_for(state, 2).moves == ()


def test_a_raise_cancels_the_knocks():
    state = after(gingo, opened(), bid(2, 61), knock(), knock())
    assert gingo.view_for(state, None).knocks == 2
    state = after(gingo, state, bid(3, 62))
    assert gingo.view_for(state, None).knocks == 0
    assert after(gingo, state, knock(), knock()).phase == "auction"


def test_the_third_knock_awards():
    state = awarded(2, 61)
    view = gingo.view_for(state, None)
    assert (view.phase, view.turn, view.caller, view.bid, view.knocks) == ("call", 2, 2, 61, 3)


def test_120_ends_it_at_once():
    state = after(gingo, opened(), bid(1, 120))
    assert (state.phase, state.turn) == ("call", 1)


def test_no_bid_at_all_and_it_is_dealt_again():
    state = after(gingo, opened(), knock(), knock(), knock())
    assert (state.phase, gingo.outcome(state), gingo.legal_moves(state)) == ("over", Redeal(), ())
    view = gingo.view_for(state, 0)
    assert (view.caller, view.bid, view.holder, view.partner) == (None, 0, None, None)


def test_only_the_auctioneer_knocks_and_he_does_nothing_else():
    assert code(opened(), Move(0, "knock")) == ("not_auctioneer", "S12", "/seat")
    assert code(opened(), bid(AUCTIONEER, 61)) == ("no_such_seat", "", "/seat")
    assert code(awarded(), call(AUCTIONEER, "coins-c")) == ("no_such_seat", "", "/seat")


def test_the_suit_decides_which_card_the_caller_may_call():
    """The highest that he does not hold, in every suit; or any that he holds."""
    own = {card(code) for code in HANDS["seat0"].split()}
    forced = {card(code) for code in ("coins-c", "cups-a", "swords-a", "batons-a")}
    assert {move.value for move in gingo.legal_moves(awarded())} == own | forced
    for number in set(range(40)) - own - forced:
        assert code(awarded(), Move(0, "call", number)) == ("card_not_callable", "S13", "/value")


def test_with_eight_cards_of_a_suit_he_calls_the_higher_of_the_two_that_he_lacks():
    deal = deal_of(0, seat3=EIGHT_COINS)
    state = after(gingo, gingo.new_hand(deal, 0, gingo.options({})), bid(3, 120))
    called = [gingo.DECK.codes[move.value] for move in gingo.legal_moves(state)]
    assert "coins-4" in called
    assert "coins-2" not in called


def test_the_call_makes_trump_and_the_caller_leads():
    state = after(gingo, awarded(2), call(2, "cups-a"))
    view = gingo.view_for(state, None)
    assert (view.phase, view.turn, view.leader, view.called_card, view.trump) == ("play", 2, 2, card("cups-a"), 1)


def test_nobody_but_the_caller_calls():
    assert code(awarded(2), call(1, "coins-a")) == ("not_your_turn", "S13", "/seat")


def test_no_duty_to_follow_suit():
    state = after(gingo, awarded(), call(0, "coins-c"), lay(0, "swords-2"))
    assert [move.value for move in gingo.legal_moves(state)] == sorted(card(code) for code in HANDS["seat1"].split())


def test_the_highest_trump_takes_the_trick_and_its_winner_leads():
    state = after(gingo, awarded(), call(0, "coins-c"), lay(0, "swords-2"), lay(1, "cups-a"), lay(2, "coins-7"))
    state = after(gingo, state, *(gingo.legal_moves(state)[:1]))
    state = after(gingo, state, *(gingo.legal_moves(state)[:1]))
    trick = state.tricks[0]
    assert (trick.leader, trick.cards[:3], trick.winner, state.turn) == (0, (20, 19, 4), 2, 2)


def test_without_a_trump_the_highest_card_of_the_suit_led_takes_it():
    state = after(gingo, awarded(), call(0, "coins-c"), lay(0, "swords-4"), lay(1, "cups-a"), lay(2, "swords-3"))
    state = after(gingo, state, lay(3, "swords-7"), lay(4, "swords-k"))
    assert state.tricks[0].winner == 2


def test_whoever_holds_the_called_card_shows_it_by_playing_it():
    state = after(gingo, awarded(), call(0, "coins-c"))
    assert [gingo.view_for(state, seat).partner for seat in (None, 0, 1, 2)] == [None, None, 1, None]
    state = after(gingo, state, lay(0, "swords-2"), lay(1, "coins-c"))
    assert [gingo.view_for(state, seat).partner for seat in (None, 0, 1, 2)] == [1, 1, 1, 1]


def test_who_called_himself_knows_it_alone():
    state = after(gingo, awarded(), call(0, "coins-a"), lay(0, "swords-2"))
    assert [gingo.view_for(state, seat).partner for seat in (None, 0, 1, 4)] == [None, 0, None, None]


@pytest.mark.parametrize(
    ("move", "found"),
    [
        (lay(1, "coins-a"), ("card_not_held", "S13", "/value")),
        (lay(0, "coins-a"), ("not_your_turn", "S13", "/seat")),
        (lay(5, "coins-a"), ("no_such_seat", "", "/seat")),
        (bid(1, 100), ("wrong_phase", "", "/verb")),
        (knock(), ("wrong_phase", "", "/verb")),
        (call(0, "coins-a"), ("wrong_phase", "", "/verb")),
    ],
)
def test_what_cannot_be_done_when_a_card_is_due(move, found):
    state = after(gingo, awarded(), call(0, "coins-c"), lay(0, "swords-2"))
    assert code(state, move) == found


def test_a_card_is_played_once():
    state = after(gingo, awarded(), call(0, "coins-c"), lay(0, "coins-a"), lay(1, "cups-k"), lay(2, "cups-5"))
    for _ in range(2):
        state = after(gingo, state, gingo.legal_moves(state)[0])
    assert state.turn == 0
    assert code(state, lay(0, "coins-a")) == ("card_not_held", "S13", "/value")


def test_verbs_of_other_phases():
    for move in (lay(0, "coins-a"), call(0, "coins-a"), Move(0, "pass"), Move(0, "dance")):
        assert code(opened(), move) == ("wrong_phase", "", "/verb")
    assert code(awarded(), bid(1, 100)) == ("wrong_phase", "", "/verb")


def played(number):
    deal, dealer, moves = random_hand(gingo, number)
    return after(gingo, gingo.new_hand(deal, dealer, gingo.options({})), *moves)


def test_a_hand_ends_after_eight_tricks():
    state = after(gingo, awarded(), call(0, "coins-c"))
    while state.phase != "over":
        assert gingo.outcome(state) is None
        state = after(gingo, state, gingo.legal_moves(state)[-1])
    assert len(state.tricks) == 8
    assert refused(gingo, state, knock()).code == "hand_over"
    assert gingo.view_for(state, None).turn is None


def test_what_caller_and_called_took_is_scored():
    """Reckoned again from the tricks of two hundred hands; all kinds of ends are among them."""
    kinds = set()
    for number in range(200):
        state = played(number)
        found = gingo.outcome(state)
        if found == Redeal():
            kinds.add("redeal")
            continue
        called_card = state.terms.called_card
        called = next(seat for seat in range(5) if called_card in state.terms.dealt[seat])
        side = {state.terms.holder, called}
        values = dict(
            zip(["a", "3", "k", "c", "j", "7", "6", "5", "4", "2"], (11, 10, 4, 3, 2, 0, 0, 0, 0, 0), strict=True)
        )
        made = sum(
            values[gingo.DECK.codes[number].rpartition("-")[2]]
            for trick in state.tricks
            if trick.winner in side
            for number in trick.cards
        )
        assert found == HandOutcome(state.terms.holder, called, state.terms.high, made)
        assert sum(gingo.view_for(state, None).points) == 120
        assert len(hand_points(found)) == 5
        kinds.add((found.solo, found.won))
    assert kinds >= {"redeal", (True, False), (False, True), (False, False)}


def test_alone_with_eight_trumps():
    deal = deal_of(2, seat3=EIGHT_COINS)
    state = after(gingo, gingo.new_hand(deal, 2, gingo.options({})), bid(3, 100), knock(), knock(), knock())
    state = after(gingo, state, call(3, "coins-a"))
    while moves := gingo.legal_moves(state):
        state = after(gingo, state, moves[-1])
    assert gingo.outcome(state) == HandOutcome(3, 3, 100, 120)
    assert hand_points(gingo.outcome(state)) == (0, 0, 0, 200, 0)
