"""Asking for prints in tests, and the heavy worker's part."""

import json
from base64 import b64decode

from core import valkey
from players.actor import SYSTEM
from tests.tournaments.rows import first_hand, other_hand
from tournaments import tasks
from tournaments.services.results import correct_result
from tournaments.web import prints_kept

TIMES = ("Date", "Expires", "Last-Modified")


def address(tournament, rest):
    return f"/tournaments/{tournament.slug}/{rest}"


def ordered():
    """What the heavy worker finds in its line: the arguments of each task, oldest first."""
    found = [json.loads(message) for message in reversed(valkey.client().lrange("heavy", 0, -1))]
    bodies = [message["body"] for message in found if message["headers"]["task"] == prints_kept.TASK]
    return [json.loads(b64decode(body))[0] for body in bodies]


def work():
    """Does what was ordered, as the heavy worker does."""
    for args in ordered():
        tasks.make_print(*args)
    valkey.client().delete("heavy")


def correct(tournament, **changed):
    tournament.refresh_from_db()
    hand = first_hand(tournament)
    entry = other_hand(hand, **changed)
    correct_result(SYSTEM, tournament.pk, stage=1, heat=1, entry=entry, version=tournament.version, key="k")


def without_times(answer):
    return not any(answer.has_header(name) for name in TIMES)
