"""A hand on paper: its seed and its moves. Everything else follows from them.

    {"format": "gingodrome/hand/1", "game": "gin", "options": {...}, "dealer": 1, "seed": "...", "commitment": "...",
     "moves": [[0, "take"], [0, "discard", "spades-k"], ...]}

A move is `[seat, verb]`, with a third item where it has a card (its code), a number, or a set of cards (their codes),
and a fourth where a player laid out melds himself. Options are written in full, so that a record outlives every change
of a default.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any, NamedTuple

from core.refusal import Refusal
from gameplay.rules.cards import Deck, Hand, cards_in
from gameplay.rules.deals import SEED_BYTES, commitment, deal_from
from gameplay.rules.games import Game, game
from gameplay.rules.moves import Move

FORMAT = "gingodrome/hand/1"
KEYS = ("format", "game", "options", "dealer", "seed", "commitment", "moves")
_SEED = re.compile(f"[0-9a-f]{{{2 * SEED_BYTES}}}")
_VERB = re.compile("[a-z_]{1,20}")
_TYPES = {dict: "object", list: "array", int: "integer", str: "string"}
_ITEMS = {"seat": "0", "verb": "1", "value": "2", "melds": "3"}  # of a move in a record


class Record(NamedTuple):
    """`game`: its name; `options`: the game's own value of them; `moves`: in the order in which they were made."""

    game: str
    options: Any
    dealer: int
    seed: bytes
    moves: tuple[Move, ...]


def replay(record: Record) -> Any:
    """The state after the last move. Refusals: those of the game; of a move at `/moves/<number>` and its item."""
    played = game(record.game)
    state = played.new_hand(deal_from(record.seed, played.DECK), record.dealer, record.options)
    for number, move in enumerate(record.moves):
        try:
            state = played.apply(state, move)
        except Refusal as refusal:
            told = Refusal(refusal.code, refusal.params, article=refusal.article, pointer=_item(refusal.pointer))
            raise told.at(f"/moves/{number}") from None
    return state


def _item(pointer: str) -> str:
    """Into the list that a move is in a record, from a pointer into the value."""
    name, slash, rest = pointer.removeprefix("/").partition("/")
    return f"/{_ITEMS.get(name, name)}{slash}{rest}" if pointer else ""


def to_json(record: Record) -> str:
    """The record as text that a person can read: one move a line."""
    played = game(record.game)
    head = {
        "format": FORMAT,
        "game": record.game,
        "options": record.options._asdict(),
        "dealer": record.dealer,
        "seed": record.seed.hex(),
        "commitment": commitment(record.seed),
    }
    lines = ",\n".join(f"  {json.dumps(_written(move, played))}" for move in record.moves)
    return json.dumps(head, indent=1)[:-2] + f',\n "moves": [\n{lines}\n ]\n}}\n'


def _written(move: Move, played: Game) -> list[Any]:
    codes = played.DECK.codes
    seat, verb, value, melds = move
    written: Any = value
    if verb in played.CARD_VERBS:
        written = codes[value]
    elif verb in played.SET_VERBS:
        written = [codes[card] for card in cards_in(value)]
    if melds:
        return [seat, verb, written, [[codes[card] for card in cards_in(meld)] for meld in melds]]
    return [seat, verb, written] if written else [seat, verb]


def from_json(text: str | bytes) -> Record:
    """The record that a text holds; whether its moves are lawful, `replay` says.

    Refusals with a pointer into the text: `record_malformed` (no JSON object, or of another format), `missing`,
    `unexpected`, `wrong_type`, `game_unknown`, those of options, `bad_seed`, `bad_commitment` (it is not that of the
    seed), `move_malformed`, `no_such_card`, `double` (a card that is twice in a meld).
    """
    tree = _tree(text)
    for key in KEYS:
        if key not in tree:
            raise Refusal("missing", {"key": key})
    _check_names(tree, KEYS)
    if tree["format"] != FORMAT:
        raise Refusal("record_malformed", {"format": FORMAT}, pointer="/format")
    try:
        played = game(tree["game"])
    except Refusal as refusal:
        raise refusal.at("/game") from None
    options = _options(_typed(tree["options"], dict, "/options"), played)
    dealer = _typed(tree["dealer"], int, "/dealer")
    seed = seed_from(tree["seed"])
    if tree["commitment"] != commitment(seed):
        raise Refusal("bad_commitment", {"commitment": commitment(seed)}, pointer="/commitment")
    moves = _typed(tree["moves"], list, "/moves")
    return Record(
        played.NAME,
        options,
        dealer,
        seed,
        tuple(_move(move, f"/moves/{number}", played) for number, move in enumerate(moves)),
    )


