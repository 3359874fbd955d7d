"""Writes about a sheet whose row is locked: who may write is asked by the caller."""

from __future__ import annotations

from datetime import timedelta
from typing import Any, NamedTuple
from uuid import UUID

from django.db.models import Max

from core.clock import database_now
from core.refusal import Refusal
from players.models import Scope
from scoring.models import (
    Appeal,
    AppealVote,
    Claim,
    Proposal,
    RefereeCall,
    Ruling,
    Sheet,
    Signature,
    Vote,
)
from scoring.models import Entry as EntryRow
from scoring.queries import content_of, entries_of, rules_of
from scoring.rules.penalties import judges
from scoring.rules.procedure import (
    COUNCIL_DAYS,
    council_decision,
    is_signed,
    verdict,
    without_ruling,
)
from scoring.rules.scoresheet import Content, Entry, Played, Scoresheet, append_entry, fold
from scoring.services.sheets import append, columns, offences_before


class By(NamedTuple):
    """Who does something at a table: a person, where he sits (None: staff), and his seat pass if he came with one.

    `person` is None for the house itself, which signs, votes and calls nowhere.
    """

    person: UUID | None
    seat: int | None
    pass_id: UUID | None

    def somebody(self) -> UUID:
        """The person. Refusal `not_allowed` for the house itself."""
        if self.person is None:
            raise Refusal("not_allowed")
        return self.person


def check_nothing_waits(sheet: Sheet) -> None:
    """Refusals `proposal_pending`, `claim_open`: the sheet waits for somebody's answer first."""
    if Proposal.objects.filter(sheet=sheet, state="pending").exists():
        raise Refusal("proposal_pending", article="S11")
    check_no_claim(sheet)


def check_no_claim(sheet: Sheet) -> None:
    """Refusal `claim_open`: a claim is judged before anything else is played."""
    if Claim.objects.filter(sheet=sheet, state="open").exists():
        raise Refusal("claim_open", article="S17")


# A second person


def propose(sheet: Sheet, by: By, content: Content, *, hand: int | None, replaces: int | None, reason: str) -> int:
    """An entry that waits for a second person; its number."""
    number = _next(Proposal, sheet)
    Proposal.objects.create(
        sheet=sheet,
        number=number,
        content=columns(content),
        hand=hand,
        replaces=replaces,
        reason=reason,
        person_id=by.somebody(),
    )
    return number


def waiting_proposal(sheet: Sheet, number: int) -> Proposal:
    """Refusals: `proposal_unknown`, `proposal_answered`."""
    found = Proposal.objects.filter(sheet=sheet, number=number).first()
    if found is None:
        raise Refusal("proposal_unknown")
    if found.state != Proposal.State.PENDING:
        raise Refusal("proposal_answered", {"state": found.state})
    return found


def answer(sheet: Sheet, by: By, proposal: Proposal, *, accept: bool) -> None:
    """Writes what was proposed, or does not. Refusals: `own_proposal`; those of `append`."""
    if proposal.person_id == by.person:
        raise Refusal("own_proposal", article="S11")
    proposal.state = Proposal.State.ACCEPTED if accept else Proposal.State.REJECTED
    proposal.answered_by_id = by.person
    proposal.save()
    if accept:
        append(sheet, Entry(content_of(proposal.content), proposal.replaces, proposal.reason))
        if proposal.hand:
            set_dealt(sheet, proposal.hand)


def take_back(by: By, proposal: Proposal) -> None:
    """Its proposer thinks better of it. Refusal: `not_allowed`."""
    if proposal.person_id != by.person:
        raise Refusal("not_allowed")
    proposal.state = Proposal.State.TAKEN_BACK
    proposal.save()


def set_dealt(sheet: Sheet, hand: int) -> None:
    """Hand number `hand` was dealt: what came before can no longer be claimed."""
    if hand > sheet.dealt:
        sheet.dealt = hand
        sheet.save(update_fields=["dealt"])


# Signing


