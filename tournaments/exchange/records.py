"""A read tournament file as the values that the rules replay."""

from __future__ import annotations

from typing import Any

from core.refusal import Refusal
from gameplay.rules.ruleset import game_rules
from scoring.rules.hands import HandOutcome
from scoring.rules.ruleset import ScoringRules, scoring_rules
from scoring.rules.scoresheet import Admitted, Award, Content, Entry, Played, check_content
from tournaments.rules.replay import MatchRecord, StageRecord, Totals, TournamentRecord, WithdrawalRecord
from tournaments.rules.ruleset import WORLD_SERIES, placing_rules
from tournaments.rules.series import Edition


def record_from_file(file: dict[str, Any]) -> TournamentRecord:
    """What the file says, for `replay`. Refusals, with pointers: rule values, bids (S12), points (S15) out of range."""
    tournament = file["tournament"]
    adjusted = tournament.get("rules", {})
    try:
        scoring, placing = scoring_rules(adjusted), placing_rules(adjusted)
        game_rules(adjusted)
    except Refusal as refusal:
        raise refusal.at("/tournament/rules") from None
    editions = tuple(
        Edition(edition["edition"], tuple(edition["ranking"]), edition.get("adjustments", {}))
        for edition in file.get("editions_before", [])
        if edition.get("series", WORLD_SERIES) == WORLD_SERIES
    )
    return TournamentRecord(
        scoring,
        placing,
        edition_number(tournament.get("series"), tournament.get("edition"), editions),
        editions,
        tuple(file.get("lots", [])),
        tuple(
            StageRecord(
                stage["kind"],
                tuple(
                    _match_record(heat, scoring, f"/stages/{number}/heats/{at}")
                    for at, heat in enumerate(stage["heats"])
                ),
            )
            for number, stage in enumerate(file["stages"])
        ),
        tuple(WithdrawalRecord(item["player"], item["from"]) for item in file.get("withdrawals", [])),
    )


def edition_number(series: str | None, edition: int | None, before: tuple[Edition, ...]) -> int | None:
    """This edition of the world championship, None for another series; one more than those before if not said."""
    if series not in (None, WORLD_SERIES):
        return None
    if edition is not None:
        return edition
    return 1 + max((known.number for known in before), default=0)


def _match_record(heat: dict[str, Any], rules: ScoringRules, pointer: str) -> MatchRecord:
    seats = tuple(heat["seats"])
    if "totals" in heat:
        totals = Totals(heat["totals"], heat["hands_played"], heat.get("adjustments", {}))
        return MatchRecord(heat["name"], seats, totals)
    entries = []
    for index, hand in enumerate(heat["hands"]):
        content = _content(hand, seats)
        try:
            check_content(content, rules)
        except Refusal as refusal:
            raise refusal.at(f"{pointer}/hands/{index}") from None
        entries.append(Entry(content))
    return MatchRecord(heat["name"], seats, tuple(entries))


def _content(hand: dict[str, Any], seats: tuple[str, ...]) -> Content:
    ruling = hand.get("ruling", {})
    if ruling.get("kind") == "award":
        return Award(seats.index(ruling["player"]), ruling["points"], ruling["article"], ruling["reason"])
    caller = seats.index(hand["caller"])
    if ruling.get("admitted"):
        return Admitted(caller, hand["bid"])
    outcome = HandOutcome(caller, seats.index(hand["called"]), hand["bid"], hand["made"])
    return Played(outcome, ruling.get("kind"))
