"""PostgreSQL and Valkey out of Python wheels, with a life cycle of our own.

Both listen on sockets in a private folder and on no port. They are children of the process that starts them,
and on Linux they end with it, however it ends. What an earlier, killed run left behind is stopped or
removed at the next start. Standard library and psycopg only; nothing of Django.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import socket
import subprocess
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import TracebackType
from urllib.parse import quote

import psycopg
from psycopg import sql

from config import house
from config.binaries import POSTGRES_MAJOR, postgres_binaries, valkey_binary
from config.house import Account, HouseError

NAME = "gingodrome"
ADMIN = "postgres"
START_SECONDS = 60.0
CONNECT_SECONDS = 5
STOP_SECONDS = 20.0
_SERVER_ENV = ("PATH", "HOME", "TMPDIR", "TZDIR")


class Server:
    """One child process: started, asked whether it lives, stopped. `name` is its log file, too."""

    name = ""
    soft, hard = signal.SIGTERM, signal.SIGKILL

    def __init__(self, base: Path, sockets: Path, account: Account | None) -> None:
        self.base, self.sockets, self.account = base, sockets, account
        self.log = base / f"{self.name}.log"
        self.process: subprocess.Popen[bytes] | None = None

    def spawn(self, command: Sequence[str | Path]) -> None:
        if self.log.exists() and self.log.stat().st_size > 1 << 20:
            self.log.replace(self.log.with_suffix(".log.1"))
        with self.log.open("ab") as out:
            self.process = subprocess.Popen(
                [str(word) for word in command],
                stdin=subprocess.DEVNULL,
                stdout=out,
                stderr=out,
                cwd="/",
                env=_environment(),
                start_new_session=True,
                preexec_fn=house.die_with_parent(self.soft),
                **(self.account.popen() if self.account else {}),
            )

    def alive(self) -> bool:
        return self.process is not None and self.process.poll() is None

    def stop(self) -> None:
        """End the process: the orderly way, then the hard way, and always before this returns."""
        process, self.process = self.process, None
        if process is None:
            return
        for sent in (self.soft, self.hard, signal.SIGKILL):
            if process.poll() is not None:
                return
            process.send_signal(sent)
            try:
                process.wait(STOP_SECONDS)
            except subprocess.TimeoutExpired:
                continue

    def failed(self, what: str) -> HouseError:
        tail = self.log.read_text(errors="replace").splitlines()[-5:]
        return HouseError(f"{what}; the end of {self.log}:\n  " + "\n  ".join(tail))


class Postgres(Server):
    """A cluster in `base/pg`. `durable` off trades safety for speed: for throwaway clusters only."""

    name = "postgresql"
    soft, hard = signal.SIGINT, signal.SIGQUIT  # "fast" and "immediate" shutdown

    def __init__(self, base: Path, sockets: Path, account: Account | None, *, durable: bool = True) -> None:
        super().__init__(base, sockets, account)
        self.durable = durable
        self.cluster = base / "pg"

    @property
    def url(self) -> str:
        password = house.secrets_of(self.base)["password"]
        return f"postgresql://{NAME}:{password}@/{NAME}?host={quote(str(self.sockets))}"

    def start(self) -> None:
        """Make the cluster if there is none, start it, and return when it answers and holds the database."""
        binaries = postgres_binaries(self.account)
        self.stop_orphan()
        if not self.cluster.exists():
            self._make(binaries)
        found = (self.cluster / "PG_VERSION").read_text().strip()
        if found != POSTGRES_MAJOR:
            raise HouseError(
                f"The data in {self.base} was written by PostgreSQL {found} and this is PostgreSQL {POSTGRES_MAJOR}: "
                "dump it with the old version of Gingodrome and load it with this one."
            )
        settings = {
            "listen_addresses": "",
            "unix_socket_directories": '"' + str(self.sockets).replace('"', '""') + '"',
            "unix_socket_permissions": "0700",
            "port": "5432",
            "timezone": "UTC",
            "log_timezone": "UTC",
            "jit": "off",
        }
        if not self.durable:
            settings |= {"fsync": "off", "synchronous_commit": "off", "full_page_writes": "off"}
            # Tests take everything back: a vacuum would teach the planner that all tables are empty, and it would
            # plan for that while a test fills them.
            settings |= {"autovacuum": "off"}
        options = [f"--{key}={value}" for key, value in settings.items()]
        deadline = time.monotonic() + START_SECONDS
        while True:
            self.spawn([binaries / "postgres", "-D", self.cluster, *options])
            if self._answers(deadline):
                return
            self.stop()
            # The children of a killed server can hold its shared memory for a moment: that passes.
            held = "pre-existing shared memory" in self.log.read_text(errors="replace")[-2000:]
            if not held or time.monotonic() > deadline:
                raise self.failed("PostgreSQL did not start")
            time.sleep(0.3)

    def stop_orphan(self) -> None:
        """Stop the server of a killed run, and remove a pid file or a socket that no server stands behind."""
        pid_file = self.cluster / "postmaster.pid"
        try:
            pid = int(pid_file.read_text().split("\n", 1)[0])
        except (FileNotFoundError, ValueError):
            pid = 0
        if pid > 1 and _is_postmaster(pid, self.cluster):
            for sent in (self.soft, self.hard, signal.SIGKILL):
                if _end(pid, sent, self.cluster):
                    break
        # From here on nobody serves this cluster (the caller holds the lock of its folder). A pid in a stale
        # file may belong to another program by now, which PostgreSQL would take for a living server.
        pid_file.unlink(missing_ok=True)
        for name in (".s.PGSQL.5432", ".s.PGSQL.5432.lock"):
            (self.sockets / name).unlink(missing_ok=True)

    def _make(self, binaries: Path) -> None:
        aside = self.base / "pg.new"
        shutil.rmtree(aside, ignore_errors=True)
        password = self.base / ".initdb"
        house.write_private(password, house.secrets_of(self.base)["admin_password"])
        aside.mkdir(mode=0o700)
        if self.account:
            os.chown(aside, self.account.uid, self.account.gid)
            os.chown(password, self.account.uid, self.account.gid)
        # The wheel has no ICU, and initdb stops at an unknown LANG: the locale never comes from the machine.
        locale = ["--locale=C", "--locale-provider=builtin", "--builtin-locale=C.UTF-8", "-E", "UTF8"]
        access = ["-U", ADMIN, "--auth=scram-sha-256", f"--pwfile={password}"]
        try:
            subprocess.run(
                [
                    binaries / "initdb",
                    "-D",
                    aside,
                    *locale,
                    *access,
                    *([] if self.durable else ["--no-sync"]),
                ],
                check=True,
                capture_output=True,
                text=True,
                cwd="/",
                env=_environment(),
                **(self.account.popen() if self.account else {}),
            )
        except subprocess.CalledProcessError as error:
            raise HouseError(f"initdb failed: {error.stderr.strip()}") from error
        finally:
            password.unlink()
        aside.rename(self.cluster)

    def _answers(self, deadline: float) -> bool:
        password = house.secrets_of(self.base)["admin_password"]
        while self.alive() and time.monotonic() < deadline:
            try:
                with psycopg.connect(
                    host=str(self.sockets),
                    port=5432,
                    user=ADMIN,
                    password=password,
                    dbname=ADMIN,
                    autocommit=True,
                    connect_timeout=CONNECT_SECONDS,
                ) as connection:
                    self._provide(connection)
            except psycopg.OperationalError:  # not there yet, or gone again while it was asked
                time.sleep(0.02)
            else:
                return True
        return False

    def _provide(self, connection: psycopg.Connection) -> None:
        """The role and the database of the application; the role is no superuser."""
        if not connection.execute("SELECT 1 FROM pg_roles WHERE rolname = %s", [NAME]).fetchone():
            password = house.secrets_of(self.base)["password"]
            connection.execute(
                sql.SQL("CREATE ROLE {} LOGIN CREATEDB PASSWORD {}").format(sql.Identifier(NAME), password)
            )
        if not connection.execute("SELECT 1 FROM pg_database WHERE datname = %s", [NAME]).fetchone():
            connection.execute(sql.SQL("CREATE DATABASE {0} OWNER {0}").format(sql.Identifier(NAME)))


class Valkey(Server):
    """The broker, live bus and cache. It writes nothing to disk: whatever must last is in PostgreSQL."""

    name = "valkey"

    @property
    def socket(self) -> Path:
        return self.sockets / "valkey.sock"

    @property
    def url(self) -> str:
        return f"unix://{quote(str(self.socket))}"

    def start(self) -> None:
        self.stop_orphan()
        place = ["--unixsocket", str(self.socket), "--unixsocketperm", "700", "--dir", str(self.sockets)]
        memory_only = ["--save", "", "--appendonly", "no", "--loglevel", "warning"]
        self.spawn([valkey_binary(self.account), "--port", "0", *place, *memory_only])
        deadline = time.monotonic() + START_SECONDS
        while not self._say(b"PING"):
            if not self.alive() or time.monotonic() > deadline:
                self.stop()
                raise self.failed("Valkey did not start")
            time.sleep(0.01)

    def stop_orphan(self) -> None:
        """Stop the server of a killed run and remove its socket."""
        deadline = time.monotonic() + STOP_SECONDS
        if self._say(b"SHUTDOWN NOSAVE"):
            while self._say(b"PING") and time.monotonic() < deadline:
                time.sleep(0.02)
        self.socket.unlink(missing_ok=True)

    def _say(self, word: bytes) -> bool:
        """Whether a server took the command: it answered it, or closed the line because it obeyed."""
        with socket.socket(socket.AF_UNIX) as line:
            line.settimeout(2)
            try:
                line.connect(str(self.socket))
                line.sendall(word + b"\r\n")
                line.recv(64)
            except OSError:
                return False
        return True


class Servers:
    """Both servers of one house at `base`. The caller holds the lock of the folder."""

    def __init__(self, base: Path, account: Account | None = None, *, durable: bool = True) -> None:
        house.check_platform()
        house.own_folder(base, 0o711 if account else 0o700)
        sockets = house.socket_folder(base, account)
        self.base = base
        self.postgres = Postgres(base, sockets, account, durable=durable)
        self.valkey = Valkey(base, sockets, account)

    def environment(self) -> dict[str, str]:
        """What settings read; right whether or not the servers run."""
        return {
            "DATABASE_URL": self.postgres.url,
            "REDIS_URL": self.valkey.url,
            "SECRET_KEY": house.secrets_of(self.base)["secret_key"],
            "GINGODROME_EMBEDDED": "1",
        }

    def start(self) -> None:
        try:
            self.valkey.start()
            self.postgres.start()
        except BaseException:
            self.stop()
            raise

    def stop(self) -> None:
        self.valkey.stop()
        self.postgres.stop()

    def stop_orphans(self) -> None:
        self.valkey.stop_orphan()
        self.postgres.stop_orphan()

    def __enter__(self) -> Servers:
        self.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()


def _environment() -> Mapping[str, str]:
    """Neither a PG* variable nor a strange locale of the caller reaches the servers."""
    return {key: os.environ[key] for key in _SERVER_ENV if key in os.environ} | {"LC_ALL": "C", "TZ": "UTC"}


def _is_postmaster(pid: int, cluster: Path) -> bool:
    """Whether process `pid` is a PostgreSQL server of `cluster` and not some later owner of the number."""
    try:
        return Path(f"/proc/{pid}/cwd").resolve(strict=True) == cluster.resolve()
    except FileNotFoundError:
        if Path("/proc/self").exists():
            return False
    except PermissionError:
        return False
    told = subprocess.run(["ps", "-ww", "-o", "command=", "-p", str(pid)], capture_output=True, text=True, check=False)
    return f"-D {cluster} " in told.stdout


def _end(pid: int, sent: signal.Signals, cluster: Path) -> bool:
    """Send a signal to a server that is no child of ours; whether it was gone in time.

    A zombie counts as gone: it has no folder any more, and in a container nobody may ever reap it.
    """
    deadline = time.monotonic() + STOP_SECONDS
    with contextlib.suppress(ProcessLookupError):
        os.kill(pid, sent)
    while _is_postmaster(pid, cluster):
        if time.monotonic() > deadline:
            return False
        time.sleep(0.02)
    return True
