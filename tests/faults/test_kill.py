"""The web process is killed a hundred times while hands are recorded: what was acknowledged is there, once, in order."""

from __future__ import annotations

import contextlib
import http.client
import json
import random
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import psycopg
import pytest

from config import house
from tests.config.house import House, until

pytestmark = pytest.mark.slow
KILLS = 100
SEED = 20
HANDS = 25  # of a match
LONGEST = 0.5  # seconds between the first answer of a process and its end
AIMED = 3  # every third kill comes as soon as a hand is committed: its answer is on the way, or lost
TOKEN = "t" * 32
PATIENCE = 120.0  # seconds for a busy machine
HAS_KEY = "SELECT 1 FROM core_commandkey WHERE key = %s"
SETUP = """
from importlib import import_module
import json
from django.conf import settings
from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
from players.models import User
from tests.faults.tables import Hall
hall = Hall("circolo")
row = User.objects.get(pk=hall.referees[0].person)
store = import_module(settings.SESSION_ENGINE).SessionStore()
store[SESSION_KEY] = str(row.pk)
store[BACKEND_SESSION_KEY] = settings.AUTHENTICATION_BACKENDS[-1]
store[HASH_SESSION_KEY] = row.get_session_auth_hash()
store.create()
print(json.dumps({"session": store.session_key, "matches": [str(match) for match in hall.tables(200)]}))
"""
AFTER = """
import json
from players.queries import audit_faults
from tournaments.services.rebuilding import drifted
print(json.dumps([[str(scope) for scope, _ in audit_faults()[2]], list(drifted())]))
"""


class Webs:
    """Web processes behind one socket, one after the other: what is forked costs a kill no start."""

    def __init__(self, own: House) -> None:
        with socket.create_server(("127.0.0.1", 0)) as line:
            line.set_inheritable(True)
            self.port = line.getsockname()[1]
            self._nursery = subprocess.Popen(
                [sys.executable, "-m", "tests.faults.nursery", str(line.fileno())],
                cwd=house.ROOT,
                env=own.environ,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                text=True,
                pass_fds=[line.fileno()],
            )
        self.serving = self._ask("serve")

    def kill(self) -> None:
        """The one that serves dies, and another takes its place."""
        assert self._ask("kill") == -signal.SIGKILL
        dead, self.serving = self.serving, self._ask("serve")
        assert self.serving != dead

    def _ask(self, order: str) -> int:
        assert self._nursery.stdin
        assert self._nursery.stdout
        self._nursery.stdin.write(f"{order}\n")
        self._nursery.stdin.flush()
        return int(self._nursery.stdout.readline())

    def close(self) -> None:
        self._nursery.communicate(timeout=PATIENCE)


class Writer(threading.Thread):
    """Records hand after hand. `journal`: what he tries and what was acknowledged, line by line."""

    def __init__(self, port: int, session: str, matches: list[str], journal: Path, database: str) -> None:
        super().__init__(daemon=True)
        self.port, self.matches, self.database = port, matches, database
        self.headers = {
            "Accept": "application/json",
            "Content-Type": "application/x-www-form-urlencoded",
            "Cookie": f"sessionid={session}; csrftoken={TOKEN}",
            "X-CSRFToken": TOKEN,
        }
        self.journal = journal.open("w")
        self.random = random.Random(SEED)
        self.acknowledged = self.unanswered = self.committed = 0
        self.key = ""
        self.enough = threading.Event()
        self.fault: BaseException | None = None

    def run(self) -> None:
        try:
            for match in self.matches:
                for hand in range(1, HANDS + 1):
                    if self.enough.is_set():
                        return
                    self.record(match, hand)
        except BaseException as fault:
            self.fault = fault
        finally:
            self.journal.close()

    def record(self, match: str, hand: int) -> None:
        """One hand, sent again with the same key until there is an answer."""
        caller, called = self.random.randrange(5), self.random.randrange(5)
        told = {
            "caller": caller,
            "called": called,
            "bid": self.random.randint(61, 120),
            "made": self.random.randint(0, 120),
        }
        told |= {"action": "save", "kind": "played", "hand": hand, "key": f"{match}-{hand}"}
        self.note(tried=told["key"], match=match, told=told)
        self.key = str(told["key"])
        while True:
            try:
                status, answer = self.post(f"/matches/{match}/record/", told)
            except (OSError, http.client.HTTPException):
                self.unanswered += 1
                self.committed += is_committed(self.database, self.key)
                time.sleep(0.01)
                continue
            assert (status, answer["ok"]) == (200, True), (status, answer)
            self.acknowledged += 1
            self.note(acknowledged=told["key"], match=match, receipt=answer["receipt"])
            return

    def post(self, path: str, told: dict[str, Any]) -> tuple[int, dict[str, Any]]:
        line = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        try:
            line.request("POST", path, urlencode(told), self.headers)
            answer = line.getresponse()
            return answer.status, json.loads(answer.read())
        finally:
            line.close()

    def note(self, **told: Any) -> None:
        self.journal.write(json.dumps(told) + "\n")
        self.journal.flush()


