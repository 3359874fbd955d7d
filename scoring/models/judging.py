"""What people say about a sheet: hands that wait for a second person, signatures, claims, votes, rulings, appeals."""

from __future__ import annotations

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import F, Q

from core.entropy import new_id
from players.models import NameKeyField, Scope, User
from players.rules.names import search_key
from scoring.models.sheets import Entry, Sheet
from scoring.rules.hands import SEATS


class Proposal(models.Model):
    """An entry that waits until a second person accepts it (UX-17). `number` counts from 1 in the sheet.

    `content`: the columns of the entry to be; `hand`: number of a new hand, or `replaces`: number of the entry that it
    would correct.
    """

    class State(models.TextChoices):
        PENDING = "pending"
        ACCEPTED = "accepted"
        REJECTED = "rejected"
        TAKEN_BACK = "taken_back"

    sheet = models.ForeignKey(Sheet, models.PROTECT, related_name="proposals")
    number = models.PositiveIntegerField()
    content = models.JSONField()
    hand = models.PositiveIntegerField(null=True)
    replaces = models.PositiveIntegerField(null=True)
    reason = models.TextField(default="", blank=True)
    state = models.CharField(max_length=10, choices=State, default=State.PENDING, db_collation="C")
    person = models.ForeignKey(User, models.PROTECT, related_name="+")
    answered_by = models.ForeignKey(User, models.PROTECT, null=True, related_name="+")

    class Meta:
        ordering = ["sheet", "number"]
        constraints = [
            models.UniqueConstraint(fields=["sheet", "number"], name="proposal_number_once"),
            models.UniqueConstraint(fields=["sheet"], condition=Q(state="pending"), name="proposal_one_waits"),
            models.CheckConstraint(
                condition=Q(state__in=["pending", "accepted", "rejected", "taken_back"]), name="proposal_state_known"
            ),
            models.CheckConstraint(
                condition=Q(hand=None, replaces__isnull=False) | Q(hand__isnull=False, replaces=None),
                name="proposal_new_or_correction",
            ),
            models.CheckConstraint(
                condition=~Q(answered_by=F("person")) | Q(state="taken_back"), name="proposal_answered_by_another"
            ),
        ]

    def __str__(self) -> str:
        return f"proposal {self.number} of {self.sheet_id}"


class Signature(models.Model):
    """A player (`seat`) or a referee (no seat) signs the sheet as it stands with this many entries (S11).

    `pass_id`: the seat pass with which it was made, if any.
    """

    sheet = models.ForeignKey(Sheet, models.PROTECT, related_name="signatures")
    entries = models.PositiveIntegerField()
    reopened = models.PositiveIntegerField(default=0)
    seat = models.PositiveSmallIntegerField(null=True)
    person = models.ForeignKey(User, models.PROTECT, null=True, related_name="+")
    pass_id = models.UUIDField(null=True)

    class Meta:
        ordering = ["sheet", "pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["sheet", "entries", "reopened", "seat"], nulls_distinct=False, name="signature_once"
            ),
            models.CheckConstraint(condition=Q(seat=None) | Q(seat__lt=SEATS), name="signature_seat_known"),
        ]

    def __str__(self) -> str:
        return f"signature on {self.sheet_id}"


