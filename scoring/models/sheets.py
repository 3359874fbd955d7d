"""Scoresheets (verbali): append-only entries that speak of seats, and projections folded from them."""

from __future__ import annotations

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import F, Q

from core.entropy import new_id
from players.models import Scope, User
from scoring.rules.hands import CARD_POINTS, SEATS

# What an entry may fill, besides what all of them have.
_COLUMNS = (
    "caller",
    "called",
    "bid",
    "made",
    "ruling",
    "seat",
    "points",
    "repeated",
    "totals",
    "hands_played",
    "adjustments",
)


def _has(kind: str, *filled: str, perhaps: str = "") -> Q:
    """An entry of this kind fills these columns and no others."""
    others = {f"{name}__isnull": name not in filled for name in _COLUMNS if name != perhaps}
    return Q(kind=kind, **others)


def _within(column: str, low: int, high: int | None) -> Q:
    bounds = {f"{column}__gte": low} | ({} if high is None else {f"{column}__lte": high})
    return Q(**{f"{column}__isnull": True}) | Q(**bounds)


class Sheet(models.Model):
    """The scoresheet of one match. Frozen copies of the rules; `version` grows with whatever happens at its table.

    `dealt`: number of the last hand that was dealt, as far as anybody said so; `reopened`: how often it was opened
    again, which makes earlier signatures void. The figures below are a projection: what folding the entries gives.
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
    dealt = models.PositiveIntegerField(default=0)
    reopened = models.PositiveIntegerField(default=0)

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
                | Q(
                    golden_seat__isnull=False,
                    golden_seat__lt=SEATS,
                    golden_bid__isnull=False,
                    golden_bid__lte=CARD_POINTS,
                    golden_solo__isnull=False,
                ),
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
                condition=_has("played", "caller", "called", "bid", "made", perhaps="ruling")
                | _has("admitted", "caller", "bid", "ruling")
                | _has("award", "seat", "points")
                | _has("voided", "repeated")
                | _has("totals", "totals", "hands_played", "adjustments"),
                name="entry_whole_of_its_kind",
            ),
            models.CheckConstraint(
                condition=Q(kind="award") & ~Q(article="") & ~Q(why="") | ~Q(kind="award") & Q(article="", why=""),
                name="entry_award_says_why",
            ),
            models.CheckConstraint(
                condition=_within("caller", 0, SEATS - 1)
                & _within("called", 0, SEATS - 1)
                & _within("seat", 0, SEATS - 1)
                & _within("bid", 1, CARD_POINTS)
                & _within("made", 0, CARD_POINTS)
                & _within("hands_played", 1, None),
                name="entry_within_bounds",
            ),
            models.CheckConstraint(
                # D18: only a lost hand can be a suicidal call.
                condition=Q(ruling=None)
                | Q(ruling="disloyal_raise")
                | Q(ruling="suicidal_call", made__isnull=False, made__lt=F("bid")),
                name="entry_ruling_possible",
            ),
            models.CheckConstraint(
                condition=Q(totals=None) | Q(totals__len=SEATS, adjustments__len=SEATS), name="entry_totals_of_five"
            ),
        ]

    def __str__(self) -> str:
        return f"entry {self.number} of {self.sheet_id}"
