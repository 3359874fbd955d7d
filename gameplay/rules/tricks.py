"""What Gingo and briscola a cinque share: five players, eight tricks, a called card, and what each of them may see.

The two games differ in auction, call, first lead and points; cards, tricks and views are the same (S1, B1, B3, B4).
"""

from __future__ import annotations

from operator import itemgetter
from typing import Literal, NamedTuple

from core.refusal import Refusal
from gameplay.rules.cards import ITALIAN, Hand, mask
from gameplay.rules.deals import Deal
from gameplay.rules.moves import AUCTIONEER, NOBODY, Move, build, check_shape

Phase = Literal["auction", "call", "play", "over"]
SEATS = 5
TRICKS = 8
MOST = 120
"""Card points of the deck, and the highest bid: it ends an auction at once (S12, B2)."""
RANKS = len(ITALIAN.ranks)
CARDS = len(ITALIAN.codes)
POINTS: tuple[int, ...] = (0, 0, 0, 0, 0, 2, 3, 4, 10, 11) * 4
"""Card points by card (S1)."""
SUITS: tuple[Hand, ...] = tuple(1023 << suit * RANKS for suit in range(4))
"""All cards of each suit."""
CARD_VERBS = frozenset({"call", "play"})


class Trick(NamedTuple):
    """A finished trick: `cards` in the order in which they fell, from `leader` on."""

    leader: int
    cards: tuple[int, ...]
    winner: int


class TrickView(NamedTuple):
    """Everything that a seat (None: a spectator) may know of a hand, and nothing else.

    `turn`: who must move, None where nobody must: in Gingo's auction, where anybody may, and at the end. `hand`: the
    viewer's own cards, `counts`: how many everybody holds. `auction`: bids and passes in order; knocks are counted.
    `holder` of the highest bid `high` (0: none). `caller` and `bid` (0 before) from the award on; `called_card` and
    `trump` from the call on. `partner`: who holds or held the called card, also the caller himself; it says so once
    the card has fallen, and before only to the one who holds it. `leader` of the trick on the table, meaningless
    before the call. `points`: card points taken, by seat. `moves`: what the viewer may do now. `game`: its name.
    """

    seat: int | None
    phase: Phase
    dealer: int
    turn: int | None
    hand: Hand
    counts: tuple[int, ...]
    auction: tuple[Move, ...]
    holder: int | None
    high: int
    knocks: int
    caller: int | None
    bid: int
    called_card: int | None
    trump: int | None
    partner: int | None
    leader: int
    trick: tuple[int, ...]
    tricks: tuple[Trick, ...]
    points: tuple[int, ...]
    min_bid: int
    moves: tuple[Move, ...]
    game: str


class Terms(NamedTuple):
    """What is settled before the first card: the deal, the auction, the call. NOBODY and no card are -1.

    `dealt`: cards by seat, lowest number first. `auction`: bids and passes in order; `passed`: bit `seat` is set for
    those who passed (briscola); `knocks` since the last bid (Gingo).
    """

    dealer: int
    min_bid: int
    dealt: tuple[tuple[int, ...], ...]
    auction: tuple[Move, ...] = ()
    holder: int = NOBODY
    high: int = 0
    knocks: int = 0
    passed: int = 0
    called_card: int = -1


class State(NamedTuple):
    """A hand in progress. `hands`: the cards that everybody can still play, as moves, from whose `turn` it is round
    the table; () before the first card is led, when everybody holds what was dealt."""

    phase: Phase
    turn: int
    hands: tuple[tuple[Move, ...], ...]
    leader: int
    trick: tuple[int, ...]
    tricks: tuple[Trick, ...]
    terms: Terms


class Side(NamedTuple):
    """What the caller's side came to: seats of caller and called, card points and tricks that they took."""

    caller: int
    called: int
    made: int
    tricks: int


# Every move there is, made once; a move of ours needs no check.
BIDS = tuple(tuple(Move(seat, "bid", bid) for bid in range(MOST + 1)) for seat in range(SEATS))
PASSES = tuple(Move(seat, "pass") for seat in range(SEATS))
CALLS = tuple(tuple(Move(seat, "call", card) for card in range(CARDS)) for seat in range(SEATS))
KNOCK = Move(AUCTIONEER, "knock")
_PLAYS = tuple(tuple(Move(seat, "play", card) for card in range(CARDS)) for seat in range(SEATS))
OURS = frozenset(id(move) for moves in (*BIDS, PASSES, *CALLS, (KNOCK,), *_PLAYS) for move in moves)
"""The identities of all these: whatever else a move is, it is not one of them."""

