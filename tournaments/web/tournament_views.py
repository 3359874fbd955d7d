"""Pages of one tournament, for anybody: from its first line to every hand, and why every place is what it is."""

from __future__ import annotations

from collections.abc import Sequence

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from core.refusal import Refusal
from players.web.asking import refusals_as_pages
from tournaments.queries.frozen import Comparison, compared_with_books, world_version
from tournaments.queries.hall import StageNow, match_at, open_stages
from tournaments.queries.tournament import TournamentView, heat_of, view_at
from tournaments.rules.replay import HEATS, StageOutcome
from tournaments.rules.ruleset import WORLD_SERIES
from tournaments.web import presenting, presenting_series, presenting_sheet, presenting_sources, reasons
from tournaments.web.presenting import Row, match_title, named, stage_of, stage_title
from tournaments.web.presenting_hall import now_rows, now_title
from tournaments.web.tournament_page import Crumb, paged, shown, shown_pages, stamp_for

HEATS_A_PAGE = 15
AT_A_GLANCE = 20
"""Heats of a stage that its tournament's page shows; of a longer stage it gives the number."""
OTHERS_NAMED = 10
NAMES = 100
"""Entrants whom the page of a tournament names before there is a result; its draw has all of them."""
CANDIDATES = 80
"""Candidates of a repechage on a page: each has his gap, what decided and a reason."""


@require_safe
@refusals_as_pages
def tournament(request: HttpRequest, slug: str) -> HttpResponse:
    """What it was, who won, and its stages at a glance."""
    return shown(request, stamp_for(request, slug), "tournament", "", _tournament)


def _tournament(view: TournamentView) -> Row:
    entered = [person.name for person in view.people.values() if person.entered]
    stages = open_stages(view) if view.stamp.running else ()
    return {
        "title": view.name,
        "trail": (),
        "tab": "tournament",
        "entrants": len(entered),
        "names": entered[:NAMES] if view.playing else (),
        "unnamed": max(0, len(entered) - NAMES),
        "open": [_open_glance(view, stage) for stage in stages],
        "now": " · ".join(now_title(view, stage) for stage in stages),
        "champion": presenting.champion_of(view),
        "awaited": presenting.awaited(view),
        "origin": presenting_sources.origin_of(view),
        "ranking_tags": presenting_sources.ranking_tags(view),
        "series": _series_of(view),
        "stages": [_glance(view, stage) for stage in view.outcome.stages],
        "top": presenting.final_ranking_rows(view, 0, 5),
        "top_columns": presenting.final_columns(view),
    }


def _open_glance(view: TournamentView, stage: StageNow) -> Row:
    few = len(stage.heats) <= AT_A_GLANCE
    return {
        "title": now_title(view, stage),
        "href": reverse("stage", args=[view.slug, stage.number]),
        "number": stage.number,
        "count": len(stage.heats),
        "heats": now_rows(view, stage, stage.heats) if few else [],
    }


def _series_of(view: TournamentView) -> Row | None:
    """The ranking that a tournament counts for, or says it belongs to."""
    world = view.series in (None, WORLD_SERIES)
    if view.edition is None and view.series is None:
        return None
    href = ""
    if view.counts and world:
        href = reverse("series", args=[WORLD_SERIES])
    elif view.counts and view.club_slug:
        href = reverse("club_series", args=[view.club_slug, view.series])
    return {"title": _("World championship") if world else view.series, "href": href, "edition": view.edition}


def _glance(view: TournamentView, stage: StageOutcome) -> Row:
    few = len(stage.matches) <= AT_A_GLANCE
    return {
        "title": stage_title(view, stage.number),
        "href": reverse("stage", args=[view.slug, stage.number]),
        "count": len(stage.matches),
        "number": stage.number,
        "heats": [_short_heat(view, stage, heat) for heat in range(1, len(stage.matches) + 1)] if few else [],
        "plan": stage.qualification and reasons.plan_reason(len(stage.matches), stage.qualification.plan),
        "has_repechage": bool(stage.qualification and stage.qualification.candidates),
        "substitutions": len(stage.qualification.substitutions) if stage.qualification else 0,
    }


def _short_heat(view: TournamentView, stage: StageOutcome, heat: int) -> Row:
    match = stage.matches[heat - 1]
    return {
        "title": match_title(view, stage.number, heat),
        "href": reverse("heat", args=[view.slug, stage.number, heat]),
        "five": [
            {"place": placed.place, "points": placed.points, **named(view, placed.player)} for placed in match.ranking
        ],
    }


@require_safe
@refusals_as_pages
def stage(request: HttpRequest, slug: str, stage: int) -> HttpResponse:
    """The heats of a stage with their rankings, and who goes on; of an open one, where its tables stand."""
    stamp = stamp_for(request, slug)
    if stamp.running and stage > len(view_at(stamp).outcome.stages):
        return shown_pages(
            request, stamp, "stage_now", str(stage), lambda view, number: _stage_now(view, stage, number)
        )
    return shown_pages(request, stamp, "stage", str(stage), lambda view, number: _stage(view, stage, number))


