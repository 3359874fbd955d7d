"""Hands written on a phone: one at a time, corrected, voided, taken back; and the conflict of two writers."""

from __future__ import annotations

import json
from uuid import UUID

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect, JsonResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_http_methods

from core.refusal import Refusal
from core.web.body import body_limit
from gameplay.queries import MatchView, match_for_page
from gameplay.services import recording
from gameplay.web.answering import answers_the_queue, http_status, receipt, wants_json
from gameplay.web.match_views import SMALL, at_match
from gameplay.web.presenting import (
    MADE_TENS,
    Row,
    bid_tens,
    five_scores,
    kind_of,
    may_correct,
    mistake,
    score_row,
    seat_buttons,
    short_names,
    state_for_script,
    told,
    words_for_script,
)
from gameplay.web.presenting_clock import clock_for_page
from gameplay.web.reading import ADMITTED, Given, fields_of, hand_from, number
from players.web.asking import actor_of, refusals_as_pages
from players.web.demo import Frame
from scoring.rules.scoresheet import Content, Line, Played

GONE = ("not_allowed", "match_unknown")


def hand_fields(view: MatchView, given: Given, error: Row | None = None) -> Row:
    """What `gameplay/_hand.html` needs: seats, keys, what was typed, and the field that is wrong."""
    return {
        "short": short_names(view.players),
        "callers": seat_buttons(view, given.get("caller", "")),
        "calleds": seat_buttons(view, given.get("called", "")),
        "bid_tens": bid_tens(view),
        "made_tens": MADE_TENS,
        "units": range(10),
        "bid": given.get("bid", ""),
        "made": given.get("made", ""),
        "error": error,
    }


@body_limit(SMALL)
@require_http_methods(["GET", "HEAD", "POST"])
@cache_control(no_store=True)
@refusals_as_pages
@answers_the_queue
def record_hand(request: HttpRequest, match: UUID, frame: Frame) -> HttpResponseBase:
    """GET: the form, or as JSON what a page must know without a network. POST action preview or save.

    422 names the field and the rule; 409 shows the hand that somebody else wrote beside this one (UX-21).
    """
    actor = actor_of(request)
    view = match_for_page(actor, match)
    if not (view.powers.staff or view.powers.seat is not None):
        raise Refusal("not_allowed")
    given: Given = request.POST
    error: Row | None = None
    scores: list[Row] = []
    status = 200
    if request.method == "POST":
        try:
            content = hand_from(given, view.rules)
            if given.get("action") == "preview":
                scores = five_scores(view, content)
            else:
                answer = recording.record_hand(
                    actor, match, hand=number(given, "hand"), content=content, key=given.get("key", "")
                )
                return _recorded(request, view, answer)
        except Refusal as refusal:
            if wants_json(request) or refusal.code in GONE:
                raise
            view = match_for_page(actor, match)  # as it is now, with what the other wrote
            if refusal.code == "hand_taken":
                return _conflict(request, frame, view, _line_of_hand(view, number(given, "hand")), content)
            error, status = mistake(refusal), http_status(refusal)
    elif wants_json(request):
        return JsonResponse(state_for_script(view))
    admits = given.get("kind") == ADMITTED
    context = at_match(
        frame,
        view,
        _("Record"),
        state=json.dumps(state_for_script(view)),
        words=words_for_script(),
        clock=clock_for_page(view, "record"),
        hand=view.next_hand,
        dealer=short_names(view.players)[view.sheet.next_dealer],
        scores=scores,
        admits=admits,
        admitters=seat_buttons(view, given.get("caller", "") if admits else ""),
        admitted_bid=given.get("bid", "") if admits else "",
        **hand_fields(view, {} if admits else given, error),
    )
    return render(request, "gameplay/record.html", context, status=status)


def _recorded(request: HttpRequest, view: MatchView, answer: Row) -> HttpResponseBase:
    """After a hand the form of the next one; one that waits for a second person is shown beside the sheet."""
    here = reverse("match" if answer["pending"] else "record_hand", args=[view.id])
    if not wants_json(request):
        words = _("Hand %(hand)s is saved.")
        if answer["pending"]:
            words = _("Hand %(hand)s was sent and waits for a second person.")
        messages.success(request, words % {"hand": answer["hand"]})
    return receipt(request, answer, here)


def _line_of_hand(view: MatchView, hand: int) -> Line:
    """Refusal `line_unknown`."""
    for line in view.sheet.lines:
        if line.hand == hand:
            return line
    raise Refusal("line_unknown")


def _line(view: MatchView, number: int) -> Line:
    """Refusal `line_unknown`."""
    if not 1 <= number <= len(view.sheet.lines):
        raise Refusal("line_unknown")
    return view.sheet.lines[number - 1]


