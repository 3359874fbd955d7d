"""Hands on the sheet: recorded, corrected, voided, undone, and accepted by a second person (S11)."""

from __future__ import annotations

from collections.abc import Sequence
from uuid import UUID

from core.refusal import Refusal
from gameplay.services.acting import Answer, Table, act, checked_reason
from gameplay.services.held import check_hand, hold
from players.actor import Actor
from scoring.models import Ruling
from scoring.rules.penalties import check_admission
from scoring.rules.procedure import undone
from scoring.rules.scoresheet import Admitted, Award, Content, Entry, Played, Voided, check_content
from scoring.services import judging
from scoring.services.sheets import append, columns

Hand = Played | Admitted


def record_hand(
    actor: Actor, match: UUID, *, hand: int, content: Hand, first_card_led: bool = False, key: str
) -> Answer:
    """Hand number `hand` (from 1) as it was played, or given up by an admission (S18 a, until a card is led: D19).

    Recorded by a seat, or where the rules ask for it (`confirm_hands`), it waits for a second person. Answer:
    `{"hand", "entry", "pending", "totals"}`: number of the entry, or of the proposal that waits.
    Refusals: `not_allowed`, `recorders_referee`, `recorders_table`, `sheet_closed`, `hand_taken` (somebody recorded
    it: 409), `wrong_hand`, `proposal_pending`, `claim_open`, `ruling_by_claim`, `admission_too_late`, those of
    `check_content` and of `fold`; beside a clock `not_started`, and after its bell `bell_unanswered` (D21) and
    `match_over` (S9).
    """

    def work(table: Table) -> Answer:
        table.require_recorder()
        table.require_open()
        due = table.next_hand()
        if hand < due:
            raise Refusal("hand_taken", {"hand": hand}, article="S11", pointer="/hand")
        table.require_quiet()
        if hand > due:
            raise Refusal("wrong_hand", {"hand": hand, "due": due}, article="S11", pointer="/hand")
        check_hand(hold(match), table.folded(), hand)
        _check(table, content)
        if isinstance(content, Admitted):
            check_admission(first_card_led=first_card_led)
        if table.by.seat is not None or table.rules.confirm_hands:
            table_after = _try(table, Entry(content))
            waits = judging.propose(table.sheet, table.by, content, hand=hand, replaces=None, reason="")
            return {"hand": hand, "entry": None, "pending": waits, "totals": table_after}
        entry = judging.write(table.sheet, Entry(content))
        judging.set_dealt(table.sheet, hand)
        return {"hand": hand, "entry": entry.number, "pending": None, "totals": list(table.folded().totals)}

    told = {"hand": hand, "content": columns(content), "first_card_led": first_card_led}
    return act(actor, match, "record_hand", key, told, work)


def record_hands(
    actor: Actor, match: UUID, *, first: int, contents: Sequence[Played | Admitted | Voided], key: str
) -> Answer:
    """A paper sheet typed in at once, from hand number `first`: all of it or nothing. Staff only, and not where each
    hand waits for a second person (`confirm_each_hand`).

    Answer: `{"hands": how many, "totals"}`. Refusals: as `record_hand`, with pointers /hands/<i>; `no_hands`.
    """

    def work(table: Table) -> Answer:
        table.require(staff=True)
        table.require_recorder()
        if table.rules.confirm_hands:
            raise Refusal("confirm_each_hand", article="S11")
        table.require_quiet()
        due = table.next_hand()
        if first != due:
            code = "hand_taken" if first < due else "wrong_hand"
            raise Refusal(code, {"hand": first, "due": due}, article="S11", pointer="/first")
        if not contents:
            raise Refusal("no_hands", pointer="/hands")
        held = hold(match)
        on_paper = held is None or held.clock.state == "ready"  # played under another clock, and written here
        for index, content in enumerate(contents):
            try:
                if not on_paper:
                    check_hand(held, table.folded(), first + index)
                _check(table, content)
                append(table.sheet, Entry(content))
            except Refusal as refusal:
                at = refusal.pointer.rpartition("/")[2]
                where = f"/hands/{index}" + (f"/{at}" if at and not at.isdigit() else "")
                raise Refusal(refusal.code, refusal.params, article=refusal.article, pointer=where) from None
        judging.set_dealt(table.sheet, first + len(contents) - 1)
        return {"hands": len(contents), "totals": list(table.folded().totals)}

    told = {"first": first, "contents": [columns(content) for content in contents]}
    return act(actor, match, "record_hands", key, told, work)


