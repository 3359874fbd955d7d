"""A tournament's rows read at once: as the values that the rules replay, and as the tournament file."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any
from uuid import UUID

from scoring.models import Seat
from scoring.queries import SheetEntries
from scoring.rules.hands import NO_POINTS, SEATS
from scoring.rules.ruleset import scoring_rules
from scoring.rules.scoresheet import Admitted, Award, Content, Entry, GoldenCall, Played, Scoresheet, Voided, lines_of
from tournaments.exchange.records import edition_number
from tournaments.models import EditionBefore, Entrant, Heat, Tournament, Withdrawal
from tournaments.rules.replay import MatchRecord, StageRecord, Totals, TournamentRecord, WithdrawalRecord
from tournaments.rules.ruleset import WORLD_SERIES, placing_rules
from tournaments.rules.series import Edition

FORMAT = {"format": "gingodrome-tournament", "version": 1}
Row = dict[str, Any]


@dataclass(frozen=True)
class Rows:
    """Everything written down about one tournament, except what stands on its sheets. Six queries for any size."""

    tournament: Tournament
    entrants: tuple[Entrant, ...]
    heats: tuple[Heat, ...]
    seats: Mapping[UUID, tuple[Seat, ...]]
    withdrawals: tuple[Withdrawal, ...]
    editions: tuple[EditionBefore, ...]
    codes: Mapping[UUID, str]

    def sheet_ids(self) -> list[UUID]:
        """The sheets of all heats."""
        return [heat.sheet_id for heat in self.heats]

    def seated(self, heat: Heat) -> tuple[str, ...]:
        """Codes of the five of a heat, by seat."""
        return tuple(self.codes[seat.person_id] for seat in self.seats[heat.sheet_id])

    def stages(self) -> Iterator[tuple[str, list[Heat]]]:
        """Kind and heats of each stage, in order."""
        stage: list[Heat] = []
        for heat in self.heats:
            if stage and stage[0].stage_id != heat.stage_id:
                yield stage[0].stage.kind, stage
                stage = []
            stage.append(heat)
        if stage:
            yield stage[0].stage.kind, stage


def read_rows(tournament: Tournament) -> Rows:
    """All rows of a tournament."""
    entrants = tuple(Entrant.objects.filter(tournament=tournament).order_by("position"))
    heats = tuple(
        Heat.objects.filter(stage__tournament=tournament)
        .select_related("stage", "sheet")
        .order_by("stage__number", "number")
    )
    seats: dict[UUID, list[Seat]] = {heat.sheet_id: [] for heat in heats}
    found = Seat.objects.filter(sheet__heat__stage__tournament=tournament).order_by("sheet", "number")
    for seat in found:
        seats[seat.sheet_id].append(seat)
    return Rows(
        tournament,
        entrants,
        heats,
        {sheet: tuple(five) for sheet, five in seats.items()},
        tuple(Withdrawal.objects.filter(tournament=tournament).order_by("number")),
        tuple(EditionBefore.objects.filter(tournament=tournament).order_by("position")),
        {entrant.person_id: entrant.code for entrant in entrants},
    )


# As the rules see it


def record_of(rows: Rows) -> TournamentRecord:
    """What the rules replay; each sheet as the figures that were folded when it was last written."""
    tournament = rows.tournament
    adjusted = tournament.rules or {}
    editions = tuple(
        Edition(row.number, tuple(row.ranking), row.adjustments or {})
        for row in rows.editions
        if row.series in (None, WORLD_SERIES)
    )
    lots = sorted((entrant.lot, entrant.code) for entrant in rows.entrants if entrant.lot is not None)
    codes = {entrant.pk: entrant.code for entrant in rows.entrants}
    return TournamentRecord(
        scoring_rules(adjusted),
        placing_rules(adjusted),
        edition_number(tournament.series, tournament.edition, editions),
        editions,
        tuple(code for _, code in lots),
        tuple(StageRecord(kind, tuple(_match(rows, heat) for heat in heats)) for kind, heats in rows.stages()),
        tuple(WithdrawalRecord(codes[row.entrant_id], row.target) for row in rows.withdrawals),
    )


def _match(rows: Rows, heat: Heat) -> MatchRecord:
    codes = rows.seated(heat)
    seats = rows.seats[heat.sheet_id]
    sheet = heat.sheet
    if seats[0].hands_won is None:
        points = {code: seat.points for code, seat in zip(codes, seats, strict=True)}
        adjusted = {code: seat.ledger for code, seat in zip(codes, seats, strict=True) if seat.ledger is not None}
        return MatchRecord(heat.name, codes, Totals(points, sheet.hands_played, adjusted))
    golden = None
    if sheet.golden_seat is not None:
        golden = GoldenCall(sheet.golden_seat, sheet.golden_bid or 0, bool(sheet.golden_solo))
    figures = Scoresheet(
        lines=(),
        totals=tuple(seat.points for seat in seats),
        hands_played=sheet.hands_played,
        hands_voided=sheet.hands_voided,
        hands_won=tuple(seat.hands_won or 0 for seat in seats),
        best_calls=tuple(seat.best_call or 0 for seat in seats),
        golden_call=golden,
        ledger=tuple((seat.number, seat.ledger) for seat in seats if seat.ledger is not None),
        offences=tuple(seat.offences for seat in seats) or NO_POINTS,
        next_dealer=0,  # no place depends on it
    )
    return MatchRecord(heat.name, codes, figures)


# As the file says it


def file_of(rows: Rows, written: Mapping[UUID, SheetEntries]) -> Row:
    """The tournament file. `written`: what stands on each sheet. Corrections are told in `record`."""
    tournament = rows.tournament
    file: Row = {**FORMAT, "tournament": _head(tournament), "players": [_player(entrant) for entrant in rows.entrants]}
    corrections: list[Row] = []
    stages = []
    for number, (kind, heats) in enumerate(rows.stages(), start=1):
        told = [_heat(rows, heat, written[heat.sheet_id]) for heat in heats]
        stages.append({"kind": kind, "heats": told})
        for at, heat in enumerate(heats, start=1):
            found = _corrections(written[heat.sheet_id].entries)
            corrections += [{"stage": number, "heat": at, **correction} for correction in found]
    codes = {entrant.pk: entrant.code for entrant in rows.entrants}
    optional: Row = {
        "editions_before": [_edition(row) for row in rows.editions],
        "lots": _listed(rows.entrants, "lot"),
        "withdrawals": [{"player": codes[row.entrant_id], "from": row.target} for row in rows.withdrawals],
    }
    file |= {key: value for key, value in optional.items() if value or key in tournament.spelled}
    file |= {"entries": _listed(rows.entrants, "entry"), "stages": stages}
    record: Row | None = None if tournament.record is None else json.loads(tournament.record)
    if corrections:
        record = {**(record or {}), "corrections": [*(record or {}).get("corrections", []), *corrections]}
    return file if record is None else {**file, "record": record}


def _head(tournament: Tournament) -> Row:
    optional = {
        "series": tournament.series,
        "edition": tournament.edition,
        "date": tournament.date.isoformat() if tournament.date else None,
        "venue": tournament.venue,
        "rules": tournament.rules,
    }
    given = {key: value for key, value in optional.items() if value is not None}
    return {"name": tournament.name, "game": tournament.game, **given}


def _player(entrant: Entrant) -> Row:
    player = {"id": entrant.code, "name": entrant.name}
    return player if entrant.club is None else {**player, "club": entrant.club}


def _edition(row: EditionBefore) -> Row:
    edition: Row = {"edition": row.number, "ranking": row.ranking}
    if row.series is not None:
        edition["series"] = row.series
    if row.adjustments is not None:
        edition["adjustments"] = row.adjustments
    return edition


def _listed(entrants: Sequence[Entrant], column: str) -> list[str]:
    listed = [(getattr(entrant, column), entrant.code) for entrant in entrants if getattr(entrant, column) is not None]
    return [code for _, code in sorted(listed)]


def _heat(rows: Rows, heat: Heat, content: SheetEntries) -> Row:
    seats = rows.seated(heat)
    told: Row = {"name": heat.name, "seats": list(seats)}
    totals = content.totals
    if totals is None:
        lines = (line[-1].content for line in lines_of(content.entries))
        return {**told, "hands": [hand_of(line, seats) for line in lines if not isinstance(line, Voided)]}
    told |= {"totals": dict(zip(seats, totals.points, strict=True)), "hands_played": totals.hands_played}
    pairs = zip(seats, totals.adjustments, strict=True)
    adjusted = {code: points for code, points in pairs if points is not None}
    if adjusted or empty_adjustments(heat.stage.number, heat.number) in rows.tournament.spelled:
        told["adjustments"] = adjusted
    return told


def empty_adjustments(stage: int, heat: int) -> str:
    """How `Tournament.spelled` names the empty `adjustments` of a heat."""
    return f"adjustments {stage} {heat}"


def hand_of(content: Content, seats: Sequence[str | int]) -> Row:
    """One line of a sheet as the file's hand. A voided hand is `{"voided": true}`: only corrections tell of it."""
    match content:
        case Played((caller, called, bid, made), ruling):
            hand: Row = {"caller": seats[caller], "called": seats[called], "bid": bid, "made": made}
            if ruling == "disloyal_raise":
                hand["ruling"] = {"kind": ruling, "admitted": False}
            elif ruling:
                hand["ruling"] = {"kind": ruling}
            return hand
        case Admitted(caller, bid):
            return {"caller": seats[caller], "bid": bid, "ruling": {"kind": "disloyal_raise", "admitted": True}}
        case Award(seat, points, article, reason):
            award = {"player": seats[seat], "points": points, "article": article, "reason": reason}
            return {"ruling": {"kind": "award", **award}}
        case Voided():
            return {"voided": True}


def _corrections(entries: Sequence[Entry]) -> Iterator[Row]:
    """Each correction with what stood there before, people as seats 0 to 4; `line` counts from 1 on the sheet."""
    for number, line in enumerate(lines_of(entries), start=1):
        for old, new in pairwise(line):
            yield {
                "line": number,
                "before": hand_of(old.content, range(SEATS)),
                "after": hand_of(new.content, range(SEATS)),
                "reason": new.reason,
            }
