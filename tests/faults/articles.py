"""What may be done at a table, and what it changes: one function for each verb.

Each takes the table, who asks and what he asks for, and gives every reason why not: none, and it is done. A refusal
must be for one of these reasons, and without any there is none.
"""

from __future__ import annotations

from collections.abc import Callable

from tests.faults.model import Codes, Content, Table, Who

Verb = Callable[..., Codes]


def near(who: Who) -> Codes:
    return set() if who.staff or who.seat is not None else {"not_allowed"}


def open_(table: Table) -> Codes:
    return {"sheet_closed"} if table.closed else set()


def waits(table: Table) -> Codes:
    return ({"proposal_pending"} if table.waiting else set()) | ({"claim_open"} if table.open_claim else set())


def quiet(table: Table) -> Codes:
    return open_(table) | waits(table)


def said_why(reason: str) -> Codes:
    return set() if reason.strip() else {"reason_required"}


def _recorders(table: Table, who: Who) -> Codes:
    if table.rules.recorders == "referee" and not who.staff:
        return {"recorders_referee"}
    return {"recorders_table"} if table.rules.recorders == "table" and who.staff else set()


def numbers(table: Table, content: Content) -> Codes:
    bad: Codes = set()
    seats = {"played": content[1:3], "admitted": content[1:2], "award": content[1:2]}.get(content[0], ())
    if any(not 0 <= seat <= 4 for seat in seats):
        bad.add("seat_unknown")
    if content[0] in ("played", "admitted"):
        bid = content[3] if content[0] == "played" else content[2]
        if not table.rules.min_bid <= bid <= 120:
            bad.add("bid_out_of_range")
    if content[0] == "played" and not 0 <= content[4] <= 120:
        bad.add("made_out_of_range")
    return bad


def _fits(table: Table, content: Content, line: int | None = None) -> Codes:
    """The sheet can be added up with it; asked only of numbers that can be."""
    return numbers(table, content) or table.figures(line=line, content=content).wrong


def ruling_in(content: Content) -> str | None:
    return content[5] if content[0] == "played" else None


# Hands


def record(table: Table, who: Who, *, hand: int, content: Content, led: bool) -> Codes:
    due = table.hands + 1
    why = near(who)
    why |= (_recorders(table, who) | quiet(table) | _fits(table, content)) if not why else set()
    if hand != due:
        why.add("hand_taken" if hand < due else "wrong_hand")
    if content[0] == "admitted" and led:
        why.add("admission_too_late")
    if not why:
        if who.staff and not table.rules.confirm:
            table.write(content)
            table.dealt = max(table.dealt, hand)
        else:
            table.propose(who, content, hand=hand)
    return why


def record_all(table: Table, who: Who, *, first: int, contents: list[Content]) -> Codes:
    if not who.staff:
        return {"not_allowed"}
    due = table.hands + 1
    why = _recorders(table, who) | quiet(table) | ({"confirm_each_hand"} if table.rules.confirm else set())
    if first != due:
        why.add("hand_taken" if first < due else "wrong_hand")
    if not contents:
        why.add("no_hands")
    for content in contents:
        why |= _fits(table, content)
    if not why:
        for content in contents:
            table.write(content)
        table.dealt = max(table.dealt, due + len(contents) - 1)
    return why


def _may_mend(table: Table, who: Who) -> Codes:
    """A referee corrects under all rules, a player where the table writes the sheet."""
    if who.staff:
        return quiet(table)
    return near(who) or (_recorders(table, who) | quiet(table))


def _standing(table: Table, who: Who, line: int, entry: int) -> Codes:
    if not 1 <= line <= len(table.lines) or entry not in table.lines[line - 1]:
        return {"entry_unknown"}
    why: Codes = set() if table.lines[line - 1][-1] == entry else {"stale_entry"}
    if not who.staff and table.ruled(line):
        why.add("ruling_by_claim")
    return why


def _mend(table: Table, who: Who, content: Content, entry: int, *, ruled: bool = False) -> None:
    """A referee's ruling waits for nobody; his correction does where the rules want a second person."""
    if who.staff and (ruled or not table.rules.confirm):
        table.write(content, entry)
    else:
        table.propose(who, content, replaces=entry)