def sign(sheet: Sheet, by: By, entries: int) -> tuple[bool, int]:
    """A signature under the sheet as it stands; whether it closed the match, and how many players signed.

    Refusal: `already_signed`.
    """
    signed = Signature.objects.filter(sheet=sheet, entries=entries, reopened=sheet.reopened)
    if signed.filter(seat=by.seat).exists():
        raise Refusal("already_signed", article="S11")
    Signature.objects.create(
        sheet=sheet, entries=entries, reopened=sheet.reopened, seat=by.seat, person_id=by.person, pass_id=by.pass_id
    )
    seats = {seat for seat in signed.values_list("seat", flat=True) if seat is not None}
    closed = is_signed(seats, referee=by.seat is None)
    if closed:
        sheet.state = Sheet.State.CLOSED
        sheet.save(update_fields=["state"])
    return closed, len(seats)


def reopen(sheet: Sheet) -> None:
    """A signed sheet is written on again; every signature under it is void. Refusal: `not_closed`, `sheet_frozen`."""
    if sheet.state != Sheet.State.CLOSED:
        raise Refusal("sheet_frozen" if sheet.state == Sheet.State.FROZEN else "not_closed", article="S11")
    sheet.state = Sheet.State.OPEN
    sheet.reopened += 1
    sheet.save(update_fields=["state", "reopened"])


# Claims


def open_claim(sheet: Sheet, by: By, entry: EntryRow, kind: str, reason: str, judge_mode: str) -> int:
    """A claim against the caller of a hand; its number. Refusal `already_judged`: for the same thing, no appeal.

    A corrected hand is the same hand.
    """
    judged = Claim.objects.filter(sheet=sheet, entry__line=entry.line, kind=kind, state__in=["upheld", "rejected"])
    if judged.exists():
        raise Refusal("already_judged", article="S17")
    number = _next(Claim, sheet)
    votes = judge_mode == "players"
    Claim.objects.create(
        sheet=sheet,
        number=number,
        entry=entry,
        kind=kind,
        seat=by.seat,
        person_id=by.person,
        reason=reason,
        judges=list(judges(entry.caller or 0, entry.called or 0)) if votes else [],
    )
    return number


def open_claim_of(sheet: Sheet, number: int) -> Claim:
    """Refusals: `claim_unknown`, `claim_decided`."""
    found = Claim.objects.select_related("entry").filter(sheet=sheet, number=number).first()
    if found is None:
        raise Refusal("claim_unknown")
    if found.state != Claim.State.OPEN:
        raise Refusal("claim_decided", {"state": found.state}, article="S17")
    return found


def cast_vote(scope: Scope, sheet: Sheet, claim: Claim, by: By, *, uphold: bool) -> None:
    """The vote of a judge; the last one decides. Refusals: `judged_by_referee`, `not_a_judge`, `already_voted`."""
    if not claim.judges:
        raise Refusal("judged_by_referee", article="D9")
    if by.seat is None or by.seat not in claim.judges:
        raise Refusal("not_a_judge", article="D9")
    if Vote.objects.filter(claim=claim, seat=by.seat).exists():
        raise Refusal("already_voted", article="S17")
    Vote.objects.create(claim=claim, seat=by.seat, uphold=uphold, person_id=by.somebody(), pass_id=by.pass_id)
    votes = dict(Vote.objects.filter(claim=claim).values_list("seat", "uphold"))
    decided = verdict(votes, claim.judges)
    if decided is not None:
        judge(scope, sheet, claim, upheld=decided, reason=claim.reason, decided_by=Ruling.By.TABLE, person=None)


