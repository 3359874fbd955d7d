"""Tournaments as rows: what was written down, who took part, and what was published.

Facts are kept as the tournament file spells them (absent stays absent), so that an export equals its import. Places
are computed from them; what is kept of places is a projection that a rebuild gives again.
"""

from __future__ import annotations

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from core.entropy import new_id
from players.models import Club, NameKeyField, Scope, User
from players.rules.names import search_key
from scoring.models import Sheet
from tournaments.rules.ruleset import WORLD_SERIES


class Series(models.Model):
    """A ranking over editions. The world series belongs to the house (no club); a club has others of its own."""

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    club = models.ForeignKey(Club, models.PROTECT, null=True, related_name="series")
    name = models.TextField()
    points = ArrayField(models.PositiveIntegerField())
    window = models.PositiveSmallIntegerField(default=3)
    version = models.PositiveIntegerField(default=1)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["club", "name"], nulls_distinct=False, name="series_name_once"),
            models.CheckConstraint(condition=~Q(name=""), name="series_has_a_name"),
            models.CheckConstraint(condition=~Q(club=None) | Q(name=WORLD_SERIES), name="series_house_has_the_world"),
            models.CheckConstraint(condition=Q(window__gte=1), name="series_window_not_empty"),
        ]

    def __str__(self) -> str:
        return self.name


