"""The queue of tables that wait for a referee (UX-22)."""

from __future__ import annotations

from uuid import UUID

from core.live import publish
from core.refusal import Refusal
from gameplay.services.acting import Answer, Table, act, checked_text
from players.actor import Actor
from players.queries import above
from scoring.services import judging

WORDS = 200


def call_referee(actor: Actor, match: UUID, *, words: str, key: str) -> Answer:
    """A player calls the referee to his table; calling again is the same call. Answer: `{"call": n}`.

    Refusals: `not_allowed`, `sheet_closed`, `words_too_long`.
    """

    def work(table: Table) -> Answer:
        seat = table.powers.seat
        if seat is None:
            raise Refusal("not_allowed")
        table.require_open()
        bare = words.strip() and checked_text(words, length=WORDS, code="words_too_long", pointer="/words")
        _tell_staff(table)
        return {"call": judging.call_referee(table.sheet, table.by, seat, bare)}

    return act(actor, match, "call_referee", key, {"words": words}, work)


def answer_call(actor: Actor, match: UUID, *, call: int, key: str) -> Answer:
    """A referee comes to the table. Refusals: `not_allowed`, `call_unknown`."""

    def work(table: Table) -> Answer:
        table.require(staff=True)
        judging.answer_call(table.sheet, table.by, call)
        _tell_staff(table)
        return {"call": call}

    return act(actor, match, "answer_call", key, {"call": call}, work)


def _tell_staff(table: Table) -> None:
    """The queues of everybody who keeps this table change: referees listen to the scope on which they are one."""
    publish(*(f"scope:{scope}" for scope in above(table.scope.pk)))
