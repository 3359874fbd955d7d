"""What the pages of one tournament have in common: who may see it, its kept parts, its tabs and its crumbs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from django.core.paginator import Page, Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.html import escape
from django.utils.safestring import mark_safe
from django.utils.translation import gettext as _

from core.web.fragments import fragment
from players.web.asking import actor_of
from tournaments.queries.tournament import Stamp, TournamentView, stamp_of, view_at
from tournaments.web.house_views_rows import number_asked
from tournaments.web.page import page
from tournaments.web.presenting import Row

ROWS = 100
"""Rows on a page of any list."""
# Between the parts of what is kept. No name can hold it: files, forms and the database refuse it.
BETWEEN = "\0"
Crumb = tuple[str, str]
Build = Callable[[TournamentView], Row]


class PageAfterLastError(Exception):
    """A list ends before the page that was asked for: at page `last`."""

    def __init__(self, last: int) -> None:
        super().__init__(last)
        self.last = last


def stamp_for(request: HttpRequest, slug: str) -> Stamp:
    """The state of a tournament that this reader may see. Refusal: `tournament_unknown`."""
    return stamp_of(actor_of(request), slug)


def shown(request: HttpRequest, stamp: Stamp, part: str, key: str, build: Build) -> HttpResponse:
    """The page whose content is `templates/tournaments/_<part>.html`, kept under the state of the tournament.

    `key`: what else the content depends on. `build` makes its context where it is not kept: besides what the template
    says, `title` (of the window and the print), `trail` (crumbs below the tournament) and `tab`. Nothing is kept where
    it raises.
    """

    def made() -> str:
        view = view_at(stamp)
        context = {"view": view, "rules": reverse("rules"), **build(view)}
        trail = (_("Tournaments"), reverse("home")), (view.name, reverse("tournament", args=[view.slug]))
        crumbs = [{"label": label, "href": href} for label, href in (*trail, *context["trail"])]
        context["tabs"] = _tabs(view, context["tab"])
        parts = (
            escape(context["title"]),
            render_to_string("components/crumbs.html", {"crumbs": crumbs}),
            render_to_string(f"tournaments/_{part}.html", context),
        )
        return BETWEEN.join(parts)

    kept = fragment(f"tournament:{part}", f"{stamp.key}|{key}", made)
    title, crumbs, content = map(mark_safe, kept.split(BETWEEN))
    context = page(title=title, trail=crumbs, content=content, sub_iudice=stamp.sub_iudice)
    if stamp.live and stamp.staff and request.resolver_match:
        context["day"] = reverse("day", args=[request.resolver_match.kwargs["slug"]])
        if part == "heat":
            context["correct"] = reverse("correct_heat", kwargs=request.resolver_match.kwargs)
    return render(request, "tournaments/tournament_page.html", context)


def shown_pages(
    request: HttpRequest, stamp: Stamp, part: str, key: str, build: Callable[[TournamentView, int], Row]
) -> HttpResponse:
    """As `shown`, for a list of several pages: `build` also takes the number of the one that was asked for.

    Any other word means the first page, a number after the last one the last: nobody fills the cache with others.
    """

    def at(number: int) -> HttpResponse:
        return shown(request, stamp, part, f"{key}|{number}", lambda view: build(view, number))

    try:
        return at(max(1, number_asked(request, "page") or 1))
    except PageAfterLastError as after:
        return at(after.last)


def paged(length: int, number: int, rows: int = ROWS) -> tuple[Page[int], int, int]:
    """One page (from 1) of a list of so many, and between which positions of the list it lies.

    Raises PageAfterLastError.
    """
    paginator = Paginator(range(length), rows)
    if number > paginator.num_pages:
        raise PageAfterLastError(paginator.num_pages)
    first = (number - 1) * rows
    return paginator.page(number), first, min(first + rows, length)


def _tabs(view: TournamentView, current: str) -> list[Row]:
    tabs: Sequence[tuple[str, Any, str, Sequence[int]]] = (
        ("tournament", _("Overview"), "tournament", ()),
        *((("draw", _("Draw"), "draw", ()), ("hall", _("Hall screen"), "hall", ())) if view.live else ()),
        *((("repechage", _("Repechage"), "repechage", (stage,)),) if (stage := _repechage_stage(view)) else ()),
        ("ranking", _("Final ranking"), "ranking", ()),
        ("agp", _("A.G.P."), "agp", ()),
        ("rulings", _("Rulings"), "rulings", ()),
        ("rules", _("Its rules"), "tournament_rules", ()),
        ("versions", _("Versions"), "versions", ()),
        ("prints", _("Prints"), "prints", ()),
        # while a stage is open its staff alone has the file
        *((("file", _("File"), "tournament_file", ()),) if not view.stamp.running else ()),
    )
    return [
        {"label": label, "href": reverse(name, args=[view.slug, *args]), "current": key == current}
        for key, label, name, args in tabs
    ]


def _repechage_stage(view: TournamentView) -> int | None:
    """The first stage with seats left over, or the first of heats."""
    found = [stage for stage in view.outcome.stages if stage.qualification]
    with_seats = [stage for stage in found if stage.qualification and stage.qualification.candidates]
    return (with_seats or found)[0].number if found else None
