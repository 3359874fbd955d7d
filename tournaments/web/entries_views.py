"""The list of entrants: who is entered, by name, and who is taken out again (UX-02, UX-51)."""

from __future__ import annotations

from typing import Any
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
from players.actor import Actor
from players.queries import above
from players.rules.names import search_key
from players.services import NAME_LENGTH
from players.web.asking import actor_of, refusals_as_pages, status_of
from tournaments.exchange.entries_file import CLUB_LENGTH
from tournaments.queries.entries import Entries, Known, entries_for_page, people_to_enter
from tournaments.services.entering import enter_player, remove_entry
from tournaments.web.day_tabs import day_tabs
from tournaments.web.importing import history_in_words
from tournaments.web.page import page
from tournaments.web.presenting import Row
from tournaments.web.sentences import sentence_for

SMALL = 16 * 1024
NEW = "new"
DOORS = ("not_allowed", "tournament_unknown")


def at_entries(view: Entries, name: str, here: str, **context: Any) -> Row:
    """The context of a page of entrants; `name`: of its address, `here`: of the page.

    `topics`: what its live part listens to.
    """
    crumbs = [(_("Tournaments"), reverse("home")), (view.name, reverse("tournament", args=[view.slug]))]
    if name != "entries" and here != _("Check-in"):
        crumbs.append((_("Entries"), reverse("entries", args=[view.slug])))
    return page(
        *crumbs,
        (here, ""),
        view=view,
        tabs=day_tabs(view.slug, name),
        topics=[f"scope:{scope}" for scope in above(view.scope)],
        key=new_token(),
        **context,
    )


@body_limit(SMALL)
@require_http_methods(["GET", "HEAD", "POST"])
@cache_control(no_store=True)
@refusals_as_pages
def entries(request: HttpRequest, slug: str) -> HttpResponse:
    """Everybody who is entered. `q`: a name that shall be; then who of that name it is. POST do=enter or do=remove."""
    actor = actor_of(request)
    view = entries_for_page(actor, slug)
    told = request.POST if request.method == "POST" else request.GET
    refused: Refusal | None = None
    if request.method == "POST":
        try:
            return _done(request, actor, view)
        except Refusal as refusal:
            if refusal.code in DOORS:
                raise
            refused = refusal
    sought = told.get("q", "").strip()[:NAME_LENGTH]
    if request.headers.get("HX-Request") == "true":
        return render(request, "tournaments/day/entries_list.html", at_entries(view, "entries", _("Entries")))
    context = at_entries(
        view,
        "entries",
        _("Entries"),
        refused=refused and sentence_for(refused),
        name_length=NAME_LENGTH,
        club_length=CLUB_LENGTH,
        q=sought,
        again="next" in told,
        **(_asked(actor, view, sought, told.get("who", ""), told.get("club", "")) if sought else {}),
    )
    return render(request, "tournaments/day/entries.html", context, status=_status(refused))


def _status(refused: Refusal | None) -> int:
    """Of a form that was refused, 422 also where what it names is not there: the page itself is."""
    if refused is None:
        return 200
    status = status_of(refused)
    return 422 if status == 404 else status


def _done(request: HttpRequest, actor: Actor, view: Entries) -> HttpResponse:
    told = request.POST
    here = reverse("entries", args=[view.slug])
    if told.get("do") == "remove":
        remove_entry(actor, view.tournament, code=told.get("code", ""), key=told.get("key", ""))
        messages.success(request, _("Taken out of the list."))
        return HttpResponseRedirect(here)
    who, name = told.get("who", ""), told.get("q", "")
    if not who:
        raise Refusal("who_is_it", pointer="/who")
    person = name if who == NEW else person_named(who)
    answer = enter_player(actor, view.tournament, person=person, club=told.get("club", ""), key=told.get("key", ""))
    messages.success(request, _("Entered as %(code)s.") % {"code": answer["code"]})
    return HttpResponseRedirect(f"{here}?next")


def person_named(text: str) -> UUID:
    """The id in a form. Refusal: `person_unknown`."""
    try:
        return UUID(text)
    except ValueError:
        raise Refusal("person_unknown", pointer="/who") from None


def _asked(actor: Actor, view: Entries, sought: str, who: str, club: str) -> Row:
    """Who is meant: known people of these words, who is in already, or somebody new."""
    found = people_to_enter(actor, sought, view.club_slug)
    there = {line.person: line.code for line in view.lines}
    key = search_key(sought)
    options = [_option(row, there.get(row.person.person), who or _sure(found, key)) for row in found]
    return {
        "options": options,
        "new": who == NEW or not found,
        "namesakes": view.by_name().get(key, ()),
        "club": club,
        "sought": True,
    }


def _sure(found: tuple[Known, ...], key: str) -> str:
    """The only one of exactly this name, if he played in this club; nobody is meant by his name alone."""
    same = [row for row in found if search_key(row.person.name) == key]
    return str(same[0].person.person) if len(same) == 1 and same[0].at_home else ""


def _option(row: Known, code: str | None, who: str) -> Row:
    person = row.person
    return {
        "value": str(person.person),
        "name": person.name,
        "told": known_in_words(row),
        "code": code or "",
        "checked": who == str(person.person) and not code,
    }


def known_in_words(row: Known) -> str:
    """What tells somebody from his namesakes."""
    home = _("played in this club") if row.at_home else ""
    return " · ".join(filter(None, (home, history_in_words(row.person))))
