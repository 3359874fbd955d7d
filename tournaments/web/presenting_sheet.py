"""The scoresheet of a match of a tournament, whose rows `scoring.web.sheet` makes."""

from __future__ import annotations

from django.utils.translation import gettext as _

from core.templatetags.look import score
from scoring.web.reasons import Reason
from scoring.web.sheet import sheet_rows
from tournaments.queries.tournament import HeatView, TournamentView
from tournaments.web.presenting import Row, match_title, stage_title


def sheet_for_page(heat: HeatView) -> Row | None:
    """One match as on its verbale, None where only totals survive."""
    if heat.sheet is None:
        return None
    view, stage = heat.tournament, heat.stage.number
    names = [view.name_of(code) for code in heat.match.seats]
    return {
        "id": "sheet",
        "title": match_title(view, stage, heat.number),
        "subtitle": f"{view.name} · {stage_title(view, stage)}",
        "state": heat.state,
        "players": [{"name": name, "sub": ""} for name in names],
        "hands": list(sheet_rows(heat.sheet.lines, names, view.scoring, heat.match.offences_before)),
        "totals": heat.sheet.totals,
    }


def golden_call(view: TournamentView, stage: int, heat: int) -> Row | None:
    """The highest bid won in a match (D4): `name`, `bid`, `solo`; None where nobody won one or only totals survive."""
    match = view.outcome.stages[stage - 1].matches[heat - 1]
    golden = match.golden_call
    return golden and {"name": view.name_of(match.seats[golden.seat]), "bid": golden.bid, "solo": golden.solo}


def totals_corrected(heat: HeatView) -> list[Reason]:
    """Each correction of a match of which only totals survive, with the totals that stood there before (S11)."""
    names = [heat.tournament.name_of(code) for code in heat.match.seats]
    told = []
    for totals, why in heat.replaced:
        before = ", ".join(f"{name} {score(points)}" for name, points in zip(names, totals.points, strict=True))
        told.append(Reason(_("Before: %(before)s. Corrected: “%(why)s”") % {"before": before, "why": why}, "S11"))
    return told
