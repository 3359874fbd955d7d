"""A hand on paper: what is written is read again, and whatever else is written is refused with a place in it."""

import contextlib
import copy
import json
import random

import pytest

from core.refusal import Refusal
from gameplay.rules import gin
from gameplay.rules.deals import commitment, deal_from
from gameplay.rules.games import GAMES, game
from gameplay.rules.moves import Move
from gameplay.rules.records import FORMAT, Record, from_json, replay, seed_from, to_json
from tests.gameplay.played import TABLES, random_record

SEED = bytes(range(32))
HANDS = range(8 * len(TABLES))


def refused(act, *arguments):
    with pytest.raises(Refusal) as caught:
        act(*arguments)
    return caught.value.code, caught.value.pointer


def paper(**changes):
    """A record of a briscola hand that has just begun, with these changes, as text; None takes a key away."""
    record = Record("briscola", game("briscola").options({}), 0, SEED, (Move(1, "bid", 70), Move(2, "pass")))
    tree = json.loads(to_json(record)) | changes
    return json.dumps({key: value for key, value in tree.items() if value is not None})


def test_the_games_are_known_by_their_names():
    assert sorted(GAMES) == ["briscola", "gin", "gingo"]
    for name in ("poker", None, 3, ["gin"]):
        assert refused(game, name) == ("game_unknown", "")


@pytest.mark.parametrize("number", HANDS)
def test_a_hand_is_its_seed_and_its_moves(number):
    record, state = random_record(number)
    again = from_json(to_json(record))
    assert again == record
    assert replay(again) == state
    assert game(record.game).outcome(state) is not None


def test_a_person_can_read_it():
    options = game("gin").options({})
    moves = (Move(1, "pass"), Move(0, "take"), Move(0, "knock", 51, (0b111, 0b11100000)))
    assert to_json(Record("gin", options, 0, SEED, moves)).splitlines() == [
        "{",
        ' "format": "gingodrome/hand/1",',
        ' "game": "gin",',
        ' "options": {',
        '  "players": 2,',
        '  "knock_limit": 10,',
        '  "may_return_upcard": false,',
        '  "stock_end": "recycle",',
        '  "turn_cap": 200,',
        '  "undercut_bonus": 20,',
        '  "gin_bonus": 25,',
        '  "big_gin_bonus": null,',
        '  "target_score": null',
        " },",
        ' "dealer": 0,',
        f' "seed": "{SEED.hex()}",',
        f' "commitment": "{commitment(SEED)}",',
        ' "moves": [',
        '  [1, "pass"],',
        '  [0, "take"],',
        '  [0, "knock", "hearts-k", [["spades-a", "spades-2", "spades-3"], ["spades-6", "spades-7", "spades-8"]]]',
        " ]",
        "}",
    ]
    assert json.loads(to_json(Record("gin", options, 0, SEED, ())))["moves"] == []


def test_the_cards_that_a_player_lays_off_himself_are_written_as_cards():
    move = Move(1, "lay", 1 << 51 | 1, (0b1110,))
    text = to_json(Record("gin", game("gin").options({}), 0, SEED, (move,)))
    assert '[1, "lay", ["spades-a", "hearts-k"], [["spades-2", "spades-3", "spades-4"]]]' in text
    assert from_json(text).moves == (move,)
    only_melds = Move(1, "lay", 0, (0b1110,))
    text = to_json(Record("gin", game("gin").options({}), 0, SEED, (only_melds,)))
    assert '[1, "lay", [], [["spades-2", "spades-3", "spades-4"]]]' in text
    assert from_json(text).moves == (only_melds,)


def test_what_goes_with_a_verb_is_for_each_game_to_say():
    """A verb of one game that takes cards can take a number in another."""
    assert from_json(paper(moves=[[0, "lay", 5]])).moves == (Move(0, "lay", 5),)


