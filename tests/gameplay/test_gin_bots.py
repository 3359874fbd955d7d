"""The bot for gin rummy: always lawful, from its view alone, and sensible where a player can say what is sensible."""

from itertools import cycle

import pytest

from core.lots import Lots
from gameplay.rules import gin
from gameplay.rules.bots.gin import choose
from gameplay.rules.cards import FRENCH, mask
from gameplay.rules.deals import deal_from
from gameplay.rules.moves import Move

LOTS = Lots(b"", "bots")
SUITS = {"s": "spades", "c": "clubs", "d": "diamonds", "h": "hearts"}
LEVELS = (1, 2, 3)


def cards(text):
    """`"as 10h"`: ace of spades, ten of hearts."""
    return [FRENCH.number(f"{SUITS[code[-1]]}-{code[:-1]}") for code in text.split()]


def card(text):
    return cards(text)[0]


def view_of(phase, hand, discards="", *, known="", turns=3, players=2, picked=None, moves=None, knock_limit=10):
    """Seat 0 to move; `known` of seat 1. Moves to discard are those of the rules."""
    held = mask(cards(hand))
    blank = (0,) * players
    options = gin.options({"players": players, "knock_limit": knock_limit})
    if moves is None:
        table = gin.Table(options, 0, b"", (), 0, 0, None)
        lying = tuple(cards(discards))
        state = gin.State(table, phase, 0, (held, *blank[1:]), 20, lying, blank, picked, turns)
        moves = gin.legal_moves(state)
    everybody = (0, mask(cards(known)), *blank[2:])
    return gin.GinView(
        0, phase, 0, 0, held, (10,) * players, tuple(cards(discards)), 20, everybody, picked, players, turns,
        None, (), blank, (None,) * players, players, knock_limit, moves,
    )  # fmt: skip


def says(view, level=3):
    move = choose(view, level, LOTS)
    assert move in view.moves
    return move.verb, FRENCH.codes[move.value] if move.verb in gin.CARD_VERBS else None


# Drawing


@pytest.mark.parametrize("level", LEVELS)
def test_it_picks_what_makes_or_lengthens_a_meld(level):
    pair = "7s 7c 2d 3d 4d 9h kh qs 10c ad"
    assert says(view_of("draw", pair, "ks 7h"), level) == ("pick", None)
    assert says(view_of("draw", pair, "ks 5d"), level) == ("pick", None)
    assert says(view_of("upcard", pair, "7h"), level) == ("take", None)


@pytest.mark.parametrize("level", LEVELS)
def test_it_leaves_what_melds_with_nothing_or_saves_nothing(level):
    hand = "7s 7c 2d 3d 4d 9h kh qs 10c ad"
    assert says(view_of("draw", hand, "ks 8s"), level) == ("draw", None)
    assert says(view_of("upcard", hand, "kd"), level) == ("pass", None)
    gin_already = "7s 7c 7h 2d 3d 4d 9h 10h jh qh"
    assert says(view_of("draw", gin_already, "kh"), level) == ("draw", None)


def test_it_draws_where_nothing_else_is_lawful():
    view = view_of("draw", "7s 7c 2d 3d 4d 9h kh qs 10c ad", "7h", turns=1)
    assert says(view) == ("draw", None)


# Discarding

PAIRS = "3s 4s 5s 6s 7s kc kd qh qd ah 2d"
KINGS, QUEENS = ("clubs-k", "diamonds-k"), ("hearts-q", "diamonds-q")


def test_the_simple_level_throws_the_highest_loose_card():
    assert says(view_of("discard", "as 2s 3s 4s 5s jc 7d 9h 8d 4h 7c"), 1) == ("discard", "clubs-j")


@pytest.mark.parametrize("level", [2, 3])
def test_a_live_pair_is_kept_and_a_dead_one_thrown(level):
    assert says(view_of("discard", PAIRS, "ks kh 9c"), level)[1] in KINGS
    assert says(view_of("discard", PAIRS, "qs qc 9c"), level)[1] in QUEENS


@pytest.mark.parametrize("level", [2, 3])
def test_a_pair_is_dead_as_well_when_its_cards_sit_in_another_hand(level):
    assert says(view_of("discard", PAIRS, known="ks kh"), level)[1] in KINGS
    assert says(view_of("discard", PAIRS, known="qs qc"), level)[1] in QUEENS


LOOSE = "3s 4s 5s 6s 7s jh qd 9c 2d ac 5h"


@pytest.mark.parametrize(
    ("known", "simple", "thrown"),
    [
        ("", "diamonds-q", "diamonds-q"),
        ("qs qc", "diamonds-q", "hearts-j"),  # the fourth queen
        ("10d jd", "diamonds-q", "clubs-9"),  # the queen goes to the run, a jack to the jack
    ],
)
def test_the_next_player_is_not_fed(known, simple, thrown):
    assert says(view_of("discard", LOOSE, known=known), 2) == ("discard", simple)
    assert says(view_of("discard", LOOSE, known=known), 3) == ("discard", thrown)


