"""Pages of rankings over editions: the A.G.P. table of the house and the series of the clubs."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_safe

from core.refusal import Refusal
from core.templatetags.look import signed
from players.web.asking import refusals_as_pages
from tournaments.queries.lists import club_named, house_state, series_listed
from tournaments.queries.series import RankedPerson, SeriesView, SnapshotRef, ranking_of, series_for_page
from tournaments.web.house_views_rows import (
    ROWS,
    number_asked,
    page_asked,
    paged,
    part,
    query_of,
    rendered,
    series_address,
    series_rows,
    series_title,
)
from tournaments.web.page import page
from tournaments.web.reasons import series_reason

NEAR = 12  # dated rankings before and after the one that is shown


@require_safe
@refusals_as_pages
def rankings(request: HttpRequest) -> HttpResponse:
    """All series that have a ranking, or those of `?club=`."""
    club = club_named(request.GET["club"]) if request.GET.get("club") else None
    listed = series_listed(club.slug if club else None)
    shown = paged(listed, number_asked(request, "page") or 1)
    context = page(
        (_("Tournaments"), reverse("home")),
        (_("Rankings"), ""),
        club=club,
        table=rendered("tournaments/_series_list.html", {"series": series_rows(list(shown)), "club": club}),
        any=bool(listed),
        page=shown,
        query=query_of(club=club.slug if club else None),
    )
    return render(request, "tournaments/rankings.html", context)


@require_safe
@refusals_as_pages
def series(request: HttpRequest, name: str, club: str | None = None) -> HttpResponse:
    """A dated ranking of a series, line by line: the latest, or that after `?edition=N` (in its `?version=V`)."""
    asked = {key: number_asked(request, key) for key in ("edition", "version")}
    if any(request.GET.get(key) and number is None for key, number in asked.items()):
        raise Refusal("edition_unknown")
    state, view = house_state(), series_for_page(club, name, **asked)
    number, title = page_asked(request, view.people), series_title(view.name, view.club_slug)
    context = page(
        (_("Tournaments"), reverse("home")),
        (_("Rankings"), reverse("rankings")),
        (title, ""),
        title=title,
        view=view,
        address=series_address(view.name, view.club_slug),
        table=part(
            f"series:{view.shown.id}:{number}",
            state.key,
            "tournaments/_series.html",
            lambda: _table(view, number),
        ),
    )
    return render(request, "tournaments/series.html", context)


def _table(view: SeriesView, number: int) -> dict[str, Any]:
    """The context of `_series.html`."""
    ranking = ranking_of(view)
    shown = paged(ranking, number)
    first = (shown.number - 1) * ROWS
    ahead = ["", *(person.name for person in ranking)][first : first + ROWS]
    at = view.snapshots.index(view.shown)
    near = view.snapshots[max(0, at - NEAR) : at + NEAR + 1]
    columns = [_("Points")] + ([_("Moved")] if view.before else [])
    return {
        "view": view,
        "columns": columns,
        "rows": [_row(view, person, before) for person, before in zip(shown, ahead, strict=False)],
        "page": shown,
        "query": query_of(**_asks_for(view.shown)),
        "points": list(enumerate(view.rules.points, start=1)),
        "address": series_address(view.name, view.club_slug),
        "snapshots": [_snapshot_row(view, ref) for ref in near],
        "is_cut": len(near) < len(view.snapshots),
    }


def _row(view: SeriesView, person: RankedPerson, ahead: str) -> dict[str, Any]:
    """A row of components/ranking.html."""
    reason = series_reason(person, ahead)
    moved = [_moved_sign(person.gained)] if view.before else []
    words = _moved_words(person.gained, view.before) if view.before else ""
    return {
        "place": person.shared,
        "name": person.name,
        "href": reverse("player", args=[person.person]),
        "cells": [person.points, *moved],
        "state": "first" if person.shared == 1 else "",
        "reason": f"{reason.text.rstrip('.')}. {words}" if words else reason.text,
        "article": reason.article,
    }


def _moved_sign(gained: int | None) -> str:
    """Places won or lost as a sign and a number."""
    if gained is None:
        return _("new")
    return signed(gained) if gained else "="


def _moved_words(gained: int | None, before: SnapshotRef) -> str:
    """Places won or lost as a sentence."""
    told = {"edition": before.edition, "places": abs(gained or 0)}
    if gained is None:
        return _("New since edition %(edition)s.") % told
    if gained > 0:
        text = ngettext(
            "Up %(places)s place since edition %(edition)s.",
            "Up %(places)s places since edition %(edition)s.",
            gained,
        )
    elif gained < 0:
        text = ngettext(
            "Down %(places)s place since edition %(edition)s.",
            "Down %(places)s places since edition %(edition)s.",
            -gained,
        )
    else:
        text = _("Same place as after edition %(edition)s.")
    return text % told


def _asks_for(ref: SnapshotRef) -> dict[str, int | None]:
    """The parameters that ask for this ranking; the last version of it needs none."""
    return {"edition": ref.edition, "version": None if ref.last else ref.version}


def _snapshot_row(view: SeriesView, ref: SnapshotRef) -> dict[str, Any]:
    return {
        "href": f"{series_address(view.name, view.club_slug)}?{query_of(**_asks_for(ref)).removeprefix('&')}",
        "edition": ref.edition,
        "version": ref.version,
        "date": ref.dated,
        "tournament": ref.tournament,
        "tournament_href": reverse("tournament", args=[ref.slug]),
        "is_shown": ref.id == view.shown.id,
        "is_last": ref.last,
        "several": ref.version > 1 or not ref.last,
    }