def _stage_now(view: TournamentView, stage: int, number: int) -> Row:
    """A stage that is being played. Refusal: `stage_unknown`."""
    found = open_stages(view, stage)
    if not found:
        raise Refusal("stage_unknown")
    pages, first, last = paged(len(found[0].heats), number, HEATS_A_PAGE)
    title = now_title(view, found[0])
    return {
        "title": f"{title} · {view.name}",
        "trail": ((title, ""),),
        "tab": "",
        "heading": title,
        "count": len(found[0].heats),
        "pages": pages,
        "heats": now_rows(view, found[0], found[0].heats[first:last]),
    }


def _stage(view: TournamentView, stage: int, number: int) -> Row:
    outcome = stage_of(view, stage)
    pages, first, last = paged(len(outcome.matches), number, HEATS_A_PAGE)
    qualification = outcome.qualification
    seats = qualification.plan.repechage if qualification else 0
    return {
        "title": f"{stage_title(view, stage)} · {view.name}",
        "trail": ((stage_title(view, stage), ""),),
        "tab": "",
        "number": stage,
        "heading": stage_title(view, stage),
        "count": len(outcome.matches),
        "pages": pages,
        "columns": presenting.HEAT_COLUMNS,
        "heats": [_heat_block(view, stage, heat) for heat in range(first + 1, last + 1)],
        "plan": qualification and reasons.plan_reason(len(outcome.matches), qualification.plan),
        "leads_to": presenting.target_title(view, outcome.leads_to) if outcome.leads_to else "",
        "repechage": presenting.repechage_rows(view, stage, 0, seats + 1),
        "candidates": len(qualification.candidates) if qualification else 0,
        "whom": reasons.POSITIONS.get(qualification.plan.direct_per_heat + 1, "") if qualification else "",
        "substitutions": presenting.substitution_reasons(view, stage),
        "around": _around(view, stage),
    }


def _heat_block(view: TournamentView, stage: int, heat: int) -> Row:
    match = presenting.match_of(view, stage, heat)
    origin = presenting_sources.match_origin(view, stage, heat)
    return {
        "id": f"heat-{heat}",
        "title": match_title(view, stage, heat),
        "href": reverse("heat", args=[view.slug, stage, heat]),
        "hands_played": match.hands_played,
        "has_sheet": match.sheet is not None,
        "golden": _golden(view, stage, heat),
        "origin": presenting_sources.origin_tag(origin),
        "ranking": presenting.heat_ranking_rows(view, stage, heat),
    }


def _golden(view: TournamentView, stage: int, heat: int) -> Row | None:
    """A golden call out of invented hands would be an invention beside published points."""
    if presenting_sources.match_origin(view, stage, heat) == presenting_sources.TOTALS:
        return None
    return presenting_sheet.golden_call(view, stage, heat)


def _around(view: TournamentView, stage: int) -> Row:
    """The stages before and after."""
    around = {"previous": stage - 1, "next": stage + 1}
    return {
        word: {"label": stage_title(view, number), "href": reverse("stage", args=[view.slug, number])}
        for word, number in around.items()
        if 1 <= number <= len(view.outcome.stages)
    }


@require_safe
@refusals_as_pages
def heat(request: HttpRequest, slug: str, stage: int, heat: int) -> HttpResponse:
    """One match: its ranking and its scoresheet, hand by hand. One that is being played is on its own page."""
    stamp = stamp_for(request, slug)
    if stamp.running and stage > len(view_at(stamp).outcome.stages):
        return redirect("match", match_at(stamp, stage, heat))
    return shown(request, stamp, "heat", f"{stage}|{heat}", lambda view: _heat(view, stage, heat))


def _heat(view: TournamentView, stage: int, heat: int) -> Row:
    outcome = stage_of(view, stage)
    found = heat_of(view, stage, heat)
    heading = match_title(view, stage, heat)
    trail: Sequence[Crumb] = ((stage_title(view, stage), reverse("stage", args=[view.slug, stage])),)
    return {
        "title": f"{heading} · {view.name}",
        "trail": (*trail, (heading, "")) if outcome.kind == HEATS else trail,
        "tab": "",
        "heading": heading,
        "stage_title": stage_title(view, stage),
        "is_final": outcome.kind != HEATS,
        "block": _heat_block(view, stage, heat),
        "columns": presenting.HEAT_COLUMNS,
        "sheet": presenting_sheet.sheet_for_page(found),
        "ledger": _ledger(view, stage, heat),
        "corrected": presenting_sheet.totals_corrected(found),
        "hands_voided": found.sheet.hands_voided if found.sheet else 0,
        "invented": presenting_sources.hands_are_invented(view, stage, heat),
        "adds_up": presenting_sources.match_origin(view, stage, heat) == presenting_sources.TOTALS,
        "around": {
            word: {"label": match_title(view, stage, number), "href": reverse("heat", args=[view.slug, stage, number])}
            for word, number in (("previous", heat - 1), ("next", heat + 1))
            if 1 <= number <= len(outcome.matches)
        },
    }


