"""A tournament that is run here is made and described (UX-01)."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_http_methods

from core.entropy import new_token
from core.refusal import Refusal
from players.web.asking import actor_of, refusals_as_pages, status_of
from tournaments.models import Tournament
from tournaments.queries.entries import live_tournament, places_to_run, series_known, was_drawn
from tournaments.services.entering import change_tournament, create_tournament
from tournaments.web.day_settings import FIRST, OTHERS, SECOND_FINAL, SettingsForm, usual
from tournaments.web.day_tabs import day_tabs
from tournaments.web.page import page

DOORS = ("not_allowed", "tournament_unknown", "club_unknown")


@require_http_methods(["GET", "HEAD", "POST"])
@cache_control(no_store=True)
@refusals_as_pages
def new_tournament(request: HttpRequest) -> HttpResponse:
    """One form; what is wrong in it is told beside its field, and everything that was typed stays."""
    actor = actor_of(request)
    places = places_to_run(actor)
    if not places:
        raise Refusal("not_allowed")
    posted = request.method == "POST"
    place = request.POST.get("place", places[0].slug)
    if posted and place not in [one.slug for one in places]:
        raise Refusal("not_allowed")
    form = SettingsForm(request.POST if posted else None, places=places, initial=usual(None, new_token()))
    status = 200
    if posted:
        status = 422
        if form.is_valid():
            try:
                answer = create_tournament(actor, club=place or None, key=form.cleaned_data["key"], **form.told())
            except Refusal as refusal:
                if refusal.code in DOORS:
                    raise
                form.refuse(refusal)
                status = status_of(refusal)
            else:
                messages.success(request, _("The tournament is made. Now enter the players."))
                return HttpResponseRedirect(reverse("entries", args=[answer["slug"]]))
    crumbs = ((_("Tournaments"), reverse("home")), (_("New tournament"), ""))
    context = page(*crumbs, **_parts(form, [one.slug for one in places]))
    return render(request, "tournaments/day/new.html", context, status=status)


@require_http_methods(["GET", "HEAD", "POST"])
@cache_control(no_store=True)
@refusals_as_pages
def tournament_settings(request: HttpRequest, slug: str) -> HttpResponse:
    """The same form, filled in, until the first draw is published; after that it only says so."""
    actor = actor_of(request)
    row = live_tournament(actor, slug)
    posted = request.method == "POST"
    form = SettingsForm(request.POST if posted else None, initial=usual(row, new_token()))
    status, refused = 200, None
    if posted:
        status = 422
        if form.is_valid():
            try:
                change_tournament(actor, row.pk, key=form.cleaned_data["key"], **form.told())
            except Refusal as refusal:
                if refusal.code in DOORS:
                    raise
                form.refuse(refusal)
                status, refused = status_of(refusal), refusal
            else:
                messages.success(request, _("Saved."))
                return HttpResponseRedirect(request.path)
    context = _at(row, drawn=was_drawn(row.pk), **_parts(form, [row.club.slug] if row.club else []))
    context["late"] = refused is not None and refused.code == "draw_published"
    return render(request, "tournaments/day/settings.html", context, status=status)


def _at(row: Tournament, **context: Any) -> dict[str, Any]:
    here = reverse("tournament", args=[row.slug])
    crumbs = ((_("Tournaments"), reverse("home")), (row.name, here), (_("Settings"), ""))
    return page(*crumbs, tournament=row, here=here, tabs=day_tabs(row.slug, "tournament_settings"), **context)


def _parts(form: SettingsForm, clubs: list[str]) -> dict[str, Any]:
    """The form by its sections, and the series that these clubs know."""
    return {
        "form": form,
        "first": form.group(FIRST),
        "second": form.group(SECOND_FINAL),
        "others": form.group(OTHERS),
        "series": series_known(slug for slug in clubs if slug),
        "wrong": form.is_bound and not form.is_valid(),
    }
