"""The house as a whole: its real processes, killed, stopped and started again."""

from __future__ import annotations

import contextlib
import itertools
import os
import resource
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest

from config import house, supervisor
from config.house import HouseError
from tests.config.house import until
from tests.e2e.house import RunningHouse, clean_environ, processes, running_house

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def base() -> Iterator[Path]:
    path = Path(tempfile.mkdtemp(prefix="gingodrome-house-"))
    yield path
    shutil.rmtree(path, ignore_errors=True)


@pytest.fixture(scope="module")
def running(base: Path) -> Iterator[RunningHouse]:
    with running_house(base=base, whole=True) as here:
        yield here


def manage(*args: str, base: Path, cwd: Path = house.ROOT, **env: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, str(house.ROOT / "manage.py"), *args],
        env=clean_environ() | {"GINGODROME_DATA": str(base)} | env,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=120,
        cwd=cwd,
    )


def family(pid: int) -> set[int]:
    """A process and everything below it, zombies left out."""
    rows = processes()
    found = {pid}
    while more := {child for child, parent, _command in rows if parent in found} - found:
        found |= more
    return {number for number, _parent, command in rows if number in found and command}


def alive(pids: set[int]) -> set[int]:
    return {pid for pid, _parent, command in processes() if pid in pids and command}


def test_four_processes_and_two_servers_serve_a_page(running: RunningHouse) -> None:
    parts = {"supervisor", "web", "ticker", "worker", "heavy", "valkey", "postgresql"}
    assert running.pids().keys() == parts
    with urllib.request.urlopen(f"{running.url}/healthz") as answer:
        assert answer.status == 200
    assert f"Gingodrome is ready:  {running.url}/" in running.log()


@pytest.mark.skipif(os.geteuid() != 0, reason="needs root: it looks at what root hands over")
def test_as_root_no_process_of_the_house_is_roots(running: RunningHouse) -> None:
    account = house.unprivileged_account()
    assert account
    for pid in family(running.process.pid):
        status = Path(f"/proc/{pid}/status").read_text()
        assert f"Uid:\t{account.uid}\t{account.uid}\t{account.uid}\t{account.uid}" in status
        assert "CapEff:\t0000000000000000" in status
        assert "Groups:\t \n" in status


def test_a_second_up_says_where_the_first_is(running: RunningHouse) -> None:
    second = manage("up", base=running.base)
    assert second.returncode == 0, second.stderr
    assert f"already running:  {running.url}/" in second.stdout


def test_a_command_uses_the_database_of_the_running_house(running: RunningHouse) -> None:
    question = "from django.db import connection as c; print(c.settings_dict['HOST'], c.cursor().execute('SELECT 1'))"
    done = manage("shell", "-v0", "-c", question, base=running.base)
    assert done.returncode == 0, done.stderr
    assert str(house.data_folder(str(running.base))) in done.stdout


def test_the_heavy_process_is_nice_and_the_web_process_is_not(running: RunningHouse) -> None:
    pids = running.pids()
    mine = os.getpriority(os.PRIO_PROCESS, 0)
    assert os.getpriority(os.PRIO_PROCESS, pids["heavy"]) == min(19, mine + 10)
    assert os.getpriority(os.PRIO_PROCESS, pids["web"]) == mine


def test_what_is_killed_comes_back_and_the_address_stays(running: RunningHouse) -> None:
    before = running.pids()
    forked = family(before["heavy"]) - {before["heavy"]}
    assert forked
    for name in ("web", "ticker", "worker", "heavy", "valkey", "postgresql"):
        os.kill(before[name], signal.SIGKILL)
    until(lambda: not alive(forked), "the pool of a killed worker ends")
    until(lambda: running.pids().keys() == before.keys(), "every part is back")
    running.wait_until_whole()
    after = running.pids()
    assert after["supervisor"] == before["supervisor"]
    assert all(after[name] != before[name] for name in before if name != "supervisor")
    assert "next start in" in running.log()


def test_ctrl_c_leaves_no_process_and_stops_in_order(running: RunningHouse) -> None:
    everybody = family(running.process.pid)
    assert len(everybody) > 10
    order = ("web",), ("ticker",), ("worker", "heavy"), ("valkey",), ("postgresql",)
    pids = running.pids()
    last_seen: dict[str, float] = {}
    running.process.send_signal(signal.SIGINT)
    while running.process.poll() is None:
        now = time.monotonic()
        living = alive(set(pids.values()))
        last_seen |= {name: now for name, pid in pids.items() if pid in living}
    assert running.process.returncode == 0
    for earlier, later in itertools.pairwise(order):
        assert max(last_seen[name] for name in earlier) <= min(last_seen[name] for name in later), (earlier, later)
    assert not alive(everybody)
    assert not house.is_locked(running.data / "lock")


def test_killed_supervisor_leaves_nothing_that_blocks_the_next_up(base: Path) -> None:
    with running_house(base=base) as first:
        everybody = family(first.process.pid)
        first.process.kill()
        first.process.wait()
        started = time.monotonic()
        with running_house(base=base, whole=True) as second:
            assert time.monotonic() - started < 60
            assert not alive(everybody - family(second.process.pid))
            assert second.database_url == first.database_url


