"""A tournament before its draw: made, described, and filled with players who come to play."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import date as Date  # noqa: N812 - `date` is a field here
from typing import Any, NamedTuple, TypedDict
from uuid import UUID

from django.db.models import Max

from core.commands import once
from core.live import publish
from core.refusal import Refusal
from gameplay.rules.ruleset import FIELDS as PLAY
from gameplay.rules.ruleset import game_rules
from gameplay.services.acting import checked_text
from players.actor import Actor
from players.models import Club, Scope
from players.rules.names import search_key
from players.rules.rights import RUN_TOURNAMENT
from players.services import check_present, create_people, end_links, house_scope, lock_people, lock_scopes, write_audit
from scoring.rules.ruleset import FIELDS as SCORING
from scoring.rules.ruleset import scoring_rules
from tournaments.exchange.entries_file import checked_club
from tournaments.models import Edition, EditionBefore, Entrant, Stage, Tournament
from tournaments.queries.editions_before import strangers_of
from tournaments.queries.entries import was_drawn
from tournaments.rules.ruleset import FIELDS as PLACING
from tournaments.rules.ruleset import WORLD_SERIES, placing_rules
from tournaments.services import day
from tournaments.services.codes import recode
from tournaments.services.importing import free_slug

Answer = dict[str, Any]
LENGTH = 120  # characters of a name, a series, a venue
_RULES = {field.name: field for field in (*PLAY, *SCORING, *PLACING)}


class Facts(NamedTuple):
    """What a tournament is, besides its club. `rules`: those that differ from the usual ones."""

    name: str
    series: str
    edition: int | None
    date: Date | None
    venue: str | None
    rules: dict[str, Any] | None


class Row(TypedDict):
    """A player of a list. `person`: who he is, None for somebody new. `nth`: he is the nth of his name here."""

    name: str
    club: str
    person: str | None
    nth: int


class _New(NamedTuple):
    person: UUID
    name: str
    club: str | None


def create_tournament(
    actor: Actor,
    *,
    club: str | None,
    name: str,
    series: str,
    edition: int | None,
    date: Date | None,
    venue: str,
    rules: Mapping[str, Any],
    key: str,
) -> Answer:
    """A tournament of a club, or of the house (None), that is run here. Answer: `{"slug"}`.

    `series`: `world` is the world championship. `rules`: values of rules by name, the usual ones for the rest. Its
    maker keeps his rights through the club. Refusals: `not_allowed`, `club_unknown`, `bad_field` (/name, /series,
    /venue), `edition_taken`, `unexpected` (no such rule), those of the rules at /rules/<name>.
    """
    told = {"club": club, **_told(name, series, edition, date, venue, rules)}

    def work() -> Answer:
        # As for an import: two that want one address meet here.
        house = house_scope().pk
        lock_scopes(house)
        owner = _club(club)
        parent = owner.scope_id if owner else house
        actor.require(RUN_TOURNAMENT, {parent, house})
        facts = _checked(owner, None, name, series, edition, date, venue, rules)
        scope = Scope.objects.create(kind=Scope.Kind.TOURNAMENT, parent_id=parent)
        row = Tournament.objects.create(
            scope=scope,
            club=owner,
            slug=free_slug(facts.name, date.isoformat() if date else None),
            live=True,
            **facts._asdict(),
        )
        write_audit(scope, actor, "create_tournament", {"tournament": str(row.pk), "rules": facts.rules or {}})
        publish(f"scope:{parent}")
        return {"slug": row.slug}

    return once(actor.name, "create_tournament", key, told, work)


def change_tournament(
    actor: Actor,
    tournament: UUID,
    *,
    name: str,
    series: str,
    edition: int | None,
    date: Date | None,
    venue: str,
    rules: Mapping[str, Any],
    key: str,
) -> Answer:
    """Describes a tournament anew before its first published draw. Its address stays. Answer: `{"version"}`.

    A draft of the draw is thrown away where rules change: it was drawn by the old ones. Refusals: those of the day,
    `draw_published`, and as for `create_tournament`.
    """

    def work(row: Tournament) -> Answer:
        _require_no_draw(row)
        before = row.rules
        facts = _checked(row.club, row, name, series, edition, date, venue, rules)
        for field, value in facts._asdict().items():
            setattr(row, field, value)
        if row.rules != before:
            _drop_draft(row)
        return {}

    told = _told(name, series, edition, date, venue, rules)
    return day.run(actor, tournament, "change_tournament", key, told, work)


def enter_player(actor: Actor, tournament: UUID, *, person: UUID | str, club: str, key: str) -> Answer:
    """Enters a known person (an id) or somebody new (his name), until the first stage is over. Answer: `{"code"}`.

    Who comes after the draw is in no heat; a table can take him in for somebody else. Refusals: those of the day,
    `entries_closed`, `person_unknown`, `person_gone`, `entered_already`, `bad_name` (/name), `bad_club` (/club).
    """

    def work(row: Tournament) -> Answer:
        return {"code": enter(row, person, club)}

    told = {"person": str(person), "known": isinstance(person, UUID), "club": club}
    return day.run(actor, tournament, "enter_player", key, told, work)


def enter(row: Tournament, person: UUID | str, club: str) -> str:
    """As `enter_player`, in a locked tournament; the code."""
    _require_first_stage_open(row)
    words = checked_club(club)
    if isinstance(person, UUID):
        there = Entrant.objects.filter(tournament=row, person=person).first()
        if there is not None:
            raise Refusal("entered_already", {"name": there.name, "code": there.code}, pointer="/person")
        new = _New(person, _known([person])[person], words)
    else:
        try:
            made = create_people([person])[0]
        except Refusal as refusal:
            raise Refusal(refusal.code, refusal.params, pointer="/name") from None
        new = _New(made.pk, made.display_name, words)
    return _enter(row, [new])[0]


def enter_players(actor: Actor, tournament: UUID, *, rows: Sequence[Row], key: str) -> Answer:
    """Enters everybody of a list who is not here yet, or nobody where one row is refused.

    Not again: a known person who is in, and the nth of a name of which there are n already. Answer: `{"codes"}` of
    who came in, `{"there"}`: how many were in before. Refusals: as for `enter_player`, at /rows/<index>, and
    `person_twice`.
    """

    def work(row: Tournament) -> Answer:
        _require_first_stage_open(row)
        there = list(Entrant.objects.filter(tournament=row).values_list("person", "name"))
        people = {person for person, _ in there}
        counts: dict[str, int] = {}
        for _, name in there:
            counts[search_key(name)] = counts.get(search_key(name), 0) + 1
        wanted = [
            (at, one, UUID(one["person"]) if one["person"] else None)
            for at, one in enumerate(rows)
            if counts.get(search_key(one["name"]), 0) < one["nth"]
        ]
        wanted = [(at, one, person) for at, one, person in wanted if person not in people]
        known = [person for _, _, person in wanted if person]
        if len(set(known)) != len(known):
            raise Refusal("person_twice", pointer="/rows")
        codes = _enter(row, _listed(wanted, _known(known)))
        return {"codes": codes, "there": len(rows) - len(codes)}

    return day.run(actor, tournament, "enter_players", key, {"rows": list(rows)}, work)


def _listed(wanted: Sequence[tuple[int, Row, UUID | None]], known: Mapping[UUID, str]) -> list[_New]:
    new = [(at, one["name"]) for at, one, person in wanted if person is None]
    try:
        made = iter(create_people(name for _, name in new))
    except Refusal as refusal:
        at = new[int(refusal.pointer.strip("/"))][0]
        raise Refusal(refusal.code, refusal.params, pointer=f"/rows/{at}/name") from None
    listed = []
    for at, one, person in wanted:
        try:
            club = checked_club(one["club"])
        except Refusal as refusal:
            raise refusal.at(f"/rows/{at}") from None
        if person is None:
            somebody = next(made)
            listed.append(_New(somebody.pk, somebody.display_name, club))
        else:
            listed.append(_New(person, known[person], club))
    return listed


def remove_entry(actor: Actor, tournament: UUID, *, code: str, key: str) -> Answer:
    """Takes an entrant out before the first published draw; his code is not given again. Answer: `{"code"}`.

    A draft of the draw that has him is thrown away. Refusals: those of the day, `draw_published`, `entrant_unknown`.
    """

    def work(row: Tournament) -> Answer:
        _require_no_draw(row)
        _entrant(row, code).delete()
        _drop_draft(row)
        return {"code": code}

    return day.run(actor, tournament, "remove_entry", key, {"code": code}, work)


def check_in(actor: Actor, tournament: UUID, *, code: str, present: bool, key: str) -> Answer:
    """Says that an entrant is here, or is not. Answer: `{"code", "present"}`.

    Refusals: those of the day, `entrant_unknown`.
    """

    def work(row: Tournament) -> Answer:
        entrant = _entrant(row, code)
        entrant.present = present
        entrant.save(update_fields=["present"])
        return {"code": code, "present": present}

    return day.run(actor, tournament, "check_in", key, {"code": code, "present": present}, work, quiet=True)


# What it takes


def _told(
    name: str, series: str, edition: int | None, date: Date | None, venue: str, rules: Mapping[str, Any]
) -> dict[str, Any]:
    day_told = date.isoformat() if date else None
    return {"name": name, "series": series, "edition": edition, "date": day_told, "venue": venue, "rules": dict(rules)}


def _club(slug: str | None) -> Club | None:
    if slug is None:
        return None
    club = Club.objects.filter(slug=slug).first()
    if club is None:
        raise Refusal("club_unknown", {"slug": slug}, pointer="/club")
    return club


def _checked(
    club: Club | None,
    row: Tournament | None,
    name: str,
    series: str,
    edition: int | None,
    date: Date | None,
    venue: str,
    rules: Mapping[str, Any],
) -> Facts:
    """Everything about a tournament as it is kept. `row`: the tournament that is changed."""
    told = Facts(
        _words(name, "name"),
        _words(series, "series"),
        edition,
        date,
        _words(venue, "venue") if venue.strip() else None,
        _adjusted(rules),
    )
    if edition is not None:
        owner = None if told.series == WORLD_SERIES else club
        books = Edition.objects.filter(number=edition, series__name=told.series, series__club=owner)
        if books.exclude(tournament=row).exists():
            raise Refusal("edition_taken", {"edition": edition}, pointer="/edition")
    return told


def _words(text: str, field: str) -> str:
    try:
        return checked_text(text, length=LENGTH, code="bad_field", pointer=f"/{field}")
    except Refusal as refusal:
        raise Refusal(refusal.code, {"field": field, **refusal.params}, pointer=refusal.pointer) from None


def _adjusted(rules: Mapping[str, Any]) -> dict[str, Any] | None:
    """The rules that differ from the usual ones, None for none; all of them are looked at together (S9)."""
    for name in rules:
        if name not in _RULES:
            raise Refusal("unexpected", {"key": name}, pointer=f"/rules/{name}")
    given = {name: value for name, value in rules.items() if value is not None}
    try:
        game_rules(given)
        scoring_rules(given)
        placing_rules(given)
    except Refusal as refusal:
        raise refusal.at("/rules") from None
    checked = {name: _RULES[name].check(value) for name, value in given.items()}
    told = {name: value for name, value in checked.items() if value != _RULES[name].default}
    return {name: list(value) if isinstance(value, tuple) else value for name, value in told.items()} or None


def _require_no_draw(row: Tournament) -> None:
    """Refusal `draw_published`."""
    if was_drawn(row.pk):
        raise Refusal("draw_published", article="S6")


def _require_first_stage_open(row: Tournament) -> None:
    """Refusal `entries_closed`."""
    if Stage.objects.filter(tournament=row, number=1, state=Stage.State.CLOSED).exists():
        raise Refusal("entries_closed", article="S6")


def _drop_draft(row: Tournament) -> None:
    Stage.objects.filter(tournament=row, state=Stage.State.DRAFT).delete()


def _entrant(row: Tournament, code: str) -> Entrant:
    entrant = Entrant.objects.select_for_update(no_key=True).filter(tournament=row, code=code).first()
    if entrant is None:
        raise Refusal("entrant_unknown")
    return entrant


def _known(people: Iterable[UUID]) -> dict[UUID, str]:
    """The names of people who come in, locked; whoever made a link to one of them could take more than he gave."""
    wanted = list(people)
    rows = lock_people(*wanted) if wanted else {}
    for person in rows.values():
        check_present(person)
    end_links(wanted)
    return {pk: person.display_name for pk, person in rows.items()}


def _enter(row: Tournament, people: Sequence[_New]) -> list[str]:
    """New entrants at the end of the list, each with a code that nobody had before.

    Who is in the editions that were frozen with the first draw stands there under it from now on.
    """
    strangers = strangers_of(row)
    last = Entrant.objects.filter(tournament=row).aggregate(position=Max("position"), entry=Max("entry"))
    position, entry = (-1 if value is None else value for value in (last["position"], last["entry"]))
    codes = [f"P{row.codes_given + at:02}" for at in range(1, len(people) + 1)]
    Entrant.objects.bulk_create(
        Entrant(
            tournament=row,
            person_id=new.person,
            position=position + at,
            entry=entry + at,
            code=code,
            name=new.name,
            club=new.club,
        )
        for at, (code, new) in enumerate(zip(codes, people, strict=True), start=1)
    )
    row.codes_given += len(people)
    for code, new in zip(codes, people, strict=True):
        if new.person in strangers:
            recode(EditionBefore.objects.filter(tournament=row), strangers[new.person], code)
    return codes
