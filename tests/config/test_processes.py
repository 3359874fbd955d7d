"""Ticker, worker and heavy worker as real processes: they say that they live, and outlive their servers' restarts."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest

from config import supervisor
from tests.config.house import ROOT, House, Process, Web, until

CELERY = ("-m", *supervisor.CELERY)


@pytest.fixture(scope="module")
def ticker(own_house: House) -> Iterator[Process]:
    process = own_house.run("-m", "config.ticker")
    yield process
    assert process.stop() == 0
    assert not process.said("Traceback")


def part(web: Web, name: str) -> dict[str, object]:
    return web.json("/healthz")["parts"][name]


def moved(ticker: Process) -> list[float]:
    """How far the clock was set, as often as a ticker has told it, in seconds."""
    return [float(line.rpartition("=")[2]) for line in list(ticker.lines) if "clock was set" in line]


def test_the_ticker_lives_through_restarts_of_its_servers(own_house: House, web: Web, ticker: Process) -> None:
    until(lambda: part(web, "ticker")["alive"], "the ticker beats")
    own_house.servers.valkey.stop()
    own_house.servers.postgres.stop()
    until(lambda: ticker.said("server=database"))
    until(lambda: ticker.said("server=valkey"))
    time.sleep(1.5)
    assert len([line for line in ticker.lines if "server away" in line]) == 2  # once each, not once per tick
    own_house.servers.postgres.start()
    own_house.servers.valkey.start()
    until(lambda: part(web, "ticker")["alive"], "the ticker beats again")
    until(lambda: ticker.said('event="server back" server=database'))


def test_a_moved_database_clock_is_reported_with_its_size(own_house: House, ticker: Process) -> None:
    """The machine's clock cannot be moved in a test, so this database gets a clock of its own that can."""
    with psycopg.connect(own_house.servers.postgres.url, autocommit=True) as database:
        database.execute("CREATE TABLE moved (seconds float8 NOT NULL); INSERT INTO moved VALUES (0)")
        database.execute(
            "CREATE FUNCTION public.clock_timestamp() RETURNS timestamptz LANGUAGE sql VOLATILE AS "
            "$$ SELECT pg_catalog.clock_timestamp() + make_interval(secs => seconds) FROM public.moved $$"
        )
        database.execute("ALTER ROLE CURRENT_USER SET search_path = public, pg_catalog")
        database.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = current_user AND pid <> pg_backend_pid()"
        )
        try:
            until(lambda: ticker.lines and "server=database" in ticker.lines[-1] and "back" in ticker.lines[-1])
            for seconds, jumps in ((0.3, 0), (3600.3, 1), (0.0, 2)):
                database.execute("UPDATE moved SET seconds = %s", [seconds])
                time.sleep(0.5)  # several ticks
                until(lambda jumps=jumps: len(moved(ticker)) == jumps, f"{jumps} jumps")
            assert moved(ticker) == [pytest.approx(3600, abs=0.5), pytest.approx(-3600.3, abs=0.5)]
        finally:
            database.execute("ALTER ROLE CURRENT_USER RESET search_path")
            database.execute("DROP FUNCTION public.clock_timestamp(); DROP TABLE moved")


def test_both_workers_say_that_they_live(own_house: House, web: Web, tmp_path: Path) -> None:
    before = set(Path.cwd().iterdir())
    assert not part(web, "worker")["alive"]
    assert not part(web, "heavy")["alive"]
    heavy = own_house.run(*CELERY, "-Q", "heavy", "--pool=prefork", "-c", "1", "-n", "heavy@%h")
    worker = own_house.run(*CELERY, "-B", "--pool=threads", "-Q", "celery", "-n", "worker@%h")
    until(lambda: part(web, "worker")["alive"], "the worker beats")
    until(lambda: part(web, "heavy")["alive"], "the heavy worker beats")
    assert set(Path.cwd().iterdir()) - before <= {Path.cwd() / ".pytest_cache"}  # beat leaves no file
    for process in (worker, heavy):
        process.popen.terminate()
    for process in (worker, heavy):
        # Waited for first: the second SIGTERM of stop() would kill it in the midst of its warm shutdown.
        process.popen.wait(40)
        assert process.stop() == 0, process.lines
        assert not process.said("Traceback"), process.lines
    assert web.json("/healthz")["parts"]["heavy"]["age"] >= 0


@pytest.mark.parametrize("module", ["config.ticker", "config.web"])
def test_a_process_without_its_urls_says_so_and_ends(own_house: House, module: str) -> None:
    environ = {key: value for key, value in own_house.environ.items() if key not in ("DATABASE_URL", "REDIS_URL")}
    done = subprocess.run([sys.executable, "-m", module], cwd=ROOT, env=environ, capture_output=True, text=True)
    assert done.returncode == 1
    assert "DATABASE_URL is not set" in done.stderr
    assert "REDIS_URL is not set" in done.stderr
