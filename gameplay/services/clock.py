"""The clock of a match: start, suspension, award, bell and what follows (S9, S10, D5 to D8, D21)."""

from __future__ import annotations

from datetime import datetime, timedelta
from uuid import UUID

from django.db import transaction

from core.refusal import Refusal
from gameplay.models import ClockEvent, Outage
from gameplay.queries.recovery import LONGEST_CREDIT
from gameplay.rules import clock as rules
from gameplay.rules.clock import HOWS, Clock, Follow, How
from gameplay.services.acting import Answer, Table, act, checked_reason, locked_table
from gameplay.services.held import Held, hands_told, hold
from players.actor import Actor
from players.services import write_audit
from scoring.models import Ruling
from scoring.rules.procedure import hands_on, last_caller
from scoring.services import judging

Kind = ClockEvent.Kind


def start_match(actor: Actor, match: UUID, *, key: str) -> Answer:
    """The match begins, its clock runs. Refusals: `not_allowed`, `sheet_closed`, `no_clock`, `already_started`."""
    return act(actor, match, "start_match", key, {}, start)


def start(table: Table, at: datetime | None = None) -> Answer:
    """As `start_match`, at a locked table; several tables that begin together have one time `at`."""
    held = _kept(table)
    held.now = at or held.now
    held.write(Kind.STARTED, table.by, rules.start(held.clock, held.now))
    return {}


def cancel_start(actor: Actor, match: UUID, *, reason: str, key: str) -> Answer:
    """A start by mistake is taken back before the first hand (UX-50).

    Refusals: `not_allowed`, `sheet_closed`, `no_clock`, `not_started`, `hands_on_sheet`, `reason_required`.
    """
    return act(actor, match, "cancel_start", key, {"reason": reason}, lambda table: cancel(table, reason))


def cancel(table: Table, reason: str) -> Answer:
    """As `cancel_start`, at a locked table."""
    held = _kept(table)
    event = rules.cancel(held.clock, hands_told(table.sheet.pk))
    held.write(Kind.CANCELLED, table.by, event, reason=checked_reason(reason))
    return {}


def suspend_match(actor: Actor, match: UUID, *, clock_stopped: bool, reason: str, key: str) -> Answer:
    """Play rests, for a reason; the clock is stopped too, or could not be (S10).

    Refusals: `not_allowed`, `sheet_closed`, `no_clock`, `not_running`, `already_suspended`, `reason_required`.
    """
    told = {"clock_stopped": clock_stopped, "reason": reason}
    work = lambda table: suspend(table, clock_stopped=clock_stopped, reason=reason)  # noqa: E731
    return act(actor, match, "suspend_match", key, told, work)


def suspend(table: Table, *, clock_stopped: bool, reason: str) -> Answer:
    """As `suspend_match`, at a locked table."""
    held = _kept(table)
    event = rules.suspend(held.clock, held.now, stopped=clock_stopped, reason=checked_reason(reason))
    held.write(Kind.SUSPENDED, table.by, event, stopped=clock_stopped, reason=event.reason)
    return {"clock_stopped": clock_stopped}


def resume_match(actor: Actor, match: UUID, *, key: str) -> Answer:
    """Play goes on. Refusals: `not_allowed`, `sheet_closed`, `no_clock`, `not_suspended`."""
    return act(actor, match, "resume_match", key, {}, resume)


def resume(table: Table) -> Answer:
    """As `resume_match`, at a locked table."""
    held = _kept(table)
    held.write(Kind.RESUMED, table.by, rules.resume(held.clock, held.now))
    return {}


