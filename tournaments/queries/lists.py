"""Lists of tournaments, clubs and series. Every one asks the same number of queries for any length."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date
from uuid import UUID

from django.db.models import Count, Q, QuerySet

from core.refusal import Refusal
from players.models import Club
from tournaments.models import Entrant, Series, Stage, Tournament


@dataclass(frozen=True)
class ListedTournament:
    """A published tournament in a calendar. `champion` is "" while there is none."""

    slug: str
    name: str
    date: date | None
    venue: str
    club: str
    club_slug: str | None
    series: str | None
    edition: int | None
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
    """A series with the number of its editions."""

    name: str
    club: str | None
    club_slug: str | None
    editions: int


def published_tournaments(*, club: str | None = None, year: int | None = None, text: str = "") -> QuerySet[Tournament]:
    """Published tournaments, latest first; `text`: a search key that their names contain."""
    found = Tournament.objects.filter(published__gt=0).select_related("club")
    if club:
        found = found.filter(club__slug=club)
    if year:
        found = found.filter(date__year=year)
    if text:
        found = found.filter(search_key__contains=text)
    return found.order_by("-date", "slug")


def listed(rows: Sequence[Tournament]) -> list[ListedTournament]:
    """What a calendar shows of these rows. Three queries for any number."""
    ids = [row.pk for row in rows]
    entrants = Entrant.objects.filter(tournament__in=ids).order_by()
    counts = dict(entrants.values("tournament").annotate(count=Count("pk")).values_list("tournament", "count"))
    champions = {
        tournament: (name, person)
        for tournament, name, person in entrants.filter(place=1).values_list("tournament", "name", "person")
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
            players=counts.get(row.pk, 0),
            champion=champions.get(row.pk, ("", None))[0],
            champion_id=champions.get(row.pk, ("", None))[1],
            finished=row.pk in finals,
        )
        for row in rows
    ]


def years() -> list[int]:
    """Years in which a published tournament has its date, latest first. One query."""
    found = Tournament.objects.filter(published__gt=0, date__isnull=False).dates("date", "year", order="DESC")
    return [day.year for day in found]


def clubs() -> list[ListedClub]:
    """All clubs by name. One query."""
    counted = Club.objects.annotate(count=Count("tournaments", filter=Q(tournaments__published__gt=0)))
    return [ListedClub(club.slug, club.name, club.count) for club in counted.order_by("sort_key")]


def club_named(slug: str) -> ListedClub:
    """One club. Refusal: `club_unknown`."""
    found = [club for club in clubs() if club.slug == slug]
    if not found:
        raise Refusal("club_unknown", {"slug": slug})
    return found[0]


def series_listed(club: str | None = None) -> list[ListedSeries]:
    """Series that have an edition: all of them (the world's first), or a club's. One query."""
    rows: Iterable[Series] = (
        Series.objects.select_related("club").annotate(count=Count("editions")).filter(count__gt=0).order_by("name")
    )
    found = [
        ListedSeries(
            row.name,
            row.club.name if row.club else None,
            row.club.slug if row.club else None,
            row.count,  # type: ignore[attr-defined]  # annotated
        )
        for row in rows
        if club is None or (row.club and row.club.slug == club)
    ]
    return sorted(found, key=lambda series: (series.club is not None, series.club or "", series.name))
