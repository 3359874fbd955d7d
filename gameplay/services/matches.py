"""A match from its opening to its last signature."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any
from uuid import UUID

from core.commands import once
from core.entropy import new_id
from core.live import publish
from core.refusal import Refusal
from gameplay.models import Match
from gameplay.rules.ruleset import game_rules
from gameplay.services.acting import Answer, Table, act, checked_reason, checked_text
from gameplay.services.held import check_hand, hold
from players.actor import Actor
from players.models import Scope
from players.queries import above
from players.rules.rights import RECORD_MATCHES
from players.services import check_present, create_people, end_links, lock_people, lock_scopes, write_audit
from scoring.models import Ruling, Sheet
from scoring.rules.hands import NO_POINTS, SEATS
from scoring.rules.procedure import last_caller
from scoring.rules.ruleset import scoring_rules
from scoring.services import judging
from scoring.services.sheets import NewSheet, open_sheets

TABLE_NAME = 60


def open_match(
    actor: Actor,
    *,
    scope: UUID,
    table_name: str,
    people: Sequence[UUID | str],
    scoring: Mapping[str, Any] | None = None,
    minutes: int | None = None,
    key: str,
) -> Answer:
    """A friendly match below a club or the house; seat 0 deals first (S5). Answer: `{"match": id}`.

    `people`: five, each an id or the name of a new person. `scoring`: adjusted rules. `minutes`: on its clock, None
    for a match without one. Refusals: `not_allowed`,
    `scope_unknown`, `table_name_missing`, `five_players`, `person_unknown`, `person_gone`, `person_twice`, `bad_name`
    (pointers /people/<i>), those of `scoring_rules`.
    """
    told = {
        "scope": str(scope),
        "table_name": table_name,
        "people": [str(person) for person in people],
        "scoring": dict(scoring or {}),
        "minutes": minutes,
    }

    def work() -> Answer:
        parent = lock_scopes(scope).get(scope)
        if parent is None or parent.kind not in (Scope.Kind.HOUSE, Scope.Kind.CLUB):
            raise Refusal("scope_unknown")
        actor.require(RECORD_MATCHES, above(scope))
        name = checked_text(table_name, length=TABLE_NAME, code="table_name_missing", pointer="/table_name")
        rules = scoring_rules(scoring or {})
        play = game_rules({} if minutes is None else {"match_minutes": minutes})
        five = _five(people)
        own = Scope.objects.create(kind=Scope.Kind.TABLE, parent=parent)
        sheet = Sheet(id=new_id(), scope=own, rules=rules._asdict())
        open_sheets([NewSheet(sheet, five, None, NO_POINTS, ())])
        length = None if minutes is None else minutes * 60
        Match.objects.create(sheet=sheet, table_name=name, rules=play._asdict(), length=length)
        answer = {"match": str(sheet.pk)}
        write_audit(own, actor, "open_match", {**answer, "people": [str(person) for person in five]})
        publish(f"scope:{scope}")
        return answer

    return once(actor.name, "open_match", key, told, work)


def _five(people: Sequence[UUID | str]) -> tuple[UUID, ...]:
    if len(people) != SEATS:
        raise Refusal("five_players", {"count": len(people)}, article="S1", pointer="/people")
    known = [person for person in people if isinstance(person, UUID)]
    if len(set(known)) != len(known):
        raise Refusal("person_twice", article="S1", pointer="/people")
    for row in lock_people(*known).values():
        check_present(row)
    end_links(known)
    five = []
    for index, person in enumerate(people):
        try:
            five.append(person if isinstance(person, UUID) else create_people([person])[0].pk)
        except Refusal as refusal:
            raise Refusal(refusal.code, refusal.params, pointer=f"/people/{index}") from None
    return tuple(five)


def deal_next_hand(actor: Actor, match: UUID, *, hand: int, key: str) -> Answer:
    """Hand number `hand` is dealt: the hand before it can no longer be claimed (S17). Answer: `{"dealt": hand}`.

    Refusals: `not_allowed`, `sheet_closed`, `proposal_pending`, `claim_open`, `wrong_hand`, `already_dealt`,
    `caller_deals`: who called the hand does not end the time in which he can be accused. Beside a clock also
    `match_suspended`, and those of `check_hand`.
    """

    def work(table: Table) -> Answer:
        table.require(staff=True, seat=True)
        table.require_quiet()
        due = table.next_hand()
        if table.by.seat is not None and table.by.seat == last_caller(table.folded()):
            raise Refusal("caller_deals", article="S17")
        if hand != due:
            raise Refusal("wrong_hand", {"hand": hand, "due": due}, article="S5", pointer="/hand")
        if table.sheet.dealt >= due:
            raise Refusal("already_dealt", {"hand": due}, article="S5", pointer="/hand")
        held = hold(match)
        if held is not None and held.clock.suspended:
            raise Refusal("match_suspended", article="S10")
        check_hand(held, table.folded(), hand)
        judging.set_dealt(table.sheet, hand)
        return {"dealt": hand}

    return act(actor, match, "deal_next_hand", key, {"hand": hand}, work)


def sign(actor: Actor, match: UUID, *, entries: int, key: str) -> Answer:
    """Signs the sheet with as many entries as the signer saw; three players or a referee close the match (S11).

    Answer: `{"closed", "signed"}`. Refusals: `not_allowed`, `sheet_closed`, `nothing_written`, `proposal_pending`,
    `claim_open`, `stale_sheet` (something was written since), `already_signed`; `match_not_over`, as long as a clock
    runs or a hand is still to be played, and for a match that is to be played anew (D8).
    """

    def work(table: Table) -> Answer:
        table.require(staff=True, seat=True)
        table.require_quiet()
        written = len(table.entries())
        if not written:
            raise Refusal("nothing_written", article="S11")
        if written != entries:
            raise Refusal("stale_sheet", article="S11", pointer="/entries")
        held = hold(match)
        if held is not None and held.clock.state != "ready":
            end = held.ending(table.folded())
            if end is None or not end.over or held.clock.interrupted == "replay":
                raise Refusal("match_not_over", article="S9")
        closed, signed = judging.sign(table.sheet, table.by, written)
        return {"closed": closed, "signed": signed}

    return act(actor, match, "sign", key, {"entries": entries}, work)


def reopen_match(actor: Actor, match: UUID, *, reason: str, key: str) -> Answer:
    """A referee opens a signed match again, with a reason in the case book; it is signed anew (S11).

    Refusals: `not_allowed`, `not_closed`, `sheet_frozen`, `reason_required`.
    """

    def work(table: Table) -> Answer:
        table.require(staff=True)
        if table.powers.seat is not None:  # whose own match it is
            raise Refusal("not_allowed")
        judging.reopen(table.sheet)
        ruling = judging.rule(
            table.scope,
            table.sheet,
            kind=Ruling.Kind.REOPENED,
            decided_by=Ruling.By.REFEREE,
            person_id=actor.person,
            article="S11",
            reason=checked_reason(reason),
        )
        return {"ruling": str(ruling.pk)}

    return act(actor, match, "reopen_match", key, {"reason": reason}, work)