def correct(table: Table, who: Who, *, line: int, entry: int, content: Content, reason: str) -> Codes:
    why = _may_mend(table, who) | said_why(reason) | numbers(table, content)
    why |= _standing(table, who, line, entry)
    if why & {"entry_unknown", "not_allowed"}:
        return why
    first, now = table.contents()[line - 1]
    if ruling_in(content) != ruling_in(now):
        why.add("ruling_by_claim")
    if content[0] == "voided":
        why.add("void_by_ruling")
    if now[0] == "voided" and table.wrote(entry):
        why.add("ruling_by_claim")
    if content[0] != "voided" and (first[0] == "award") != (content[0] == "award"):
        why.add("correction_changes_kind")
    why |= _fits(table, content, line)
    if not why:
        _mend(table, who, content, entry)
    return why


def void(table: Table, who: Who, *, line: int, entry: int, repeated: bool, reason: str) -> Codes:
    why = _may_mend(table, who) | said_why(reason) | _standing(table, who, line, entry)
    if why & {"entry_unknown", "not_allowed"}:
        return why
    now = table.contents()[line - 1][1]
    if now[0] == "voided":
        why.add("already_voided")
    if now[0] == "award" or ruling_in(now):
        why.add("ruling_by_claim")
    if not why:
        _mend(table, who, ("voided", repeated), entry, ruled=True)
        if who.staff:
            table.rule("void", "referee", entry=len(table.entries) - 1)
    return why


def undo(table: Table, who: Who, *, entry: int, reason: str) -> Codes:
    why = _may_mend(table, who) | said_why(reason)
    last = len(table.entries) - 1
    if entry != last or last < 0:
        return why | {"stale_entry" if 0 <= entry < last else "entry_unknown"}
    if table.wrote(entry) or (not who.staff and table.ruled(table.line_of(entry))):
        why.add("ruling_by_claim")
    if not why:
        content, replaces = table.entries[entry]
        before = ("voided", content[0] != "award") if replaces is None else table.entries[replaces][0]
        _mend(table, who, before, entry)
    return why


def answer(table: Table, who: Who, *, proposal: int, accept: bool) -> Codes:
    why = near(who) | open_(table)
    if not 1 <= proposal <= len(table.proposals):
        return why | {"proposal_unknown"}
    asked = table.proposals[proposal - 1]
    if asked["state"] != "pending":
        why.add("proposal_answered")
    if asked["by"] == who.name:
        why.add("own_proposal")
    if not why:
        asked["state"] = "accepted" if accept else "rejected"
        if accept:
            table.write(asked["content"], asked["replaces"])
            table.dealt = max(table.dealt, asked["hand"] or 0)
    return why


def take_back(table: Table, who: Who, *, proposal: int) -> Codes:
    why = near(who) | open_(table)
    if not 1 <= proposal <= len(table.proposals):
        return why | {"proposal_unknown"}
    asked = table.proposals[proposal - 1]
    if asked["state"] != "pending":
        why.add("proposal_answered")
    if asked["by"] != who.name:
        why.add("not_allowed")
    if not why:
        asked["state"] = "taken_back"
    return why


# The end


def deal(table: Table, who: Who, *, hand: int) -> Codes:
    why = near(who) | quiet(table)
    if hand != table.hands + 1:
        why.add("wrong_hand")
    played = [now for first, now in table.contents() if first[0] != "award"]
    accused = played[-1] if played and played[-1][0] == "played" and not played[-1][5] else None
    if not who.staff and accused and who.seat == accused[1]:
        why.add("caller_deals")
    if table.dealt > table.hands:
        why.add("already_dealt")
    if not why:
        table.dealt = hand
    return why


def sign(table: Table, who: Who, *, entries: int) -> Codes:
    why = near(who) | quiet(table)
    written = len(table.entries)
    if not written:
        why.add("nothing_written")
    if entries != written:
        why.add("stale_sheet")
    seat = None if who.staff else who.seat
    if (written, table.reopened, seat) in table.signed:
        why.add("already_signed")
    if not why:
        table.signed.add((written, table.reopened, seat))
        seats = {one[2] for one in table.signed if one[:2] == (written, table.reopened) and one[2] is not None}
        table.closed = who.staff or len(seats) >= 3  # S11: a majority, or a referee
    return why
