"""What `manage.py` does once it runs with its dependencies: our own verbs, and Django's commands with their servers."""

from __future__ import annotations

import contextlib
import fcntl
import os
import re
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NoReturn

from config import bootstrap, dropped, env, house
from config.house import ROOT, HouseError

VERBS = """\
Gingodrome: python3 manage.py VERB

  up [--port N] [--once]    set everything up and serve (Ctrl-C stops it);
                            --no-demo: begin empty, without the demonstration
                            --lan: serve the phones of a hall; --backup FOLDER: keep backups
  backup FOLDER             write one backup now
  play gin|gingo|briscola   a game against bots in this terminal, without a house
  restore FILE [--replace]  fill an empty house (--replace: this one) from a backup
  test [ARGUMENTS]          run the tests; arguments go to pytest
  lint                      check the code, the templates and the translations
  bench                     measure; `bench cards`: card games alone, `bench bots`: how well bots play,
                            `bench bells`: bells alone, `bench start`: a start from a clean clone
  wheelhouse DIR [--dev]    collect the packages for a machine without a network;
                            there: up --wheels DIR
  COMMAND ...               a Django command: migrate, shell, ...; `help` lists them all
"""
# Commands that ask no database anything. They get URLs, because settings want them, that lead nowhere.
WITHOUT_SERVERS = frozenset(
    {
        "bench",
        "check",
        "collectstatic",
        "diffsettings",
        "generate_tournament",
        "help",
        "lint",
        "makemessages",
        "messages",
        "play",
        "replay_tournament",
        "startapp",
        "verify_deal",
        "version",
    }
)


