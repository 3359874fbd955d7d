"""Lots, drawn when nothing else decides between players (D15): one order of all, from a seed that is kept."""

from __future__ import annotations

import json
from typing import Any
from uuid import UUID

from core.entropy import new_seed
from core.lots import Lots
from core.refusal import Refusal
from players.actor import Actor
from tournaments.exchange.rows import Rows
from tournaments.models import Entrant, Tournament
from tournaments.services import day
from tournaments.services.publishing import settle

PURPOSE = "order of lots"
"""What the seed is used for: with it, anybody can draw the same order again (core.lots)."""


def draw_lots(actor: Actor, tournament: UUID, *, key: str, correcting: bool = False) -> dict[str, Any]:
    """Draws an order of all who have no lot yet; those who have one keep it. Answer: `{"drawn": how many}`.

    `correcting`: for a correction that needs them, which publishes what follows. Refusals: those of `day.run`,
    `plays_here`, `results_published` (else), `lots_drawn`.
    """

    def work(row: Tournament) -> dict[str, Any]:
        day.require_plays_nowhere(actor, row)
        if row.published and not correcting:
            raise Refusal("results_published", article="D15")
        drawn = draw(row)
        if not drawn:
            raise Refusal("lots_drawn", article="D15")
        settle(row)
        return {"drawn": drawn}

    return day.run(actor, tournament, "draw_lots", key, {"correcting": correcting}, work)


def settle_with_lots(row: Tournament) -> tuple[Rows, int]:
    """Settles a locked tournament, drawing lots where they are needed; how many were drawn."""
    try:
        return settle(row), 0
    except Refusal as refusal:
        if refusal.code != "lot_missing":
            raise
    drawn = draw(row)
    return settle(row), drawn


def draw(row: Tournament) -> int:
    """Lots for all entrants of a locked tournament who have none, after those who have; how many.

    The seed and the order stand in the record of the tournament, under `draws`.
    """
    entrants = list(Entrant.objects.filter(tournament=row).order_by("position"))
    without = {entrant.code: entrant for entrant in entrants if entrant.lot is None}
    if not without:
        return 0
    seed = new_seed()
    order = Lots(seed, PURPOSE).shuffled(list(without))
    first = 1 + max((entrant.lot for entrant in entrants if entrant.lot is not None), default=-1)
    for at, code in enumerate(order, start=first):
        without[code].lot = at
    Entrant.objects.bulk_update(without.values(), ["lot"])
    record = json.loads(row.record or "{}")
    told = {"what": PURPOSE, "seed": seed.hex(), "players": list(without), "order": order}
    record["draws"] = [*record.get("draws", []), told]
    row.record = json.dumps(record, ensure_ascii=False)
    row.save(update_fields=["record"])
    return len(order)
