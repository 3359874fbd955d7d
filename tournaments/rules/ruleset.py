"""The adjustable values of placing."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from core.rulefields import RuleField, read_rules

WORLD_SERIES = "world"
"""The name of the series that counts for the A.G.P."""

TIE_STEPS = ("hands_won", "golden_call", "agp", "lot")
FIELDS = (
    RuleField("seeds_per_heat", "int", 1, "S6", low=0, high=5),
    RuleField("second_final", "bool", True, "S8"),
    RuleField("tie_chain", "chain", TIE_STEPS, "D15", choices=TIE_STEPS, last="lot"),
    RuleField("final_size", "int", 5, "S1", low=5, high=5),
    RuleField("table_size", "int", 5, "S1", low=5, high=5),
)


class PlacingRules(NamedTuple):
    """A frozen copy belongs to every tournament. `tie_chain` is the order of steps between equals of one heat."""

    seeds_per_heat: int
    second_final: bool
    tie_chain: tuple[str, ...]
    final_size: int
    table_size: int


def placing_rules(given: Mapping[str, Any]) -> PlacingRules:
    """Rules from a mapping of adjusted values. Refusals: those of `RuleField.check`."""
    return PlacingRules(**read_rules(FIELDS, given))


DEFAULT_PLACING = placing_rules({})
