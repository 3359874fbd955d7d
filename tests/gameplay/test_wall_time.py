"""The guard of the wall clock: a clock that is set moves every running bell with it, once, and rings none early."""

from __future__ import annotations

import threading
from contextlib import contextmanager
from datetime import timedelta

import pytest
from django.db import connection, transaction

from core.clock import database_now
from core.models import AuditRow
from gameplay.models import ClockCheck, ClockEvent, Due, Outage
from gameplay.services import wall_time
from gameplay.services.ringing import ring_due
from gameplay.services.wall_time import ClockMoves, Clocks, Guard, ring_now, trusted_now
from players.services import house_scope
from tests.faults.bells import bells, hang, movable_here, move
from tests.faults.tables import Hall

HOUR = 3600.0
NEAR = 0.4  # seconds that a busy machine may need between two readings


class Machine(Clocks):
    """The real clocks, and what a test adds to them. `latency`: seconds that every reading of the database takes."""

    def __init__(self, start: str = "this start") -> None:
        self.start, self.ran, self.slept, self.latency = start, 0.0, 0.0, 0.0
        self.asked = 0

    def boot(self) -> float:
        self.asked += 1  # before and after, in turns
        return super().boot() + self.ran + self.slept + self.latency * (-0.5 if self.asked % 2 else 0.5)

    def asleep(self) -> float:
        return self.slept

    def boot_id(self) -> str:
        return self.start


@pytest.fixture
def clock(db):
    """Sets the database clock: clock(seconds)."""
    with movable_here() as execute:
        yield lambda seconds: move(execute, seconds)


@pytest.fixture
def hung(db):
    """hung(seconds...) -> matches whose bells are due then."""

    def hanging(*seconds):
        tables = Hall(f"sala-{threading.get_ident()}").tables(len(seconds))
        with connection.cursor() as cursor:
            hang(lambda *told: cursor.execute(*told) or cursor, tables, [float(one) for one in seconds])
        return tables

    return hanging


def due(match):
    return Due.objects.get(object=match).due_at


def rung(*matches):
    with connection.cursor() as cursor:
        return [bell.count for bell in bells(lambda *told: cursor.execute(*told) or cursor, matches).values()]


def seconds(difference: timedelta) -> float:
    return difference.total_seconds()


def trail():
    return list(AuditRow.objects.filter(scope=house_scope().pk, verb="clock_set").values_list("payload", flat=True))


@pytest.mark.parametrize("by", [5.0, -5.0, HOUR, -HOUR])
def test_a_clock_that_is_set_moves_every_running_bell_once(clock, hung, by):
    soon, later, held = hung(30, HOUR, 60)
    Due.objects.filter(object=held).update(due_at=None)
    before = {match: due(match) for match in (soon, later)}
    machine = Machine()
    first, second = Guard(machine), Guard(machine)
    first.check()
    clock(by)
    seen = first.check()
    assert abs(seconds(seen.now - database_now())) < NEAR
    second.check()
    first.check()
    for match, was in before.items():
        assert seconds(due(match) - was) == pytest.approx(by, abs=NEAR)
        moved = ClockEvent.objects.get(match=match, kind="moved")
        assert (moved.how, moved.micros) == ("clock_set", round((due(match) - was) / timedelta(microseconds=1)))
    assert due(held) is None
    assert [sorted(row["matches"]) for row in trail()] == [sorted(map(str, (soon, later)))]
    assert rung(soon, later, held) == [0, 0, 0]


def test_a_difference_that_is_slewed_is_followed(clock, hung):
    (match,) = hung(HOUR)
    before = due(match)
    machine = Machine()
    guard = Guard(machine)
    guard.check()
    for step in range(1, 4):
        clock(0.3 * step)
        ClockCheck.objects.update(at=0.0)  # the last check is long ago
        guard.check()
    assert ClockCheck.objects.get().offset == pytest.approx(guard.check().offset, abs=NEAR)
    assert (due(match), trail()) == (before, [])


def test_checks_are_kept_once_a_second(clock):
    guard = Guard(machine := Machine())
    guard.check()
    at = ClockCheck.objects.get().at
    guard.check()
    assert ClockCheck.objects.get().at == at
    machine.ran += 1.0
    clock(1.0)
    guard.check()
    assert ClockCheck.objects.get().at > at


