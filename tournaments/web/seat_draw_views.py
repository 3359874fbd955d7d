"""The draw of the seats of a table, by the house or typed in from cards that were drawn there (S4, UX-05)."""

from __future__ import annotations

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
from players.actor import Actor
from players.web.asking import actor_of, refusals_as_pages, status_of
from tournaments.queries.drawing import SeatsView, seats_of
from tournaments.rules.replay import HEATS
from tournaments.services.drawing import draw_seats
from tournaments.web import presenting_draw
from tournaments.web.page import page
from tournaments.web.sentences import sentence_for

FORM = 8 * 1024  # bytes


@body_limit(FORM)
@require_http_methods(["GET", "HEAD", "POST"])
@cache_control(no_store=True)
@refusals_as_pages
def seats(request: HttpRequest, slug: str, stage: int, heat: int) -> HttpResponse:
    """Who sits where and by which cards. POST do=system or do=hand (card-<round>-<code>), for staff."""
    actor = actor_of(request)
    view = seats_of(actor, slug, stage, heat)
    error, status = "", 200
    given: list[dict[str, str]] = []
    if request.method == "POST":
        if not view.staff:
            raise Refusal("not_allowed")
        try:
            _draw(request, actor, view)
        except Refusal as refusal:
            if refusal.code in ("not_allowed", "plays_here"):
                raise Refusal("not_allowed") from None
            error, status = presenting_draw.named(refusal, dict(view.players)), status_of(refusal)
            given = presenting_draw.typed_rounds(view, request.POST.dict())
        else:
            messages.success(request, _("The seats are drawn."))
            return HttpResponseRedirect(reverse("seat_draw", args=[slug, stage, heat]))
    context = page(
        (_("Tournaments"), reverse("home")),
        (view.tournament, reverse("tournament", args=[slug])),
        (_("Draw"), reverse("draw", args=[slug]) if view.kind == HEATS else ""),
        (f"{view.name} · {_('Seats')}", ""),
        view=view,
        heading=presenting_draw.stage_title(view.kind, stage),
        error=error,
        why_not=sentence_for(Refusal(view.why_not)) if view.staff and view.why_not else "",
        seats=presenting_draw.seat_rows(view),
        rounds=presenting_draw.card_rounds(view),
        typing=presenting_draw.hand_rounds(view, given) if view.may_draw else [],
        key=new_token(),
    )
    return render(request, "tournaments/day/seats.html", context, status=status)


def _draw(request: HttpRequest, actor: Actor, view: SeatsView) -> None:
    """Refusals: those of `draw_seats`, `field_missing`."""
    by_hand = request.POST.get("do") == "hand"
    if not by_hand and request.POST.get("do") != "system":
        raise Refusal("field_missing", pointer="/do")
    cards = presenting_draw.typed_rounds(view, request.POST.dict()) if by_hand else None
    draw_seats(actor, view.id, stage=view.stage, heat=view.heat, cards=cards, key=request.POST.get("key", ""))
