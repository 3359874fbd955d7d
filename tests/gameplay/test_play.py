"""A person in a terminal: from the deal to the points against bots, told in words, without a database."""

import contextlib
import functools
import itertools
import os
import random
import re
import signal
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

import pytest
from django.core.management import call_command
from django.utils import translation

from core.refusal import Refusal
from gameplay.management.matches import points_of, standing_after
from gameplay.management.playing import Company, LeftError, Round
from gameplay.management.prompting import Choice
from gameplay.management.talking import language_of, say
from gameplay.rules import games
from gameplay.rules.cards import FRENCH, mask
from gameplay.rules.deals import commitment, deal_from
from gameplay.rules.games import game
from gameplay.rules.moves import Move
from gameplay.rules.records import from_json, replay
from scoring.rules.briscola import BriscolaOutcome
from scoring.rules.gin import GinOutcome
from scoring.rules.hands import HandOutcome, Redeal
from tests.gameplay.fourth_game import highest
from tests.gameplay.played import TABLES, random_record
from tournaments.web.sentences import SENTENCES

ROOT = Path(__file__).parents[2]
SEED = "5e" * 32
AN_EASY_PERSON = ("", "p", "1")  # silent or passes where that is possible, else the first move of the list


def environment(data, **more):
    """As a person has it who never started the house: no servers named, and nowhere to have them."""
    names = ("DATABASE_URL", "REDIS_URL", "SECRET_KEY", "DJANGO_SETTINGS_MODULE", "LC_ALL", "LC_MESSAGES")
    kept = {name: value for name, value in os.environ.items() if name not in names}
    return kept | {"GINGODROME_DATA": str(data), "LANG": "C.UTF-8", "PYTHONWARNINGS": "error"} | more


@pytest.fixture
def played(monkeypatch, capsys):
    """Play a game with what a person types, over and over; everything that was printed."""

    def run(*arguments, typed=AN_EASY_PERSON, again=True):
        answers = itertools.cycle(typed) if again else iter(typed)

        def answer(prompt):
            print(prompt)
            try:
                return next(answers)
            except StopIteration:
                raise EOFError from None

        monkeypatch.setattr("builtins.input", answer)
        call_command("play", *arguments, "--language", "en", "--level", "1")
        return capsys.readouterr().out

    return run


def test_the_command_needs_no_house_and_what_it_records_is_verified_twice(tmp_path):
    record = tmp_path / "hand.json"
    done = subprocess.run(
        [sys.executable, "manage.py", "play", "gin", "--seed", SEED, "--record", str(record), "--level", "1"],
        cwd=ROOT,
        env=environment(tmp_path / "house"),
        input="1\n" * 500,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert not (tmp_path / "house").exists()
    before, _prompt, after = done.stdout.partition("Your move > ")
    assert commitment(bytes.fromhex(SEED)) in before
    assert SEED not in before
    assert f"Seed:\n{SEED}\n" in after
    assert "First in the match: " in after
    assert all(len(line) <= 80 for line in done.stdout.splitlines() if not line.startswith("The record is in"))
    for verifier in (["manage.py", "verify_deal"], ["-I", "-S", "tools/verify_deal.py"]):
        checked = subprocess.run(
            [sys.executable, *verifier, str(record), "--commitment", commitment(bytes.fromhex(SEED))],
            cwd=ROOT,
            env=environment(tmp_path / "house"),
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )
        assert (checked.returncode, checked.stderr) == (0, "")
    assert not (tmp_path / "house").exists()


def test_ctrl_c_leaves_the_table_in_the_language_of_the_terminal(tmp_path):
    with subprocess.Popen(
        [sys.executable, "-u", "manage.py", "play", "briscola", "--seed", SEED],
        cwd=ROOT,
        env=environment(tmp_path / "house", LANG="it_IT.UTF-8"),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),  # ignored by what runs in the background
    ) as playing:
        output = ""
        while not output.endswith("> "):
            output += playing.stdout.read(1)
            assert playing.poll() is None, output
        # A signal just before the program waits for a line is not seen until the line is there.
        for _ in range(5):
            time.sleep(0.2)
            playing.send_signal(signal.SIGINT)
            with contextlib.suppress(subprocess.TimeoutExpired):
                playing.wait(timeout=4)
                break
        playing.kill()
        output += playing.stdout.read()
    assert playing.returncode == 0
    assert "denari" in output
    assert SEED in output
    assert "Traceback" not in output


