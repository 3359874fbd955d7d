"""A hand is checked twice: by our rules, and by one file that shares no line with them."""

import json
import random
import subprocess
import sys
from pathlib import Path

import pytest

from core.refusal import Refusal
from gameplay.rules.cards import mask
from gameplay.rules.deals import commitment, deal_from
from gameplay.rules.games import game
from gameplay.rules.records import Record, from_json, replay, to_json
from tests.gameplay.played import TABLES, random_record
from tools import verify_deal

ALONE = Path(verify_deal.__file__)
HANDS = range(6 * len(TABLES))


def alone(*arguments):
    """The file run by a Python that has no packages and no path of ours: exit status, output, complaint."""
    done = subprocess.run(
        [sys.executable, "-I", "-S", "-W", "error", ALONE, *arguments],
        cwd="/",
        capture_output=True,
        text=True,
        timeout=30,
        check=False,
    )
    return done.returncode, done.stdout, done.stderr


@pytest.fixture
def checked(monkeypatch, tmp_path, capsys):
    """The same file, run in this process: what it printed, or the sentence of what is wrong."""

    def run(text, *arguments):
        (tmp_path / "record.json").write_text(text)
        monkeypatch.setattr(sys, "argv", ["verify_deal.py", str(tmp_path / "record.json"), *arguments])
        try:
            verify_deal.main()
        except verify_deal.Wrong as wrong:
            capsys.readouterr()
            return str(wrong)
        return capsys.readouterr().out

    return run


def hands_dealt(record):
    """Each seat's cards, as our rules deal them."""
    played = game(record.game)
    state = played.new_hand(deal_from(record.seed, played.DECK), record.dealer, record.options)
    return [played.view_for(state, seat).hand for seat in range(played.seats(record.options))]


def hands_printed(output, name):
    deck = game(name).DECK
    lines = [line.partition(": ")[2].split() for line in output.splitlines() if line.startswith("seat ")]
    return [mask(map(deck.number, line)) for line in lines]


@pytest.mark.parametrize("number", HANDS)
def test_both_deal_the_same_cards_and_follow_every_hand(number, checked):
    record, _state = random_record(number)
    output = checked(to_json(record), "--commitment", commitment(record.seed))
    assert output.startswith(f"commitment {commitment(record.seed)}\n")
    assert hands_printed(output, record.game) == hands_dealt(record)
    assert output.endswith(f"{len(record.moves)} moves: every card was held by who played it\n")


def test_some_of_these_hands_deal_the_discards_again():
    longest = max(
        (random_record(number)[1] for number in HANDS if TABLES[number % len(TABLES)][0] == "gin"), key=shuffles
    )
    assert shuffles(longest) > 1


def shuffles(state):
    return state.table.shuffles


def forged(record, chance):
    """Papers that are not what was played, by what was done to them; the seed of the last is of another deal."""
    tree = json.loads(to_json(record))
    moves = tree["moves"]
    cards = [at for at, (_seat, verb, *_) in enumerate(moves) if verb in ("play", "discard")]
    at = chance.choice(cards)
    seat, verb, card = moves[at]
    hand, codes = hand_before(record, at, seat), game(record.game).DECK.codes
    elsewhere = chance.choice([code for number, code in enumerate(codes) if not hand >> number & 1])
    other_seed = chance.randbytes(32)
    yield "seed", {**tree, "seed": other_seed.hex()}
    yield "commitment", {**tree, "commitment": commitment(other_seed)}
    yield "card", {**tree, "moves": [*moves[:at], [seat, verb, elsewhere], *moves[at + 1 :]]}
    yield (
        "seat",
        {**tree, "moves": [*moves[:at], [(seat + 1) % len(hands_dealt(record)), verb, card], *moves[at + 1 :]]},
    )
    yield "twice", {**tree, "moves": [*moves[: at + 1], *moves[at:]]}
    if at + 1 < len(moves):
        yield "missing", {**tree, "moves": moves[:at] + moves[at + 1 :]}
    for what, wrong in (out_of_place_at_gin if record.game == "gin" else out_of_place_in_tricks)(tree, moves):
        yield what, {**tree, "moves": wrong}
    yield "deal", {**tree, "seed": other_seed.hex(), "commitment": commitment(other_seed)}


def out_of_place_at_gin(tree, moves):
    """Moves that cannot be where they are put, by seats whose turn it is."""
    players, verbs = tree["options"]["players"], [verb for _seat, verb, *_ in moves]

    def round_of(verb, first):
        return [[(first + seat) % players, verb] for seat in range(players)]

    at = max(at for at, verb in enumerate(verbs) if verb in ("draw", "pick"))  # after a discard, in a longer hand
    seat = moves[at][0]
    for verb in ("pass", "dance", "lay", "take", "bid"):
        yield f"a round of {verb}", moves[:at] + round_of(verb, seat) + moves[at:]
    yield "a card more", [*moves[: at + 1], [seat, "draw"], *moves[at + 1 :]]
    yield "after big gin", [*moves[: at + 1], [seat, "big_gin"], [(seat + 1) % players, "draw"]]
    first = (tree["dealer"] + 1) % players
    yield "two rounds of passes", round_of("pass", first) + round_of("pass", first) + moves
    if verbs[-1] in ("knock", "lay"):
        following = (moves[-1][0] + 1) % players
        yield "the knocker lays off", moves + round_of("lay", following)
        yield "after the end", [*moves, [following, "draw"]]


