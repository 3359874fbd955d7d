"""Lists of tournaments, clubs and series. Every one asks the same number of queries for any length."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from uuid import UUID

from django.db import connection
from django.db.models import Count, F, Q, QuerySet

from core.refusal import Refusal
from players.models import Club
from scoring.models import Seat
from tournaments.models import Entrant, Series, Snapshot, SnapshotLine, Stage, Tournament


@dataclass(frozen=True)
class HouseState:
    """In which state the house is: another `key` after any change that a page could show.

    `tournaments`: how many are published.
    """

    key: str
    tournaments: int


@dataclass(frozen=True)
class ListedTournament:
    """A published tournament in a calendar. `champion` is "" while there is none.

    `players` sat at a table; `counts`: it is an edition of its series in the books of this house.
    """

    slug: str
    name: str
    date: date | None
    venue: str
    club: str
    club_slug: str | None
    series: str | None
    edition: int | None
    is_world: bool
    counts: bool
    players: int
    champion: str
    champion_id: UUID | None
    finished: bool


@dataclass(frozen=True)
class ListedClub:
    """A club with the number of its published tournaments."""

    slug: str
    name: str
    tournaments: int


@dataclass(frozen=True)
class ListedSeries:
    """A series with its latest ranking: after which edition, and who leads it."""

    name: str
    club: str | None
    club_slug: str | None
    editions: int
    edition: int
    dated: date | None
    leader: str
    leader_id: UUID | None
    points: int


_STATE = """
SELECT (SELECT coalesce(sum(version), 0) FROM tournaments_tournament),
       (SELECT coalesce(sum(version), 0) FROM tournaments_series),
       (SELECT coalesce(sum(version), 0) FROM players_user),
       (SELECT coalesce(sum(hashtextextended(slug || ' ' || name, 0)), 0) FROM players_club),
       (SELECT coalesce(sum(hashtextextended(id || audit_head, 0)), 0) FROM players_scope),
       (SELECT count(*) FROM tournaments_tournament WHERE published > 0)
"""


def house_state() -> HouseState:
    """The present state. One query.

    Versions only grow and no row is ever deleted, so that their sums tell any change; clubs have no version, their
    names stand for themselves. The heads of the audit trails tell a house apart from the same house with another
    history: one that was begun anew, or brought back from a copy and went another way.
    """
    with connection.cursor() as cursor:
        cursor.execute(_STATE)
        *versions, published = cursor.fetchone()
    return HouseState(".".join(map(str, versions)), published)


def published_tournaments(*, club: str | None = None, year: int | None = None, text: str = "") -> QuerySet[Tournament]:
    """Published tournaments, latest first, those without a date at the end; `text`: a search key, all of whose words
    their names contain."""
    found = Tournament.objects.filter(published__gt=0).select_related("club", "edition_row")
    if club:
        found = found.filter(club__slug=club)
    if year:
        found = found.filter(date__year=year)
    for word in text.split():
        found = found.filter(search_key__contains=word)
    return found.order_by(F("date").desc(nulls_last=True), "slug")


def listed(rows: Sequence[Tournament]) -> list[ListedTournament]:
    """What a calendar shows of these rows. Three queries for any number."""
    ids = [row.pk for row in rows]
    counts = players_of(ids)
    champions = {
        tournament: (name, person)
        for tournament, name, person in Entrant.objects.filter(tournament__in=ids, place=1)
        .order_by()
        .values_list("tournament", "name", "person")
    }
    finals = set(Stage.objects.filter(tournament__in=ids, kind=Stage.Kind.FINAL).values_list("tournament", flat=True))
    return [
        ListedTournament(
            slug=row.slug,
            name=row.name,
            date=row.date,
            venue=row.venue or "",
            club=row.club.name if row.club else "",
            club_slug=row.club.slug if row.club else None,
            series=row.series,
            edition=row.edition,
            is_world=row.is_world,
            counts=hasattr(row, "edition_row"),
            players=counts.get(row.pk, 0),
            champion=champions.get(row.pk, ("", None))[0],
            champion_id=champions.get(row.pk, ("", None))[1],
            finished=row.pk in finals,
        )
        for row in rows
    ]


def players_of(tournaments: Sequence[UUID]) -> dict[UUID, int]:
    """How many people sat at a table, by tournament. One query."""
    seats = Seat.objects.filter(sheet__heat__stage__tournament__in=tournaments).order_by()
    counted = seats.values("sheet__heat__stage__tournament").annotate(count=Count("person", distinct=True))
    return dict(counted.values_list("sheet__heat__stage__tournament", "count"))


def years() -> list[int]:
    """Years in which a published tournament has its date, latest first. One query."""
    found = Tournament.objects.filter(published__gt=0, date__isnull=False).dates("date", "year", order="DESC")
    return [day.year for day in found]


def clubs() -> list[ListedClub]:
    """All clubs by name. One query."""
    return [ListedClub(*told) for told in _counted().order_by("sort_key", "slug")]


def club_named(slug: str) -> ListedClub:
    """One club. One query. Refusal: `club_unknown`."""
    told = _counted().filter(slug=slug).first()
    if told is None:
        raise Refusal("club_unknown", {"slug": slug})
    return ListedClub(*told)


def _counted() -> QuerySet[Club, tuple[str, str, int]]:
    count = Count("tournaments", filter=Q(tournaments__published__gt=0))
    return Club.objects.annotate(count=count).values_list("slug", "name", "count")


def series_listed(club: str | None = None) -> list[ListedSeries]:
    """Series that have a ranking: all of them, the world's first, or a club's. Three queries."""
    rows = Series.objects.select_related("club").annotate(
        count=Count("editions", filter=Q(editions__tournament__published__gt=0))
    )
    if club is not None:
        rows = rows.filter(club__slug=club)
    snapshots = Snapshot.objects.order_by("series", "-edition__number", "-version").distinct("series")
    latest = {row.series_id: row for row in snapshots.filter(series__in=rows.values("pk")).select_related("edition")}
    firsts = SnapshotLine.objects.filter(snapshot__in=[row.pk for row in latest.values()], rank=1)
    leaders = {line.snapshot_id: line for line in firsts.select_related("person__merged_into")}
    return [
        _listed_series(series, latest[series.pk], leaders.get(latest[series.pk].pk))
        for series in rows.order_by(F("club__sort_key").asc(nulls_first=True), "name")
        if series.pk in latest
    ]


def _listed_series(series: Series, latest: Snapshot, leader: SnapshotLine | None) -> ListedSeries:
    person = leader and (leader.person.merged_into or leader.person)
    return ListedSeries(
        name=series.name,
        club=series.club.name if series.club else None,
        club_slug=series.club.slug if series.club else None,
        editions=series.count,  # type: ignore[attr-defined]  # annotated
        edition=latest.edition.number,
        dated=latest.dated,
        leader=person.display_name if person else "",
        leader_id=person.pk if person else None,
        points=leader.points if leader else 0,
    )
