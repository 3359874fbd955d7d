"""Pages of what stands behind a tournament: its rules, its rulings and its published versions."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from core.refusal import Refusal
from players.web.asking import refusals_as_pages
from tournaments.queries.publications import rulings_for_page, version_for_page, versions_for_page
from tournaments.queries.tournament import TournamentView, codes_by_number
from tournaments.web.presenting import Row
from tournaments.web.presenting_changes import change_rows
from tournaments.web.presenting_rules import rule_groups
from tournaments.web.presenting_rulings import articles_counted, articles_of, case_rows
from tournaments.web.tournament_page import paged, shown, shown_pages, stamp_for

CASES = 60
"""Cases on a page: each is a paragraph."""
VERSIONS = 20
"""Versions on a page: what each changed is worked out from the whole tournament."""


@require_safe
@refusals_as_pages
def tournament_rules(request: HttpRequest, slug: str) -> HttpResponse:
    """Every adjustable rule with its value here, the usual one, and its article."""
    return shown(request, stamp_for(request, slug), "tournament_rules", "", _rules)


def _rules(view: TournamentView) -> Row:
    groups = rule_groups(view.adjusted)
    return {
        "title": f"{_('Its rules')} · {view.name}",
        "trail": ((_("Its rules"), ""),),
        "tab": "rules",
        "groups": groups,
        "adjusted": sum(rule["adjusted"] for group in groups for rule in group["rules"]),
    }


@require_safe
@refusals_as_pages
def rulings(request: HttpRequest, slug: str) -> HttpResponse:
    """The case list: every penalty, award and correction; `?article=` shows those under one article."""
    article = request.GET.get("article", "")
    stamp = stamp_for(request, slug)
    return shown_pages(request, stamp, "rulings", article, lambda view, number: _rulings(view, number, article))


def _rulings(view: TournamentView, number: int, article: str) -> Row:
    cases = rulings_for_page(view)
    counted = articles_counted(cases)
    if article:
        if article not in dict(counted):
            raise Refusal("article_unknown")
        cases = tuple(case for case in cases if article in articles_of(case))
    pages, first, last = paged(len(cases), number, CASES)
    return {
        "title": f"{_('Rulings')} · {view.name}",
        "trail": ((_("Rulings"), ""),),
        "tab": "rulings",
        "cases": case_rows(view, cases[first:last]),
        "count": len(cases),
        "articles": counted,
        "article": article,
        "pages": pages,
        "query": f"&article={article}" if article else "",
    }


@require_safe
@refusals_as_pages
def versions(request: HttpRequest, slug: str) -> HttpResponse:
    """The published versions, latest first."""
    return shown_pages(request, stamp_for(request, slug), "versions", "", _versions)


def _versions(view: TournamentView, number: int) -> Row:
    pages, first, last = paged(view.published, number, VERSIONS)
    return {
        "title": f"{_('Versions')} · {view.name}",
        "trail": ((_("Versions"), ""),),
        "tab": "versions",
        "versions": versions_for_page(view, first, last),
        "pages": pages,
    }


@require_safe
@refusals_as_pages
def version(request: HttpRequest, slug: str, version: int) -> HttpResponse:
    """One published version and what it says otherwise than the one before it."""

    def build(view: TournamentView, number: int) -> Row:
        told = version_for_page(view, version)
        pages, first, last = paged(len(told.changes), number)
        codes = codes_by_number(view) if told.changes else {}

        def name(who: str) -> str:
            return view.name_of(codes.get(who, who))

        heading = _("Version %(number)s") % {"number": version}
        return {
            "title": f"{heading} · {view.name}",
            "trail": ((_("Versions"), reverse("versions", args=[slug])), (heading, "")),
            "tab": "versions",
            "heading": heading,
            "version": told,
            "changes": change_rows(view, told.changes[first:last], name),
            "pages": pages,
        }

    return shown_pages(request, stamp_for(request, slug), "version", str(version), build)