def _conflict(request: HttpRequest, frame: Frame, view: MatchView, line: Line, mine: Content) -> HttpResponse:
    """What stands on the sheet beside what was typed: keep the one, or correct it to the other with a reason. 409."""
    entry = view.line_entries[line.number - 1]
    try:
        scores = five_scores(view, mine, entry)
    except Refusal:
        scores = []
    context = at_match(
        frame,
        view,
        _("Two writers"),
        line=line,
        entry=entry,
        theirs={"words": told(view, line.content), "scores": score_row(line, view.players, view.sheet.totals)},
        mine={"words": told(view, mine), "scores": scores},
        same=mine == line.content,
        fields=fields_of(mine),
        may_correct=may_correct(view),
        refused=request.POST.get("refused", "")[:64],
        reason=request.POST.get("reason", ""),
    )
    return render(request, "gameplay/conflict.html", context, status=409)


@body_limit(SMALL)
@require_http_methods(["GET", "HEAD", "POST"])
@cache_control(no_store=True)
@refusals_as_pages
@answers_the_queue
def correct_hand(request: HttpRequest, match: UUID, line: int, frame: Frame) -> HttpResponseBase:
    """A line of the sheet mended: POST action preview, correct, void or undo, each with a reason (UX-18).

    Both lines stay. 409 where somebody corrected it in the meantime.
    """
    actor = actor_of(request)
    view = match_for_page(actor, match)
    if not (view.powers.staff or view.powers.seat is not None):
        raise Refusal("not_allowed")
    if request.method == "POST" and wants_json(request):
        return receipt(request, _mend(request, view, line), "")
    standing = _line(view, line)
    given: Given = request.POST if request.method == "POST" else fields_of(standing.content)
    error: Row | None = None
    scores: list[Row] = []
    status = 200
    if request.method == "POST":
        try:
            if given.get("action") == "preview":
                scores = five_scores(view, _typed(view, standing, given), view.line_entries[line - 1])
            else:
                answer = _mend(request, view, line)
                words = _("Corrected. The old value stays on the sheet.")
                if answer["pending"]:
                    words = _("The correction waits for a second person.")
                messages.success(request, words)
                return HttpResponseRedirect(f"{reverse('match', args=[match])}#line-{line}")
        except Refusal as refusal:
            if refusal.code in GONE:
                raise
            view = match_for_page(actor, match)  # as it is now, with what the other wrote
            standing = _line(view, line)
            if refusal.code == "stale_entry" and given.get("action") == "correct":
                return _conflict(request, frame, view, standing, _typed(view, standing, given))
            error, status = mistake(refusal), http_status(refusal)
    kind = kind_of(standing.content)
    context = at_match(
        frame,
        view,
        _("Correct"),
        line=standing,
        line_kind=kind,
        words=told(view, standing.content),
        state=json.dumps(state_for_script(view)),
        script_words=words_for_script(),
        standing=score_row(standing, view.players, standing.totals),
        entry=view.line_entries[line - 1],
        last=view.line_entries[line - 1] == len(view.entries) - 1,
        may_correct=may_correct(view),
        kind=given.get("kind", "played"),
        action=given.get("action", "correct"),
        scores=scores,
        reason=request.POST.get("reason", ""),
        **hand_fields(view, given, error),
    )
    return render(request, "gameplay/correct.html", context, status=status)


def _typed(view: MatchView, standing: Line, given: Given) -> Content:
    """What a correction says; a penalty that was judged stays with the hand."""
    content = hand_from(given, view.rules)
    old = standing.content
    if isinstance(content, Played) and isinstance(old, Played):
        return content._replace(ruling=old.ruling)
    return content


def _mend(request: HttpRequest, view: MatchView, line: int) -> Row:
    """One of the three verbs. Refusals: those of the services, `bad_field` for another."""
    actor, given = actor_of(request), request.POST
    standing = _line(view, line)
    entry, reason, key = number(given, "entry"), given.get("reason", ""), given.get("key", "")
    action = given.get("action")
    if action == "correct":
        content = _typed(view, standing, given)
        return recording.correct_hand(actor, view.id, line=line, entry=entry, content=content, reason=reason, key=key)
    if action == "void":
        repeated = given.get("repeated") == "on"
        return recording.void_hand(actor, view.id, line=line, entry=entry, repeated=repeated, reason=reason, key=key)
    if action == "undo":
        return recording.undo(actor, view.id, entry=entry, reason=reason, key=key)
    raise Refusal("bad_field", {"field": "action"}, pointer="/action")
