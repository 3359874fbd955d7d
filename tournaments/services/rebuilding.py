"""Everything that is kept although it follows from something else, computed anew and compared."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from django.db import models

from core.refusal import Refusal
from scoring.models import Seat, Sheet
from scoring.queries import entries_of
from scoring.services import project
from tournaments.exchange.rows import read_rows, record_of
from tournaments.models import Edition, Entrant, Publication, Series, Snapshot, SnapshotLine, Tournament
from tournaments.rules.replay import replay
from tournaments.services.publishing import figures, lines_after, places_of

_SHEET = ("hands_played", "hands_voided", "golden_seat", "golden_bid", "golden_solo")
_SEAT = ("points", "hands_won", "best_call", "offences", "ledger")


def drifted() -> Iterator[str]:
    """What differs from a rebuild out of the entries and the files' facts: nothing, ever. One line for each."""
    for sheet in Sheet.objects.order_by("pk"):
        yield from _sheet(sheet)
    for tournament in Tournament.objects.order_by("pk"):
        yield from _tournament(tournament)
    for series in Series.objects.order_by("pk"):
        for edition in Edition.objects.filter(series=series):
            last = Snapshot.objects.filter(edition=edition).order_by("-version").first()
            if last is not None:
                table = SnapshotLine.objects.filter(snapshot=last).order_by("rank")
                if figures(table) != figures(lines_after(series, edition)[1]):
                    yield f"ranking of series {series.pk} after edition {edition.number}"


def _sheet(sheet: Sheet) -> Iterator[str]:
    seats = list(Seat.objects.filter(sheet=sheet).order_by("number"))
    kept = [_columns(sheet, _SHEET), *(_columns(seat, _SEAT) for seat in seats)]
    project(sheet, seats, entries_of(sheet.pk))
    if kept != [_columns(sheet, _SHEET), *(_columns(seat, _SEAT) for seat in seats)]:
        yield f"sheet {sheet.pk}"


def _tournament(tournament: Tournament) -> Iterator[str]:
    rows = read_rows(tournament)
    try:
        places = places_of(replay(record_of(rows)))
    except Refusal as refusal:
        yield f"tournament {tournament.pk} contradicts itself: {refusal.code} {refusal.pointer}"
        return
    for entrant in Entrant.objects.filter(tournament=tournament):
        if (entrant.place, entrant.points, entrant.adjustment, entrant.excluded) != places(entrant.code):
            yield f"entrant {entrant.pk}"
    latest = Publication.objects.filter(tournament=tournament).aggregate(version=models.Max("version"))["version"]
    if tournament.published != (latest or 0):
        yield f"published version of tournament {tournament.pk}"
    for entrant in Entrant.objects.filter(tournament=tournament, person__merged_into__isnull=False):
        yield f"entrant {entrant.pk} is somebody who was merged"


def _columns(row: models.Model, names: tuple[str, ...]) -> list[Any]:
    return [getattr(row, name) for name in names]
