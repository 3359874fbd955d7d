"""Replayed tournaments in the shapes that the page components take."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from django.utils.translation import gettext as _

from scoring.rules.hands import SEATS
from scoring.rules.scoresheet import Admitted, Award, Line, Played
from tournaments.queries import Championship
from tournaments.rules.heats import Placed
from tournaments.rules.replay import FINAL, HEATS, MatchOutcome, StageOutcome
from tournaments.web import reasons
from tournaments.web.reasons import Reason

Row = dict[str, Any]


def championship_for_page(championship: Championship) -> Row:
    """Everything the page says of one championship, stage by stage."""
    tournament = championship.tournament
    return {
        "slug": championship.slug,
        "title": championship_title(championship),
        "champion": championship.player_names[tournament.final_ranking[0].player],
        "players": len(championship.player_names),
        "source": championship.source,
        "parts": list(_parts(championship)),
        "ranking_is": championship.ranking_published,
        "ranking": list(_final_ranking(championship)),
        "agp": list(_agp(championship)),
    }


def championship_title(championship: Championship) -> str:
    """The name of the championship in the active language."""
    return _("World championship %(year)s") % {"year": championship.year}


def _parts(championship: Championship) -> Iterator[Row]:
    """Each stage of heats is a part of the page; the final and the second final share the last one."""
    finals = []
    for stage in championship.tournament.stages:
        matches = [_match(championship, stage, match, at) for at, match in enumerate(stage.matches)]
        qualification = stage.qualification
        if qualification is None:
            finals += matches
            continue
        yield {
            "title": _stage_title(stage),
            "id": f"{championship.slug}-{stage.number}",
            "matches": matches,
            "repechage": list(_repechage(championship, stage)),
            "whom": reasons.POSITIONS.get(qualification.plan.direct_per_heat + 1, ""),
            "is_published": all(match["result_is_published"] for match in matches),
            "substitutions": [
                reasons.substitution_reason(swap, championship.player_names) for swap in qualification.substitutions
            ],
        }
    if finals:
        yield {"title": _("Finals"), "id": f"{championship.slug}-finals", "matches": finals}


def _stage_title(stage: StageOutcome) -> str:
    if stage.kind == HEATS:
        return _("Qualifying heats") if stage.number == 1 else _("Intermediate stage")
    return _("Final") if stage.kind == FINAL else _("Second final")


def _match(championship: Championship, stage: StageOutcome, match: MatchOutcome, at: int) -> Row:
    pointer = f"/stages/{stage.number - 1}/heats/{at}"
    return {
        "id": f"{championship.slug}-{stage.number}-{at + 1}",
        "slug": championship.slug,
        "stage": stage.number,
        "heat": at + 1,
        "name": match.name if stage.kind == HEATS else _stage_title(stage),
        "hands_played": match.hands_played,
        "result_is_published": pointer in championship.published,
        "points_are_invented": pointer in championship.invented or f"{pointer}/totals" in championship.invented,
        "ranking": [_heat_row(championship, stage, match.ranking, at) for at in range(SEATS)],
        "has_sheet": match.sheet is not None,
        # A golden call out of invented hands would be an invention beside published points.
        "golden": match.golden_call
        and (f"{pointer}/hands" not in championship.invented or pointer in championship.invented)
        and {
            "name": championship.player_names[match.seats[match.golden_call.seat]],
            "bid": match.golden_call.bid,
            "solo": match.golden_call.solo,
        },
    }


def _heat_row(championship: Championship, stage: StageOutcome, ranking: Sequence[Placed], at: int) -> Row:
    placed = ranking[at]
    names = championship.player_names
    row: Row = {
        "place": placed.place,
        "name": names[placed.player],
        "cells": [placed.points, None if placed.gap.infinite else placed.gap.size],
        "state": "",
    }
    ahead = names[ranking[at - 1].player] if at else ""
    tie = reasons.tie_reason(placed.decided_by, placed.values, ahead)
    row |= _why(_join(_standing(row, stage, placed, names), tie))
    return row


def _standing(row: Row, stage: StageOutcome, placed: Placed, names: dict[str, str]) -> Reason | None:
    """Marks the row with what its place leads to and says why."""
    qualification = stage.qualification
    if qualification is None:
        row["state"] = "first" if placed.order == 1 else ""
        if placed.order == 1:
            row["tag"] = "winner"
        return None
    if placed.player in qualification.withdrawn:
        row |= {"tag": "excluded", "state": "out"}
        return None
    if placed.player in qualification.direct:
        row |= {"tag": "direct", "state": "in"}
        return reasons.direct_reason(qualification)
    if placed.player in qualification.qualified:
        for swap in reversed(qualification.substitutions):
            if swap.into == placed.player:
                row |= {"tag": "substitute", "state": "in"}
                return reasons.moved_up_reason(swap, names)
        row |= {"tag": "repechage", "state": "repeched"}
        return reasons.repechage_reason(placed, qualification, qualified=True)
    if any(decided.item is placed for decided in qualification.candidates):
        return reasons.repechage_reason(placed, qualification, qualified=False)
    return reasons.eliminated_reason(placed)


def _join(*found: Reason | None) -> Reason | None:
    given = [reason for reason in found if reason]
    if not given:
        return None
    return Reason(" ".join(reason.text for reason in given), " ".join(reason.article for reason in given))


def _why(reason: Reason | None) -> Row:
    return {"reason": reason.text, "article": reason.article} if reason else {}


def _repechage(championship: Championship, stage: StageOutcome) -> Iterator[Row]:
    qualification = stage.qualification
    if qualification is None:
        return
    names = championship.player_names
    before = ""
    for order, decided in enumerate(qualification.candidates, start=1):
        placed = decided.item
        match = stage.matches[placed.heat]
        qualified = order <= qualification.plan.repechage
        tie = reasons.tie_reason(decided.decided_by, decided.values, before)
        # Who is level with the one before him is not behind by gap: the step that decided says all.
        why = None if tie and not qualified else reasons.repechage_reason(placed, qualification, qualified=qualified)
        yield {
            "order": order,
            "name": names[placed.player],
            "heat": match.name,
            "points": placed.points,
            "winner_points": match.ranking[0].points,
            "gap": None if placed.gap.infinite else placed.gap.size,
            "decision": "repechage" if qualified else "out",
            **_why(_join(why, tie)),
        }
        before = names[placed.player]


def _final_ranking(championship: Championship) -> Iterator[Row]:
    tournament = championship.tournament
    names = championship.player_names
    ahead = ""
    for place in tournament.final_ranking:
        tie = reasons.tie_reason(place.decided.decided_by, place.decided.values, ahead)
        ahead = names[place.player]
        yield {
            "place": place.place,
            "name": names[place.player],
            "cells": [tournament.points.get(place.player, 0)],
            "state": "first" if place.place == 1 else "",
            "tag": "winner" if place.place == 1 else "",
            **_why(_join(reasons.final_place_reason(place), tie)),
        }


def _agp(championship: Championship) -> Iterator[Row]:
    ahead = ""
    for standing in championship.tournament.agp_after:
        name = championship.player_names.get(standing.player, standing.player)
        yield {
            "place": standing.rank,
            "name": name,
            "cells": [standing.points],
            **_why(reasons.series_reason(standing, ahead)),
        }
        ahead = name


# The scoresheet, in the order of the paper


def scoresheet_for_page(championship: Championship, stage: StageOutcome, match: MatchOutcome) -> Row | None:
    """One match as on its verbale, None where only totals survive."""
    if match.sheet is None:
        return None
    names = [championship.player_names[player] for player in match.seats]
    pointer = f"/stages/{stage.number - 1}/heats/{match.ranking[0].heat}"
    return {
        "id": "sheet",
        "title": match.name if stage.kind == HEATS else _stage_title(stage),
        "subtitle": f"{championship_title(championship)} · {_stage_title(stage)}",
        "state": "closed",
        "invented": not {pointer, f"{pointer}/hands"}.isdisjoint(championship.invented),
        "players": [{"name": name, "sub": ""} for name in names],
        "hands": [_sheet_line(line, names) for line in match.sheet.lines],
        "totals": match.sheet.totals,
    }


def _sheet_line(line: Line, names: Sequence[str]) -> Row:
    content = line.content
    caller = called = bid = made = None
    lost = 0
    if isinstance(content, Played):
        caller, called, bid, made = content.outcome
        lost = content.outcome.lost_points
    elif isinstance(content, Admitted):
        caller, bid = content
    row: Row = {
        "number": line.hand or "",
        "label": _("ruling") if isinstance(content, Award) else "",
        "bid": bid,
        "made": made,
        "outcome": _outcome(line),
        "state": "voided" if line.hand and not _scores(line) else "",
        "cells": [
            {
                "points": line.points[seat],
                "total": line.totals[seat],
                "old": None,
                "dealer": seat == line.dealer,
                "caller": seat == caller,
                "called": seat == called,
            }
            for seat in range(SEATS)
        ],
    }
    if line.effect:
        row |= _why(reasons.effect_reason(line.effect, names[line.effect.offender], lost))
    return row


def _scores(line: Line) -> bool:
    return isinstance(line.content, Played) and line.effect is None


def _outcome(line: Line) -> str:
    if not isinstance(line.content, Played) or line.effect:
        return ""
    outcome = line.content.outcome
    if outcome.solo:
        return _("alone, won") if outcome.won else _("alone, lost")
    return _("won") if outcome.won else _("lost")
