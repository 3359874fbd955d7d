"""What is judged at a table and before the council, and who takes what back; as articles.py tells the rest."""

from __future__ import annotations

from typing import Any

from tests.faults.articles import near, numbers, open_, quiet, ruling_in, said_why, waits
from tests.faults.model import Codes, Content, Table, Who

FINAL = ("revocation", "appeal", "reopened")  # rulings that nobody takes back
LARGEST_AWARD = 10_000


# Claims (S17, S18)


def claim(table: Table, who: Who, *, line: int, kind: str, reason: str) -> Codes:
    why = near(who) | quiet(table) | said_why(reason)
    if not 1 <= line <= len(table.lines):
        return why | {"entry_unknown"}
    content, entry = table.contents()[line - 1][1], table.lines[line - 1][-1]
    if content[0] != "played" or content[5] is not None:
        return why | {"not_a_played_hand"}
    last = max(at for at, (first, _) in enumerate(table.contents(), start=1) if first[0] != "award")
    if line != last or table.dealt > table.hands:
        why.add("claim_too_late")
    if any(
        old["line"] == line and old["kind"] == kind and old["state"] in ("upheld", "rejected") for old in table.claims
    ):
        why.add("already_judged")
    _, caller, called, bid, made, _ = content
    if kind == "suicidal_call" and made >= bid:
        why.add("suicidal_needs_lost_hand")
    if kind == "disloyal_raise" and bid <= table.rules.above:
        why.add("disloyal_needs_higher_bid")
    if not why:
        judges = {0, 1, 2, 3, 4} - {caller, called} if table.rules.judge_mode == "players" else set()
        table.claims.append(
            {"state": "open", "line": line, "entry": entry, "kind": kind, "by": who.name, "judges": judges, "votes": {}}
        )
    return why


def _claim(table: Table, number: int) -> tuple[Codes, dict[str, Any]]:
    if not 1 <= number <= len(table.claims):
        return {"claim_unknown"}, {"judges": set(), "by": None, "votes": {}}
    found = table.claims[number - 1]
    return set() if found["state"] == "open" else {"claim_decided"}, found


def _judge(table: Table, found: dict[str, Any], upheld: bool, by: str) -> None:
    found["state"] = "upheld" if upheld else "rejected"
    entry = None
    if upheld:
        hand = table.entries[found["entry"]][0]
        entry = table.write((*hand[:5], found["kind"]), found["entry"])
    table.rule(found["kind"], by, entry=entry, refused=None if upheld else found)


def vote(table: Table, who: Who, *, claim: int, uphold: bool) -> Codes:
    why, found = _claim(table, claim)
    why |= open_(table)
    if who.seat is None:
        why.add("not_allowed")
    if "claim_unknown" not in why and not found["judges"]:
        why.add("judged_by_referee")
    if found["judges"] and who.seat not in found["judges"]:
        why.add("not_a_judge")
    if who.seat in found["votes"]:
        why.add("already_voted")
    if not why:
        votes = found["votes"]
        votes[who.seat] = uphold
        if set(votes) == found["judges"]:
            _judge(table, found, sum(votes.values()) * 2 > len(votes), "table")  # D9: a tie rejects
    return why


def decide(table: Table, who: Who, *, claim: int, uphold: bool, reason: str) -> Codes:
    why, found = _claim(table, claim)
    why |= open_(table) | said_why(reason)
    if not who.staff:
        why.add("not_allowed")
    if found["judges"]:
        why.add("judged_by_players")
    if not why:
        _judge(table, found, uphold, "referee")
    return why


def withdraw(table: Table, who: Who, *, claim: int, reason: str) -> Codes:
    why, found = _claim(table, claim)
    why |= near(who) | open_(table) | said_why(reason)
    if not who.staff and found["by"] != who.name:
        why.add("not_allowed")
    if not why:
        found["state"] = "withdrawn"
    return why


# Rulings and appeals (S2, S16, S19)


def award(table: Table, who: Who, *, seat: int, points: int, article: str, reason: str) -> Codes:
    why = open_(table) | said_why(reason) | numbers(table, ("award", seat, points))
    if not who.staff:
        why.add("not_allowed")
    if not 0 < abs(points) <= LARGEST_AWARD:
        why.add("points_out_of_range")
    if not 0 < len(article.strip()) <= 40:
        why.add("article_required")
    if not why:
        table.rule("award", "referee", entry=table.write(("award", seat, points)))
    return why


