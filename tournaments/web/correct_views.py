"""A result that is closed, corrected: first everything that would change, then the confirmation (UX-14, S11)."""

from __future__ import annotations

from typing import Any, Literal, cast

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_http_methods

from core.refusal import Refusal
from core.web.body import body_limit
from gameplay.queries import lines_by_entry
from gameplay.services.acting import checked_reason
from gameplay.services.rulings import checked_award
from gameplay.web.reading import number, seat
from players.actor import Actor
from players.web.asking import actor_of, refusals_as_pages, status_of
from scoring.queries import entries_of
from scoring.rules.hands import HandOutcome
from scoring.rules.scoresheet import Admitted, Award, Content, Entry, Played, Voided, check_content
from scoring.web.sheet import content_in_words
from tournaments.queries.board import Board, board_for_page
from tournaments.queries.impact import correction_impact
from tournaments.queries.tournament import HeatView, TournamentView, heat_of, tournament_for_page
from tournaments.services import lots
from tournaments.services.results import correct_result
from tournaments.web import presenting
from tournaments.web.board_views import FORM, GONE, at_day
from tournaments.web.presenting_draw import named
from tournaments.web.presenting_impact import impact_rows

Row = dict[str, Any]
Given = dict[str, str]
NEW = "new"
"""Instead of the number of a line: an award that is added."""
RULINGS = ("suicidal_call", "disloyal_raise")


@body_limit(FORM)
@require_http_methods(["GET", "HEAD", "POST"])
@cache_control(no_store=True)
@refusals_as_pages
def correct(request: HttpRequest, slug: str, stage: int, heat: int) -> HttpResponse:
    """The lines of a closed sheet; ?line=<number> or new: the form of one. POST do=preview, save or lots.

    Nothing is saved before what follows from it was shown.
    """
    actor = actor_of(request)
    board = board_for_page(actor, slug)
    view = tournament_for_page(actor, slug)
    found = heat_of(view, stage, heat)
    told = request.POST.dict() if request.method == "POST" else {"line": request.GET.get("line", "")}
    error, status = "", 200
    impact: Row | None = None
    if request.method == "POST":
        try:
            if told.get("do") == "lots":
                lots.draw_lots(actor, board.day.tournament.pk, key=told.get("key", ""), correcting=True)
                board = board_for_page(actor, slug)
                view = tournament_for_page(actor, slug)
                found = heat_of(view, stage, heat)
            entry = _entry(view, found, told)
            if told.get("do") == "save":
                return _saved(request, actor, board, (stage, heat), entry, told)
            impact = impact_rows(view, correction_impact(board.day.tournament, stage=stage, heat=heat, entry=entry))
        except Refusal as refusal:
            if refusal.code in GONE:
                raise
            names = {code: person.name for code, person in view.people.items()}
            error, status = named(refusal, names), 422 if refusal.code.endswith("_unknown") else status_of(refusal)
            told = {**told, "lots": "on" if refusal.code == "lot_missing" else ""}
    context = at_day(
        board,
        _("Correct"),
        view=view,
        title=presenting.match_title(view, stage, heat),
        here=reverse("correct_heat", args=[slug, stage, heat]),
        heat_href=reverse("heat", args=[slug, stage, heat]),
        version=board.day.tournament.version,
        error=error,
        impact=impact,
        given=told,
        **_form(view, found, told),
    )
    return render(request, "tournaments/day/correct.html", context, status=status)


def _saved(
    request: HttpRequest, actor: Actor, board: Board, place: tuple[int, int], entry: Entry, told: Given
) -> HttpResponse:
    """Refusals: those of `correct_result`."""
    slug, (stage, heat) = board.day.tournament.slug, place
    correct_result(
        actor,
        board.day.tournament.pk,
        stage=stage,
        heat=heat,
        entry=entry,
        version=number(told, "version"),
        key=told.get("key", ""),
    )
    messages.success(request, _("Corrected. Both lines stay on the sheet, and everything that follows is anew."))
    return HttpResponseRedirect(reverse("heat", args=[slug, stage, heat]))


# The form


def _form(view: TournamentView, found: HeatView, told: Given) -> Row:
    """The lines to choose from, or the fields of the chosen one."""
    players = [view.name_of(code) for code in found.match.seats]
    lines = found.sheet.lines if found.sheet else ()
    rows = [{"number": line.number, "words": content_in_words(line.content, players)} for line in lines]
    chosen = told.get("line", "")
    if not _is_line(chosen, len(lines)):
        return {"lines": rows, "line": ""}
    standing = lines[int(chosen) - 1].content if chosen != NEW else None
    fields = told if "what" in told else _fields(standing)
    return {
        "lines": rows,
        "line": chosen,
        "standing": content_in_words(standing, players) if standing else "",
        "is_award": standing is None or isinstance(standing, Award),
        "players": [{"value": str(at), "name": name} for at, name in enumerate(players)],
        "fields": fields,
    }


def _is_line(chosen: str, count: int) -> bool:
    return chosen == NEW or (chosen.isascii() and chosen.isdigit() and len(chosen) < 6 and 1 <= int(chosen) <= count)


def _fields(content: Content | None) -> Given:
    """What stands on the line, as the fields of its form."""
    match content:
        case Played((caller, called, bid, made), ruling):
            fields = {"caller": caller, "called": called, "bid": bid, "made": made, "ruling": ruling or ""}
            return {"what": "played", **{key: str(value) for key, value in fields.items()}}
        case Admitted(caller, bid):
            return {"what": "admitted", "caller": str(caller), "bid": str(bid)}
        case Award(to, points, article, why):
            return {"what": "award", "seat": str(to), "points": str(points), "article": article, "why": why}
        case Voided(repeated):
            return {"what": "voided", "repeated": "on" if repeated else ""}
    return {"what": "award"}


def _entry(view: TournamentView, found: HeatView, told: Given) -> Entry:
    """What the form says, as it would be written. Refusals: `line_unknown`, those of its fields."""
    lines = found.sheet.lines if found.sheet else ()
    line = told.get("line", "")
    if not _is_line(line, len(lines)):
        raise Refusal("line_unknown")
    reason = checked_reason(told.get("reason", ""))
    content = _content(view, told, reason)
    if line == NEW:
        if not isinstance(content, Award):
            raise Refusal("bad_field", {"field": "what"}, pointer="/what")
        return Entry(content)
    entries = entries_of(view.sheets[found.stage.number, found.number][0]).entries
    present = max(at for at, of in enumerate(lines_by_entry(entries)) if of == int(line))
    return Entry(content, present, reason)


def _content(view: TournamentView, told: Given, reason: str) -> Content:
    """Refusals: `bad_field`, those of `check_content` and of an award."""
    content: Content
    match told.get("what"):
        case "played":
            outcome = HandOutcome(seat(told, "caller"), seat(told, "called"), number(told, "bid"), number(told, "made"))
            ruling = told.get("ruling") or None
            if ruling not in (None, *RULINGS):
                raise Refusal("bad_field", {"field": "ruling"}, pointer="/ruling")
            content = Played(outcome, cast(Literal["suicidal_call", "disloyal_raise"] | None, ruling))
        case "admitted":
            content = Admitted(seat(told, "caller"), number(told, "bid"))
        case "voided":
            content = Voided(told.get("repeated") == "on")
        case "award":
            points, article = number(told, "points"), told.get("article", "")
            return checked_award(view.scoring, seat=seat(told, "seat"), points=points, article=article, reason=reason)
        case _:
            raise Refusal("bad_field", {"field": "what"}, pointer="/what")
    check_content(content, view.scoring)
    return content