def test_no_meld_is_broken_for_a_hope():
    hand = "ks kc kd 2h 3h 5c 6c 9d 9s as 4d"
    assert says(view_of("discard", hand), 3)[1] not in ("spades-k", "clubs-k", "diamonds-k")


# Knocking

EIGHT = "as 2s 3s 4s 5s 7c 7d 7h 5d 3c kd"  # 8 after the king


@pytest.mark.parametrize(
    ("level", "turn", "verb"),
    [(3, 3, "knock"), (3, 5, "knock"), (3, 6, "discard"), (3, 9, "discard"), (2, 9, "knock"), (1, 9, "knock")],
)
def test_it_knocks_early_and_the_strongest_waits_later(level, turn, verb):
    assert says(view_of("discard", EIGHT, turns=2 * turn - 1), level) == (verb, "diamonds-k")


@pytest.mark.parametrize("players", [3, 4])
def test_among_more_than_two_nobody_waits(players):
    hand = "as 2s 3s 7c 7d 7h 8s kd"
    assert says(view_of("discard", hand, turns=9 * players, players=players)) == ("knock", "diamonds-k")


def test_it_does_not_knock_with_more_than_the_table_allows():
    assert says(view_of("discard", EIGHT, knock_limit=7)) == ("discard", "diamonds-k")


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("turn", [2, 30])
def test_gin_is_never_waited_with(level, turn):
    assert says(view_of("discard", "as 2s 3s 4s 5s 6s 7s 7c 7d 7h kd", turns=turn), level) == ("knock", "diamonds-k")


def test_big_gin_where_it_is_played():
    hand = "as 2s 3s 4s 5s 6s 7s 8s 7c 7d 7h"
    plain = view_of("discard", hand).moves
    assert says(view_of("discard", hand))[0] == "knock"
    assert says(view_of("discard", hand, moves=(*plain, Move(0, "big_gin")))) == ("big_gin", None)


def test_the_card_just_picked_stays():
    assert says(view_of("discard", EIGHT, picked=card("kd"))) == ("discard", "diamonds-5")


def test_who_has_no_move_makes_none():
    assert choose(view_of("discard", EIGHT, moves=()), 3, LOTS) is None


# Whole hands

TABLES = (
    ({}, 60),
    ({"players": 3}, 40),
    ({"players": 4, "may_return_upcard": True}, 40),
    ({"big_gin_bonus": 31}, 40),
    ({"knock_limit": 0, "players": 4}, 8),  # long: the discards are dealt again
    ({"knock_limit": 0, "stock_end": "void"}, 12),
    ({"knock_limit": 0, "turn_cap": 25}, 12),
)


def played(number, options, levels):
    """The end of one hand; every move of every bot is lawful, and the same a second time."""
    seats = gin.seats(options)
    state = gin.new_hand(deal_from(number.to_bytes(32, "big"), FRENCH), number % seats, options)
    level = dict(zip(range(seats), levels, strict=False))
    while gin.outcome(state) is None:
        seat = state.turn
        view = gin.view_for(state, seat)
        move = choose(view, level[seat], Lots(b"one", "bots"))
        assert move in view.moves
        assert move == choose(gin.view_for(state, seat), level[seat], Lots(b"another", "bots"))
        state = gin.apply(state, move)
    return state


def test_whole_hands_are_lawful_and_repeatable_at_every_table():
    kinds, shuffled = set(), 0
    for given, hands in TABLES:
        options = gin.options(given)
        levels = cycle(LEVELS)
        for number in range(hands):
            next(levels)
            state = played(number, options, levels)
            kinds.add(gin.outcome(state).kind)
            shuffled += state.table.shuffles
    assert kinds >= {"gin", "knock", "void"}
    assert shuffled


def test_a_hand_is_the_same_for_who_sees_the_same():
    """Two worlds that differ in the hidden cards only: what the first player does is the same in both."""
    options = gin.options({})
    for number in range(40):
        deal = deal_from(number.to_bytes(32, "big"), FRENCH)
        first, upcard = deal.deck[0:20:2], deal.deck[20]
        hidden = sorted(set(deal.deck) - {*first, upcard})
        deck = [*(c for pair in zip(first, hidden[:10], strict=True) for c in pair), upcard, *hidden[10:]]
        moves = []
        for world in (deal, deal._replace(deck=tuple(deck))):
            state = gin.new_hand(world, 1, options)
            moves.append([choose(gin.view_for(state, 0), level, LOTS) for level in LEVELS])
        assert moves[0] == moves[1]
