"""Claims before their judges, and rulings with what may follow: taken back, appealed (UX-27, S2, S19)."""

from __future__ import annotations

from uuid import UUID

from django.contrib import messages
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_http_methods

from core.refusal import Refusal
from core.web.body import body_limit
from gameplay.queries import MatchView, RulingView, match_for_page
from gameplay.services import claims, matches, rulings
from gameplay.web.answering import answers_the_queue, http_status, receipt, wants_json
from gameplay.web.match_views import SMALL, at_match
from gameplay.web.presenting import Row, mistake, told, with_pass
from gameplay.web.presenting_judging import (
    appeal_in_words,
    claim_for_page,
    decided_by_words,
    kind_in_words,
    outcome_in_words,
    reasons_of,
)
from players.actor import Actor
from players.web.asking import actor_of, refusals_as_pages
from players.web.demo import Frame
from scoring.models import Ruling
from scoring.services.judging import NOT_REVOKED

GONE = ("not_allowed", "match_unknown", "claim_unknown", "ruling_unknown")


@body_limit(SMALL)
@require_http_methods(["GET", "HEAD", "POST"])
@cache_control(no_store=True)
@refusals_as_pages
@answers_the_queue
def claim(request: HttpRequest, match: UUID, claim: int, frame: Frame) -> HttpResponseBase:
    """A claim: its judges vote, a referee decides, its claimant withdraws. Nobody sees a vote before all have voted.

    POST do=vote (uphold), do=decide (uphold, reason) or do=withdraw (reason).
    """
    actor = actor_of(request)
    error: Row | None = None
    status = 200
    if request.method == "POST":
        try:
            answer = _about_claim(actor, match, claim, request)
        except Refusal as refusal:
            if wants_json(request) or refusal.code in GONE:
                raise
            error, status = mistake(refusal), http_status(refusal)
        else:
            return receipt(request, answer, reverse("claim", args=[match, claim]))
    view = match_for_page(actor, match)
    found = next((one for one in view.claims if one.number == claim), None)
    if found is None:
        raise Refusal("claim_unknown")
    told = claim_for_page(view, found)
    is_open = found.state == "open" and view.state == "open"
    context = at_match(
        frame,
        view,
        told["headline"],
        claim=found,
        error=error,
        typed=request.POST.get("reason", ""),
        votes_now=is_open and found.judge and found.vote is None,
        decides_now=is_open and not found.judges and view.powers.staff,
        withdraws=is_open and (found.mine or view.powers.staff),
        **told,
    )
    # A page that fetches itself again gets the part that changes; a message waits for a whole page.
    part = request.headers.get("HX-Request") == "true" and request.method != "POST"
    return render(request, "gameplay/_claim_state.html" if part else "gameplay/claim.html", context, status=status)


def _about_claim(actor: Actor, match: UUID, claim: int, request: HttpRequest) -> Row:
    """Refusals: those of the services, `bad_field`."""
    given, key = request.POST, request.POST.get("key", "")
    what, reason = given.get("do"), given.get("reason", "")
    if what == "withdraw":
        return claims.withdraw_claim(actor, match, claim=claim, reason=reason, key=key)
    if given.get("uphold") not in ("0", "1") or what not in ("vote", "decide"):
        raise Refusal("bad_field", {"field": "uphold"}, pointer="/uphold")
    uphold = given["uphold"] == "1"
    if what == "decide":
        return claims.decide_claim(actor, match, claim=claim, uphold=uphold, reason=reason, key=key)
    return claims.cast_vote(actor, match, claim=claim, uphold=uphold, key=key)


@body_limit(SMALL)
@require_http_methods(["GET", "HEAD", "POST"])
@cache_control(no_store=True)
@refusals_as_pages
def ruling(request: HttpRequest, match: UUID, ruling: UUID, frame: Frame) -> HttpResponseBase:
    """One ruling. POST do=revoke or do=appeal, with a reason."""
    actor = actor_of(request)
    error: Row | None = None
    status = 200
    if request.method == "POST":
        try:
            return _about_ruling(actor, match, ruling, request)
        except Refusal as refusal:
            if refusal.code in GONE:
                raise
            error, status = mistake(refusal), http_status(refusal)
    view = match_for_page(actor, match)
    found = next((one for one in view.rulings if one.id == ruling), None)
    if found is None:
        raise Refusal("ruling_unknown")
    others = {one.id: one for one in view.rulings}
    context = at_match(
        frame,
        view,
        kind_in_words(found.kind),
        ruling=found,
        headline=kind_in_words(found.kind),
        by=decided_by_words(found.decided_by, found.by),
        outcome=outcome_in_words(found),
        appeal=appeal_in_words(found),
        written=_written(view, found),
        votes=_votes(view, found),
        revoked_by=others.get(found.revoked_by) if found.revoked_by else None,
        revokes=others.get(found.revokes) if found.revokes else None,
        error=error,
        did=request.POST.get("do", ""),
        typed=request.POST.get("reason", ""),
        may_revoke=may_revoke(view, found),
        may_appeal=may_appeal(view, found),
        council=view.powers.council,
    )
    return render(request, "gameplay/ruling.html", context, status=status)


