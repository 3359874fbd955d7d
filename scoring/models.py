"""Scoresheets (verbali): append-only entries that speak of seats, and projections folded from them."""

from __future__ import annotations

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import F, Q

from core.entropy import new_id
from players.models import Scope, User
from scoring.rules.hands import CARD_POINTS, SEATS

_SEAT = Q(seat__gte=0, seat__lt=SEATS)


class Sheet(models.Model):
    """The scoresheet of one match. Frozen copies of the rules; `version` grows with every entry.

    The figures below `version` are a projection: what folding the entries gives (S11).
    """

    class State(models.TextChoices):
        OPEN = "open"
        CLOSED = "closed"
        FROZEN = "frozen"

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    scope = models.ForeignKey(Scope, models.PROTECT, related_name="sheets")
    game = models.CharField(max_length=20, default="gingo", db_collation="C")
    rules = models.JSONField()
    state = models.CharField(max_length=10, choices=State, default=State.OPEN, db_collation="C")
    version = models.PositiveIntegerField(default=1)

    hands_played = models.PositiveBigIntegerField(default=0)
    hands_voided = models.PositiveIntegerField(default=0)
    golden_seat = models.PositiveSmallIntegerField(null=True)
    golden_bid = models.PositiveSmallIntegerField(null=True)
    golden_solo = models.BooleanField(null=True)

    class Meta:
        constraints = [
            models.CheckConstraint(condition=Q(state__in=["open", "closed", "frozen"]), name="sheet_state_known"),
            models.CheckConstraint(
                condition=Q(golden_seat=None, golden_bid=None, golden_solo=None)
                | Q(golden_seat__lt=SEATS, golden_bid__lte=CARD_POINTS, golden_solo__isnull=False),
                name="sheet_golden_call_whole",
            ),
        ]

    def __str__(self) -> str:
        return f"sheet {self.id}"


class Seat(models.Model):
    """A player's seat at a match: `number` 0 deals first. A person sits once in everything that shares a `round`.

    `offences_before`: disloyal raises that count from earlier matches (D10). The rest is a projection; `hands_won`
    and `best_call` are unknown (None) where only totals survive, `ledger` is None where no ruling touched it (D18).
    """

    sheet = models.ForeignKey(Sheet, models.CASCADE, related_name="seats")
    number = models.PositiveSmallIntegerField()
    person = models.ForeignKey(User, models.PROTECT, related_name="seats")
    round = models.UUIDField(null=True)
    offences_before = models.PositiveIntegerField(default=0)

    points = models.BigIntegerField(default=0)
    hands_won = models.PositiveIntegerField(null=True, default=0)
    best_call = models.PositiveSmallIntegerField(null=True, default=0)
    offences = models.PositiveIntegerField(default=0)
    ledger = models.BigIntegerField(null=True)

    class Meta:
        ordering = ["sheet", "number"]
        constraints = [
            models.UniqueConstraint(fields=["sheet", "number"], name="seat_number_once"),
            models.UniqueConstraint(fields=["sheet", "person"], name="seat_person_once"),
            models.UniqueConstraint(
                fields=["round", "person"], condition=~Q(round=None), name="seat_person_once_in_a_round"
            ),
            models.CheckConstraint(condition=Q(number__lt=SEATS), name="seat_number_known"),
        ]

    def __str__(self) -> str:
        return f"seat {self.number} of {self.sheet_id}"


class Entry(models.Model):
    """One thing written on a sheet; never changed, never deleted (a trigger). `number` counts from 0 in the sheet.

    `line` is the line of the sheet (hand, award or totals) that it writes or corrects; each entry is corrected once
    at most, so that one entry of each line holds: the last of its chain.
    """

    class Kind(models.TextChoices):
        PLAYED = "played"
        ADMITTED = "admitted"
        AWARD = "award"
        VOIDED = "voided"
        TOTALS = "totals"

    sheet = models.ForeignKey(Sheet, models.PROTECT, related_name="entries")
    number = models.PositiveIntegerField()
    line = models.PositiveIntegerField()
    kind = models.CharField(max_length=10, choices=Kind, db_collation="C")
    replaces = models.OneToOneField("self", models.PROTECT, null=True, related_name="replaced_by")
    reason = models.TextField(default="", blank=True)
    # A hand: seats of caller and called (the same: alone), bid, card points made, and what was ruled against it.
    caller = models.PositiveSmallIntegerField(null=True)
    called = models.PositiveSmallIntegerField(null=True)
    bid = models.PositiveSmallIntegerField(null=True)
    made = models.PositiveSmallIntegerField(null=True)
    ruling = models.CharField(max_length=20, null=True, db_collation="C")  # noqa: DJ001 - no ruling is no word
    # An award: points plus or minus to a seat, with the article that says so.
    seat = models.PositiveSmallIntegerField(null=True)
    points = models.BigIntegerField(null=True)
    article = models.TextField(default="", blank=True)
    why = models.TextField(default="", blank=True)
    # A voided hand: repeated by the same dealer?
    repeated = models.BooleanField(null=True)
    # Totals, where nothing else survives: points by seat, scored hands, points of the standings ledger by seat.
    totals = ArrayField(models.BigIntegerField(), null=True, size=SEATS)
    hands_played = models.PositiveBigIntegerField(null=True)
    adjustments = ArrayField(models.BigIntegerField(null=True), null=True, size=SEATS)

    class Meta:
        ordering = ["sheet", "number"]
        constraints = [
            models.UniqueConstraint(fields=["sheet", "number"], name="entry_number_once"),
            models.UniqueConstraint(
                fields=["sheet", "line"], condition=Q(replaces=None), name="entry_line_begins_once"
            ),
            models.CheckConstraint(
                condition=Q(replaces=None, reason="") | (~Q(replaces=None) & ~Q(reason="")), name="entry_says_why"
            ),
            models.CheckConstraint(
                condition=Q(
                    kind="played",
                    caller__lt=SEATS,
                    called__lt=SEATS,
                    bid__range=(1, CARD_POINTS),
                    made__range=(0, CARD_POINTS),
                    seat=None,
                    totals=None,
                )
                & (
                    Q(ruling=None)
                    | Q(ruling="disloyal_raise")
                    # D18: only a lost hand can be a suicidal call.
                    | Q(ruling="suicidal_call", made__lt=F("bid"))
                )
                | Q(
                    kind="admitted",
                    caller__lt=SEATS,
                    called=None,
                    bid__range=(1, CARD_POINTS),
                    made=None,
                    ruling="disloyal_raise",
                    seat=None,
                    totals=None,
                )
                | Q(kind="award", caller=None, bid=None, ruling=None, points__isnull=False, totals=None)
                & _SEAT
                & ~Q(article="")
                & ~Q(why="")
                | Q(kind="voided", caller=None, bid=None, ruling=None, seat=None, totals=None, repeated__isnull=False)
                | Q(
                    kind="totals",
                    caller=None,
                    bid=None,
                    ruling=None,
                    seat=None,
                    totals__len=SEATS,
                    hands_played__gte=1,
                    adjustments__len=SEATS,
                ),
                name="entry_whole_of_its_kind",
            ),
        ]

    def __str__(self) -> str:
        return f"entry {self.number} of {self.sheet_id}"
