"""The draw: drafted and changed by organisers, read by everybody once it is published (UX-04, UX-52)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_http_methods

from core.entropy import new_token
from core.refusal import Refusal
from core.web.body import body_limit
from gameplay.services.acting import REASON
from gameplay.services.matches import TABLE_NAME
from gameplay.web.reading import number
from players.actor import Actor
from players.web.asking import actor_of, refusals_as_pages, status_of
from tournaments.models import Stage
from tournaments.queries.drawing import DrawView, StageDraw, draw_of
from tournaments.rules.replay import HEATS
from tournaments.services import drawing
from tournaments.web import presenting_draw
from tournaments.web.day_tabs import day_tabs
from tournaments.web.house_views_rows import number_asked
from tournaments.web.page import page
from tournaments.web.sentences import sentence_for
from tournaments.web.tournament_page import PageAfterLastError, paged

FORM = 8 * 1024  # bytes
TABLES = 40
"""Tables on a page: each of their players has his reason."""
Row = dict[str, Any]


@body_limit(FORM)
@require_http_methods(["GET", "HEAD", "POST"])
@cache_control(no_store=True)
@refusals_as_pages
def draw(request: HttpRequest, slug: str) -> HttpResponse:
    """The draws of a tournament, one stage at a time (?stage=). POST do=draft, move, rename or publish, for staff."""
    actor = actor_of(request)
    view = draw_of(actor, slug)
    error, status = "", 200
    if request.method == "POST":
        if not view.staff:
            raise Refusal("not_allowed")
        try:
            said, anchor = _done(request, actor, view)
        except Refusal as refusal:
            if refusal.code == "not_allowed":
                raise
            error, status = presenting_draw.named(refusal, _names(view)), status_of(refusal)
        else:
            messages.success(request, said)
            return HttpResponseRedirect(f"{reverse('draw', args=[slug])}{anchor}")
    return render(request, "tournaments/day/draw.html", _context(request, view, error), status=status)


def _names(view: DrawView) -> dict[str, str]:
    everybody = (player for each in view.draws for heat in (*each.heats, each.reserves) for player in heat)
    return {player.code: player.name for player in everybody}


def _done(request: HttpRequest, actor: Actor, view: DrawView) -> tuple[str, str]:
    """Does what the form asks for: what is said then, and where the page is looked at. Refusals: those of drawing."""
    verbs: dict[str, Callable[[], tuple[str, str]]] = {
        "draft": lambda: _draft(request, actor, view),
        "move": lambda: _move(request, actor, view),
        "rename": lambda: _rename(request, actor, view),
        "publish": lambda: _publish(request, actor, view),
    }
    verb = verbs.get(request.POST.get("do", ""))
    if verb is None:
        raise Refusal("field_missing", pointer="/do")
    return verb()


def _draft(request: HttpRequest, actor: Actor, view: DrawView) -> tuple[str, str]:
    table = _("Table {number}")
    drawing.draft_draw(actor, view.id, key=request.POST.get("key", ""), table=table)
    return _("Drawn. Only the organisers see it until you publish it."), ""


def _move(request: HttpRequest, actor: Actor, view: DrawView) -> tuple[str, str]:
    player, other = request.POST.get("player", ""), request.POST.get("with", "")
    draft = view.draft
    if not other or draft is None:
        raise Refusal("field_missing", pointer="/with")
    heats = {one.code: heat for heat, five in enumerate(draft.heats) for one in five}
    drawing.move_player(
        actor,
        view.id,
        player=player,
        to=heats.get(other),
        swap_with=other,
        reason=request.POST.get("reason", ""),
        key=request.POST.get("key", ""),
    )
    at = heats.get(other, heats.get(player, 0))
    return _("Moved. The reason stands beside both players."), f"?page={at // TABLES + 1}#heat-{at + 1}"


def _rename(request: HttpRequest, actor: Actor, view: DrawView) -> tuple[str, str]:
    given = request.POST.dict()
    stage, heat = number(given, "stage"), number(given, "heat")
    drawing.rename_heat(
        actor, view.id, stage=stage, heat=heat, name=request.POST.get("name", ""), key=request.POST.get("key", "")
    )
    return _("Saved."), f"?stage={stage}&page={(heat - 1) // TABLES + 1}#heat-{heat}"


def _publish(request: HttpRequest, actor: Actor, view: DrawView) -> tuple[str, str]:
    drawing.publish_draw(actor, view.id, key=request.POST.get("key", ""))
    return _("The draw is published: everybody sees it now."), ""


# The page


def _context(request: HttpRequest, view: DrawView, error: str) -> Row:
    asked = number_asked(request, "stage")
    shown = next((each for each in view.draws if each.number == asked), view.draws[0] if view.draws else None)
    draft = view.draft
    due = view.due
    count = len(due.players) if due else 0
    if draft:
        count = sum(map(len, draft.heats)) + len(draft.reserves)
    return page(
        (_("Tournaments"), reverse("home")),
        (view.name, reverse("tournament", args=[view.slug])),
        (_("Draw"), ""),
        view=view,
        error=error,
        key=new_token(),
        due=due,
        why_not=sentence_for(Refusal(view.why_not)) if view.why_not else "",
        warnings=presenting_draw.warnings_of(view, count=count) if view.staff and due else [],
        count=count,
        stages=_stages(view, shown),
        tabs=day_tabs(view.slug, "draw") if view.staff else (),
        **(_shown(request, view, shown) if shown else {}),
    )


def _stages(view: DrawView, shown: StageDraw | None) -> list[Row]:
    here = reverse("draw", args=[view.slug])
    return [
        {
            "label": presenting_draw.stage_title(HEATS, each.number),
            "href": f"{here}?stage={each.number}",
            "current": each is shown,
        }
        for each in reversed(view.draws)
    ]


def _shown(request: HttpRequest, view: DrawView, draw: StageDraw) -> Row:
    asked_page = max(1, number_asked(request, "page") or 1)
    try:
        pages, first, last = paged(len(draw.heats), asked_page, TABLES)
    except PageAfterLastError as after:
        pages, first, last = paged(len(draw.heats), after.last, TABLES)
    is_draft = draw.state == Stage.State.DRAFT
    asked = request.POST.get("player") or request.GET.get("move", "")
    moving, others = presenting_draw.others_of(draw, asked if is_draft else "")
    return {
        "draw": draw,
        "is_draft": is_draft,
        "heading": presenting_draw.stage_title(HEATS, draw.number),
        "heats": _linked(view, draw, presenting_draw.draw_rows(draw, first, last)),
        "pages": pages,
        "query": f"&stage={draw.number}",
        "reserves": presenting_draw.reserve_rows(draw),
        "ranked": presenting_draw.ranked_rows(draw),
        "moves": [presenting_draw.move_in_words(move) for move in draw.moves],
        "replaced": [presenting_draw.replaced_in_words(one) for one in draw.replaced],
        "moving": moving,
        "others": others,
        "renaming": number_asked(request, "rename") if view.staff and draw.state != Stage.State.CLOSED else None,
        "typed": {"reason": request.POST.get("reason", ""), "with": request.POST.get("with", "")},
        "lengths": {"reason": REASON, "name": TABLE_NAME},
        "prints": _prints(view, draw) if view.staff and not is_draft else [],
    }


def _linked(view: DrawView, draw: StageDraw, heats: list[Row]) -> list[Row]:
    """Published tables, each with the page of its seats."""
    if draw.state != Stage.State.DRAFT:
        for heat in heats:
            heat["seats"] = reverse("seat_draw", args=[view.slug, draw.number, heat["number"]])
    return heats


def _prints(view: DrawView, draw: StageDraw) -> list[Row]:
    words = ((f"places-{draw.number}", _("Place cards")), (f"blank-{draw.number}", _("Empty scoresheets")))
    return [{"href": reverse("print", args=[view.slug, word, "pdf"]), "label": label} for word, label in words]
