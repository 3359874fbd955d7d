"""People corrected, merged and erased by staff (UX-53)."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_http_methods

from core.entropy import new_token
from core.refusal import Refusal
from players.actor import Actor
from players.models import User
from players.rules.names import fold_letters
from players.rules.rights import RUN_TOURNAMENT
from players.services import NAME_LENGTH, above
from players.web.asking import actor_of, refusals_as_pages, status_of
from tournaments.queries.people import PersonView, found, people_found, person_for_page
from tournaments.queries.staff import Played, mentions_of, played_by
from tournaments.queries.tournament import file_for_export, tournament_for_page
from tournaments.rules.content import content_hash
from tournaments.services.people import anonymise_person, correct_person, may_manage, merge_people
from tournaments.services.publishing import publish_tournament
from tournaments.web.page import page
from tournaments.web.presenting import champion_of
from tournaments.web.presenting_series import agp_columns, agp_rows, moves
from tournaments.web.sentences import sentence_for

PROPOSED = 20  # people that a search proposes
SHOWN = 20  # lines of the A.G.P. ranking before it is published


class PersonForm(forms.Form):
    """What of a person can be corrected; `version` and `key` make a late or a second sending harmless."""

    name = forms.CharField(label=gettext_lazy("Name"), max_length=NAME_LENGTH)
    hidden = forms.BooleanField(
        label=gettext_lazy("Hide the history"),
        help_text=gettext_lazy("The page of this person then shows no tournaments; rankings stay as they are."),
        required=False,
    )
    version = forms.IntegerField(widget=forms.HiddenInput)
    key = forms.CharField(widget=forms.HiddenInput, max_length=60)


def may_edit(actor: Actor, person: UUID) -> bool:
    """Whether the page of a person shows the buttons of staff. No query for a stranger, three for who signed in."""
    return actor.person is not None and may_manage(actor, person)


def _managed(request: HttpRequest, person: UUID) -> tuple[Actor, PersonView]:
    """Who asks, and the person he may change. Refusals: `person_unknown`, `not_allowed`, `person_gone`."""
    view = person_for_page(person)
    actor = actor_of(request)
    if not may_edit(actor, person):
        raise Refusal("not_allowed")
    if view.erased or view.merged_into:
        raise Refusal("person_gone")
    return actor, view


def _gone_as_page(request: HttpRequest, person: UUID, refusal: Refusal) -> HttpResponse:
    """Who was merged or erased cannot be changed: says so. Other refusals go on."""
    if refusal.code != "person_gone":
        raise refusal
    context = page((_("Players"), reverse("players")), (_("Gone"), ""), text=sentence_for(refusal))
    return render(request, "players/refused.html", context, status=410)


def _page(view: PersonView, here: str, **context: Any) -> dict[str, Any]:
    crumbs = ((_("Players"), reverse("players")), (view.name, reverse("player", args=[view.id])), (here, ""))
    return page(*crumbs, person=view, **context)


def _history(*people: UUID) -> list[tuple[Played, ...]]:
    """Everything that each of these played, drafts and hidden histories too: staff must tell namesakes apart."""
    told = played_by(User.objects.filter(pk__in=people), everything=True)
    return [told.get(person, ()) for person in people]


@require_http_methods(["GET", "HEAD", "POST"])
@cache_control(no_store=True)
@refusals_as_pages
def edit_person(request: HttpRequest, person: UUID) -> HttpResponse:
    """Another name, history shown or not. 409 where somebody else was quicker, with the name as it is now."""
    try:
        actor, view = _managed(request, person)
    except Refusal as refusal:
        return _gone_as_page(request, person, refusal)
    fresh = {"name": view.name, "hidden": view.hidden, "version": view.version, "key": new_token()}
    form = PersonForm(request.POST if request.method == "POST" else None, initial=fresh)
    conflict, status = "", 200
    if request.method == "POST":
        status = 422
        if form.is_valid():
            told = form.cleaned_data
            try:
                correct_person(
                    actor, person, name=told["name"], hidden=told["hidden"], version=told["version"], key=told["key"]
                )
            except Refusal as refusal:
                status = status_of(refusal)
                if refusal.code == "stale_version":
                    conflict = sentence_for(refusal)
                    # What was typed stays, and can be saved over the newer state, now that it was seen.
                    form = PersonForm(initial={**fresh, "name": told["name"], "hidden": told["hidden"]})
                else:
                    form.add_error("name", sentence_for(refusal))
            else:
                messages.success(request, _("Saved."))
                return HttpResponseRedirect(reverse("player", args=[person]))
    context = _page(view, _("Edit"), form=form, conflict=conflict)
    return render(request, "tournaments/edit_person.html", context, status=status)


@require_http_methods(["GET", "HEAD", "POST"])
@cache_control(no_store=True)
@refusals_as_pages
def merge_person(request: HttpRequest, person: UUID) -> HttpResponse:
    """Who this person really is: a search, then both side by side, then the merge."""
    told = request.POST if request.method == "POST" else request.GET
    refused: Refusal | None = None
    if request.method == "POST":
        # At once, before anything is looked at: sent twice, the answer to the second is that to the first.
        stays = _uuid(told.get("into", ""))
        try:
            merge_people(actor_of(request), gone=person, stays=stays, key=told.get("key", ""))
        except Refusal as refusal:
            refused = refusal
        else:
            messages.success(request, _("Merged."))
            return HttpResponseRedirect(reverse("player", args=[stays]))
    try:
        actor, view = _managed(request, person)
    except Refusal as refusal:
        return _gone_as_page(request, person, refusal)
    if not told.get("into"):
        context = _page(view, _("Merge"), **_search(view, told.get("q", "")))
        return render(request, "tournaments/merge_person.html", context)
    other = person_for_page(_uuid(told.get("into", "")))
    refused = refused or _why_not(actor, view, other)
    mine, theirs = _history(person, other.id)
    context = _page(
        view,
        _("Merge"),
        other=other,
        sides=[{"person": view, "played": mine, "stays": False}, {"person": other, "played": theirs, "stays": True}],
        refused=refused and sentence_for(refused),
        key=new_token(),
    )
    return render(request, "tournaments/merge_person.html", context, status=status_of(refused) if refused else 200)


def _search(view: PersonView, text: str) -> dict[str, Any]:
    """Who it may be: people of these words; at first, of the same name."""
    rows = people_found(text or view.name).exclude(pk=view.id)
    people = found(list(rows[: PROPOSED + 1]))
    return {"q": text, "people": people[:PROPOSED], "more": len(people) > PROPOSED}


def _why_not(actor: Actor, gone: PersonView, stays: PersonView) -> Refusal | None:
    if gone.id == stays.id:
        return Refusal("same_person")
    if stays.erased or stays.merged_into:
        return Refusal("person_gone")
    if not may_manage(actor, gone.id, stays.id):
        return Refusal("not_allowed")
    mine, theirs = ({line.tournament for line in played} for played in _history(gone.id, stays.id))
    return Refusal("sat_together") if mine & theirs else None


def _uuid(text: str) -> UUID:
    try:
        return UUID(text)
    except ValueError:
        raise Refusal("person_unknown") from None


@require_http_methods(["GET", "HEAD", "POST"])
@cache_control(no_store=True)
@refusals_as_pages
def erase_person(request: HttpRequest, person: UUID) -> HttpResponse:
    """Takes the name out of everything, for good, when the word on the page was typed."""
    word = _("erase")
    typed = fold_letters(request.POST.get("word", "").strip()) == fold_letters(word)
    try:
        if request.method == "POST" and typed:
            anonymise_person(actor_of(request), person, key=request.POST.get("key", ""))
            messages.success(request, _("The name was erased."))
            return HttpResponseRedirect(reverse("player", args=[person]))
        _actor, view = _managed(request, person)
    except Refusal as refusal:
        return _gone_as_page(request, person, refusal)
    wrong = request.method == "POST"
    (played,) = _history(person)
    context = _page(
        view, _("Erase"), word=word, wrong=wrong, played=played, mentions=mentions_of(person), key=new_token()
    )
    return render(request, "tournaments/erase_person.html", context, status=422 if wrong else 200)


@require_http_methods(["GET", "HEAD", "POST"])
@cache_control(no_store=True)
@refusals_as_pages
def publish(request: HttpRequest, slug: str) -> HttpResponse:
    """Shows what would be published, with its hash and the A.G.P. before and after (UX-13), and publishes it.

    Only the staff of a draft know that it is there.
    """
    actor = actor_of(request)
    view = tournament_for_page(actor, slug)
    actor.require(RUN_TOURNAMENT, above(view.scope))
    here = reverse("tournament", args=[slug])
    error, status = "", 200
    if request.method == "POST":
        try:
            publish_tournament(actor, view.stamp.tournament, key=request.POST.get("key", ""))
        except Refusal as refusal:
            if refusal.code not in ("stage_open", "final_missing"):
                raise
            error, status = sentence_for(refusal), status_of(refusal)
        else:
            return HttpResponseRedirect(here)
    crumbs = ((_("Tournaments"), reverse("home")), (view.name, here), (_("Publish"), ""))
    context = page(
        *crumbs,
        view=view,
        here=here,
        key=new_token(),
        error=error,
        hash="" if view.published else content_hash(file_for_export(actor, slug)),
        champion=champion_of(view),
        moves=moves(view),
        agp=agp_rows(view, 0, SHOWN) if moves(view) else [],
        agp_columns=agp_columns(view),
    )
    return render(request, "tournaments/publish.html", context, status=status)
