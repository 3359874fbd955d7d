"""The adjustable values of scoring."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from core.rulefields import RuleField, read_rules

FIELDS = (
    RuleField("min_bid", "int", 61, "S12", low=1, high=120),
    RuleField("disloyal_above", "int", 72, "S18", low=0, high=119),
    RuleField("disloyal_points", "ints", (50, 70, 100), "S18", low=0),
    RuleField("suicidal_points", "int", 200, "S17", low=0),
    RuleField("suicidal_ledger", "int", -1, "D18", high=0),
    RuleField("offence_scope", "choice", "match", "D10", choices=("match", "tournament")),
    RuleField("judge_mode", "choice", "players", "D9", choices=("players", "referee")),
    RuleField("confirm_hands", "bool", False, "S11"),
    RuleField("recorders", "choice", "both", "S11", choices=("referee", "table", "both")),
)


class ScoringRules(NamedTuple):
    """A frozen copy belongs to every sheet. Points are card points; `disloyal_points` by offence, last repeats."""

    min_bid: int
    disloyal_above: int
    disloyal_points: tuple[int, ...]
    suicidal_points: int
    suicidal_ledger: int
    offence_scope: str
    judge_mode: str
    confirm_hands: bool
    recorders: str


def scoring_rules(given: Mapping[str, Any]) -> ScoringRules:
    """Rules from a mapping of adjusted values. Refusals: those of `RuleField.check`."""
    return ScoringRules(**read_rules(FIELDS, given))


DEFAULT_SCORING = scoring_rules({})
