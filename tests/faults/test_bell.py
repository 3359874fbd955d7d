"""The bell rings once and never early: whoever of its ringers dies, whatever happens to servers, clocks and nights."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID

import pytest

from tests.config.house import TIMES, House, Web, until
from tests.faults.bells import make_movable, move
from tests.faults.ringers import Ear, Tower

pytestmark = pytest.mark.slow
HOUR = 3600.0
HALL = "circolo"
PROMPT = 15.0  # seconds: a bell that is later was not rung in time, however busy the machine is
EXACT = 0.4  # seconds: how far a guard may be wrong on a busy machine
AUDITS = "SELECT count(*) FROM core_auditrow WHERE verb = 'clock_set'"
ACT = """
from uuid import UUID
from core.entropy import new_token
from gameplay.services import clock
from players.actor import actor_for
referee = actor_for(UUID({referee!r}))
for verb, match, told in {deeds!r}:
    getattr(clock, verb)(referee, UUID(match), **told, key=new_token())
"""
STOPPED = {"clock_stopped": True, "reason": "a lamp fell"}
UNSTOPPED = {"clock_stopped": False, "reason": "nobody could reach the clock"}


@pytest.fixture(scope="module")
def tower(tmp_path_factory) -> Iterator[Tower]:
    """A house whose database has a clock that can be set."""
    own = House()
    try:
        tower = Tower(own, tmp_path_factory.mktemp("tower"), [HALL], 355)
        make_movable(tower.execute)
        tower.execute("ALTER ROLE CURRENT_USER SET search_path = public, pg_catalog")
        tower.execute("ALTER ROLE CURRENT_USER SET timezone = 'Europe/Rome'")
        own.shell("from django.db import connection; connection.close_pool()")
        yield tower
    finally:
        own.stop()


@pytest.fixture(scope="module")
def web(tower) -> Web:
    return Web(tower.own)


@pytest.fixture
def ear(tower, web) -> Iterator[Ear]:
    with tower.ear(web, HALL) as ear:
        yield ear


@pytest.fixture
def both(tower) -> None:
    tower.start("ticker", "ticker 2", "worker")


def prompt(bells) -> None:
    assert max(bell.late for bell in bells.values()) < PROMPT


def act(tower: Tower, *deeds: tuple[str, UUID, dict[str, Any]]) -> None:
    """A referee does something to the clocks of matches, one after the other."""
    plain = [(verb, str(match), told) for verb, match, told in deeds]
    tower.own.shell(ACT.format(referee=tower.referees[HALL], deeds=plain))


def now(tower: Tower) -> datetime:
    return tower.execute("SELECT clock_timestamp()").fetchall()[0][0].astimezone(UTC)


def audits(tower: Tower) -> int:
    """How often a guard has moved the bells."""
    return tower.execute(AUDITS).fetchall()[0][0]


def settle(tower: Tower, seconds: float) -> None:
    """The clock is set, and a guard has seen it."""
    before = audits(tower)
    move(tower.execute, seconds)
    until(lambda: audits(tower) > before, "a guard sees it")


@pytest.mark.usefixtures("both")
class TestAllRing:
    """Two tickers and a worker at once."""

    def test_each_bell_rings_once_at_its_instant(self, tower, ear):
        began = time.monotonic()
        seconds = [1.0 + 0.02 * number for number in range(20)] + [1.5] * 20
        due = tower.hang(*seconds)
        prompt(tower.rung(due))
        until(lambda: all(ear.when(match, began) for match in due), "every page hears of it")
        heard = [ear.when(match, began) - began for match in due]
        assert all(when >= wanted for when, wanted in zip(heard, seconds, strict=True))

    def test_two_hundred_at_one_instant(self, tower, ear):
        began = time.monotonic()
        due = tower.hang(*[1.5] * 200)
        found = tower.rung(due)
        prompt(found)
        assert len({bell.at for bell in found.values()}) <= 3  # not one by one
        until(lambda: all(ear.when(match, began + 1.5) for match in due), "every page hears of it")

    def test_a_bell_that_was_rung_and_never_told_is_told(self, tower, ear):
        (match,) = tower.hang(HOUR)
        began = time.monotonic()
        tower.execute(
            "UPDATE gameplay_due SET done_at = clock_timestamp(), due_at = clock_timestamp() WHERE object = %s", [match]
        )
        until(lambda: ear.when(match, began), "somebody tells it")

    def test_suspensions(self, tower):
        """A clock that was stopped rings by what was left; one that could not be stopped rings in the suspension."""
        for seconds in (2.0, 8.0, 32.0):  # a busy machine needs longer for what is done before the bell
            stopped, unstopped, twice = tower.hang(seconds, seconds, seconds)
            with contextlib.suppress(AssertionError):
                act(
                    tower,
                    ("suspend_match", stopped, STOPPED),
                    ("suspend_match", unstopped, UNSTOPPED),
                    ("suspend_match", twice, STOPPED),
                    ("resume_match", twice, {}),
                    ("suspend_match", twice, STOPPED),
                )
                break
        prompt(tower.rung([unstopped]))
        assert [bell.count for bell in tower.bells([stopped, twice]).values()] == [0, 0]
        resumed = now(tower)
        act(tower, ("resume_match", stopped, {}), ("resume_match", twice, {}))
        found = tower.rung([stopped, twice])
        prompt(found)
        assert all(resumed < bell.due < resumed + timedelta(seconds=PROMPT + seconds) for bell in found.values())

    def test_a_wall_clock_that_is_set_moves_no_bell(self, tower, ear):
        """Hours and seconds, forth and back, shortly before the bell: it rings at the same moment of the world."""
        was = 0.0
        for setting in (HOUR, 0.0, 5.0, 0.0, -5.0, 0.0):
            by, was = setting - was, setting
            before = audits(tower)
            began = time.monotonic()
            due = tower.hang(1.2, 1.3)
            time.sleep(0.6)
            move(tower.execute, setting)
            found = tower.rung(due)
            prompt(found)
            assert all(abs((found[match].due - due[match]).total_seconds() - by) < EXACT for match in due)
            until(lambda began=began, due=due: all(ear.when(match, began) for match in due), "every page hears of it")
            for match, wanted in zip(due, (1.2, 1.3), strict=True):
                assert wanted - EXACT <= ear.when(match, began) - began
            assert audits(tower) == before + 1

    @pytest.mark.parametrize("change", [datetime(2027, 3, 28, 1, tzinfo=UTC), datetime(2027, 10, 31, 1, tzinfo=UTC)])
    def test_the_nights_in_which_rome_changes_its_clocks(self, tower, change):
        """An hour is an hour of the world: neither two nor none, on connections that live in Rome as well."""
        assert tower.execute("SHOW timezone").fetchall() == [("Europe/Rome",)]
        try:
            left = 0.0
            while left < 0.5:
                settle(tower, (change - datetime.now(UTC)).total_seconds() - 2.0)
                left = (change - now(tower)).total_seconds()
            (long,) = tower.take(1)
            tower.execute("UPDATE gameplay_match SET length = 3600 WHERE sheet_id = %s", [long])
            due = tower.hang(0.1, left + 0.1, left + 0.5)
            act(tower, ("start_match", long, {}))
            found = tower.rung(due)
            prompt(found)
            assert min(bell.due for bell in found.values()) < change < max(bell.due for bell in found.values())
            told = (
                "SELECT due_at - at FROM gameplay_due JOIN gameplay_clockevent ON match_id = object WHERE object = %s"
            )
            assert tower.execute(told, [long]).fetchall() == [(timedelta(hours=1),)]
        finally:
            settle(tower, 0.0)

    def test_the_database_restarted_just_before_the_deadline(self, tower):
        due = tower.hang(1.0, 1.0, 1.4)
        time.sleep(0.5)
        tower.own.servers.postgres.stop()
        tower.own.servers.postgres.start()
        prompt(tower.rung(due))


def test_the_worker_killed_just_before_the_deadline(tower, both):
    """From here on the tickers are alone."""
    due = tower.hang(*[1.2] * 20)
    time.sleep(1.0)
    tower.kill("worker")
    prompt(tower.rung(due))


def test_valkey_killed_for_good(tower, web):
    """A worker could do nothing then. The ticker needs none, and pages hear of the bell by way of the database."""
    tower.start("ticker", "ticker 2")
    with tower.ear(web, HALL) as ear:
        began = time.monotonic()
        due = tower.hang(1.5, 1.5, 2.5)
        valkey = tower.own.servers.valkey
        valkey.process.kill()
        valkey.process.wait()
        try:
            prompt(tower.rung(due))
            until(lambda: all(f"sheet:{match}" in ear.heard for match in due), "every page hears of it")
            assert min(ear.heard[f"sheet:{match}"] for match in due) >= began + 1.5
        finally:
            valkey.start()


def test_tickers_alone(tower):
    tower.start("ticker", "ticker 2")
    due = tower.hang(*[1.0 + 0.05 * number for number in range(10)], *[1.5] * 10)
    prompt(tower.rung(due))


def test_a_worker_alone(tower):
    """Both tickers are dead. The worker checks the clock itself: one that is set now does not silence it."""
    tower.start("worker")
    tower.kill(*[name for name in tower.running if name.startswith("ticker")])
    due = tower.hang(*[1.5 + 0.05 * number for number in range(10)], *[2.0] * 10)
    prompt(tower.rung(due))
    due = tower.hang(4.0)
    began = time.monotonic()
    move(tower.execute, HOUR)
    prompt(tower.rung(due))
    assert time.monotonic() - began >= 4.0


def test_everything_restarted_over_the_deadline(tower):
    """What was due meanwhile rings at once, and the stop is noted for every match whose clock ran in it."""
    tower.start("worker")
    due = tower.hang(1.5, 1.5, HOUR)
    missed, later = list(due)[:2], list(due)[2]
    time.sleep(1.2)  # a check is kept every second
    tower.kill(*tower.running)
    servers = tower.own.servers
    servers.stop()
    time.sleep(1.5)
    servers.start()
    times = str({**TIMES, "gameplay.services.wall_time.GAP": 1.0}).replace("'", '"')
    tower.start("ticker", "ticker 2", PROBE_TIMES=times)
    tower.rung(missed)
    assert tower.bells([later])[later].count == 0
    told = "SELECT match_id, cause, ended_at - began_at FROM gameplay_outage WHERE match_id = ANY(%s) ORDER BY began_at"
    noted = tower.execute(told, [missed]).fetchall()
    assert sorted(match for match, _, _ in noted) == sorted(missed)  # once, by whichever ticker came first
    noted.append(tower.execute(told, [[later]]).fetchall()[0])
    assert {cause for _, cause, _ in noted} == {"stop"}
    assert min(length for _, _, length in noted) > timedelta(seconds=1.5)


def test_no_ringer_ever_failed(tower):
    """After all of this: what they wrote to their logs is what was done to them."""
    assert tower.started
    for process in tower.started:
        assert not process.said("Traceback"), "\n".join(process.lines)
