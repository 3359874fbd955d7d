"""People and their history. Search forgives capitals, accents and the wrong i (players.rules.names)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date
from uuid import UUID

from django.db.models import Count, Exists, F, OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import Coalesce

from core.refusal import Refusal
from players.models import User
from players.rules.names import search_key
from scoring.models import Seat
from tournaments.models import Entrant, Snapshot, SnapshotLine, Stage, Withdrawal
from tournaments.queries.lists import players_of


@dataclass(frozen=True)
class FoundPerson:
    """Somebody in a list of people, with the number of published tournaments he played; None: his history is hidden."""

    id: UUID
    name: str
    tournaments: int | None


@dataclass(frozen=True)
class HeatPlayed:
    """A match that somebody sat at; equal points share the `place` (D15)."""

    stage: int
    kind: str
    number: int
    name: str
    place: int
    points: int


@dataclass(frozen=True)
class Participation:
    """A tournament of a person's history, and the `name` and `club` that it has him under.

    `place` is one of `players`; None where there is no final, where he did not play, or for who was `excluded`:
    `renounced` is then the stage, as a withdrawal names it. `points` are those for the series, the `adjustment` of the
    standings ledger included, both None where there are none.
    """

    slug: str
    tournament: str
    date: date | None
    venue: str
    name: str
    club: str
    place: int | None
    players: int
    points: int | None
    adjustment: int | None
    excluded: bool
    renounced: str
    series: str | None
    edition: int | None
    is_world: bool
    finished: bool
    heats: tuple[HeatPlayed, ...]


@dataclass(frozen=True)
class RankedIn:
    """A line of the person in the latest ranking of a series."""

    series: str
    club: str | None
    club_slug: str | None
    edition: int
    dated: date | None
    rank: int
    points: int


@dataclass(frozen=True)
class PersonView:
    """A person, and how many published tournaments he is in. `merged_into`: who this turned out to be; `plays`: he is
    in one that is announced.

    Of who is `hidden` or `erased` no page shows the history.
    """

    id: UUID
    name: str
    version: int
    erased: bool
    hidden: bool
    merged_into: UUID | None
    tournaments: int
    plays: bool


@dataclass(frozen=True)
class PersonHistory:
    """What somebody did, latest first; `names`: others under which tournaments have him."""

    names: tuple[str, ...]
    played: tuple[Participation, ...]
    rankings: tuple[RankedIn, ...]


def people_found(text: str) -> QuerySet[User]:
    """Who is in a published tournament and has these words in his name, in any order; everybody for no word.

    Who turned out to be somebody else is found under the other's name, who was erased not at all. Ordered by name.
    """
    played = Entrant.objects.filter(person=OuterRef("pk"), tournament__published__gt=0)
    people = User.objects.filter(Exists(played), merged_into=None, erased=False)
    words = search_key(text).split()
    if words:
        named = Q(*(Q(search_key__contains=word) for word in words))
        people = people.filter(named | Exists(User.objects.filter(named, merged_into=OuterRef("pk"))))
    return people.order_by("sort_key", "pk")


def found(rows: Sequence[User]) -> list[FoundPerson]:
    """Rows of `people_found` as values. One query."""
    entrants = Entrant.objects.filter(person__in=[row.pk for row in rows], tournament__published__gt=0).order_by()
    counts = dict(entrants.values("person").annotate(count=Count("pk")).values_list("person", "count"))
    return [
        FoundPerson(row.pk, row.display_name, None if row.history_hidden else counts.get(row.pk, 0)) for row in rows
    ]


def person_for_page(person: UUID) -> PersonView:
    """A person. One query. Refusal: `person_unknown`."""
    played = Count("entrants", filter=Q(entrants__tournament__published__gt=0))
    plays = Exists(Entrant.objects.filter(person=OuterRef("pk"), tournament__announced=True))
    row = User.objects.filter(pk=person).annotate(played=played, plays=plays).first()
    if row is None:
        raise Refusal("person_unknown")
    return PersonView(
        id=row.pk,
        name=row.display_name,
        version=row.version,
        erased=row.erased,
        hidden=row.history_hidden,
        merged_into=row.merged_into_id,
        tournaments=row.played,
        plays=row.plays,
    )


def history_of(person: PersonView) -> PersonHistory:
    """His published tournaments and his rankings. Six queries for any length; nothing of who is hidden or erased."""
    if person.hidden or person.erased:
        return PersonHistory((), (), ())
    played = tuple(_history(person.id))
    names = tuple(dict.fromkeys(entry.name for entry in played if entry.name != person.name))
    return PersonHistory(names, played, _rankings(person.id))


def _history(person: UUID) -> Iterable[Participation]:
    entrants = list(
        Entrant.objects.filter(person=person, tournament__published__gt=0)
        .select_related("tournament")
        .order_by(F("tournament__date").desc(nulls_last=True), "tournament__slug")
    )
    ids = [entrant.tournament_id for entrant in entrants]
    counts, heats = players_of(ids), _heats(person, ids)
    finals = set(Stage.objects.filter(tournament__in=ids, kind=Stage.Kind.FINAL).values_list("tournament", flat=True))
    renounced = dict(
        Withdrawal.objects.filter(entrant__in=entrants).order_by("-number").values_list("entrant", "target")
    )
    for entrant in entrants:
        tournament = entrant.tournament
        yield Participation(
            slug=tournament.slug,
            tournament=tournament.name,
            date=tournament.date,
            venue=tournament.venue or "",
            name=entrant.name,
            club=entrant.club or "",
            place=entrant.place,
            players=counts.get(tournament.pk, 0),
            points=entrant.points,
            adjustment=entrant.adjustment,
            excluded=entrant.excluded,
            renounced=renounced.get(entrant.pk, ""),
            series=tournament.series,
            edition=tournament.edition,
            is_world=tournament.is_world,
            finished=tournament.pk in finals,
            heats=tuple(heats.get(tournament.pk, ())),
        )


def _heats(person: UUID, tournaments: Sequence[UUID]) -> dict[UUID, list[HeatPlayed]]:
    """The matches he sat at, by tournament, in the order played."""
    better = Seat.objects.filter(sheet=OuterRef("sheet"), points__gt=OuterRef("points")).order_by()
    seats = (
        Seat.objects.filter(person=person, sheet__heat__stage__tournament__in=tournaments)
        .annotate(better=Coalesce(Subquery(better.values("sheet").annotate(count=Count("pk")).values("count")), 0))
        .select_related("sheet__heat__stage")
        .order_by("sheet__heat__stage__number", "sheet__heat__number")
    )
    heats: dict[UUID, list[HeatPlayed]] = {}
    for seat in seats:
        heat = seat.sheet.heat
        heats.setdefault(heat.stage.tournament_id, []).append(
            HeatPlayed(heat.stage.number, heat.stage.kind, heat.number, heat.name, seat.better + 1, seat.points)
        )
    return heats


def _rankings(person: UUID) -> tuple[RankedIn, ...]:
    """His line after the last edition of each series, also where it was written for who turned out to be him."""
    latest = Snapshot.objects.filter(series=OuterRef("snapshot__series")).order_by("-edition__number", "-version")
    lines = (
        SnapshotLine.objects.filter(Q(person=person) | Q(person__merged_into=person))
        .filter(snapshot=Subquery(latest.values("pk")[:1]))
        .select_related("snapshot__edition", "snapshot__series__club")
        .order_by(F("snapshot__series__club__sort_key").asc(nulls_first=True), "snapshot__series__name", "rank")
    )
    return tuple(
        RankedIn(
            series=line.snapshot.series.name,
            club=line.snapshot.series.club.name if line.snapshot.series.club else None,
            club_slug=line.snapshot.series.club.slug if line.snapshot.series.club else None,
            edition=line.snapshot.edition.number,
            dated=line.snapshot.dated,
            rank=line.shared,
            points=line.points,
        )
        for line in lines
    )
