"""Replayed tournaments in the shapes that the page components take: page, CSV and print all show these rows.

Values in, rows out: `components/ranking.html` and `components/gaps.html` say what a row holds. Stages and heats are
numbers from 1. Only what is asked for is built: a long ranking is sliced first.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import lru_cache
from typing import Any
from uuid import UUID

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from core.refusal import Refusal
from scoring.web.reasons import Reason, joined
from tournaments.queries.tournament import TournamentView
from tournaments.rules.gaps import Gap
from tournaments.rules.heats import Placed
from tournaments.rules.qualification import Qualification
from tournaments.rules.replay import FINAL, HEATS, SECOND_FINAL, FinalPlace, MatchOutcome, StageOutcome
from tournaments.web import reasons

Row = dict[str, Any]

HEAT_COLUMNS = (gettext_lazy("Points"), gettext_lazy("Gap"))
FINAL_COLUMNS = (gettext_lazy("A.G.P."),)
SERIES_COLUMNS = (gettext_lazy("Points"),)
"""Of the final ranking, where the tournament is no edition of the world championship."""


# Names, and what a stage is called


def named(view: TournamentView, code: str) -> Row:
    """`name` and, for who plays here, `href` of his page."""
    person = view.people.get(code)
    return {"name": person.name, "href": _player_address(person.id)} if person else {"name": code}


@lru_cache(maxsize=4096)
def _player_address(person: UUID) -> str:
    return reverse("player", args=[person])


def stage_of(view: TournamentView, stage: int) -> StageOutcome:
    """A stage by its number. Refusal: `stage_unknown`."""
    if not 1 <= stage <= len(view.outcome.stages):
        raise Refusal("stage_unknown")
    return view.outcome.stages[stage - 1]


def match_of(view: TournamentView, stage: int, heat: int) -> MatchOutcome:
    """A match by its numbers. Refusals: `stage_unknown`, `heat_unknown`."""
    matches = stage_of(view, stage).matches
    if not 1 <= heat <= len(matches):
        raise Refusal("heat_unknown")
    return matches[heat - 1]


def stage_title(view: TournamentView, stage: int) -> str:
    """What a stage is called, also one that is still to come."""
    kinds = [outcome.kind for outcome in view.outcome.stages]
    kind = kinds[stage - 1] if stage <= len(kinds) else HEATS
    if kind != HEATS:
        return _("Final") if kind == FINAL else _("Second final")
    if stage == 1:
        return _("Qualifying heats")
    if max(sum(each == HEATS for each in kinds), stage) < 3:
        return _("Intermediate stage")
    return _("Intermediate stage %(number)s") % {"number": stage - 1}


def target_title(view: TournamentView, target: str) -> str:
    """What `final`, `second_final` or `heats:K` is called."""
    if target in (FINAL, SECOND_FINAL):
        return _("Final") if target == FINAL else _("Second final")
    return stage_title(view, int(target.partition(":")[2]))


def match_title(view: TournamentView, stage: int, heat: int) -> str:
    """The name of a heat; a final is called what it is."""
    outcome = stage_of(view, stage)
    return match_of(view, stage, heat).name if outcome.kind == HEATS else stage_title(view, stage)


# A heat


def heat_ranking_rows(view: TournamentView, stage: int, heat: int) -> list[Row]:
    """The five of a match, best first, under `HEAT_COLUMNS`, each with what his place leads to and why."""
    outcome, ranking = stage_of(view, stage), match_of(view, stage, heat).ranking
    return [_heat_row(view, outcome, ranking, at) for at in range(len(ranking))]


def _heat_row(view: TournamentView, stage: StageOutcome, ranking: Sequence[Placed], at: int) -> Row:
    placed = ranking[at]
    row: Row = {
        "place": placed.place,
        **named(view, placed.player),
        "cells": [placed.points, _size(placed.gap)],
        "state": "",
    }
    ahead = view.name_of(ranking[at - 1].player) if at else ""
    tie = reasons.tie_reason(placed.decided_by, placed.values, ahead)
    return row | _why(joined(_standing(view, row, stage, placed), tie))


def _standing(view: TournamentView, row: Row, stage: StageOutcome, placed: Placed) -> Reason | None:
    """Marks the row with what its place leads to and says why."""
    qualification = stage.qualification
    if qualification is None:
        if placed.order == 1:
            row |= {"state": "first", "tag": "winner"}
        return None
    if placed.player in qualification.withdrawn:
        row |= {"tag": "excluded", "state": "out"}
        return reasons.withdrawal_reason(_renounced(view, placed.player))
    if placed.player in qualification.direct:
        row |= {"tag": "direct", "state": "in"}
        return reasons.direct_reason(qualification)
    if placed.player in qualification.qualified:
        if moved := _moved_up(view, qualification, placed.player):
            row |= {"tag": "substitute", "state": "in"}
            return moved
        row |= {"tag": "repechage", "state": "repeched"}
        return reasons.repechage_reason(placed, qualification, qualified=True)
    if qualification.plan.repechage and placed.order == qualification.plan.direct_per_heat + 1:
        if _tied_at_the_cut(qualification, placed):
            return reasons.eliminated_reason(placed)
        return reasons.repechage_reason(placed, qualification, qualified=False)
    return reasons.eliminated_reason(placed)


def _tied_at_the_cut(qualification: Qualification, placed: Placed) -> bool:
    """The last who was repeched has the same gap: it is not smaller, and the repechage says what decided."""
    return qualification.candidates[qualification.plan.repechage - 1].item.gap == placed.gap


def _moved_up(view: TournamentView, qualification: Qualification, player: str) -> Reason | None:
    for swap in reversed(qualification.substitutions):
        if swap.into == player and swap.role != SECOND_FINAL:
            return reasons.moved_up_reason(swap, view.name_of)
    return None


def _renounced(view: TournamentView, player: str) -> str:
    return next(withdrawal.target for withdrawal in view.given.withdrawals if withdrawal.player == player)


def _size(gap: Gap) -> Fraction | None:
    return None if gap.infinite else gap.size


def _why(reason: Reason | None) -> Row:
    return {"reason": reason.text, "article": reason.article} if reason else {}


# The repechage


def repechage_rows(view: TournamentView, stage: int, first: int = 0, last: int | None = None) -> list[Row]:
    """Candidates `first` to `last` of the repechage of a stage, smallest gap first; [] where no seat was left over.

    `qualified`: by gap, before anybody withdrew; `decision`: after the substitutions.
    """
    outcome = stage_of(view, stage)
    qualification = outcome.qualification
    if qualification is None:
        return []
    candidates = qualification.candidates
    return [
        _repechage_row(view, outcome, qualification, at)
        for at in range(first, len(candidates) if last is None else min(last, len(candidates)))
    ]


def _repechage_row(view: TournamentView, stage: StageOutcome, qualification: Qualification, at: int) -> Row:
    decided = qualification.candidates[at]
    placed = decided.item
    qualified = at < qualification.plan.repechage
    tie = None
    if at:
        before = qualification.candidates[at - 1].item
        per_hand = (before.per_hand, placed.per_hand)
        tie = reasons.tie_reason(decided.decided_by, decided.values, view.name_of(before.player), per_hand)
    # Who is level with the one before him is not behind by gap: the step that decided says all.
    why = None if tie and not qualified else reasons.repechage_reason(placed, qualification, qualified=qualified)
    decision, after = _decision(view, qualification, placed.player, qualified=qualified)
    match = stage.matches[placed.heat]
    return {
        "order": at + 1,
        **named(view, placed.player),
        "heat": match.name,
        "heat_href": reverse("heat", args=[view.slug, stage.number, placed.heat + 1]),
        "position": placed.order,
        "points": placed.points,
        "winner_points": match.ranking[0].points,
        "gap": _size(placed.gap),
        "exact": "" if placed.gap.infinite else reasons.exact(placed.gap.size),
        "qualified": qualified,
        "decision": decision,
        **_why(joined(why, tie, after)),
    }


def _decision(
    view: TournamentView, qualification: Qualification, player: str, *, qualified: bool
) -> tuple[str, Reason | None]:
    """What became of a candidate once everybody who would had renounced."""
    if player in qualification.withdrawn:
        return "excluded", reasons.withdrawal_reason(_renounced(view, player))
    if moved := _moved_up(view, qualification, player):
        return ("substitute", moved) if player in qualification.qualified else ("out", None)
    return ("repechage" if qualified else "out"), None


def substitution_reasons(view: TournamentView, stage: int) -> list[Reason]:
    """Who moved up for whom after a stage, in order, each with its article."""
    qualification = stage_of(view, stage).qualification
    swaps = qualification.substitutions if qualification else ()
    return [reasons.substitution_reason(swap, view.name_of) for swap in swaps]


# The final ranking


def final_columns(view: TournamentView) -> tuple[Any, ...]:
    """Labels of the columns of the final ranking."""
    return FINAL_COLUMNS if view.given.edition is not None else SERIES_COLUMNS


def final_ranking_rows(view: TournamentView, first: int = 0, last: int | None = None) -> list[Row]:
    """Places `first` + 1 to `last` of the final ranking under `final_columns`, each with where it comes from."""
    ranking = view.outcome.final_ranking
    return [_final_row(view, place) for place in ranking[first:last]]


def _final_row(view: TournamentView, place: FinalPlace) -> Row:
    outcome = view.outcome
    ledger = outcome.ledger.get(place.player)
    return {
        "place": place.place,
        **named(view, place.player),
        "cells": [outcome.points.get(place.player, 0)],
        "state": "first" if place.place == 1 else "",
        "tag": "winner" if place.place == 1 else "",
        **_why(
            joined(
                reasons.final_place_reason(place),
                _final_tie(view, place),
                None if ledger is None else reasons.ledger_reason(ledger),
            )
        ),
    }


def _final_tie(view: TournamentView, place: FinalPlace) -> Reason | None:
    """The step that decided against the one before him: in his match, or in the overall order of his stage."""
    decided = place.decided
    if decided.decided_by is None or place.place == 1:
        return None
    before = view.outcome.final_ranking[place.place - 2]
    player, placed = before.player, before.decided.item
    if (before.source, before.stage) != (place.source, place.stage):
        # The best of those who stayed out is behind the last who was called to the second final.
        qualification = view.outcome.stages[place.stage - 1].qualification
        if qualification is None or not qualification.second_final:
            return None
        player = qualification.second_final[-1]
        matches = view.outcome.stages[place.stage - 1].matches
        placed = next(each for match in matches for each in match.ranking if each.player == player)
    per_hand = (placed.per_hand, decided.item.per_hand)
    return reasons.tie_reason(decided.decided_by, decided.values, view.name_of(player), per_hand)


def excluded_rows(view: TournamentView) -> list[Row]:
    """Who renounced a stage and is in no ranking, in order, under no further column."""
    return [
        {
            "place": "",
            **named(view, withdrawal.player),
            "cells": [],
            "tag": "excluded",
            "state": "out",
            **_why(reasons.withdrawal_reason(withdrawal.target)),
        }
        for withdrawal in view.given.withdrawals
    ]


def champion_of(view: TournamentView) -> Row | None:
    """Who won the final, None while there is none."""
    ranking = view.outcome.final_ranking
    return named(view, ranking[0].player) if ranking else None


def awaited(view: TournamentView) -> Row | None:
    """The stage that is still to come and its people; None once there is a final, and before a stage is closed."""
    if not view.outcome.stages:
        return None
    last = view.outcome.stages[-1]
    if last.qualification is None or last.leads_to is None:
        return None
    return {
        "title": target_title(view, last.leads_to),
        "people": [named(view, player) for player in last.qualification.qualified],
        "second_final": [named(view, player) for player in last.qualification.second_final],
        "after": last.number,
    }