def rule(table: Table, who: Who, *, article: str, question: str, reason: str) -> Codes:
    why = open_(table) | said_why(reason)
    if not who.staff:
        why.add("not_allowed")
    if not 0 < len(article.strip()) <= 40:
        why.add("article_required")
    if not why:
        table.rule("decision", "referee")
    return why


def _take_back_ruling(table: Table, ruling: int) -> Codes:
    """Why a ruling cannot be taken back, whoever asks."""
    found = table.rulings[ruling]
    if found["revoked"]:
        return {"already_revoked"}
    if found["kind"] in FINAL:
        return {"nothing_to_revoke"}
    if found["refused"]:  # the council punishes what the referee would not
        now = table.contents()[found["refused"]["line"] - 1][1]
        fits = now[0] == "played" and not now[5]
        punished = (
            table.figures(line=found["refused"]["line"], content=_punished(table, found)).wrong if fits else set()
        )
        return waits(table) | (punished if fits else {"stale_entry"})
    if found["entry"] is None:
        return set()
    wrote = table.entries[found["entry"]][0]
    now = table.contents()[table.line_of(found["entry"]) - 1][1]
    same = (wrote[0], ruling_in(wrote)) == (now[0], ruling_in(now))
    return waits(table) | (set() if same else {"stale_entry"})


def _punished(table: Table, found: dict[str, Any]) -> Content:
    claim = found["refused"]
    return (*table.contents()[claim["line"] - 1][1][:5], claim["kind"])


def _revoke(table: Table, ruling: int, kind: str, by: str) -> None:
    found = table.rulings[ruling]
    found["revoked"] = True
    entry = None
    if found["refused"]:
        entry = table.write(_punished(table, found), table.lines[found["refused"]["line"] - 1][-1])
    if found["entry"] is not None:
        line = table.lines[table.line_of(found["entry"]) - 1]
        wrote = table.entries[line[-1]][0]
        if wrote[0] == "played":
            left: Content = (*wrote[:5], None)
        elif wrote[0] == "award":
            left = ("voided", False)
        else:  # what stood there before it was voided
            left = table.entries[line[line.index(found["entry"]) - 1]][0]
        entry = table.write(left, line[-1])
    table.rule(kind, by, entry=entry)


def revoke(table: Table, who: Who, *, ruling: int | None, reason: str) -> Codes:
    why = said_why(reason) | (open_(table) if who.staff else {"not_allowed"})
    if ruling is None:
        return why | {"ruling_unknown"}
    found = table.rulings[ruling]
    if found["by"] == "table":
        why.add("judged_by_players")
    if found["refused"]:
        why.add("nothing_to_revoke")
    for old in table.appeals:
        if old["ruling"] == ruling:
            why.add("appeal_open" if old["state"] == "open" else "appeal_decided")
    why |= _take_back_ruling(table, ruling)
    if not why:
        _revoke(table, ruling, "revocation", "referee")
    return why


def appeal(table: Table, who: Who, *, ruling: int | None, reason: str) -> Codes:
    why = near(who) | said_why(reason)
    if ruling is None:
        return why | {"ruling_unknown"}
    found = table.rulings[ruling]
    if found["by"] != "referee" or found["kind"] in FINAL:
        why.add("no_appeal")
    if found["revoked"]:
        why.add("already_revoked")
    for old in table.appeals:
        if old["ruling"] == ruling:
            why.add("appeal_open" if old["state"] == "open" else "appeal_decided")
    if not why:
        table.appeals.append({"ruling": ruling, "state": "open", "votes": {}})
    return why


def vote_appeal(table: Table, who: Who, *, appeal: int | None, uphold: bool) -> Codes:
    if appeal is None:
        return {"appeal_unknown"}
    found = table.appeals[appeal]
    votes = found["votes"]
    why: Codes = set() if who.council else {"not_allowed"}
    if found["state"] != "open":
        why.add("appeal_closed")
    if who.name in votes:
        why.add("already_voted")
    decides = sum(vote == uphold for vote in votes.values()) == 3
    if not why and decides and uphold:
        why |= _take_back_ruling(table, found["ruling"])
    if not why:
        votes[who.name] = uphold
        if decides:
            found["state"] = "upheld" if uphold else "rejected"
            if uphold:
                _revoke(table, found["ruling"], "appeal", "council")
            else:
                table.rule("appeal", "council")
    return why


def reopen(table: Table, who: Who, *, reason: str) -> Codes:
    why = said_why(reason) if who.staff and who.seat is None else {"not_allowed"}
    if not table.closed:
        why.add("not_closed")
    if not why:
        table.closed = False
        table.reopened += 1
        table.rule("reopened", "referee")
    return why