def judge(
    scope: Scope, sheet: Sheet, claim: Claim, *, upheld: bool, reason: str, decided_by: str, person: UUID | None
) -> None:
    """The verdict on a claim: upheld, it is written on the sheet as a correction of the hand (S17, S18)."""
    claim.state = Claim.State.UPHELD if upheld else Claim.State.REJECTED
    claim.save()
    entry = None
    if upheld:
        hand = entries_of(sheet.pk).entries[claim.entry.number].content
        assert isinstance(hand, Played)  # a claim is about nothing else
        entry = write(sheet, Entry(Played(hand.outcome, claim.kind), claim.entry.number, claim.reason))  # type: ignore[arg-type]  # a CHECK allows the two words only
    rule(
        scope,
        sheet,
        kind=claim.kind,
        decided_by=decided_by,
        upheld=upheld,
        person_id=person,
        article="S17" if claim.kind == "suicidal_call" else "S18",
        question=claim.reason if reason != claim.reason else "",
        reason=reason,
        entry=entry,
        claim=claim,
    )


def withdraw(claim: Claim, reason: str) -> None:
    """The claim is no more: nothing was judged."""
    claim.state = Claim.State.WITHDRAWN
    claim.withdrawn_because = reason
    claim.save()


# Rulings and appeals

NOT_REVOKED = (Ruling.Kind.REVOCATION, Ruling.Kind.APPEAL, Ruling.Kind.REOPENED)
"""Rulings that nobody takes back, and no appeal is about: what they undid is ruled anew."""


def write(sheet: Sheet, entry: Entry) -> EntryRow:
    """Appends an entry to a locked sheet; its row."""
    append(sheet, entry)
    return EntryRow.objects.filter(sheet=sheet).order_by("-number")[0]


def tried(sheet: Sheet, entry: Entry) -> Scoresheet:
    """The sheet as it would be with one more entry. Refusals: those of `append_entry` and of `fold`."""
    grown = append_entry(entries_of(sheet.pk).entries, entry, rules_of(sheet))
    return fold(grown, rules_of(sheet), offences_before(sheet))


def rule(scope: Scope, sheet: Sheet, **values: Any) -> Ruling:
    """A row of the case book, numbered in its scope."""
    last = Ruling.objects.filter(scope=scope).aggregate(last=Max("number"))["last"] or 0
    return Ruling.objects.create(scope=scope, number=last + 1, sheet=sheet, **values)


def ruling_of(sheet: Sheet, ruling: UUID) -> Ruling:
    """Refusal: `ruling_unknown`."""
    found = Ruling.objects.select_related("entry").filter(sheet=sheet, pk=ruling).first()
    if found is None:
        raise Refusal("ruling_unknown")
    return found


def revoke(scope: Scope, sheet: Sheet, ruling: Ruling, *, reason: str, **values: Any) -> Ruling:
    """Takes a ruling back, and what it wrote with it. Refusals: `already_revoked`, `nothing_to_revoke`,
    `proposal_pending`, `claim_open`, `stale_entry`.

    `stale_entry`: something else stands there since. A corrected number is no such thing.
    """
    if Ruling.objects.filter(revokes=ruling).exists():
        raise Refusal("already_revoked", article="S19")
    if ruling.kind in NOT_REVOKED:
        raise Refusal("nothing_to_revoke", article="S19", pointer="/ruling")
    entry = None
    if ruling.entry:
        check_nothing_waits(sheet)
        present = EntryRow.objects.filter(sheet=sheet, line=ruling.entry.line).order_by("-number")[0]
        if (present.kind, present.ruling) != (ruling.entry.kind, ruling.entry.ruling):
            raise Refusal("stale_entry", article="S11")
        instead = without_ruling(entries_of(sheet.pk).entries, present.number)
        entry = write(sheet, Entry(instead, present.number, reason))
    return rule(scope, sheet, reason=reason, revokes=ruling, entry=entry, **values)


def open_appeal(ruling: Ruling, by: By, reason: str) -> Appeal:
    """A ruling goes before the council. Refusals: `no_appeal` (the table or the council decided, or there is nothing
    that the council could take back), `appeal_open`, `appeal_decided`, `already_revoked`.
    """
    if ruling.decided_by != Ruling.By.REFEREE or ruling.kind in NOT_REVOKED:
        raise Refusal("no_appeal", article="S17" if ruling.claim_id else "S19")
    if Ruling.objects.filter(revokes=ruling).exists():
        raise Refusal("already_revoked", article="S19")
    check_not_appealed(ruling)
    deadline = database_now() + timedelta(days=COUNCIL_DAYS)
    return Appeal.objects.create(ruling=ruling, person_id=by.person, reason=reason, deadline=deadline)


