"""After a crash or a sleep: what the matches that ran then get for it, all of them with one click."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_http_methods

from core.entropy import new_token
from core.refusal import Refusal
from core.web.body import body_limit
from gameplay.queries.recovery import Stop, stops_for_staff
from gameplay.services.recovery import answer_outage
from gameplay.web.match_views import SMALL
from gameplay.web.presenting import Row, mistake
from gameplay.web.presenting_clock import time_in_words
from players.actor import Actor
from players.rules.rights import KEEP_CLOCK
from players.web.asking import actor_of, refusals_as_pages
from players.web.demo import Frame


@body_limit(SMALL)
@require_http_methods(["GET", "HEAD", "POST"])
@cache_control(no_store=True)
@refusals_as_pages
def recovery(request: HttpRequest, frame: Frame) -> HttpResponse:
    """Stops that wait. POST answer-<id> for each that was shown, reason, key: answers them; 422 where one was refused,
    which then stands there again as it is now.
    """
    actor = actor_of(request)
    if not actor.scopes_of(KEEP_CLOCK):
        raise Refusal("not_allowed")
    reason = request.POST.get("reason", _("The clock ran while nobody could play."))
    mistakes: dict[int, Row] = {}
    if request.method == "POST":
        answered, mistakes = _answered(request, actor, reason)
        if answered:
            told = ngettext("%(count)s match has its answer.", "%(count)s matches have their answer.", answered)
            messages.success(request, told % {"count": answered})
    stops = stops_for_staff(actor)
    for number in mistakes.keys() - {stop.id for stop in stops}:
        messages.error(request, mistakes.pop(number)["text"])  # nothing to answer any more
    if request.method == "POST" and not mistakes:
        return HttpResponseRedirect(reverse("recovery"))
    context = frame(
        (_("Matches"), reverse("matches")),
        (_("After a stop"), ""),
        stops=[_row(stop, mistakes.get(stop.id)) for stop in stops],
        reason=reason,
        key=new_token(),
    )
    return render(request, "gameplay/recovery.html", context, status=422 if mistakes else 200)


def _answered(request: HttpRequest, actor: Actor, reason: str) -> tuple[int, dict[int, Row]]:
    """How many were answered, and what was refused. Each answer is a command of its own: one that the bell overtook
    keeps no other one back, and what is sent twice counts once.
    """
    key = request.POST.get("key", "")
    answered = 0
    mistakes: dict[int, Row] = {}
    for name, answer in request.POST.dict().items():
        number = name.removeprefix("answer-")
        if number == name or not (number.isascii() and number.isdigit() and len(number) < 16):
            continue
        try:
            answer_outage(actor, int(number), str(answer), reason=reason, key=f"{key}-{number}")
        except Refusal as refusal:
            if refusal.code == "not_allowed":
                raise
            mistakes[int(number)] = mistake(refusal)
        else:
            answered += 1
    return answered, mistakes


def _row(stop: Stop, error: Row | None) -> Row:
    words = {
        "credit": _("The bell rings later by as much"),
        "recovery": _("One recovery hand after the bell"),
        "nothing": _("Nothing"),
    }
    what = _("The laptop slept for %(long)s.") if stop.cause == "sleep" else _("The house stood still for %(long)s.")
    return {
        "id": stop.id,
        "table_name": stop.table_name,
        "players": ", ".join(stop.players),
        "href": reverse("match", args=[stop.match]),
        "what": what % {"long": time_in_words(stop.seconds)},
        "rung": stop.rung,
        "answers": [{"value": answer, "label": words[answer]} for answer in stop.answers],
        "article": "D7" if stop.proposal == "recovery" else "S10",
        "error": error,
    }
