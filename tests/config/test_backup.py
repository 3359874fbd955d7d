"""Backups: consistent, written whole or not at all, thinned out, loud where they fail; and back again, or not at all."""

from __future__ import annotations

import json
import logging
import os
import resource
import subprocess
import sys
import time
import zipfile
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import psycopg
import pytest
from django.test import Client

from config import backup, house, restoring
from config.backup import ABOUT, DUMP, MARK, PART, STAMP, Keeper, dump, prepared, to_delete
from config.embedded import NAME
from config.house import HouseError
from config.testing import ThrowawayServers
from core.backups import KEY, backup_state, say_backup
from core.valkey import client
from players.actor import SYSTEM
from players.rules.rights import REFEREE
from players.services import create_people, grant_role, house_scope

URL = "postgresql://{}:{}@/{}?host={}"


@pytest.fixture(scope="module")
def servers() -> Iterator[ThrowawayServers]:
    own = ThrowawayServers()
    own.start()
    yield own
    own.stop()


@pytest.fixture
def url(servers: ThrowawayServers) -> Iterator[str]:
    """A database with something in it; empty again afterwards."""
    where = servers.environment["DATABASE_URL"]
    with psycopg.connect(where, autocommit=True) as database:
        database.execute("CREATE TABLE card (name text PRIMARY KEY); INSERT INTO card VALUES ('asso'), ('tre')")
    yield where
    with psycopg.connect(where, autocommit=True) as database:
        database.execute("DROP SCHEMA public CASCADE; CREATE SCHEMA public")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return prepared(str(tmp_path / "stick"), None)


def cards(url: str) -> list[str]:
    with psycopg.connect(url) as database:
        return [name for (name,) in database.execute("SELECT name FROM card ORDER BY name").fetchall()]


def change(url: str, words: str) -> None:
    with psycopg.connect(url, autocommit=True) as database:
        database.execute(words.encode())
        database.execute("SELECT pg_stat_force_next_flush()")


def files(folder: Path) -> list[str]:
    return sorted(name for name in os.listdir(folder) if name != MARK)


def test_a_backup_becomes_the_same_database_again(url: str, folder: Path) -> None:
    written = dump(url, folder)
    assert files(folder) == [written.file.name]
    assert written.file.stat().st_mode & 0o777 == 0o600
    assert restoring.check(written.file) == written.about
    change(url, "DELETE FROM card; CREATE TABLE other (id int)")
    restoring.restore(url, written.file, replace=True)
    assert cards(url) == ["asso", "tre"]
    # What was put in can be written and put in again: the schema is as a fresh one.
    again = dump(url, folder)
    change(url, "DROP SCHEMA public CASCADE; CREATE SCHEMA public")
    restoring.restore(url, again.file, replace=False)
    assert cards(url) == ["asso", "tre"]