def check_not_appealed(ruling: Ruling) -> None:
    """Refusals: `appeal_open`; `appeal_decided`, also where the council let it lapse: then the ruling stands."""
    known = Appeal.objects.filter(ruling=ruling).first()
    if known is not None:
        before_council = known.state == Appeal.State.OPEN and known.deadline > database_now()
        raise Refusal("appeal_open" if before_council else "appeal_decided", article="S19")


def vote_appeal(scope: Scope, sheet: Sheet, appeal: Appeal, person: UUID, *, uphold: bool) -> None:
    """The vote of a guarantor; the fourth of a kind decides. Refusals: `appeal_closed`, `already_voted`."""
    if appeal.state != Appeal.State.OPEN or appeal.deadline <= database_now():
        raise Refusal("appeal_closed", article="S19")
    if AppealVote.objects.filter(appeal=appeal, person=person).exists():
        raise Refusal("already_voted", article="S19")
    AppealVote.objects.create(appeal=appeal, person_id=person, uphold=uphold)
    decided = council_decision(list(AppealVote.objects.filter(appeal=appeal).values_list("uphold", flat=True)))
    if decided is None:
        return
    appeal.state = Appeal.State.UPHELD if decided else Appeal.State.REJECTED
    appeal.save()
    ruling = Ruling.objects.select_related("entry").get(pk=appeal.ruling_id)
    told: dict[str, Any] = {
        "kind": Ruling.Kind.APPEAL,
        "decided_by": Ruling.By.COUNCIL,
        "upheld": decided,
        "article": "S19",
        "question": ruling.reason,
        "reason": appeal.reason,
    }
    if not decided or sheet.state == Sheet.State.FROZEN:
        # What the council takes back on a sheet whose stage is over, the organiser writes as a correction.
        rule(scope, sheet, **told)
    elif ruling.upheld:
        revoke(scope, sheet, ruling, **told)
    else:
        rule(scope, sheet, revokes=ruling, entry=_impose(sheet, ruling), **told)


def _impose(sheet: Sheet, ruling: Ruling) -> EntryRow:
    """What a referee would not punish, the council does. Refusals: as `revoke`."""
    check_nothing_waits(sheet)
    claim = Claim.objects.select_related("entry").get(verdict=ruling)
    present = EntryRow.objects.filter(sheet=sheet, line=claim.entry.line).order_by("-number")[0]
    content = entries_of(sheet.pk).entries[present.number].content
    if not isinstance(content, Played) or content.ruling:
        raise Refusal("stale_entry", article="S11")
    punished = Played(content.outcome, claim.kind)  # type: ignore[arg-type]  # a CHECK allows the two words only
    return write(sheet, Entry(punished, present.number, claim.reason))


# The referee's queue


def call_referee(sheet: Sheet, by: By, seat: int, words: str) -> int:
    """A table calls; the number of its call. A second call of the same seat is the first one."""
    waiting = RefereeCall.objects.filter(sheet=sheet, seat=seat, answered=False).first()
    if waiting is not None:
        return waiting.number
    number = _next(RefereeCall, sheet)
    RefereeCall.objects.create(sheet=sheet, number=number, seat=seat, person_id=by.somebody(), words=words)
    return number


def answer_call(sheet: Sheet, by: By, number: int) -> None:
    """The referee came. Answering twice is answering once. Refusal: `call_unknown`."""
    call = RefereeCall.objects.filter(sheet=sheet, number=number).first()
    if call is None:
        raise Refusal("call_unknown")
    if not call.answered:
        call.answered, call.answered_by_id = True, by.person
        call.save()


def _next(model: type[Proposal] | type[Claim] | type[RefereeCall], sheet: Sheet) -> int:
    last: int | None = model.objects.filter(sheet=sheet).aggregate(last=Max("number"))["last"]
    return (last or 0) + 1
