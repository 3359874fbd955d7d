"""Penalties and rulings on their way to the sheet: what it costs is shown first, then it is saved (UX-19)."""

from __future__ import annotations

from typing import Any
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
from gameplay.queries import MatchView, match_for_page
from gameplay.services import recording, rulings
from gameplay.services.claims import claim as claim_penalty
from gameplay.services.rulings import LARGEST_AWARD, checked_award
from gameplay.web.answering import answers_the_queue, http_status, receipt, wants_json
from gameplay.web.match_views import SMALL, at_match
from gameplay.web.presenting import Row, mistake, told
from gameplay.web.presenting_judging import (
    CLAIMED,
    DISLOYAL,
    SUICIDAL,
    claimable,
    claimed,
    effect_for_page,
    refused_words,
    tried,
    who_judges,
    why_not,
)
from gameplay.web.reading import Given, number, seat
from players.actor import Actor
from players.web.asking import actor_of, refusals_as_pages
from players.web.demo import Frame
from scoring.rules.penalties import check_admission, disloyal_raise
from scoring.rules.scoresheet import Admitted, Entry, check_content

ADMISSION, AWARD, DECISION = "admission", "award", "decision"
KINDS = (ADMISSION, SUICIDAL, DISLOYAL, AWARD, DECISION)
OF_STAFF = (AWARD, DECISION)
GONE = ("not_allowed", "match_unknown")
FIELDS = ("caller", "bid", "no_card", "seat", "sign", "points", "article", "question", "reason")


@body_limit(SMALL)
@require_http_methods(["GET", "HEAD", "POST"])
@cache_control(no_store=True)
@refusals_as_pages
@answers_the_queue
def penalty(request: HttpRequest, match: UUID, frame: Frame) -> HttpResponseBase:
    """GET: what can be ruled here, or (kind=) its form. POST kind, step=preview, change or save.

    An admission and points are shown as they would be on the sheet before they can be saved; a claim shows it at once.
    A queue always saves. 422 names the field and the rule.
    """
    actor = actor_of(request)
    given: Given = request.POST if request.method == "POST" else request.GET
    kind = given.get("kind", "")
    step = given.get("step", "save") if request.method == "POST" else ""
    error: Row | None = None
    status = 200
    if wants_json(request) and step not in ("", "save"):
        raise Refusal("bad_field", {"field": "step"}, pointer="/step")
    if request.method == "POST" and step == "save":
        try:
            return _saved(request, match, _save(actor, match, kind, given), kind)
        except Refusal as refusal:
            if wants_json(request) or refusal.code in GONE:
                raise
            error, status = mistake(refusal), http_status(refusal)
    view = match_for_page(actor, match)
    if not view.powers.staff and view.powers.seat is None:
        raise Refusal("not_allowed")
    if kind not in KINDS or (kind in OF_STAFF and not view.powers.staff):
        context = at_match(frame, view, _("Penalty"), choices=_choices(view), error=error)
        return render(request, "gameplay/penalty.html", context, status=status)
    effect: Row | None = None
    if step == "preview" and kind in (ADMISSION, AWARD):
        try:
            effect = _preview(view, kind, given)
        except Refusal as refusal:
            error, status = mistake(refusal), http_status(refusal)
    context = at_match(
        frame,
        view,
        _title(kind),
        kind=kind,
        headline=_title(kind),
        error=error,
        effect=effect,
        hand=given.get("hand") or view.next_hand,
        typed={field: given.get(field, "") for field in FIELDS},
        largest=LARGEST_AWARD,
    )
    context["key"] = given.get("key") or context["key"]
    context |= _claim_fields(view, kind, context) if kind in CLAIMED else _fields(view, kind, given)
    return render(request, "gameplay/penalty.html", context, status=status)


def _title(kind: str) -> str:
    return {
        ADMISSION: _("Disloyal raise, admitted"),
        SUICIDAL: _("Suicidal call"),
        DISLOYAL: _("Disloyal raise, claimed"),
        AWARD: _("Points by a ruling"),
        DECISION: _("Ruling without points"),
    }[kind]


def _choices(view: MatchView) -> list[Row]:
    """What there is to choose, each with what it means, or why it cannot be."""
    about = {
        ADMISSION: (
            _("Somebody says so himself, before the first card is led. The hand is not played, and it is repeated."),
            "S18 D19",
        ),
        SUICIDAL: (_("A call meant to lose and drag the partner down. For the last hand, if it was lost."), "S17 D18"),
        DISLOYAL: (
            _("A raise without meaning to play it, above %(bid)s. For the last hand.")
            % {"bid": view.rules.disloyal_above},
            "S18",
        ),
        AWARD: (_("Plus or minus for one player, with an article and a reason. No hand is touched."), "S2 S16"),
        DECISION: (_("What happened, what was decided and why. It goes into the case book."), "S19"),
    }
    line = claimable(view)
    rows = []
    for kind in KINDS if view.powers.staff else KINDS[:3]:
        refusal = why_not(view, line, CLAIMED[kind]) if kind in CLAIMED else _closed(view)
        text, article = about[kind]
        rows.append(
            {"kind": kind, "title": _title(kind), "text": text, "article": article, "refused": refused_words(refusal)}
        )
    return rows