def award_auction(actor: Actor, match: UUID, *, hand: int, called_at_120: bool = False, key: str) -> Answer:
    """The auction of hand number `hand` is over: from now on it is in progress (S9, D21). Answer: `{"hand"}`.

    Refusals: `not_allowed`, `recorders_referee`, `recorders_table`, `sheet_closed`, `no_clock`, `not_started`,
    `bell_rang`, `match_suspended`, `proposal_pending`, `claim_open`, `wrong_hand`, `already_awarded`,
    `caller_deals`: it ends the time in which the last caller can be accused (S17), so he does not say it.
    """

    def work(table: Table) -> Answer:
        table.require_recorder()
        table.require_quiet()
        held = _held(table)
        folded = table.folded()
        due = hands_on(folded) + 1
        if table.sheet.dealt < due and table.by.seat is not None and table.by.seat == last_caller(folded):
            raise Refusal("caller_deals", article="S17")
        event = rules.award(held.clock, held.now, hand=hand, due=due, at_120=called_at_120)
        held.write(Kind.AWARDED, table.by, event, hand=hand, how=HOWS[2] if called_at_120 else HOWS[0])
        judging.set_dealt(table.sheet, hand)
        return {"hand": hand}

    return act(actor, match, "award_auction", key, {"hand": hand, "called_at_120": called_at_120}, work)


def answer_bell(actor: Actor, match: UUID, *, how: How, hand: int | None = None, reason: str = "", key: str) -> Answer:
    """Was the auction awarded when the bell rang? (D21) Answer: `{"last"}`, the last hand that counts.

    A player of the match answers once. A referee also afterwards, and may name the last hand where some that were
    over had not been written yet; what is not the usual answer needs a reason, and stands in the case book.
    Refusals: `not_allowed`, `sheet_closed`, `no_clock`, `no_question`, `already_answered`, `wrong_hand`,
    `hand_written`, `reason_required`, `bad_answer`.
    """
    if how not in HOWS:
        raise Refusal("bad_answer", article="D21", pointer="/how")

    def work(table: Table) -> Answer:
        table.require(staff=True, seat=True)
        held = _held(table)
        referee = table.powers.staff
        again = held.clock.how is not None
        hands = hands_on(table.folded())
        event = rules.answer(held.clock, how=how, last=hand, referee=referee, hands=hands)
        unusual = event.last != rules.last_hand(held.clock, how, held.clock.at_bell or 0)
        words = checked_reason(reason) if again or unusual else reason.strip()
        held.write(Kind.ANSWERED, table.by, event, hand=event.last, how=how, reason=words)
        if event.last > (held.clock.at_bell or 0):
            judging.set_dealt(table.sheet, event.last)  # it was dealt: what came before can no longer be claimed
        if referee and words:
            note(table, "D21", words)
        return {"last": event.last}

    return act(actor, match, "answer_bell", key, {"how": how, "hand": hand, "reason": reason}, work)


def grant_recovery(actor: Actor, match: UUID, *, reason: str, key: str) -> Answer:
    """One hand more after the bell, because the clock could not be stopped; one for each match (S10, D7).

    Refusals: `not_allowed`, `sheet_closed`, `no_clock`, `not_started`, `already_granted`, `no_unstopped_suspension`,
    `reason_required`.
    """
    return act(actor, match, "grant_recovery", key, {"reason": reason}, lambda table: grant(table, reason))


def grant(table: Table, reason: str) -> Answer:
    """As `grant_recovery`, at a locked table."""
    table.require(staff=True)
    held = _kept(table)
    words = checked_reason(reason)
    answered = [Outage.Answer.CREDIT, Outage.Answer.NOTHING]
    suffered = Outage.objects.filter(match=held.match).exclude(answer__in=answered).exists()
    held.write(Kind.RECOVERY, table.by, rules.grant_recovery(held.clock, suffered=suffered), reason=words)
    note(table, "D7", words)
    return {}


def credit_time(actor: Actor, match: UUID, *, seconds: int, reason: str, key: str) -> Answer:
    """The bell rings later by this, up to a day, for time that was lost (S10).

    Refusals: `not_allowed`, `sheet_closed`, `no_clock`, `not_running`, `bell_rang`, `bad_credit`, `reason_required`.
    """
    told = {"seconds": seconds, "reason": reason}
    return act(actor, match, "credit_time", key, told, lambda table: credit(table, seconds, reason), quiet=True)


