"""The page of a match: its sheet, what this viewer can do next, dealing, accepting, signing."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_http_methods, require_POST

from core.entropy import new_token
from core.refusal import Refusal
from core.web.body import body_limit
from gameplay.queries import MatchView, match_for_page, matches_for_person
from gameplay.queries.people import clubs_to_play_in
from gameplay.services.matches import deal_next_hand, sign
from gameplay.services.recording import answer_proposal, take_back_proposal
from gameplay.web.answering import answers_the_queue, http_status, receipt, wants_json
from gameplay.web.presenting import Row, five_scores, mistake, sheet_of, told, with_pass
from gameplay.web.presenting_clock import bells_of, clock_for_page, topics_of
from gameplay.web.reading import number
from players.actor import Actor
from players.rules.rights import DECIDE_APPEALS, RECORD_MATCHES
from players.web.asking import actor_of, refusals_as_pages
from players.web.demo import Frame
from scoring.rules.procedure import SIGN
from scoring.rules.scoresheet import Award

SMALL = 16 * 1024
RECENT = 5  # entries that "what changed" shows


def at_match(frame: Frame, view: MatchView, here: str, **context: Any) -> Row:
    """The context of a page below a match; `here`: its name, "" for the match itself."""
    crumbs = [(_("Matches"), reverse("matches")), (view.table_name, reverse("match", args=[view.id]))]
    if here:
        crumbs.append((here, ""))
    href = reverse("match", args=[view.id])
    return frame(*crumbs, view=view, match_href=href, bells=bells_of(view), key=new_token(), **context)


@require_http_methods(["GET", "HEAD"])
@cache_control(no_store=True)
@refusals_as_pages
def matches(request: HttpRequest, frame: Frame) -> HttpResponse:
    """Open matches of who asks: those that he keeps, and those where he sits."""
    actor = actor_of(request)
    lines = matches_for_person(actor)
    kept, mine = ([one for one in lines if one.plays is plays] for plays in (False, True))
    opens = bool(clubs_to_play_in(actor))
    context = frame(
        (_("Matches"), ""),
        kept=kept,
        mine=mine,
        opens=opens,
        keeps=bool(actor.scopes_of(RECORD_MATCHES)),
        council=bool(actor.scopes_of(DECIDE_APPEALS)),
    )
    return render(request, "gameplay/matches.html", context)


@require_http_methods(["GET", "HEAD"])
@cache_control(no_store=True)
@refusals_as_pages
def match(request: HttpRequest, match: UUID, frame: Frame) -> HttpResponse:
    """The sheet of a match, live. A page that fetches itself again gets the part that changes, without messages."""
    view = match_for_page(actor_of(request), match)
    context = at_match(
        frame,
        view,
        "",
        sheet=sheet_of(view),
        clock=clock_for_page(view, "match"),
        topics=topics_of(view),
        proposal=_proposal(view),
        changes=_changes(view),
        seated=view.powers.staff or view.powers.seat is not None,
        can_deal=_can_deal(view),
        signed=[with_pass(view.players[seat], mark) for seat, mark in view.signed.items()],
        rulings=view.rulings,
        first_dealer=view.players[0],
        next_hand=view.next_hand + bool(view.proposal and view.proposal.hand),
    )
    part = request.headers.get("HX-Request") == "true"
    return render(request, "gameplay/_match.html" if part else "gameplay/match.html", context)


def _can_deal(view: MatchView) -> bool:
    quiet = view.state == "open" and view.proposal is None and view.claim is None
    acts = view.powers.staff or view.powers.seat is not None
    return quiet and acts and view.next_hand > 1 and view.dealt < view.next_hand and _plays(view)


def _plays(view: MatchView) -> bool:
    """A hand may be dealt, as far as a clock says so."""
    clock = view.clock
    if clock is None:
        return True
    ending = clock.ending
    return clock.state != "ready" and not clock.suspended and (ending is None or not (ending.question or ending.over))


def _proposal(view: MatchView) -> Row | None:
    """What waits for a second person, with the five scores that it would give."""
    waits = view.proposal
    if waits is None:
        return None
    try:
        scores = five_scores(view, waits.content, waits.replaces)
    except Refusal:  # what it says can no longer be written; rejecting it is still possible
        scores = []
    return {
        "number": waits.number,
        "hand": waits.hand,
        "by": waits.by,
        "words": told(view, waits.content),
        "reason": waits.reason,
        "scores": scores,
        "mine": waits.mine,
        "answers": waits.answers,
    }


def _changes(view: MatchView) -> list[Row]:
    """The entries written last, newest first: where, what, why. Nothing says when."""
    hands: list[str] = []
    rows = []
    count = 0
    for entry in view.entries:
        if entry.replaces is None:
            count += not isinstance(entry.content, Award)
            hands.append(_("Ruling") if isinstance(entry.content, Award) else _("Hand %(hand)s") % {"hand": count})
        else:
            hands.append(hands[entry.replaces])
        rows.append(
            {
                "where": hands[-1],
                "what": told(view, entry.content),
                "why": entry.reason,
                "corrects": entry.replaces is not None,
            }
        )
    return rows[: -RECENT - 1 : -1]


@body_limit(SMALL)
@require_POST
@cache_control(no_store=True)
@refusals_as_pages
@answers_the_queue
def deal_hand(request: HttpRequest, match: UUID) -> HttpResponseBase:
    """The next hand is dealt: nobody claims anything about the hand before any more."""
    answer = deal_next_hand(
        actor_of(request), match, hand=number(request.POST, "hand"), key=request.POST.get("key", "")
    )
    return receipt(request, answer, reverse("match", args=[match]))


@body_limit(SMALL)
@require_POST
@cache_control(no_store=True)
@refusals_as_pages
@answers_the_queue
def answer_waiting(request: HttpRequest, match: UUID) -> HttpResponseBase:
    """POST action accept, reject or take_back: the answer to a hand that waits for a second person (UX-17)."""
    actor, given = actor_of(request), request.POST
    waits, key = number(given, "proposal"), given.get("key", "")
    action = given.get("action")
    if action == "take_back":
        answer = take_back_proposal(actor, match, proposal=waits, key=key)
        words = _("Taken back.")
    elif action in ("accept", "reject"):
        answer = answer_proposal(actor, match, proposal=waits, accept=action == "accept", key=key)
        words = _("Accepted: it is on the sheet.") if action == "accept" else _("Rejected: it is not on the sheet.")
    else:
        raise Refusal("bad_field", {"field": "action"}, pointer="/action")
    if not wants_json(request):
        messages.success(request, words)
    return receipt(request, answer, reverse("match", args=[match]))


@body_limit(SMALL)
@require_http_methods(["GET", "HEAD", "POST"])
@cache_control(no_store=True)
@refusals_as_pages
@answers_the_queue
def sign_match(request: HttpRequest, match: UUID, frame: Frame) -> HttpResponseBase:
    """The totals in large figures, who has signed, and the button."""
    actor = actor_of(request)
    error, status = None, 200
    if request.method == "POST":
        try:
            answer = _signed(actor, match, request)
        except Refusal as refusal:
            if wants_json(request) or refusal.code in ("not_allowed", "match_unknown"):
                raise
            error, status = mistake(refusal), http_status(refusal)
        else:
            return receipt(request, answer, reverse("match", args=[match]))
    view = match_for_page(actor, match)
    if not view.powers.staff and view.powers.seat is None:
        raise Refusal("not_allowed")
    context = at_match(
        frame,
        view,
        _("Sign"),
        error=error,
        entries=len(view.entries),
        totals=sorted(zip(view.players, view.sheet.totals, strict=True), key=lambda pair: -pair[1]),
        signed=[with_pass(view.players[seat], mark) for seat, mark in view.signed.items()],
        has_signed=view.powers.seat in view.signed and not view.powers.staff,
        sign_count=SIGN,
    )
    return render(request, "gameplay/sign.html", context, status=status)


def _signed(actor: Actor, match: UUID, request: HttpRequest) -> Row:
    given = request.POST
    answer = sign(actor, match, entries=number(given, "entries"), key=given.get("key", ""))
    if not wants_json(request):
        messages.success(request, _("Signed: the match is closed.") if answer["closed"] else _("Signed."))
    return answer
