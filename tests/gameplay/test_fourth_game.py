"""A fourth game is one module and one line, as docs/a-fourth-game.md says."""

import pytest

from core.lots import Lots
from core.refusal import Refusal
from gameplay.rules import bots, games
from gameplay.rules.games import game
from gameplay.rules.moves import Move
from gameplay.rules.records import Record, from_json, replay, to_json
from tests.gameplay.fourth_game import USE, highest


@pytest.fixture(autouse=True)
def one_line(monkeypatch):
    monkeypatch.setitem(games.GAMES, "highest", highest)


def test_it_is_played_from_deal_to_points_recorded_and_replayed_as_the_page_does_it():
    names = {"Record": Record, "replay": replay, "game": game, "highest": highest}
    exec(USE, names | {"from_json": from_json, "to_json": to_json})


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_the_winner_of_a_trick_leads_to_the_next(players):
    state = replay(Record("highest", highest.options({"players": players}), 0, b"\7" * 32, ()))
    assert state.turn == 1
    for _ in range(3):
        leader, played = state.turn, []
        for _ in range(players):
            move = highest.legal_moves(state)[-1]
            played.append(move.value % 10)
            state = highest.apply(state, move)
        if state.turn is not None:
            assert (state.turn - leader) % players == played.index(max(played))
    assert sum(highest.outcome(state)) == 3


def test_whatever_is_not_lawful_is_refused_with_a_pointer():
    state = replay(Record("highest", highest.options({}), 2, b"\7" * 32, ()))
    (held,) = highest.legal_moves(state)[:1]
    for wrong, code in (
        ("play", "move_malformed"),
        (held._replace(seat=1), "not_your_turn"),
        (held._replace(verb="sing"), "wrong_phase"),
        (Move(0, "play", 10**40), "card_not_held"),
    ):
        with pytest.raises(Refusal) as caught:
            highest.apply(state, wrong)
        assert caught.value.code == code
    for dealer in (3, -1, True, "0"):
        with pytest.raises(Refusal) as caught:
            replay(Record("highest", highest.options({}), dealer, bytes(32), ()))
        assert caught.value.pointer == "/dealer"
    for _ in range(9):
        state = highest.apply(state, highest.legal_moves(state)[0])
    assert highest.legal_moves(state) == ()
    with pytest.raises(Refusal) as caught:
        highest.apply(state, held)
    assert caught.value.code == "hand_over"


def test_a_view_is_equal_in_two_worlds_that_differ_in_what_it_does_not_show():
    state = replay(Record("highest", highest.options({}), 2, b"\7" * 32, ()))
    swapped = state._replace(hands=(state.hands[0], state.hands[2], state.hands[1]))
    assert highest.view_for(state, 0) == highest.view_for(swapped, 0)
    assert highest.view_for(state, None) == highest.view_for(swapped, None)
    assert highest.view_for(state, 0).moves == highest.legal_moves(state)
    assert highest.view_for(state, 1).moves == highest.view_for(state, None).moves == ()
    for nobody in (-1, 3, True, "0"):
        with pytest.raises(Refusal) as caught:
            highest.view_for(state, nobody)
        assert (caught.value.code, caught.value.pointer) == ("no_such_seat", "/seat")


def test_bots_are_found_by_the_view_and_a_game_may_have_none():
    for name in ("briscola", "gin", "gingo"):
        played = game(name)
        state = replay(Record(name, played.options({}), 0, b"\7" * 32, ()))
        view = played.view_for(state, 1)
        for level in (1, 2, 3):
            move = bots.choose(view, level, Lots(b"thoughts", "seat 1"))
            assert move in view.moves or (move is None and name == "gingo")
    state = replay(Record("highest", highest.options({}), 0, b"\7" * 32, ()))
    with pytest.raises(Refusal) as caught:
        bots.choose(highest.view_for(state, 1), 1, Lots(b"thoughts", "seat 1"))
    assert caught.value.code == "no_bot"
