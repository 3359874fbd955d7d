"""A backup becomes a house again: checked to the last byte, and put in whole or not at all."""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import tempfile
import zipfile
from pathlib import Path

import psycopg

from config.backup import ABOUT, DUMP, FORMAT, About, connection_for
from config.binaries import postgres_binaries
from config.house import ROOT, HouseError

EMPTIED = (
    "DROP SCHEMA public CASCADE",
    "CREATE SCHEMA public",
    "ALTER SCHEMA public OWNER TO pg_database_owner",
    "GRANT USAGE ON SCHEMA public TO PUBLIC",
)
TABLES = "SELECT count(*) FROM pg_tables WHERE schemaname = 'public'"
OTHERS = """
SELECT count(*) FROM pg_stat_activity
WHERE datname = current_database() AND backend_type = 'client backend' AND pid <> pg_backend_pid()
"""


def check(file: Path) -> About:
    """What a backup says of itself. HouseError where it is damaged, no backup, or of a newer Gingodrome."""
    try:
        with zipfile.ZipFile(file) as archive:
            told = json.loads(archive.read(ABOUT))
            about = About(**{**told, "migrations": tuple(told["migrations"])})
            found = hashlib.sha256()
            with archive.open(DUMP) as dump:
                while block := dump.read(1 << 20):
                    found.update(block)
    except FileNotFoundError:
        raise HouseError(f"There is no file {file}.") from None
    except OSError as error:
        raise HouseError(f"{file} cannot be read: {error.strerror or error}.") from error
    except (zipfile.BadZipFile, KeyError, TypeError, ValueError, EOFError, NotImplementedError):
        raise HouseError(f"{file} is no backup of Gingodrome, or it is damaged: take the one before it.") from None
    if found.hexdigest() != about.sha256:
        raise HouseError(f"{file} is damaged: its checksum is another one. Take the one before it.")
    if about.format > FORMAT or _unknown(about.migrations):
        raise HouseError(f"{file} was written by a newer Gingodrome: restore it with that one or a newer one.")
    return about


def restore(url: str, file: Path, *, replace: bool) -> None:
    """Fill the database at `url` from a backup that was checked, in one transaction.

    HouseError where something is in it (unless `replace`: that is thrown away), where somebody uses it, or where
    PostgreSQL refuses; then it is as it was.
    """
    with psycopg.connect(url, connect_timeout=5, autocommit=True) as database:
        if _number(database, OTHERS):
            raise HouseError("Somebody uses this database: stop Gingodrome here (Ctrl-C) and try again.")
        if _number(database, TABLES) and not replace:
            raise HouseError(
                "This house is not empty. To throw away what is in it:  manage.py restore FILE --replace  "
                "(manage.py backup FOLDER keeps it first)."
            )
    where, environ = connection_for(url)
    binaries = postgres_binaries(None)
    with tempfile.TemporaryDirectory(prefix="gingodrome-restore-") as folder:
        script = Path(folder) / "restore.sql"
        with zipfile.ZipFile(file) as archive:
            dump = archive.extract(DUMP, folder)
        # First everything to SQL, then all of it at once: a dump that breaks off changes nothing.
        words: list[str | Path] = [binaries / "pg_restore", "--no-owner", "--no-privileges", "--file", script, dump]
        read = _run(words, environ)
        if read.returncode:
            raise HouseError(f"{file} cannot be read: {read.stderr.strip()}")
        quiet = ["-X", "-q", "-v", "ON_ERROR_STOP=1", "-o", os.devnull, "--single-transaction"]
        first = [f"--command={command}" for command in EMPTIED] if replace else []
        done = _run([binaries / "psql", *quiet, *first, f"--file={script}", where], environ)
        if done.returncode:
            raise HouseError(f"The backup could not be restored, and nothing was changed: {done.stderr.strip()}")


def told(url: str, file: Path) -> str:
    """A line for the person at the keyboard: what is there now."""
    with psycopg.connect(url, connect_timeout=5) as database:
        tournaments = _number(database, "SELECT count(*) FROM tournaments_tournament")
        sheets = _number(database, "SELECT count(*) FROM scoring_sheet")
    return f"Restored from {file.name}: {tournaments} tournaments, {sheets} scoresheets.  Now:  python3 manage.py up"


def _run(words: list[str | Path], environ: dict[str, str]) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        words, stdin=subprocess.DEVNULL, capture_output=True, text=True, env=environ, cwd="/", check=False
    )


def _number(database: psycopg.Connection, question: str) -> int:
    row = database.execute(question.encode()).fetchone()
    return int(row[0]) if row else 0


def _unknown(migrations: tuple[str, ...]) -> bool:
    """Whether one of them is of a room of ours and not in this checkout."""
    named = (name.split(".", 1) for name in migrations)
    rooms = [(app, name) for app, name in named if (ROOT / app / "migrations").is_dir()]
    return any(not (ROOT / app / "migrations" / f"{name}.py").is_file() for app, name in rooms)
