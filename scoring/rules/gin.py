"""Points of gin rummy, and how a match goes from hand to hand (R8, RD5, RD6)."""

from __future__ import annotations

from typing import Literal, NamedTuple, Protocol

from core.rulefields import RuleField

FIELDS = (
    RuleField("undercut_bonus", "int", 20, "R8", low=0, high=1000),
    RuleField("gin_bonus", "int", 25, "RD5", low=0, high=1000),
    RuleField("big_gin_bonus", "int", None, "RD5", low=0, high=1000),
    RuleField("target_score", "int", None, "RD6", low=1, high=10_000),
)


class GinScoring(Protocol):
    """What scoring reads of the options. `big_gin_bonus` None: nobody goes out with all his cards melded and none to
    discard. `target_score` None: a match is one hand."""

    @property
    def undercut_bonus(self) -> int: ...
    @property
    def gin_bonus(self) -> int: ...
    @property
    def big_gin_bonus(self) -> int | None: ...
    @property
    def target_score(self) -> int | None: ...


class GinOutcome(NamedTuple):
    """What a hand came to. `deadwood`: by seat, after lay-offs. `void`: nobody went out (`knocker` None)."""

    kind: Literal["gin", "big_gin", "knock", "void"]
    knocker: int | None
    deadwood: tuple[int, ...]


def gin_points(outcome: GinOutcome, rules: GinScoring) -> tuple[int, ...]:
    """Points by seat; their sum is 0. The knocker settles with each opponent by himself (RD5).

    Who goes gin gets everybody's deadwood and the bonus. After a knock whoever has more deadwood pays the difference;
    who has as much or less gets it, and the bonus for undercutting (R8).
    """
    kind, knocker, deadwood = outcome
    if knocker is None:
        return (0,) * len(deadwood)
    bonus = {"gin": rules.gin_bonus, "big_gin": rules.big_gin_bonus or 0}.get(kind, 0)
    points = []
    for left in deadwood:
        more = left - deadwood[knocker]
        undercut = kind == "knock" and more <= 0
        points.append(rules.undercut_bonus - more if undercut else -more - bonus)
    points[knocker] = 0
    points[knocker] = -sum(points)
    return tuple(points)


def next_dealer(outcome: GinOutcome, points: tuple[int, ...], dealer: int) -> int:
    """Who deals the next hand (RD6): of two players the loser, of more the one to the left (the next seat).

    A void hand is dealt again by the same dealer, and so is one of two players that nobody lost.
    """
    if outcome.kind == "void":
        return dealer
    if len(points) == 2:
        return points.index(min(points)) if any(points) else dealer
    return (dealer + 1) % len(points)


def match_winners(totals: tuple[int, ...], counted: int, rules: GinScoring) -> tuple[int, ...]:
    """Seats that have won the match, () while it goes on (RD6). `counted`: hands that were played and not void.

    One hand: whoever has the most points after it, more than one if they are level. To a target: who has reached it
    and is ahead of everybody; players who are level there play on.
    """
    best = max(totals)
    first = tuple(seat for seat, total in enumerate(totals) if total == best)
    if rules.target_score is None:
        return first if counted else ()
    return first if best >= rules.target_score and len(first) == 1 else ()
