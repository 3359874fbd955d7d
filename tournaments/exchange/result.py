"""The result JSON of a replayed tournament."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from tournaments.rules.replay import MatchOutcome, StageOutcome, Tournament


def result_of(tournament: Tournament) -> dict[str, Any]:
    """Plain JSON values: heats, qualification, final ranking, points and the A.G.P. table."""
    return {
        "heats": [_match(stage, match) for stage in tournament.stages for match in stage.matches],
        "qualification": list(_qualifications(tournament)),
        "final_ranking": [{"place": entry.place, "player": entry.player} for entry in tournament.final_ranking],
        "excluded": list(tournament.excluded),
        "tournament_points": dict(tournament.points),
        "agp": [
            {
                "rank": standing.rank,
                "player": standing.player,
                "points": standing.points,
                "by_edition": {str(line.edition): line.points for line in standing.lines},
                "decided_by": standing.decided_by,
            }
            for standing in tournament.agp_after
        ],
    }


def _match(stage: StageOutcome, match: MatchOutcome) -> dict[str, Any]:
    golden = match.golden_call
    return {
        "stage": stage.number,
        "name": match.name,
        "hands_played": match.hands_played,
        "golden_call": golden and {"player": match.seats[golden.seat], "bid": golden.bid, "solo": golden.solo},
        "ranking": [
            {
                "player": placed.player,
                "order": placed.order,
                "place": placed.place,
                "points": placed.points,
                "gap": placed.gap.text(),
                "gap_percent": placed.gap.percent(),
                "decided_by": placed.decided_by,
            }
            for placed in match.ranking
        ],
    }


def _qualifications(tournament: Tournament) -> Iterator[dict[str, Any]]:
    for stage in tournament.stages:
        qualification = stage.qualification
        if qualification is None:
            continue
        plan = qualification.plan
        yield {
            "stage": stage.number,
            "to": stage.leads_to,
            "seats": plan.seats,
            "direct_per_heat": plan.direct_per_heat,
            "direct": list(qualification.direct),
            "repechage": [
                {
                    "player": decided.item.player,
                    "heat": stage.matches[decided.item.heat].name,
                    "position": decided.item.order,
                    "gap": decided.item.gap.text(),
                    "qualified": at < plan.repechage,
                    "decided_by": decided.decided_by,
                }
                for at, decided in enumerate(qualification.candidates)
            ],
            "substitutions": [
                {"out": swap.out, "in": swap.into, "as": swap.role, "article": swap.article}
                for swap in qualification.substitutions
            ],
            "qualified": list(qualification.qualified),
            "second_final": list(qualification.second_final),
        }
