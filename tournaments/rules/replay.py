"""A whole tournament from what was written down: matches, qualification, withdrawals, finals, rankings."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from core.refusal import Param, Refusal
from scoring.rules.hands import NO_POINTS, Points
from scoring.rules.ruleset import ScoringRules
from scoring.rules.scoresheet import Entry, GoldenCall, Scoresheet, fold
from tournaments.rules.heats import MatchResult, Placed, SeatResult, rank_heat
from tournaments.rules.qualification import Qualification, Qualifiers, open_stage, qualifiers_of
from tournaments.rules.ruleset import PlacingRules
from tournaments.rules.series import WORLD, Edition, SeriesRules, Standing, ranks, series_table
from tournaments.rules.ties import Decided

HEATS, FINAL, SECOND_FINAL = "heats", "final", "second_final"


class Totals(NamedTuple):
    """All that survives of some old matches: points by player, scored hands, points of the standings ledger."""

    points: Mapping[str, int]
    hands_played: int
    adjustments: Mapping[str, int]


class MatchRecord(NamedTuple):
    """A match as written down. `seats` in playing order, seat 0 deals first.

    `record` may be a sheet that was folded before, with or without its lines: its figures are taken as they are.
    """

    name: str
    seats: tuple[str, ...]
    record: tuple[Entry, ...] | Totals | Scoresheet


class StageRecord(NamedTuple):
    """`kind` is `heats`, `final` or `second_final`."""

    kind: str
    matches: tuple[MatchRecord, ...]


class WithdrawalRecord(NamedTuple):
    """`target` is the stage renounced: `final`, `second_final`, or `heats:K` for the K-th stage of heats."""

    player: str
    target: str


class TournamentRecord(NamedTuple):
    """Everything that happened. `editions_before` (oldest first) are those that count for the A.G.P.

    `edition` is None where this tournament is no edition of that series.
    """

    scoring: ScoringRules
    placing: PlacingRules
    edition: int | None
    editions_before: tuple[Edition, ...]
    lots: tuple[str, ...]
    stages: tuple[StageRecord, ...]
    withdrawals: tuple[WithdrawalRecord, ...]


class MatchOutcome(NamedTuple):
    """A match with its ranking, best first. `sheet` is None where only totals survive.

    `offences_before`: by seat, disloyal raises that count from earlier stages (D10).
    """

    name: str
    seats: tuple[str, ...]
    sheet: Scoresheet | None
    hands_played: int
    ranking: tuple[Placed, ...]
    offences_before: Points

    @property
    def golden_call(self) -> GoldenCall | None:
        """The highest bid won (D4), None where nobody won one or only totals survive."""
        return self.sheet.golden_call if self.sheet else None


class StageOutcome(NamedTuple):
    """`number` counts stages from 1; `leads_to` and `qualification` are None for finals."""

    number: int
    kind: str
    matches: tuple[MatchOutcome, ...]
    leads_to: str | None
    qualification: Qualification | None


class FinalPlace(NamedTuple):
    """A place in the final ranking and where it comes from: the ranking of stage number `stage`.

    `source` is `final`, `second_final` or `heats` (eliminated there: overall order, `decided`).
    """

    place: int
    player: str
    source: str
    stage: int
    decided: Decided[Placed]


class Tournament(NamedTuple):
    """A replayed tournament. `ledger`: adjustments by player; `points`: by place plus ledger, empty ones left out."""

    stages: tuple[StageOutcome, ...]
    final_ranking: tuple[FinalPlace, ...]
    excluded: tuple[str, ...]
    ledger: Mapping[str, int]
    points: Mapping[str, int]
    agp_before: tuple[Standing, ...]
    agp_after: tuple[Standing, ...]


def replay(record: TournamentRecord, series: SeriesRules = WORLD) -> Tournament:
    """Every consequence of what was written down.

    Refusals carry a JSON Pointer into the tournament file: those of `fold`, `rank_heat` and `Qualifiers`, and
    `wrong_stage` (D20), `wrong_qualifiers` (S8), `second_final_not_held` (S8).
    """
    return _Replay(record, series).run()


class _Replay:
    def __init__(self, record: TournamentRecord, series: SeriesRules) -> None:
        self.record = record
        self.series = series
        self.agp_before = series_table(record.editions_before, series)
        self.agp = ranks(self.agp_before)
        self.lots = {player: position for position, player in enumerate(record.lots)}
        self.offences: Counter[str] = Counter()
        self.ledger: Counter[str] = Counter()
        self.stages: list[StageOutcome] = []
        self.open: list[Qualifiers] = []
        self.qualifications: list[Qualification] = []

    def run(self) -> Tournament:
        for index, stage in enumerate(self.record.stages):
            try:
                self._check_seats(stage)
                matches = self._play(stage)
            except Refusal as refusal:
                raise refusal if refusal.pointer == "/lots" else refusal.at(f"/stages/{index}") from None
            leads_to, qualification = self._qualify(matches) if stage.kind == HEATS else (None, None)
            self.stages.append(StageOutcome(index + 1, stage.kind, matches, leads_to, qualification))
        self._refuse_idle_withdrawals()
        ranking = self._final_ranking()
        return Tournament(
            tuple(self.stages),
            ranking,
            tuple(withdrawal.player for withdrawal in self.record.withdrawals),
            dict(self.ledger),
            self._points(ranking),
            self.agp_before,
            self._agp_after(ranking),
        )

    # Matches

    def _play(self, stage: StageRecord) -> tuple[MatchOutcome, ...]:
        before = self.offences.copy() if self.record.scoring.offence_scope == "tournament" else Counter[str]()
        outcomes = []
        for index, match in enumerate(stage.matches):
            try:
                outcomes.append(self._play_match(match, index, before))
            except Refusal as refusal:
                raise refusal if refusal.pointer == "/lots" else refusal.at(f"/heats/{index}") from None
        return tuple(outcomes)

    def _play_match(self, match: MatchRecord, index: int, before: Counter[str]) -> MatchOutcome:
        seats, record = match.seats, match.record
        sheet: Scoresheet | None = None
        if isinstance(record, Totals):
            self.ledger.update(record.adjustments)
            hands_played = record.hands_played
            results = tuple(SeatResult(player, record.points[player], None, None) for player in seats)
        else:
            sheet = record if isinstance(record, Scoresheet) else self._fold(record, seats, before)
            for seat, points in sheet.ledger:
                self.ledger[seats[seat]] += points
            if any(sheet.offences):
                self.offences.update(dict(zip(seats, sheet.offences, strict=True)))
            hands_played = sheet.hands_played
            results = tuple(map(SeatResult, seats, sheet.totals, sheet.hands_won, sheet.best_calls))
        ranking = rank_heat(
            MatchResult(match.name, results, hands_played),
            self.record.placing.tie_chain,
            self.agp,
            self.lots,
            index,
        )
        counted = tuple([before[player] for player in seats]) if before else NO_POINTS
        return MatchOutcome(match.name, seats, sheet, hands_played, ranking, counted)

    def _fold(self, entries: tuple[Entry, ...], seats: tuple[str, ...], before: Counter[str]) -> Scoresheet:
        try:
            return fold(entries, self.record.scoring, tuple(before[player] for player in seats))
        except Refusal as refusal:
            raise refusal.at("/hands") from None

    # From stage to stage

    def _check_seats(self, stage: StageRecord) -> None:
        """Seats of a later stage are those of the computed qualifiers (S8), and the stage is the one due (D20)."""
        if not self.stages:
            return
        qualification = self.qualifications[-1]
        final = qualification.plan.final
        if stage.kind == SECOND_FINAL:
            expected = qualification.second_final
            if not expected:
                raise Refusal("second_final_not_held", article="S8", pointer="/heats")
        elif (stage.kind == FINAL) != final:
            params: dict[str, Param] = {"seats": qualification.plan.seats, "due": FINAL if final else HEATS}
            raise Refusal("wrong_stage", params, article="D20", pointer="/kind")
        else:
            expected = qualification.qualified
        seated = [player for match in stage.matches for player in match.seats]
        if sorted(seated) != sorted(expected):
            lists: dict[str, Param] = {"expected": expected, "seated": tuple(seated)}
            raise Refusal("wrong_qualifiers", lists, article="S8", pointer="/heats")

    def _qualify(self, matches: Sequence[MatchOutcome]) -> tuple[str, Qualification]:
        stage = open_stage([match.ranking for match in matches], self.agp, self.lots)
        qualifiers = qualifiers_of(stage, second_final=self.record.placing.second_final)
        leads_to = FINAL if stage.plan.final else f"{HEATS}:{len(self.open) + 2}"
        for index, (player, target) in enumerate(self.record.withdrawals):
            try:
                if target == leads_to:
                    qualifiers = qualifiers.withdraw(player)
                elif target == SECOND_FINAL and leads_to == FINAL:
                    qualifiers = qualifiers.withdraw_from_second_final(player)
            except Refusal as refusal:
                raise refusal if refusal.pointer == "/lots" else refusal.at(f"/withdrawals/{index}") from None
        self.open.append(qualifiers)
        self.qualifications.append(qualifiers.settle())
        return leads_to, self.qualifications[-1]

    def _refuse_idle_withdrawals(self) -> None:
        """Nobody can renounce a stage to which no stage of the file leads."""
        reached = {stage.leads_to for stage in self.stages}
        if FINAL in reached:
            reached.add(SECOND_FINAL)
        for index, withdrawal in enumerate(self.record.withdrawals):
            if withdrawal.target not in reached:
                pointer = f"/withdrawals/{index}/from"
                params = {"player": withdrawal.player}
                raise Refusal("not_qualified", params, article="S8", pointer=pointer)

    # Rankings

    def _final_ranking(self) -> tuple[FinalPlace, ...]:
        """Final, second final, the rest of that stage, then those eliminated earlier, latest first (S8)."""
        order: list[tuple[str, int, Decided[Placed]]] = []
        finals = {stage.kind: stage for stage in self.stages if stage.kind != HEATS}
        if FINAL not in finals:
            return ()
        for kind in (FINAL, SECOND_FINAL):
            if kind in finals:
                stage = finals[kind]
                ranking = stage.matches[0].ranking
                order += [(kind, stage.number, Decided(p, p.decided_by, p.values)) for p in ranking]
        seated = {decided.item.player for _, _, decided in order}
        for number in range(len(self.open), 0, -1):
            rest = self.open[number - 1].eliminated
            order += [(HEATS, number, decided) for decided in rest if decided.item.player not in seated]
        return tuple(
            FinalPlace(place, decided.item.player, source, stage, decided)
            for place, (source, stage, decided) in enumerate(order, start=1)
        )

    def _points(self, ranking: Sequence[FinalPlace]) -> dict[str, int]:
        points = {entry.player: self.series.for_place(entry.place) for entry in ranking}
        for player, adjustment in self.ledger.items():
            points[player] = points.get(player, 0) + adjustment
        return {player: value for player, value in points.items() if value or player in self.ledger}

    def _agp_after(self, ranking: Sequence[FinalPlace]) -> tuple[Standing, ...]:
        editions = self.record.editions_before
        if self.record.edition is not None and ranking:
            players = tuple(entry.player for entry in ranking)
            editions = (*editions, Edition(self.record.edition, players, dict(self.ledger)))
        return series_table(editions, self.series, self.lots)
