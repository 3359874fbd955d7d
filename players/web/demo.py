"""Sign-in of the demonstration: a button for each of its people, on the machine that serves the pages only.

They have no password, and beyond this machine a session of theirs is a stranger's (players.actor).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from uuid import UUID

from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_http_methods, require_POST

from core.web.body import body_limit
from players.models import Grant, Scope, User
from players.queries import demo_people
from players.rules.rights import ADMIN
from players.web.asking import on_this_machine
from players.web.entering import enter, leave

Frame = Callable[..., dict[str, Any]]
SMALL = 4 * 1024


@body_limit(SMALL)
@require_http_methods(["GET", "HEAD", "POST"])
@cache_control(no_store=True)
def demo(request: HttpRequest, frame: Frame) -> HttpResponse:
    """The people of the demonstration; POST person=<id> signs in as one. 403 beyond this machine, for the POST.

    `frame`: makes the context of a page out of crumbs and values.
    """
    near = on_this_machine(request)
    people = demo_people()
    if request.method == "POST" and near:
        person = people.filter(pk=_uuid(request.POST.get("person", ""))).first()
        if person is None:
            raise Http404
        enter(request, person)
        return HttpResponseRedirect("/")
    context = frame((_("Demonstration"), ""), near=near, people=[(person, _roles(person)) for person in people[:20]])
    return render(request, "players/demo.html", context, status=403 if request.method == "POST" else 200)


@body_limit(SMALL)
@require_POST
def sign_out(request: HttpRequest) -> HttpResponse:
    """Ends the session and the live streams that it opened."""
    leave(request)
    return HttpResponseRedirect("/")


def _roles(person: User) -> str:
    """What somebody of the demonstration is, in words."""
    kinds = Grant.objects.filter(person=person).values_list("role", "scope__kind").order_by("pk")
    words = [
        _("administrator of the house")
        if role == ADMIN and kind == Scope.Kind.HOUSE
        else _("organiser of a club")
        if kind == Scope.Kind.CLUB
        else _("organiser")
        for role, kind in kinds
    ]
    return ", ".join(words)


def _uuid(text: str) -> UUID:
    try:
        return UUID(text)
    except ValueError:
        raise Http404 from None
