"""The organiser's day: what comes next, every table, and starting, suspending and closing them (UX-06, 09, 10)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect, QueryDict
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_http_methods

from core.entropy import new_token
from core.live import HALL
from core.refusal import Refusal
from core.web.body import body_limit
from gameplay.services.bells import armed
from gameplay.web.presenting_clock import bell_row
from players.actor import Actor
from players.queries import above
from players.web.asking import actor_of, refusals_as_pages, status_of
from tournaments.queries.board import Board, board_for_page
from tournaments.services import running
from tournaments.web import presenting_board
from tournaments.web.day_tabs import day_tabs
from tournaments.web.page import page
from tournaments.web.sentences import sentence_for

FORM = 32 * 1024  # bytes
GONE = ("not_allowed", "tournament_unknown")
Row = dict[str, Any]


@body_limit(FORM)
@require_http_methods(["GET", "HEAD", "POST"])
@cache_control(no_store=True)
@refusals_as_pages
def board(request: HttpRequest, slug: str) -> HttpResponse:
    """The board. POST do=start, suspend, resume (table=<stage>-<heat>, several) or close.

    A page that fetches itself again gets the part that changes.
    """
    actor = actor_of(request)
    view = board_for_page(actor, slug)
    error, status = "", 200
    if request.method == "POST":
        try:
            said = _done(actor, view, request.POST)
        except Refusal as refusal:
            if refusal.code in GONE:
                raise
            error, status = sentence_for(refusal), status_of(refusal)
            view = board_for_page(actor, slug)
        else:
            messages.success(request, said)
            return HttpResponseRedirect(reverse("day", args=[slug]))
    part = request.headers.get("HX-Request") == "true"
    name = "tournaments/day/board_live.html" if part else "tournaments/day/board.html"
    return render(request, name, _context(view, error), status=status)


def at_day(board: Board, title: str, /, **context: Any) -> Row:
    """The context of a page of an organiser's day; `title`: its name, "" for the board itself."""
    row = board.day.tournament
    day = reverse("day", args=[row.slug])
    crumbs = [
        (_("Tournaments"), reverse("home")),
        (row.name, reverse("tournament", args=[row.slug])),
        (_("The day"), day if title else ""),
    ]
    if title:
        crumbs.append((title, ""))
    return page(*crumbs, row=row, day_href=day, key=new_token(), **context)


def _context(view: Board, error: str) -> Row:
    row, tables = view.day.tournament, view.tables
    # Who organises a club has the topics of the club, not of each tournament below it.
    topics = (*(f"scope:{scope}" for scope in above(row.scope_id)), HALL)
    bells = set(presenting_board.sheets_of(tables))
    return at_day(
        view,
        "",
        error=error,
        tabs=day_tabs(row.slug, "day"),
        topics=topics,
        step=presenting_board.step_row(view, view.step),
        stages=presenting_board.stage_rows(view),
        checks=presenting_board.checks(tables, armed(row.scope_id)),
        running=presenting_board.chosen(tables, ("running",)),
        suspended=presenting_board.chosen(tables, ("suspended",)),
        decisions=presenting_board.decision_rows(row.slug, view.decisions),
        outages=view.outages,
        plays=view.plays,
        bells=[bell_row(table.heat.sheet, table.heat.name, *topics) for table in tables if table.heat.sheet in bells],
    )


def _done(actor: Actor, view: Board, given: QueryDict) -> str:
    """Does what the form asks for; what is said then. Refusals: those of `running`, `bad_field`."""
    key = given.get("key", "")
    verbs: dict[str, Callable[[], str]] = {
        "start": lambda: _start(actor, view, given, key),
        "suspend": lambda: _suspend(actor, view, given, key),
        "resume": lambda: _resume(actor, view, given, key),
        "close": lambda: _close(actor, view, key),
    }
    verb = verbs.get(given.get("do", ""))
    if verb is None:
        raise Refusal("bad_field", {"field": "do"}, pointer="/do")
    return verb()


def _by_stage(given: QueryDict) -> dict[int, list[int]]:
    """The chosen tables, by stage: both finals may be chosen at once. Refusals: `no_heats`, `bad_field`."""
    found: dict[int, list[int]] = {}
    for told in given.getlist("table"):
        stage, _dash, heat = told.partition("-")
        if not (stage.isascii() and stage.isdigit() and heat.isascii() and heat.isdigit() and len(told) < 12):
            raise Refusal("bad_field", {"field": "table"}, pointer="/table")
        found.setdefault(int(stage), []).append(int(heat))
    if not found:
        raise Refusal("no_heats", pointer="/table")
    return found


def _start(actor: Actor, view: Board, given: QueryDict, key: str) -> str:
    for stage, heats in _by_stage(given).items():
        running.start_heats(actor, view.day.tournament.pk, stage=stage, heats=heats, key=f"{key}-{stage}")
    return _("Started. The clocks run, and nobody sees them.")


def _suspend(actor: Actor, view: Board, given: QueryDict, key: str) -> str:
    if given.get("stopped") not in ("0", "1"):
        raise Refusal("bad_field", {"field": "stopped"}, pointer="/stopped")
    for stage, heats in _by_stage(given).items():
        running.suspend_heats(
            actor,
            view.day.tournament.pk,
            stage=stage,
            heats=heats,
            clock_stopped=given["stopped"] == "1",
            reason=given.get("reason", ""),
            key=f"{key}-{stage}",
        )
    return _("Suspended.")


def _resume(actor: Actor, view: Board, given: QueryDict, key: str) -> str:
    for stage, heats in _by_stage(given).items():
        running.resume_heats(actor, view.day.tournament.pk, stage=stage, heats=heats, key=f"{key}-{stage}")
    return _("Play goes on.")


def _close(actor: Actor, view: Board, key: str) -> str:
    answer = running.close_stage(actor, view.day.tournament.pk, key=key)
    if answer["lots"]:
        return _("The stage is closed. Nothing decided between some players, so lots were drawn (D15).")
    return _("The stage is closed.")
