"""What the pages of the house have in common: rows of lists, titles of series, paging, cached parts."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any
from urllib.parse import urlencode

from django.core.paginator import Page, Paginator
from django.http import HttpRequest
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _

from core.web.fragments import fragment
from tournaments.queries.lists import ListedSeries, ListedTournament
from tournaments.rules.ruleset import WORLD_SERIES

ROWS = 100  # on a page of any list
_INDENTED = re.compile(r"\s*\n\s*")
LONGEST_SEARCH = 200  # characters; more is cut off


def part(name: str, state: str, template: str, context: Callable[[], dict[str, Any]]) -> SafeString:
    """A part of a page, kept as it is in this state of the house. `context` is only made where it is not kept."""
    return fragment(name, state, lambda: rendered(template, context()))


def rendered(template: str, context: dict[str, Any]) -> SafeString:
    """A part of a page without its indentation: of a hundred rows that would be half of the bytes."""
    html = render_to_string(template, {"rules": reverse("rules"), **context})
    return mark_safe(_INDENTED.sub("\n", html))  # noqa: S308 - a template has escaped what came from people


def number_asked(request: HttpRequest, name: str) -> int | None:
    """A number in the address, None where it is missing or no number."""
    return number_in(request.GET.get(name, ""))


def number_in(text: str) -> int | None:
    """The number that somebody typed or sent, None where it is none."""
    try:
        return int(text)
    except ValueError:
        return None


def page_asked(request: HttpRequest, count: int, rows: int = ROWS) -> int:
    """Which page of a list of so many is asked for: one that there is, so that nobody fills the cache with others."""
    return max(1, min(number_asked(request, "page") or 1, -(-count // rows)))


def paged(found: Any, number: int, rows: int = ROWS) -> Page[Any]:
    """One page of a list: the first for a number below 1, the last for one that is too large."""
    return Paginator(found, rows).get_page(max(1, number))


def text_asked(request: HttpRequest) -> str:
    """The words that are searched for."""
    return request.GET.get("q", "")[:LONGEST_SEARCH].strip()


def query_of(**values: object) -> str:
    """The rest of the query string for the links to other pages, "" for none."""
    return "".join(f"&{urlencode({name: value})}" for name, value in values.items() if value not in (None, ""))


def series_title(name: str, club: str | None) -> str:
    """How a ranking is called: the one of the house is the A.G.P. ranking."""
    return name if club else _("A.G.P. ranking")


def series_address(name: str, club: str | None) -> str:
    """The page of a series of the house, or of the club with this slug."""
    return reverse("club_series", args=[club, name]) if club else reverse("series", args=[name])


def edition_told(series: str | None, edition: int | None, *, is_world: bool) -> str:
    """Of what a tournament is an edition, "" where its file does not say."""
    if is_world:
        return _("world championship, edition %(edition)s") % {"edition": edition} if edition is not None else ""
    if edition is None:
        return series or ""
    return _("%(series)s, edition %(edition)s") % {"series": series, "edition": edition}


def tournament_rows(listed: Sequence[ListedTournament]) -> list[dict[str, Any]]:
    """Rows of `_tournaments.html`."""
    return [
        {
            "href": reverse("tournament", args=[row.slug]),
            "name": row.name,
            "date": row.date,
            "venue": row.venue,
            "club": row.club,
            "club_href": reverse("club", args=[row.club_slug]) if row.club_slug else "",
            "edition": edition_told(row.series, row.edition, is_world=row.is_world),
            "series_href": _ranking_address(row),
            "players": row.players,
            "champion": row.champion,
            "champion_href": reverse("player", args=[row.champion_id]) if row.champion_id else "",
            "finished": row.finished,
        }
        for row in listed
    ]


def _ranking_address(row: ListedTournament) -> str:
    """Where the points of this edition count; "" where it is in no books."""
    if not row.counts:
        return ""
    address = series_address(row.series or WORLD_SERIES, None if row.is_world else row.club_slug)
    return f"{address}?edition={row.edition}"


def series_rows(listed: Sequence[ListedSeries]) -> list[dict[str, Any]]:
    """Rows of `_series_list.html`."""
    return [
        {
            "href": series_address(row.name, row.club_slug),
            "name": series_title(row.name, row.club_slug),
            "club": row.club or "",
            "club_href": reverse("club", args=[row.club_slug]) if row.club_slug else "",
            "editions": row.editions,
            "edition": row.edition,
            "date": row.dated,
            "leader": row.leader,
            "leader_href": reverse("player", args=[row.leader_id]) if row.leader_id else "",
            "points": row.points,
        }
        for row in listed
    ]
