"""Appeals before the Council of Guarantors, and the book of cases (S19)."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlencode
from uuid import UUID

from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_http_methods, require_safe

from core.entropy import new_token
from core.refusal import Refusal
from core.web.body import body_limit
from gameplay.queries import AppealView, appeals_for_council
from gameplay.queries import cases as find_cases
from gameplay.queries.lists import CASES
from gameplay.services.rulings import vote_appeal
from gameplay.web.answering import http_status
from gameplay.web.match_views import SMALL
from gameplay.web.presenting import Row, mistake
from gameplay.web.presenting_judging import appeal_in_words, days_in_words, kind_in_words, ruling_rows
from players.actor import Actor
from players.rules.rights import DECIDE_APPEALS
from players.web.asking import actor_of, refusals_as_pages
from players.web.demo import Frame
from scoring.models import Ruling
from scoring.rules.procedure import COUNCIL_VOTES

ROWS = 50
LONGEST_SEARCH = 200  # characters; more is cut off


def _guarantor(request: HttpRequest) -> Actor:
    """Refusal `not_allowed` for whoever decides no appeals."""
    actor = actor_of(request)
    if not actor.scopes_of(DECIDE_APPEALS):
        raise Refusal("not_allowed")
    return actor


@require_safe
@cache_control(no_store=True)
@refusals_as_pages
def appeals(request: HttpRequest, frame: Frame) -> HttpResponse:
    """Appeals before this guarantor, open ones first."""
    found = appeals_for_council(_guarantor(request))
    page = Paginator(found, ROWS).get_page(request.GET.get("page", "1"))
    context = frame((_("Appeals"), ""), page=page, appeals=[_row(appeal) for appeal in page])
    return render(request, "gameplay/appeals.html", context)


@body_limit(SMALL)
@require_http_methods(["GET", "HEAD", "POST"])
@cache_control(no_store=True)
@refusals_as_pages
def appeal(request: HttpRequest, appeal: UUID, frame: Frame) -> HttpResponse:
    """One appeal; POST uphold=1 or 0 votes. Whoever sat at the table is told that he has no vote."""
    actor = _guarantor(request)
    error, status = None, 200
    if request.method == "POST":
        try:
            uphold = _yes_or_no(request.POST.get("uphold", ""))
            vote_appeal(actor, appeal, uphold=uphold, key=request.POST.get("key", ""))
        except Refusal as refusal:
            if refusal.code in ("not_allowed", "appeal_unknown"):
                raise
            error, status = mistake(refusal), http_status(refusal)
        else:
            return HttpResponseRedirect(reverse("appeal", args=[appeal]))
    found = appeals_for_council(actor, appeal)
    if not found:
        raise Refusal("appeal_unknown")
    row = _row(found[0])
    context = frame(
        (_("Appeals"), reverse("appeals")),
        (row["headline"], ""),
        needed=COUNCIL_VOTES,
        error=error,
        key=new_token(),
        **row,
    )
    return render(request, "gameplay/appeal.html", context, status=status)


def _yes_or_no(text: str) -> bool:
    """Refusal `bad_field`."""
    if text not in ("0", "1"):
        raise Refusal("bad_field", {"field": "uphold"}, pointer="/uphold")
    return text == "1"


def _row(appeal: AppealView) -> Row:
    return {
        "appeal": appeal,
        "headline": kind_in_words(appeal.ruling.kind),
        "state": appeal_in_words(appeal.ruling),
        "days": days_in_words(appeal.days),
        "upholds": appeal.votes[0],
        "rejects": appeal.votes[1],
    }


@require_safe
def cases(request: HttpRequest, frame: Frame) -> HttpResponse:
    """The case book: rulings of matches that are over, by words and kind, in the order of the articles."""
    text = request.GET.get("q", "")[:LONGEST_SEARCH].strip()
    kind = request.GET.get("kind", "")
    kind = kind if kind in Ruling.Kind.values else ""
    asked = request.GET.get("page", "")
    number = int(asked) if asked.isascii() and asked.isdigit() and len(asked) < 7 else 1
    found, count = find_cases(text, kind, max(1, number))
    page = Paginator(range(count), CASES).get_page(max(1, number))
    if page.number != number and count:  # a list that ends before the page that was asked for
        found, count = find_cases(text, kind, page.number)
    query: dict[str, Any] = {name: value for name, value in (("q", text), ("kind", kind)) if value}
    context = frame(
        (_("Cases"), ""),
        sought=text,
        kind=kind,
        kinds=[(value, kind_in_words(value)) for value in Ruling.Kind.values],
        cases=ruling_rows(found),
        case_count=count,
        page=page,
        query=f"&{urlencode(query)}" if query else "",
    )
    return render(request, "gameplay/cases.html", context)
