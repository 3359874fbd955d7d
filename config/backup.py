"""Backups: the whole database in one file, written aside and renamed, at most once a minute and only after a change.

`python -m config.backup FOLDER` keeps them until SIGTERM; the supervisor runs it for `up --backup FOLDER`. A file is a
zip of two members: `database.dump` (what pg_dump writes in its custom format) and `about.json`, see `About`. It holds
no secret of the house but what is in its rows: names and the hashes of passwords.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import logging
import logging.config
import os
import re
import signal
import subprocess
import sys
import tempfile
import threading
import time
import zipfile
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path
from types import FrameType
from typing import IO

import psycopg
from psycopg.conninfo import conninfo_to_dict, make_conninfo

from config import dropped
from config.binaries import postgres_binaries
from config.house import Account, HouseError
from config.logs import logging_config

EVERY = 60.0  # seconds between the beginnings of two backups
LOOK = 5.0  # seconds between two looks whether something changed
DENSE, HOURLY = 60, 72  # the newest of all, and the newest of so many hours
FORMAT = 1
DUMP, ABOUT = "database.dump", "about.json"
NAME = re.compile(r"gingodrome-(\d{4}-\d\d-\d\dT\d\d-\d\d-\d\dZ)(?:_\d\d)?\.zip")
STAMP = "%Y-%m-%dT%H-%M-%SZ"
PART = ".gingodrome.part"
MARK = "gingodrome-backups.txt"
MARKED = """Backups of a Gingodrome, the newest last by name. To use one, in a fresh checkout on any machine:

    python3 manage.py restore THE-FILE.zip

