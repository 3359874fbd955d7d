"""Briscola a cinque, one hand: auction in turn, any card called, the dealer's right leads, eight tricks (B1 to B5)."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

from core.refusal import Refusal
from gameplay.rules.cards import ITALIAN
from gameplay.rules.deals import Deal
from gameplay.rules.moves import NOBODY, Move, build
from gameplay.rules.tricks import (
    BIDS,
    CALLS,
    MOST,
    NEXT,
    OURS,
    PASSES,
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
from scoring.rules.briscola import BriscolaOutcome, BriscolaRules, briscola_rules
from scoring.rules.hands import Redeal

NAME = "briscola"
DECK = ITALIAN
SET_VERBS: frozenset[str] = frozenset()
Options = BriscolaRules
_EVERYBODY = (1 << SEATS) - 1


def options(given: Mapping[str, Any]) -> Options:
    """The rules of a match; of these `min_bid` matters here. Refusals: those of `RuleField.check`."""
    return briscola_rules(given)


def seats(_options: Options) -> int:
    """Five (B1)."""
    return SEATS


def new_hand(deal: Deal, dealer: int, options: Options) -> State:
    """Dealt; the dealer's right speaks first (B2). Refusal `bad_dealer`."""
    state = new_state(deal, dealer, options.min_bid, NOBODY)
    return state._replace(turn=state.leader)


def legal_moves(state: State) -> tuple[Move, ...]:
    """Moves of the one whose turn it is; any card can be called (B3)."""
    phase = state.phase
    if phase == "play":
        return state.hands[0]
    if phase == "auction":
        return _auction_moves(state.turn, lowest_bid(state.terms))
    return CALLS[state.turn] if phase == "call" else ()


@cache
def _auction_moves(seat: int, low: int) -> tuple[Move, ...]:
    return (PASSES[seat], *BIDS[seat][low:])


def apply(state: State, move: Move) -> State:
    """The state after a move; anything else is refused, whatever it is, and the state stays as it was.

    Refusals: those of `check_form`; `hand_over`; `wrong_phase`; those of the steps below.
    """
    phase = state.phase
    if phase == "play":
        return play(state, move, "B4")
    if id(move) not in OURS:
        check_form(move)
    verb = move.verb
    if phase == "over":
        raise Refusal("hand_over")
    if phase == "auction" and verb in ("bid", "pass"):
        return _speak(state, move)
    if phase == "call" and verb == "call":
        return _call(state, move)
    raise Refusal("wrong_phase", pointer="/verb")


def _speak(state: State, move: Move) -> State:
    """A bid, or a pass that is final (B2). Refusals `no_such_seat`, `not_your_turn`, those of `check_bid`."""
    seat, verb, bid, _melds = move
    check_seat(seat, state.turn, "B2")
    dealer, min_bid, dealt, auction, holder, high, knocks, passed, card = terms = state.terms
    if verb == "pass":
        auction, passed = (*auction, PASSES[seat]), passed | 1 << seat
    else:
        check_bid(bid, terms, "B2")
        auction, holder, high = (*auction, BIDS[seat][bid]), seat, bid
    terms = build(Terms, (dealer, min_bid, dealt, auction, holder, high, knocks, passed, card))
    if high == MOST or (high and passed | 1 << holder == _EVERYBODY):
        return State("call", holder, (), state.leader, (), (), terms)
    if passed == _EVERYBODY:  # BD1: nobody bid, it is dealt again
        return State("over", NOBODY, (), state.leader, (), (), terms)
    turn = NEXT[seat]
    while passed >> turn & 1:
        turn = NEXT[turn]
    return build(State, ("auction", turn, (), state.leader, (), (), terms))


def _call(state: State, move: Move) -> State:
    """Any card is called, its suit is trump; not the caller but the dealer's right leads (B3, B4).

    Refusals `no_such_seat`, `not_your_turn`.
    """
    check_seat(move.seat, state.turn, "B3")
    return lead(state, state.leader, move.value)


def view_for(state: State, seat: int | None) -> TrickView:
    """What this seat (None: a spectator) may know. Refusal `no_such_seat`."""
    check_viewer(seat)
    return view_of(state, seat, legal_moves(state) if seat == state.turn else (), NAME)


def outcome(state: State) -> BriscolaOutcome | Redeal | None:
    """What a hand came to, None before its end (B5, BD1)."""
    if state.phase != "over":
        return None
    if not state.terms.high:
        return Redeal()
    caller, called, made, tricks = side_of(state)
    return BriscolaOutcome(caller, called, state.terms.high, made, tricks)
