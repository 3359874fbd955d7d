"""People and their history. Search forgives capitals, accents and the wrong i (players.rules.names)."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from uuid import UUID

from django.db.models import Count, OuterRef, Q, QuerySet, Subquery

from core.refusal import Refusal
from players.models import User
from players.rules.names import search_key
from tournaments.models import Entrant, Snapshot, SnapshotLine


@dataclass(frozen=True)
class FoundPerson:
    """Somebody in a list of people, with the number of published tournaments he played."""

    id: UUID
    name: str
    tournaments: int


@dataclass(frozen=True)
class Participation:
    """A tournament of a person's history. `place` is None without a final, or for who was `excluded`."""

    slug: str
    tournament: str
    date: date | None
    name: str
    club: str
    place: int | None
    players: int
    points: int | None
    adjustment: int | None
    excluded: bool
    series: str | None
    edition: int | None


@dataclass(frozen=True)
class RankedIn:
    """A line of the person in the latest ranking of a series."""

    series: str
    club: str | None
    club_slug: str | None
    edition: int
    rank: int
    points: int


@dataclass(frozen=True)
class PersonView:
    """A person's page. `merged_into`: who this turned out to be. With `hidden` there is no history."""

    id: UUID
    name: str
    version: int
    erased: bool
    hidden: bool
    merged_into: UUID | None
    history: tuple[Participation, ...]
    rankings: tuple[RankedIn, ...]


def people_found(text: str) -> QuerySet[User]:
    """Who is in a published tournament under a name with these words, in any order; everybody for no word.

    Who was erased, or merged into another, is not found. Ordered by name.
    """
    people = User.objects.filter(merged_into=None, erased=False)
    for word in search_key(text).split():
        people = people.filter(search_key__contains=word)
    played = Count("entrants", filter=Q(entrants__tournament__published__gt=0))
    return people.annotate(played=played).filter(played__gt=0).order_by("sort_key", "pk")


def found(rows: QuerySet[User] | list[User]) -> list[FoundPerson]:
    """Rows of `people_found` as values."""
    return [FoundPerson(row.pk, row.display_name, row.played) for row in rows]  # type: ignore[attr-defined]


def person_for_page(person: UUID) -> PersonView:
    """A person with history, latest first. Four queries for any length. Refusal: `person_unknown`."""
    row = User.objects.filter(pk=person).first()
    if row is None:
        raise Refusal("person_unknown")
    hidden = row.history_hidden or row.erased or row.merged_into_id is not None
    return PersonView(
        id=row.pk,
        name=row.display_name,
        version=row.version,
        erased=row.erased,
        hidden=row.history_hidden,
        merged_into=row.merged_into_id,
        history=() if hidden else _history(row),
        rankings=() if hidden else _rankings(row),
    )


def _history(person: User) -> tuple[Participation, ...]:
    entrants = list(
        Entrant.objects.filter(person=person, tournament__published__gt=0)
        .select_related("tournament")
        .order_by("-tournament__date", "tournament__slug")
    )
    ids = [entrant.tournament_id for entrant in entrants]
    others = Entrant.objects.filter(tournament__in=ids).order_by().values("tournament").annotate(count=Count("pk"))
    counts = dict(others.values_list("tournament", "count"))
    return tuple(
        Participation(
            slug=entrant.tournament.slug,
            tournament=entrant.tournament.name,
            date=entrant.tournament.date,
            name=entrant.name,
            club=entrant.club or "",
            place=entrant.place,
            players=counts[entrant.tournament_id],
            points=entrant.points,
            adjustment=entrant.adjustment,
            excluded=entrant.excluded,
            series=entrant.tournament.series,
            edition=entrant.tournament.edition,
        )
        for entrant in entrants
    )


def _rankings(person: User) -> tuple[RankedIn, ...]:
    """His line after the last edition of each series."""
    latest = Snapshot.objects.filter(series=OuterRef("snapshot__series")).order_by("-edition__number", "-version")
    lines = SnapshotLine.objects.filter(person=person, snapshot=Subquery(latest.values("pk")[:1])).select_related(
        "snapshot__edition", "snapshot__series__club"
    )
    return tuple(
        RankedIn(
            series=line.snapshot.series.name,
            club=line.snapshot.series.club.name if line.snapshot.series.club else None,
            club_slug=line.snapshot.series.club.slug if line.snapshot.series.club else None,
            edition=line.snapshot.edition.number,
            rank=line.shared,
            points=line.points,
        )
        for line in lines
    )
