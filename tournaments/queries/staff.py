"""What staff look at before they import a file or merge two people. Constant queries for any number of players."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any, NamedTuple
from uuid import UUID

from django.db.models import Q

from gameplay.models import ClockEvent
from players.actor import Actor
from players.models import Club, Scope, User
from players.rules.names import search_key
from players.rules.rights import IMPORT_TOURNAMENT, RUN_TOURNAMENT
from scoring.models import Entry
from tournaments.exchange.preview import ROWS
from tournaments.models import Edition, Entrant, Tournament
from tournaments.rules.ruleset import WORLD_SERIES

CANDIDATES = 6  # people shown for one player
DIFFERENCES = 50  # lines shown of one edition


class Shelf(NamedTuple):
    """Where an actor may file a tournament: the address ("" for the house itself) and name of a club."""

    slug: str
    name: str


class Played(NamedTuple):
    """A tournament of a person, as it tells him from somebody of the same name."""

    tournament: UUID
    name: str
    date: date | None
    club: str
    place: int | None


@dataclass(frozen=True)
class Candidate:
    """A known person who may be a player of a file: of the same name, or of the same code in this club's tournaments.

    `played`: latest first. A person with a hidden history shows what he played in this club only.
    """

    person: UUID
    name: str
    hidden: bool
    same_name: bool
    same_code: bool
    played: tuple[Played, ...]


class KnownTournament(NamedTuple):
    """A tournament that is here already."""

    slug: str
    name: str
    club: str


class RankDifference(NamedTuple):
    """Somebody who stands elsewhere in an earlier edition; None: not at all."""

    who: str
    there: int | None
    here: int | None


@dataclass(frozen=True)
class EditionDifference:
    """An earlier edition that the file has otherwise than this house. `strangers`: no code is the same in both."""

    edition: int
    slug: str
    strangers: bool
    rows: tuple[RankDifference, ...]
    count: int


def shelves(actor: Actor) -> tuple[Shelf, ...]:
    """Where the actor may file an imported tournament; the house first, for who may there. Two queries."""
    if actor.person is None:
        return ()
    house = list(Scope.objects.filter(kind=Scope.Kind.HOUSE).values_list("pk", flat=True))
    clubs = Club.objects.order_by("sort_key")
    if actor.may(IMPORT_TOURNAMENT, house):
        return (Shelf("", ""), *(Shelf(club.slug, club.name) for club in clubs))
    return tuple(Shelf(club.slug, club.name) for club in clubs if actor.may(IMPORT_TOURNAMENT, [club.scope_id]))


def candidates(club: str | None, players: Sequence[tuple[str, str]]) -> dict[str, tuple[Candidate, ...]]:
    """By code, who each player (code, name) may be; codes that nobody known could be are left out. Three queries.

    `club`: address of the club that would keep the tournament, None for the house itself.
    """
    keys = {code: search_key(name) for code, name in players}
    by_name: dict[str, list[User]] = {}
    present = User.objects.filter(merged_into=None, erased=False)
    for person in present.filter(search_key__in=set(keys.values()) - {""}).order_by("pk"):
        by_name.setdefault(person.search_key, []).append(person)
    by_code: dict[str, dict[UUID, User]] = {}
    kept_here = {"tournament__club__slug": club} if club else {"tournament__club": None}
    own = Entrant.objects.filter(code__in=keys.keys(), person__in=present, **kept_here)
    for entrant in own.select_related("person").order_by("pk"):
        by_code.setdefault(entrant.code, {})[entrant.person_id] = entrant.person
    people = {person.pk: person for group in by_name.values() for person in group}
    people |= {pk: person for group in by_code.values() for pk, person in group.items()}
    history = played_by(people.values(), club)
    found: dict[str, tuple[Candidate, ...]] = {}
    for code, key in keys.items():
        coded = by_code.get(code, {})
        group = {person.pk: person for person in by_name.get(key, ())} | coded
        rows = [
            Candidate(
                person.pk,
                person.display_name,
                person.history_hidden,
                person.search_key == key,
                pk in coded,
                history.get(pk, ()),
            )
            for pk, person in group.items()
        ]
        rows.sort(key=lambda row: (not (row.same_code and row.same_name), not row.same_code, -len(row.played)))
        if rows:
            found[code] = tuple(rows[:CANDIDATES])
    return found


def presumed(rows: Iterable[Candidate]) -> UUID | None:
    """Who a player is unless somebody says otherwise: the only one with his code and his name in this club, or new."""
    sure = [row.person for row in rows if row.same_code and row.same_name]
    return sure[0] if len(sure) == 1 else None


def played_by(
    people: Iterable[User], club: str | None = None, *, everything: bool = False
) -> dict[UUID, tuple[Played, ...]]:
    """What each of these people played, latest first: published tournaments, and those of `club`. One query.

    Of people with a hidden history only what they played in `club`. `everything`: hidden and unpublished too.
    """
    rows = {person.pk: person for person in people}
    entrants = Entrant.objects.filter(person__in=rows.keys()).select_related("tournament__club")
    told: dict[UUID, list[Played]] = {}
    for entrant in entrants.order_by("-tournament__date", "tournament__slug"):
        tournament = entrant.tournament
        own = bool(club) and tournament.club is not None and tournament.club.slug == club
        open_to_all = bool(tournament.published) and not rows[entrant.person_id].history_hidden
        if own or open_to_all or everything:
            place = tournament.club.name if tournament.club else ""
            line = Played(tournament.pk, tournament.name, tournament.date, place, entrant.place)
            told.setdefault(entrant.person_id, []).append(line)
    return {person: tuple(lines) for person, lines in told.items()}


def imported_before(actor: Actor, source: str) -> tuple[KnownTournament, ...]:
    """Tournaments made of a file with this hash, as far as the actor may see them. One query."""
    found = Tournament.objects.filter(source_hash=source).select_related("club", "scope__parent").order_by("slug")
    return tuple(_known(row) for row in found if _visible(actor, row))


def edition_taken(
    actor: Actor, *, club: str | None, series: str, edition: int | None, source: str
) -> KnownTournament | None:
    """The other tournament that is this edition of the series already. One query.

    The world series is the house's, every other one the club's. None too where the actor may not see it.
    """
    if edition is None:
        return None
    rows = Edition.objects.filter(number=edition, series__name=series, **_owner(club, series))
    others = rows.exclude(tournament__source_hash=source)
    row = others.select_related("tournament__club", "tournament__scope__parent").first()
    return _known(row.tournament) if row and _visible(actor, row.tournament) else None


def edition_differences(club: str | None, before: Sequence[Mapping[str, Any]]) -> tuple[EditionDifference, ...]:
    """Where earlier editions (`edition`, `series`, `ranking` of codes) stand otherwise in this house. Two queries.

    As far as a preview shows them: the first hundred places.
    """
    asked = Q(pk=None)
    for told in before:
        asked |= Q(number=told["edition"], series__name=told["series"], **_owner(club, told["series"]))
    known = {
        (row.series.name, row.number): row.tournament
        for row in Edition.objects.filter(asked, tournament__published__gt=0).select_related("series", "tournament")
    }
    here: dict[UUID, dict[str, tuple[int, str]]] = {}
    placed = Entrant.objects.filter(tournament__in=list(known.values()), place__lte=ROWS).order_by("place")
    for pk, code, place, name in placed.values_list("tournament", "code", "place", "name"):
        here.setdefault(pk, {})[code] = (place or 0, name)
    found = []
    for told in before:
        tournament = known.get((told["series"], told["edition"]))
        if tournament is None:
            continue
        ours = here.get(tournament.pk, {})
        theirs = {code: place for place, code in enumerate(told["ranking"], start=1)}
        names = {code: code for code in theirs} | {code: name for code, (_, name) in ours.items()}
        places = {code: place for code, (place, _) in ours.items()}
        rows = [
            RankDifference(name, theirs.get(code), places.get(code))
            for code, name in names.items()
            if theirs.get(code) != places.get(code)
        ]
        if rows:
            strangers = not (theirs.keys() & ours.keys())
            found.append(
                EditionDifference(told["edition"], tournament.slug, strangers, tuple(rows[:DIFFERENCES]), len(rows))
            )
    return tuple(found)


def _owner(club: str | None, series: str) -> dict[str, Any]:
    return {"series__club": None} if series == WORLD_SERIES else {"series__club__slug": club or ""}


def _visible(actor: Actor, row: Tournament) -> bool:
    owner = row.scope.parent
    scopes = [row.scope_id, row.scope.parent_id, owner and owner.parent_id]
    return bool(row.published) or actor.may(RUN_TOURNAMENT, [scope for scope in scopes if scope])


def _known(row: Tournament) -> KnownTournament:
    return KnownTournament(row.slug, row.name, row.club.name if row.club else "")


def mentions_of(person: UUID) -> list[str]:
    """Reasons on the sheets and about the clocks of his tournaments in which a word of his name stands. They are kept
    as they were written.

    Three queries.
    """
    entrants = Entrant.objects.filter(person=person)
    words = {word for name in entrants.values_list("name", flat=True) for word in search_key(name).split()}
    written = Entry.objects.filter(sheet__heat__stage__tournament__entrants__person=person).exclude(why="", reason="")
    told = {text for pair in written.values_list("why", "reason") for text in pair}
    events = ClockEvent.objects.filter(match__sheet__heat__stage__tournament__entrants__person=person)
    told |= set(events.values_list("reason", flat=True))
    return sorted(text for text in told if any(word in words for word in search_key(text).split() if len(word) > 2))
