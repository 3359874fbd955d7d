"""Tables in a running house: matches with people who are signed in, and what stands on their sheets."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import dataclass
from typing import Any

from playwright.sync_api import BrowserContext

from config import supervisor
from tests.e2e.house import RunningHouse, clean_environ

REFEREES = ("Rita Ravenna", "Rino Rimini")
PLAYERS = ("Antonella De Santis", "Çağrı Yıldırım", "Bruno Bianchi", "Dora Işık", "Ezio D'Este")

_AGENT = """
import json, sys, time
import django
django.setup()
from django.conf import settings
from django.db import transaction
from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
from importlib import import_module
from uuid import UUID
from datetime import timedelta
from core.clock import database_now
from core.entropy import new_token
from gameplay.models import ClockEvent, Due, Match
from gameplay.queries.clock import clocks_of
from gameplay.services import clock, recording
from players.actor import actor_for
from players.models import User
from players.rules.rights import COUNCIL, REFEREE
from scoring.models import Entry, Seat, Sheet
from tests.gameplay.rows import Hall, person, played

def signed_in(row):
    store = import_module(settings.SESSION_ENGINE).SessionStore()
    store[SESSION_KEY] = str(row.pk)
    store[BACKEND_SESSION_KEY] = settings.AUTHENTICATION_BACKENDS[-1]
    store[HASH_SESSION_KEY] = row.get_session_auth_hash()
    store.create()
    return store.session_key

@transaction.atomic
def opened(referees, players, scoring):
    hall = Hall(f"club-{new_token()[:8].lower().replace('_', 'x').replace('-', 'y')}", **scoring)
    staff = [person(name, REFEREE, scope=hall.club.scope_id) for name in referees]
    for row, name in zip(hall.people, players, strict=True):
        row.display_name = name
        row.save(update_fields=["display_name"])
    people = dict(zip((*referees, *players), (*staff, *hall.people), strict=True))
    referee = str(staff[0].pk)
    return {"match": str(hall.match), "referee": referee, "sessions": {name: signed_in(row) for name, row in people.items()}}

def guarantors(match, count):
    club = Sheet.objects.get(pk=match).scope.parent_id
    return [signed_in(person(f"Garante {n}", COUNCIL, scope=club)) for n in range(count)]

def play(referee, match, hand, *outcome):
    content = played(*outcome)
    return recording.record_hand(actor_for(referee), match, hand=hand, content=content, key=new_token())

def correct(referee, match, line, entry, *rest):
    *outcome, reason = rest
    content = played(*outcome)
    key = new_token()
    return recording.correct_hand(
        actor_for(referee), match, line=line, entry=entry, content=content, reason=reason, key=key
    )

def start(referee, match):
    Match.objects.filter(pk=match).update(length=7200)
    clock.start_match(actor_for(referee), match, key=new_token())

def ring(match):
    make_due(match)
    until = time.monotonic() + 30
    while Due.objects.get(object=match).done_at is None and time.monotonic() < until:
        time.sleep(0.02)

@transaction.atomic
def make_due(match):
    due = Due.objects.select_for_update().get(object=match)
    row = Match.objects.get(pk=match)
    now = database_now()
    behind = now - clocks_of([row])[row.pk][0].deadline
    numbers = {"number": row.clock_events.count() + 1, "micros": round(behind / timedelta(microseconds=1))}
    ClockEvent.objects.create(match=row, kind="moved", at=now, **numbers)
    due.due_at = now
    due.save(update_fields=["due_at"])

def entries(match):
    rows = Entry.objects.filter(sheet=match).order_by("number")
    return list(rows.values("number", "line", "kind", "caller", "called", "bid", "made", "ruling", "reason"))

def points(match):
    return list(Seat.objects.filter(sheet=match).order_by("number").values_list("points", flat=True))

def state(match):
    return Sheet.objects.get(pk=match).state

for line in sys.stdin:
    name, arguments = json.loads(line)
    print(json.dumps(globals()[name](*arguments)), flush=True)
"""


@dataclass(frozen=True)
class Table:
    """A match and the sessions of its people by name."""

    match: str
    referee: str
    sessions: dict[str, str]

    def enter(self, context: BrowserContext, url: str, name: str) -> None:
        """Whoever that is, is signed in in this browser."""
        context.add_cookies([{"name": "sessionid", "value": self.sessions[name], "url": url}])


class Tables:
    """A second process of the house that opens matches and reads sheets. `close` ends it."""

    def __init__(self, house: RunningHouse) -> None:
        environment = supervisor.read_state(house.data)["environment"]
        self._process = subprocess.Popen(
            [sys.executable, "-c", _AGENT],
            cwd=os.getcwd(),
            env=clean_environ()
            | environment
            | {"GINGODROME_DATA": str(house.base), "DJANGO_SETTINGS_MODULE": "config.settings"},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def _ask(self, name: str, *arguments: Any) -> Any:
        assert self._process.stdin
        assert self._process.stdout
        self._process.stdin.write(json.dumps([name, arguments]) + "\n")
        self._process.stdin.flush()
        return json.loads(self._process.stdout.readline())

    def open(self, **scoring: Any) -> Table:
        """A match with two referees and five players."""
        told = self._ask("opened", REFEREES, PLAYERS, scoring)
        return Table(**told)

    def guarantors(self, table: Table, count: int) -> list[str]:
        """Sessions of so many members of the council of its club."""
        return self._ask("guarantors", table.match, count)

    def start(self, table: Table) -> None:
        """Gives it a clock of two hours, which runs from now on."""
        self._ask("start", table.referee, table.match)

    def ring(self, table: Table) -> None:
        """Its bell is due now, and the ringers of the house ring it."""
        self._ask("ring", table.match)

    def play(self, table: Table, hand: int, *outcome: int) -> None:
        """A hand by the first referee."""
        self._ask("play", table.referee, table.match, hand, *outcome)

    def correct(self, table: Table, line: int, entry: int, *rest: int | str) -> None:
        """A correction: caller, called, bid, made, reason."""
        self._ask("correct", table.referee, table.match, line, entry, *rest)

    def entries(self, table: Table) -> list[dict[str, Any]]:
        return self._ask("entries", table.match)

    def points(self, table: Table) -> list[int]:
        return self._ask("points", table.match)

    def state(self, table: Table) -> str:
        return self._ask("state", table.match)

    def close(self) -> None:
        self._process.communicate()
