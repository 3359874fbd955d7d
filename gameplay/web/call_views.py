"""The referee is called to a table, and comes (UX-22)."""

from __future__ import annotations

from uuid import UUID

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_http_methods, require_POST

from core.entropy import new_token
from core.refusal import Refusal
from core.web.body import body_limit
from gameplay.queries import calls_for_staff
from gameplay.services import calls as services
from gameplay.web.match_views import SMALL
from players.rules.rights import RECORD_MATCHES
from players.web.asking import actor_of, refusals_as_pages
from players.web.demo import Frame


@require_http_methods(["GET", "HEAD"])
@cache_control(no_store=True)
@refusals_as_pages
def calls(request: HttpRequest, frame: Frame) -> HttpResponse:
    """The tables that wait for a referee, the first who called first; for a page that follows, the list alone."""
    actor = actor_of(request)
    scopes = actor.scopes_of(RECORD_MATCHES)
    if not scopes:
        raise Refusal("not_allowed")
    context = frame(
        (_("Matches"), reverse("matches")),
        (_("Calls"), ""),
        calls=calls_for_staff(actor),
        topics=[f"scope:{scope}" for scope in sorted(scopes)],
        key=new_token(),
    )
    part = request.headers.get("HX-Request") == "true"
    return render(request, "gameplay/_calls.html" if part else "gameplay/calls.html", context)


@body_limit(SMALL)
@require_POST
@cache_control(no_store=True)
@refusals_as_pages
def call_referee(request: HttpRequest, match: UUID) -> HttpResponse:
    """POST words: calls the referee to the table."""
    given = request.POST
    services.call_referee(actor_of(request), match, words=given.get("words", ""), key=given.get("key", ""))
    return HttpResponseRedirect(reverse("match", args=[match]))


@body_limit(SMALL)
@require_POST
@cache_control(no_store=True)
@refusals_as_pages
def answer_call(request: HttpRequest, match: UUID, call: int) -> HttpResponse:
    """POST to=match or calls: the referee is on his way."""
    given = request.POST
    services.answer_call(actor_of(request), match, call=call, key=given.get("key", ""))
    messages.success(request, _("The table knows that you are coming."))
    to = reverse("match", args=[match]) if given.get("to") == "match" else reverse("calls")
    return HttpResponseRedirect(to)
