"""What would follow from a correction or a withdrawal, in words (UX-11, UX-14)."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext as _

from scoring.web.reasons import Reason
from tournaments.queries.impact import Follow, Impact
from tournaments.queries.tournament import TournamentView
from tournaments.rules.differences import HandChanged, ListChanged
from tournaments.web import reasons
from tournaments.web.presenting_changes import change_rows
from tournaments.web.presenting_draw import stage_title

Row = dict[str, Any]


def impact_rows(view: TournamentView, impact: Impact) -> Row:
    """`swaps`: who moves up and why; `follows`: what becomes of stages that are not closed; `changes`: the rest.

    What is confirmed itself, the line or the withdrawal, is not told as a consequence.
    """
    consequences = [change for change in impact.changes if not _is_cause(change)]
    return {
        "swaps": [reasons.substitution_reason(swap, view.name_of) for swap in impact.substitutions],
        "follows": [reason for step in impact.follows for reason in _follow_reasons(view, step)],
        "changes": change_rows(view, consequences, view.name_of),
    }


def _is_cause(change: object) -> bool:
    return isinstance(change, HandChanged) or (isinstance(change, ListChanged) and change.part == "withdrawals")


def _follow_reasons(view: TournamentView, step: Follow) -> list[Reason]:
    title = stage_title(step.kind, step.stage)
    if step.dropped and step.state == "draft":
        text = _("%(stage)s: the draft has the wrong players and is dropped; the stage is drawn anew.")
        return [Reason(text % {"stage": title}, "S6")]
    if step.dropped:
        return [Reason(_("The second final is not held: fewer than five remain."), "D16")]
    text = _("%(stage)s: %(into)s takes the seat of %(out)s, and the card that was drawn for it.")
    return [
        Reason(text % {"stage": title, "into": view.name_of(move.into), "out": view.name_of(move.out)}, "S8")
        for move in step.moves
    ]
