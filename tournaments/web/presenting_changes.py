"""What a later version of a published tournament says otherwise, in words."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from core.templatetags.look import MINUS, score
from scoring.web.reasons import points_in_words
from tournaments.queries.tournament import TournamentView
from tournaments.rules.differences import (
    Difference,
    HandChanged,
    LineChanged,
    ListChanged,
    RuleChanged,
    ValueChanged,
)
from tournaments.rules.qualification import Substitution
from tournaments.web.presenting import Row, stage_title, target_title
from tournaments.web.presenting_rules import LABELS, rule_value

Words = str | Promise
Name = Callable[[str], str]
"""The name behind a number of the published facts."""

WHAT: Mapping[str, Words] = {
    "name": gettext_lazy("Name"),
    "game": gettext_lazy("Game"),
    "series": gettext_lazy("Series"),
    "edition": gettext_lazy("Edition"),
    "date": gettext_lazy("Date"),
    "venue": gettext_lazy("Venue"),
    "edition_before": gettext_lazy("An earlier edition in the A.G.P. snapshot"),
    "kind": gettext_lazy("Kind of the stage"),
    "seats": gettext_lazy("The five seats"),
    "totals": gettext_lazy("Totals"),
    "hands_played": gettext_lazy("Hands played"),
    "golden_call": gettext_lazy("Golden call"),
    "to": gettext_lazy("Leads to"),
    "places": gettext_lazy("Seats of the next stage"),
    "direct_per_heat": gettext_lazy("Direct places per heat"),
    "qualification": gettext_lazy("Qualification"),
    "ranking": gettext_lazy("Ranking of the heat"),
    "repechage": gettext_lazy("Repechage"),
    "final_ranking": gettext_lazy("Final ranking"),
    "tournament_points": gettext_lazy("Points of the tournament"),
    "agp": gettext_lazy("A.G.P. ranking"),
    "players": gettext_lazy("Players"),
    "entries": gettext_lazy("Entries"),
    "lots": gettext_lazy("Drawn lots"),
    "withdrawals": gettext_lazy("Withdrawals"),
    "editions_before": gettext_lazy("Earlier editions"),
    "heats": gettext_lazy("Heats"),
    "direct": gettext_lazy("Direct places"),
    "qualified": gettext_lazy("Qualified"),
    "second_final": gettext_lazy("Called to the second final"),
    "substitutions": gettext_lazy("Substitutions"),
    "excluded": gettext_lazy("Excluded"),
}
VALUES: Mapping[str, Words] = {
    "order": gettext_lazy("order"),
    "place": gettext_lazy("place"),
    "rank": gettext_lazy("rank"),
    "points": gettext_lazy("points"),
    "gap": gettext_lazy("gap"),
    "heat": gettext_lazy("heat"),
    "position": gettext_lazy("position in the heat"),
    "qualified": gettext_lazy("qualified"),
    "decided_by": gettext_lazy("decided by"),
    "by_edition": gettext_lazy("points by edition"),
}
STEPS: Mapping[str, Words] = {
    "hands_won": gettext_lazy("hands won"),
    "golden_call": gettext_lazy("golden call"),
    "points_per_hand": gettext_lazy("points per hand"),
    "agp": gettext_lazy("A.G.P. rank"),
    "lot": gettext_lazy("drawn lot"),
    "best_place": gettext_lazy("best place"),
    "recent_best_place": gettext_lazy("more recent best place"),
}
# Tables whose appearance or end is told by their number of lines, and lists of people.
_TABLES = ("ranking", "repechage", "final_ranking", "tournament_points", "agp")
_PEOPLE = ("players", "entries", "lots", "direct", "qualified", "second_final", "excluded")
_NOTHING = gettext_lazy("nothing")


def change_rows(view: TournamentView, changes: Sequence[Difference], name: Name) -> list[Row]:
    """`where` and `text` of each difference, in their order. `name`: by number of the published facts."""
    words = _Words(view, name)
    return [{"where": words.where(change), "text": words.text(change)} for change in changes]


class _Words:
    def __init__(self, view: TournamentView, name: Name) -> None:
        self.view = view
        self.name = name

    def where(self, change: Difference) -> str:
        """The stage and the heat that a difference belongs to, "" for the whole tournament."""
        stage = getattr(change, "stage", None)
        if stage is None:
            return ""
        heat = getattr(change, "heat", None)
        return f"{stage_title(self.view, stage)} · {heat}" if heat else stage_title(self.view, stage)

    def text(self, change: Difference) -> str:
        match change:
            case RuleChanged(rule, before, after):
                return _instead(LABELS[rule], rule_value(rule, before), rule_value(rule, after))
            case HandChanged(_, _, hand, before, after):
                what = _("Line %(number)s of the sheet") % {"number": hand}
                return _instead(what, self.hand(before), self.hand(after))
            case ListChanged():
                return self.listed(change)
            case LineChanged():
                return self.line(change)
            case ValueChanged(part, _, _, before, after):
                if part in ("edition_before", "qualification"):
                    return self.whole(part, before, after)
                return _instead(WHAT[part], self.value(part, before), self.value(part, after))

    def whole(self, part: str, before: Any, after: Any) -> str:
        """Something too large to be told value by value."""
        what = str(WHAT[part])
        edition = (after or before).get("edition") if part == "edition_before" else None
        if edition is not None:
            what = f"{what}: {edition}"
        if before is None:
            return _("%(what)s: new.") % {"what": what}
        if after is None:
            return _("%(what)s: no longer there.") % {"what": what}
        return _("%(what)s: changed.") % {"what": what}

    def value(self, part: str, value: Any) -> str | None:
        """A value in words, None for none."""
        if value is None:
            return None
        if part in _TABLES:
            return _("a table of %(lines)s") % {"lines": value}
        if part == "seats":
            return self.people(value)
        if part == "kind":
            return {"heats": _("heats"), "final": _("final"), "second_final": _("second final")}[value]
        if part == "to":
            return target_title(self.view, value)
        if part == "golden_call":
            solo = _("%(bid)s by %(name)s, alone") if value["solo"] else _("%(bid)s by %(name)s")
            return solo % {"bid": value["bid"], "name": self.name(value["player"])}
        if part == "totals":
            return self.totals(value)
        return score(value) if isinstance(value, int) else str(value)

    def totals(self, value: Mapping[str, Any]) -> str:
        told = [f"{self.name(player)} {score(points)}" for player, points in value.get("totals", {}).items()]
        if "hands_played" in value:
            told.append(_("hands played: %(count)s") % {"count": value["hands_played"]})
        ledger = [f"{self.name(player)} {score(points)}" for player, points in value.get("adjustments", {}).items()]
        if ledger:
            told.append(_("standings ledger: %(points)s") % {"points": ", ".join(ledger)})
        return ", ".join(told) or _("hand by hand")

    def people(self, players: Sequence[str]) -> str:
        return ", ".join(self.name(player) for player in players)

    def hand(self, hand: Mapping[str, Any] | None) -> str | None:
        """A line of the file in words, None for none."""
        if hand is None:
            return None
        ruling = hand.get("ruling", {})
        if ruling.get("kind") == "award":
            told = {
                "name": self.name(ruling["player"]),
                "points": points_in_words(ruling["points"]),
                "article": ruling["article"],
                "why": ruling["reason"],
            }
            return _("ruling on %(name)s, %(points)s by %(article)s, “%(why)s”") % told
        values = {"caller": self.name(hand["caller"]), "bid": hand["bid"], "made": hand.get("made")}
        if ruling.get("admitted"):
            return _("%(bid)s bid by %(caller)s, disloyal raise admitted") % values
        text = _("%(bid)s bid by %(caller)s alone, %(made)s made")
        if hand["called"] != hand["caller"]:
            values["called"] = self.name(hand["called"])
            text = _("%(bid)s bid by %(caller)s with %(called)s, %(made)s made")
        rulings = {"suicidal_call": _("suicidal call"), "disloyal_raise": _("disloyal raise")}
        return text % values + (f", {rulings[ruling['kind']]}" if ruling else "")

    def listed(self, change: ListChanged) -> str:
        told = []
        if change.added:
            told.append(_("added %(items)s") % {"items": self.items(change.part, change.added)})
        if change.removed:
            told.append(_("removed %(items)s") % {"items": self.items(change.part, change.removed)})
        if change.reordered:
            told.append(_("now in the order %(items)s") % {"items": self.items(change.part, change.after)})
        return f"{WHAT[change.part]}: {'; '.join(told)}."

    def items(self, part: str, items: Sequence[Any]) -> str:
        if part in _PEOPLE:
            return self.people(items)
        if part == "withdrawals":
            return ", ".join(f"{self.name(player)} ({target_title(self.view, target)})" for player, target in items)
        if part == "substitutions":
            return ", ".join(self.swap(swap) for swap in items)
        if part == "editions_before":
            return ", ".join(str(number) for _, number in items)
        return ", ".join(str(item) for item in items)

    def swap(self, swap: Substitution) -> str:
        into = self.name(swap.into) if swap.into else _("nobody")
        return _("%(into)s for %(out)s (%(article)s)") % {
            "into": into,
            "out": self.name(swap.out),
            "article": swap.article,
        }

    def line(self, change: LineChanged) -> str:
        """A player's line in a table: what of it is not the same."""
        told = {"table": WHAT[change.table], "name": self.name(change.player)}
        shown = [key for key in VALUES if key in change.changed]
        if change.before is None:
            values = ", ".join(f"{VALUES[key]} {self.cell(key, (change.after or {})[key])}" for key in shown)
            return _("%(table)s, %(name)s: new, with %(values)s.") % {**told, "values": values}
        if change.after is None:
            return _("%(table)s, %(name)s: no longer there.") % told
        values = ", ".join(
            _("%(what)s %(after)s instead of %(before)s")
            % {
                "what": VALUES[key],
                "before": self.cell(key, change.before[key]),
                "after": self.cell(key, change.after[key]),
            }
            for key in shown
        )
        return _("%(table)s, %(name)s: %(values)s.") % {**told, "values": values}

    def cell(self, key: str, value: Any) -> str:
        if value is None:
            return _("no tie") if key == "decided_by" else str(_NOTHING)
        if isinstance(value, bool):
            return _("yes") if value else _("no")
        if key == "decided_by":
            return str(STEPS[value])
        if key == "by_edition":
            pairs = [f"{number}: {score(points)}" for number, points in value.items()]
            return f"({', '.join(pairs)})" if pairs else str(_NOTHING)
        if key == "gap":
            return "∞" if value == "inf" else value.replace("-", MINUS)
        return score(value)


def _instead(what: Words, before: str | None, after: str | None) -> str:
    values = {"what": what, "before": before, "after": after}
    if before is None:
        return _("%(what)s: %(after)s, where there was nothing.") % values
    if after is None:
        return _("%(what)s: nothing any more; it was %(before)s.") % values
    return _("%(what)s: %(after)s instead of %(before)s.") % values