class Claim(models.Model):
    """Somebody claims a penalty for a played hand (S17, S18). `number` counts from 1 in the sheet.

    `entry`: the hand as it stood; `judges`: seats that vote (D9), empty where the referee judges; `seat`: where the
    claimant sits, None for a referee.
    """

    class State(models.TextChoices):
        OPEN = "open"
        UPHELD = "upheld"
        REJECTED = "rejected"
        WITHDRAWN = "withdrawn"

    sheet = models.ForeignKey(Sheet, models.PROTECT, related_name="claims")
    number = models.PositiveIntegerField()
    entry = models.ForeignKey(Entry, models.PROTECT, related_name="claims")
    kind = models.CharField(max_length=20, db_collation="C")
    seat = models.PositiveSmallIntegerField(null=True)
    person = models.ForeignKey(User, models.PROTECT, null=True, related_name="+")
    reason = models.TextField()
    judges = ArrayField(models.PositiveSmallIntegerField(), default=list)
    state = models.CharField(max_length=10, choices=State, default=State.OPEN, db_collation="C")
    withdrawn_because = models.TextField(default="", blank=True)

    class Meta:
        ordering = ["sheet", "number"]
        constraints = [
            models.UniqueConstraint(fields=["sheet", "number"], name="claim_number_once"),
            models.UniqueConstraint(fields=["sheet"], condition=Q(state="open"), name="claim_one_open"),
            # Judged without appeal: the same hand is judged once for the same thing.
            models.UniqueConstraint(
                fields=["entry", "kind"], condition=Q(state__in=["upheld", "rejected"]), name="claim_judged_once"
            ),
            models.CheckConstraint(
                condition=Q(state__in=["open", "upheld", "rejected"], withdrawn_because="")
                | (Q(state="withdrawn") & ~Q(withdrawn_because="")),
                name="claim_state_known",
            ),
            models.CheckConstraint(
                condition=Q(kind__in=["suicidal_call", "disloyal_raise"]) & ~Q(reason=""), name="claim_says_what"
            ),
            models.CheckConstraint(
                condition=(Q(seat=None) | Q(seat__lt=SEATS)) & Q(judges__len__lt=SEATS), name="claim_seats_known"
            ),
        ]

    def __str__(self) -> str:
        return f"claim {self.number} of {self.sheet_id}"


class Vote(models.Model):
    """The vote of one judge; nobody sees it before all have voted. Never changed (a trigger)."""

    claim = models.ForeignKey(Claim, models.PROTECT, related_name="votes")
    seat = models.PositiveSmallIntegerField()
    uphold = models.BooleanField()
    person = models.ForeignKey(User, models.PROTECT, related_name="+")
    pass_id = models.UUIDField(null=True)

    class Meta:
        ordering = ["claim", "seat"]
        constraints = [
            models.UniqueConstraint(fields=["claim", "seat"], name="vote_once"),
            models.CheckConstraint(condition=Q(seat__lt=SEATS), name="vote_seat_known"),
        ]

    def __str__(self) -> str:
        return f"vote on {self.claim_id}"


class Ruling(models.Model):
    """A decision with its article and reason, and who decided: the table, a referee, the council (S2). Never changed.

    `upheld` is False where a claim or an appeal was rejected. `entry`: what it wrote on the sheet, if anything.
    `revokes`: the ruling that it takes back. `number` counts from 1 in the scope.
    """

    class Kind(models.TextChoices):
        SUICIDAL_CALL = "suicidal_call"
        DISLOYAL_RAISE = "disloyal_raise"
        AWARD = "award"
        VOID = "void"
        DECISION = "decision"
        REOPENED = "reopened"
        REVOCATION = "revocation"
        APPEAL = "appeal"

    class By(models.TextChoices):
        TABLE = "table"
        REFEREE = "referee"
        COUNCIL = "council"

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    scope = models.ForeignKey(Scope, models.PROTECT, related_name="rulings")
    number = models.PositiveIntegerField()
    sheet = models.ForeignKey(Sheet, models.PROTECT, related_name="rulings")
    kind = models.CharField(max_length=20, choices=Kind, db_collation="C")
    decided_by = models.CharField(max_length=10, choices=By, db_collation="C")
    upheld = models.BooleanField(default=True)
    person = models.ForeignKey(User, models.PROTECT, null=True, related_name="+")
    article = models.CharField(max_length=40)
    question = models.TextField(default="", blank=True)
    reason = models.TextField()
    search_key = NameKeyField(of="words", make=search_key)
    entry = models.OneToOneField(Entry, models.PROTECT, null=True, related_name="ruled")
    claim = models.OneToOneField(Claim, models.PROTECT, null=True, related_name="verdict")
    revokes = models.OneToOneField("self", models.PROTECT, null=True, related_name="revoked_by")

    class Meta:
        ordering = ["scope", "number"]
        indexes = [models.Index(fields=["sheet"], name="ruling_by_sheet")]
        constraints = [
            models.UniqueConstraint(fields=["scope", "number"], name="ruling_number_once"),
            models.CheckConstraint(condition=~Q(article="") & ~Q(reason=""), name="ruling_says_why"),
            models.CheckConstraint(
                condition=Q(decided_by__in=["table", "referee", "council"]), name="ruling_decided_by_known"
            ),
            models.CheckConstraint(
                condition=Q(
                    kind__in=[
                        "suicidal_call",
                        "disloyal_raise",
                        "award",
                        "void",
                        "decision",
                        "reopened",
                        "revocation",
                        "appeal",
                    ]
                ),
                name="ruling_kind_known",
            ),
            models.CheckConstraint(
                condition=Q(revokes=None) | Q(kind__in=["revocation", "appeal"]), name="ruling_kind_revokes"
            ),
        ]

    def __str__(self) -> str:
        return f"ruling {self.number} in {self.scope_id}"

    @property
    def words(self) -> str:
        """What a search in the case book looks through."""
        return f"{self.article} {self.question} {self.reason}"