@pytest.mark.parametrize("by", [5.0, -5.0, HOUR, -HOUR])
def test_until_the_bells_have_moved_time_is_told_by_the_boot_clock(clock, hung, by):
    """Between the clock that was set and the guard that sees it nothing rings early, and what is due rings."""
    (overdue, soon) = hung(-0.01, 4)
    machine = Machine()
    ClockCheck.objects.all().delete()
    Guard(machine).check()
    before = database_now()
    clock(by)
    assert 0 <= seconds(trusted_now(machine) - before) < NEAR
    assert ring_now(machine) == [overdue]
    assert rung(soon) == [0]


def test_a_clock_that_is_set_between_reading_and_ringing_rings_nothing(clock, hung):
    (match,) = hung(10)
    now = trusted_now(Machine())
    clock(HOUR)
    assert ring_due(now) == []
    assert rung(match) == [0]


def test_on_servers_of_their_own_the_clock_is_that_of_the_database(clock, hung, settings):
    settings.CLOCK_GUARD = False
    (match,) = hung(HOUR)
    before = due(match)
    one, other = Guard(Machine("one host")), Guard(Machine("another"))
    for guard in (one, other, one, other):
        guard.check()
    assert ClockCheck.objects.get().boot == "one host"  # nobody writes a row that is fresh
    clock(5)
    one.check()
    other.check()
    assert seconds(trusted_now(Machine()) - database_now()) == pytest.approx(0, abs=NEAR)
    assert (due(match), trail()) == (before, [])


def test_another_start_of_the_machine_cannot_be_compared(clock, hung):
    """After a restart the wall clock is all there is: the bell that was due meanwhile rings."""
    missed, later = hung(60, HOUR)
    before = due(later)
    Guard(Machine()).check()
    clock(100)
    machine = Machine("next start")
    seen = Guard(machine).check()
    assert seen.until_next == pytest.approx(-40, abs=NEAR)
    assert ring_now(machine) == [missed]
    assert (due(later), trail()) == (before, [])
    assert ClockCheck.objects.get().boot == "next start"


def test_a_boot_clock_that_went_back_is_another_start():
    seen = wall_time.Look(
        database_now_of(50), 10.0, 10.0, "x", wall_time.Kept("x", 0.0, 11.0, database_now_of(0)), None
    )
    assert not seen.comparable


def database_now_of(epoch):
    return wall_time.datetime.fromtimestamp(epoch, wall_time.UTC)


@pytest.mark.parametrize(("cause", "slept", "ran"), [("sleep", 60.0, 0.0), ("stop", 0.0, 60.0)])
def test_a_time_in_which_nobody_watched_is_noted_once(clock, hung, cause, slept, ran):
    """Sleep counts as time played: no bell moves, those that are overdue ring, and the matches wait for an answer."""
    missed, later = hung(30, HOUR)
    before = due(later)
    machine = Machine()
    guards = Guard(machine), Guard(machine)
    for guard in guards:
        guard.check()
    began = database_now()
    machine.slept, machine.ran = slept, ran
    clock(60)
    for guard in guards:
        guard.check()
    assert ring_now(machine) == [missed]
    found = Outage.objects.order_by("match")
    assert {(row.match_id, row.cause) for row in found} == {(missed, cause), (later, cause)}
    for row in found:
        assert seconds(row.began_at - began) == pytest.approx(0, abs=NEAR)
        assert seconds(row.ended_at - began) == pytest.approx(60, abs=NEAR)
    assert (due(later), trail()) == (before, [])


def test_a_short_silence_is_no_outage(clock, hung):
    hung(HOUR)
    guard = Guard(machine := Machine())
    guard.check()
    machine.ran = 9.0
    clock(9)
    guard.check()
    assert not Outage.objects.exists()