def correct_hand(
    actor: Actor, match: UUID, *, line: int, entry: int, content: Content, reason: str, key: str
) -> Answer:
    """Another content for a line (from 1), whose present entry the writer saw as number `entry` (S11).

    A referee writes it (unless `confirm_hands`), a player's correction waits for a second person. Answer:
    `{"entry", "pending"}`.
    Refusals: `not_allowed`, `recorders_referee`, `sheet_closed`, `entry_unknown`, `stale_entry` (corrected since:
    409), `proposal_pending`, `claim_open`, `reason_required`, `ruling_by_claim` (it is revoked, not written over),
    `void_by_ruling` (see `void_hand`), `correction_changes_kind`.
    """
    told = {"line": line, "entry": entry, "content": columns(content), "reason": reason}

    def work(table: Table) -> Answer:
        present = _present(table, line, entry)
        if isinstance(content, Voided):
            raise Refusal("void_by_ruling", article="S2", pointer="/content")
        if isinstance(present, Voided) and _is_ruled(table, entry):
            raise Refusal("ruling_by_claim", article="S2", pointer="/entry")
        _check(table, content, kept=present.ruling if isinstance(present, Played) else None)
        return _replace(table, entry, content, reason, waits=table.rules.confirm_hands)

    return act(actor, match, "correct_hand", key, told, work)


def void_hand(actor: Actor, match: UUID, *, line: int, entry: int, repeated: bool, reason: str, key: str) -> Answer:
    """Annuls a line; `repeated`: the same dealer deals again (D6). A referee's is a ruling of the case book.

    Answer and refusals as `correct_hand`; `already_voided`. What was judged or awarded is revoked instead.
    """
    told = {"line": line, "entry": entry, "repeated": repeated, "reason": reason}

    def work(table: Table) -> Answer:
        present = _present(table, line, entry)
        if isinstance(present, Voided):
            raise Refusal("already_voided", article="S11")
        if isinstance(present, Award) or (isinstance(present, Played) and present.ruling):
            raise Refusal("ruling_by_claim", article="S17", pointer="/entry")
        answer = _replace(table, entry, Voided(repeated), reason)
        if answer["pending"] is None:
            row = table.sheet.entries.get(number=answer["entry"])
            judging.rule(
                table.scope,
                table.sheet,
                kind=Ruling.Kind.VOID,
                decided_by=Ruling.By.REFEREE,
                person_id=actor.person,
                article="S2",
                reason=reason.strip(),
                entry=row,
            )
        return answer

    return act(actor, match, "void_hand", key, told, work)


def undo(actor: Actor, match: UUID, *, entry: int, reason: str, key: str) -> Answer:
    """Takes back what was written last (entry number `entry`); both lines stay (S11).

    Answer and refusals as `correct_hand`; `ruling_by_claim` for what was ruled, which a ruling revokes.
    """

    def work(table: Table) -> Answer:
        entries = table.entries()
        _allowed(table)
        if not entries or entry != len(entries) - 1:
            code = "stale_entry" if 0 <= entry < len(entries) else "entry_unknown"
            raise Refusal(code, article="S11", pointer="/entry")
        if _is_ruled(table, entry):
            raise Refusal("ruling_by_claim", article="S17")
        _check_unruled(table, entry)
        return _replace(table, entry, undone(entries, entry), reason, waits=table.rules.confirm_hands)

    return act(actor, match, "undo", key, {"entry": entry, "reason": reason}, work)


