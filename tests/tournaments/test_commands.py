"""The two commands as a federation uses them: on files, on standard input, without a database."""

import json
import os
import subprocess
import sys

import pytest

from tests.checker import check
from tests.tournaments.files import by_place, stage, tournament_file

NOWHERE = {
    "DATABASE_URL": "postgresql://nobody:x@/none?host=/nonexistent",
    "REDIS_URL": "unix:///nonexistent/valkey.sock",
}


def manage(*arguments, stdin=b""):
    return subprocess.run(
        [sys.executable, "-m", "django", *arguments],
        input=stdin,
        capture_output=True,
        env={**os.environ, **NOWHERE, "DJANGO_SETTINGS_MODULE": "config.settings", "PYTHONWARNINGS": "error"},
        timeout=60,
        check=False,
    )


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    folder = tmp_path_factory.mktemp("files")
    good = tournament_file(stage(by_place("A", "abcde"), by_place("B", "vwxyz", step=60)))
    refused = {**good, "withdrawals": [{"player": "z", "from": "final"}]}
    (folder / "good.json").write_text(json.dumps(good))
    (folder / "refused.json").write_text(json.dumps(refused))
    (folder / "broken.json").write_text(json.dumps(good)[:-9])
    return folder


def test_one_result_a_line_in_order_and_the_highest_exit_code(files):
    names = [str(files / name) for name in ("good.json", "refused.json", "missing.json", "good.json", "broken.json")]
    done = manage("replay_tournament", *names)
    assert done.returncode == 3
    lines = done.stdout.splitlines()
    assert len(lines) == 2
    assert lines[0] == lines[1]
    assert json.loads(lines[0]) == check((files / "good.json").read_bytes()).result
    told = done.stderr.decode()
    assert "Traceback" not in told
    assert f"{names[1]}:\nnot_qualified S8 /withdrawals/0/player: " in told
    assert f"{names[2]}:\nunreadable - /: " in told
    assert f"{names[4]}:\nnot_json - /: " in told


def test_a_bad_file_exits_with_2_and_prints_nothing(files):
    done = manage("replay_tournament", str(files / "broken.json"))
    assert (done.returncode, done.stdout) == (2, b"")
    assert done.stderr.decode().startswith("not_json - /: ")


def test_standard_input_and_the_language_of_the_sentences(files):
    data = (files / "refused.json").read_bytes()
    said = {language: manage("replay_tournament", "-", "--language", language, stdin=data) for language in ("it", "en")}
    assert {done.returncode for done in said.values()} == {3}
    assert said["it"].stderr != said["en"].stderr
    assert manage("replay_tournament", "-", stdin=(files / "good.json").read_bytes()).returncode == 0


def test_names_cannot_forge_a_line_or_colour_a_terminal(files):
    good = json.loads((files / "good.json").read_text())
    evil = "evil\x1b[31m\nnot_json S8 /: forged\u2028"
    good["withdrawals"] = [{"player": evil, "from": "final"}]
    good["players"].append({"id": evil, "name": "x"})
    told = manage("replay_tournament", "-", stdin=json.dumps(good).encode()).stderr.decode()
    assert told.count("\n") == 1
    assert "\x1b" not in told
    assert "evil\\u001b[31m\\u000anot_json" in told


def test_a_reader_who_leaves_or_a_full_disk_makes_no_traceback(files):
    words = [sys.executable, "-m", "django", "replay_tournament", str(files / "good.json")]
    env = {**os.environ, **NOWHERE, "DJANGO_SETTINGS_MODULE": "config.settings"}
    read, write = os.pipe()
    os.close(read)
    gone = subprocess.run(words, stdout=write, stderr=subprocess.PIPE, env=env, timeout=60, check=False)
    os.close(write)
    assert (gone.returncode, gone.stderr) == (141, b"")
    with open("/dev/full", "wb") as full:
        done = subprocess.run(words, stdout=full, stderr=subprocess.PIPE, env=env, timeout=60, check=False)
    assert done.returncode == 1
    assert b"Traceback" not in done.stderr
    assert done.stderr.startswith(b"The result cannot be written: ")


def test_the_output_is_utf8_whatever_the_terminal(files):
    env = {**os.environ, **NOWHERE, "DJANGO_SETTINGS_MODULE": "config.settings", "PYTHONIOENCODING": "ascii"}
    words = [sys.executable, "-m", "django", "generate_tournament", "--seed", "1", "--heats", "4"]
    done = subprocess.run(words, capture_output=True, env=env, timeout=60, check=True)
    assert any(ord(letter) > 127 for letter in done.stdout.decode())


def test_standard_input_named_twice_is_read_once(files):
    done = manage("replay_tournament", "-", "-", stdin=(files / "good.json").read_bytes())
    first, second = done.stdout.splitlines()
    assert first == second


def test_the_generator_prints_the_same_valid_file_for_the_same_numbers(files):
    first, second = (manage("generate_tournament", "--seed", "7", "--heats", "6") for _ in range(2))
    assert first.returncode == 0
    assert first.stdout == second.stdout
    assert manage("generate_tournament", "--seed", "8", "--heats", "6").stdout != first.stdout
    replayed = manage("replay_tournament", "-", stdin=first.stdout)
    assert json.loads(replayed.stdout) == check(first.stdout).result


def test_the_generator_asks_for_a_heat_at_least():
    done = manage("generate_tournament", "--seed", "7", "--heats", "0")
    assert done.returncode == 2
    assert b"Traceback" not in done.stderr