def main(args: list[str]) -> int:
    """Run one command line of manage.py; the exit status."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    verb, rest = (args[0], args[1:]) if args else ("", [])
    try:
        match verb:
            case "" | "-h" | "--help":
                print(VERBS)
                return 0
            case "up":
                return up(rest)
            case "wheelhouse":
                return wheelhouse(rest)
            case "backup":
                return backup_now(rest)
            case "restore":
                return restore(rest)
            case "test":
                module("pytest", rest)
            case "lint":
                module("config.lint", rest)
            case "bench":
                os.environ.update(_urls())
                start = rest[:1] == ["start"]
                module("tests.bench.start" if start else "tests.bench", rest[1:] if start else rest)
            case _:
                return django(args)
    except (HouseError, bootstrap.SetupError) as error:
        print(error, file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 130


def up(args: list[str]) -> int:
    """Become the supervisor: under this account, or as root under an unprivileged one."""
    data = house.data_folder()
    account = house.unprivileged_account()
    foothold = dropped.foothold(account, data) if account else dropped.Foothold(sys.executable, ROOT)
    os.environ.update(_house_environ(data, foothold))
    args, folder = bootstrap.take_option(args, "--backup")
    if folder := folder or os.environ.get("GINGODROME_BACKUP", ""):
        from config import backup

        # Before the account is dropped, and before the present folder is another one.
        os.environ["GINGODROME_BACKUP"] = str(backup.prepared(folder, account))
        args = [*args, "--backup", os.environ["GINGODROME_BACKUP"]]
    if account:
        dropped.become(account)
    return module("config.supervisor", ["--data", str(data), *args], foothold)


def backup_now(args: list[str]) -> int:
    """One backup, beside a running house or without one."""
    if len(args) != 1 or args[0].startswith("-"):
        print("usage: manage.py backup FOLDER", file=sys.stderr)
        return 2
    from config import backup

    folder = backup.prepared(args[0], None)
    with attached():
        print(backup.told(backup.dump(os.environ["DATABASE_URL"], folder)))
    return 0


def restore(args: list[str]) -> int:
    """Fills the database from a backup and brings it to the present. The house must not be running."""
    files = [word for word in args if not word.startswith("-")]
    if len(files) != 1 or set(args) - {*files, "--replace"}:
        print("usage: manage.py restore FILE [--replace]", file=sys.stderr)
        return 2
    from django.core.management import execute_from_command_line

    from config import restoring

    file = Path(files[0]).absolute()
    restoring.check(file)
    with attached():
        restoring.restore(os.environ["DATABASE_URL"], file, replace="--replace" in args)
        execute_from_command_line(["manage.py", "migrate", "-v0"])
        print(restoring.told(os.environ["DATABASE_URL"], file))
    return 0


def _house_environ(data: Path, foothold: dropped.Foothold) -> dict[str, str]:
    """The house keeps its bytecode beside its data: it never writes into the checkout, and always starts fast."""
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    return {"PYTHONPYCACHEPREFIX": str(data / "pycache")} | foothold.environ


def _bytecode_aside() -> None:
    """Where bytecode beside the sources is forbidden (usual in containers), keep it in `.venv`.

    Without any, each of the many processes of a test run would compile Django anew.
    """
    if os.environ.get("PYTHONDONTWRITEBYTECODE") and Path(sys.prefix) == Path(bootstrap.VENV):
        del os.environ["PYTHONDONTWRITEBYTECODE"]
        os.environ["PYTHONPYCACHEPREFIX"] = str(Path(sys.prefix) / "pycache")


def module(name: str, args: list[str], foothold: dropped.Foothold | None = None) -> NoReturn:
    """Run a Python module in place of this process, with the checkout (or its copy) as the present folder."""
    if foothold is None:
        _bytecode_aside()
        foothold = dropped.Foothold(sys.executable, ROOT)
    sys.stdout.flush()
    os.chdir(foothold.root)
    os.execv(foothold.python, [foothold.python, "-m", name, *args])  # noqa: S606


def wheelhouse(args: list[str]) -> int:
    """Download, into one folder, every wheel that the set-up installs on a machine like this one."""
    folders = [word for word in args if not word.startswith("-")]
    if len(folders) != 1 or set(args) - {*folders, "--dev"}:
        print("usage: manage.py wheelhouse DIR [--dev]", file=sys.stderr)
        return 2
    # Without the markers for a Python's patch level: it may be another one there.
    locks = (bootstrap.LOCKS["dev" if "--dev" in args else "run"], bootstrap.SETUP_LOCK)
    text = "".join((ROOT / lock).read_text() for lock in locks)
    with tempfile.TemporaryDirectory() as folder:
        lock = Path(folder) / "lock"
        lock.write_text(re.sub(r" ; python_full_version [^\\\n]*", " ", text))
        options = ["--only-binary", ":all:", "--require-hashes", "-r", str(lock), "-d", folders[0]]
        if subprocess.call([*bootstrap.pip_for(sys.executable, f"{folder}/pip"), "download", "-q", *options]):
            return 1
    print(f"{folders[0]} holds every wheel.  On a machine like this one:  manage.py up --wheels {folders[0]}")
    return 0


def django(args: list[str]) -> int:
    from django.core.management import execute_from_command_line

    line = ["manage.py", *args]
    if args[0] in WITHOUT_SERVERS or "--help" in args:
        os.environ.update(_urls())
        execute_from_command_line(line)
        return 0
    with attached():
        execute_from_command_line(line)
    return 0


def _urls() -> dict[str, str]:
    """The URLs of the environment, or such as lead nowhere."""
    return {name: os.environ.get(name) or value for name, value in env.urls_to_nowhere().items()}


@contextlib.contextmanager
def attached() -> Iterator[None]:
    """Give the command servers: its own by the environment, those of the running house, or some for its duration."""
    from config import supervisor

    if supervisor.own_servers_given():
        yield
        return
    house.check_platform()
    house.forget_libpq()
    data = house.data_folder()
    with contextlib.ExitStack() as stack:
        if not house.is_locked(data / "lock"):
            stack.enter_context(_kept_servers(data))
        state = _state(data)
        users = data / "attached.lock"
        if state["keeper"]:
            handle = os.open(users, os.O_RDONLY | os.O_NOFOLLOW)
            stack.callback(os.close, handle)
            fcntl.flock(handle, fcntl.LOCK_SH)
        # Only these names: the file belongs to the account of the house, which must not steer what root runs.
        for name in ("DATABASE_URL", "REDIS_URL", "SECRET_KEY", "GINGODROME_EMBEDDED"):
            if name in state["environment"]:
                os.environ[name] = str(state["environment"][name])
        yield


def _state(data: Path) -> dict[str, Any]:
    from config import supervisor

    deadline = time.monotonic() + supervisor.READY_SECONDS
    while house.is_locked(data / "lock") and time.monotonic() < deadline:
        if state := supervisor.read_state(data):
            return state
        time.sleep(0.05)
    raise HouseError("The embedded servers did not start, or stopped just now: try again.")


@contextlib.contextmanager
def _kept_servers(data: Path) -> Iterator[None]:
    account = house.unprivileged_account()
    words = ["-m", "config.supervisor", "--data", str(data), "--servers"]
    foothold = dropped.foothold(account, data) if account else dropped.Foothold(sys.executable, ROOT)
    keeper = subprocess.Popen(
        [foothold.python, *words],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        cwd=foothold.root,
        env=os.environ | _house_environ(data, foothold),
        start_new_session=True,
        **(account.popen() if account else {}),
    )
    try:
        if keeper.stdout:
            keeper.stdout.readline()
        yield
    finally:
        # The line closes, and the keeper stops as soon as no other command needs the servers.
        before = signal.signal(signal.SIGINT, signal.SIG_IGN)
        if keeper.stdin:
            keeper.stdin.close()
        if not house.is_locked(data / "attached.lock"):
            keeper.wait()
        signal.signal(signal.SIGINT, before)
