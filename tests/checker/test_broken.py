"""The checker turns broken files away, and falls over none."""

import copy
import json

import pytest

from . import check, samples
from .__main__ import main
from .broken import OPEN, broken

JUNK = [None, True, -1, 0, 75.5, 2**63, "", "a", "zz", [], ["a"], {}, {"a": 1}]


@pytest.mark.parametrize("case", broken(), ids=lambda case: case.name)
def test_broken(case):
    outcome = check(case.data)
    assert outcome.exit == case.exit, outcome
    assert outcome.result is None
    assert any(where.startswith(case.prefix) for where in outcome.pointers), outcome
    if case.article:
        assert outcome.article == case.article


def test_names_do_not_repeat():
    names = [case.name for case in broken()]
    assert len(set(names)) == len(names)
    assert set(OPEN) <= set(names)


def test_the_bent_file_itself_is_good():
    assert check(samples.dump(samples.complete())).exit == 0
    assert check(samples.dump(samples.complete()).decode()).exit == 0


def test_every_fault_is_told():
    file = samples.complete()
    file["entries"][0] = 7
    file["lots"][3] = ""
    del file["stages"][0]["heats"][0]["hands"][0]["bid"]
    file["stages"][0]["heats"][0]["hands"][1]["cards~/"] = 1
    assert check(samples.dump(file)).pointers == {
        "/entries/0",
        "/lots/3",
        "/stages/0/heats/0/hands/0",
        "/stages/0/heats/0/hands/1/cards~0~1",
    }


def test_editions_that_would_share_a_column():
    """The A.G.P. columns are named by edition: each number once in a series, and this one's must be known."""
    file = samples.complete()
    file["editions_before"] *= 2
    assert check(samples.dump(file)).pointers == {"/editions_before/1/edition"}
    file["editions_before"][1] = {"edition": 25, "ranking": ["a"], "series": "club"}
    assert check(samples.dump(file)).exit == 0
    file["tournament"]["edition"] = 25
    assert check(samples.dump(file)).pointers == {"/tournament/edition"}
    del file["tournament"]["edition"]
    assert check(samples.dump(file)).pointers == {"/tournament"}
    file["tournament"]["series"] = "friendly"
    assert check(samples.dump(file)).exit == 0


def places(value, where=()):
    """Every path inside a JSON value."""
    yield where
    members = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, member in members:
        yield from places(member, (*where, key))


def test_junk_anywhere_gives_an_outcome():
    """Each place of the complete file, in turn, holds each kind of junk: an outcome every time, never a crash."""
    good = samples.complete()
    exits = {0: 0, 2: 0, 3: 0}
    for path in places(good):
        if not path:
            continue
        for junk in JUNK:
            file = copy.deepcopy(good)
            place = file
            for key in path[:-1]:
                place = place[key]
            place[path[-1]] = junk
            outcome = check(json.dumps(file))
            exits[outcome.exit] += 1
            assert (outcome.result is None) == (outcome.exit != 0)
    assert all(exits.values())


def test_any_truncation_is_a_bad_file():
    data = samples.dump(samples.complete())
    assert {check(data[:size]).exit for size in range(len(data))} == {2}


def test_command_line(tmp_path, capsys):
    """Good files print a line each, others none; the exit code is the highest."""
    good, bad, refused = tmp_path / "good", tmp_path / "bad", tmp_path / "refused"
    good.write_bytes(samples.dump(samples.complete()))
    bad.write_bytes(b"{}")
    file = samples.complete()
    file["tournament"]["rules"]["min_bid"] = 0
    refused.write_bytes(samples.dump(file))
    assert main([str(good), str(good)]) == 0
    assert len(capsys.readouterr().out.splitlines()) == 2
    assert main([str(refused), str(bad), str(good)]) == 3
    told = capsys.readouterr()
    assert len(told.out.splitlines()) == 1
    assert "S12 /tournament/rules/min_bid:" in told.err
    assert main([str(bad), str(tmp_path / "absent")]) == 2
