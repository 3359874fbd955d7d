"""Who goes on from the last stage, for its organiser: withdrawals with lawful substitutes, and the finals (UX-11)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_http_methods

from core.refusal import Refusal
from core.web.body import body_limit
from gameplay.rules.ruleset import game_rules
from gameplay.web.reading import number
from players.actor import Actor
from players.web.asking import actor_of, refusals_as_pages, status_of
from tournaments.models import Stage
from tournaments.queries.board import Board, board_for_page
from tournaments.queries.impact import withdrawal_impact
from tournaments.queries.tournament import TournamentView, tournament_for_page
from tournaments.rules.replay import FINAL, SECOND_FINAL, StageOutcome
from tournaments.services import finals, lots
from tournaments.web import presenting, reasons
from tournaments.web.board_views import FORM, GONE, at_day
from tournaments.web.day_tabs import day_tabs
from tournaments.web.presenting_draw import named
from tournaments.web.presenting_impact import impact_rows

Row = dict[str, Any]
Given = dict[str, str]


@body_limit(FORM)
@require_http_methods(["GET", "HEAD", "POST"])
@cache_control(no_store=True)
@refusals_as_pages
def qualified(request: HttpRequest, slug: str) -> HttpResponse:
    """Who goes on. GET ?player=&target= shows what would follow if he renounced; POST do=withdraw, back (the last
    withdrawal), open_finals, length or lots.
    """
    actor = actor_of(request)
    board = board_for_page(actor, slug)
    error, status, given = "", 200, request.POST.dict()
    if request.method == "POST":
        try:
            said = _done(actor, board, given)
        except Refusal as refusal:
            if refusal.code in GONE:
                raise
            error, status = _sentence(board, refusal), 422 if refusal.code == "entrant_unknown" else status_of(refusal)
            board = board_for_page(actor, slug)
        else:
            messages.success(request, said)
            return HttpResponseRedirect(reverse("qualified", args=[slug]))
    asked = given if error else {"player": request.GET.get("player", ""), "target": request.GET.get("target", "")}
    context = _context(actor, board, asked)
    return render(request, "tournaments/day/qualified.html", {**context, "error": error, "given": given}, status=status)


def _sentence(board: Board, refusal: Refusal) -> str:
    """With names where the refusal has codes."""
    return named(refusal, {entrant.code: entrant.name for entrant in board.day.entrants})


def _done(actor: Actor, board: Board, given: Given) -> str:
    """Does what the form asks for; what is said then. Refusals: those of `finals` and `lots`, `bad_field`."""
    verbs: dict[str, Callable[[Actor, Board, Given], str]] = {
        "withdraw": _withdraw,
        "back": _take_back,
        "open_finals": _open_finals,
        "length": _length,
        "lots": _lots,
    }
    verb = verbs.get(given.get("do", ""))
    if verb is None:
        raise Refusal("bad_field", {"field": "do"}, pointer="/do")
    return verb(actor, board, given)


def _withdraw(actor: Actor, board: Board, given: Given) -> str:
    player, target = given.get("player", ""), given.get("target", "")
    finals.withdraw(actor, board.day.tournament.pk, player=player, target=target, key=given.get("key", ""))
    return _("The withdrawal is written down.")


def _take_back(actor: Actor, board: Board, given: Given) -> str:
    finals.revoke_withdrawal(actor, board.day.tournament.pk, number=number(given, "number"), key=given.get("key", ""))
    return _("The withdrawal is taken back.")


def _open_finals(actor: Actor, board: Board, given: Given) -> str:
    names = (given.get(FINAL, ""), given.get(SECOND_FINAL) or _("Second final"))
    finals.open_finals(actor, board.day.tournament.pk, names=names, key=given.get("key", ""))
    return _("The tables of the finals are set up.")


def _length(actor: Actor, board: Board, given: Given) -> str:
    minutes = number(given, "minutes")
    finals.agree_second_final(actor, board.day.tournament.pk, minutes=minutes, key=given.get("key", ""))
    return _("The length of the second final is agreed.")


def _lots(actor: Actor, board: Board, given: Given) -> str:
    lots.draw_lots(actor, board.day.tournament.pk, key=given.get("key", ""))
    return _("The lots are drawn. Their seed is kept in the record of the tournament.")


def _context(actor: Actor, board: Board, asked: Given) -> Row:
    row = board.day.tournament
    view = tournament_for_page(actor, row.slug)
    stage = next((one for one in reversed(view.outcome.stages) if one.qualification), None)
    return at_day(
        board,
        _("Who goes on"),
        tabs=day_tabs(row.slug, "qualified"),
        here=reverse("qualified", args=[row.slug]),
        view=view,
        last=_last_withdrawal(view),
        **(_stage_rows(board, view, stage) if stage else {}),
        asked=_asked(board, view, asked) if asked.get("player") else None,
    )


def _stage_rows(board: Board, view: TournamentView, stage: StageOutcome) -> Row:
    """What the page shows of the last closed stage of heats."""
    found, day = stage.qualification, board.day
    if found is None or stage.leads_to is None:  # the finals lead nowhere
        return {}
    later = [one for one in day.stages if one.number > stage.number]
    played = any(one.state == Stage.State.CLOSED for one in later)
    rules = game_rules(day.tournament.rules or {})
    return {
        "stage": stage.number,
        "stage_title": presenting.stage_title(view, stage.number),
        "leads_to": presenting.target_title(view, stage.leads_to),
        "plan": reasons.plan_reason(len(stage.matches), found.plan),
        "qualified": [_person(view, stage, code, stage.leads_to) for code in found.qualified],
        "second_final": [_person(view, stage, code, SECOND_FINAL) for code in found.second_final],
        "whom": reasons.POSITIONS.get(found.plan.direct_per_heat + 1, ""),
        "rows": presenting.repechage_rows(view, stage.number),
        "substitutions": presenting.substitution_reasons(view, stage.number),
        "played": played,
        "opens": found.plan.final and not later,
        "draws": not found.plan.final and not any(one.state == Stage.State.OPEN for one in later) and not played,
        "agrees": bool(found.second_final) and not played,
        "minutes": rules.second_final_minutes,
        "full": rules.match_minutes,
        "half": (rules.match_minutes + 1) // 2,
    }


def _last_withdrawal(view: TournamentView) -> Row | None:
    withdrawals = view.given.withdrawals
    if not withdrawals:
        return None
    player, target = withdrawals[-1]
    told = {"name": view.name_of(player), "target": presenting.target_title(view, target)}
    return {"number": len(withdrawals), **told}


def _person(view: TournamentView, stage: StageOutcome, code: str, target: str) -> Row:
    """Somebody who goes on, from where and how."""
    found = stage.qualification
    heat = next(match for match in stage.matches if code in match.seats)
    place = next(placed for placed in heat.ranking if placed.player == code)
    kind = "plain"
    if found is not None and target != SECOND_FINAL:
        repeched = {decided.item.player for decided in found.candidates[: found.plan.repechage]}
        moved = {swap.into for swap in found.substitutions}
        kind = "substitute" if code in moved else "repechage" if code in repeched else "direct"
    return {
        "code": code,
        **presenting.named(view, code),
        "heat": heat.name,
        "order": place.order,
        "points": place.points,
        "kind": kind,
        "target": target,
    }


def _asked(board: Board, view: TournamentView, asked: Given) -> Row:
    """What would follow if somebody renounced, or why he cannot. A stranger's code is told as such."""
    player, target = asked["player"], asked.get("target", "")
    told: Row = {"player": player, "target": target, "name": view.name_of(player), "refused": "", "lots": False}
    try:
        if player not in view.people:
            raise Refusal("entrant_unknown")
        stage = finals.stage_called(board.day.tournament, target)
        if stage is not None and stage.state == Stage.State.CLOSED:
            raise Refusal("stage_played")
        return {**told, **impact_rows(view, withdrawal_impact(board.day.tournament, player=player, target=target))}
    except Refusal as refusal:
        return {**told, "refused": _sentence(board, refusal), "lots": refusal.code == "lot_missing"}