def _about_ruling(actor: Actor, match: UUID, ruling: UUID, request: HttpRequest) -> HttpResponseBase:
    given, key = request.POST, request.POST.get("key", "")
    what, reason = given.get("do"), given.get("reason", "")
    if what == "revoke":
        answer = rulings.revoke(actor, match, ruling=ruling, reason=reason, key=key)
        messages.success(request, _("The ruling is taken back."))
        return receipt(request, answer, reverse("ruling", args=[match, answer["ruling"]]))
    if what == "appeal":
        answer = rulings.appeal(actor, match, ruling=ruling, reason=reason, key=key)
        messages.success(request, _("The appeal is made."))
        return receipt(request, answer, reverse("ruling", args=[match, ruling]))
    raise Refusal("bad_field", {"field": "do"}, pointer="/do")


def may_revoke(view: MatchView, ruling: RulingView) -> bool:
    """A referee, what a referee ruled, as long as the match is open and nobody appealed."""
    stands = ruling.upheld and not ruling.revoked and ruling.kind not in NOT_REVOKED and ruling.appeal is None
    return stands and view.powers.staff and view.state == "open" and ruling.decided_by == Ruling.By.REFEREE


def may_appeal(view: MatchView, ruling: RulingView) -> bool:
    """A player of the match or its organiser, once, against what a referee ruled."""
    here = view.powers.staff or view.powers.seat is not None
    ruled = ruling.decided_by == Ruling.By.REFEREE and ruling.kind not in NOT_REVOKED
    return here and ruled and not ruling.revoked and ruling.appeal is None


def _written(view: MatchView, ruling: RulingView) -> Row | None:
    """What it wrote on the sheet; `reason` as long as that stands there. None where it wrote nothing."""
    if ruling.entry is None or ruling.line is None:
        return None
    line = view.sheet.lines[ruling.line - 1]
    stands = view.line_entries[ruling.line - 1] == ruling.entry
    return {
        "line": ruling.line,
        "hand": line.hand,
        "words": told(view, view.entries[ruling.entry].content),
        "reason": reasons_of(view, line) if stands else None,
        "stands": stands,
    }


def _votes(view: MatchView, ruling: RulingView) -> list[Row]:
    """How the table voted, by name; a verdict has every vote."""
    claimed = next((one for one in view.claims if one.number == ruling.claim), None)
    if claimed is None or not claimed.votes:
        return []
    votes, passes = claimed.votes, claimed.passes
    return [{"name": with_pass(view.players[seat], passes[seat]), "uphold": votes[seat]} for seat in sorted(votes)]


@body_limit(SMALL)
@require_http_methods(["GET", "HEAD", "POST"])
@cache_control(no_store=True)
@refusals_as_pages
def reopen(request: HttpRequest, match: UUID, frame: Frame) -> HttpResponseBase:
    """A signed match is written on again: by a referee, with a reason for the case book (S11)."""
    actor = actor_of(request)
    error: Row | None = None
    status = 200
    if request.method == "POST":
        try:
            answer = matches.reopen_match(
                actor, match, reason=request.POST.get("reason", ""), key=request.POST.get("key", "")
            )
        except Refusal as refusal:
            if refusal.code in GONE:
                raise
            error, status = mistake(refusal), http_status(refusal)
        else:
            messages.success(request, _("The match is open again."))
            return receipt(request, answer, reverse("match", args=[match]))
    view = match_for_page(actor, match)
    if not view.powers.staff or view.powers.seat is not None:
        raise Refusal("not_allowed")
    context = at_match(frame, view, _("Open again"), error=error, typed=request.POST.get("reason", ""))
    return render(request, "gameplay/reopen.html", context, status=status)