NEXT = tuple((seat + 1) % SEATS for seat in range(SEATS))
"""Who plays after a seat: the one on its right (S5, B1)."""
_BEATS = tuple(
    tuple(
        tuple(card > best if card // RANKS == best // RANKS else card // RANKS == trump for card in range(CARDS))
        for best in range(CARDS)
    )
    for trump in range(4)
)
"""By trump, by the best card of a trick so far: is a card better?"""


def check_form(move: object) -> None:
    """Has this the form of a move of these games?

    Refusals: `move_malformed`, also for melds, for numbers of more than three digits and for a number where the verb
    takes none; `no_such_card` at `/value` where the verb takes a card.
    """
    _seat, verb, value, melds = check_shape(move)
    if melds:
        raise Refusal("move_malformed", pointer="/melds")
    if not -1000 < value < 1000 or (value and verb in ("knock", "pass")):
        raise Refusal("move_malformed", pointer="/value")
    if verb in CARD_VERBS and not 0 <= value < CARDS:
        raise Refusal("no_such_card", {"card": str(value)}, pointer="/value")


def new_state(deal: Deal, dealer: int, min_bid: int, turn: int) -> State:
    """Eight cards each, one at a time from the dealer's right (S1, S5, B1); the auction is open.

    Refusal `bad_dealer`.
    """
    if type(dealer) is not int or not 0 <= dealer < SEATS:
        raise Refusal("bad_dealer", pointer="/dealer")
    first, deck = NEXT[dealer], deal.deck
    dealt = tuple([tuple(sorted(deck[(seat - first) % SEATS :: SEATS])) for seat in range(SEATS)])
    terms = build(Terms, (dealer, min_bid, dealt, (), NOBODY, 0, 0, 0, -1))
    return build(State, ("auction", turn, (), first, (), (), terms))


def lowest_bid(terms: Terms) -> int:
    """The least that can be bid now: one more than the last, or the least of all (S12, B2); 121 after 120."""
    return terms.high + 1 if terms.high else terms.min_bid


def check_seat(seat: int, turn: int, article: str) -> None:
    """May this seat move? Refusals `no_such_seat`, `not_your_turn`."""
    if not 0 <= seat < SEATS:
        raise Refusal("no_such_seat", pointer="/seat")
    if seat != turn:
        raise Refusal("not_your_turn", article=article, pointer="/seat")


def check_bid(bid: int, terms: Terms, article: str) -> None:
    """Refusals `bid_out_of_range`; `bid_too_low` if it does not top the last (S12, B2)."""
    if terms.high < bid <= MOST and bid >= terms.min_bid:
        return
    low = lowest_bid(terms)
    if not terms.min_bid <= bid <= MOST:
        params = {"bid": bid, "low": low, "high": MOST}
        raise Refusal("bid_out_of_range", params, article=article, pointer="/value")
    raise Refusal("bid_too_low", {"bid": bid, "low": low}, article=article, pointer="/value")


def lead(state: State, leader: int, card: int) -> State:
    """A card is called, its suit is trump: `leader` leads the first trick (S13, B3, B4)."""
    dealer, min_bid, dealt, auction, holder, high, knocks, passed, _none = state.terms
    terms = build(Terms, (dealer, min_bid, dealt, auction, holder, high, knocks, passed, card))
    plays = [itemgetter(*cards)(moves) for moves, cards in zip(_PLAYS, dealt, strict=True)]
    return build(State, ("play", leader, (*plays[leader:], *plays[:leader]), leader, (), (), terms))


def winner_of(cards: tuple[int, ...], leader: int, trump: int) -> int:
    """Who takes a trick of one to five cards: the highest trump, else the highest card of the suit led (S13, B4)."""
    beats, best = _BEATS[trump], cards[0]
    for card in cards:
        if beats[best][card]:
            best = card
    return (leader + cards.index(best)) % SEATS


def play(state: State, move: Move, article: str) -> State:
    """A card falls; the fifth ends a trick, the fortieth the hand (S13, B4). `move`: whatever came in.

    Refusals: those of `check_form`; `wrong_phase`, `no_such_seat`, `not_your_turn`, `card_not_held`.
    """
    _phase, turn, hands, leader, trick, tricks, terms = state
    own, second, third, fourth, fifth = hands
    try:
        at = own.index(move)
    except Exception:  # it is not there, or something came in that cannot even be compared
        raise _unplayable(move, turn, article) from None
    if own[at] is not move:
        check_form(move)
    rest = own[:at] + own[at + 1 :]
    trick += (move.value,)
    if len(trick) < SEATS:
        return build(State, ("play", NEXT[turn], (second, third, fourth, fifth, rest), leader, trick, tricks, terms))
    winner = winner_of(trick, leader, terms.called_card // RANKS)
    tricks += (build(Trick, (leader, trick, winner)),)
    hands = (second, third, fourth, fifth, rest)  # from the leader on
    if not rest:
        return build(State, ("over", NOBODY, hands, winner, (), tricks, terms))
    ahead = (winner - leader) % SEATS
    return build(State, ("play", winner, hands[ahead:] + hands[:ahead], winner, (), tricks, terms))


def _unplayable(move: Move, turn: int, article: str) -> Refusal:
    """Why a move is not among the cards of the one whose turn it is."""
    check_form(move)
    seat, verb, _card, _melds = move
    if verb != "play":
        return Refusal("wrong_phase", pointer="/verb")
    check_seat(seat, turn, article)
    return Refusal("card_not_held", article=article, pointer="/value")


def _points_of(trick: tuple[int, ...]) -> int:
    a, b, c, d, e = trick
    return POINTS[a] + POINTS[b] + POINTS[c] + POINTS[d] + POINTS[e]


def points_taken(tricks: tuple[Trick, ...]) -> tuple[int, ...]:
    """Card points by seat."""
    taken = [0] * SEATS
    for _leader, cards, winner in tricks:
        taken[winner] += _points_of(cards)
    return tuple(taken)


def _holder_of(card: int, dealt: tuple[tuple[int, ...], ...]) -> int:
    return [card in cards for cards in dealt].index(True)


def side_of(state: State) -> Side:
    """The caller's side at the end of a hand that was called."""
    caller, partner = state.terms.holder, _holder_of(state.terms.called_card, state.terms.dealt)
    made = won = 0
    for _leader, cards, winner in state.tricks:
        if winner in (caller, partner):
            made += _points_of(cards)
            won += 1
    return build(Side, (caller, partner, made, won))


def _hand_of(state: State, seat: int) -> tuple[int, ...]:
    """Cards that a seat holds now."""
    if not state.hands:
        return state.terms.dealt[seat]
    return tuple([move.value for move in state.hands[(seat - state.turn) % SEATS]])


def check_viewer(seat: int | None) -> None:
    """Refusal `no_such_seat`."""
    if seat is not None and (type(seat) is not int or not 0 <= seat < SEATS):
        raise Refusal("no_such_seat", pointer="/seat")


def view_of(state: State, seat: int | None, moves: tuple[Move, ...], game: str) -> TrickView:
    """What this seat of a game sees, with the moves that are its own."""
    phase, turn, _hands, leader, trick, tricks, terms = state
    dealer, min_bid, dealt, auction, holder, high, knocks, _passed, card = terms
    awarded, is_called = phase != "auction" and holder != NOBODY, card >= 0
    each = TRICKS - len(tricks)
    partner = _holder_of(card, dealt) if is_called else None
    if partner is not None and partner != seat and card in _hand_of(state, partner):
        partner = None  # the card has not fallen, and is not his
    return build(
        TrickView,
        (
            seat,
            phase,
            dealer,
            None if turn == NOBODY else turn,
            0 if seat is None else mask(_hand_of(state, seat)),
            tuple([each - ((player - leader) % SEATS < len(trick)) for player in range(SEATS)]),
            auction,
            None if holder == NOBODY else holder,
            high,
            knocks,
            holder if awarded else None,
            high if awarded else 0,
            card if is_called else None,
            card // RANKS if is_called else None,
            partner,
            leader,
            trick,
            tricks,
            points_taken(tricks),
            min_bid,
            moves,
            game,
        ),
    )