def seed_from(text: object) -> bytes:
    """The seed that 64 hexadecimal digits are. Refusal `bad_seed` at `/seed`."""
    if not isinstance(text, str) or not _SEED.fullmatch(text):
        raise Refusal("bad_seed", {"count": SEED_BYTES}, pointer="/seed")
    return bytes.fromhex(text)


def _tree(text: str | bytes) -> dict[str, Any]:
    try:
        tree = json.loads(text, object_pairs_hook=_once)
    except (
        TypeError,
        ValueError,
        RecursionError,
    ):  # no text, JSON or UTF-8, a number or a well without end
        tree = None
    if not isinstance(tree, dict):
        raise Refusal("record_malformed", {"format": FORMAT})
    return tree


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object whose keys stand there once: of two seeds one would be hidden from a reader."""
    tree = dict(pairs)
    if len(tree) < len(pairs):
        raise ValueError
    return tree


def _typed(value: Any, kind: type, pointer: str) -> Any:
    if type(value) is not kind:
        raise Refusal("wrong_type", {"type": _TYPES[kind]}, pointer=pointer)
    return value


def _check_names(tree: Mapping[str, Any], known: tuple[str, ...], pointer: str = "") -> None:
    for key in tree:
        if key not in known:
            raise Refusal("unexpected", {"key": key[:40]}, pointer=pointer)


def _options(given: Mapping[str, Any], played: Game) -> Any:
    """One that is missing has its default: an option that came later plays as before it came."""
    try:
        options = played.options(given)
    except Refusal as refusal:
        raise refusal.at("/options") from None
    _check_names(given, options._fields, "/options")
    return options


def _move(given: Any, pointer: str, played: Game) -> Move:
    items = _typed(given, list, pointer)
    if not 2 <= len(items) <= 4:
        raise Refusal("move_malformed", pointer=pointer)
    seat = _typed(items[0], int, f"{pointer}/0")
    verb = _typed(items[1], str, f"{pointer}/1")
    if not _VERB.fullmatch(verb):
        raise Refusal("move_malformed", pointer=f"{pointer}/1")
    value = _value(items[2:], verb, f"{pointer}/2", played)
    melds = _typed(items[3], list, f"{pointer}/3") if len(items) > 3 else []
    return Move(seat, verb, value, tuple(_set(meld, f"{pointer}/3/{at}", played.DECK) for at, meld in enumerate(melds)))


def _value(items: list[Any], verb: str, pointer: str, played: Game) -> int:
    """The first of the items as this verb has it; where there is none, 0."""
    if verb in played.CARD_VERBS:
        return _card(items[0] if items else None, pointer, played.DECK)
    if not items:
        return 0
    return _set(items[0], pointer, played.DECK) if verb in played.SET_VERBS else int(_typed(items[0], int, pointer))


def _set(given: Any, pointer: str, deck: Deck) -> Hand:
    found = 0
    for at, code in enumerate(_typed(given, list, pointer)):
        card = 1 << _card(code, f"{pointer}/{at}", deck)
        if found & card:
            raise Refusal("double", {"name": code}, pointer=f"{pointer}/{at}")
        found |= card
    return found


def _card(code: Any, pointer: str, deck: Deck) -> int:
    try:
        return deck.number(code)
    except Refusal as refusal:
        raise refusal.at(pointer) from None
