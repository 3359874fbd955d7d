"""The bell: what a page asks, the question after it (D21), the award before it, and the device that rings in a hall."""

from __future__ import annotations

from typing import Any, cast
from uuid import UUID

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect, JsonResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_http_methods, require_POST

from core.live import HALL
from core.refusal import Refusal
from core.web.body import body_limit
from gameplay.queries import match_for_page
from gameplay.queries.bells import bell_of, ringers_for
from gameplay.rules.clock import How
from gameplay.services import bells
from gameplay.services.clock import answer_bell, award_auction
from gameplay.web.answering import answers_the_queue, http_status, wants_json
from gameplay.web.match_views import SMALL, at_match
from gameplay.web.presenting import Row, mistake
from gameplay.web.presenting_clock import clock_for_page
from gameplay.web.reading import number
from players.actor import Actor
from players.rules.rights import KEEP_CLOCK
from players.web.asking import actor_of, refusals_as_pages
from players.web.demo import Frame

BACK = {"match": "match", "record": "record_hand", "clock": "match_clock"}
GONE = ("not_allowed", "match_unknown")


def back_to(request: HttpRequest, match: UUID) -> str:
    """The page of a match from which a form was sent."""
    return reverse(BACK.get(request.POST.get("back", ""), "match"), args=[match])


@body_limit(SMALL)
@require_http_methods(["GET", "HEAD", "POST"])
@cache_control(no_store=True)
@refusals_as_pages
@answers_the_queue
def match_bell(request: HttpRequest, match: UUID, frame: Frame) -> HttpResponseBase:
    """GET as JSON: `{rung, question}`, the name of the bell that rang and whether it waits for an answer; no times.

    GET as HTML: how the match stands. POST how, and from a referee hand and reason: the answer.
    """
    actor = actor_of(request)
    if request.method != "POST":
        if wants_json(request):
            bell = bell_of(match)
            return JsonResponse({"rung": bell.rung, "question": bell.question})
        return _standing(request, actor, match, frame)
    given = request.POST
    hand = number(given, "hand") if given.get("hand", "").strip() else None
    try:
        # A `how` of another kind is refused by the service.
        how = cast(How, given.get("how", ""))
        answer_bell(actor, match, how=how, hand=hand, reason=given.get("reason", ""), key=given.get("key", ""))
    except Refusal as refusal:
        return _refused(request, actor, match, frame, refusal)
    return _done(request, actor, match, frame)


@body_limit(SMALL)
@require_POST
@cache_control(no_store=True)
@refusals_as_pages
def award(request: HttpRequest, match: UUID, frame: Frame) -> HttpResponseBase:
    """POST hand, at_120 0 or 1: the auction of this hand is awarded, and the hand in progress (S9)."""
    actor, given = actor_of(request), request.POST
    at_120 = given.get("at_120") == "1"
    try:
        award_auction(actor, match, hand=number(given, "hand"), called_at_120=at_120, key=given.get("key", ""))
    except Refusal as refusal:
        return _refused(request, actor, match, frame, refusal)
    return _done(request, actor, match, frame)


def _done(request: HttpRequest, actor: Actor, match: UUID, frame: Frame) -> HttpResponse:
    if request.headers.get("HX-Request") == "true":
        return _standing(request, actor, match, frame)
    return HttpResponseRedirect(back_to(request, match))


def _refused(request: HttpRequest, actor: Actor, match: UUID, frame: Frame, refusal: Refusal) -> HttpResponse:
    if refusal.code in GONE:
        raise refusal
    if request.POST.get("back") == "clock":  # its form has fields of its own
        messages.error(request, mistake(refusal)["text"])
        return HttpResponseRedirect(back_to(request, match))
    return _standing(request, actor, match, frame, mistake(refusal), http_status(refusal))


def _standing(
    request: HttpRequest, actor: Actor, match: UUID, frame: Frame, error: Row | None = None, status: int = 200
) -> HttpResponse:
    """How a match stands; as a part for the page on which hands are recorded, else as a page of its own."""
    part = request.headers.get("HX-Request") == "true"
    view = match_for_page(actor, match)
    clock = clock_for_page(view, "record" if part else "match")
    context = at_match(frame, view, _("The bell"), clock=clock, error=error)
    return render(request, "gameplay/clock_table.html" if part else "gameplay/bell.html", context, status=status)


def _keeper(request: HttpRequest) -> Actor:
    """Refusal `not_allowed` for whoever keeps no clock anywhere."""
    actor = actor_of(request)
    if not actor.scopes_of(KEEP_CLOCK):
        raise Refusal("not_allowed")
    return actor


@require_http_methods(["GET", "HEAD"])
@cache_control(no_store=True)
@refusals_as_pages
def bell_device(request: HttpRequest, frame: Frame) -> HttpResponse:
    """The page that rings: for staff, a phone or laptop that lies in the hall with its sound on."""
    actor = _keeper(request)
    scopes = sorted(actor.scopes_of(KEEP_CLOCK))
    context = frame(
        (_("Matches"), reverse("matches")),
        (_("Bell of the hall"), ""),
        tables=_tables(actor),
        topics=" ".join((*(f"scope:{scope}" for scope in scopes), HALL)),
        others=others_in_words(_others(actor, "")),
    )
    return render(request, "gameplay/bell_device.html", context)


@body_limit(SMALL)
@require_POST
@cache_control(no_store=True)
@refusals_as_pages
@answers_the_queue
def bell_armed(request: HttpRequest) -> HttpResponseBase:
    """A device says whether its sound is on, and hears which bells have rung.

    POST device, armed 0 or 1; answer `{kept, others, words, tables: [{match, table, words, rung}]}`: `kept`: it counts
    as armed for the next half minute.
    """
    actor, given = _keeper(request), request.POST
    device = given.get("device", "")
    on = given.get("armed") == "1"
    tell = bells.arm if on else bells.disarm
    kept = [tell(actor, scope, device) for scope in actor.scopes_of(KEEP_CLOCK)]
    others = _others(actor, device)
    told = {"kept": on and all(kept), "others": others, "words": others_in_words(others), "tables": _tables(actor)}
    return JsonResponse(told)


def _others(actor: Actor, device: str) -> int:
    """How many other devices ring for all that this one rings for; the least of its scopes counts."""
    return min(bells.armed(scope, besides=device) for scope in actor.scopes_of(KEEP_CLOCK))


def others_in_words(count: int) -> str:
    """How many devices would still be heard if this one falls silent."""
    if count == 0:
        return _("No other device is armed.")
    return _("One other device is armed.") if count == 1 else _("%(count)s other devices are armed.") % {"count": count}


def _tables(actor: Actor) -> list[dict[str, Any]]:
    return [
        {
            "match": str(one.match),
            "table": one.table_name,
            "words": _("the bell has rung") if one.rung else _("plays"),
            "rung": one.rung or "",
        }
        for one in ringers_for(actor)
    ]