They hold names and password hashes: keep them as you keep the laptop. Leave this file where it is: a folder without it
is taken for the place of a stick that was pulled out, and nothing is written there.
"""
# What is written in a table, by anybody; a ticker writes its sign of life there all the time.
CHANGES = """
SELECT coalesce(sum(n_tup_ins + n_tup_upd + n_tup_del), 0)::bigint FROM pg_stat_user_tables
WHERE relname <> 'gameplay_clockcheck'
"""
log = logging.getLogger("config.backup")


@dataclass(frozen=True, slots=True)
class About:
    """What a file says of itself. `made`: in UTC; `size`, `sha256`: of the dump; `migrations`: what it has."""

    format: int
    made: str
    size: int
    sha256: str
    migrations: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Backup:
    """A file that was written, and how long that took, in seconds."""

    file: Path
    about: About
    seconds: float


def prepared(folder: str, account: Account | None) -> Path:
    """The folder of the backups as a full path: made if its parent is there, marked, and writable by `account`."""
    path = Path(folder).absolute()
    try:
        if not path.exists():
            path.mkdir(mode=0o700)
            if account:
                os.chown(path, account.uid, account.gid)
        if not (path / MARK).exists():
            (path / MARK).write_text(MARKED)
            (path / MARK).chmod(0o644)
    except OSError as error:
        raise HouseError(f"No backups can be kept in {path}: {error.strerror}. Is the stick there?") from error
    if account and not dropped.readable(account, [path], os.R_OK | os.W_OK | os.X_OK):
        raise HouseError(
            f"Root hands the house to the account {account.name}, which cannot write to {path}: name a folder that is "
            "not there yet, and it is made for that account."
        )
    return path


def dump(url: str, folder: Path) -> Backup:
    """One backup of the database at `url`. HouseError with a sentence where it cannot be written; nothing half is left.

    Consistent: pg_dump reads everything as it was at one instant, beside whoever writes.
    """
    began = time.monotonic()
    if not (folder / MARK).exists():
        raise HouseError(f"{folder} is gone or another one ({MARK} is not there): was the stick pulled out?")
    aside = folder / PART
    made = datetime.now(UTC)
    try:
        with psycopg.connect(url, connect_timeout=5) as database:
            migrations = migrations_in(database)
        with aside.open("wb") as file:
            os.fchmod(file.fileno(), 0o600)
            about = _write(url, file, made, migrations)
            file.flush()
            os.fsync(file.fileno())
        target = _free_name(folder, made)
        aside.rename(target)
        _sync(folder)
    except (OSError, psycopg.Error) as error:
        why = error.strerror if isinstance(error, OSError) else str(error).strip()
        raise HouseError(f"No backup could be written to {folder}: {why}.") from error
    finally:
        with contextlib.suppress(OSError):
            aside.unlink(missing_ok=True)
    return Backup(target, about, time.monotonic() - began)


def told(backup: Backup) -> str:
    """A line for the person at the keyboard."""
    size = backup.file.stat().st_size
    return f"{backup.file}  ({size / 1000:.0f} kB, {backup.seconds:.1f} s)"


def migrations_in(database: psycopg.Connection) -> tuple[str, ...]:
    """The migrations of a database, `app.name`; none where it is empty."""
    found = database.execute("SELECT to_regclass('django_migrations') IS NOT NULL").fetchone()
    if not found or not found[0]:
        return ()
    rows = database.execute("SELECT app || '.' || name FROM django_migrations ORDER BY id").fetchall()
    return tuple(name for (name,) in rows)


def connection_for(url: str) -> tuple[str, dict[str, str]]:
    """`--dbname=...` and the environment for a client of PostgreSQL: the password stands in no list of processes."""
    parts = conninfo_to_dict(url)
    password = str(parts.pop("password", "") or "")
    clean = {name: value for name, value in os.environ.items() if not name.startswith("PG")}
    return f"--dbname={make_conninfo('', **parts)}", clean | {"PGPASSWORD": password, "LC_ALL": "C"}


def to_delete(names: Iterable[str], dense: int = DENSE, hourly: int = HOURLY) -> list[str]:
    """Which of these files are not kept: beyond the `dense` newest, the newest of each hour, of `hourly` hours."""
    ours = sorted((name for name in names if NAME.fullmatch(name)), reverse=True)
    hours: dict[str, str] = {}
    for name in ours:
        hours.setdefault(_stamp(name)[: len("2026-11-30T16")], name)
    kept = {*ours[:dense], *list(hours.values())[:hourly]}
    return [name for name in ours if name not in kept]


class Keeper:
    """Writes a backup whenever something changed and the last one began a minute ago. Tells the pages how it went."""

    def __init__(self, url: str, folder: Path) -> None:
        self.url, self.folder = url, folder
        self._saved: int | None = None
        self._last: Path | None = None
        self._next = 0.0
        self._failures = 0

    def look(self, *, now: bool = False) -> Backup | None:
        """One look; the backup that it led to. `now`: without waiting for the minute, for the last one."""
        if not now and time.monotonic() < self._next:
            self._say(good=self._failures == 0)
            return None
        try:
            changes = self._changes()
            # Looked at each time: another stick may be there now, or none.
            if changes == self._saved and self._last is not None and self._last.exists():
                self._well()
                return None
            self._next = time.monotonic() + EVERY
            written = dump(self.url, self.folder)
        except (HouseError, OSError, psycopg.Error) as error:
            self._failed(str(error).strip())
            return None
        # What changed while it was written is seen at the next look: it counted before the dump.
        self._saved, self._last = changes, written.file
        self._prune()
        self._well()
        return written

    def _changes(self) -> int:
        with psycopg.connect(self.url, connect_timeout=5, autocommit=True) as database:
            row = database.execute(CHANGES).fetchone()
        return int(row[0]) if row else 0

    def _well(self) -> None:
        if self._failures:
            log.warning("backups are written again", extra={"folder": self.folder})
        self._failures = 0
        self._say(good=True)

    def _failed(self, why: str) -> None:
        """Loud, at each try: nobody looks at a backup before it is needed."""
        self._next = time.monotonic() + EVERY
        self._failures += 1
        log.error("NO BACKUP WAS WRITTEN", extra={"why": why, "folder": self.folder, "failures": self._failures})
        self._say(good=False)

    def _prune(self) -> None:
        try:
            for name in to_delete(os.listdir(self.folder)):
                (self.folder / name).unlink(missing_ok=True)
        except OSError as error:
            log.warning("old backups stay", extra={"why": error.strerror, "folder": self.folder})

    def _say(self, *, good: bool) -> None:
        from redis import RedisError

        from core.backups import say_backup

        try:
            say_backup(good=good)
        except RedisError as error:
            log.info("the pages do not hear of backups", extra={"error": type(error).__name__})


def _write(url: str, file: IO[bytes], made: datetime, migrations: tuple[str, ...]) -> About:
    """The zip. HouseError where pg_dump gives up, OSError where the disk does."""
    where, environ = connection_for(url)
    found, size = hashlib.sha256(), 0
    words: list[str | Path] = [postgres_binaries(None) / "pg_dump", "--format=custom", "--no-owner", "--no-privileges"]
    with zipfile.ZipFile(file, "w", zipfile.ZIP_STORED) as archive, tempfile.TemporaryFile() as said:
        process = subprocess.Popen(
            [*words, "--lock-wait-timeout=20s", where],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=said,
            env=environ,
            cwd="/",
        )
        assert process.stdout
        try:
            with archive.open(zipfile.ZipInfo(DUMP, made.timetuple()[:6]), "w", force_zip64=True) as member:
                while block := process.stdout.read(1 << 18):
                    found.update(block)
                    size += len(block)
                    member.write(block)
        except BaseException:
            process.kill()
            raise
        finally:
            process.stdout.close()
            code = process.wait()
        if code:
            said.seek(0)
            raise HouseError(f"pg_dump gave up: {said.read().decode(errors='replace').strip()}")
        about = About(FORMAT, made.strftime(STAMP), size, found.hexdigest(), migrations)
        archive.writestr(zipfile.ZipInfo(ABOUT, made.timetuple()[:6]), json.dumps(asdict(about), indent=1))
    return about


def _free_name(folder: Path, made: datetime) -> Path:
    """A clock that was set back, or two backups in a second, overwrite none; by name the later comes last."""
    stem = f"gingodrome-{made.strftime(STAMP)}"
    names = [f"{stem}.zip", *(f"{stem}_{number:02}.zip" for number in range(2, 100))]
    return next(folder / name for name in names if not (folder / name).exists())


def _stamp(name: str) -> str:
    found = NAME.fullmatch(name)
    return found[1] if found else ""


def _sync(folder: Path) -> None:
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def main(args: list[str]) -> int:
    """Keeps backups until SIGTERM, and writes a last one then."""
    if len(args) != 1:
        print("usage: python -m config.backup FOLDER", file=sys.stderr)
        return 2
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    logging.config.dictConfig(logging_config(debug=False))
    over = threading.Event()

    def stop(_number: int, _frame: FrameType | None) -> None:
        over.set()

    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, stop)
    folder = Path(args[0])
    keeper = Keeper(os.environ["DATABASE_URL"], folder)
    while not over.is_set():
        keeper.look()
        over.wait(LOOK)
    keeper.look(now=True)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