def answer_proposal(actor: Actor, match: UUID, *, proposal: int, accept: bool, key: str) -> Answer:
    """The second person accepts what waits, or rejects it; he can change nothing (UX-17).

    Answer: `{"accepted", "totals"}`. Refusals: `not_allowed`, `sheet_closed`, `proposal_unknown`, `proposal_answered`,
    `own_proposal`.
    """

    def work(table: Table) -> Answer:
        table.require(staff=True, seat=True)
        table.require_open()
        held = hold(match)
        waits = judging.waiting_proposal(table.sheet, proposal)
        if accept and waits.hand is not None:
            check_hand(held, table.folded(), waits.hand)
        judging.answer(table.sheet, table.by, waits, accept=accept)
        return {"accepted": accept, "totals": list(table.folded().totals)}

    return act(actor, match, "answer_proposal", key, {"proposal": proposal, "accept": accept}, work)


def take_back_proposal(actor: Actor, match: UUID, *, proposal: int, key: str) -> Answer:
    """Who proposed something takes it back before it is answered. Refusals: as `answer_proposal`."""

    def work(table: Table) -> Answer:
        table.require(staff=True, seat=True)
        table.require_open()
        judging.take_back(table.by, judging.waiting_proposal(table.sheet, proposal))
        return {}

    return act(actor, match, "take_back_proposal", key, {"proposal": proposal}, work)


def _check(table: Table, content: Content, *, kept: str | None = None) -> None:
    """Numbers and seats. A penalty is claimed and judged, never just written, and revoked, never just left out.

    `kept`: the one that was judged before.
    """
    if (content.ruling if isinstance(content, Played) else None) != kept:
        raise Refusal("ruling_by_claim", article="S17", pointer="/ruling")
    check_content(content, table.rules)


def _is_ruled(table: Table, entry: int) -> bool:
    """A ruling wrote this entry."""
    return Ruling.objects.filter(sheet=table.sheet, entry__number=entry).exists()


def _try(table: Table, entry: Entry) -> list[int]:
    """The totals if this were written; whatever would refuse it then refuses it now."""
    return list(judging.tried(table.sheet, entry).totals)


def _allowed(table: Table) -> None:
    """A referee may correct under all rules; a player where the table writes the sheet."""
    if not table.powers.staff:
        table.require_recorder()
    table.require_quiet()


def _present(table: Table, line: int, entry: int) -> Content:
    """The entry that holds on a line, if it is the one that the writer saw."""
    _allowed(table)
    lines = table.sheet.entries.filter(line=line - 1).order_by("-number")
    found = lines.first()
    if found is None or not lines.filter(number=entry).exists():
        raise Refusal("entry_unknown", article="S11", pointer="/entry")
    if found.number != entry:
        raise Refusal("stale_entry", {"line": line}, article="S11", pointer="/entry")
    _check_unruled(table, entry)
    return table.entries()[entry].content


def _check_unruled(table: Table, entry: int) -> None:
    """What a referee or the judges ruled on a line is not for the table to write over. Refusal `ruling_by_claim`."""
    line = table.sheet.entries.get(number=entry).line
    if not table.powers.staff and Ruling.objects.filter(entry__sheet=table.sheet, entry__line=line).exists():
        raise Refusal("ruling_by_claim", article="S17", pointer="/entry")


def _replace(table: Table, entry: int, content: Content, reason: str, *, waits: bool = False) -> Answer:
    new = Entry(content, entry, checked_reason(reason))
    if isinstance(content, Award) and not isinstance(table.entries()[entry].content, Award | Voided):
        raise Refusal("correction_changes_kind", article="S11", pointer="/content")
    if table.by.seat is not None or waits:
        _try(table, new)
        number = judging.propose(table.sheet, table.by, content, hand=None, replaces=entry, reason=new.reason)
        return {"entry": None, "pending": number}
    return {"entry": judging.write(table.sheet, new).number, "pending": None}
