"""The rules of a tournament in words: every adjustable value, what it is here, and what it usually is."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from typing import Any

from django.utils.formats import number_format
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from core.rulefields import RuleField
from gameplay.rules.ruleset import FIELDS as PLAY
from scoring.rules.ruleset import FIELDS as SCORING
from tournaments.rules.ruleset import FIELDS as PLACING
from tournaments.web.presenting import Row

Words = str | Promise

GROUPS: tuple[tuple[Words, str, tuple[RuleField, ...]], ...] = (
    (gettext_lazy("The clock and the auction"), "swords", PLAY),
    (gettext_lazy("Points, rulings and the scoresheet"), "cups", SCORING),
    (gettext_lazy("Heats, ties and finals"), "batons", PLACING),
)
LABELS: Mapping[str, Words] = {
    "match_minutes": gettext_lazy("Length of a match"),
    "second_final_minutes": gettext_lazy("Length of the second final"),
    "bell_120": gettext_lazy("The bell rings and 120 is on the table"),
    "knock_ms": gettext_lazy("Time between two knocks at a live table"),
    "min_bid": gettext_lazy("Lowest bid"),
    "disloyal_above": gettext_lazy("A raise can be disloyal above a bid of"),
    "disloyal_points": gettext_lazy("Cost of a disloyal raise: first, second, third time"),
    "suicidal_points": gettext_lazy("Cost of a suicidal call, besides the points lost"),
    "suicidal_ledger": gettext_lazy("What a suicidal call costs in the standings"),
    "offence_scope": gettext_lazy("Disloyal raises are counted"),
    "judge_mode": gettext_lazy("Who judges a claim"),
    "confirm_hands": gettext_lazy("A second person confirms each hand"),
    "recorders": gettext_lazy("Who may write the scoresheet"),
    "seeds_per_heat": gettext_lazy("Seeds in each heat"),
    "second_final": gettext_lazy("A second final is held"),
    "tie_chain": gettext_lazy("What decides between equals of a heat, in order"),
    "final_size": gettext_lazy("Players in the final"),
    "table_size": gettext_lazy("Players at a table"),
}
CHOICES: Mapping[str, Mapping[str, Words]] = {
    "bell_120": {
        "in_progress_when_called": gettext_lazy("the hand is in progress and is played"),
        "not_completed": gettext_lazy("the hand is not played"),
    },
    "offence_scope": {
        "match": gettext_lazy("match by match"),
        "tournament": gettext_lazy("over all stages of the tournament"),
    },
    "judge_mode": {
        "players": gettext_lazy("the players who neither called nor were called"),
        "referee": gettext_lazy("the referee"),
    },
    "recorders": {
        "referee": gettext_lazy("the referee"),
        "table": gettext_lazy("the table: one records, another confirms"),
        "both": gettext_lazy("the referee or the table"),
    },
    "tie_chain": {
        "hands_won": gettext_lazy("hands won"),
        "golden_call": gettext_lazy("golden call"),
        "agp": gettext_lazy("A.G.P. rank"),
        "lot": gettext_lazy("drawn lot"),
    },
}
_MINUTES = ("match_minutes", "second_final_minutes")
_POINTS = ("suicidal_points", "suicidal_ledger")


def rule_groups(adjusted: Mapping[str, Any]) -> list[Row]:
    """The tables of rules: `title`, `suit` and `rules`, each with label, value here, usual value, article, adjusted."""
    return [
        {"title": title, "suit": suit, "rules": [_rule(field, adjusted) for field in fields]}
        for title, suit, fields in GROUPS
    ]


def _rule(field: RuleField, adjusted: Mapping[str, Any]) -> Row:
    here = field.check(adjusted[field.name]) if field.name in adjusted else field.default
    return {
        "name": field.name,
        "label": LABELS[field.name],
        "here": rule_value(field.name, here),
        "usual": rule_value(field.name, field.default),
        "article": field.article,
        "adjusted": here != field.default,
    }


def rule_value(name: str, value: Any) -> str:
    """A value of a rule in words; None is the usual one."""
    if value is None:
        return _("as long as a match") if name == "second_final_minutes" else _("as usual")
    if isinstance(value, bool):
        return _("yes") if value else _("no")
    if isinstance(value, str):
        return str(CHOICES[name][value])
    if isinstance(value, (list, tuple)):
        return ", ".join(str(CHOICES[name][item] if name in CHOICES else item) for item in value)
    if name in _MINUTES:
        return ngettext("%(count)s minute", "%(count)s minutes", value) % {"count": value}
    if name == "knock_ms":
        seconds = Decimal(value) / 1000
        text = ngettext("%(count)s second", "%(count)s seconds", 1 if seconds == 1 else 2)
        return text % {"count": number_format(seconds)}
    if name in _POINTS:
        return ngettext("%(count)s point", "%(count)s points", abs(value)) % {"count": str(value).replace("-", "−")}
    return str(value)
