"""A private PostgreSQL and Valkey for one test run: `-p config.testing`, in `addopts`.

Unless DATABASE_URL or REDIS_URL is set, the run gets servers of its own in a temporary folder, fast and
throwaway, and never those of `manage.py up`. Settings see the URLs before they are imported; the servers
start with the session and end with it. After a crash the kernel ends them (Linux), and the next run sweeps
what is left of the folder.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from config import house
from config.embedded import Servers

PREFIX = "gingodrome-test-"


class ThrowawayServers:
    """The servers of one run. `environment` is right from the beginning; `start` and `stop` may follow."""

    def __init__(self) -> None:
        sweep()
        self._stack = contextlib.ExitStack()
        self.base = Path(tempfile.mkdtemp(prefix=PREFIX))
        self._stack.callback(shutil.rmtree, self.base, ignore_errors=True)
        self._stack.enter_context(house.locked(self.base / "lock"))
        self.servers = Servers(self.base, house.unprivileged_account(), durable=False)
        self._stack.callback(self._remove_sockets)
        self.environment = self.servers.environment()

    def start(self) -> None:
        self.servers.start()

    def stop(self) -> None:
        self.servers.stop()
        self._stack.close()

    def _remove_sockets(self) -> None:
        shutil.rmtree(self.servers.valkey.sockets, ignore_errors=True)


def sweep() -> None:
    """Remove the folders of test runs that crashed, and stop what they left running (on Linux: nothing)."""
    for base in Path(tempfile.gettempdir()).glob(f"{PREFIX}*"):
        try:
            theirs = base.is_symlink() or base.lstat().st_uid != os.geteuid()
        except FileNotFoundError:  # another run ended, or swept it first
            continue
        if theirs or not (base / "lock").exists():
            continue
        with house.locked(base / "lock", wait=False) as free:
            if free:
                Servers(base, house.unprivileged_account()).stop_orphans()
                shutil.rmtree(base, ignore_errors=True)


_running: ThrowawayServers | None = None


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_load_initial_conftests(early_config: pytest.Config) -> Iterator[None]:
    """Before pytest-django imports the settings."""
    global _running
    os.environ.setdefault("SECRET_KEY", "only-for-tests-" + "0" * 50)
    if not {"DATABASE_URL", "REDIS_URL"} & os.environ.keys():
        try:
            _running = ThrowawayServers()
        except house.HouseError as error:
            raise pytest.UsageError(str(error)) from error
        house.forget_libpq()
        os.environ.update(_running.environment)
        early_config.add_cleanup(_stop)
    return (yield)


def pytest_sessionstart(session: pytest.Session) -> None:
    if _running and not session.config.option.collectonly:
        _running.start()


def _stop() -> None:
    global _running
    if _running:
        _running.stop()
        _running = None
