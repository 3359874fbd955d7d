"""A house with many tables, the real processes that ring, and somebody who listens as a page does."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import threading
import time
from collections.abc import Iterator, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any
from uuid import UUID

import psycopg

from config import supervisor
from tests.config.house import House, Process, Stream, Web, until
from tests.e2e.house import processes
from tests.faults.bells import Bell, bells, hang

WORKER = ("-m", *supervisor.CELERY, "-B", "--pool=threads", "-Q", "celery", "-n", "worker@%h")
PATIENCE = 150.0  # seconds for a busy machine
_SETUP = """
import json
from pathlib import Path
from players.models import User
from tests.faults.tables import Hall
told = []
for name in {names!r}:
    hall = Hall(name)
    User.objects.filter(pk=hall.referees[0].person).update(username=name)
    told.append((name, str(hall.referees[0].person), [str(match) for match in hall.tables({count})]))
Path({path!r}).write_text(json.dumps(told))
"""


class Ear(threading.Thread):
    """Reads a live stream to its end. `heard`: by topic, when it was first told (monotonic); a resync tells all."""

    def __init__(self, stream: Stream) -> None:
        super().__init__(daemon=True)
        self.stream = stream
        self.heard: dict[str, float] = {}
        self.resynced: list[float] = []
        self.over = threading.Event()
        self.start()

    def run(self) -> None:
        while not self.over.is_set() and not self.stream.ended:
            try:
                found = self.stream.next(0.5)
            except (OSError, ValueError):
                return
            now = time.monotonic()
            if found and found[0] == "signal":
                self.heard.setdefault(found[1]["topic"], now)
            elif found:
                self.resynced.append(now)

    def when(self, match: UUID, since: float) -> float | None:
        """When a page of this table first knew that something happened after `since`."""
        told = self.heard.get(f"sheet:{match}")
        return min([one for one in (told, *self.resynced) if one is not None and one >= since], default=None)


class Tower:
    """Tables of a house by the dozen, each of which is used once; its ringers, and ears on its pages."""

    def __init__(self, own: House, folder: Path, names: Sequence[str], count: int) -> None:
        self.own = own
        path = folder / "tables.json"
        own.shell(_SETUP.format(names=list(names), count=count, path=str(path)))
        told = json.loads(path.read_text())
        self.referees = {name: referee for name, referee, _ in told}
        self.tables = {name: [UUID(match) for match in matches] for name, _, matches in told}
        self.running: dict[str, Process] = {}
        self.started: list[Process] = []

    def execute(self, statement: str, told: Any = None) -> Any:
        """One statement on a connection of its own: the server may have been restarted."""
        with psycopg.connect(self.own.servers.postgres.url, autocommit=True) as rows:
            return _Rows(rows.execute(statement, told))

    def take(self, count: int, name: str | None = None) -> list[UUID]:
        """Tables that nobody has used."""
        fresh = self.tables[name or next(iter(self.tables))]
        taken, fresh[:] = fresh[:count], fresh[count:]
        assert len(taken) == count, "make more tables"
        return taken

    def hang(self, *seconds: float, tables: Sequence[UUID] = ()) -> dict[UUID, datetime]:
        """Clocks that run, with bells that are due in so many seconds each."""
        return hang(self.execute, tables or self.take(len(seconds)), seconds)

    def bells(self, matches: Sequence[UUID]) -> dict[UUID, Bell]:
        return bells(self.execute, list(matches))

    def rung(self, matches: Sequence[UUID]) -> dict[UUID, Bell]:
        """Their bells when all have rung. AssertionError unless each rang once, and none early."""
        until(lambda: all(bell.count for bell in self.bells(matches).values()), "all bells ring", PATIENCE)
        time.sleep(0.3)  # whoever would ring a second time
        found = self.bells(matches)
        assert {match: bell.count for match, bell in found.items()} == dict.fromkeys(matches, 1)
        assert [match for match, bell in found.items() if bell.late < 0] == []
        return found

    def start(self, *names: str, **environ: str) -> None:
        """Starts those of these ringers (`ticker`, `worker`, `ticker 2`) that do not run, and waits until they ring."""
        fresh = [name for name in names if name not in self.running]
        for kind in {name.split()[0] for name in fresh}:
            self.own.shell(f"from core.valkey import client; client().delete('heartbeat:{kind}')")
        for name in fresh:
            command = ("-m", "config.ticker") if name.startswith("ticker") else WORKER
            self.running[name] = self.own.run(*command, **environ)
            self.started.append(self.running[name])
        for name in fresh:
            until(lambda name=name: self.beats(name.split()[0]), name, PATIENCE)

    def beats(self, process: str) -> bool:
        from redis import Redis

        with contextlib.closing(Redis.from_url(self.own.servers.valkey.url)) as valkey:
            return bool(valkey.exists(f"heartbeat:{process}"))

    def kill(self, *names: str) -> None:
        """As the supervisor does with what died: with all that it forked (the worker's beat)."""
        for name in names:
            process = self.running.pop(name)
            forked = [pid for pid, parent, _ in processes() if parent == process.popen.pid]
            for pid in (process.popen.pid, *forked):
                os.kill(pid, signal.SIGKILL)
            process.stop()

    @contextlib.contextmanager
    def ear(self, web: Web, name: str) -> Iterator[Ear]:
        """Somebody who has the pages of all tables of a hall open."""
        form = {"Content-Type": "application/x-www-form-urlencoded"}
        status, _, text = web.request("POST", "/sign-in/", f"username={name}", form)
        assert status == 200, text
        with web.stream(Cookie=f"sessionid={json.loads(text)['session']}") as stream:
            assert stream.status == 200
            ear = Ear(stream)
            try:
                yield ear
            finally:
                ear.over.set()
                ear.join(5)


class _Rows:
    """What a statement gave, kept when its connection is gone."""

    def __init__(self, cursor: Any) -> None:
        self._found = cursor.fetchall() if cursor.description else []

    def fetchall(self) -> list[tuple[Any, ...]]:
        return self._found