@pytest.mark.parametrize("name", ["gingo", "briscola", "gin"])
def test_a_hand_goes_from_the_deal_to_the_points(name, played, tmp_path):
    file = tmp_path / "hand.json"
    output = played(name, "--hands", "1", "--seed", SEED, "--record", str(file))
    assert output.index(commitment(bytes.fromhex(SEED))) < output.index("Your ") < output.index(SEED)
    record = from_json(file.read_text())
    assert record.seed.hex() == SEED
    outcome = game(name).outcome(replay(record))
    points = points_of(outcome, record.options)
    assert f"Points: you {points[0]}, seat 1 {points[1]}" in output
    assert max(map(len, output.splitlines())) <= 80 or str(tmp_path) in output


def test_a_match_of_briscola_lasts_the_agreed_games(played, tmp_path):
    output = played("briscola", "--option", "games=3", "--watch", "--record", str(tmp_path / "hand.json"))
    assert "First in the match: " in output
    records = [from_json(path.read_text()) for path in sorted(tmp_path.iterdir())]
    counted = [r for r in records if game("briscola").outcome(replay(r)) != Redeal()]
    assert len(counted) == 3
    assert sorted(path.name for path in tmp_path.iterdir())[:2] == ["hand-2.json", "hand-3.json"]
    assert len({record.seed for record in records}) == len(records)


def test_a_match_of_gin_goes_to_its_target(played):
    output = played("gin", "--watch", "--option", "target_score=60", "--seed", SEED)
    totals = [int(n) for n in re.findall(r"(-?\d+)", output.rpartition("The match so far: ")[2].splitlines()[0])]
    assert max(totals[1::2] if len(totals) == 4 else totals) >= 60


def test_the_same_seed_gives_the_same_match(played):
    assert played("gin", "--watch", "--hands", "2", "--seed", SEED) == played(
        "gin", "--watch", "--hands", "2", "--seed", SEED
    )


def test_who_watches_sees_what_everybody_sees(played):
    output = played("gin", "--watch", "--hands", "1", "--seed", SEED)
    assert "It is " not in output  # what was drawn
    assert "deadwood" not in output.partition("knock with")[0]


def test_whatever_is_typed_is_answered_and_asked_again(played):
    output = played("gin", "--seed", SEED, typed=("sing", "99", "?", "", "pass", "q"), again=False)
    assert output.count("That is none of your moves.") == 3
    assert "Melds: three or four of a rank" in output
    assert "With 10 deadwood or less" in output
    assert "you: pass" in output
    assert output.endswith("You leave the table.\n")


def test_a_refusal_is_told_by_its_sentence(played):
    output = played("briscola", "--seed", SEED, typed=("500", "60", "?", "61"), again=False)
    assert output.count("A bid of ") == 2
    assert "(B2)" in output
    assert "you: 61" in output
    assert "a pass is final" in output
    assert "a pass is final" not in played("gingo", "--seed", SEED, typed=("?",), again=False)


def test_the_end_of_input_leaves_the_table_and_the_record_of_what_was_played(played, tmp_path):
    file = tmp_path / "hand.json"
    output = played("gin", "--seed", SEED, "--record", str(file), typed=("1",), again=False)
    assert output.endswith("You leave the table.\n")
    assert SEED in output
    record = from_json(file.read_text())
    assert game("gin").outcome(replay(record)) is None
    assert len(record.moves) == 1 + [move.seat for move in record.moves].index(0)


@pytest.fixture
def screen(monkeypatch, capsys):
    """All that the terminal writes for a viewer (None: who watches) while these moves of a record are made."""

    def shown(record, deal, viewer):
        def made():
            """The move that comes next; the viewer leaves after the last."""
            if len(hand.record.moves) == len(record.moves):
                raise LeftError
            return record.moves[len(hand.record.moves)]

        def typed(prompt):
            print(prompt)
            seat, verb, value, _melds = made()
            if seat != viewer:
                return ""  # silent: another bids, or the auctioneer knocks
            return str(value) if verb == "bid" else f"{verb} {codes[value] if verb in played.CARD_VERBS else ''}"

        played = game(record.game)
        codes = played.DECK.codes
        monkeypatch.setattr("gameplay.management.playing.deal_from", lambda _seed, _deck: deal)
        monkeypatch.setattr(
            "gameplay.management.playing.choose",
            lambda view, _level, _lots: move if (move := made()).seat == view.seat else None,
        )
        with translation.override("en"), contextlib.suppress(LeftError):
            hand = Round(played, record.options, record.dealer, record.seed, Company(viewer, 1, typed))
            hand.play()
        assert hand.record.moves == record.moves
        return capsys.readouterr().out

    return shown


