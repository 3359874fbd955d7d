"""Who is here: a list with a counter that all desks share, and a badge that is read by a phone (UX-03)."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.utils.http import urlencode
from django.utils.translation import gettext as _
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_http_methods

from core.refusal import Refusal
from core.web.body import body_limit
from players.web.asking import actor_of, refusals_as_pages
from tournaments.queries.entries import entries_for_page
from tournaments.services.entering import check_in as say_here
from tournaments.web.entries_views import DOORS, SMALL, at_entries
from tournaments.web.sentences import sentence_for

WORDS = 200  # characters of a search


@body_limit(SMALL)
@require_http_methods(["GET", "HEAD", "POST"])
@cache_control(no_store=True)
@refusals_as_pages
def check_in(request: HttpRequest, slug: str) -> HttpResponse:
    """Entrants by name, each with one button. `q` searches, `badge` is a code that puts its entrant on top.

    A page that fetches itself again gets the part that changes, and so does a button pressed in it.
    """
    actor = actor_of(request)
    view = entries_for_page(actor, slug)
    part = request.headers.get("HX-Request") == "true"
    told = request.POST if request.method == "POST" else request.GET
    sought, badge = told.get("q", "")[:WORDS].strip(), told.get("badge", "")[:WORDS].strip()
    refused: Refusal | None = None
    if request.method == "POST":
        code = told.get("code", "")
        try:
            say_here(actor, view.tournament, code=code, present=told.get("here") == "1", key=told.get("key", ""))
        except Refusal as refusal:
            if refusal.code in DOORS:
                raise
            refused = refusal
        else:
            if not part:
                rest = urlencode({name: value for name, value in (("q", sought), ("badge", badge)) if value})
                here = reverse("check_in", args=[slug])
                return HttpResponseRedirect(f"{here}?{rest}#entrant-{code}" if rest else f"{here}#entrant-{code}")
            view = entries_for_page(actor, slug)
    context = at_entries(
        view,
        "check_in",
        _("Check-in"),
        q=sought,
        badge=badge,
        top=view.line(badge.upper()) if badge else None,
        lines=view.found(sought),
        refused=refused and sentence_for(refused),
    )
    template = "tournaments/day/check_in_list.html" if part else "tournaments/day/check_in.html"
    return render(request, template, context, status=422 if refused else 200)
