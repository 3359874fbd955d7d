"""The frame of every verb at a table: once, locked, asked for, written down, told."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from core.canonical import is_text
from core.commands import once
from core.live import publish
from core.refusal import Refusal
from gameplay.models import Match
from gameplay.queries import Powers, powers_of
from gameplay.services.telling import staff_topics, table_topics
from players.actor import Actor
from players.models import Scope
from players.services import lock_scopes, write_audit
from scoring.models import Sheet
from scoring.queries import entries_of, rules_of
from scoring.rules.procedure import hands_on
from scoring.rules.ruleset import ScoringRules
from scoring.rules.scoresheet import Entry, Scoresheet, fold
from scoring.services.judging import By, check_nothing_waits
from scoring.services.sheets import lock_sheet, offences_before

Answer = dict[str, Any]
REASON = 1000
"""Characters of a reason: more than anybody reads."""


@dataclass(frozen=True)
class Table:
    """A table whose rows are locked: its scope, its sheet, and what the actor is there."""

    actor: Actor
    scope: Scope
    sheet: Sheet
    powers: Powers

    @property
    def rules(self) -> ScoringRules:
        """The frozen rules of its sheet."""
        return rules_of(self.sheet)

    @property
    def by(self) -> By:
        """Who acts, as the sheet keeps it: a seat, or staff."""
        seat = None if self.powers.staff else self.powers.seat
        return By(self.actor.person, seat, self.actor.pass_id)

    def entries(self) -> tuple[Entry, ...]:
        """Everything on the sheet, as it is now."""
        return entries_of(self.sheet.pk).entries

    def folded(self) -> Scoresheet:
        """The sheet as it is now."""
        return fold(self.entries(), self.rules, offences_before(self.sheet))

    def next_hand(self) -> int:
        """Number of the hand that is recorded next."""
        return hands_on(self.folded()) + 1

    def require(self, *, staff: bool = False, seat: bool = False) -> None:
        """Refusal `not_allowed` unless the actor is one of these."""
        if not ((staff and self.powers.staff) or (seat and self.powers.seat is not None)):
            raise Refusal("not_allowed")

    def require_recorder(self) -> None:
        """Refusals: `not_allowed`; `recorders_referee`, `recorders_table` where the rules keep him from writing."""
        self.require(staff=True, seat=True)
        if not self.powers.records:
            raise Refusal(f"recorders_{self.rules.recorders}", article="S11")

    def require_open(self) -> None:
        """Refusals: `sheet_closed`, `sheet_frozen`."""
        if self.sheet.state != Sheet.State.OPEN:
            raise Refusal(f"sheet_{self.sheet.state}", article="S11")

    def require_quiet(self) -> None:
        """Open, and nothing waits for an answer. Refusals: `sheet_closed`, `proposal_pending`, `claim_open`."""
        self.require_open()
        check_nothing_waits(self.sheet)


def locked_table(actor: Actor, match: UUID) -> Table:
    """The table of a match, its scope and its sheet locked in this order. Refusal: `match_unknown`."""
    scope = Match.objects.filter(pk=match).values_list("sheet__scope", flat=True).first()
    if scope is None:
        raise Refusal("match_unknown")
    row = lock_scopes(scope)[scope]
    sheet = lock_sheet(match)
    return Table(actor, row, sheet, powers_of(actor, sheet))


def act(
    actor: Actor,
    match: UUID,
    verb: str,
    key: str,
    told: Answer,
    work: Callable[[Table], Answer],
    *,
    quiet: bool = False,
) -> Answer:
    """Does `work` at a locked table, once for this key; its answer with the new `version` of the sheet.

    `quiet`: nothing changes for who plays or watches, so only staff hears of it. `told`: what was asked for. Whatever
    is answered, ids and numbers, stands in the audit trail too.
    Refusals: `match_unknown`, `key_reused`, `bad_key`, and what `work` refuses.
    """

    def locked() -> Answer:
        table = locked_table(actor, match)
        scope, sheet = table.scope, table.sheet
        answer = work(table)
        if not quiet:
            sheet.version += 1
            sheet.save(update_fields=["version"])
        write_audit(scope, actor, verb, {"sheet": str(match), "version": sheet.version, **answer})
        publish(*staff_topics(scope) if quiet else table_topics(match, scope))
        return {**answer, "version": sheet.version}

    return once(actor.name, verb, key, {"match": str(match), **told}, locked)


def checked_text(text: str, *, length: int, code: str, pointer: str, article: str = "") -> str:
    """Words of a person, without the space around them. Refusal `code` unless there are 1 to `length` characters.

    Refusal `unfit_text` for what no column can hold (U+0000, half of a surrogate pair).
    """
    bare = text.strip()
    if not is_text(bare):
        raise Refusal("unfit_text", pointer=pointer)
    if not 0 < len(bare) <= length:
        raise Refusal(code, {"length": length}, article=article, pointer=pointer)
    return bare


def checked_reason(reason: str) -> str:
    """Refusals: `reason_required`, `unfit_text`."""
    return checked_text(reason, length=REASON, code="reason_required", pointer="/reason", article="S11")
