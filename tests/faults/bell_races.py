"""Award and bell at the same moment: in rows, and as pure values, each against a rule that is told in other words.

The rule (S9): the auction was awarded in time if the award came before the deadline by the clock of the database.
"""

from __future__ import annotations

import random
import time
from collections import Counter
from datetime import datetime, timedelta
from functools import partial
from typing import Any
from uuid import UUID

from core.clock import database_now
from core.refusal import Refusal
from gameplay.rules import clock as rules
from tests.faults.crew import crew

NEAR = 0.02  # seconds from the beginning of a race to its deadline, at first: then as long as an award takes here
CLOSER = 1.4  # how fast it follows that
STEP = timedelta(microseconds=1)


def award_or_bell(first: int, count: int) -> Counter[str]:
    """So many tables whose bell rings while a player awards the auction; which of them came first.

    `first` seeds the races and names their club. AssertionError where the rows disagree with the rule.
    """
    from gameplay.models import Due
    from gameplay.services.clock import award_auction
    from gameplay.services.wall_time import ring_now
    from players.actor import Actor
    from tests.faults.tables import Hall
    from tests.gameplay.rows import key

    hall = Hall(f"bell-{first}")
    pick, near = random.Random(first), NEAR

    def award(actor: Actor, match: UUID) -> dict[str, Any]:
        before, code = database_now(), ""
        try:
            award_auction(actor, match, hand=1, key=key())
        except Refusal as refusal:
            code = refusal.code
        return {"before": before, "code": code, "after": database_now()}

    def ring(match: UUID) -> dict[str, Any]:
        while not Due.objects.filter(object=match, done_at__isnull=False).exists():
            ring_now()
            time.sleep(0.001)  # the other thread is not to be slowed down
        return {}

    found: Counter[str] = Counter()
    with crew(2, seed=first) as racers:
        for match in hall.tables(count):
            _hang(match, pick.uniform(0.5, 1.5) * near)
            told, _ = racers.race(partial(award, hall.seats[0], match), partial(ring, match))
            check(match, told)
            near = near * CLOSER if told["code"] else near / CLOSER
            found[told["code"] or "awarded"] += 1
    return found


def _hang(match: UUID, seconds: float) -> None:
    from django.db import connection

    from tests.faults.bells import hang

    with connection.cursor() as cursor:
        hang(lambda *told: cursor.execute(*told) or cursor, [match], [seconds])


def check(match: UUID, told: dict[str, Any]) -> None:
    """What was answered, what is written, and what the clock makes of it agree with the rule."""
    from gameplay.models import Due, Match
    from gameplay.queries.clock import clock_from

    due = Due.objects.get(object=match).due_at
    row = Match.objects.get(pk=match)
    events = list(row.clock_events.order_by("number"))
    kinds = [event.kind for event in events]
    clock = clock_from(row, events)
    assert clock is not None
    assert events[-1].at >= due, "rang early"
    assert (clock.state, clock.at_bell) == ("rung", 0)
    if told["code"]:
        assert told["code"] == "bell_rang"
        assert told["after"] >= due, "refused before the deadline"
        assert kinds == ["started", "rung"]
        assert clock.last is None, "nobody was asked"
    else:
        assert kinds == ["started", "awarded", "rung"]
        assert told["before"] <= events[1].at < due, "accepted after the deadline"
        assert (clock.how, clock.last) == ("awarded", 1)


def orders(seed: int, count: int) -> Counter[str]:
    """Awards, bells and suspensions in any order and at any moment, the deadline itself among them; pure."""
    pick = random.Random(seed)
    found: Counter[str] = Counter()
    for _ in range(count):
        length = pick.randint(1, 12)
        moments = sorted(pick.randint(0, 20) for _ in range(pick.randint(3, 9)))
        verbs = [(at, pick.choice(("award", "award", "ring", "ring", "suspend", "resume"))) for at in moments]
        wanted = _by_the_rule(length, verbs)
        got = _by_the_clock(length, verbs)
        assert got == wanted, (length, verbs)
        found[wanted[0]] += 1
    return found


def _by_the_rule(length: int, verbs: list[tuple[int, str]]) -> tuple[str, int]:
    """What happened to the one hand, and when it rang (-1: never). `played`: time that went by on the clock."""
    played = last = 0
    runs, awarded, rang = True, False, -1
    for at, verb in verbs:
        played, last = played + (at - last if runs else 0), at
        if rang >= 0:
            continue
        if verb == "award" and runs and played < length:
            awarded = True
        elif verb == "ring" and runs and played >= length:
            rang = at
        elif verb in ("suspend", "resume") and (verb == "suspend") == runs:
            runs = not runs
    return "awarded" if awarded else "asked" if rang >= 0 else "nothing", rang


def _by_the_clock(length: int, verbs: list[tuple[int, str]]) -> tuple[str, int]:
    began = datetime(2027, 3, 28, 0, 59)  # noqa: DTZ001  # any instant
    clock = rules.new_clock(STEP * length, "in_progress_when_called")
    clock = rules.after(clock, rules.start(clock, began))
    rang = -1
    for moment, verb in verbs:
        at = began + STEP * moment
        try:
            event: rules.Event
            if verb == "award":
                event = rules.award(clock, at, hand=1, due=1, at_120=False)
            elif verb == "ring":
                event = rules.ring(clock, at, 0)
                rang = moment
            elif verb == "suspend":
                event = rules.suspend(clock, at, stopped=True, reason="so")
            else:
                event = rules.resume(clock, at)
        except Refusal:
            continue
        clock = rules.after(clock, event)
    if clock.awarded:
        return "awarded", rang
    end = rules.ending(clock, 0, ())
    return ("asked" if end is not None and end.question else "nothing"), rang
