"""Gingo, one hand: open-outcry auction, forced call or alone, eight tricks (S1, S12 to S15).

Time stays outside: the auctioneer's knocks are moves that a clock sends.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from operator import itemgetter
from typing import Any

from core.refusal import Refusal
from gameplay.rules.cards import ITALIAN, mask
from gameplay.rules.deals import Deal
from gameplay.rules.moves import AUCTIONEER, NOBODY, Move, build
from gameplay.rules.tricks import (
    BIDS,
    CALLS,
    CARDS,
    KNOCK,
    MOST,
    OURS,
    RANKS,
    SEATS,
    State,
    Terms,
    TrickView,
    check_bid,
    check_form,
    check_seat,
    check_viewer,
    lead,
    lowest_bid,
    new_state,
    play,
    side_of,
    view_of,
)
from gameplay.rules.tricks import CARD_VERBS as CARD_VERBS
from scoring.rules.hands import HandOutcome, Redeal
from scoring.rules.ruleset import ScoringRules, scoring_rules

NAME = "gingo"
DECK = ITALIAN
SET_VERBS: frozenset[str] = frozenset()
Options = ScoringRules
AWARDED = 3
"""Knocks that award an auction (S12)."""
_HIGHEST_MISSING = tuple((1023 ^ held).bit_length() - 1 for held in range(1024))
"""By the bits of the cards held of a suit: the highest of the others."""


def options(given: Mapping[str, Any]) -> Options:
    """The rules of scoring; of these `min_bid` matters here. Refusals: those of `RuleField.check`."""
    return scoring_rules(given)


def seats(_options: Options) -> int:
    """Exactly five (S1)."""
    return SEATS


def new_hand(deal: Deal, dealer: int, options: Options) -> State:
    """Dealt, and the auction open to all (S12). Refusal `bad_dealer`."""
    return new_state(deal, dealer, options.min_bid, NOBODY)


def legal_moves(state: State) -> tuple[Move, ...]:
    """Moves of everybody who may move now: in the auction the knock, and the bids of all but the holder."""
    phase = state.phase
    if phase == "play":
        return state.hands[0]
    terms = state.terms
    if phase == "auction":
        return _auction_moves(terms.holder, lowest_bid(terms))
    if phase == "call":
        return _calls(state.turn, terms.dealt[state.turn])
    return ()


@cache
def _auction_moves(holder: int, low: int) -> tuple[Move, ...]:
    return (KNOCK, *(bid for seat in range(SEATS) if seat != holder for bid in BIDS[seat][low:]))


def _calls(seat: int, cards: tuple[int, ...]) -> tuple[Move, ...]:
    """S13: of each suit the highest card that he does not hold, or any that he holds."""
    hand = mask(cards)
    missing = [low + _HIGHEST_MISSING[hand >> low & 1023] for low in range(0, CARDS, RANKS)]
    called: tuple[Move, ...] = itemgetter(*sorted((*cards, *missing)))(CALLS[seat])
    return called


def apply(state: State, move: Move) -> State:
    """The state after a move; anything else is refused, whatever it is, and the state stays as it was.

    Refusals: those of `check_form`; `hand_over`; `wrong_phase`; those of the steps below.
    """
    phase = state.phase
    if phase == "play":
        return play(state, move, "S13")
    if id(move) not in OURS:
        check_form(move)
    verb = move.verb
    if phase == "over":
        raise Refusal("hand_over")
    if phase == "auction" and verb == "bid":
        return _bid(state, move)
    if phase == "auction" and verb == "knock":
        return _knock(state, move)
    if phase == "call" and verb == "call":
        return _call(state, move)
    raise Refusal("wrong_phase", pointer="/verb")


def _bid(state: State, move: Move) -> State:
    """Anybody bids at any moment, and that cancels the knocks; 120 ends it (S12).

    Refusals `no_such_seat`, `own_bid` (D17), `bid_out_of_range`, `bid_too_low`.
    """
    seat, _verb, bid, _melds = move
    terms = state.terms
    if not 0 <= seat < SEATS:
        raise Refusal("no_such_seat", pointer="/seat")
    if seat == terms.holder:
        raise Refusal("own_bid", article="D17", pointer="/seat")
    check_bid(bid, terms, "S12")
    dealer, min_bid, dealt, auction, _holder, _high, _knocks, passed, card = terms
    terms = build(Terms, (dealer, min_bid, dealt, (*auction, BIDS[seat][bid]), seat, bid, 0, passed, card))
    return _awarded(terms) if bid == MOST else _auction(state, terms)


def _knock(state: State, move: Move) -> State:
    """The third knock awards the auction (S12); nobody has bid: it is dealt again (D2). Refusal `not_auctioneer`."""
    if move.seat != AUCTIONEER:
        raise Refusal("not_auctioneer", article="S12", pointer="/seat")
    dealer, min_bid, dealt, auction, holder, high, knocks, passed, card = state.terms
    terms = build(Terms, (dealer, min_bid, dealt, auction, holder, high, knocks + 1, passed, card))
    if terms.knocks < AWARDED:
        return _auction(state, terms)
    return _awarded(terms) if high else State("over", NOBODY, (), state.leader, (), (), terms)


def _auction(state: State, terms: Terms) -> State:
    """It goes on."""
    return build(State, ("auction", NOBODY, (), state.leader, (), (), terms))


def _awarded(terms: Terms) -> State:
    """The holder calls, and will lead (S13)."""
    return State("call", terms.holder, (), terms.holder, (), (), terms)


def _call(state: State, move: Move) -> State:
    """The suit of the called card is trump, the caller leads (S13).

    Refusals `no_such_seat`, `not_your_turn`; `card_not_callable`: neither the highest that he lacks nor his own.
    """
    seat, _verb, card, _melds = move
    check_seat(seat, state.turn, "S13")
    cards = state.terms.dealt[seat]
    if card not in cards and not all(higher in cards for higher in range(card + 1, card - card % RANKS + RANKS)):
        raise Refusal("card_not_callable", article="S13", pointer="/value")
    return lead(state, seat, card)


def view_for(state: State, seat: int | None) -> TrickView:
    """What this seat (None: a spectator) may know; the auctioneer's knock is nobody's move. `no_such_seat`."""
    check_viewer(seat)
    terms = state.terms
    if state.phase == "auction" and seat is not None and seat != terms.holder:
        return view_of(state, seat, BIDS[seat][lowest_bid(terms) :], NAME)
    return view_of(state, seat, legal_moves(state) if seat == state.turn else (), NAME)


def outcome(state: State) -> HandOutcome | Redeal | None:
    """What a hand came to, None before its end (S15, D2)."""
    if state.phase != "over":
        return None
    if not state.terms.high:
        return Redeal()
    caller, called, made, _tricks = side_of(state)
    return HandOutcome(caller, called, state.terms.high, made)
