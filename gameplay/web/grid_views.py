"""A paper verbale typed in at once: one grid, checked as a whole, saved all or nothing (UX-23)."""

from __future__ import annotations

import json
from collections.abc import Sequence
from uuid import UUID

from django.contrib import messages
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_http_methods

from core.refusal import Refusal
from core.web.body import body_limit
from gameplay.queries import MatchView, match_for_page
from gameplay.services.recording import record_hands
from gameplay.web.answering import answers_the_queue, http_status, receipt, wants_json
from gameplay.web.match_views import at_match
from gameplay.web.presenting import Row, mistake, state_for_script
from gameplay.web.reading import PLAYED, Given, grid_row, number
from players.web.asking import actor_of, refusals_as_pages
from players.web.demo import Frame
from scoring.rules.scoresheet import Admitted, Entry, Line, Played, Voided, fold

ROWS = 30
LIMIT = 64 * 1024
COLUMNS = ("caller", "called", "bid", "made", "kind")
Content = Played | Admitted | Voided


@body_limit(LIMIT)
@require_http_methods(["GET", "HEAD", "POST"])
@cache_control(no_store=True)
@refusals_as_pages
@answers_the_queue
def record_grid(request: HttpRequest, match: UUID, frame: Frame) -> HttpResponseBase:
    """GET: thirty empty rows. POST action preview (the running totals) or save; a wrong cell is named, 422."""
    actor = actor_of(request)
    view = match_for_page(actor, match)
    if not view.powers.staff:
        raise Refusal("not_allowed")
    given: Given = request.POST
    typed = [{column: given.get(f"{column}-{at}", "") for column in COLUMNS} for at in range(ROWS)]
    error: Row | None = None
    lines: Sequence[Line] = ()
    status = 200
    if request.method == "POST":
        try:
            contents = _contents(typed, view)
            if given.get("action") == "preview":
                lines = _tried(view, contents)
            else:
                answer = record_hands(
                    actor, match, first=number(given, "first"), contents=contents, key=given.get("key", "")
                )
                return _saved(request, view, answer)
        except Refusal as refusal:
            if wants_json(request) or refusal.code in ("not_allowed", "match_unknown"):
                raise
            error, status = mistake(refusal), http_status(refusal)
            error["row"] = _row(refusal)
    context = at_match(
        frame,
        view,
        _("Paper sheet"),
        rows=_shown(view, typed, lines, error),
        numbered=[{"key": at + 1, "name": name} for at, name in enumerate(view.players)],
        error=error,
        first=view.next_hand,
        state=json.dumps(state_for_script(view)),
    )
    return render(request, "gameplay/grid.html", context, status=status)


def _contents(typed: Sequence[Row], view: MatchView) -> list[Content]:
    """The rows up to the last that is filled in. Refusals at /hands/<i>/<field>: those of `grid_row`."""
    filled = [at for at, row in enumerate(typed) if _is_filled(row)]
    contents: list[Content] = []
    for at in range(max(filled, default=-1) + 1):
        try:
            contents.append(grid_row(typed[at], view.players, view.rules))
        except Refusal as refusal:
            raise refusal.at(f"/hands/{at}") from None
    return contents


def _is_filled(row: Row) -> bool:
    return row["kind"] not in ("", PLAYED) or any(row[column].strip() for column in COLUMNS if column != "kind")


def _tried(view: MatchView, contents: Sequence[Content]) -> Sequence[Line]:
    """The lines that these would be. Refusals at /hands/<i>/ruling: those of `fold`."""
    before = len(view.sheet.lines)
    entries = (*view.entries, *(Entry(content) for content in contents))
    try:
        return fold(entries, view.rules, view.offences_before).lines[before:]
    except Refusal as refusal:
        _, line, field = refusal.pointer.split("/")
        pointer = f"/hands/{int(line) - before}/{field}"
        raise Refusal(refusal.code, refusal.params, article=refusal.article, pointer=pointer) from None


def _row(refusal: Refusal) -> int | None:
    """The row of the grid that a pointer like /hands/3/bid means."""
    parts = refusal.pointer.split("/")
    return int(parts[2]) if len(parts) > 2 and parts[1] == "hands" and parts[2].isdigit() else None


def _shown(view: MatchView, typed: Sequence[Row], lines: Sequence[Line], error: Row | None) -> list[Row]:
    rows = []
    for at, row in enumerate(typed):
        wrong = error is not None and error["row"] == at
        rows.append(
            {
                **row,
                "at": at,
                "hand": view.next_hand + at,
                "totals": lines[at].totals if at < len(lines) else (),
                "wrong": wrong,
                "wrong_field": error["field"] if error and wrong else "",
            }
        )
    return rows


def _saved(request: HttpRequest, view: MatchView, answer: Row) -> HttpResponseBase:
    if not wants_json(request):
        words = ngettext("%(count)s hand is saved.", "%(count)s hands are saved.", answer["hands"])
        messages.success(request, words % {"count": answer["hands"]})
    return receipt(request, answer, reverse("match", args=[view.id]))