@functools.cache
def worlds(number):
    """A random record and its deal as each viewer may know it: two cards that he does not see lie in each other's place.

    Of a record only the moves that both worlds allow, before one of the two cards is shown to him. For each viewer any
    two cards, and those of a few that stay hidden longest.
    """
    chance = random.Random(number)
    record, _state = random_record(number)
    played = game(record.game)
    deal = deal_from(record.seed, played.DECK)
    begun, chosen = played.new_hand(deal, record.dealer, record.options), []
    for viewer in (None, *range(played.seats(record.options))):
        view = played.view_for(begun, viewer)
        seen = view.hand | mask(getattr(view, "discards", ()))
        unseen, found = [card for card in deal.deck if not seen >> card & 1], []
        for pair in [*(chance.sample(unseen, 2) for _ in range(6)), unseen[-2:]]:  # the last two of a stock stay there
            one, other = pair
            swapped = deal._replace(deck=tuple({one: other, other: one}.get(card, card) for card in deal.deck))
            twin = played.new_hand(swapped, record.dealer, record.options)
            if twin != begun:  # they were not in one hand
                moves = tuple(hidden(played, record.moves, (begun, twin), viewer, mask(pair)))
                found.append((viewer, record._replace(moves=moves), deal, swapped))
        chosen += [found[0], max(found, key=lambda world: len(world[1].moves))]
    return chosen


def hidden(played, moves, states, viewer, pair):
    """The first of these moves, up to one that is not lawful in both states or shows the viewer a card of the pair."""
    for move in moves:
        if move.verb in ("play", "discard") and pair >> move.value & 1:
            return
        if played.NAME == "gin" and move.verb in ("knock", "big_gin"):  # hands are shown, and laid out against others
            seats = range(len(states[0].hands))
            if any(played.view_for(state, seat).hand & pair for state in states for seat in seats):
                return
        try:
            states = [played.apply(state, move) for state in states]
        except Refusal:  # a call at Gingo: it tells one world from the other
            return
        if any(played.view_for(state, viewer).hand & pair for state in states):  # drawn
            return
        yield move


@pytest.mark.parametrize("number", range(len(TABLES)))
def test_the_screen_is_the_same_in_two_worlds_that_differ_in_cards_of_others(number, screen):
    for viewer, record, deal, other in worlds(number):
        assert screen(record, deal, viewer) == screen(record, other, viewer), viewer


def test_these_screens_are_of_every_phase_of_a_hand():
    found = Counter(
        (record.game, move.verb)
        for number in range(len(TABLES))
        for _viewer, record, _deal, _other in worlds(number)
        for move in record.moves
    )
    verbs = {
        "gingo": ("bid", "knock", "call", "play"),
        "briscola": ("bid", "pass", "call", "play"),
        "gin": ("take", "pass", "draw", "pick", "discard", "knock", "lay"),
    }
    for name, each in verbs.items():
        assert min(found[name, verb] for verb in each) >= 4, (name, found)


@pytest.mark.parametrize("first", [0, 2, 4], ids=["gingo", "briscola", "gin"])
def test_a_screen_that_shows_the_cards_of_another_is_noticed(first, screen, monkeypatch):
    own = Round._view

    def leaking(self):
        return own(self)._replace(hand=self._game.view_for(self._state, 1).hand)

    monkeypatch.setattr(Round, "_view", leaking)
    found = itertools.chain(*map(worlds, range(first, 4 * len(TABLES), len(TABLES))))
    assert any(screen(record, deal, viewer) != screen(record, other, viewer) for viewer, record, deal, other in found)


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("gin", "--players", "7"), "players"),
        (("gingo", "--players", "3"), "players"),
        (("gin", "--option", "colour=red"), "colour"),
        (("gin", "--option", "stock_end=never"), "stock_end"),
        (("gin", "--seed", "5e"), "32 bytes"),
        (("gin", "--watch", "--hands", "1", "--record", "/nonexistent/hand.json"), "No such file"),
    ],
)
def test_what_cannot_be_played_is_said_in_a_sentence(arguments, sentence, capsys):
    with pytest.raises(SystemExit) as ended:
        call_command("play", *arguments, "--language", "en", "--level", "1")
    assert ended.value.code == 1
    assert sentence in capsys.readouterr().err


def test_a_game_that_is_only_rules_is_not_shown_here(monkeypatch):
    monkeypatch.setitem(games.GAMES, "highest", highest)
    with pytest.raises(Refusal) as caught:
        Round(highest, highest.options({}), 0, bytes(32), Company(None, 1, input))
    assert caught.value.code == "no_table"


