"""The laptop breaks in the middle of an evening: another machine goes on, by the recipe of docs/operations/backup.md.

The commands are read out of that document and run as they stand there, in a folder that has only what a clone has.
"""

from __future__ import annotations

import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psycopg
import pytest
from psycopg import sql

from config import house, supervisor
from config.backup import NAME
from tests.config.house import until
from tests.config.test_bootstrap import checkout
from tests.e2e.house import clean_environ, running_house

pytestmark = pytest.mark.slow
DOCUMENT = house.ROOT / "docs/operations/backup.md"
CHAPTER = "## The laptop is broken"
# A tournament of ten whose two tables are in play, as the services make it, and a running clock beside what is played.
SCENE = "from tests.tournaments.day_rows import Day; Day(10, name='Coppa della Lanterna', phase='running')"
SAME = ("tournaments_tournament", "tournaments_heat", "scoring_sheet", "scoring_entry", "gameplay_due")
GROWN = ("gameplay_clockevent", "core_auditrow")


@pytest.fixture
def place() -> Iterator[Path]:
    with tempfile.TemporaryDirectory(prefix="gd-restore-") as folder:
        Path(folder).chmod(0o755)
        yield Path(folder)
        # What root keeps for a checkout that is gone.
        shutil.rmtree(house.root_home(Path(folder) / "gingodrome"), ignore_errors=True)


def commands() -> list[str]:
    """What the recipe says to type, in order."""
    _, found, chapter = DOCUMENT.read_text().partition(CHAPTER)
    assert found
    return re.findall(r"^ {7}(\S.*)$", chapter, re.MULTILINE)


def state(url: str) -> dict[str, list[tuple[Any, ...]]]:
    """Every row of the tables that tell of the tournament."""
    with psycopg.connect(url) as database:
        return {
            table: database.execute(sql.SQL("SELECT * FROM {} ORDER BY id").format(sql.Identifier(table))).fetchall()
            for table in (*SAME, *GROWN)
        }


def count(url: str, table: str) -> int:
    with psycopg.connect(url) as database:
        row = database.execute(sql.SQL("SELECT count(*) FROM {}").format(sql.Identifier(table))).fetchone()
        return row[0] if row else 0


def manage(*words: str, **environ: str) -> str:
    line = [sys.executable, str(house.ROOT / "manage.py"), *words]
    done = subprocess.run(line, env=clean_environ() | environ, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    return done.stdout


def backups(folder: Path) -> list[Path]:
    return sorted(file for file in folder.iterdir() if NAME.fullmatch(file.name))


def test_the_recipe_makes_the_house_again(place: Path) -> None:
    told = commands()
    assert [line.split()[0] for line in told] == ["git", "cd", "python3", "python3", "python3", "python3"]
    stick = place / "stick"
    with running_house(options=("--no-demo", "--backup", str(stick))) as first:
        manage("shell", "-v0", "-c", SCENE, GINGODROME_DATA=str(first.base))
        before = state(first.database_url)
        until(lambda: len(backups(stick)) == 1, "a first backup", 60)
        # The power goes: no last backup, nothing is ended in order. What was written was saved by hand just before.
        began = time.monotonic()
        print(manage("backup", str(stick), GINGODROME_DATA=str(first.base)))
        saved = time.monotonic() - began
        os.killpg(first.process.pid, signal.SIGKILL)
        first.process.wait()
    newest = backups(stick)[-1]

    here = place
    environ = clean_environ() | {"GINGODROME_DATA": str(place / "other"), "PYTHONDONTWRITEBYTECODE": "1"}
    clone, enter, restore, *rest = (shlex.split(line) for line in told)
    assert clone[:2] == ["git", "clone"]
    checkout(here / clone[-1])  # what git would give, with what is not committed yet
    here /= enter[-1]
    began = time.monotonic()
    for line in (restore, *rest[:-1]):
        words = [{"python3": sys.executable, "BACKUP": str(newest)}.get(word, word) for word in line]
        done = subprocess.run(words, cwd=here, env=environ, capture_output=True, text=True, timeout=300)
        assert done.returncode == 0, (line, done.stdout, done.stderr)
        if line is restore:
            seconds = time.monotonic() - began
            assert "1 tournaments, 2 scoresheets" in done.stdout
    whole = time.monotonic() - began
    print(f"backup {newest.stat().st_size} bytes, {saved:.1f} s; restore {seconds:.1f} s; with checks {whole:.1f} s")

    words = [{"python3": sys.executable, "NEW-FOLDER": str(place / "new")}.get(word, word) for word in rest[-1]]
    log = (place / "up.log").open("w")
    up = subprocess.Popen([*words, "--port", "0"], cwd=here, env=environ, stdout=log, stderr=log)
    try:
        data = house.data_folder(str(place / "other"))
        until(lambda: supervisor.read_state(data).get("address") or up.poll() is not None, "it is ready", 120)
        again = supervisor.read_state(data)
        url = again["environment"]["DATABASE_URL"]
        # The table whose clock ran is noted; the other one was suspended.
        until(lambda: count(url, "gameplay_outage") == 1, "the stop is noted", 60)
        after = state(url)
        for table in SAME:
            assert after[table] == before[table], table
        # What follows from the stop is added, and nothing that was written before is another.
        for table in GROWN:
            assert after[table][: len(before[table])] == before[table], table
        until(lambda: backups(place / "new"), "a backup of the new house", 60)
    finally:
        up.terminate()
        up.wait(60)
        log.close()
    assert "Gingodrome is ready" in (place / "up.log").read_text()
