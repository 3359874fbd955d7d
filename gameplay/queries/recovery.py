"""Times in which nobody watched over a running match: what waits for an answer, and what is proposed."""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import ceil
from typing import Literal
from uuid import UUID

from django.db.models import QuerySet

from gameplay.models import Match, Outage
from gameplay.queries.clock import clocks_of
from gameplay.queries.lists import played_by
from gameplay.rules.clock import Clock
from players.actor import Actor
from players.queries import scopes_below
from players.rules.rights import KEEP_CLOCK, RECORD_MATCHES
from scoring.models import Seat, Sheet

Answer = Literal["credit", "recovery", "nothing"]
LONGEST_CREDIT = 24 * 3600  # seconds; no match is longer


@dataclass(frozen=True)
class Stop:
    """A stop that waits for an answer. `seconds`: how long it was, which is not how long the match has run.

    `cause`: `stop` of the house, or `sleep` of the machine. `rung`: the bell has rung. `answers`: those that are
    possible, the proposed one first.
    """

    id: int
    match: UUID
    table_name: str
    players: tuple[str, ...]
    cause: str
    seconds: int
    rung: bool
    answers: tuple[Answer, ...]

    @property
    def proposal(self) -> Answer:
        """What the rules suggest (S10, D7)."""
        return self.answers[0]


def stops_wait(actor: Actor) -> bool:
    """Whether a stop waits for this keeper of clocks. No query for who is none."""
    return _waiting(actor).exists() if actor.scopes_of(KEEP_CLOCK) else False


def stops_for_staff(actor: Actor) -> list[Stop]:
    """Stops of open matches whose clock he keeps and in which he does not play, the first one first."""
    if not actor.scopes_of(KEEP_CLOCK):
        return []
    waiting = _waiting(actor).select_related("match__sheet").order_by("began_at", "match__table_name", "pk")
    outages = list(waiting)
    ruled = set(scopes_below(actor.scopes_of(RECORD_MATCHES)).values_list("pk", flat=True))
    matches = {outage.match_id: outage.match for outage in outages}
    clocks = clocks_of(matches.values())
    players = _players(matches)
    found: list[Stop] = []
    for outage in outages:
        clock = clocks[outage.match_id]
        if clock is None:
            continue
        rules = outage.match.sheet.scope_id in ruled
        stop = _stop(outage, outage.match, clock[0], players[outage.match_id], rules=rules)
        if any(other.match == stop.match and other.proposal == "recovery" for other in found):
            # One recovery hand at most (D7): where two stops wait, it is proposed for the first.
            stop = replace(stop, answers=tuple(reversed(stop.answers)))
        found.append(stop)
    return found


def answers_for(clock: Clock, seconds: int, *, rules: bool) -> tuple[Answer, ...]:
    """What may be answered to a stop of so many seconds, the proposed answer first. `rules`: by somebody who may rule.

    Time that was lost is given back as long as the bell has not rung; then only a recovery hand can (S10), once (D7).
    """
    if clock.state == "rung":
        due = rules and not clock.recovery and not clock.interrupted
        return ("recovery", "nothing") if due else ("nothing",)
    if clock.state == "ready" or clock.interrupted or seconds > LONGEST_CREDIT:
        return ("nothing",)
    return ("credit", "nothing")


def length_of(outage: Outage) -> int:
    """Whole seconds of a stop; a part of one counts for the players."""
    return ceil((outage.ended_at - outage.began_at).total_seconds())


def _waiting(actor: Actor) -> QuerySet[Outage]:
    scopes = scopes_below(actor.scopes_of(KEEP_CLOCK))
    unanswered = Outage.objects.filter(answer="", match__sheet__state=Sheet.State.OPEN, match__sheet__scope__in=scopes)
    return unanswered.exclude(match__in=played_by(actor))


def _players(matches: dict[UUID, Match]) -> dict[UUID, tuple[str, ...]]:
    named: dict[UUID, tuple[str, ...]] = dict.fromkeys(matches, ())
    for seat in Seat.objects.filter(sheet__in=list(matches)).select_related("person").order_by("sheet", "number"):
        named[seat.sheet_id] += (seat.person.display_name,)
    return named


def _stop(outage: Outage, match: Match, clock: Clock, players: tuple[str, ...], *, rules: bool) -> Stop:
    seconds = length_of(outage)
    rung = clock.state == "rung"
    answers = answers_for(clock, seconds, rules=rules)
    return Stop(outage.pk, match.pk, match.table_name, players, outage.cause, seconds, rung, answers)
