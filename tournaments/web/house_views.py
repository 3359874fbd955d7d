"""Pages of the house that anybody reads: the first page, the calendar, the clubs, the rules."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from core.backups import backup_state
from gameplay.queries.recovery import stops_wait
from players.actor import Actor
from players.models import Club
from players.queries import above, demo_people
from players.rules.names import search_key
from players.rules.rights import (
    DECIDE_APPEALS,
    GIVE_ROLES,
    IMPORT_TOURNAMENT,
    KEEP_CLOCK,
    RECORD_MATCHES,
    RUN_TOURNAMENT,
)
from players.web.asking import actor_of, on_this_machine, refusals_as_pages
from tournaments.models import Tournament
from tournaments.queries import lists
from tournaments.queries.entries import places_to_run, tournaments_to_run
from tournaments.queries.hall import playing
from tournaments.services.demo_day import table_of_demo
from tournaments.web.articles import CHAPTERS
from tournaments.web.house_views_rows import (
    number_asked,
    page_asked,
    paged,
    part,
    query_of,
    rendered,
    series_rows,
    text_asked,
    tournament_rows,
)
from tournaments.web.page import page
from tournaments.web.presenting_hall import playing_rows
from tournaments.web.rights_views import staffed_by

LATEST = 5  # tournaments on the first page
SERIES = 10  # rankings on the page of a club; all of them are on a page of their own


@require_safe
def home(request: HttpRequest) -> HttpResponse:
    """What this is, and the latest tournaments; in a fresh house, what to do next."""
    state = lists.house_state()
    latest = part("home", state.key, "tournaments/_tournaments.html", _latest) if state.tournaments else ""
    actor = actor_of(request)
    may_import = any(right.role in IMPORT_TOURNAMENT for right in actor.grants)
    demo = on_this_machine(request) and demo_people().exists()
    table = table_of_demo() if demo else None
    context = page(
        latest=latest,
        playing=_now(state),
        may_import=may_import,
        invited=demo and actor.person is None,
        table=reverse("match", args=[table]) if table else "",
        staffed=staffed_by(actor),
        own=_own_pages(actor),
        stopped=stops_wait(actor),
        backup=backup_state() if actor.grants else "",
    )
    return render(request, "tournaments/home.html", context)


def _own_pages(actor: Actor) -> list[dict[str, str]]:
    """Where somebody goes on from the first page: matches, tables that call him, appeals, tournaments that he runs."""
    if actor.person is None:
        return []
    doors = [(_("Your matches"), "matches", True)]
    doors += [(_("New tournament"), "new_tournament", bool(actor.scopes_of(RUN_TOURNAMENT) and places_to_run(actor)))]
    doors += [(_("Bell of the hall"), "bell_device", bool(actor.scopes_of(KEEP_CLOCK)))]
    doors += [(_("Tables that call"), "calls", bool(actor.scopes_of(RECORD_MATCHES)))]
    doors += [(_("Appeals"), "appeals", bool(actor.scopes_of(DECIDE_APPEALS)))]
    run = [{"label": row.name, "href": reverse("day", args=[row.slug])} for row in tournaments_to_run(actor)]
    return [*({"label": label, "href": reverse(name)} for label, name, his in doors if his), *run]


def _latest() -> dict[str, Any]:
    return {"tournaments": tournament_rows(lists.listed(list(lists.published_tournaments()[:LATEST])))}


def _now(state: lists.HouseState) -> SafeString:
    """What is being played, "" for nothing."""
    return mark_safe(part("playing", state.key, "tournaments/_playing.html", _playing).strip())  # noqa: S308


def _playing(club: str | None = None) -> dict[str, Any]:
    return {"playing": playing_rows(playing(club))}


@require_safe
def calendar(request: HttpRequest) -> HttpResponse:
    """All tournaments, latest first, by year, club and words of their names."""
    state, years, clubs = lists.house_state(), lists.years(), lists.clubs()
    year, club, text = number_asked(request, "year"), request.GET.get("club", ""), text_asked(request)
    asked = {"year": request.GET.get("year", ""), "club": club, "q": text}
    number = page_asked(request, state.tournaments)

    def found() -> dict[str, Any]:
        rows = lists.published_tournaments(year=year, club=club, text=search_key(text))
        return _list_of(rows, number, query_of(**asked))

    if (asked["year"] and year not in years) or (club and club not in {known.slug for known in clubs}):
        result = rendered("tournaments/_archive.html", {})  # nothing can be there
    elif text:
        result = rendered("tournaments/_archive.html", found())  # as many as there are words: never kept
    else:
        result = part(f"calendar:{year}:{club}:{number}", state.key, "tournaments/_archive.html", found)
    context = page(
        (_("Tournaments"), reverse("home")),
        (_("Calendar"), ""),
        years=years,
        clubs=clubs,
        year=year,
        club=club,
        sought=text,
        result=result,
        any=state.tournaments > 0,
        playing=_now(state),
    )
    return render(request, "tournaments/calendar.html", context)


@require_safe
def clubs(request: HttpRequest) -> HttpResponse:
    """All clubs that keep their archive here."""
    shown = paged(lists.clubs(), number_asked(request, "page") or 1)
    crumbs = ((_("Tournaments"), reverse("home")), (_("Clubs"), ""))
    return render(request, "tournaments/clubs.html", page(*crumbs, clubs=shown))


@require_safe
@refusals_as_pages
def club(request: HttpRequest, club: str) -> HttpResponse:
    """The archive of a club: its rankings and its tournaments."""
    state, row = lists.house_state(), lists.club_named(club)
    number = page_asked(request, row.tournaments)

    def archive() -> dict[str, Any]:
        series = lists.series_listed(club)
        tournaments = _list_of(lists.published_tournaments(club=club), number, "")
        told = {"club": row, "series": series_rows(series[:SERIES]), "more": len(series) > SERIES}
        return {**told, **_playing(club), **tournaments}

    crumbs = ((_("Tournaments"), reverse("home")), (_("Clubs"), reverse("clubs")), (row.name, ""))
    kept = part(f"club:{club}:{number}", state.key, "tournaments/_club.html", archive)
    return render(
        request, "tournaments/club.html", page(*crumbs, club=row, scope=_roles_in(request, club), archive=kept)
    )


def _roles_in(request: HttpRequest, club: str) -> UUID | None:
    """The scope of a club, for whoever may give roles there."""
    actor = actor_of(request)
    if not actor.scopes_of(GIVE_ROLES):
        return None
    scope = Club.objects.values_list("scope", flat=True).get(slug=club)
    return scope if actor.may(GIVE_ROLES, above(scope)) else None


def _list_of(rows: QuerySet[Tournament], number: int, query: str) -> dict[str, Any]:
    """The context of `_archive.html`."""
    shown = paged(rows, number)
    return {"tournaments": tournament_rows(lists.listed(list(shown))), "page": shown, "query": query}


@require_safe
def rules(request: HttpRequest) -> HttpResponse:
    """The rules of Gingo as implemented: where the article tags lead."""
    crumbs = ((_("Tournaments"), reverse("home")), (_("Rules"), ""))
    return render(request, "tournaments/rules.html", page(*crumbs, chapters=CHAPTERS))
