"""Matches: what is played at one table, its clock, and everything that must happen at a time."""

from __future__ import annotations

from django.db import models
from django.db.models import Q

from players.models import User
from scoring.models import Sheet
from scoring.rules.hands import SEATS


class Match(models.Model):
    """A match that is recorded here. It has the id of its sheet. `rules`: frozen copy of the rules of play.

    `length`: its seconds on the clock, None for a match that is played without one (S9).
    """

    sheet = models.OneToOneField(Sheet, models.PROTECT, primary_key=True, related_name="match")
    table_name = models.CharField(max_length=60)
    rules = models.JSONField()
    length = models.PositiveIntegerField(null=True)

    class Meta:
        constraints = [
            models.CheckConstraint(condition=~Q(table_name=""), name="match_table_is_named"),
            models.CheckConstraint(condition=Q(length=None) | Q(length__gte=1), name="match_length_is_a_time"),
        ]

    def __str__(self) -> str:
        return self.table_name


class ClockEvent(models.Model):
    """One thing that happened to the clock of a match; never changed, never deleted (a trigger). `number` from 1.

    Its columns are those of the event of this kind in gameplay.rules.clock; `at` is the time of the database. Written
    only by who holds the lock of the match's bell (Due).
    """

    class Kind(models.TextChoices):
        STARTED = "started"
        CANCELLED = "cancelled"
        SUSPENDED = "suspended"
        RESUMED = "resumed"
        AWARDED = "awarded"
        RUNG = "rung"
        ANSWERED = "answered"
        MOVED = "moved"
        RECOVERY = "recovery"
        INTERRUPTED = "interrupted"

    match = models.ForeignKey(Match, models.PROTECT, related_name="clock_events")
    number = models.PositiveIntegerField()
    kind = models.CharField(max_length=12, choices=Kind, db_collation="C")
    at = models.DateTimeField()
    # The hand that was awarded, the hands on the sheet when it rang, the last hand that counts.
    hand = models.PositiveIntegerField(null=True)
    how = models.CharField(max_length=20, blank=True, default="", db_collation="C")
    # Microseconds by which a bell was moved.
    micros = models.BigIntegerField(null=True)
    # A suspension: the clock was stopped, or could not be.
    stopped = models.BooleanField(null=True)
    reason = models.TextField(blank=True, default="")
    person = models.ForeignKey(User, models.PROTECT, null=True, related_name="+")
    seat = models.PositiveSmallIntegerField(null=True)
    pass_id = models.UUIDField(null=True)

    class Meta:
        ordering = ["match", "number"]
        constraints = [
            models.UniqueConstraint(fields=["match", "number"], name="clock_event_number_once"),
            models.CheckConstraint(
                condition=Q(kind__in=["awarded", "rung", "answered"], hand__isnull=False)
                | (~Q(kind__in=["awarded", "rung", "answered"]) & Q(hand=None)),
                name="clock_event_hand",
            ),
            models.CheckConstraint(
                condition=Q(kind="suspended", stopped__isnull=False) | (~Q(kind="suspended") & Q(stopped=None)),
                name="clock_event_stopped",
            ),
            models.CheckConstraint(
                condition=Q(kind="moved", micros__isnull=False) | (~Q(kind="moved") & Q(micros=None)),
                name="clock_event_micros",
            ),
            models.CheckConstraint(condition=Q(seat=None) | Q(seat__lt=SEATS), name="clock_event_seat_known"),
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.number} of {self.match_id}"


class Due(models.Model):
    """Something that must happen at a time: the bell of a match. Two ringers look for what is due (ringing).

    `object`: what it is about. `due_at`: when, by the clock of the database, None while it is held; `done_at`: when it
    was done.
    """

    class Kind(models.TextChoices):
        BELL = "bell"

    kind = models.CharField(max_length=10, choices=Kind, db_collation="C")
    object = models.UUIDField()
    due_at = models.DateTimeField(null=True)
    done_at = models.DateTimeField(null=True)

    class Meta:
        indexes = [
            models.Index(fields=["due_at"], condition=Q(done_at=None), name="due_to_come"),
            models.Index(fields=["done_at"], condition=Q(done_at__isnull=False), name="due_done"),
        ]
        constraints = [
            models.UniqueConstraint(fields=["kind", "object"], name="due_once"),
            models.CheckConstraint(condition=Q(kind__in=["bell"]), name="due_kind_known"),
        ]

    def __str__(self) -> str:
        return f"{self.kind} of {self.object}"


class ClockCheck(models.Model):
    """What a ticker last saw of two clocks: one row. `offset`: the database clock minus the boot clock, in seconds.

    `boot`: which start of which machine; `at`: the boot clock then; `alive_at`: the database clock then.
    """

    id = models.PositiveSmallIntegerField(primary_key=True, default=1)
    boot = models.CharField(max_length=64, db_collation="C")
    offset = models.FloatField()
    at = models.FloatField()
    alive_at = models.DateTimeField()

    class Meta:
        constraints = [models.CheckConstraint(condition=Q(id=1), name="clock_check_one_row")]

    def __str__(self) -> str:
        return f"clock check of {self.boot}"


class Outage(models.Model):
    """A time in which nobody watched over a running match: the house had stopped, or the machine slept.

    Until somebody answers (`credit`, `recovery`, `nothing`) staff find it on the recovery page.
    """

    class Cause(models.TextChoices):
        STOP = "stop"
        SLEEP = "sleep"

    class Answer(models.TextChoices):
        CREDIT = "credit"
        RECOVERY = "recovery"
        NOTHING = "nothing"

    match = models.ForeignKey(Match, models.PROTECT, related_name="outages")
    cause = models.CharField(max_length=10, choices=Cause, db_collation="C")
    began_at = models.DateTimeField()
    ended_at = models.DateTimeField()
    answer = models.CharField(max_length=10, choices=Answer, blank=True, default="", db_collation="C")
    person = models.ForeignKey(User, models.PROTECT, null=True, related_name="+")

    class Meta:
        ordering = ["began_at", "pk"]
        constraints = [
            models.UniqueConstraint(fields=["match", "began_at"], name="outage_once"),
            models.CheckConstraint(condition=Q(ended_at__gt=models.F("began_at")), name="outage_has_a_length"),
        ]

    def __str__(self) -> str:
        return f"{self.cause} of {self.match_id}"
