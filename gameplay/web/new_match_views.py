"""A friendly match is opened: a club, a table, five people by name, who are found or new."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from uuid import UUID

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
from gameplay.queries.people import Known, clubs_to_play_in, people_named
from gameplay.services.matches import TABLE_NAME, open_match
from gameplay.web.answering import http_status
from gameplay.web.match_views import SMALL
from gameplay.web.presenting import Row, mistake
from gameplay.web.reading import Given, number
from players.actor import Actor
from players.models import User
from players.services import NAME_LENGTH
from players.web.asking import actor_of, refusals_as_pages
from players.web.demo import Frame
from scoring.rules.hands import SEATS

NEW = "new"
CHOICES = {
    "recorders": ("referee", "table", "both"),
    "judge_mode": ("players", "referee"),
    "confirm_hands": ("", "on"),
}


@body_limit(SMALL)
@require_http_methods(["GET", "HEAD", "POST"])
@cache_control(no_store=True)
@refusals_as_pages
def new_match(request: HttpRequest, frame: Frame, known: Known) -> HttpResponse:
    """First the names; then, for each, who of that name it is or that he is new; then the match."""
    actor = actor_of(request)
    clubs = clubs_to_play_in(actor)
    if not clubs:
        raise Refusal("not_allowed")
    given: Given = request.POST
    error: Row | None = None
    status = 200
    names = [given.get(f"name-{seat}", "").strip() for seat in range(SEATS)]
    asked = request.method == "POST"
    if asked and given.get("action") == "open":
        try:
            return _opened(request, actor, names)
        except Refusal as refusal:
            if refusal.code in ("not_allowed", "scope_unknown"):
                raise
            error, status = mistake(refusal), http_status(refusal)
            error["seat"] = _seat(refusal)
            error["minutes"] = refusal.pointer in ("/minutes", "/match_minutes")
            status = 422 if status == 404 else status
    context = frame(
        (_("Matches"), reverse("matches")),
        (_("New match"), ""),
        clubs=[(str(club.pk), club.name, given.get("scope") == str(club.pk)) for club in clubs],
        table_name=given.get("table_name", ""),
        minutes=given.get("minutes", ""),
        table_length=TABLE_NAME,
        name_length=NAME_LENGTH,
        seats=_seats(given, names, error, partial(people_named, actor, known) if asked and all(names) else None),
        chosen={field: given.get(field, "") for field in CHOICES},
        ready=asked and all(names),
        missing=asked and not all(names),
        error=error,
        key=new_token(),
    )
    return render(request, "gameplay/new_match.html", context, status=422 if context["missing"] else status)


def _seats(given: Given, names: Sequence[str], error: Row | None, ask: Callable[[str], list[User]] | None) -> list[Row]:
    """The five lines of the form; `ask`: finds people of a name, once all names are there."""
    rows = []
    for seat, name in enumerate(names):
        found = ask(name) if ask else []
        answer = given.get(f"who-{seat}") or (str(found[0].pk) if found and found[0].display_name == name else NEW)
        rows.append(
            {
                "number": seat,
                "key": seat + 1,
                "name": name,
                "found": [(str(one.pk), one.display_name, answer == str(one.pk)) for one in found],
                "new": answer == NEW,
                "wrong": error is not None and error["seat"] == seat,
            }
        )
    return rows


def _opened(request: HttpRequest, actor: Actor, names: Sequence[str]) -> HttpResponse:
    """Opens the match. Refusals: those of `open_match`."""
    given = request.POST
    people = [_who(given.get(f"who-{seat}", NEW), names[seat], seat) for seat in range(SEATS)]
    scoring: dict[str, str | bool] = {
        field: given[field] for field in ("recorders", "judge_mode") if given.get(field) in CHOICES[field]
    }
    if given.get("confirm_hands") == "on":
        scoring["confirm_hands"] = True
    minutes = number(given, "minutes") if given.get("minutes", "").strip() else None
    answer = open_match(
        actor,
        scope=_uuid(given.get("scope", ""), "scope_unknown", ""),
        table_name=given.get("table_name", ""),
        people=people,
        scoring=scoring,
        minutes=minutes,
        key=given.get("key", ""),
    )
    messages.success(request, _("The match is open."))
    return HttpResponseRedirect(reverse("match", args=[answer["match"]]))


def _who(answer: str, name: str, seat: int) -> UUID | str:
    return name if answer == NEW else _uuid(answer, "person_unknown", f"/people/{seat}")


def _uuid(text: str, code: str, pointer: str) -> UUID:
    try:
        return UUID(text)
    except ValueError:
        raise Refusal(code, pointer=pointer) from None


def _seat(refusal: Refusal) -> int | None:
    last = refusal.pointer.rpartition("/")[2]
    return int(last) if refusal.pointer.startswith("/people/") and last.isdigit() else None