def test_an_option_that_is_missing_has_its_default():
    assert from_json(paper(options={"games": 3})).options == game("briscola").options({"games": 3})


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("", ("record_malformed", "")),
        ("[]", ("record_malformed", "")),
        (b"\xff\xfe{", ("record_malformed", "")),
        (None, ("record_malformed", "")),
        (7, ("record_malformed", "")),
        (["{}"], ("record_malformed", "")),
        (memoryview(b"{}"), ("record_malformed", "")),
        ('{"seed": 1, "seed": 2}', ("record_malformed", "")),
        ("[" * 100_000, ("record_malformed", "")),
        ('{"dealer": ' + "9" * 5000 + "}", ("record_malformed", "")),
        (paper(format="gingodrome/hand/2"), ("record_malformed", "/format")),
        (paper(seed=None), ("missing", "")),
        (paper(extra=1), ("unexpected", "")),
        (paper(game="poker"), ("game_unknown", "/game")),
        (paper(game=7), ("game_unknown", "/game")),
        (paper(options=[]), ("wrong_type", "/options")),
        (paper(options={"games": "5"}), ("rule_wrong_type", "/options/games")),
        (paper(options={"knock_limit": 3}), ("unexpected", "/options")),
        (paper(dealer="0"), ("wrong_type", "/dealer")),
        (paper(dealer=True), ("wrong_type", "/dealer")),
        (paper(seed=5), ("bad_seed", "/seed")),
        (paper(seed="ab" * 31), ("bad_seed", "/seed")),
        (paper(seed="AB" * 32), ("bad_seed", "/seed")),
        (paper(seed="0" * 64), ("bad_commitment", "/commitment")),
        (paper(commitment=7), ("bad_commitment", "/commitment")),
        (paper(moves={}), ("wrong_type", "/moves")),
        (paper(moves=[{}]), ("wrong_type", "/moves/0")),
        (paper(moves=[[0, "pass"], [0]]), ("move_malformed", "/moves/1")),
        (paper(moves=[[0, "bid", 1, [], []]]), ("move_malformed", "/moves/0")),
        (paper(moves=[["0", "bid", 61]]), ("wrong_type", "/moves/0/0")),
        (paper(moves=[[0, 1]]), ("wrong_type", "/moves/0/1")),
        (paper(moves=[[0, "\x1b[31m"]]), ("move_malformed", "/moves/0/1")),
        (paper(moves=[[0, "bid", "61"]]), ("wrong_type", "/moves/0/2")),
        (paper(moves=[[0, "bid", 61.0]]), ("wrong_type", "/moves/0/2")),
        (paper(moves=[[0, "play"]]), ("no_such_card", "/moves/0/2")),
        (paper(moves=[[0, "play", "hearts-a"]]), ("no_such_card", "/moves/0/2")),
        (paper(moves=[[0, "play", ["cups-a"]]]), ("no_such_card", "/moves/0/2")),
        (paper(moves=[[0, "lay", ["cups-a"]]]), ("wrong_type", "/moves/0/2")),
        (paper(game="gin", options={}, moves=[[0, "lay", 5]]), ("wrong_type", "/moves/0/2")),
        (paper(game="gin", options={}, moves=[[0, "lay", ["clubs-a", "cups-b"]]]), ("no_such_card", "/moves/0/2/1")),
        (paper(moves=[[0, "bid", 61, 5]]), ("wrong_type", "/moves/0/3")),
        (paper(moves=[[0, "bid", 61, ["cups-a"]]]), ("wrong_type", "/moves/0/3/0")),
        (paper(moves=[[0, "bid", 61, [["cups-a", 3]]]]), ("no_such_card", "/moves/0/3/0/1")),
        (paper(moves=[[0, "bid", 61, [[], ["cups-a", "cups-a"]]]]), ("double", "/moves/0/3/1/1")),
    ],
)
def test_whatever_is_no_record_is_refused_where_it_is_none(text, found):
    assert refused(from_json, text) == found


def test_a_seed_is_64_digits():
    assert seed_from("ab" * 32) == b"\xab" * 32
    for text in (None, "", " ".join(["ab"] * 32), "g" * 64):
        assert refused(seed_from, text) == ("bad_seed", "/seed")


def test_a_move_that_was_not_lawful_is_refused_at_its_number_and_its_item():
    begun = from_json(paper())
    for move, found in (
        (Move(4, "bid", 99), ("not_your_turn", "/moves/2/0")),
        (Move(3, "sing"), ("wrong_phase", "/moves/2/1")),
        (Move(3, "bid", 70), ("bid_too_low", "/moves/2/2")),
        (Move(3, "pass", 0, (1,)), ("move_malformed", "/moves/2/3")),
        ("pass", ("move_malformed", "/moves/2")),
    ):
        assert refused(replay, begun._replace(moves=(*begun.moves, move))) == found
    assert refused(replay, begun._replace(dealer=5)) == ("bad_dealer", "/dealer")
    assert refused(replay, begun._replace(seed=b"short")) == ("bad_seed", "/seed")


def test_a_hand_that_is_not_over_replays_to_where_it_is():
    begun = from_json(paper())
    assert game("briscola").outcome(replay(begun)) is None
    assert replay(begun).turn == 3


def test_melds_that_a_player_laid_out_himself_are_in_the_record():
    """The first knock of a hand in which the knocker has any melds, put down by hand."""
    options = gin.options({"knock_limit": 30})
    for number in range(400):
        seed = number.to_bytes(32, "big")
        moves = [Move(1, "take")]
        state = gin.apply(gin.new_hand(deal_from(seed, gin.DECK), 0, options), moves[0])
        for knock in (move for move in gin.legal_moves(state) if move.verb == "knock"):
            down = gin.view_for(gin.apply(state, knock), None)
            if down.phase == "lay" and len(down.melds) > 1:
                byhand = knock._replace(melds=down.melds[::-1])
                record = Record("gin", options, 0, seed, (*moves, byhand, Move(0, "lay")))
                assert from_json(to_json(record)) == record
                assert gin.view_for(replay(record), None).melds == down.melds[::-1]
                return
    raise AssertionError("nobody could knock")


VALUES = (None, True, 0, -1, 7, 10**30, 0.5, "", "cups-a", "play", "\ud800", [], [[]], {}, {"a": []}, FORMAT, "0" * 64)


def test_no_text_makes_anything_but_a_record_or_a_refusal():
    """Parts of real records are exchanged for values of every kind, or dropped, or their letters are."""
    chance = random.Random(6)
    originals = [json.loads(to_json(random_record(number)[0])) for number in range(len(TABLES))]
    read = 0
    for _ in range(3000):
        tree = copy.deepcopy(chance.choice(originals))
        tree["moves"] = tree["moves"][: chance.randrange(12)]
        place = tree
        while True:
            key = chance.choice(list(place)) if isinstance(place, dict) else chance.randrange(len(place))
            if not isinstance(place[key], (dict, list)) or not place[key] or chance.random() < 0.3:
                break
            place = place[key]
        if chance.random() < 0.2:
            del place[key]
        else:
            place[key] = copy.deepcopy(chance.choice(VALUES))
        text = json.dumps(tree)
        if chance.random() < 0.2:
            at = chance.randrange(len(text))
            text = text[:at] + chance.choice('"{}[],:0e-\\ux\0') + text[at + 1 :]
        with contextlib.suppress(Refusal):
            record = from_json(text)
            assert from_json(to_json(record)) == record
            read += 1
            replay(record)
    assert read > 100
