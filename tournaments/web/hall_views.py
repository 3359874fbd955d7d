"""The hall screen of a tournament: seats, tables, repechage, finals, in type that is read across a room (UX-29)."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.safestring import mark_safe
from django.utils.translation import gettext as _
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_safe

from core.web.fragments import fragment
from players.web.asking import refusals_as_pages
from tournaments.queries.hall import open_stages
from tournaments.queries.tournament import view_at
from tournaments.web.house_views_rows import rendered
from tournaments.web.page import page
from tournaments.web.presenting_hall import hall_parts
from tournaments.web.tournament_page import BETWEEN, stamp_for


@require_safe
@cache_control(no_store=True)
@refusals_as_pages
def hall(request: HttpRequest, slug: str) -> HttpResponse:
    """The screen; one that fetches itself again gets the part that changes, and nothing in it is the reader's."""
    stamp = stamp_for(request, slug)

    def made() -> str:
        view = view_at(stamp)
        parts = hall_parts(view, open_stages(view) if stamp.running else ())
        context = {"view": view, "parts": parts, "sub_iudice": stamp.sub_iudice}
        crumbs = [
            {"label": _("Tournaments"), "href": reverse("home")},
            {"label": view.name, "href": reverse("tournament", args=[view.slug])},
            {"label": _("Hall screen"), "href": ""},
        ]
        return BETWEEN.join(
            (
                view.name,
                render_to_string("components/crumbs.html", {"crumbs": crumbs}),
                rendered("tournaments/hall_parts.html", context),
            )
        )

    title, crumbs, content = fragment("tournament:hall", stamp.key, made).split(BETWEEN)
    content = mark_safe(content)  # noqa: S308 - a template has escaped what came from people
    if request.headers.get("HX-Request") == "true":
        return HttpResponse(content)
    context = page(title=title, trail=mark_safe(crumbs), content=content)  # noqa: S308
    return render(request, "tournaments/hall.html", context)
