"""The clock in the hands of its keeper: start, suspend, credit, recovery, interruption, and a look at the time."""

from __future__ import annotations

from collections.abc import Callable
from typing import cast
from uuid import UUID

from django.contrib import messages
from django.http import HttpRequest, HttpResponseRedirect, JsonResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_http_methods, require_POST

from core.refusal import Refusal
from core.web.body import body_limit
from gameplay.queries import MatchView, match_for_page
from gameplay.rules.clock import FOLLOWS, Follow
from gameplay.services import clock as services
from gameplay.web.answering import answers_the_queue, http_status, wants_json
from gameplay.web.bell_views import GONE, back_to
from gameplay.web.match_views import SMALL, at_match
from gameplay.web.presenting import Row, mistake
from gameplay.web.presenting_clock import clock_for_page, time_in_words
from gameplay.web.reading import number
from players.actor import Actor
from players.web.asking import actor_of, refusals_as_pages
from players.web.demo import Frame

Given = dict[str, str]


def _start(actor: Actor, match: UUID, given: Given, key: str) -> str:
    services.start_match(actor, match, key=key)
    return _("The match has started.")


def _cancel(actor: Actor, match: UUID, given: Given, key: str) -> str:
    services.cancel_start(actor, match, reason=given.get("reason", ""), key=key)
    return _("The start is taken back.")


def _suspend(actor: Actor, match: UUID, given: Given, key: str) -> str:
    if given.get("stopped") not in ("0", "1"):
        raise Refusal("bad_field", {"field": "stopped"}, pointer="/stopped")
    stopped = given["stopped"] == "1"
    services.suspend_match(actor, match, clock_stopped=stopped, reason=given.get("reason", ""), key=key)
    return _("The match is suspended.")


def _resume(actor: Actor, match: UUID, given: Given, key: str) -> str:
    services.resume_match(actor, match, key=key)
    return _("The match goes on.")


def _recovery(actor: Actor, match: UUID, given: Given, key: str) -> str:
    services.grant_recovery(actor, match, reason=given.get("reason", ""), key=key)
    return _("A recovery hand is granted.")


def _credit(actor: Actor, match: UUID, given: Given, key: str) -> str:
    seconds = 60 * number(given, "minutes") + (number(given, "seconds") if given.get("seconds", "").strip() else 0)
    services.credit_time(actor, match, seconds=seconds, reason=given.get("reason", ""), key=key)
    return _("The bell rings later by that much.")


def _interrupt(actor: Actor, match: UUID, given: Given, key: str) -> str:
    follow = cast(Follow, given.get("follow", ""))  # another one is refused by the service
    services.interrupt_match(actor, match, follow=follow, reason=given.get("reason", ""), key=key)
    return _("The match is interrupted.")


VERBS: dict[str, Callable[[Actor, UUID, Given, str], str]] = {
    "start": _start,
    "cancel": _cancel,
    "suspend": _suspend,
    "resume": _resume,
    "recovery": _recovery,
    "credit": _credit,
    "interrupt": _interrupt,
}


@body_limit(SMALL)
@require_http_methods(["GET", "HEAD", "POST"])
@cache_control(no_store=True)
@refusals_as_pages
def match_clock(request: HttpRequest, match: UUID, frame: Frame) -> HttpResponseBase:
    """What the keeper of a clock may do. POST do, one of `VERBS`, with its fields; back: where the form stood."""
    actor, given = actor_of(request), request.POST.dict()
    error: Row | None = None
    status = 200
    if request.method == "POST":
        verb = VERBS.get(given.get("do", ""))
        try:
            if verb is None:
                raise Refusal("bad_field", {"field": "do"}, pointer="/do")
            words = verb(actor, match, given, given.get("key", ""))
        except Refusal as refusal:
            if refusal.code in GONE:
                raise
            error, status = mistake(refusal), http_status(refusal)
        else:
            messages.success(request, words)
            return HttpResponseRedirect(back_to(request, match))
    return _panel(request, frame, _kept(actor, match), error=error, given=given, status=status)


@body_limit(SMALL)
@require_POST
@cache_control(no_store=True)
@refusals_as_pages
@answers_the_queue
def reveal_time(request: HttpRequest, match: UUID, frame: Frame) -> HttpResponseBase:
    """POST: the time, once, written down in the audit trail (UX-07). As JSON `{elapsed, left}` in words."""
    actor = actor_of(request)
    found = services.reveal_time(actor, match)
    told = {name: time_in_words(found[name]) for name in ("elapsed", "left")}
    if wants_json(request):
        return JsonResponse(told)
    return _panel(request, frame, _kept(actor, match), time=told)


def _kept(actor: Actor, match: UUID) -> MatchView:
    """Refusals: `match_unknown`, `not_allowed`."""
    view = match_for_page(actor, match)
    if not view.powers.clock:
        raise Refusal("not_allowed")
    return view


def _panel(
    request: HttpRequest,
    frame: Frame,
    view: MatchView,
    *,
    time: Row | None = None,
    error: Row | None = None,
    given: Given | None = None,
    status: int = 200,
) -> HttpResponseBase:
    clock = clock_for_page(view, "clock")
    found = view.clock
    is_open = view.state == "open"
    ending = found.ending if found else None
    rules = is_open and view.powers.staff  # a ruling is a referee's, also where another keeps the clock
    goes_on = is_open and found is not None and found.state in ("running", "stopped") and not found.interrupted
    context = at_match(
        frame,
        view,
        _("Clock"),
        clock=clock,
        time=time,
        error=error,
        did=(given or {}).get("do", ""),
        typed=given or {},
        may={
            "reveal": found is not None and found.state != "ready",
            "suspend": goes_on and not (found and found.suspended),
            "credit": goes_on,
            "cancel": goes_on and not view.entries,
            "recovery": rules and found is not None and found.state != "ready" and not found.recovery,
            "interrupt": rules and found is not None and found.state != "ready",
            "answer": is_open and view.powers.staff and ending is not None and ending.why != "interrupted",
        },
        answered=ending is not None and not ending.question,
        follows=FOLLOWS,
    )
    return render(request, "gameplay/clock.html", context, status=status)