def test_commands_start_the_servers_they_need_and_share_them(base: Path) -> None:
    words = [sys.executable, str(house.ROOT / "manage.py"), "shell", "-v0", "-c"]
    code = "import time; from django.db import connection as c; {}; print(c.cursor().execute('SELECT 6*7').fetchone())"
    commands = [
        subprocess.Popen(
            [*words, code.format(f"time.sleep({seconds})")],
            env=clean_environ() | {"GINGODROME_DATA": str(base)},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            text=True,
        )
        for seconds in (0, 3)
    ]
    for command in commands:
        out, _ = command.communicate(timeout=60)
        assert "(42,)" in out
    data = house.data_folder(str(base))
    until(lambda: not house.is_locked(data / "lock"))
    assert not [command for _pid, _parent, command in processes() if f"{data}/" in command]


def test_up_once_starts_everything_and_stops_it(base: Path) -> None:
    """From another folder, which the relative name of the data folder is seen from."""
    done = manage("up", "--once", "--port", "0", base=Path(base.name), cwd=base.parent)
    assert not (house.ROOT / base.name).exists()
    assert done.returncode == 0, done.stdout + done.stderr
    assert "Gingodrome is ready" in done.stdout
    assert "Stopped in" in done.stdout


def test_a_house_that_cannot_start_says_so_and_leaves_nothing(base: Path) -> None:
    done = manage("up", "--port", "0", base=base, GINGODROME_HOSTS="not a host name!")
    assert done.returncode == 1
    assert "could not be brought to the present" in done.stderr
    data = house.data_folder(str(base))
    assert not [command for _pid, _parent, command in processes() if f"{data}/" in command]


@pytest.mark.parametrize("text", ["65536", "99999", "-1", "http", "８０", ""])
def test_what_is_no_port_is_said_in_a_sentence(tmp_path: Path, capsys: pytest.CaptureFixture[str], text: str) -> None:
    with pytest.raises(SystemExit) as ended:
        supervisor.main(["--data", str(tmp_path), "--port", text])
    assert ended.value.code == 2
    assert f"a port is a number from 0 to 65535, and {text!r} is none" in capsys.readouterr().err


def test_a_port_that_was_asked_for_and_is_busy_is_an_error(base: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        done = manage("up", "--port", str(port), base=base)
    assert done.returncode == 1
    assert f"Port {port} cannot be used" in done.stderr


def test_without_a_wish_the_next_free_port_is_taken_loudly(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with contextlib.ExitStack() as stack:
        first = stack.enter_context(supervisor.claim_port(0)).getsockname()[1]
        monkeypatch.setattr(supervisor, "PORTS", range(first, first + 10))
        got = stack.enter_context(supervisor.claim_port(None)).getsockname()[1]
        assert first < got < first + 10
        assert f"NOTE: port {first} is busy; Gingodrome takes port {got}." in capsys.readouterr().out
        monkeypatch.setattr(supervisor, "PORTS", range(first, first + 1))
        with pytest.raises(HouseError, match="--port"):
            supervisor.claim_port(None)


@pytest.mark.parametrize("alone", ["DATABASE_URL", "REDIS_URL"])
def test_one_url_alone_is_a_mistake(monkeypatch: pytest.MonkeyPatch, alone: str) -> None:
    for name in ("DATABASE_URL", "REDIS_URL"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv(alone, "x")
    with pytest.raises(HouseError, match=f"Only {alone} is set"):
        supervisor.own_servers_given()


def test_a_process_that_dies_at_once_is_started_less_and_less_often() -> None:
    child = supervisor.Child("none", [])
    waits = []
    for _ in range(9):
        child.born = time.monotonic()
        child.mourn()
        waits.append(child.wait)
    assert waits == [0.5, 1.0, 2.0, 4.0, 8.0, 16.0, 30.0, 30.0, 30.0]
    child.born -= supervisor.BACK_OFF[2] + 1
    child.mourn()
    assert child.wait == supervisor.BACK_OFF[0]


def test_a_machine_that_starts_no_process_for_a_while_does_not_end_the_supervisor(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """No file can be opened, so no pipe to a child: said, and tried again later."""
    child = supervisor.Child("none", ["this"])
    limits = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (3, limits[1]))
    try:
        supervisor._try_to_start(child)
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, limits)
    assert child.process is None
    assert child.due > time.monotonic()
    assert "none cannot be started: Too many open files. Next try in 0.5 s" in capsys.readouterr().err

    tried: list[int] = []

    def start() -> None:
        tried.append(1)
        if len(tried) == 1:
            raise OSError("No space left on device")

    monkeypatch.setattr(supervisor, "BACK_OFF", (0.01, 0.01, 1.0))
    supervisor.with_back_off(start, lambda: len(tried) > 2)
    assert len(tried) == 2
    assert "No space left on device" in capsys.readouterr().err
