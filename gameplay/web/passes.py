"""Seat passes as staff shows them: one for each seat, on demand."""

from __future__ import annotations

from uuid import UUID

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_http_methods

from core.refusal import Refusal
from core.web.body import body_limit
from gameplay.queries.match import match_for_page
from gameplay.services.passes import show_pass
from gameplay.web.presenting_clock import bells_of
from gameplay.web.reading import seat
from players.web.asking import actor_of, refusals_as_pages
from players.web.demo import Frame
from players.web.showing import shown
from players.web.signing import SMALL


@body_limit(SMALL)
@require_http_methods(["GET", "HEAD", "POST"])
@cache_control(no_store=True)
@refusals_as_pages
def seat_passes(request: HttpRequest, match: UUID, frame: Frame) -> HttpResponse:
    """The five seats; POST seat=0..4 makes a pass for one and shows it, once. For staff of an open match.

    Whoever had that seat by an earlier pass has it no longer.
    """
    actor = actor_of(request)
    view = match_for_page(actor, match)
    if not view.powers.staff:
        raise Refusal("not_allowed")
    if view.state != "open":
        raise Refusal("sheet_closed")
    made = None
    if request.method == "POST":
        number = seat(request.POST, "seat")
        token = show_pass(actor, match, seat=number)
        made = {"name": view.players[number], "seat": number + 1, **shown(request, reverse("take_seat"), token)}
    here = reverse("match", args=[match])
    crumbs = ((_("Matches"), reverse("matches")), (view.table_name, here), (_("Seat passes"), ""))
    seats = list(enumerate(view.players))
    context = frame(*crumbs, table=view.table_name, seats=seats, made=made, bells=bells_of(view))
    return render(request, "gameplay/seat_passes.html", context)
