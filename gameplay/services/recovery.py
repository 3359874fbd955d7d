"""After a stop of the house or a sleep of the machine: what each match that ran gets for it (S10, D7)."""

from __future__ import annotations

from core.refusal import Refusal
from gameplay.models import Outage
from gameplay.queries.recovery import length_of
from gameplay.services import clock
from gameplay.services.acting import Answer, Table, act, checked_reason
from players.actor import Actor


def answer_outage(actor: Actor, outage: int, answer: str, *, reason: str, key: str) -> Answer:
    """`credit`: the bell rings later by the length of the stop; `recovery`: one hand more after it; or `nothing`.

    Answer: `{"outage", "answer", "seconds"}`, the length. Refusals: `outage_unknown`, `not_allowed`, `outage_answered`,
    `bad_answer`, `reason_required`, and those of `credit_time` and `grant_recovery`.
    """
    match = Outage.objects.filter(pk=outage).values_list("match", flat=True).first()
    if match is None:
        raise Refusal("outage_unknown")
    told = {"outage": outage, "answer": answer, "reason": reason}
    # A recovery hand is for everybody to know; of a credit, or nothing, nobody at the table hears.
    quiet = answer != Outage.Answer.RECOVERY
    return act(actor, match, "answer_outage", key, told, lambda one: _answer(one, outage, answer, reason), quiet=quiet)


def _answer(table: Table, outage: int, answer: str, reason: str) -> Answer:
    if not table.powers.clock:
        raise Refusal("not_allowed")
    table.require_open()
    row = Outage.objects.select_for_update().get(pk=outage)
    if row.answer:
        raise Refusal("outage_answered")
    words = checked_reason(reason)
    match answer:
        case Outage.Answer.CREDIT:
            clock.credit(table, length_of(row), words)
        case Outage.Answer.RECOVERY:
            clock.grant(table, words)
        case Outage.Answer.NOTHING:
            pass
        case _:
            raise Refusal("bad_answer", article="S10", pointer="/answer")
    row.answer, row.person_id = answer, table.actor.person
    row.save(update_fields=["answer", "person"])
    return {"outage": outage, "answer": answer, "seconds": length_of(row)}
