"""Gin rummy for two to four players, from the deal to what the hand came to (R1-R8, RD1-RD7).

A hand is folded from moves; nothing is random but the deal and what follows from its seed. Refusals of `apply`:
`move_malformed`, `no_such_card`, `hand_over`, `wrong_phase`, `no_such_seat`, `not_your_turn`; `must_draw` (R3),
`card_not_held` (R4), `may_not_return` (RD2), `too_much_deadwood` (R7), `no_big_gin` (RD5); of melds laid out by hand
`not_a_meld`, `meld_card_twice` (R1), `no_layoff` (R7).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Literal, NamedTuple

from core.refusal import Refusal
from core.rulefields import RuleField, read_rules
from gameplay.rules.cards import FRENCH, Hand, mask
from gameplay.rules.deals import Deal, shuffled_again
from gameplay.rules.gin_melds import Laid, best_arrangement, best_layoff, check_laid, check_melds, deadwood, knockable
from gameplay.rules.moves import NOBODY, Move, build, check_shape
from scoring.rules.gin import FIELDS as SCORING_FIELDS
from scoring.rules.gin import GinOutcome

NAME = "gin"
DECK = FRENCH
CARD_VERBS = frozenset({"discard", "knock"})
SET_VERBS = frozenset({"lay"})
UNTOUCHED = 2
"""Cards of the stock that nobody draws: when no more are left, the discards are dealt again (R5)."""

FIELDS = (
    RuleField("players", "int", 2, "R2", low=2, high=4),
    RuleField("knock_limit", "int", 10, "R7", low=0, high=30),
    RuleField("may_return_upcard", "bool", False, "RD2"),
    RuleField("stock_end", "choice", "recycle", "RD3", choices=("recycle", "void")),
    RuleField("turn_cap", "int", 200, "RD4", low=1, high=10_000),
)


class GinOptions(NamedTuple):
    """How a table plays; the last four are read by `scoring.rules.gin`. Points and counts of cards, players, turns."""

    players: int
    knock_limit: int
    may_return_upcard: bool
    stock_end: Literal["recycle", "void"]
    turn_cap: int
    undercut_bonus: int
    gin_bonus: int
    big_gin_bonus: int | None
    target_score: int | None


def options(given: Mapping[str, Any]) -> GinOptions:
    """Every option with its given, checked value or its default; None says that there is none where that is the
    default. Refusals: those of `RuleField.check`."""
    fields = (*FIELDS, *SCORING_FIELDS)
    absent = {field.name for field in fields if field.default is None and given.get(field.name) is None}
    return GinOptions(**read_rules(fields, {name: value for name, value in given.items() if name not in absent}))


def seats(options: GinOptions) -> int:
    """How many play."""
    return options.players


Phase = Literal["upcard", "draw", "discard", "lay", "over"]


class Down(NamedTuple):
    """The end of a hand. `knocker` and his `melds`, None and () in a void hand. `laid` by seat, None for the knocker
    and for those who have not laid yet; `deadwood` of the knocker."""

    kind: Literal["gin", "big_gin", "knock", "void"]
    knocker: int | None
    melds: tuple[Hand, ...]
    deadwood: int
    laid: tuple[Laid | None, ...]


class Table(NamedTuple):
    """What seldom changes. `stock`: cards as they were laid, the top is the last of those that are left; `shuffles`:
    how often the discards were dealt again; `passes`: of the upcard; `down`: from a knock on."""

    options: GinOptions
    dealer: int
    seed: bytes
    stock: tuple[int, ...]
    shuffles: int
    passes: int
    down: Down | None


class State(NamedTuple):
    """A hand of cards. `turn`: who must move, `NOBODY` when it is over. `left`: cards of the stock. `known`: by seat,
    what everybody saw him take and not discard; `picked`: what was just taken from the discards, of which the last is
    the top. `turns`: those begun, 0 while the first card is offered round."""

    table: Table
    phase: Phase
    turn: int
    hands: tuple[Hand, ...]
    left: int
    discards: tuple[int, ...]
    known: tuple[Hand, ...]
    picked: int | None
    turns: int


Step = Callable[[State, int, tuple[Hand, ...]], State]
Ready = tuple[Phase | None, int, Step, int, tuple[Hand, ...]]
"""A move in form: the phase of its verb, None for one of no phase; its seat, the step, and its value and its melds."""


class GinView(NamedTuple):
    """What a seat may know, None: a spectator, who has no hand. Sets of cards as masks, by seat where tuples.

    `discards`: what everybody saw lie there since the last shuffle, the top last; `stock`: how many cards.
    `known`: what was taken from the discards and is still held. `picked`: the card just taken from them this turn.
    `passes` of the upcard; `turns`: those begun. After a knock: `melds` of the knocker, `shown`: whole hands that lie
    open, `laid`: what opponents made of theirs. `moves`: lawful ones of this seat.
    """

    seat: int | None
    phase: Phase
    dealer: int
    turn: int | None
    hand: Hand
    counts: tuple[int, ...]
    discards: tuple[int, ...]
    stock: int
    known: tuple[Hand, ...]
    picked: int | None
    passes: int
    turns: int
    knocker: int | None
    melds: tuple[Hand, ...]
    shown: tuple[Hand, ...]
    laid: tuple[Laid | None, ...]
    players: int
    knock_limit: int
    moves: tuple[Move, ...]


# Every move that has no choice in it but a card is built once and shared.

_SEATS = range(4)
_CARDS = range(52)
_DISCARD = tuple(tuple(Move(seat, "discard", card) for card in _CARDS) for seat in _SEATS)
_KNOCK = tuple(tuple(Move(seat, "knock", card) for card in _CARDS) for seat in _SEATS)
_TAKE_OR_PASS = tuple((Move(seat, "take"), Move(seat, "pass")) for seat in _SEATS)
_DRAW_OR_PICK = tuple((Move(seat, "draw"), Move(seat, "pick")) for seat in _SEATS)
_DRAW = tuple(moves[:1] for moves in _DRAW_OR_PICK)
_BIG_GIN = tuple((Move(seat, "big_gin"),) for seat in _SEATS)
_LAY = tuple((Move(seat, "lay"),) for seat in _SEATS)


def _by_eight(moves: tuple[Move, ...]) -> tuple[tuple[tuple[Move, ...], ...], ...]:
    """Moves with the cards 0-7, 8-15, ... of a hand, for each of the 256 ways in which it can hold them."""
    eights = (moves[low : low + 8] for low in range(0, len(moves), 8))
    return tuple(
        tuple(tuple(move for at, move in enumerate(eight) if byte >> at & 1) for byte in range(256)) for eight in eights
    )


_ALONE = {"take", "pass", "draw", "pick", "big_gin"}  # verbs without a number
_DISCARDS = tuple(_by_eight(moves) for moves in _DISCARD)


def new_hand(deal: Deal, dealer: int, options: GinOptions) -> State:
    """Ten cards each for two, seven for more, one open beside the stock (R2). Refusal `bad_dealer`."""
    players = options.players
    if type(dealer) is not int or not 0 <= dealer < players:
        raise Refusal("bad_dealer", article="R2", pointer="/dealer")
    dealt = (10 if players == 2 else 7) * players
    first = (dealer + 1) % players
    hands = tuple(mask(deal.deck[(seat - first) % players : dealt : players]) for seat in range(players))
    table = Table(options, dealer, deal.seed, deal.deck[:dealt:-1], 0, 0, None)
    return State(table, "upcard", first, hands, len(table.stock), deal.deck[dealt : dealt + 1], (0,) * players, None, 0)


def legal_moves(state: State) -> tuple[Move, ...]:
    """Every lawful move but those with melds laid out by hand, which are too many to list; () when the hand is over."""
    table, phase, seat, hands, _, _, _, picked, turns = state
    if phase == "discard":
        hand = free = hands[seat]
        options = table.options
        if picked is not None and not options.may_return_upcard:
            free ^= 1 << picked
        t0, t1, t2, t3, t4, t5, t6 = _DISCARDS[seat]
        b0, b1, b2, b3, b4, b5, b6 = free.to_bytes(7, "little")
        moves = t0[b0] + t1[b1] + t2[b2] + t3[b3] + t4[b4] + t5[b5] + t6[b6]
        if cards := knockable(hand, options.knock_limit):
            knocks = _KNOCK[seat]
            moves += tuple(knocks[card] for card in cards if free >> card & 1)
            if options.big_gin_bonus is not None and not deadwood(hand):
                moves += _BIG_GIN[seat]
        return moves
    if phase == "draw":
        return _DRAW[seat] if turns == 1 else _DRAW_OR_PICK[seat]
    return () if phase == "over" else _TAKE_OR_PASS[seat] if phase == "upcard" else _LAY[seat]


def apply(state: State, move: Move) -> State:
    """The state after this move; `state` stays as it was. For refusals see above."""
    phase, seat, step, value, melds = _READY.get(id(move)) or _read(move)
    if phase != state.phase or seat != state.turn:
        raise _out_of_turn(state, phase, seat)
    return step(state, value, melds)


def _read(move: object) -> Ready:
    """A move that is not shared. Refusals `no_such_card`; `move_malformed`, also for what its verb does not take."""
    seat, verb, value, melds = check_shape(move)
    if melds and verb not in ("knock", "big_gin", "lay"):
        raise Refusal("move_malformed", pointer="/melds")
    if (value and verb in _ALONE) or (verb not in SET_VERBS and not -1000 < value < 1000):
        raise Refusal("move_malformed", pointer="/value")
    if verb in CARD_VERBS and value not in _CARDS:
        raise Refusal("no_such_card", {"card": str(value)}, pointer="/value")
    phase, step = _STEPS.get(verb, (None, _pass))
    return phase, seat, step, value, melds


def _out_of_turn(state: State, phase: Phase | None, seat: int) -> Refusal:
    if state.phase == "over":
        return Refusal("hand_over")
    article = "R7" if state.phase == "lay" else "R3" if state.turns < 2 and state.phase != "discard" else "R4"
    if phase != state.phase:
        return Refusal("wrong_phase", article=article, pointer="/verb")
    if not 0 <= seat < len(state.hands):
        return Refusal("no_such_seat", pointer="/seat")
    return Refusal("not_your_turn", article=article, pointer="/seat")


# Steps: the state after a verb whose turn it is


def _with(by_seat: tuple[Hand, ...], seat: int, cards: Hand) -> tuple[Hand, ...]:
    """The same sets of cards but that of one seat."""
    if len(by_seat) == 2:
        return (by_seat[0], cards) if seat else (cards, by_seat[1])
    return (*by_seat[:seat], cards, *by_seat[seat + 1 :])


def _pass(state: State, _value: int, _melds: tuple[Hand, ...]) -> State:
    """The next may have the first card, until it comes back to the first player, who must draw (R3)."""
    table, _, seat, hands, left, discards, known, _, _ = state
    table = table._replace(passes=table.passes + 1)
    seat = (seat + 1) % len(hands)
    if table.passes == len(hands):
        return State(table, "draw", seat, hands, left, discards, known, None, 1)
    return State(table, "upcard", seat, hands, left, discards, known, None, 0)


def _draw(state: State, _value: int, _melds: tuple[Hand, ...]) -> State:
    """The top of the stock (R4)."""
    table, _, seat, hands, left, discards, known, _, turns = state
    left -= 1
    hands = _with(hands, seat, hands[seat] | 1 << table.stock[left])
    return build(State, (table, "discard", seat, hands, left, discards, known, None, turns))


def _pick(state: State, _value: int, _melds: tuple[Hand, ...]) -> State:
    """The top of the discards (R4), or the first card that lay there (R3)."""
    table, phase, seat, hands, left, discards, known, _, turns = state
    if turns == 1 and phase == "draw":
        raise Refusal("must_draw", article="R3", pointer="/verb")
    card = discards[-1]
    bit = 1 << card
    hands = _with(hands, seat, hands[seat] | bit)
    known = _with(known, seat, known[seat] | bit)
    return build(State, (table, "discard", seat, hands, left, discards[:-1], known, card, turns or 1))


def _discard(state: State, card: int, _melds: tuple[Hand, ...]) -> State:
    """One card on the discards, and the turn of the next player begins (R4)."""
    table, _, seat, hands, left, discards, known, picked, turns = state
    bit = 1 << card
    if card == picked or not hands[seat] & bit:
        _check_free(state, card)
    hands = _with(hands, seat, hands[seat] ^ bit)
    if known[seat] & bit:
        known = _with(known, seat, known[seat] ^ bit)
    discards += (card,)
    if turns >= table.options.turn_cap or (left <= UNTOUCHED and table.options.stock_end == "void"):
        table = table._replace(down=Down("void", None, (), 0, (None,) * len(hands)))
        return State(table, "over", NOBODY, hands, left, discards, known, None, turns)
    if left <= UNTOUCHED:
        table = _dealt_again(table, left, discards)
        left, discards = len(table.stock), discards[-1:]
    return build(State, (table, "draw", (seat + 1) % len(hands), hands, left, discards, known, None, turns + 1))


def _check_free(state: State, card: int) -> None:
    """May this card be discarded? Refusals `card_not_held`, `may_not_return` (RD2)."""
    if not state.hands[state.turn] >> card & 1:
        raise Refusal("card_not_held", article="R4", pointer="/value")
    if card == state.picked and not state.table.options.may_return_upcard:
        raise Refusal("may_not_return", article="RD2", pointer="/value")


def _dealt_again(table: Table, left: int, discards: tuple[int, ...]) -> Table:
    """The discards but the last, shuffled and laid on what is left of the stock (R5).

    That is when the turn is over in which the third last card was drawn: before the next player chooses, and with that
    discard beside the stock for him to take or to leave.
    """
    time = table.shuffles + 1
    return table._replace(stock=table.stock[:left] + shuffled_again(table.seed, discards[:-1], time), shuffles=time)


def _knock(state: State, card: int, melds: tuple[Hand, ...]) -> State:
    """One card on the discards and the others down: melds, and at most `knock_limit` deadwood (R7)."""
    _check_free(state, card)
    knocker, bit = state.turn, 1 << card
    hands = _with(state.hands, knocker, state.hands[knocker] ^ bit)
    known = _with(state.known, knocker, state.known[knocker] & ~bit)
    state = state._replace(hands=hands, discards=(*state.discards, card), known=known)
    return _down(state, "knock", melds, state.table.options.knock_limit)


def _big_gin(state: State, _value: int, melds: tuple[Hand, ...]) -> State:
    """All cards melded, and none to discard (RD5). Refusal `no_big_gin` at a table that plays without."""
    if state.table.options.big_gin_bonus is None:
        raise Refusal("no_big_gin", article="RD5", pointer="/verb")
    return _down(state, "big_gin", melds, 0)


def _down(state: State, kind: Literal["big_gin", "knock"], melds: tuple[Hand, ...], limit: int) -> State:
    """The knocker's cards lie open, as he arranged them or else as is best for him (RD7). Refusal `too_much_deadwood`.

    What is best follows from his hand and the discards alone: everybody sees it while the other hands are closed.
    Without deadwood it is gin: nobody may lay off, and the hand is over (R6).
    """
    knocker, hands, hand = state.turn, state.hands, state.hands[state.turn]
    loose = check_melds(hand, melds) if melds else deadwood(hand)
    if loose > limit:
        params = {"deadwood": loose, "limit": limit}
        raise Refusal("too_much_deadwood", params, article="R7", pointer="/melds" if melds else "/value")
    melds = melds or best_arrangement(hand, mask(_CARDS) & ~(hand | mask(state.discards)))
    if loose:
        down = Down("knock", knocker, melds, loose, (None,) * len(hands))
        return _lying(state, "lay", (knocker + 1) % len(hands), down)
    laid = tuple(None if seat == knocker else best_layoff(cards, ()) for seat, cards in enumerate(hands))
    return _lying(state, "over", NOBODY, Down("gin" if kind == "knock" else kind, knocker, melds, 0, laid))


def _lay(state: State, value: int, melds: tuple[Hand, ...]) -> State:
    """An opponent lays off on the knocker's melds as they were put down, whatever others laid there (R7).

    `value`: the cards to lay off as a mask, `melds`: his own; without either what leaves him least (RD7).
    """
    seat, down = state.turn, state.table.down
    assert down is not None
    hand = state.hands[seat]
    laid = check_laid(hand, down.melds, melds, value) if value or melds else best_layoff(hand, down.melds)
    down = down._replace(laid=(*down.laid[:seat], laid, *down.laid[seat + 1 :]))
    following = (seat + 1) % len(state.hands)
    if following == down.knocker:
        return _lying(state, "over", NOBODY, down)
    return _lying(state, "lay", following, down)


def _lying(state: State, phase: Phase, turn: int, down: Down) -> State:
    """The same cards, after a knock or a lay-off."""
    return state._replace(table=state.table._replace(down=down), phase=phase, turn=turn, picked=None)


_STEPS: dict[str, tuple[Phase, Step]] = {
    "take": ("upcard", _pick),
    "pass": ("upcard", _pass),
    "draw": ("draw", _draw),
    "pick": ("draw", _pick),
    "discard": ("discard", _discard),
    "knock": ("discard", _knock),
    "big_gin": ("discard", _big_gin),
    "lay": ("lay", _lay),
}
_SHARED = (*_DISCARD, *_KNOCK, *_TAKE_OR_PASS, *_DRAW_OR_PICK, *_BIG_GIN, *_LAY)
_READY = {id(move): _read(move) for moves in _SHARED for move in moves}
"""By id: the moves above live as long as this module, so nothing else can ever have one of these ids."""


def view_for(state: State, seat: int | None) -> GinView:
    """What this seat knows, None: what everybody in the room sees. Refusal `no_such_seat`."""
    table, phase, turn, hands, left, discards, known, picked, turns = state
    players = len(hands)
    if seat is not None and (type(seat) is not int or not 0 <= seat < players):
        raise Refusal("no_such_seat", pointer="/seat")
    _, knocker, melds, _, laid = table.down or Down("void", None, (), 0, (None,) * players)
    return GinView(
        seat,
        phase,
        table.dealer,
        None if phase == "over" else turn,
        0 if seat is None else hands[seat],
        tuple(cards.bit_count() for cards in hands),
        discards,
        left,
        known,
        picked,
        table.passes,
        turns,
        knocker,
        melds,
        tuple(cards if at == knocker or laid[at] else 0 for at, cards in enumerate(hands)),
        laid,
        players,
        table.options.knock_limit,
        legal_moves(state) if seat == turn else (),
    )


def outcome(state: State) -> GinOutcome | None:
    """What the hand came to, None until it is over. Nobody's cards count in a void hand: they are not even shown."""
    down = state.table.down
    if down is None or state.phase != "over":
        return None
    return GinOutcome(down.kind, down.knocker, tuple(laid.deadwood if laid else down.deadwood for laid in down.laid))