def is_committed(database: str, key: str) -> bool:
    """Whether the answer is lost, and not the request."""
    with psycopg.connect(database) as rows:
        return rows.execute(HAS_KEY, [key]).fetchone() is not None


def wait_for_commit(database: str, writer: Writer) -> None:
    """Returns as soon as a hand that is on its way now is in the database, or has its answer."""
    key, before = writer.key, writer.acknowledged
    with psycopg.connect(database, autocommit=True) as rows:
        until(
            lambda: rows.execute(HAS_KEY, [key]).fetchone() or writer.acknowledged > before or writer.fault,
            "a hand is committed",
            PATIENCE,
            pause=0,
        )


@pytest.fixture
def own() -> Iterator[House]:
    own = House()
    own.environ["DJANGO_SETTINGS_MODULE"] = "config.settings"
    yield own
    own.stop()


@pytest.fixture
def webs(own: House) -> Iterator[Webs]:
    with contextlib.closing(Webs(own)) as webs:
        yield webs


def test_no_acknowledged_hand_is_lost_doubled_or_invented(own, webs, tmp_path):
    told = json.loads(own.django("shell", "--no-imports", "-c", SETUP))
    database = own.servers.postgres.url
    pick = random.Random(SEED)
    journal = tmp_path / "journal"
    writer = Writer(webs.port, told["session"], told["matches"], journal, database)
    writer.start()
    for kill in range(KILLS):
        before = writer.acknowledged
        until(lambda before=before: writer.acknowledged > before or writer.fault, "a hand is acknowledged", PATIENCE)
        time.sleep(pick.random() * LONGEST)
        if kill % AIMED == 0:
            wait_for_commit(database, writer)
        webs.kill()
    writer.enough.set()
    writer.join(PATIENCE)
    assert writer.fault is None
    assert not writer.is_alive()

    tried: dict[str, dict[str, int]] = {}
    receipts: dict[str, list[dict[str, Any]]] = {}
    for line in journal.read_text().splitlines():
        noted = json.loads(line)
        if "tried" in noted:
            tried[noted["tried"]] = noted["told"]
        else:
            receipts.setdefault(noted["match"], []).append(noted["receipt"])
    assert len(tried) == writer.acknowledged
    with psycopg.connect(database) as rows:
        written = rows.execute(
            "SELECT sheet_id::text, number, line, caller, called, bid, made, replaces_id FROM scoring_entry ORDER BY sheet_id, number"
        ).fetchall()
    found: dict[str, list[tuple[Any, ...]]] = {}
    for match, *row in written:
        found.setdefault(match, []).append(tuple(row))
    assert found.keys() == receipts.keys()
    for match, lines in found.items():
        hands = [tried[f"{match}-{hand}"] for hand in range(1, len(lines) + 1)]
        wanted = [
            (at, at, *(hand[one] for one in ("caller", "called", "bid", "made")), None) for at, hand in enumerate(hands)
        ]
        assert lines == wanted
        assert [receipt["entry"] for receipt in receipts[match]] == list(range(len(lines)))
        assert [receipt["version"] for receipt in receipts[match]] == sorted(
            {one["version"] for one in receipts[match]}
        )
    assert json.loads(own.django("shell", "--no-imports", "-c", AFTER)) == [[], []]
    print(
        f"{KILLS} kills, {writer.acknowledged} hands, {writer.unanswered} requests without an answer, {writer.committed} of them committed"
    )
    assert writer.unanswered >= KILLS / 2
    assert writer.committed > 0  # the moment between the commit and its answer was hit
