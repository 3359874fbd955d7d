"""The page behind the QR code that lies on a table: who sits where, who deals, and the way to the sheet (UX-24)."""

from __future__ import annotations

from uuid import UUID

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_safe

from gameplay.queries import match_for_page
from gameplay.web.match_views import at_match
from gameplay.web.presenting_clock import clock_for_page, topics_of
from players.web.asking import actor_of, refusals_as_pages
from players.web.demo import Frame


@require_safe
@cache_control(no_store=True)
@refusals_as_pages
def table(request: HttpRequest, match: UUID, frame: Frame) -> HttpResponse:
    """For everybody, without an account. A page that fetches itself again gets the part that changes."""
    view = match_for_page(actor_of(request), match)
    over = view.state != "open" or (view.clock is not None and view.clock.over)
    seats = [
        {
            "number": at + 1,
            "name": name,
            "deals": not over and at == view.sheet.next_dealer,
            "mine": at == view.powers.seat,
        }
        for at, name in enumerate(view.players)
    ]
    context = at_match(
        frame,
        view,
        _("Table"),
        seats=seats,
        dealer=view.players[view.sheet.next_dealer],
        hand=view.next_hand,
        over=over,
        clock=clock_for_page(view, "match"),
        topics=topics_of(view),
    )
    part = request.headers.get("HX-Request") == "true"
    return render(request, "gameplay/table_seats.html" if part else "gameplay/table.html", context)
