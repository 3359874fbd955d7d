"""A tournament's rows read at once: as the values that the rules replay, and as the tournament file."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby, pairwise
from operator import itemgetter
from types import MappingProxyType
from typing import Any, NamedTuple
from uuid import UUID

from django.db import connection

from scoring.queries import SheetEntries
from scoring.rules.hands import SEATS
from scoring.rules.ruleset import scoring_rules
from scoring.rules.scoresheet import (
    Admitted,
    Award,
    Content,
    GoldenCall,
    Played,
    Scoresheet,
    SeatTotals,
    Voided,
    lines_of,
)
from tournaments.exchange.records import edition_number
from tournaments.models import EditionBefore, Entrant, Tournament, Withdrawal
from tournaments.rules.replay import MatchRecord, StageRecord, Totals, TournamentRecord, WithdrawalRecord
from tournaments.rules.ruleset import WORLD_SERIES, placing_rules
from tournaments.rules.series import Edition

FORMAT = {"format": "gingodrome-tournament", "version": 1}
Row = dict[str, Any]
_NOTHING: Mapping[str, Any] = MappingProxyType({})

# Large tournaments have thousands of heats: an object of the ORM for each seat would cost more than all the rules.
_HEATS = """
SELECT stage.number, stage.kind, heat.number, heat.name, sheet.id, sheet.state, sheet.hands_played,
       sheet.hands_voided, sheet.golden_seat, sheet.golden_bid, sheet.golden_solo, stage.id