def _closed(view: MatchView) -> Refusal | None:
    return None if view.state == "open" else Refusal(f"sheet_{view.state}", article="S11")


def _claim_fields(view: MatchView, kind: str, context: Row) -> Row:
    """A claim is about the last hand: its words, what it would cost and who judges; or why it cannot be claimed."""
    line = claimable(view)
    refusal = why_not(view, line, CLAIMED[kind])
    if line is None or refusal is not None:
        # Sent and refused, the sentence stands there once.
        return {"refused": None if context["error"] else refused_words(refusal), "claimed": None}
    return {
        "refused": None,
        "claimed": {"line": line.number, "hand": line.hand, "words": told(view, line.content)},
        "effect": effect_for_page(view, *claimed(view, line.number, CLAIMED[kind])),
        "judges": who_judges(view, line),
    }


def _fields(view: MatchView, kind: str, given: Given) -> Row:
    chosen = given.get("caller" if kind == ADMISSION else "seat", "")
    return {
        "refused": refused_words(_closed(view)),
        "seats": [{"number": at, "name": name, "chosen": chosen == str(at)} for at, name in enumerate(view.players)],
    }


def _preview(view: MatchView, kind: str, given: Given) -> Row:
    """What would be on the sheet. Refusals at the field."""
    if kind != ADMISSION:
        return effect_for_page(view, *tried(view, Entry(checked_award(view.rules, **_award(given)))))
    content = _admitted(given)
    try:
        check_admission(first_card_led=given.get("no_card") != "on")
    except Refusal as refusal:
        raise refusal.at("/no_card") from None
    check_content(content, view.rules)
    try:
        disloyal_raise(content.caller, content.bid, view.rules, offence=1)
    except Refusal as refusal:
        raise Refusal(refusal.code, refusal.params, article=refusal.article, pointer="/bid") from None
    return effect_for_page(view, *tried(view, Entry(content)))


def _admitted(given: Given) -> Admitted:
    return Admitted(seat(given, "caller"), number(given, "bid"))


def _award(given: Given) -> dict[str, Any]:
    """Refusals at the field: those of `number` and `seat`, `field_missing` where neither plus nor minus is chosen."""
    who = seat(given, "seat")
    signs = {"plus": 1, "minus": -1}
    if given.get("sign") not in signs:
        raise Refusal("field_missing", {"field": "sign"}, pointer="/sign")
    points = signs[given["sign"]] * number(given, "points")
    return {"seat": who, "points": points, "article": given.get("article", ""), "reason": given.get("reason", "")}


def _save(actor: Actor, match: UUID, kind: str, given: Given) -> Row:
    """Refusals: those of the services; `bad_field` for another kind."""
    key = given.get("key", "")
    if kind == ADMISSION:
        led = given.get("no_card") != "on"
        hand, content = number(given, "hand"), _admitted(given)
        return recording.record_hand(actor, match, hand=hand, content=content, first_card_led=led, key=key)
    if kind in CLAIMED:
        line, reason = number(given, "line"), given.get("reason", "")
        return claim_penalty(actor, match, line=line, kind=CLAIMED[kind], reason=reason, key=key)
    if kind == AWARD:
        return rulings.award(actor, match, **_award(given), key=key)
    if kind == DECISION:
        told = {field: given.get(field, "") for field in ("article", "question", "reason")}
        return rulings.rule(actor, match, **told, key=key)
    raise Refusal("bad_field", {"field": "kind"}, pointer="/kind")


def _saved(request: HttpRequest, match: UUID, answer: Row, kind: str) -> HttpResponseBase:
    """To the claim, to the ruling, or to the sheet."""
    if "claim" in answer:
        to, words = reverse("claim", args=[match, answer["claim"]]), _("The claim is made.")
    elif "ruling" in answer:
        to, words = reverse("ruling", args=[match, answer["ruling"]]), _("The ruling is made.")
    else:
        to, words = reverse("match", args=[match]), _("The admission is on the sheet.")
        if answer["pending"]:
            words = _("The admission waits for a second person.")
    if not wants_json(request):
        messages.success(request, words)
    return receipt(request, answer, to)
