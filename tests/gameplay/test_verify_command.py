"""`manage.py verify_deal`: what follows from a record, or a sentence and exit status 1."""

import io
import json

import pytest
from django.core.management import call_command

from gameplay.rules import games
from gameplay.rules.deals import commitment
from gameplay.rules.games import game
from gameplay.rules.records import Record, replay, to_json
from tests.gameplay.fourth_game import highest
from tests.gameplay.played import TABLES, random_record

SEED = bytes(range(32))


@pytest.fixture
def verified(capsys, tmp_path):
    """Exit status, output and complaint for a record (text, or what else follows the command)."""

    def run(record, *arguments):
        if isinstance(record, Record):
            record = to_json(record)
        words = []
        if record is not None:
            words = [str(tmp_path / "hand.json")]
            (tmp_path / "hand.json").write_text(record)
        try:
            call_command("verify_deal", *words, *arguments, "--language", "en")
            status = 0
        except SystemExit as ended:
            status = ended.code
        told = capsys.readouterr()
        return status, told.out, told.err

    return run


@pytest.mark.parametrize("number", range(2 * len(TABLES)))
def test_it_tells_the_deal_and_what_came_out(number, verified):
    record, state = random_record(number)
    status, output, complaint = verified(record, "--commitment", commitment(record.seed).upper())
    assert (status, complaint) == (0, "")
    assert output.startswith(f"Commitment: {commitment(record.seed)}\n")
    assert output.count("\nSeat ") == game(record.game).seats(record.options)
    assert f"Moves: {len(record.moves)}, all lawful.\n" in output
    dealt_again = type(game(record.game).outcome(state)).__name__ == "Redeal"
    assert ("Points: seat 0 " in output.splitlines()[-1]) != dealt_again
    assert ("Nobody has bid: it is dealt again." in output) == dealt_again


def test_a_hand_that_is_not_over_has_no_points(verified):
    record, _state = random_record(0)
    status, output, _complaint = verified(record._replace(moves=record.moves[:3]))
    assert status == 0
    assert output.endswith("Moves: 3, all lawful.\nThe hand was not played to its end.\n")


def test_without_a_record_a_seed_is_enough(verified):
    asked = ("--seed", SEED.hex(), "--game", "gin", "--dealer", "2", "--players", "3")
    status, output, _complaint = verified(None, *asked)
    assert status == 0
    state = replay(Record("gin", game("gin").options({"players": 3}), 2, SEED, ()))
    assert output.count("\nSeat ") == 3
    codes = game("gin").DECK.codes
    first = output.partition("Seat 0: ")[2].splitlines()[0].split()
    assert [codes.index(code) for code in first] == [c for c in range(52) if state.hands[0] >> c & 1]
    assert "Moves" not in output


@pytest.mark.parametrize(
    ("record", "arguments", "sentence"),
    [
        (None, (), "A deal needs a seed of 32 bytes."),
        (None, ("--seed", SEED.hex(), "--dealer", "5"), "/dealer: "),
        (None, ("--seed", SEED.hex(), "--commitment", "0" * 64), "The commitment is another one."),
        (None, ("/nonexistent/hand.json",), "No such file"),
        ("{", (), "This is no record of a hand"),
    ],
)
def test_whatever_does_not_agree_is_said_in_a_sentence(record, arguments, sentence, verified):
    status, _output, complaint = verified(record, *arguments)
    assert status == 1
    assert sentence in complaint


def test_an_unlawful_move_is_named_by_its_place(verified):
    record, _state = random_record(2)
    tree = json.loads(to_json(record))
    tree["moves"].insert(4, [0, "play", "cups-a"])
    status, output, complaint = verified(json.dumps(tree))
    assert status == 1
    assert complaint.startswith("/moves/4/1: ")
    assert "Moves" not in output


def test_a_record_can_come_through_a_pipe(verified, monkeypatch):
    record, _state = random_record(1)
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(to_json(record).encode())))
    assert verified(None, "-")[0] == 0


def test_a_fourth_game_is_verified_as_soon_as_it_is_known(verified, monkeypatch):
    monkeypatch.setitem(games.GAMES, "highest", highest)
    record = Record("highest", highest.options({"players": 2, "cards": 1}), 0, SEED, ())
    for _ in range(2):
        record = record._replace(moves=(*record.moves, highest.legal_moves(replay(record))[0]))
    status, output, _complaint = verified(record)
    assert status == 0
    assert output.splitlines()[-2] == "Moves: 2, all lawful."
    assert sorted(output.splitlines()[-1].partition("Points: seat ")[2].split(", seat ")) in (
        ["0 0", "1 1"],
        ["0 1", "1 0"],
    )