def test_what_is_there_is_thrown_away_only_by_request_and_only_for_a_whole_backup(url: str, folder: Path) -> None:
    written = dump(url, folder)
    with pytest.raises(HouseError, match="not empty"):
        restoring.restore(url, written.file, replace=False)
    # A dump that PostgreSQL cannot take: what is there stays.
    with zipfile.ZipFile(written.file) as whole:
        broken = whole.read(DUMP)
    target = folder / "broken.zip"
    with zipfile.ZipFile(target, "w") as archive:
        archive.writestr(DUMP, broken[: len(broken) * 2 // 3])
    with pytest.raises(HouseError, match="cannot be read"):
        restoring.restore(url, target, replace=True)
    assert cards(url) == ["asso", "tre"]


def test_nothing_is_restored_under_somebody_who_works_there(url: str, folder: Path) -> None:
    written = dump(url, folder)
    with psycopg.connect(url), pytest.raises(HouseError, match="Somebody uses this database"):
        restoring.restore(url, written.file, replace=True)


def rewritten(source: Path, target: Path, **about: Any) -> Path:
    """The same backup, but for what it says of itself."""
    with zipfile.ZipFile(source) as whole, zipfile.ZipFile(target, "w") as other:
        other.writestr(DUMP, whole.read(DUMP))
        other.writestr(ABOUT, json.dumps(json.loads(whole.read(ABOUT)) | about))
    return target


def test_what_is_damaged_strange_or_too_new_is_told(url: str, folder: Path, tmp_path: Path) -> None:
    good = dump(url, folder).file
    flipped = bytearray(good.read_bytes())
    flipped[len(flipped) // 2] ^= 1
    (tmp_path / "flipped.zip").write_bytes(flipped)
    (tmp_path / "short.zip").write_bytes(good.read_bytes()[:-100])
    (tmp_path / "text.zip").write_text("no zip")
    rewritten(good, tmp_path / "sum.zip", sha256="0" * 64)
    rewritten(good, tmp_path / "format.zip", format=2)
    rewritten(good, tmp_path / "newer.zip", migrations=["core.9999_to_come"])
    rewritten(good, tmp_path / "field.zip", strange=1)
    told = {
        "flipped": "damaged",
        "short": "damaged",
        "text": "damaged",
        "sum": "checksum",
        "format": "newer",
        "newer": "newer",
        "field": "no backup of Gingodrome",
        "missing": "There is no file",
    }
    for name, words in told.items():
        with pytest.raises(HouseError, match=words):
            restoring.check(tmp_path / f"{name}.zip")
    # Migrations of packages that are installed beside us are nobody's business here.
    assert restoring.check(rewritten(good, tmp_path / "axes.zip", migrations=["axes.0001_initial"]))


def test_a_full_disk_leaves_nothing_half_and_the_last_backup(
    servers: ThrowawayServers, url: str, folder: Path, caplog: pytest.LogCaptureFixture, settings: Any
) -> None:
    """The kernel refuses more than a little: as a stick does that is full."""
    settings.BACKUP = True
    change(url, "INSERT INTO card SELECT md5(n::text) FROM generate_series(1, 5000) n")
    keeper = Keeper(url, folder)
    first = keeper.look()
    assert first
    assert backup_state() == "fresh"
    change(url, "INSERT INTO card VALUES ('re')")
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (first.file.stat().st_size // 2, limits[1]))
    try:
        with caplog.at_level(logging.ERROR, "config.backup"):
            assert keeper.look(now=True) is None
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    assert caplog.messages == ["NO BACKUP WAS WRITTEN"]
    assert "File too large" in caplog.records[0].__dict__["why"]
    assert files(folder) == [first.file.name]
    assert backup_state() == "old"
    assert keeper.look() is None  # a minute has to pass
    assert backup_state() == "old"
    second = keeper.look(now=True)
    assert second
    assert second.about.size > 0
    assert backup_state() == "fresh"


def test_a_stick_that_was_pulled_out_is_told_and_nothing_is_written_in_its_place(
    url: str, folder: Path, caplog: pytest.LogCaptureFixture
) -> None:
    keeper = Keeper(url, folder)
    assert keeper.look()
    for name in os.listdir(folder):
        (folder / name).unlink()  # what is left is an empty folder, where it was mounted
    assert keeper.look(now=True) is None
    assert "was the stick pulled out?" in caplog.records[-1].__dict__["why"]
    assert os.listdir(folder) == []
    prepared(str(folder), None)
    assert keeper.look(now=True)  # nothing changed, but this stick has no backup yet
    assert caplog.messages[-1] == "backups are written again"


def test_nothing_is_written_where_nothing_changed(url: str, folder: Path) -> None:
    keeper = Keeper(url, folder)
    assert keeper.look()
    assert keeper.look(now=True) is None
    change(url, "CREATE TABLE IF NOT EXISTS gameplay_clockcheck (id int); INSERT INTO gameplay_clockcheck VALUES (1)")
    assert keeper.look(now=True) is None  # a sign of life of the ticker is no change
    change(url, "UPDATE card SET name = 'due' WHERE name = 'tre'")
    assert keeper.look() is None  # not within the minute
    assert keeper.look(now=True)
    assert len(files(folder)) == 2


def test_a_database_that_is_away_is_told_and_does_not_end_it(
    folder: Path, caplog: pytest.LogCaptureFixture, tmp_path: Path
) -> None:
    keeper = Keeper(URL.format("nobody", "x", NAME, tmp_path), folder)
    assert keeper.look() is None
    assert caplog.messages == ["NO BACKUP WAS WRITTEN"]
    assert files(folder) == []


def test_pg_dump_that_gives_up_leaves_no_file(url: str, folder: Path, servers: ThrowawayServers) -> None:
    """Somebody without rights: the database answers, and pg_dump may not read it."""
    admin = {"user": "postgres", "password": house.secrets_of(servers.base)["admin_password"], "dbname": NAME}
    with psycopg.connect(host=str(servers.servers.valkey.sockets), autocommit=True, **admin) as database:
        database.execute("CREATE ROLE guest LOGIN PASSWORD 'guest'")
    with pytest.raises(HouseError, match=r"pg_dump gave up(.|\n)*permission denied"):
        dump(URL.format("guest", "guest", NAME, servers.servers.valkey.sockets), folder)
    assert files(folder) == []


def test_pages_believe_the_last_word_for_a_while_only(settings: Any) -> None:
    assert backup_state() == ""
    settings.BACKUP = True
    client().delete(KEY)
    assert backup_state() == "old"
    client().set(KEY, 1, px=100)
    assert backup_state() == "fresh"
    time.sleep(0.15)
    assert backup_state() == "old"


@pytest.mark.django_db
def test_staff_reads_on_the_first_page_whether_it_is_fresh_and_nobody_when_it_was(settings: Any) -> None:
    settings.BACKUP = True
    staff, guest = Client(headers={"accept-language": "en"}), Client(headers={"accept-language": "en"})
    rita = create_people(["Rita"])[0]
    grant_role(SYSTEM, person=rita.pk, scope=house_scope().pk, role=REFEREE)
    staff.force_login(rita)
    for good, words in ((True, "The last backup is fresh."), (False, "The last backup is old")):
        say_backup(good=good)
        assert words in staff.get("/").text
        assert "backup" not in guest.get("/").text


def names(*ago: timedelta) -> list[str]:
    now = datetime(2026, 11, 30, 23, 30, tzinfo=UTC)
    return [f"gingodrome-{(now - one).strftime(STAMP)}.zip" for one in ago]


def test_the_newest_are_kept_and_then_one_of_each_hour() -> None:
    minutes = names(*(timedelta(minutes=minute) for minute in range(300)))
    gone = to_delete(minutes, dense=60, hourly=72)
    assert not set(minutes[:60]) & set(gone)
    kept = set(minutes) - set(gone)
    # Before them the last of each hour: at 21:59, 20:59, 19:59 and 18:59.
    assert sorted(kept - set(minutes[:60])) == sorted(minutes[at] for at in (91, 151, 211, 271))
    days = names(*(timedelta(hours=hour) for hour in range(200)))
    assert to_delete(days, dense=60, hourly=72) == days[72:]
    assert to_delete(["holiday.zip", MARK, PART, "gingodrome-2026.zip"], 0, 0) == []


def test_two_backups_in_one_second_are_two_files(url: str, folder: Path) -> None:
    made = [dump(url, folder).file.name for _ in range(3)]
    assert len(set(made)) == 3
    assert to_delete(made, 0, 0) == sorted(made, reverse=True)


def test_a_folder_that_cannot_be_is_said_in_a_sentence(tmp_path: Path) -> None:
    with pytest.raises(HouseError, match=r"No backups can be kept in .*Is the stick there\?"):
        prepared(str(tmp_path / "no" / "stick"), None)


@pytest.mark.skipif(os.geteuid() != 0, reason="needs root: it hands the house to another account")
def test_root_makes_the_folder_for_the_account_of_the_house(tmp_path: Path) -> None:
    account = house.unprivileged_account()
    assert account
    closed = tmp_path / "closed"
    closed.mkdir(mode=0o700)
    with pytest.raises(HouseError, match=f"the account {account.name}, which cannot write"):
        prepared(str(closed), account)
    # Everything above it must be passable, as a stick is.
    for parent in [tmp_path, *tmp_path.parents]:
        if parent.stat().st_uid == os.geteuid() and parent.stat().st_mode & 0o011 == 0:
            parent.chmod(0o711)
    made = prepared(str(tmp_path / "open"), account)
    assert made.stat().st_uid == account.uid


def test_backups_of_one_second_stand_in_their_order(url: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    class Stopped(datetime):
        @classmethod
        def now(cls, tz: Any = None) -> datetime:
            return datetime(2026, 11, 30, 16, tzinfo=tz)

    monkeypatch.setattr(backup, "datetime", Stopped)
    written = [dump(url, folder).file.name for _ in range(11)]
    assert written == sorted(set(written)) == files(folder)
    assert to_delete(written, dense=3, hourly=1) == written[-4::-1]


def test_the_process_writes_one_at_once_and_a_last_one_at_its_end(
    url: str, folder: Path, servers: ThrowawayServers
) -> None:
    process = subprocess.Popen(
        [sys.executable, "-m", "config.backup", str(folder)],
        cwd=house.ROOT,
        env={**os.environ, **servers.environment},
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        end = time.monotonic() + 60
        while not files(folder) or PART in files(folder):
            assert process.poll() is None
            assert time.monotonic() < end
            time.sleep(0.05)
        change(url, "INSERT INTO card VALUES ('cavallo')")
    finally:
        process.terminate()
        _, said = process.communicate(timeout=60)
    assert process.returncode == 0, said
    last = folder / files(folder)[-1]
    assert len(files(folder)) == 2
    restoring.restore(url, last, replace=True)
    assert "cavallo" in cards(url)
    assert backup.told(backup.Backup(last, restoring.check(last), 1.0)).startswith(str(last))
