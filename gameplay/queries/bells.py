"""Bells that have rung, for whoever may hear them: everybody at his match, and the devices that ring in the hall."""

from __future__ import annotations

from dataclasses import dataclass
from uuid import UUID

from core.refusal import Refusal
from gameplay.models import ClockEvent, Match
from gameplay.queries.clock import clocks_of
from players.actor import Actor
from players.queries import scopes_below
from players.rules.rights import KEEP_CLOCK
from scoring.models import Sheet


@dataclass(frozen=True)
class Bell:
    """The bell of a match. `rung`: its name, None before it rings, without a clock, and when the match is closed.

    `question`: nobody has told yet whether the auction was awarded (D21).
    """

    rung: str | None
    question: bool


@dataclass(frozen=True)
class Ringer:
    """A match that was started and is not closed. `rung`: the name of its bell, if it has rung."""

    match: UUID
    table_name: str
    rung: str | None


def bell_of(match: UUID) -> Bell:
    """Two queries. Refusal `match_unknown`."""
    row = Match.objects.select_related("sheet").filter(pk=match).first()
    if row is None:
        raise Refusal("match_unknown")
    found = clocks_of([row])[row.pk] if row.sheet.state == Sheet.State.OPEN else None
    if found is None:
        return Bell(None, False)
    clock, rung = found
    return Bell(rung, rung is not None and clock.how is None and clock.interrupted is None)


def ringers_for(actor: Actor) -> list[Ringer]:
    """Started matches below the scopes whose clocks he keeps, by table name; also those of a stage in which he plays,
    since a bell is no secret. Two queries for any number."""
    scopes = scopes_below(actor.scopes_of(KEEP_CLOCK))
    begun = ClockEvent.objects.filter(kind=ClockEvent.Kind.STARTED).values("match")
    rows = Match.objects.filter(sheet__scope__in=scopes, sheet__state=Sheet.State.OPEN, pk__in=begun)
    matches = list(rows.order_by("table_name", "pk"))
    clocks = clocks_of(matches)
    found = []
    for match in matches:
        clock = clocks[match.pk]
        if clock is not None and clock[0].state != "ready" and clock[0].interrupted is None:
            found.append(Ringer(match.pk, match.table_name, clock[1]))
    return found
