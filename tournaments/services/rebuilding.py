"""Everything that is kept although it follows from something else, computed anew and compared."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from django.db import models

from core.canonical import canonical
from core.refusal import Refusal
from players.models import Club, NameKeyField, User
from scoring.models import Seat, Sheet
from scoring.queries import entries_by_sheet, entries_of
from scoring.services.sheets import project
from tournaments.exchange.records import record_from_file
from tournaments.exchange.result import result_of
from tournaments.exchange.rows import Rows, file_of, read_rows, record_of
from tournaments.models import Edition, Entrant, Publication, Series, Snapshot, SnapshotLine, Tournament
from tournaments.queries.publications import is_sound
from tournaments.rules.content import content_of
from tournaments.rules.replay import Tournament as Outcome
from tournaments.rules.replay import replay
from tournaments.services.publishing import figures, lines_after, places_of

_SHEET = ("hands_played", "hands_voided", "golden_seat", "golden_bid", "golden_solo")
_SEAT = ("points", "hands_won", "best_call", "offences", "ledger")


def drifted() -> Iterator[str]:
    """What differs from a rebuild out of the entries and the files' facts: nothing, ever. One line for each."""
    for model in (User, Club, Tournament):
        yield from _name_keys(model)
    for sheet in Sheet.objects.order_by("pk"):
        yield from _sheet(sheet)
    for tournament in Tournament.objects.order_by("pk"):
        yield from _tournament(tournament)
    for series in Series.objects.order_by("pk"):
        for edition in Edition.objects.filter(series=series).select_related("tournament"):
            yield from _edition(series, edition)


def _name_keys(model: type[models.Model]) -> Iterator[str]:
    keys = [field for field in model._meta.get_fields() if isinstance(field, NameKeyField)]
    for row in model._default_manager.order_by("pk").iterator():
        for key in keys:
            if getattr(row, key.attname) != key.make(getattr(row, key.of)):
                yield f"{key.name} of {model._meta.model_name} {row.pk}"


def _sheet(sheet: Sheet) -> Iterator[str]:
    seats = list(Seat.objects.filter(sheet=sheet).order_by("number"))
    kept = [_columns(sheet, _SHEET), *(_columns(seat, _SEAT) for seat in seats)]
    project(sheet, seats, entries_of(sheet.pk))
    if kept != [_columns(sheet, _SHEET), *(_columns(seat, _SEAT) for seat in seats)]:
        yield f"sheet {sheet.pk}"


def _tournament(tournament: Tournament) -> Iterator[str]:
    rows = read_rows(tournament)
    try:
        outcome = replay(record_of(rows))
    except Refusal as refusal:
        yield f"tournament {tournament.pk} contradicts itself: {refusal.code} {refusal.pointer}"
    else:
        yield from _followed(rows, outcome)
    yield from _published(rows)
    for entrant in Entrant.objects.filter(tournament=tournament, person__merged_into__isnull=False):
        yield f"entrant {entrant.pk} is somebody who was merged"


def _followed(rows: Rows, outcome: Outcome) -> Iterator[str]:
    """Places beside the entrants, and disloyal raises carried from stage to stage (D10)."""
    places = places_of(outcome)
    for entrant in Entrant.objects.filter(tournament=rows.tournament):
        if (entrant.place, entrant.points, entrant.adjustment, entrant.excluded) != places(entrant.code):
            yield f"entrant {entrant.pk}"
    carried: dict[Any, list[int]] = {}
    seats = Seat.objects.filter(sheet__in=rows.sheet_ids()).order_by("sheet", "number")
    for sheet, offences in seats.values_list("sheet", "offences_before"):
        carried.setdefault(sheet, []).append(offences)
    for heat in rows.heats:
        if tuple(carried[heat.sheet]) != outcome.stages[heat.stage - 1].matches[heat.number - 1].offences_before:
            yield f"offences before sheet {heat.sheet}"


def _published(rows: Rows) -> Iterator[str]:
    """Every version says what its hash and its facts say, and the latest one what is written down now."""
    tournament = rows.tournament
    versions = list(Publication.objects.filter(tournament=tournament).order_by("version"))
    if [row.version for row in versions] != list(range(1, tournament.published + 1)):
        yield f"published version of tournament {tournament.pk}"
    for row in versions:
        if not is_sound(row):
            yield f"facts of version {row.version} of tournament {tournament.pk}"
        elif _result_of(row) != row.result:
            yield f"result of version {row.version} of tournament {tournament.pk}"
    if versions and is_sound(versions[-1]):
        written = content_of(file_of(rows, entries_by_sheet(rows.sheet_ids())))
        if json.loads(versions[-1].facts) != written:
            yield f"version {versions[-1].version} of tournament {tournament.pk} is not what is written down"


def _result_of(row: Publication) -> str | None:
    """What a replay makes of its facts, None where the rules refuse them."""
    try:
        return canonical(result_of(replay(record_from_file(json.loads(row.facts)))))
    except Refusal:
        return None


def _edition(series: Series, edition: Edition) -> Iterator[str]:
    last = Snapshot.objects.filter(edition=edition).order_by("-version").first()
    if last is None:
        if edition.tournament.published:
            yield f"no ranking of series {series.pk} after edition {edition.number}"
        return
    if figures(SnapshotLine.objects.filter(snapshot=last).order_by("rank")) != figures(lines_after(series, edition)[1]):
        yield f"ranking of series {series.pk} after edition {edition.number}"


def _columns(row: models.Model, names: tuple[str, ...]) -> list[Any]:
    return [getattr(row, name) for name in names]
