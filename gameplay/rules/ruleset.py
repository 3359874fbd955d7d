"""The adjustable values of play: clock and auction."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from core.refusal import Refusal
from core.rulefields import RuleField, read_rules

FIELDS = (
    RuleField("match_minutes", "int", 120, "S9", low=10, high=600),
    RuleField("second_final_minutes", "int", None, "S9"),
    RuleField(
        "bell_120",
        "choice",
        "in_progress_when_called",
        "D5",
        choices=("in_progress_when_called", "not_completed"),
    ),
    RuleField("knock_ms", "int", 2000, "S12", low=500, high=10_000),
)


class GameRules(NamedTuple):
    """A frozen copy belongs to every match. Lengths in minutes, knocks in milliseconds."""

    match_minutes: int
    second_final_minutes: int
    bell_120: str
    knock_ms: int


def game_rules(given: Mapping[str, Any]) -> GameRules:
    """Rules from a mapping of adjusted values; the second final is as long as a match unless agreed otherwise.

    Refusals: those of `RuleField.check`; `second_final_too_short` and `second_final_too_long` (S9: half the time
    of a match at least, never more than all of it).
    """
    values = read_rules(FIELDS, given)
    full = values["match_minutes"]
    second = full if values["second_final_minutes"] is None else values["second_final_minutes"]
    params = {"minutes": second, "half": (full + 1) // 2, "full": full}
    if 2 * second < full:
        raise Refusal("second_final_too_short", params, article="S9", pointer="/second_final_minutes")
    if second > full:
        raise Refusal("second_final_too_long", params, article="S9", pointer="/second_final_minutes")
    return GameRules(**{**values, "second_final_minutes": second})


DEFAULT_GAME = game_rules({})