class Tournament(models.Model):
    """One tournament. `version` grows with every change of it or of anything below it.

    The fields from `name` to `record` are what the file says of it (None: it does not say); `spelled` names the
    optional lists of the file that are there although they are empty. `source_hash` is that of the imported file.

    `live`: it is run here; `announced`: everybody may see it although no version is published yet; `codes_given`: the
    highest number that an entrant's code ever had.
    """

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    scope = models.OneToOneField(Scope, models.PROTECT, related_name="tournament")
    club = models.ForeignKey(Club, models.PROTECT, null=True, related_name="tournaments")
    slug = models.SlugField(max_length=80, unique=True, db_collation="C")
    version = models.PositiveIntegerField(default=1)
    published = models.PositiveIntegerField(default=0)
    live = models.BooleanField(default=False)
    announced = models.BooleanField(default=False)
    codes_given = models.PositiveIntegerField(default=0)
    source_hash = models.CharField(max_length=64, blank=True, default="", db_collation="C")

    name = models.TextField(_("name"))
    search_key = NameKeyField(of="name", make=search_key)
    game = models.CharField(max_length=20, default="gingo", db_collation="C")
    series = models.TextField(null=True)  # noqa: DJ001 - absent and empty differ in the file
    edition = models.BigIntegerField(null=True)
    date = models.DateField(null=True)
    venue = models.TextField(null=True)  # noqa: DJ001
    rules = models.JSONField(null=True)
    record = models.TextField(null=True)  # noqa: DJ001 - JSON as text: the database would respell its numbers
    spelled = ArrayField(models.TextField(), default=list)

    class Meta:
        ordering = ["-date", "slug"]
        indexes = [models.Index(fields=["-date", "slug"], name="tournament_by_date")]
        constraints = [
            models.UniqueConstraint(
                fields=["club", "source_hash"],
                condition=~Q(source_hash=""),
                nulls_distinct=False,
                name="tournament_file_once",
            ),
            models.CheckConstraint(condition=~Q(name=""), name="tournament_has_a_name"),
            models.CheckConstraint(condition=~Q(slug=""), name="tournament_has_a_slug"),
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def is_world(self) -> bool:
        """Counts for the A.G.P."""
        return self.series in (None, WORLD_SERIES)


class Entrant(models.Model):
    """A person in a tournament: code and name as written in its file. `lot`, `entry`: positions in those lists.

    `place`, `points`, `adjustment` and `excluded` are a projection of the replay: final place, points for the
    series with the ledger, the ledger alone, and whether he renounced a stage (S8). `present`: checked in.
    """

    tournament = models.ForeignKey(Tournament, models.PROTECT, related_name="entrants")
    person = models.ForeignKey(User, models.PROTECT, related_name="entrants")
    position = models.PositiveIntegerField()
    code = models.TextField(db_collation="C")
    name = models.TextField()
    club = models.TextField(null=True)  # noqa: DJ001
    entry = models.PositiveIntegerField(null=True)
    lot = models.PositiveIntegerField(null=True)
    present = models.BooleanField(default=False)

    place = models.PositiveIntegerField(null=True)
    points = models.BigIntegerField(null=True)
    adjustment = models.BigIntegerField(null=True)
    excluded = models.BooleanField(default=False)

    class Meta:
        ordering = ["tournament", "position"]
        constraints = [
            models.UniqueConstraint(fields=["tournament", "person"], name="entrant_person_once"),
            models.UniqueConstraint(fields=["tournament", "code"], name="entrant_code_once"),
            models.UniqueConstraint(fields=["tournament", "position"], name="entrant_position_once"),
            models.UniqueConstraint(fields=["tournament", "entry"], name="entrant_entry_once"),
            models.UniqueConstraint(fields=["tournament", "lot"], name="entrant_lot_once"),
            models.UniqueConstraint(
                fields=["tournament", "place"], name="entrant_place_once", deferrable=models.Deferrable.DEFERRED
            ),
            models.CheckConstraint(condition=~Q(code="") & ~Q(name=""), name="entrant_is_named"),
            models.CheckConstraint(condition=Q(excluded=False) | Q(place=None), name="entrant_excluded_has_no_place"),
        ]

    def __str__(self) -> str:
        return self.name


class EditionBefore(models.Model):
    """An earlier edition as this tournament's file has it: the frozen A.G.P. snapshot of this tournament alone."""

    tournament = models.ForeignKey(Tournament, models.PROTECT, related_name="editions_before")
    position = models.PositiveIntegerField()
    number = models.BigIntegerField()
    series = models.TextField(null=True)  # noqa: DJ001
    ranking = ArrayField(models.TextField())
    adjustments = models.JSONField(null=True)

    class Meta:
        ordering = ["tournament", "position"]
        constraints = [
            models.UniqueConstraint(fields=["tournament", "position"], name="edition_before_position_once"),
        ]

    def __str__(self) -> str:
        return f"edition {self.number}"


class Stage(models.Model):
    """Heats, the final or the second final, `number` from 1 in the order played.

    A draft is a draw that only its organisers see: it has a `plan` and no heats yet. What follows from results counts
    closed stages only. `plan` and `seed` (hex): how it was drawn, see tournaments.services.drawing.
    """

    class Kind(models.TextChoices):
        HEATS = "heats"
        FINAL = "final"
        SECOND_FINAL = "second_final"

    class State(models.TextChoices):
        DRAFT = "draft"
        OPEN = "open"
        CLOSED = "closed"

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    tournament = models.ForeignKey(Tournament, models.PROTECT, related_name="stages")
    number = models.PositiveSmallIntegerField()
    kind = models.CharField(max_length=20, choices=Kind, db_collation="C")
    state = models.CharField(max_length=10, choices=State, default=State.CLOSED, db_collation="C")
    seed = models.CharField(max_length=64, blank=True, default="", db_collation="C")
    plan = models.JSONField(null=True)

    class Meta:
        ordering = ["tournament", "number"]
        constraints = [
            models.CheckConstraint(condition=Q(state__in=["draft", "open", "closed"]), name="stage_state_known"),
            models.UniqueConstraint(fields=["tournament", "number"], name="stage_number_once"),
            models.UniqueConstraint(fields=["tournament", "kind"], condition=~Q(kind="heats"), name="stage_one_final"),
            models.CheckConstraint(
                condition=Q(number__gte=1) & Q(kind__in=["heats", "final", "second_final"]), name="stage_kind_known"
            ),
            models.CheckConstraint(
                condition=~Q(kind__in=["final", "second_final"]) | Q(number__gte=2), name="stage_heats_come_first"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.number}"


class Heat(models.Model):
    """A match of a stage, `number` from 1; its scoresheet has everything else.

    `seat_draw`: how its seats were drawn (S4), None before that or where nobody told: `by` is `system` or `hand`,
    `rounds` the card of each player's code, round by round.
    """

    stage = models.ForeignKey(Stage, models.PROTECT, related_name="heats")
    number = models.PositiveIntegerField()
    name = models.TextField()
    sheet = models.OneToOneField(Sheet, models.PROTECT, related_name="heat")
    referee = models.ForeignKey(User, models.PROTECT, null=True, related_name="+")
    seat_draw = models.JSONField(null=True)

    class Meta:
        ordering = ["stage", "number"]
        constraints = [
            models.UniqueConstraint(fields=["stage", "number"], name="heat_number_once"),
            models.UniqueConstraint(fields=["stage", "name"], name="heat_name_once"),
            models.CheckConstraint(condition=~Q(name="") & Q(number__gte=1), name="heat_is_named"),
        ]

    def __str__(self) -> str:
        return self.name


class Withdrawal(models.Model):
    """Who renounced which stage (`final`, `second_final`, `heats:K`), in order (S8)."""

    tournament = models.ForeignKey(Tournament, models.PROTECT, related_name="withdrawals")
    number = models.PositiveIntegerField()
    entrant = models.ForeignKey(Entrant, models.PROTECT, related_name="withdrawals")
    target = models.CharField(max_length=30, db_collation="C")

    class Meta:
        ordering = ["tournament", "number"]
        constraints = [
            models.UniqueConstraint(fields=["tournament", "number"], name="withdrawal_number_once"),
            models.CheckConstraint(
                condition=Q(target__regex=r"^(final|second_final|heats:([2-9]|[1-9][0-9]+))$"),
                name="withdrawal_target_known",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.entrant_id} from {self.target}"


class Edition(models.Model):
    """An edition of a series in this house's books. Its results are those of its tournament."""

    series = models.ForeignKey(Series, models.PROTECT, related_name="editions")
    number = models.BigIntegerField()
    tournament = models.OneToOneField(Tournament, models.PROTECT, related_name="edition_row")

    class Meta:
        ordering = ["series", "number"]
        constraints = [models.UniqueConstraint(fields=["series", "number"], name="edition_number_once")]

    def __str__(self) -> str:
        return f"edition {self.number} of {self.series_id}"


class Snapshot(models.Model):
    """The ranking of a series after one of its editions, as it stood when it was made; never changed.

    A corrected edition gives a new `version`. `dated` is the day of the edition.
    """

    series = models.ForeignKey(Series, models.PROTECT, related_name="snapshots")
    edition = models.ForeignKey(Edition, models.PROTECT, related_name="snapshots")
    version = models.PositiveIntegerField()
    dated = models.DateField(null=True)
    editions = ArrayField(models.BigIntegerField())

    class Meta:
        ordering = ["series", "edition", "version"]
        constraints = [
            models.UniqueConstraint(fields=["edition", "version"], name="snapshot_version_once"),
            models.CheckConstraint(condition=Q(version__gte=1), name="snapshot_from_one"),
        ]

    def __str__(self) -> str:
        return f"snapshot {self.version} of {self.edition_id}"


class SnapshotLine(models.Model):
    """A person's line in a snapshot: strict `rank`, and `shared` by those whom only a lot could tell apart.

    `lines`: [edition, place or null, points, adjustment] for each edition that counts.
    """

    snapshot = models.ForeignKey(Snapshot, models.PROTECT, related_name="table")
    rank = models.PositiveIntegerField()
    shared = models.PositiveIntegerField()
    person = models.ForeignKey(User, models.PROTECT, related_name="+")
    points = models.BigIntegerField()
    decided_by = models.CharField(max_length=30, blank=True, default="", db_collation="C")
    lines = models.JSONField()

    class Meta:
        ordering = ["snapshot", "rank"]
        constraints = [
            models.UniqueConstraint(fields=["snapshot", "rank"], name="snapshot_rank_once"),
            models.UniqueConstraint(fields=["snapshot", "person"], name="snapshot_person_once"),
        ]

    def __str__(self) -> str:
        return f"{self.rank} of {self.snapshot_id}"


class Publication(models.Model):
    """A published version: what was written down and every consequence, with the hash of the first; never changed.

    `facts` is the tournament file without names (names are looked up, so that a person can be erased), `result` what
    the replay made of it. `audit_number` and `audit_hash`: where the trail of the tournament stood.
    """

    tournament = models.ForeignKey(Tournament, models.PROTECT, related_name="publications")
    version = models.PositiveIntegerField()
    content_hash = models.CharField(max_length=64, db_collation="C")
    at = models.DateTimeField()
    reason = models.TextField(blank=True, default="")
    facts = models.TextField()
    result = models.TextField()
    audit_number = models.PositiveIntegerField()
    audit_hash = models.CharField(max_length=64, db_collation="C")

    class Meta:
        ordering = ["tournament", "version"]
        constraints = [
            models.UniqueConstraint(fields=["tournament", "version"], name="publication_version_once"),
            models.CheckConstraint(condition=Q(version__gte=1), name="publication_from_one"),
            models.CheckConstraint(condition=Q(version=1) | ~Q(reason=""), name="publication_says_why"),
        ]

    def __str__(self) -> str:
        return f"version {self.version} of {self.tournament_id}"