class Appeal(models.Model):
    """A referee's ruling before the Council of Guarantors (S19): sub iudice until four agree or `deadline` passes.

    `number` counts from 1 in the sheet.
    """

    class State(models.TextChoices):
        OPEN = "open"
        UPHELD = "upheld"
        REJECTED = "rejected"

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    ruling = models.OneToOneField(Ruling, models.PROTECT, related_name="appeal")
    person = models.ForeignKey(User, models.PROTECT, null=True, related_name="+")
    reason = models.TextField()
    deadline = models.DateTimeField()
    state = models.CharField(max_length=10, choices=State, default=State.OPEN, db_collation="C")

    class Meta:
        ordering = ["deadline", "id"]
        constraints = [
            models.CheckConstraint(condition=~Q(reason=""), name="appeal_says_why"),
            models.CheckConstraint(condition=Q(state__in=["open", "upheld", "rejected"]), name="appeal_state_known"),
        ]

    def __str__(self) -> str:
        return f"appeal against {self.ruling_id}"


class AppealVote(models.Model):
    """The vote of a member of the council. Never changed (a trigger)."""

    appeal = models.ForeignKey(Appeal, models.PROTECT, related_name="votes")
    person = models.ForeignKey(User, models.PROTECT, related_name="+")
    uphold = models.BooleanField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["appeal", "person"], name="appeal_vote_once")]

    def __str__(self) -> str:
        return f"vote on appeal {self.appeal_id}"


class RefereeCall(models.Model):
    """A table calls the referee (UX-22). `number` counts from 1 in the sheet; one call of a seat waits at a time."""

    sheet = models.ForeignKey(Sheet, models.PROTECT, related_name="calls")
    number = models.PositiveIntegerField()
    seat = models.PositiveSmallIntegerField()
    person = models.ForeignKey(User, models.PROTECT, related_name="+")
    words = models.TextField(default="", blank=True)
    answered = models.BooleanField(default=False)
    answered_by = models.ForeignKey(User, models.PROTECT, null=True, related_name="+")

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.UniqueConstraint(fields=["sheet", "number"], name="call_number_once"),
            models.UniqueConstraint(fields=["sheet", "seat"], condition=Q(answered=False), name="call_one_waits"),
            models.CheckConstraint(condition=Q(seat__lt=SEATS), name="call_seat_known"),
        ]

    def __str__(self) -> str:
        return f"call {self.number} of {self.sheet_id}"