def _ledger(view: TournamentView, stage: int, heat: int) -> list[Row]:
    """Points of the standings that an old match of which only totals survive brought."""
    record = view.given.stages[stage - 1].matches[heat - 1].record
    adjustments = getattr(record, "adjustments", {})
    return [{**named(view, code), "points": points} for code, points in adjustments.items()]


@require_safe
@refusals_as_pages
def repechage(request: HttpRequest, slug: str, stage: int) -> HttpResponse:
    """Every candidate of the repechage with his exact gap and what decided, and who moved up later (UX-12)."""
    stamp = stamp_for(request, slug)
    return shown_pages(request, stamp, "repechage", str(stage), lambda view, number: _repechage(view, stage, number))


def _repechage(view: TournamentView, stage: int, number: int) -> Row:
    outcome = stage_of(view, stage)
    qualification = outcome.qualification
    if qualification is None:
        raise Refusal("stage_unknown")
    # The lists of candidates and of who goes on are about as long as each other, and are leafed through together.
    pages, first, last = paged(max(len(qualification.candidates), len(qualification.qualified)), number, CANDIDATES)
    stages = [each for each in view.outcome.stages if each.qualification]
    title = stage_title(view, stage)
    return {
        "title": f"{_('Repechage')} · {title} · {view.name}",
        "trail": ((title, reverse("stage", args=[view.slug, stage])), (_("Repechage"), "")),
        "tab": "repechage",
        "stage_title": title,
        "leads_to": presenting.target_title(view, outcome.leads_to or ""),
        "plan": reasons.plan_reason(len(outcome.matches), qualification.plan),
        "whom": reasons.POSITIONS.get(qualification.plan.direct_per_heat + 1, ""),
        "rows": presenting.repechage_rows(view, stage, first, last),
        "candidates": len(qualification.candidates),
        "pages": pages,
        "substitutions": presenting.substitution_reasons(view, stage),
        "stages": [
            {
                "label": stage_title(view, each.number),
                "href": reverse("repechage", args=[view.slug, each.number]),
                "current": each.number == stage,
            }
            for each in stages
        ],
        "qualified": [named(view, player) for player in qualification.qualified[first:last]],
        "second_final": [named(view, player) for player in qualification.second_final],
    }


@require_safe
@refusals_as_pages
def ranking(request: HttpRequest, slug: str) -> HttpResponse:
    """The final ranking with where each place comes from; before there is one, whom it waits for."""
    return shown_pages(request, stamp_for(request, slug), "ranking", "", _ranking)


def _ranking(view: TournamentView, number: int) -> Row:
    pages, first, last = paged(len(view.outcome.final_ranking), number)
    return {
        "title": f"{_('Final ranking')} · {view.name}",
        "trail": ((_("Final ranking"), ""),),
        "tab": "ranking",
        "rows": presenting.final_ranking_rows(view, first, last),
        "columns": presenting.final_columns(view),
        "pages": pages,
        "excluded": presenting.excluded_rows(view),
        "awaited": presenting.awaited(view),
        "tags": presenting_sources.ranking_tags(view),
    }


@require_safe
@refusals_as_pages
def agp(request: HttpRequest, slug: str) -> HttpResponse:
    """The A.G.P. ranking before and after, line by line, and whether the books of this house agree."""
    return shown_pages(request, stamp_for(request, slug), "agp", str(world_version()), _agp)


def _agp(view: TournamentView, number: int) -> Row:
    pages, first, last = paged(len(view.outcome.agp_after), number)
    return {
        "title": f"{_('A.G.P.')} · {view.name}",
        "trail": ((_("A.G.P. ranking"), ""),),
        "tab": "agp",
        "moves": presenting_series.moves(view),
        "edition": view.given.edition,
        "is_world": view.given.edition is not None,
        "rows": presenting_series.agp_rows(view, first, last),
        "columns": presenting_series.agp_columns(view),
        "pages": pages,
        "left": presenting_series.left_rows(view),
        "left_columns": presenting_series.PLAIN_COLUMNS,
        "snapshot": presenting_series.editions_in_words([edition.number for edition in view.given.editions_before]),
        "books": _books(view, compared_with_books(view)),
    }


def _books(view: TournamentView, comparison: Comparison | None) -> Row | None:
    if comparison is None:
        return None
    unranked = _("unranked")
    return {
        "href": reverse("series", args=[WORLD_SERIES]),
        "snapshot": presenting_series.editions_in_words(comparison.snapshot),
        "books": presenting_series.editions_in_words(comparison.books),
        "count": len(comparison.others),
        "others": [
            {
                **named(view, other.code),
                "snapshot": other.snapshot or unranked,
                "books": other.books or unranked,
            }
            for other in comparison.others[:OTHERS_NAMED]
        ],
        "more": max(0, len(comparison.others) - OTHERS_NAMED),
    }
