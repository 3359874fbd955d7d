"""Penalties that are claimed after a hand, and the votes of those who judge them (S17, S18, D9)."""

from __future__ import annotations

from typing import get_args
from uuid import UUID

from core.refusal import Refusal
from gameplay.services.acting import Answer, Table, act, checked_reason
from players.actor import Actor
from scoring.models import Claim, Ruling
from scoring.rules.penalties import Ruling as Kind
from scoring.rules.procedure import check_claim, hands_on
from scoring.services import judging


def claim(actor: Actor, match: UUID, *, line: int, kind: Kind, reason: str, key: str) -> Answer:
    """Claims that the caller of the last hand (line from 1) made a suicidal call or a disloyal raise.

    Anyone at the table, or a referee, until the next hand is dealt or the match is signed. Answer: `{"claim": n}`.
    Refusals: `not_allowed`, `sheet_closed`, `proposal_pending`, `claim_open`, `entry_unknown`, `reason_required`,
    `bad_field` (kind), `already_judged`, those of `check_claim`.
    """

    def work(table: Table) -> Answer:
        table.require(staff=True, seat=True)
        table.require_quiet()
        sheet = table.folded()
        if kind not in get_args(Kind):
            raise Refusal("bad_field", {"field": "kind"}, article="S17", pointer="/kind")
        if not 1 <= line <= len(sheet.lines):
            raise Refusal("entry_unknown", article="S11", pointer="/line")
        found = sheet.lines[line - 1]
        check_claim(found, hands_on(sheet), table.sheet.dealt, kind, table.rules)
        entry = table.sheet.entries.filter(line=line - 1).order_by("-number")[0]
        number = judging.open_claim(table.sheet, table.by, entry, kind, checked_reason(reason), table.rules.judge_mode)
        return {"claim": number}

    return act(actor, match, "claim", key, {"line": line, "kind": kind, "reason": reason}, work)


def cast_vote(actor: Actor, match: UUID, *, claim: int, uphold: bool, key: str) -> Answer:
    """The vote of a player who was not called; secret until all have voted, a tie rejects (S17, D9).

    Answer: `{"state": "open" | "upheld" | "rejected"}`. Refusals: `not_allowed`, `sheet_closed`, `claim_unknown`,
    `claim_decided`, `judged_by_referee`, `not_a_judge`, `already_voted`.
    """

    def work(table: Table) -> Answer:
        table.require(seat=True)
        table.require_open()
        found = judging.open_claim_of(table.sheet, claim)
        judging.cast_vote(table.scope, table.sheet, found, table.by, uphold=uphold)
        return {"claim": claim, "state": str(found.state)}

    return act(actor, match, "cast_vote", key, {"claim": claim, "uphold": uphold}, work)


def decide_claim(actor: Actor, match: UUID, *, claim: int, uphold: bool, reason: str, key: str) -> Answer:
    """The referee judges where the rules say so (`judge_mode` referee). Answer: `{"state"}`.

    Refusals: `not_allowed`, `sheet_closed`, `claim_unknown`, `claim_decided`, `judged_by_players`, `reason_required`.
    """

    def work(table: Table) -> Answer:
        table.require(staff=True)
        table.require_open()
        found = judging.open_claim_of(table.sheet, claim)
        if found.judges:
            raise Refusal("judged_by_players", article="S17")
        judging.judge(
            table.scope,
            table.sheet,
            found,
            upheld=uphold,
            reason=checked_reason(reason),
            decided_by=Ruling.By.REFEREE,
            person=actor.person,
        )
        return {"claim": claim, "state": str(found.state)}

    return act(actor, match, "decide_claim", key, {"claim": claim, "uphold": uphold, "reason": reason}, work)


def withdraw_claim(actor: Actor, match: UUID, *, claim: int, reason: str, key: str) -> Answer:
    """The claimant thinks better of it, or a referee ends a vote that cannot be completed. Nothing is judged.

    Refusals: `not_allowed`, `sheet_closed`, `claim_unknown`, `claim_decided`, `reason_required`.
    """

    def work(table: Table) -> Answer:
        table.require(staff=True, seat=True)
        table.require_open()
        found = judging.open_claim_of(table.sheet, claim)
        if not table.powers.staff and found.person_id != actor.person:
            raise Refusal("not_allowed")
        judging.withdraw(found, checked_reason(reason))
        return {"claim": claim, "state": str(Claim.State.WITHDRAWN)}

    return act(actor, match, "withdraw_claim", key, {"claim": claim, "reason": reason}, work)
