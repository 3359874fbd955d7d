"""Public pages of tournaments."""

from __future__ import annotations

from functools import cache
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.safestring import SafeString
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from tournaments.queries import championships_for_home
from tournaments.web.articles import CHAPTERS
from tournaments.web.presenting import championship_for_page, championship_title, scoresheet_for_page


def _page(**context: Any) -> dict[str, Any]:
    nav = [{"href": reverse("home"), "label": _("Championships")}, {"href": reverse("rules"), "label": _("Rules")}]
    return {"nav": nav, "rules": reverse("rules"), **context}


@require_safe
def home(request: HttpRequest) -> HttpResponse:
    """What this is, and two world championships replayed from their files."""
    titles = [(c.slug, championship_title(c)) for c in championships_for_home()]
    context = _page(titles=titles, championships=_championships_html(get_language()))
    return render(request, "tournaments/home.html", context)


@cache
def _championships_html(language: str) -> SafeString:
    """The replayed championships in the active language: the files do not change while the house runs."""
    context = {
        "championships": [championship_for_page(championship) for championship in championships_for_home()],
        "heat_columns": [_("Points"), _("Gap")],
        "final_columns": [_("A.G.P.")],
        "rules": reverse("rules"),
    }
    return render_to_string("tournaments/_championships.html", context)


@require_safe
def scoresheet(request: HttpRequest, slug: str, stage: int, heat: int) -> HttpResponse:
    """The scoresheet of one match of a championship; 404 where only its totals survive."""
    for championship in championships_for_home():
        if championship.slug != slug:
            continue
        for outcome in championship.tournament.stages[stage - 1 : stage]:
            for match in outcome.matches[heat - 1 : heat]:
                sheet = scoresheet_for_page(championship, outcome, match)
                if sheet:
                    back = {"href": f"{reverse('home')}#{slug}", "label": championship_title(championship)}
                    context = _page(sheet=sheet, crumbs=[back, {"label": sheet["title"]}])
                    return render(request, "tournaments/scoresheet.html", context)
    raise Http404


@require_safe
def rules(request: HttpRequest) -> HttpResponse:
    """The rules of Gingo as implemented: where the article tags lead."""
    crumbs = [{"href": reverse("home"), "label": _("Championships")}, {"label": _("Rules")}]
    return render(request, "tournaments/rules.html", _page(chapters=CHAPTERS, crumbs=crumbs))