def test_a_clock_that_was_set_while_nobody_watched_is_both(clock, hung):
    (match,) = hung(HOUR)
    before = due(match)
    machine = Machine()
    Guard(machine).check()
    began = database_now()
    machine.ran = 60.0
    clock(60 - HOUR)
    Guard(machine).check()
    assert seconds(due(match) - before) == pytest.approx(-HOUR, abs=NEAR)
    found = Outage.objects.get()
    assert seconds(found.began_at - began) == pytest.approx(-HOUR, abs=NEAR)
    assert seconds(found.ended_at - found.began_at) == pytest.approx(60, abs=NEAR)


class TestSlowReadings:
    """A database that takes long to answer tells little about its clock, and nothing false."""

    def test_what_lies_within_the_answer_is_no_jump(self, clock, hung):
        (match,) = hung(HOUR)
        before = due(match)
        machine = Machine()
        Guard(machine).check()
        kept = ClockCheck.objects.get().offset
        machine.latency = 3.0
        guard = Guard(machine)
        clock(1.5)
        assert guard.check().moved == 0
        assert ClockCheck.objects.get().offset == kept  # and yet somebody lives
        assert ClockCheck.objects.get().at > 0
        assert (due(match), trail()) == (before, [])

    def test_a_jump_is_followed_when_it_can_be_measured(self, clock, hung):
        (match,) = hung(HOUR)
        before = due(match)
        machine = Machine()
        guard = Guard(machine)
        guard.check()
        machine.latency = 0.3
        clock(HOUR)
        guard.check()
        assert (due(match), trail()) == (before, [])
        assert seconds(trusted_now(machine) - database_now()) < -HOUR / 2
        machine.latency = 0.0
        guard.check()
        assert seconds(due(match) - before) == pytest.approx(HOUR, abs=NEAR)

    def test_the_first_check_must_be_a_good_one(self, clock):
        machine = Machine()
        machine.latency = 3.0
        Guard(machine).check()
        assert not ClockCheck.objects.exists()


def test_this_machine_knows_which_start_it_is():
    clocks = Clocks()
    assert clocks.boot_id() == Clocks().boot_id() != ""
    assert clocks.boot() > clocks.asleep() > -1e-3


@pytest.mark.django_db(transaction=True)
class TestTogether:
    """Two processes, real transactions."""

    def test_two_guards_move_the_bells_once(self, hung):
        (match,) = hung(HOUR)
        before = due(match)
        machine = Machine()
        Guard(machine).check()
        ClockCheck.objects.update(offset=ClockCheck.objects.get().offset - 5)  # as if the clock was set five seconds on
        together = threading.Barrier(2)

        def check():
            try:
                together.wait(5)
                Guard(machine).check()
            finally:
                connection.close()

        threads = [threading.Thread(target=check) for _ in range(2)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(10)
        assert seconds(due(match) - before) == pytest.approx(5, abs=NEAR)
        assert len(trail()) == 1

    def test_who_uses_the_time_and_who_moves_the_bells_wait_for_each_other(self, hung):
        (match,) = hung(HOUR)
        before = due(match)
        machine = Machine()
        Guard(machine).check()
        ClockCheck.objects.update(offset=ClockCheck.objects.get().offset - 5)
        done = threading.Event()

        def check():
            try:
                Guard(machine).check()
                done.set()
            finally:
                connection.close()

        with transaction.atomic():
            trusted_now(machine)
            thread = threading.Thread(target=check)
            thread.start()
            assert not done.wait(0.3)
            assert due(match) == before
        assert done.wait(5)
        thread.join(5)
        assert due(match) != before

    def test_nobody_may_use_the_time_while_the_bells_move(self, db):
        with mover(), pytest.raises(ClockMoves), transaction.atomic():
            trusted_now()
        with transaction.atomic():
            trusted_now()


@contextmanager
def mover():
    """Somebody is moving the bells now."""
    begun, over = threading.Event(), threading.Event()

    def hold():
        try:
            with transaction.atomic(), connection.cursor() as cursor:
                cursor.execute("SELECT pg_advisory_xact_lock(%s)", [wall_time._LOCK])
                begun.set()
                over.wait(10)
        finally:
            connection.close()

    thread = threading.Thread(target=hold)
    thread.start()
    assert begun.wait(5)
    try:
        yield
    finally:
        over.set()
        thread.join(5)
