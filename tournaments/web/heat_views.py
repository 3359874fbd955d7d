"""One table in the hands of its organiser: another player, another referee, a look at the time, a start taken back."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from uuid import UUID

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_http_methods

from core.live import HALL
from core.refusal import Refusal
from core.web.body import body_limit
from gameplay.queries.people import people_named
from gameplay.web.presenting_clock import bell_row
from gameplay.web.reading import seat
from players.actor import Actor
from players.web.asking import actor_of, refusals_as_pages, status_of
from tournaments.models import Stage
from tournaments.queries.board import Board, Table, board_for_page
from tournaments.queries.drawing import referees_for
from tournaments.queries.people import people_found
from tournaments.services import drawing, running
from tournaments.web import presenting_board
from tournaments.web.board_views import FORM, GONE, at_day
from tournaments.web.presenting_draw import stage_title
from tournaments.web.sentences import sentence_for

Row = dict[str, Any]
Given = dict[str, str]


@body_limit(FORM)
@require_http_methods(["GET", "HEAD", "POST"])
@cache_control(no_store=True)
@refusals_as_pages
def manage(request: HttpRequest, slug: str, stage: int, heat: int) -> HttpResponse:
    """A table of an open stage (UX-50, UX-51). POST do=replace, referee, cancel or replay; ?q= finds a known person."""
    actor = actor_of(request)
    view = board_for_page(actor, slug)
    table = _table(view, stage, heat)
    error, status, given = "", 200, request.POST.dict()
    if request.method == "POST":
        try:
            said = _done(actor, view, table, given)
        except Refusal as refusal:
            if refusal.code in GONE:
                raise
            error, status = sentence_for(refusal), 422 if refusal.code == "seat_unknown" else status_of(refusal)
            view = board_for_page(actor, slug)
            table = _table(view, stage, heat)
        else:
            messages.success(request, said)
            return HttpResponseRedirect(reverse("manage_heat", args=[slug, stage, heat]))
    context = _context(actor, view, table, request.GET.get("q", "")[:200])
    return render(request, "tournaments/day/heat.html", {**context, "error": error, "given": given}, status=status)


def _table(view: Board, stage: int, heat: int) -> Table:
    """Refusal `heat_unknown`, also where its stage is not open."""
    for table in view.tables:
        if (table.stage, table.heat.number) == (stage, heat):
            return table
    raise Refusal("heat_unknown")


def _context(actor: Actor, view: Board, table: Table, text: str) -> Row:
    slug, heat, clock = view.day.tournament.slug, table.heat, table.heat.clock
    stage = next(one for one in view.day.open_stages if one.number == table.stage)
    seated = {seat.person for one in stage.heats for seat in one.seats}
    entered = {entrant.person_id for entrant in view.day.entrants}
    free = [entrant for entrant in view.day.entrants if entrant.person_id not in seated]
    untouched = not heat.hands and not heat.signed and (clock is None or not (clock.awarded or clock.interrupted))
    first = stage.number == 1
    found = people_named(actor, people_found, text) if first and untouched else []
    return at_day(
        view,
        heat.name,
        table=presenting_board.table_row(view, table),
        title=stage_title(stage.kind, stage.number),
        here=reverse("manage_heat", args=[slug, stage.number, heat.number]),
        plays=view.plays,
        replaces=first and untouched,
        renounces=not first and untouched,
        seats=[{"number": one.number, "name": one.name} for one in heat.seats],
        free=[{"code": one.code, "name": one.name, "here": one.present} for one in free],
        q=text,
        people=[{"id": one.pk, "name": one.display_name} for one in found if one.pk not in entered],
        referees=referees_for(Stage.objects.get(pk=stage.id)),
        referee=heat.referee,
        reveals=clock is not None and clock.state != "ready" and not view.plays,
        cancels=untouched and clock is not None and clock.state in ("running", "stopped"),
        replays=table.state == "replay",
        bells=[bell_row(sheet, heat.name, f"sheet:{sheet}", HALL) for sheet in presenting_board.sheets_of([table])],
    )


def _done(actor: Actor, view: Board, table: Table, given: Given) -> str:
    """Does what the form asks for; what is said then. Refusals: those of `running` and `drawing`, `bad_field`."""
    verbs: dict[str, Callable[[Actor, Board, Table, Given], str]] = {
        "replace": _replace,
        "referee": _referee,
        "cancel": _cancel,
        "replay": _replay,
    }
    verb = verbs.get(given.get("do", ""))
    if verb is None:
        raise Refusal("bad_field", {"field": "do"}, pointer="/do")
    return verb(actor, view, table, given)


def _replace(actor: Actor, view: Board, table: Table, given: Given) -> str:
    """Who comes: `who` is `entrant:<code>`, `person:<id>` or `new`, then with `name`."""
    kind, _colon, told = given.get("who", "").partition(":")
    if kind not in ("entrant", "person", "new"):
        raise Refusal("field_missing", {"field": "who"}, pointer="/who")
    person: UUID | str | None = None
    if kind != "entrant":
        person = given.get("name", "") if kind == "new" else _uuid(told)
    running.replace_in_heat(
        actor,
        view.day.tournament.pk,
        stage=table.stage,
        heat=table.heat.number,
        seat=seat(given, "seat"),
        player=told if kind == "entrant" else None,
        person=person,
        club=given.get("club", ""),
        reason=given.get("reason", ""),
        key=given.get("key", ""),
    )
    return _("The seat has another player. The phone that had it has it no longer.")


def _referee(actor: Actor, view: Board, table: Table, given: Given) -> str:
    told = given.get("person", "")
    drawing.assign_referee(
        actor,
        view.day.tournament.pk,
        stage=table.stage,
        heat=table.heat.number,
        person=_uuid(told) if told else None,
        key=given.get("key", ""),
    )
    return _("Saved.")


def _cancel(actor: Actor, view: Board, table: Table, given: Given) -> str:
    _with_reason(running.cancel_heat, actor, view, table, given)
    return _("The start is taken back.")


def _replay(actor: Actor, view: Board, table: Table, given: Given) -> str:
    _with_reason(running.replay_heat, actor, view, table, given)
    return _("The table has a new sheet and a new clock. The old sheet is kept.")


def _with_reason(verb: Callable[..., Row], actor: Actor, view: Board, table: Table, given: Given) -> None:
    row, reason, key = view.day.tournament.pk, given.get("reason", ""), given.get("key", "")
    verb(actor, row, stage=table.stage, heat=table.heat.number, reason=reason, key=key)


def _uuid(text: str) -> UUID:
    try:
        return UUID(text)
    except ValueError:
        raise Refusal("bad_field", {"field": "person"}, pointer="/person") from None