def out_of_place_in_tricks(_tree, moves):
    called = [verb for _seat, verb, *_ in moves].index("call")
    seat, _verb, card = moves[called]
    suit, last = card.partition("-")[0], len(moves) - 4  # the thirty-sixth card has fallen
    for other in {"coins", "cups", "swords", "batons"} - {suit}:
        yield "another trump", [*moves[:last], [seat, "call", f"{other}-a"], *moves[last:]]
    for what, wrong in (("no card", [seat, "call", f"{suit}-8"]), ("nobody", [7, "call", card])):
        yield f"{what} in the call", [*moves[:called], wrong, *moves[called + 1 :]]
    for verb in ("bid", "knock", "pass", "dance"):
        yield f"{verb} during play", [*moves[:last], [seat, verb], *moves[last:]]
    yield "bid after the end", [*moves, [seat, "bid", 120]]
    yield "dance in the auction", [[seat, "dance"], *moves]


def hand_before(record, at, seat):
    return game(record.game).view_for(replay(record._replace(moves=record.moves[:at])), seat).hand


@pytest.mark.parametrize("number", HANDS[: 3 * len(TABLES)])
def test_both_find_whatever_was_forged(number, checked):
    record, _state = random_record(number)
    chance = random.Random(number)
    if not any(move.verb in ("play", "discard") for move in record.moves):
        return  # nobody bid, or the first card was enough
    for what, tree in forged(record, chance):
        found = checked(json.dumps(tree))
        assert found.startswith("Another commitment" if what in ("seed", "commitment") else "Move "), what
        with pytest.raises(Refusal) as caught:
            replay(from_json(json.dumps(tree)))
        if what in ("seed", "commitment"):
            assert caught.value.code == "bad_commitment"
        else:
            assert caught.value.pointer.startswith("/moves/")
    assert checked(json.dumps(tree), "--commitment", commitment(record.seed)).startswith("Another commitment")


def test_an_option_that_is_missing_has_its_default(checked):
    """As `from_json` reads it."""
    record, _state = random_record(4)
    tree = json.loads(to_json(record))
    text = json.dumps({**tree, "options": {}})
    assert replay(from_json(text)) == replay(record)
    assert checked(text) == checked(to_json(record))


def test_it_runs_alone(tmp_path):
    file = tmp_path / "record.json"
    for number in range(len(TABLES)):
        record, _state = random_record(number)
        file.write_text(to_json(record))
        status, output, complaint = alone(str(file), "--commitment", commitment(record.seed).upper())
        assert (status, complaint) == (0, "")
        assert hands_printed(output, record.game) == hands_dealt(record)
        status, _output, complaint = alone(str(file), "--commitment", "0" * 64)
        assert (status, complaint) == (1, "Another commitment was published: this is another deal.\n")


@pytest.mark.parametrize(
    ("name", "given", "dealer"), [("gingo", {}, 4), ("briscola", {}, 0), ("gin", {"players": 3}, 2)]
)
def test_without_a_record_it_shows_the_deal_of_a_seed(name, given, dealer):
    seed = bytes(range(32))
    players = ["--players", "3"] if given else []
    asked = ("--seed", seed.hex(), "--game", name, "--dealer", str(dealer), *players)
    status, output, complaint = alone(*asked, "--commitment", commitment(seed))
    assert (status, complaint) == (0, "")
    record = Record(name, game(name).options(given), dealer, seed, ())
    assert hands_printed(output, name) == hands_dealt(record)
    if name == "gin":
        (upcard,) = game(name).view_for(replay(record), None).discards
        assert f"\nface up: {game(name).DECK.codes[upcard]}\n" in output
    assert alone(*asked, "--commitment", "0" * 64)[0] == 1


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "This is no record that can be followed: "),
        ("[1]", "This is no record that can be followed: "),
        ('{"game": "poker", "dealer": 0, "moves": []}', "This program knows gingo, briscola, gin."),
        ('{"game": "gin", "dealer": 9, "moves": [], "options": {"players": 2}}', "There is no such seat."),
        ('{"game": "gingo", "dealer": 0, "moves": [], "seed": "ab"}', "A seed has 64 hexadecimal digits."),
        ('{"game": "gingo", "dealer": 0, "moves": [], "seed": "xy"}', "This is no record that can be followed: "),
    ],
)
def test_whatever_cannot_be_followed_is_said_in_a_sentence(text, sentence, tmp_path):
    (tmp_path / "record.json").write_text(text)
    status, _output, complaint = alone(str(tmp_path / "record.json"))
    assert status == 1
    assert complaint.startswith(sentence)
    assert "Traceback" not in complaint
    assert alone(str(tmp_path / "none.json"))[0] == 1


def test_it_is_short_and_needs_nothing():
    lines = ALONE.read_text().splitlines()
    assert len(lines) < 150
    imported = [line for line in lines if line.startswith(("import ", "from "))]
    assert imported == ["import argparse", "import hashlib", "import json", "import sys"]
