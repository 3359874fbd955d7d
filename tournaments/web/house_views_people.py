"""Pages of people: search, and what somebody played."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any
from uuid import UUID

from django.http import HttpRequest, HttpResponse, HttpResponsePermanentRedirect
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext
from django.views.decorators.http import require_safe

from core.refusal import Refusal
from core.templatetags.look import score
from players.web.asking import actor_of, refusals_as_pages
from scoring.web.reasons import Reason
from tournaments.queries.lists import house_state
from tournaments.queries.people import (
    HeatPlayed,
    Participation,
    PersonView,
    RankedIn,
    found,
    history_of,
    people_found,
    person_for_page,
)
from tournaments.services.people import may_manage
from tournaments.web.house_views_rows import (
    edition_told,
    number_asked,
    page_asked,
    paged,
    part,
    query_of,
    series_address,
    series_title,
    text_asked,
)
from tournaments.web.page import page
from tournaments.web.reasons import ledger_reason

HISTORY = 50  # tournaments, each with its matches, on a page; nobody is in more rankings than tournaments
RENOUNCED = {
    "final": (gettext_lazy("Renounced the final: not ranked."), "S8"),
    "second_final": (gettext_lazy("Renounced the second final: not ranked."), "D16"),
    "heats": (gettext_lazy("Renounced the next heats: not ranked."), "D16"),
}


@require_safe
def players(request: HttpRequest) -> HttpResponse:
    """Everybody who is in a published tournament, or those whose name has the words of `q` (UX-26)."""
    text = text_asked(request)
    shown = paged(people_found(text), number_asked(request, "page") or 1)
    context = page(
        (_("Tournaments"), reverse("home")),
        (_("Players"), ""),
        sought=text,
        people_count=shown.paginator.count,
        people=found(list(shown)),
        page=shown,
        query=query_of(q=text),
    )
    return render(request, "tournaments/players.html", context)


@require_safe
@refusals_as_pages
def player(request: HttpRequest, person: UUID) -> HttpResponse:
    """What somebody played and where he stands. Who turned out to be somebody else leads there."""
    actor, row = actor_of(request), person_for_page(person)
    if row.merged_into:
        return HttpResponsePermanentRedirect(reverse("player", args=[row.merged_into]))
    manages = actor.person is not None and may_manage(actor, row.id)
    if not (row.tournaments or row.plays or manages):
        raise Refusal("person_unknown")
    number = page_asked(request, row.tournaments, HISTORY)
    context = page(
        (_("Tournaments"), reverse("home")),
        (_("Players"), reverse("players")),
        (row.name, ""),
        person=row,
        manages=manages and not row.erased,
        history=part(
            f"player:{row.id}:{number}",
            house_state().key,
            "tournaments/_player.html",
            lambda: _history(row, number),
        ),
    )
    return render(request, "tournaments/player.html", context)


def _history(person: PersonView, number: int) -> dict[str, Any]:
    """The context of `_player.html`."""
    history = history_of(person)
    shown = paged(history.played, number, HISTORY)
    first = (number - 1) * HISTORY
    return {
        "person": person,
        "names": history.names,
        "rankings": [_ranking_row(ranked) for ranked in history.rankings[first : first + HISTORY]],
        "played": [_played_row(person, entry) for entry in shown],
        "page": shown,
    }


def _ranking_row(ranked: RankedIn) -> dict[str, Any]:
    return {
        "href": series_address(ranked.series, ranked.club_slug),
        "name": series_title(ranked.series, ranked.club_slug),
        "club": ranked.club or "",
        "edition": ranked.edition,
        "date": ranked.dated,
        "rank": ranked.rank,
        "points": ranked.points,
    }


def _played_row(person: PersonView, entry: Participation) -> dict[str, Any]:
    return {
        "href": reverse("tournament", args=[entry.slug]),
        "name": entry.tournament,
        "date": entry.date,
        "venue": entry.venue,
        "edition": edition_told(entry.series, entry.edition, is_world=entry.is_world),
        "as_name": entry.name if entry.name != person.name else "",
        "club": entry.club,
        "place": entry.place,
        "players": entry.players,
        "state": "" if entry.place else _state(entry),
        "points": _points_told(entry),
        "reasons": list(_reasons(entry)),
        "heats": [_heat_row(entry.slug, heat) for heat in entry.heats],
    }


def _reasons(entry: Participation) -> Iterator[Reason]:
    """Why he is not ranked, and what rulings took from his points."""
    if entry.renounced:
        text, article = RENOUNCED[entry.renounced.partition(":")[0]]
        yield Reason(str(text), article)
    if entry.adjustment is not None:
        yield ledger_reason(entry.adjustment)


def _state(entry: Participation) -> str:
    """Why there is no place: a word of components/tag.html."""
    if entry.excluded:
        return "excluded"
    return "reserve" if not entry.heats else "open"


def _points_told(entry: Participation) -> str:
    """Points for the series; "" for none."""
    if entry.points is None:
        return ""
    text = ngettext("%(points)s point", "%(points)s points", abs(entry.points))
    return text % {"points": score(entry.points)}


def _heat_row(slug: str, heat: HeatPlayed) -> dict[str, Any]:
    return {
        "href": reverse("heat", args=[slug, heat.stage, heat.number]),
        "name": heat.name,
        "place": heat.place,
        "points": heat.points,
    }
