"""`manage.py draw_again SLUG STAGE`: a published draw once more from its seed, beside the one that is kept."""

from __future__ import annotations

import sys
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand
from django.utils import translation

from core.refusal import Refusal
from tournaments.management.output import REFUSED, complain, plain, write_line
from tournaments.models import Entrant, Stage
from tournaments.queries.drawing import StageDraw, stage_draw

OTHERWISE = 1


class Command(BaseCommand):
    """The tables as seed and moves give them. Exit 1: the draw that is kept is another; 3: nothing was drawn there."""

    help = "Draw the tables of a stage again from their published seed and compare."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("slug", metavar="SLUG", help="its address: the last word of /tournaments/SLUG/")
        parser.add_argument("stage", metavar="STAGE", type=int, help="number of the stage, from 1")

    def handle(self, *, slug: str, stage: int, **options: Any) -> None:
        found = Stage.objects.filter(tournament__slug=slug, number=stage, plan__isnull=False)
        row = found.exclude(state=Stage.State.DRAFT).first()
        try:
            if row is None:
                raise Refusal("no_draft", article="S6")
            entrants = {entrant.code: entrant for entrant in Entrant.objects.filter(tournament=row.tournament_id)}
            draw = stage_draw(row, entrants)
        except Refusal as refusal:
            with translation.override("en"):
                complain([refusal])
            sys.exit(REFUSED)
        for line in _lines(draw):
            write_line(plain(line))
        if not draw.repeats:
            sys.exit(OTHERWISE)


def _lines(draw: StageDraw) -> list[str]:
    groups = [*zip(draw.names, draw.again, strict=True), ("Reserves", draw.again_reserves)]
    return [
        f"seed {draw.seed}, seeds per heat {draw.seeds_per_heat}, moves {len(draw.moves)}",
        *(f"{name}: {', '.join(players)}" for name, players in groups if players),
        "The draw that is kept is the same." if draw.repeats else "The draw that is kept is another one.",
    ]
