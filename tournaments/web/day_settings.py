"""The form that describes a tournament before it is drawn: its facts, and every rule that can be adjusted."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import permutations
from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from core.refusal import Refusal
from core.rulefields import RuleField
from gameplay.rules.ruleset import FIELDS as PLAY
from scoring.rules.ruleset import FIELDS as SCORING
from tournaments.models import Tournament
from tournaments.queries.staff import Shelf
from tournaments.rules.ruleset import FIELDS as PLACING
from tournaments.rules.ruleset import TIE_STEPS, WORLD_SERIES
from tournaments.services.entering import LENGTH
from tournaments.web.presenting_rules import CHOICES, LABELS, rule_value
from tournaments.web.sentences import sentence_for

FIRST = ("match_minutes", "seeds_per_heat")
SECOND_FINAL = ("second_final", "second_final_minutes")
# A table has five players and so has the final: there is nothing to choose (S1).
FIXED = ("final_size", "table_size")
FIELDS: Mapping[str, RuleField] = {
    field.name: field for field in (*PLAY, *SCORING, *PLACING) if field.name not in FIXED
}
OTHERS = tuple(name for name in FIELDS if name not in (*FIRST, *SECOND_FINAL))
HELP = {
    "match_minutes": gettext_lazy("Minutes on the hidden clock: 120 by the rules."),
    "second_final_minutes": gettext_lazy("Minutes: from half of a match to all of it. Empty: as long as a match."),
    "seeds_per_heat": gettext_lazy("The best of the A.G.P. who do not meet in the heats."),
    "disloyal_points": gettext_lazy("Whole numbers with commas between them."),
    "knock_ms": gettext_lazy("Thousandths of a second."),
    "suicidal_ledger": gettext_lazy("Points of the series: 0 or below."),
}


class Amounts(forms.CharField):
    """Whole numbers with commas between them, as a tuple."""

    default_error_messages = {"invalid": gettext_lazy("Type whole numbers with commas between them.")}

    def prepare_value(self, value: Any) -> Any:
        return ", ".join(map(str, value)) if isinstance(value, (list, tuple)) else value

    def to_python(self, value: Any) -> tuple[int, ...] | None:  # type: ignore[override]  # a list, where it is text
        text = super().to_python(value)
        if not text:
            return None
        try:
            return tuple(int(part) for part in text.split(","))
        except ValueError:
            raise forms.ValidationError(self.error_messages["invalid"], code="invalid") from None


def rule_form_field(field: RuleField) -> forms.Field:
    """The control of a rule. What is left empty is the usual value."""
    told: dict[str, Any] = {"label": LABELS[field.name], "required": False, "help_text": HELP.get(field.name, "")}
    match field.kind:
        case "bool":
            return forms.BooleanField(**told)
        case "choice":
            return forms.ChoiceField(choices=[(one, CHOICES[field.name][one]) for one in field.choices], **told)
        case "ints":
            return Amounts(max_length=200, **told)
        case "chain":
            return forms.ChoiceField(choices=_chains, **told)
    number = forms.NumberInput(attrs={"inputmode": "numeric", "class": "short"})
    return forms.IntegerField(widget=number, **told)


def _chains() -> list[tuple[str, str]]:
    """Every order of the steps that decide between equals; the lot is always the last."""
    free = [step for step in TIE_STEPS if step != "lot"]
    orders = [(*steps, "lot") for length in range(len(free), -1, -1) for steps in permutations(free, length)]
    return [(" ".join(order), rule_value("tie_chain", order)) for order in orders]


class SettingsForm(forms.Form):
    """`place` (address of a club, "" for the house) is asked for a new tournament only, and only there given."""

    place = forms.ChoiceField(label=gettext_lazy("Who holds it"), required=False)
    name = forms.CharField(label=gettext_lazy("Name"), max_length=LENGTH)
    series = forms.CharField(
        label=gettext_lazy("Series"),
        max_length=LENGTH,
        help_text=gettext_lazy(
            "Tournaments of one series of a club are ranked together. The world championship is “world”: it makes the"
            " A.G.P., and counts where the house itself publishes it."
        ),
        widget=forms.TextInput(attrs={"list": "series-known", "autocomplete": "off"}),
    )
    edition = forms.IntegerField(
        label=gettext_lazy("Edition"),
        required=False,
        min_value=1,
        max_value=9999,
        help_text=gettext_lazy("Its number in the series. Without one it counts in no ranking."),
        widget=forms.NumberInput(attrs={"inputmode": "numeric", "class": "short"}),
    )
    date = forms.DateField(
        label=gettext_lazy("Date"),
        required=False,
        input_formats=["%Y-%m-%d"],
        widget=forms.DateInput(format="%Y-%m-%d", attrs={"type": "date", "class": "short"}),
    )
    venue = forms.CharField(label=gettext_lazy("Venue"), max_length=LENGTH, required=False)
    key = forms.CharField(widget=forms.HiddenInput, max_length=60)

    def __init__(self, *args: Any, places: Iterable[Shelf] = (), **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        shown = list(places)
        if shown:
            house = _("the house itself, no club")
            self.fields["place"] = forms.ChoiceField(
                label=_("Who holds it"), required=False, choices=[(one.slug, one.name or house) for one in shown]
            )
        else:
            del self.fields["place"]
        for name, field in FIELDS.items():
            self.fields[name] = rule_form_field(field)

    def group(self, names: Iterable[str]) -> list[tuple[forms.BoundField, str]]:
        """These rules as pairs of control and article."""
        return [(self[name], FIELDS[name].article) for name in names]

    @property
    def others_wrong(self) -> bool:
        """Something in the folded part is to be mended."""
        return any(name in self.errors for name in OTHERS)

    def told(self) -> dict[str, Any]:
        """What the services take, besides the club and the key, of a valid form."""
        given = self.cleaned_data
        rules = {name: given[name] for name in FIELDS if given[name] not in (None, "")}
        if "tie_chain" in rules:
            rules["tie_chain"] = rules["tie_chain"].split(" ")
        if not rules["second_final"]:
            rules.pop("second_final_minutes", None)
        facts = {name: given[name] for name in ("name", "series", "edition", "date", "venue")}
        return {**facts, "rules": rules}

    def refuse(self, refusal: Refusal) -> None:
        """Puts what a service refused beside its field."""
        last = refusal.pointer.rpartition("/")[2]
        self.add_error(last if last in self.fields else None, sentence_for(refusal))


def usual(row: Tournament | None, key: str) -> dict[str, Any]:
    """What the form shows at first: the tournament as it is, or the usual rules."""
    adjusted = (row.rules or {}) if row else {}
    rules = {name: adjusted.get(name, field.default) for name, field in FIELDS.items()}
    rules["tie_chain"] = " ".join(rules["tie_chain"])
    if row is None:
        return {**rules, "key": key}
    facts = {name: getattr(row, name) for name in ("name", "edition", "date", "venue")}
    return {**rules, **facts, "series": row.series or WORLD_SERIES, "key": key}
