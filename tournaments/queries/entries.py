"""Who comes to play a tournament that is run here, for who runs it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple
from uuid import UUID

from django.db.models import Exists, F, OuterRef, Q, QuerySet
from django.db.models.functions import Coalesce

from core.refusal import Refusal
from gameplay.queries.people import people_named
from players.actor import Actor
from players.models import Club, Grant, Scope, User
from players.queries import above, scopes_below
from players.rules.names import search_key, sort_key
from players.rules.rights import RUN_TOURNAMENT
from scoring.models import Seat
from scoring.rules.hands import SEATS
from tournaments.models import Entrant, Series, Snapshot, SnapshotLine, Stage, Tournament
from tournaments.queries.people import people_found
from tournaments.queries.staff import CANDIDATES, Candidate, Shelf, played_by
from tournaments.queries.tournament import stamp_of
from tournaments.rules.ruleset import WORLD_SERIES, placing_rules
from tournaments.rules.ties import UNPLACED


class EntryLine(NamedTuple):
    """An entrant. `agp`: his rank, None for the unranked; `seed`: he would be one if everybody were here (S6)."""

    code: str
    person: UUID
    name: str
    club: str
    present: bool
    agp: int | None
    seed: bool


class Known(NamedTuple):
    """Somebody known who may be meant by a name. `at_home`: he played in a tournament of this club."""

    person: Candidate
    at_home: bool


@dataclass(frozen=True)
class Entries:
    """The list of entrants, in the order of their entry. `drawn`: the first draw is published; `closed`: its stage is
    over, nobody enters any more. `club`, `club_slug`: "" and None for a tournament of the house."""

    tournament: UUID
    scope: UUID
    slug: str
    name: str
    club: str
    club_slug: str | None
    drawn: bool
    closed: bool
    lines: tuple[EntryLine, ...]

    @property
    def present(self) -> int:
        """How many are here."""
        return sum(line.present for line in self.lines)

    @property
    def absent_seeds(self) -> tuple[EntryLine, ...]:
        """Whom the draw would miss as a seed, best first; nobody once it is published."""
        missing = [line for line in self.lines if line.seed and not line.present and not self.drawn]
        return tuple(sorted(missing, key=lambda line: line.agp or UNPLACED))

    def line(self, code: str) -> EntryLine | None:
        """The entrant with this code."""
        return next((line for line in self.lines if line.code == code), None)

    def found(self, text: str) -> tuple[EntryLine, ...]:
        """By name, whose name or club has all these words, or whose code it is; everybody for no word."""
        words = search_key(text).split()

        def fits(line: EntryLine) -> bool:
            told = search_key(f"{line.name} {line.club}")
            return all(word in told for word in words) or line.code.lower() == text.strip().lower()

        return tuple(sorted(filter(fits, self.lines), key=lambda line: sort_key(line.name)))

    def by_name(self) -> Mapping[str, tuple[EntryLine, ...]]:
        """Entrants by what a search compares of their names."""
        groups: dict[str, tuple[EntryLine, ...]] = {}
        for line in self.lines:
            key = search_key(line.name)
            groups[key] = (*groups.get(key, ()), line)
        return groups


def live_tournament(actor: Actor, slug: str) -> Tournament:
    """A tournament that is run here, for who runs it. Three queries.

    Refusals: `tournament_unknown`, also where it was played elsewhere or is none of his business; `not_allowed`.
    """
    stamp = stamp_of(actor, slug)
    row = Tournament.objects.select_related("club").get(pk=stamp.tournament)
    if not row.live:
        raise Refusal("tournament_unknown")
    actor.require(RUN_TOURNAMENT, above(row.scope_id))
    return row


def was_drawn(tournament: UUID) -> bool:
    """Its first draw is published: what it is, and who is in it, is settled. One query."""
    return Stage.objects.filter(tournament=tournament).exclude(state=Stage.State.DRAFT).exists()


def entries_for_page(actor: Actor, slug: str) -> Entries:
    """Everybody who is entered. Seven queries for any number. Refusals: those of `live_tournament`."""
    row = live_tournament(actor, slug)
    entrants = list(Entrant.objects.filter(tournament=row, entry__isnull=False).order_by("entry"))
    states = set(Stage.objects.filter(tournament=row).exclude(state=Stage.State.DRAFT).values_list("number", "state"))
    ranks = agp_ranks(entrant.person_id for entrant in entrants)
    seeds = _seeds(row, entrants, ranks)
    return Entries(
        tournament=row.pk,
        scope=row.scope_id,
        slug=row.slug,
        name=row.name,
        club=row.club.name if row.club else "",
        club_slug=row.club.slug if row.club else None,
        drawn=bool(states),
        closed=(1, Stage.State.CLOSED) in states,
        lines=tuple(
            EntryLine(
                entrant.code,
                entrant.person_id,
                entrant.name,
                entrant.club or "",
                entrant.present,
                ranks.get(entrant.person_id),
                entrant.person_id in seeds,
            )
            for entrant in entrants
        ),
    )


def _seeds(row: Tournament, entrants: Sequence[Entrant], ranks: Mapping[UUID, int]) -> set[UUID]:
    """Of the ranked, as many as full tables have seeds."""
    count = len(entrants) // SEATS * placing_rules(row.rules or {}).seeds_per_heat
    ranked = [entrant.person_id for entrant in entrants if entrant.person_id in ranks]
    return set(sorted(ranked, key=lambda person: ranks[person])[:count])


def agp_ranks(people: Iterable[UUID]) -> dict[UUID, int]:
    """The strict A.G.P. rank of these people in the latest ranking of the world series. Two queries."""
    latest = Snapshot.objects.filter(series__club=None, series__name=WORLD_SERIES)
    newest = latest.order_by("-edition__number", "-version").values_list("pk", flat=True).first()
    if newest is None:
        return {}
    now = Coalesce(F("person__merged_into"), F("person"))
    lines = SnapshotLine.objects.filter(snapshot=newest).annotate(now=now)
    return dict(lines.filter(now__in=list(people)).order_by("-rank").values_list("now", "rank"))


def namesakes(names: Iterable[str], club: str | None) -> dict[str, tuple[Known, ...]]:
    """By what a search compares of a name, the known people who have it; those of this club first. Three queries.

    Known is who played, has a role or a user name. `club`: its address, None for the house itself.
    """
    keys = {search_key(name) for name in names} - {""}
    known = (
        Q(username__isnull=False)
        | Exists(Entrant.objects.filter(person=OuterRef("pk")))
        | Exists(Seat.objects.filter(person=OuterRef("pk")))
        | Exists(Grant.objects.filter(person=OuterRef("pk")))
    )
    people = list(User.objects.filter(known, search_key__in=keys, merged_into=None, erased=False).order_by("pk"))
    groups: dict[str, list[Known]] = {}
    for person, known_as in zip(people, _told(people, club), strict=True):
        groups.setdefault(person.search_key, []).append(known_as)
    for rows in groups.values():
        rows.sort(key=lambda row: (not row.at_home, -len(row.person.played)))
    return {key: tuple(rows[:CANDIDATES]) for key, rows in groups.items()}


def people_to_enter(actor: Actor, text: str, club: str | None) -> tuple[Known, ...]:
    """Who may be meant by these words, exactly this name first. Six queries, none for no word."""
    rows = people_named(actor, people_found, text)
    known = _told(rows, club)
    there = {row.pk for row in rows}
    key = search_key(text)
    same = [row for row in namesakes([text], club).get(key, ()) if row.person.person not in there]
    exact = sum(row.search_key == key for row in rows)
    return (*known[:exact], *same, *known[exact:])


def _told(people: Sequence[User], club: str | None) -> list[Known]:
    history = played_by(people, club)
    kept = {"tournament__club__slug": club} if club else {"tournament__club": None}
    here = set(Entrant.objects.filter(person__in=people, **kept).values_list("person", flat=True))
    return [
        Known(
            Candidate(row.pk, row.display_name, row.history_hidden, True, False, history.get(row.pk, ())),
            row.pk in here,
        )
        for row in people
    ]


def places_to_run(actor: Actor) -> tuple[Shelf, ...]:
    """Where the actor may make a tournament: his clubs by name, then the house itself ("") for who may there."""
    scopes = actor.scopes_of(RUN_TOURNAMENT)
    clubs = Club.objects.filter(Q(scope__in=scopes) | Q(scope__parent__in=scopes)).order_by("sort_key")
    found = [Shelf(club.slug, club.name) for club in clubs]
    if Scope.objects.filter(kind=Scope.Kind.HOUSE, pk__in=scopes).exists():
        found.append(Shelf("", ""))
    return tuple(found)


def tournaments_to_run(actor: Actor, rows: int = 10) -> list[Tournament]:
    """What the actor runs and has not published yet, the latest first. One query, none for who runs nothing."""
    scopes = actor.scopes_of(RUN_TOURNAMENT)
    if not scopes:
        return []
    found = Tournament.objects.filter(live=True, published=0, scope__in=scopes_below(scopes))
    return list(found.order_by("-date", "slug")[:rows])


def series_known(clubs: Iterable[str]) -> tuple[str, ...]:
    """The names of series of these clubs (addresses), those of tournaments that never counted too; by name."""
    slugs = list(clubs)
    kept: QuerySet[Series, str] = Series.objects.filter(club__slug__in=slugs).values_list("name", flat=True)
    told = Tournament.objects.filter(club__slug__in=slugs, series__isnull=False).values_list("series", flat=True)
    names = {*kept, *(name for name in told if name)} - {WORLD_SERIES}
    return tuple(sorted(names, key=sort_key))