FROM tournaments_stage stage
JOIN tournaments_heat heat ON heat.stage_id = stage.id
JOIN scoring_sheet sheet ON sheet.id = heat.sheet_id
WHERE stage.tournament_id = %s AND stage.state = 'closed'
ORDER BY stage.number, heat.number
"""
# A person sits once in a stage, so the seats of a stage share its id as their round.
_SEATS = """
SELECT sheet_id, person_id, points, hands_won, best_call, offences, ledger
FROM scoring_seat WHERE round = ANY(%s) ORDER BY sheet_id, number
"""


class HeatRow(NamedTuple):
    """A heat with the figures of its sheet, from `codes` on by seat; `won` and `best`: None where totals are all."""

    stage: int
    kind: str
    number: int
    name: str
    sheet: UUID
    state: str
    hands_played: int
    hands_voided: int
    golden_seat: int | None
    golden_bid: int | None
    golden_solo: bool | None
    codes: tuple[str, ...]
    points: tuple[int, ...]
    won: tuple[int | None, ...]
    best: tuple[int | None, ...]
    offences: tuple[int, ...]
    ledger: tuple[int | None, ...]


class EntrantRow(NamedTuple):
    """Somebody in the tournament, as its file has him."""

    pk: int
    person: UUID
    code: str
    name: str
    club: str | None
    entry: int | None
    lot: int | None


@dataclass(frozen=True)
class Rows:
    """Everything written down about one tournament and its closed stages, except what stands on their sheets."""

    tournament: Tournament
    entrants: tuple[EntrantRow, ...]
    heats: tuple[HeatRow, ...]
    withdrawals: tuple[tuple[str, str], ...]
    editions: tuple[EditionBefore, ...]

    def sheet_ids(self) -> list[UUID]:
        """The sheets of all heats."""
        return [heat.sheet for heat in self.heats]

    def stages(self) -> Iterator[tuple[str, list[HeatRow]]]:
        """Kind and heats of each stage, in order."""
        for (_, kind), heats in groupby(self.heats, key=lambda heat: (heat.stage, heat.kind)):
            yield kind, list(heats)


def read_rows(tournament: Tournament) -> Rows:
    """All rows of a tournament. Five queries for any size."""
    rows = Entrant.objects.filter(tournament=tournament).order_by("position")
    columns = ("pk", "person", "code", "name", "club", "entry", "lot")
    entrants = tuple(map(EntrantRow._make, rows.values_list(*columns)))
    withdrawals = Withdrawal.objects.filter(tournament=tournament).order_by("number")
    return Rows(
        tournament,
        entrants,
        _heats(tournament, {entrant.person: entrant.code for entrant in entrants}),
        tuple(withdrawals.values_list("entrant__code", "target")),
        tuple(EditionBefore.objects.filter(tournament=tournament).order_by("position")),
    )


def _heats(tournament: Tournament, codes: Mapping[UUID, str]) -> tuple[HeatRow, ...]:
    with connection.cursor() as cursor:
        cursor.execute(_HEATS, [tournament.pk])
        heats = cursor.fetchall()
        cursor.execute(_SEATS, [list({heat[-1] for heat in heats})])
        seats = {sheet: list(five) for sheet, five in groupby(cursor.fetchall(), key=itemgetter(0))}
    found = []
    for heat in heats:
        _, people, *figures = zip(*seats[heat[4]], strict=True)
        found.append(HeatRow._make((*heat[:-1], tuple([codes[person] for person in people]), *figures)))
    return tuple(found)


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
    return TournamentRecord(
        scoring_rules(adjusted),
        placing_rules(adjusted),
        edition_number(tournament.series, tournament.edition, editions),
        editions,
        tuple(code for _, code in lots),
        tuple(StageRecord(kind, tuple(map(_match, heats))) for kind, heats in rows.stages()),
        tuple(map(WithdrawalRecord._make, rows.withdrawals)),
    )


def _match(heat: HeatRow) -> MatchRecord:
    codes = heat.codes
    if heat.won[0] is None:
        adjusted = {code: points for code, points in zip(codes, heat.ledger, strict=True) if points is not None}
        totals = Totals(dict(zip(codes, heat.points, strict=True)), heat.hands_played, adjusted)
        return MatchRecord(heat.name, codes, totals)
    golden = None
    if heat.golden_seat is not None:
        golden = GoldenCall(heat.golden_seat, heat.golden_bid or 0, bool(heat.golden_solo))
    figures = Scoresheet(
        lines=(),
        totals=heat.points,
        hands_played=heat.hands_played,
        hands_voided=heat.hands_voided,
        hands_won=tuple([won or 0 for won in heat.won]),
        best_calls=tuple([best or 0 for best in heat.best]),
        golden_call=golden,
        ledger=tuple([(seat, points) for seat, points in enumerate(heat.ledger) if points is not None]),
        offences=heat.offences,
        next_dealer=0,  # no place depends on it
    )
    return MatchRecord(heat.name, codes, figures)


# As the file says it


def file_of(rows: Rows, written: Mapping[UUID, SheetEntries], day: Mapping[str, Any] = _NOTHING) -> Row:
    """The tournament file. `written`: what stands on each sheet; `day`: what `record` tells besides (record_of_day).

    Corrections are told in `record`, too.
    """
    tournament = rows.tournament
    file: Row = {**FORMAT, "tournament": _head(tournament), "players": [_player(entrant) for entrant in rows.entrants]}
    corrections: list[Row] = []
    stages = []
    for number, (kind, heats) in enumerate(rows.stages(), start=1):
        told = [_heat(heat, written[heat.sheet], tournament.spelled) for heat in heats]
        stages.append({"kind": kind, "heats": told})
        for at, heat in enumerate(heats, start=1):
            found = _corrections(written[heat.sheet])
            corrections += [{"stage": number, "heat": at, **correction} for correction in found]
    optional: Row = {
        "editions_before": [_edition(row) for row in rows.editions],
        "lots": _listed(rows.entrants, "lot"),
        "withdrawals": [{"player": code, "from": target} for code, target in rows.withdrawals],
    }
    file |= {key: value for key, value in optional.items() if value or key in tournament.spelled}
    file |= {"entries": _listed(rows.entrants, "entry"), "stages": stages}
    record: Row | None = None if tournament.record is None else json.loads(tournament.record)
    if day:
        record = {**(record or {}), **day}
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


def _player(entrant: EntrantRow) -> Row:
    player = {"id": entrant.code, "name": entrant.name}
    return player if entrant.club is None else {**player, "club": entrant.club}


def _edition(row: EditionBefore) -> Row:
    edition: Row = {"edition": row.number, "ranking": row.ranking}
    if row.series is not None:
        edition["series"] = row.series
    if row.adjustments is not None:
        edition["adjustments"] = row.adjustments
    return edition


def _listed(entrants: Sequence[EntrantRow], column: str) -> list[str]:
    listed = [(getattr(entrant, column), entrant.code) for entrant in entrants if getattr(entrant, column) is not None]
    return [code for _, code in sorted(listed)]


def _heat(heat: HeatRow, content: SheetEntries, spelled: Sequence[str]) -> Row:
    seats = heat.codes
    told: Row = {"name": heat.name, "seats": list(seats)}
    totals = content.totals
    if totals is None:
        lines = (line[-1].content for line in lines_of(content.entries))
        return {**told, "hands": [hand_of(line, seats) for line in lines if not isinstance(line, Voided)]}
    told |= {"totals": dict(zip(seats, totals.points, strict=True)), "hands_played": totals.hands_played}
    pairs = zip(seats, totals.adjustments, strict=True)
    adjusted = {code: points for code, points in pairs if points is not None}
    if adjusted or empty_adjustments(heat.stage, heat.number) in spelled:
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


def _corrections(content: SheetEntries) -> Iterator[Row]:
    """Each correction with what stood there before, people as seats 0 to 4; `line` counts from 1 on the sheet."""
    for number, line in enumerate(lines_of(content.entries), start=1):
        for old, new in pairwise(line):
            yield {
                "line": number,
                "before": hand_of(old.content, range(SEATS)),
                "after": hand_of(new.content, range(SEATS)),
                "reason": new.reason,
            }
    states = [totals for totals, _ in content.replaced] + [content.totals]
    for (old_totals, reason), new_totals in zip(content.replaced, states[1:], strict=True):
        yield {"before": _totals_by_seat(old_totals), "after": _totals_by_seat(new_totals), "reason": reason}


def _totals_by_seat(totals: SeatTotals | None) -> Row:
    return {} if totals is None else {"totals": list(totals.points), "hands_played": totals.hands_played}
