"""The real house for tests: all its processes, started through `manage.py up`, on data and ports of their own."""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

from config import house, supervisor
from config.house import Account

BASE_PYTHON = os.path.realpath(getattr(sys, "_base_executable", sys.executable))
START_SECONDS = 120.0
STOP_SECONDS = 40.0
MARKS = {
    "web": "config.web",
    "ticker": "config.ticker",
    "worker": "worker@",
    "heavy": "heavy@",
    "valkey": "valkey-server",
    "postgresql": "postgres",
}


class RunningHouse:
    """A house that answers. `url` has no slash at its end; `log()` is what it has printed so far."""

    def __init__(self, base: Path, process: subprocess.Popen[bytes]) -> None:
        self.base, self.process = base, process
        self.data = house.data_folder(str(base))
        self.url = self.database_url = self.redis_url = ""

    def log(self) -> str:
        return (self.base / "house.log").read_text(errors="replace")

    def pids(self) -> dict[str, int]:
        """The process id of each part that runs now, by name, and of the `supervisor`."""
        found = {"supervisor": self.process.pid} if self.process.poll() is None else {}
        for pid, parent, command in processes():
            if parent == self.process.pid:
                found |= {name: pid for name, mark in MARKS.items() if mark in command}
        return found

    def wait_until_ready(self) -> None:
        """Return when it serves pages; fail, with what it printed, when it ends or takes too long."""
        deadline = time.monotonic() + START_SECONDS
        while not self.url:
            if self.process.poll() is not None or time.monotonic() > deadline:
                raise AssertionError(f"The house did not start:\n{self.log()}")
            state = supervisor.read_state(self.data)
            if state.get("address") and house.is_locked(self.data / "lock"):
                self.url = state["address"].rstrip("/")
                self.database_url = state["environment"]["DATABASE_URL"]
                self.redis_url = state["environment"]["REDIS_URL"]
            time.sleep(0.05)

    def wait_until_whole(self) -> None:
        """Return when every process lives and says so."""
        port = int(self.url.rpartition(":")[2])
        deadline = time.monotonic() + START_SECONDS
        while not (supervisor.health(port) or {}).get("ok"):
            if time.monotonic() > deadline:
                raise AssertionError(f"Not every process lives: {supervisor.health(port)}\n{self.log()}")
            time.sleep(0.1)

    def stop(self, sent: signal.Signals = signal.SIGTERM) -> float:
        """Ask it to stop and return the seconds it took. Sent to the whole group, as Ctrl-C does."""
        started = time.monotonic()
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self.process.pid, sent)
        self.process.wait(STOP_SECONDS)
        return time.monotonic() - started


@contextlib.contextmanager
def running_house(
    *, whole: bool = False, base: Path | None = None, options: Sequence[str] = (), **env: str
) -> Iterator[RunningHouse]:
    """Start a house, yield it when it serves pages (`whole`: when every process lives), stop it, leave nothing.

    `options` are words of `up`, `env` is added to the environment of its processes. `base` lets several houses follow each other on the same
    data; without it the data is thrown away at the end.
    """
    with contextlib.ExitStack() as stack:
        if base is None:
            base = Path(tempfile.mkdtemp(prefix="gingodrome-house-"))
            stack.callback(shutil.rmtree, base, ignore_errors=True)
        with (base / "house.log").open("ab") as log:
            process = subprocess.Popen(
                [sys.executable, str(house.ROOT / "manage.py"), "up", "--port", "0", *options],
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                env=clean_environ() | {"GINGODROME_DATA": str(base)} | env,
                start_new_session=True,
            )
        running = RunningHouse(base, process)
        stack.callback(_end, running)
        running.wait_until_ready()
        if whole:
            running.wait_until_whole()
        yield running


def clean_environ() -> dict[str, str]:
    """This environment without the servers of the test run: a house that is started in it makes its own."""
    ours = ("DATABASE_URL", "REDIS_URL", "SECRET_KEY", "GINGODROME_EMBEDDED", "GINGODROME_DATA")
    return {name: value for name, value in os.environ.items() if name not in ours}


def python_for(account: Account) -> str:
    """A Python that `account` can read and make environments with; empty where there is none."""
    probe = "import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 11))"
    for python in (BASE_PYTHON, "/usr/bin/python3", "/usr/local/bin/python3"):
        with contextlib.suppress(OSError):
            words = [python, "-c", probe]
            if (
                subprocess.run(words, capture_output=True, cwd="/", env=clean_environ(), **account.popen()).returncode
                == 0
            ):
                return python
    return ""


def processes() -> list[tuple[int, int, str]]:
    """(pid, parent, command line) of everything that runs; a zombie has an empty command line."""
    if not Path("/proc/self/stat").exists():
        told = subprocess.run(["ps", "-A", "-o", "pid=,ppid=,command="], capture_output=True, text=True, check=True)
        rows = (line.split(None, 2) for line in told.stdout.splitlines())
        return [(int(row[0]), int(row[1]), row[2]) for row in rows if len(row) == 3]
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            command = (folder / "cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
            parent = int((folder / "stat").read_text().rpartition(")")[2].split()[1])
            found.append((int(folder.name), parent, command))
    return found


def running_in(base: Path) -> list[int]:
    """The processes, this one left out, whose command line names `base`."""
    return [pid for pid, _parent, command in processes() if str(base) in command and pid != os.getpid()]


def _end(running: RunningHouse) -> None:
    if running.process.poll() is None:
        try:
            running.stop()
        except subprocess.TimeoutExpired:
            running.process.kill()
            running.process.wait()
