"""Who decides at a table and when something is decided: claims, votes, signatures, the Council of Guarantors."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from core.refusal import Refusal
from scoring.rules.hands import SEATS
from scoring.rules.penalties import Ruling, disloyal_raise, is_upheld, suicidal_call
from scoring.rules.ruleset import ScoringRules
from scoring.rules.scoresheet import Award, Content, Entry, Line, Played, Scoresheet, Voided

SIGN = SEATS // 2 + 1
"""Players who close a match by signing it: a majority of the five (S11)."""
COUNCIL_VOTES = 4
"""Votes of the seven guarantors that decide (S19)."""
COUNCIL_DAYS = 7
"""Days after which an appeal that four did not decide is over: the ruling stands."""


def hands_on(sheet: Scoresheet) -> int:
    """How many hands stand on the sheet, repeats and voided ones included."""
    return max((line.hand for line in sheet.lines if line.hand), default=0)


def repeated_hands(sheet: Scoresheet) -> frozenset[int]:
    """Hands that were annulled and are played again (D6, S18)."""
    return frozenset(
        line.hand
        for line in sheet.lines
        if line.hand
        and ((line.effect and line.effect.repeated) or (isinstance(line.content, Voided) and line.content.repeated))
    )


def last_caller(sheet: Scoresheet) -> int | None:
    """Who called the last hand, if it could still be claimed against him."""
    content = next((line.content for line in reversed(sheet.lines) if line.hand), None)
    return content.outcome.caller if isinstance(content, Played) and content.ruling is None else None


def is_signed(seats: Collection[int], *, referee: bool) -> bool:
    """A majority of the players or a referee closes a match (S11)."""
    return referee or len(seats) >= SIGN


def check_claim(line: Line, hands: int, dealt: int, kind: Ruling, rules: ScoringRules) -> None:
    """A penalty may be claimed for a hand as soon as it is over and until the next one is dealt (S17, S18).

    `hands`: hands on the sheet; `dealt`: the last hand that was dealt. Refusals: `not_a_played_hand`,
    `claim_too_late` (S17), those of `suicidal_call` and `disloyal_raise`.
    """
    content = line.content
    if not isinstance(content, Played) or content.ruling is not None:
        raise Refusal("not_a_played_hand", article="S17", pointer="/line")
    if line.hand != hands or dealt > hands:
        raise Refusal("claim_too_late", {"hand": line.hand or 0}, article="S17", pointer="/line")
    if kind == "suicidal_call":
        suicidal_call(content.outcome, rules)
    else:
        caller, _called, bid, _made = content.outcome
        disloyal_raise(caller, bid, rules, offence=1, outcome=content.outcome)  # any offence is one


def verdict(votes: Mapping[int, bool], judges: Collection[int]) -> bool | None:
    """What the judges decided, None as long as one of them has not voted (S17; D9: a tie rejects)."""
    if set(votes) != set(judges):
        return None
    return is_upheld(votes.values(), len(judges))


def council_decision(votes: Collection[bool]) -> bool | None:
    """Four of the seven guarantors decide (S19): True takes the ruling back, False leaves it; None: not yet."""
    upheld = sum(votes)
    if upheld >= COUNCIL_VOTES:
        return True
    return False if len(votes) - upheld >= COUNCIL_VOTES else None


def without_ruling(entries: Sequence[Entry], number: int) -> Content:
    """What stands instead of entry `number` when its ruling is revoked.

    A penalty leaves the hand as it was played, an award leaves nothing, a voided hand is the hand again.
    Refusal `nothing_to_revoke`.
    """
    entry = entries[number]
    match entry.content:
        case Played(outcome, str()):
            return Played(outcome)
        case Award():
            return Voided()
        case Voided() if entry.replaces is not None:
            before = entries[entry.replaces]
            while isinstance(before.content, Voided) and before.replaces is not None:  # voided in other words since
                before = entries[before.replaces]
            return before.content
        case _:
            raise Refusal("nothing_to_revoke", article="S19", pointer="/ruling")


def undone(entries: Sequence[Entry], number: int) -> Content:
    """What stands instead of entry `number` when it is undone: what was there before, else nothing.

    A hand that was not there is repeated: the same dealer deals (S5).
    """
    entry = entries[number]
    if entry.replaces is not None:
        return entries[entry.replaces].content
    return Voided(repeated=not isinstance(entry.content, Award))
