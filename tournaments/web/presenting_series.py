"""The A.G.P. ranking before and after a tournament, in the shapes that the page components take."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from tournaments.queries.tournament import TournamentView
from tournaments.rules.series import Standing
from tournaments.web import reasons
from tournaments.web.presenting import Row, named

AGP_COLUMNS = (gettext_lazy("Points"), gettext_lazy("Rank before"), gettext_lazy("Move"), gettext_lazy("Points before"))
"""What moves stands first: on a phone the last column is out of sight."""
PLAIN_COLUMNS = (gettext_lazy("Points"),)
"""Where nothing moves: the table before this edition only."""


def moves(view: TournamentView) -> bool:
    """This tournament is an edition that changed the A.G.P. ranking."""
    return view.given.edition is not None and bool(view.outcome.final_ranking)


def agp_columns(view: TournamentView) -> tuple[Any, ...]:
    """Labels of the columns of `agp_rows`."""
    return AGP_COLUMNS if moves(view) else PLAIN_COLUMNS


def agp_rows(view: TournamentView, first: int = 0, last: int | None = None) -> list[Row]:
    """Lines `first` + 1 to `last` of the ranking after this tournament, beside rank and points before it."""
    table = view.outcome.agp_after
    old = {standing.player: standing for standing in view.outcome.agp_before} if moves(view) else None
    return [_agp_row(view, table, at, old) for at in range(len(table))[first:last]]


def _agp_row(view: TournamentView, table: Sequence[Standing], at: int, old: dict[str, Standing] | None) -> Row:
    standing = table[at]
    ahead = view.name_of(table[at - 1].player) if at else ""
    reason = reasons.series_reason(standing, ahead)
    cells: list[Any] = [standing.points]
    if old is not None:
        before = old.get(standing.player)
        cells.append(before.rank if before else None)
        cells.append(reasons.moved_words(before.rank - standing.rank if before else None))
        cells.append(before.points if before else None)
    return {
        "place": standing.rank,
        **named(view, standing.player),
        "cells": cells,
        "state": "first" if standing.rank == 1 else "",
        "reason": reason.text,
        "article": reason.article,
    }


def left_rows(view: TournamentView) -> list[Row]:
    """Who stood in the ranking before and no longer does: the editions of his points count no more."""
    if not moves(view):
        return []
    here = {standing.player for standing in view.outcome.agp_after}
    return [
        {"place": standing.rank, **named(view, standing.player), "cells": [standing.points], "state": "out"}
        for standing in view.outcome.agp_before
        if standing.player not in here
    ]


def editions_in_words(numbers: Sequence[int]) -> str:
    """`40, 41, 42`, or a word for none."""
    return ", ".join(str(number) for number in numbers) or _("none")