def test_cards_are_typed_as_their_code_as_they_are_shown_or_by_their_number():
    with translation.override("en"):
        gin = game("gin")
        king, ten = FRENCH.number("hearts-k"), FRENCH.number("clubs-10")
        discard, other, knock = Move(0, "discard", king), Move(0, "discard", ten), Move(0, "knock", ten)
        choice = Choice(0, (discard, other, knock), gin)
        assert list(choice.lines()) == ["  discard  [1]\xa0K♥  [2]\xa010♣", "  knock    [3]\xa010♣"]
        for text in ("1", "K♥", "k♥", "hearts-k", " Hearts-K "):
            assert choice.meant(text) == discard
        assert choice.meant("3") == knock
        assert choice.meant("10♣") == other
        assert choice.meant("knock 10♣") == choice.meant("knock clubs-10") == knock
        assert choice.meant("spades-a") == Move(0, "discard", 0)  # not held, as the rules will say
        for text in ("", "4", "0", "-1", "1.0", "discard", "sing", "10"):
            assert choice.meant(text) is None, text


def test_a_bid_is_typed_as_it_is():
    with translation.override("en"):
        bids = tuple(Move(2, "bid", bid) for bid in range(70, 121))
        choice = Choice(2, (Move(2, "pass"), *bids), game("briscola"))
        assert list(choice.lines()) == ["  a bid from 70 to 120", "  pass  [p]"]
        assert choice.meant("82") == Move(2, "bid", 82)
        assert choice.meant("999") == Move(2, "bid", 999)
        assert choice.meant("p") == choice.meant("pass") == Move(2, "pass")
        assert choice.meant("cups-k") is choice.meant("9" * 5000) is None


def test_points_and_the_next_dealer():
    gingo, briscola, gin = (game(name).options({}) for name in ("gingo", "briscola", "gin"))
    assert points_of(Redeal(), gingo) is None
    assert points_of(HandOutcome(0, 1, 80, 90), gingo) == (80, 80, 0, 0, 0)
    assert points_of((1, 2), None) == (1, 2)
    hands = (Redeal(), HandOutcome(0, 1, 80, 90), HandOutcome(0, 0, 80, 90))
    assert standing_after(hands, gingo, 5, 4) == ((240, 80, 0, 0, 0), 1, 2, ())
    won = BriscolaOutcome(0, 1, 80, 90, 5)
    assert standing_after([Redeal(), won], briscola, 5, 4) == ((2, 1, 0, 0, 0), 0, 1, ())
    assert standing_after([won] * 5, briscola, 5, 4) == ((10, 5, 0, 0, 0), 4, 5, (0,))
    void, knock = GinOutcome("void", None, (3, 4)), GinOutcome("knock", 1, (30, 4))
    assert standing_after([void], gin, 2, 1) == ((0, 0), 1, 0, ())
    assert standing_after([void, knock], gin, 2, 1) == ((-26, 26), 0, 1, (1,))


@pytest.mark.parametrize(
    ("environ", "language"),
    [
        ({}, "en"),
        ({"LANG": "C"}, "en"),
        ({"LANG": "it_IT.UTF-8"}, "it"),
        ({"LANG": "it_IT.UTF-8", "LC_ALL": "tr_TR.UTF-8"}, "tr"),
        ({"LANG": "it_IT.UTF-8", "LC_ALL": "", "LC_MESSAGES": "de_DE"}, "en"),
    ],
)
def test_the_language_is_that_of_the_terminal(environ, language):
    assert language_of(environ) == language


def test_nothing_that_is_said_steers_the_terminal(capsys):
    say("\x1b[31mred\u202e" + " x" * 60)
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("\\u001b[31mred\\u202e x")
    assert all(len(line) <= 80 for line in lines)


def test_every_refusal_of_the_cards_has_its_sentence():
    found = set()
    for folder in ("gameplay/rules", "gameplay/management", "scoring/rules"):
        for path in (ROOT / folder).rglob("*.py"):
            found |= set(re.findall(r'Refusal\(\s*"(\w+)"', path.read_text()))
    assert len(found) > 30
    assert not found - set(SENTENCES)


def test_who_gets_up_raises_nothing_else():
    def ask(_prompt):
        raise EOFError

    with translation.override("en"), pytest.raises(LeftError):
        Round(game("gin"), game("gin").options({}), 1, bytes(32), Company(0, 1, ask)).play()
