"""A tournament that is being played, in rows: for its own pages, for the hall screen, for lists of the house."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from tournaments.queries.hall import HeatNow, Playing, StageNow
from tournaments.queries.tournament import TournamentView
from tournaments.rules.replay import FINAL, HEATS, StageOutcome
from tournaments.web import presenting, reasons
from tournaments.web.presenting import Row, stage_title

STATES: dict[str, Any] = {
    "ready": gettext_lazy("not started"),
    "running": gettext_lazy("being played"),
    "suspended": gettext_lazy("suspended"),
    "stopped": gettext_lazy("suspended"),
    "rung": gettext_lazy("the bell has rung"),
    "interrupted": gettext_lazy("interrupted"),
    "over": gettext_lazy("over"),
}
MANY_HEATS = 60
"""Of a longer closed stage the hall screen shows only who goes on."""
NEXT_CANDIDATES = 10
RANKED = 500
"""Places on the hall screen; the page of the ranking has all."""


def now_title(view: TournamentView, stage: StageNow) -> str:
    """What an open stage is called."""
    if stage.kind == HEATS:
        return stage_title(view, stage.number)
    return presenting.target_title(view, stage.kind)


def match_now_title(view: TournamentView, stage: StageNow, heat: HeatNow) -> str:
    """The name of an open match; a final is called what it is."""
    return heat.name if stage.kind == HEATS else now_title(view, stage)


def now_rows(view: TournamentView, stage: StageNow, heats: Sequence[HeatNow]) -> list[Row]:
    """Open matches for `_now.html`: where they stand, and who sits there in which order."""
    return [
        {
            "id": f"heat-{heat.number}",
            "title": match_now_title(view, stage, heat),
            "href": reverse("match", args=[heat.match]),
            "state": heat.state,
            "word": STATES[heat.state],
            "hands": heat.hands,
            "drawn": heat.drawn,
            "referee": heat.referee,
            "five": [
                {"place": seat.place if heat.hands else "", "name": seat.name, "points": seat.points}
                for seat in (heat.standing if heat.hands else heat.seats)
            ],
        }
        for heat in heats
    ]


def playing_rows(found: Sequence[Playing]) -> list[Row]:
    """Rows of `_playing.html`."""
    return [
        {
            "href": reverse("tournament", args=[row.slug]),
            "hall": reverse("hall", args=[row.slug]),
            "name": row.name,
            "date": row.date,
            "venue": row.venue,
            "club": row.club,
            "club_href": reverse("club", args=[row.club_slug]) if row.club_slug else "",
            "entrants": row.entrants,
            "word": _phase(row),
        }
        for row in found
    ]


def _phase(row: Playing) -> str:
    """How far it is."""
    if row.stage != HEATS:
        return _("the finals are over") if row.over else _("finals")
    if row.over:
        return _("the heats are over")
    return _("qualifying heats") if row.number == 1 else _("intermediate stage")


# The hall screen


def hall_parts(view: TournamentView, stages: Sequence[StageNow]) -> list[Row]:
    """The parts of a hall screen in order: seats, tables, repechage, who goes on, finals, final ranking.

    Each has `kind` (seats, tables, gaps, names, ranking), `title`, `items`, and perhaps words in `sub`.
    """
    if stages:
        return [part for stage in stages for part in _open_parts(view, stage)]
    if not view.outcome.stages:
        return []
    if view.outcome.final_ranking:
        return list(_final_parts(view))
    return list(_closed_parts(view, view.outcome.stages[-1]))


def _open_parts(view: TournamentView, stage: StageNow) -> Iterator[Row]:
    title = now_title(view, stage)
    seats = [heat for heat in stage.heats if not heat.hands and heat.state != "over"]
    tables = [heat for heat in stage.heats if heat.hands or heat.state == "over"]
    if seats:
        yield {
            "kind": "seats",
            "title": _("Seats: %(stage)s") % {"stage": title} if stage.kind == HEATS else title,
            "sub": "" if all(heat.drawn for heat in seats) else _("Seats are drawn at the table."),
            "items": [
                {
                    "title": heat.name if stage.kind == HEATS else "",
                    "state": heat.state,
                    "word": "" if heat.state == "ready" else STATES[heat.state],
                    "drawn": heat.drawn,
                    "five": [seat.name for seat in heat.seats],
                }
                for heat in seats
            ],
        }
    if tables:
        yield {
            "kind": "tables",
            "title": title,
            "sub": _("Provisional: these matches are not closed yet."),
            "items": [
                {
                    "title": heat.name if stage.kind == HEATS else "",
                    "state": heat.state,
                    "word": STATES[heat.state],
                    "hands": heat.hands,
                    "five": [{"place": seat.place, "name": seat.name, "points": seat.points} for seat in heat.standing],
                }
                for heat in tables
            ],
        }


def _closed_tables(view: TournamentView, stage: StageOutcome, *, winners: bool) -> Row:
    """A closed stage, match by match; of a long one (`winners`) only who goes on."""
    qualification = stage.qualification
    goes_on = set(qualification.qualified) if qualification else set()
    return {
        "kind": "tables",
        "title": stage_title(view, stage.number),
        "sub": "",
        "items": [
            {
                "title": match.name if stage.kind == HEATS else "",
                "state": "over",
                "word": "",
                "hands": match.hands_played,
                "five": [
                    {
                        "place": placed.place,
                        "name": view.name_of(placed.player),
                        "points": placed.points,
                        "goes_on": placed.player in goes_on,
                    }
                    for placed in match.ranking
                    if not winners or placed.player in goes_on
                ],
            }
            for match in stage.matches
        ],
    }


def _closed_parts(view: TournamentView, stage: StageOutcome) -> Iterator[Row]:
    yield _closed_tables(view, stage, winners=len(stage.matches) > MANY_HEATS)
    qualification = stage.qualification
    if qualification is None:
        return
    if seats := qualification.plan.repechage:
        whom = reasons.POSITIONS[qualification.plan.direct_per_heat + 1]
        yield {
            "kind": "gaps",
            "title": _("Repechage: %(whom)s") % {"whom": whom},
            "sub": "",
            "items": presenting.repechage_rows(view, stage.number, 0, seats + NEXT_CANDIDATES),
        }
    yield {
        "kind": "names",
        "title": _("Qualified for: %(title)s") % {"title": presenting.target_title(view, stage.leads_to or FINAL)},
        "sub": "",
        "items": [view.name_of(player) for player in qualification.qualified],
    }
    if qualification.second_final:
        yield {
            "kind": "names",
            "title": _("Called to the second final"),
            "sub": "",
            "items": [view.name_of(player) for player in qualification.second_final],
        }


def _final_parts(view: TournamentView) -> Iterator[Row]:
    for stage in view.outcome.stages:
        if stage.kind != HEATS:
            yield _closed_tables(view, stage, winners=False)
    yield {
        "kind": "ranking",
        "title": _("Final ranking"),
        "sub": "",
        "items": [
            {"place": place.place, "name": view.name_of(place.player)} for place in view.outcome.final_ranking[:RANKED]
        ],
    }
