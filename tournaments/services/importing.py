"""A tournament file becomes rows: all of it or nothing, and the same file once."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from typing import Any, cast
from uuid import UUID

from django.utils.text import slugify

from core.canonical import digest
from core.commands import once
from core.entropy import new_id, new_token
from core.refusal import Refusal
from players.actor import Actor
from players.models import Club, Scope, User
from players.rules.names import fold_letters
from players.rules.rights import IMPORT_TOURNAMENT
from players.services import create_people, end_links, house_scope, lock_people, lock_scopes, write_audit
from scoring.models import Sheet
from scoring.rules.scoresheet import Entry, SeatTotals
from scoring.services.sheets import NewSheet, open_sheets
from tournaments.exchange.reading import read_tournament
from tournaments.exchange.records import record_from_file
from tournaments.exchange.rows import empty_adjustments, read_rows
from tournaments.models import EditionBefore, Entrant, Heat, Stage, Tournament, Withdrawal
from tournaments.rules.replay import MatchRecord, Totals, TournamentRecord, replay
from tournaments.rules.replay import Tournament as Outcome
from tournaments.services.publishing import publish_version, write_places

SLUG_LENGTH = 70


@dataclass(frozen=True)
class Import:
    """What an import did: `created` is False where this file was imported before; `counts` in its series or not."""

    slug: str
    created: bool
    counts: bool


def import_tournament(
    actor: Actor,
    data: bytes,
    *,
    club: str | None = None,
    people: Mapping[str, UUID] | None = None,
    publish: bool = True,
    key: str = "",
) -> Import:
    """Makes a tournament of a file (see docs/tournament-file.md). `people`: who a code of the file is, if known.

    Everybody else is a new person. The same file (as parsed JSON) in the same club a second time changes nothing.
    `key` makes one command of what is sent twice. Published at once as version 1 unless `publish` is False.

    Raises BadFileError for a bad file. Refusals: those of `record_from_file` and `replay`, with pointers into the
    file; `bad_name`, `points_too_large`; `not_allowed`, `club_unknown`, `person_unknown`, `person_gone`,
    `person_twice`, `code_unknown`, `key_reused`.
    """
    file = read_tournament(data)
    record = record_from_file(file)
    outcome = replay(record)
    known = dict(people or {})
    source = digest(file)
    told = {code: str(person) for code, person in known.items()}
    body = {"file": source, "club": club, "people": told, "publish": publish}

    def work() -> dict[str, Any]:
        # One import at a time in the house: two of the same file, or two that want one address, meet here.
        house = house_scope().pk
        lock_scopes(house)
        owner = _club(club)
        parent = owner.scope_id if owner else house
        actor.require(IMPORT_TOURNAMENT, {parent, house})
        there = Tournament.objects.filter(club=owner, source_hash=source).first()
        if there:
            return {"slug": there.slug, "created": False, "counts": hasattr(there, "edition_row")}
        tournament = _tournament(file, source, owner, parent)
        entrants = _entrants(tournament, file, known)
        _lists(tournament, file, entrants)
        _stages(tournament, file, record, outcome, {entrant.code: entrant.person_id for entrant in entrants})
        write_places(entrants, outcome)
        scope = Scope.objects.get(pk=tournament.scope_id)
        write_audit(scope, actor, "import_tournament", {"file": source, "people": len(entrants)})
        if publish:
            publish_version(actor, tournament, read_rows(tournament))
        return {"slug": tournament.slug, "created": True, "counts": hasattr(tournament, "edition_row")}

    return Import(**once(actor.name, "import_tournament", key or new_token(), body, work))


def _club(slug: str | None) -> Club | None:
    if not slug:
        return None
    club = Club.objects.filter(slug=slug).first()
    if club is None:
        raise Refusal("club_unknown", {"slug": slug}, pointer="/club")
    return club


def _tournament(file: dict[str, Any], source: str, club: Club | None, parent: UUID) -> Tournament:
    told = file["tournament"]
    day = told.get("date")
    spelled = [name for name in ("editions_before", "lots", "withdrawals") if file.get(name) == []]
    spelled += [
        empty_adjustments(number, at)
        for number, stage in enumerate(file["stages"], start=1)
        for at, heat in enumerate(stage["heats"], start=1)
        if heat.get("adjustments") == {}
    ]
    return Tournament.objects.create(
        scope=Scope.objects.create(kind=Scope.Kind.TOURNAMENT, parent_id=parent),
        club=club,
        slug=free_slug(told["name"], day),
        source_hash=source,
        name=told["name"],
        game=told["game"],
        series=told.get("series"),
        edition=told.get("edition"),
        date=None if day is None else date.fromisoformat(day),
        venue=told.get("venue"),
        rules=told.get("rules"),
        record=json.dumps(file["record"], ensure_ascii=False) if "record" in file else None,
        spelled=spelled,
    )


def free_slug(name: str, day: str | None) -> str:
    """An address from the name and the year that no other tournament has; `new` is the page on which one is made."""
    base = slugify(fold_letters(name))[:SLUG_LENGTH].strip("-") or "tournament"
    year = (day or "")[:4]
    if year and year not in base:
        base = f"{base}-{year}"
    taken = {"new", *Tournament.objects.filter(slug__startswith=base).values_list("slug", flat=True)}
    slug, number = base, 1
    while slug in taken:
        number += 1
        slug = f"{base}-{number}"
    return slug


def _entrants(tournament: Tournament, file: dict[str, Any], known: Mapping[str, UUID]) -> list[Entrant]:
    players = file["players"]
    codes = {player["id"]: at for at, player in enumerate(players)}
    _check_known(known, codes)
    new = [player for player in players if player["id"] not in known]
    try:
        made = create_people(player["name"] for player in new)
    except Refusal as refusal:
        at = codes[new[int(refusal.pointer.strip("/"))]["id"]]
        raise Refusal(refusal.code, refusal.params, pointer=f"/players/{at}/name") from None
    person_of = dict(known) | {player["id"]: person.pk for player, person in zip(new, made, strict=True)}
    entries = {code: at for at, code in enumerate(file["entries"])}
    lots = {code: at for at, code in enumerate(file.get("lots", []))}
    return Entrant.objects.bulk_create(
        [
            Entrant(
                tournament=tournament,
                person_id=person_of[player["id"]],
                position=at,
                code=player["id"],
                name=player["name"],
                club=player.get("club"),
                entry=entries.get(player["id"]),
                lot=lots.get(player["id"]),
            )
            for at, player in enumerate(players)
        ],
        batch_size=2000,
    )


def _check_known(known: Mapping[str, UUID], codes: Mapping[str, int]) -> None:
    for code in known:
        if code not in codes:
            raise Refusal("code_unknown", {"name": code}, pointer="/people")
    if len(set(known.values())) != len(known):
        raise Refusal("person_twice", pointer="/people")
    for person in lock_people(*known.values()).values() if known else ():
        _check_present(person)
    end_links(known.values())


def _check_present(person: User) -> None:
    if person.merged_into_id or person.erased:
        raise Refusal("person_gone", pointer="/people")


def _lists(tournament: Tournament, file: dict[str, Any], entrants: list[Entrant]) -> None:
    by_code = {entrant.code: entrant for entrant in entrants}
    EditionBefore.objects.bulk_create(
        EditionBefore(
            tournament=tournament,
            position=at,
            number=edition["edition"],
            series=edition.get("series"),
            ranking=edition["ranking"],
            adjustments=edition.get("adjustments"),
        )
        for at, edition in enumerate(file.get("editions_before", []))
    )
    Withdrawal.objects.bulk_create(
        Withdrawal(tournament=tournament, number=at, entrant=by_code[item["player"]], target=item["from"])
        for at, item in enumerate(file.get("withdrawals", []))
    )


def _stages(
    tournament: Tournament,
    file: dict[str, Any],
    record: TournamentRecord,
    outcome: Outcome,
    people: Mapping[str, UUID],
) -> None:
    rules = record.scoring._asdict()
    sheets: list[NewSheet] = []
    heats: list[Heat] = []
    for told, played in zip(record.stages, outcome.stages, strict=True):
        stage = Stage.objects.create(tournament=tournament, number=played.number, kind=told.kind)
        for at, match in enumerate(told.matches, start=1):
            sheet = Sheet(id=new_id(), scope_id=tournament.scope_id, rules=rules, state=Sheet.State.CLOSED)
            before = played.matches[at - 1].offences_before
            five = tuple(people[code] for code in match.seats)
            sheets.append(NewSheet(sheet, five, stage.pk, before, _content(match)))
            heats.append(Heat(stage=stage, number=at, name=match.name, sheet=sheet))
    open_sheets(sheets)
    Heat.objects.bulk_create(heats, batch_size=2000)


def _content(match: MatchRecord) -> tuple[Entry, ...] | SeatTotals:
    """What goes on the sheet. (A match out of a file is never a folded one.)"""
    record = match.record
    if not isinstance(record, Totals):
        return cast(tuple[Entry, ...], record)
    return SeatTotals(
        tuple(record.points[code] for code in match.seats),
        record.hands_played,
        tuple(record.adjustments.get(code) for code in match.seats),
    )
