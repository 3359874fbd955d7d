"""Broken files are turned away with an exit code, a place and a sentence, never with a traceback."""

import json

import pytest
from django.utils import translation

from tests.checker.broken import broken
from tests.tournaments.files import by_place, hands_heat, outcome, stage, tournament_file
from tournaments.web.sentences import SENTENCES, sentence_for

# The format leaves room here, and this is how we read it: a byte order mark is what some editors write and harms
# nothing; an unlawful word in the rules is a rule value out of range (3).
OUR_READING = {"byte order mark": 0}


@pytest.mark.parametrize("case", broken(), ids=lambda case: case.name)
def test_broken_file(case):
    code, found = outcome(case.data)
    assert code == OUR_READING.get(case.name, case.exit), found
    if code == 0:
        return
    faults = found if code == 2 else (found,)
    assert any(fault.pointer.startswith(case.prefix) for fault in faults), faults
    if code == 3:
        assert found.article
    for language in ("it", "tr", "en"):
        with translation.override(language):
            for fault in faults:
                sentence = sentence_for(fault)
                assert sentence.endswith(".")
                assert "%(" not in sentence


def faults_of(data):
    code, faults = outcome(data if isinstance(data, bytes) else json.dumps(data).encode())
    assert code == 2
    return {(fault.code, fault.pointer) for fault in faults}


def test_every_fault_is_told_with_its_place():
    file = tournament_file(stage(hands_heat("A", "abcde", [{"caller": "a", "bid": 75.0, "made": True, "x": 1}])))
    file["tournament"]["date"] = "2007-02-30"
    file["extra/~"] = 1
    assert faults_of(file) == {
        ("wrong_date", "/tournament/date"),
        ("unexpected", "/extra~1~0"),
        ("missing", "/stages/0/heats/0/hands/0"),
        ("wrong_type", "/stages/0/heats/0/hands/0/bid"),
        ("wrong_type", "/stages/0/heats/0/hands/0/made"),
        ("unexpected", "/stages/0/heats/0/hands/0/x"),
    }


def test_every_stranger_and_double_is_told_with_its_place():
    file = tournament_file(stage(by_place("A", "abcde"), by_place("A", "abxyz")), lots=["a", "a", "nobody"])
    file["players"] += [{"id": "a", "name": "again"}]
    file["entries"] = ["who"]
    file["editions_before"] = [{"edition": 26, "ranking": ["q", "q"]}]
    assert faults_of(file) == {
        ("double", "/players/8/id"),
        ("stranger", "/entries/0"),
        ("double", "/lots/1"),
        ("stranger", "/lots/2"),
        ("double", "/editions_before/0/ranking/1"),
        ("double", "/tournament/edition"),
        ("double", "/stages/0/heats/1/name"),
        ("double", "/stages/0/heats/1/seats/0"),
        ("double", "/stages/0/heats/1/seats/1"),
    }


def test_faults_of_the_text_and_of_the_shape_are_told_together():
    text = json.dumps(tournament_file(stage(by_place("A", "abcde")))).replace('"version": 1', '"version": 2')
    text = text.replace('"edition": 26', '"edition": NaN').replace('"hands_played": 20', '"hands_played": 1e999')
    assert faults_of(text.encode()) == {
        ("wrong_value", "/version"),
        ("not_a_number", "/tournament/edition"),
        ("number_too_large", "/stages/0/heats/0/hands_played"),
    }


def test_numbers_in_the_record_may_have_fractions_and_the_rest_of_it_is_free():
    file = tournament_file(stage(by_place("A", "abcde")))
    file["record"] = {"seconds": 75.0, "draw": {"seed": "00ff", "notes": [None, True, {"a": -1.5}]}}
    assert outcome(json.dumps(file).encode())[0] == 0
    file["record"]["deep"] = json.loads("[" * 150 + "]" * 150)
    assert {code for code, _ in faults_of(file)} == {"too_deep"}


def test_a_hundred_thousand_levels():
    assert faults_of(b"[" * 100_000) == {("too_deep", "")}
    assert faults_of(b'{"a":' * 100_000) == {("too_deep", "")}


def test_every_sentence_speaks_the_three_languages():
    for code, message in SENTENCES.items():
        spoken = set()
        for language in ("it", "tr", "en"):
            with translation.override(language):
                spoken.add(str(message))
        assert len(spoken) == 3, code
