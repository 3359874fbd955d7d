"""P10: how late a bell is at the pages, with the real processes under load.

Ten open pages hear 20 and 200 bells of one instant, first undisturbed, then with the worker killed a moment
before, while pages are loaded ten times a second and bots play at a table, niced as their worker is.
"""

from __future__ import annotations

import contextlib
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

from config.house import ROOT
from tests.config.house import House, Web, until
from tests.faults.ringers import Ear, Tower

HALLS = [f"hall-{number}" for number in range(10)]
ROUNDS = {20: 5, 200: 2}  # bells of one instant: how often
LOADS = 10  # pages a second
PAGES = ("/", "/tournaments/", "/players/", "/rankings/")
LEAD = 2.5  # seconds from hanging the bells until they ring: both ringers know of them
KILLED = 0.3  # seconds before the deadline
AT_MOST = {False: 50, True: 300}  # milliseconds at p99, without and with the fault


class Loads(threading.Thread):
    """Loads pages at an even pace until it is stopped; `count` of them."""

    def __init__(self, web: Web) -> None:
        super().__init__(daemon=True)
        self.web, self.count, self.over = web, 0, threading.Event()

    def run(self) -> None:
        begin = time.monotonic()
        while not self.over.wait(max(0.0, begin + self.count / LOADS - time.monotonic())):
            assert self.web.get(PAGES[self.count % len(PAGES)])[0] == 200
            self.count += 1


@contextlib.contextmanager
def bots() -> Iterator[None]:
    """Bots that play one hand after the other in a process of their own."""
    words = ["nice", sys.executable, "manage.py", "play", "gingo", "--watch", "--level", "3", "--hands", "9999"]
    with subprocess.Popen(words, cwd=ROOT, stdout=subprocess.DEVNULL, stdin=subprocess.DEVNULL) as playing:
        try:
            yield
            assert playing.poll() is None, "the bots stopped playing"
        finally:
            playing.kill()


@contextlib.contextmanager
def loaded(web: Web) -> Iterator[Loads]:
    loads = Loads(web)
    loads.start()
    try:
        yield loads
    finally:
        loads.over.set()
        loads.join(10)


def lateness(tower: Tower, ears: dict[str, Ear], bells: int, *, kill: bool) -> list[float]:
    """Milliseconds from each deadline until a page of that table heard of it."""
    tower.start("ticker", "worker")
    tables = [table for name in HALLS for table in tower.take(bells // len(HALLS), name)]
    since = time.monotonic()
    due = tower.hang(*[LEAD] * bells, tables=tables)
    wall = time.monotonic() - datetime.now(UTC).timestamp()
    if kill:
        time.sleep(LEAD - KILLED)
        tower.kill("worker")
    until(lambda: all(any(ear.when(one, since) for ear in ears.values()) for one in tables), "every page hears of it")
    found = []
    for name, ear in ears.items():
        own = [table for table in tables if f"sheet:{table}" in ear.heard]
        assert len(own) == bells // len(HALLS), f"a page of {name} was told to read everything anew"
        found += [(ear.heard[f"sheet:{table}"] - wall - due[table].timestamp()) * 1000 for table in own]
    return found


def told(late: list[float], goal: int) -> str:
    late = sorted(late)
    p50, p99 = late[len(late) // 2], late[min(len(late) - 1, round(len(late) * 0.99))]
    return f"p50 {p50:6.1f}   p99 {p99:6.1f}   max {late[-1]:6.1f} ms   p99 at most {goal} ms"


def main() -> None:
    """Print one line for each number of bells and each fault."""
    print(f"\nP10 bells at the pages, {LOADS} page loads a second, playing bots", flush=True)
    each = 2 * sum(bells * rounds for bells, rounds in ROUNDS.items()) // len(HALLS)
    own = House()
    try:
        with tempfile.TemporaryDirectory() as folder:
            tower = Tower(own, Path(folder), HALLS, each)
        web = Web(own)
        with contextlib.ExitStack() as stack:
            ears = {name: stack.enter_context(tower.ear(web, name)) for name in HALLS}
            loads = stack.enter_context(loaded(web))
            stack.enter_context(bots())
            for kill in (False, True):
                for bells, rounds in ROUNDS.items():
                    late = [one for _ in range(rounds) for one in lateness(tower, ears, bells, kill=kill)]
                    what = f"{bells} at one instant{', worker killed' if kill else ''}"
                    print(f"  {what:<34} {told(late, AT_MOST[kill])}", flush=True)
            print(f"  ({loads.count} pages loaded)", flush=True)
    finally:
        own.stop()
