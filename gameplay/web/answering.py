"""Two readers of one address: a person with a form, and the queue of a browser that sends what waited (UX-20)."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.http import HttpRequest, HttpResponseRedirect, JsonResponse
from django.http.response import HttpResponseBase

from core.refusal import Refusal
from players.web.asking import actor_of, mark_of, sentence, status_of

View = Callable[..., HttpResponseBase]
WRONG_NUMBERS = ("seat_unknown",)  # a field that is filled in wrongly, not an address


def wants_json(request: HttpRequest) -> bool:
    """The queue asks, not a person."""
    return request.headers.get("Accept", "").startswith("application/json")


def http_status(refusal: Refusal) -> int:
    """As everywhere; a seat that does not exist is a form to mend."""
    return 422 if refusal.code in WRONG_NUMBERS else status_of(refusal)


def answers_the_queue(view: View) -> View:
    """A view whose refusals become JSON for the queue: `{ok, code, article, pointer, sentence, due}`.

    What was recorded by one person and comes under the session of another is refused before the view sees it, 403
    `other_person`: the header X-Actor carries the mark of who recorded it.
    """

    @wraps(view)
    def answered(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        if not wants_json(request):
            return view(request, *args, **kwargs)
        mark = request.headers.get("X-Actor")
        if mark is not None and mark != mark_of(actor_of(request).person):
            return JsonResponse({"ok": False, "code": "other_person"}, status=403)
        try:
            return view(request, *args, **kwargs)
        except Refusal as refusal:
            told = {
                "ok": False,
                "code": refusal.code,
                "article": refusal.article,
                "pointer": refusal.pointer,
                "sentence": sentence(refusal),
                "due": refusal.params.get("due"),
            }
            return JsonResponse(told, status=http_status(refusal))

    return answered


def receipt(request: HttpRequest, answer: dict[str, Any], to: str) -> HttpResponseBase:
    """What a command came to: for the queue its receipt, for a person the page where it shows."""
    return JsonResponse({"ok": True, "receipt": answer}) if wants_json(request) else HttpResponseRedirect(to)