def credit(table: Table, seconds: float, reason: str) -> Answer:
    """As `credit_time`, at a locked table. Nobody at it hears of a credit: it would tell something of the time."""
    held = _kept(table)
    if not 0 < seconds <= LONGEST_CREDIT:
        raise Refusal("bad_credit", {"high": LONGEST_CREDIT}, article="S10", pointer="/seconds")
    by = timedelta(seconds=seconds)
    words = checked_reason(reason)
    held.write(
        Kind.MOVED, table.by, rules.move(held.clock, by), micros=round(by / timedelta(microseconds=1)), reason=words
    )
    return {"seconds": seconds}


def interrupt_match(actor: Actor, match: UUID, *, follow: Follow, reason: str, key: str) -> Answer:
    """A player retires: five are needed exactly, so nothing more is played (D8).

    `follow`: `standings` (it counts as it stands) or `replay` (it is played again); a second ruling changes that.
    Refusals: `not_allowed`, `sheet_closed`, `no_clock`, `not_started`, `already_interrupted`, `nothing_written`,
    `proposal_pending`, `claim_open`, `bad_answer`, `reason_required`.
    """
    told = {"follow": follow, "reason": reason}
    return act(actor, match, "interrupt_match", key, told, lambda table: interrupt(table, follow, reason))


def interrupt(table: Table, follow: Follow, reason: str) -> Answer:
    """As `interrupt_match`, at a locked table."""
    if follow not in rules.FOLLOWS:
        raise Refusal("bad_answer", article="D8", pointer="/follow")
    table.require(staff=True)
    held = _kept(table)
    table.require_quiet()
    words = checked_reason(reason)
    event = rules.interrupt(held.clock, held.now, follow, hands=hands_on(table.folded()))
    held.write(Kind.INTERRUPTED, table.by, event, how=follow, reason=words)
    note(table, "D8", words)
    return {"follow": follow}


@transaction.atomic
def reveal_time(actor: Actor, match: UUID) -> Answer:
    """The time of a match, for its clock keeper; each look is written down (S9). Answer: seconds `elapsed` and `left`.

    Nothing of the match changes by it, nobody else hears of it, and the answer is kept nowhere.
    Refusals: `not_allowed`, `no_clock`, `not_started`.
    """
    table = locked_table(actor, match)
    if not table.powers.clock:
        raise Refusal("not_allowed")
    held = _clock(table)
    if held.clock.state == "ready":
        raise Refusal("not_started", article="S9")
    write_audit(table.scope, actor, "reveal_time", {"sheet": str(match)})
    left = _left(held.clock, held)
    return {"elapsed": round((held.clock.length - left).total_seconds()), "left": round(left.total_seconds())}


def _left(clock: Clock, held: Held) -> timedelta:
    return clock.left if clock.deadline is None else clock.deadline - held.now


def _kept(table: Table) -> Held:
    """The clock in the hands of who may keep it. Refusals: `not_allowed`, `sheet_closed`, `no_clock`."""
    if not table.powers.clock:
        raise Refusal("not_allowed")
    return _held(table)


def _held(table: Table) -> Held:
    table.require_open()
    return _clock(table)


def _clock(table: Table) -> Held:
    held = hold(table.sheet.pk)
    if held is None:
        raise Refusal("no_clock", article="S9")
    return held


def note(table: Table, article: str, reason: str) -> None:
    """A decision of staff beside the clock stands in the case book, with its article and reason (S2)."""
    judging.rule(
        table.scope,
        table.sheet,
        kind=Ruling.Kind.DECISION,
        decided_by=Ruling.By.REFEREE,
        person_id=table.actor.person,
        article=article,
        reason=reason,
    )
