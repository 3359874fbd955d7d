"""Matches as their pages show them: the sheet, the five scores of a hand, what comes next, the words for scripts."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from core.refusal import Refusal
from gameplay.queries import MatchView
from players.web.asking import sentence
from scoring.rules.hands import CARD_POINTS, SEATS
from scoring.rules.scoresheet import Admitted, Award, Content, Entry, Line, Played, fold
from scoring.web.sheet import content_in_words, roles, sheet_rows

Row = dict[str, Any]


def sheet_of(view: MatchView) -> Row:
    """The sheet for `components/scoresheet.html`; for who may correct a hand, its number leads to the form."""
    rows = list(sheet_rows(view.sheet.lines, view.players, view.rules, view.offences_before))
    if may_correct(view):
        for row in rows:
            if row["number"] and row.get("id"):
                row["href"] = reverse("correct_hand", args=[view.id, row["id"].removeprefix("line-")])
    return {
        "id": "sheet",
        "title": view.table_name,
        "subtitle": "",
        "state": view.state,
        "players": [{"name": name, "sub": ""} for name in view.players],
        "hands": rows,
        "totals": view.sheet.totals,
    }


def may_correct(view: MatchView) -> bool:
    """The viewer may mend what is on the sheet: a referee, or who records at the table."""
    return view.state == "open" and (view.powers.staff or view.powers.records)


def five_scores(view: MatchView, content: Content, replaces: int | None = None) -> list[Row]:
    """What a hand would give: for each player `name`, `points`, `total`, `caller`, `called`.

    `replaces`: number of the entry that it would correct. Refusals: those of `fold`.
    """
    entry = Entry(content, replaces, "?" if replaces is not None else "")
    folded = fold((*view.entries, entry), view.rules, view.offences_before)
    line = folded.lines[-1] if replaces is None else folded.lines[_line_at(view, replaces)]
    return score_row(line, view.players, folded.totals)


def _line_at(view: MatchView, entry: int) -> int:
    chain = entry
    while (older := view.entries[chain].replaces) is not None:
        chain = older
    return sum(one.replaces is None for one in view.entries[:chain])


def score_row(line: Line, players: Sequence[str], totals: Sequence[int]) -> list[Row]:
    """The points of one line by player, with totals."""
    caller, called = roles(line.content)
    names = short_names(players)
    return [
        {
            "name": names[at],
            "points": line.points[at],
            "total": totals[at],
            "caller": at == caller,
            "called": at == called,
        }
        for at in range(SEATS)
    ]


def told(view: MatchView, content: Content) -> str:
    """A line of the sheet as a phrase."""
    return content_in_words(content, view.players)


FIELDS = {
    "caller": gettext_lazy("Caller"),
    "called": gettext_lazy("Called"),
    "bid": gettext_lazy("Bid"),
    "made": gettext_lazy("Made"),
    "reason": gettext_lazy("Reason"),
}


def mistake(refusal: Refusal) -> Row:
    """A refusal beside the field that it is about: `field` ("" for the whole form), `text`, `article`.

    `general`: it belongs to none of the fields that show their own mistakes.
    """
    field = refusal.pointer.rpartition("/")[2]
    words = sentence(refusal)
    return {
        "field": field,
        "text": f"{FIELDS[field]}: {words}" if field in FIELDS else words,
        "article": refusal.article,
        "general": field not in FIELDS,
    }


def with_pass(name: str, mark: str) -> str:
    """Who signed or voted, and by which seat pass, if by one."""
    return _("%(name)s (pass %(mark)s)") % {"name": name, "mark": mark} if mark else name


def short_names(players: Sequence[str]) -> list[str]:
    """What a key or a narrow column has room for: the first word; where two share it, an initial more, or all."""
    words = [name.split() for name in players]
    first = [parts[0] for parts in words]
    more = [f"{parts[0]} {parts[-1][0]}." if len(parts) > 1 else parts[0] for parts in words]
    return [
        next(each[at] for each in (first, more, players) if each.count(each[at]) == 1 or each is players)
        for at in range(len(players))
    ]


def seat_buttons(view: MatchView, chosen: str = "") -> list[Row]:
    """The five seats of a form: `number`, `name`, `key` (1..5), `dealer`, `chosen`."""
    return [
        {
            "number": at,
            "key": at + 1,
            "name": name,
            "dealer": at == view.sheet.next_dealer,
            "chosen": chosen == str(at),
        }
        for at, name in enumerate(short_names(view.players))
    ]


def bid_tens(view: MatchView) -> list[int]:
    """Tens in which a bid can be: 60..120 with the usual least bid of 61."""
    return list(range(view.rules.min_bid // 10 * 10, CARD_POINTS + 1, 10))


MADE_TENS = list(range(0, CARD_POINTS + 1, 10))


def state_for_script(view: MatchView) -> Row:
    """What a page must know to go on without a network: the next hand, the dealer, the rules, the totals."""
    waiting = view.proposal if view.proposal and view.proposal.hand else None
    last = view.sheet.lines[-1] if view.sheet.lines else None
    claimed = isinstance(last.content, Played) and not last.content.ruling if last else False
    return {
        "version": view.version,
        "hand": view.next_hand,
        "line": len(view.sheet.lines) + 1,
        "dealer": view.sheet.next_dealer,
        "totals": list(view.sheet.totals),
        "offences": [before + here for before, here in zip(view.offences_before, view.sheet.offences, strict=True)],
        "dealt": view.dealt,
        "last": _last(last) if last and claimed else None,
        "pending": _plain(waiting.content) if waiting else None,
        "waits": "proposal" if view.proposal else "claim" if view.claim else "",
        "open": view.state == "open",
        "records": view.powers.records,
        "names": short_names(view.players),
        "low": view.rules.min_bid,
        "above": view.rules.disloyal_above,
        "disloyal": list(view.rules.disloyal_points),
        "suicidal": view.rules.suicidal_points,
    }


def _last(line: Line) -> Row:
    return {"line": line.number, "hand": line.hand, **(_plain(line.content) or {})}


def _plain(content: Content) -> Row | None:
    match content:
        case Played((caller, called, bid, made)):
            return {"kind": "played", "caller": caller, "called": called, "bid": bid, "made": made}
        case Admitted(caller, bid):
            return {"kind": "admitted", "caller": caller, "bid": bid}
        case _:
            return None


def words_for_script() -> str:
    """The sentences of record.js as JSON, with {holes} for what only the page knows."""
    hole = {
        name: "{" + name + "}"
        for name in ("hand", "name", "count", "bid", "made", "caller", "called", "points", "offence", "list")
    }
    return json.dumps(
        {
            "hand": _("Hand %(hand)s") % hole,
            "deals": _("%(name)s deals") % hole,
            "pair": _("%(bid)s bid by %(caller)s with %(called)s, %(made)s made") % hole,
            "alone": _("%(bid)s bid by %(caller)s alone, %(made)s made") % hole,
            "admitted": _("%(bid)s bid by %(caller)s, disloyal raise admitted") % hole,
            "suicidal_call": _("suicidal call of %(name)s claimed") % hole,
            "disloyal_raise": _("disloyal raise of %(name)s claimed") % hole,
            "saved": _("Hand %(hand)s is saved.") % hole,
            "claimed": _("The claim on hand %(hand)s is saved.") % hole,
            "proposed": _("Hand %(hand)s was sent and waits for a second person.") % hole,
            "waits_one": _("1 hand waits to be sent."),
            "waits_many": _("%(count)s hands wait to be sent.") % hole,
            "offline": _("No network."),
            "waiting": _("waits to be sent"),
            "refused": _("not accepted"),
            "taken": _("Hand %(hand)s was written by somebody else in the meantime. Save yours to see both.") % hole,
            "closed": _("This match is closed: nothing can be recorded."),
            "stranger": _("You are signed out. What you recorded is kept here; sign in again and it is sent."),
            "later": _("The hand before must be accepted or judged first; then this one is sent."),
            "mend": _("Mend"),
            "discard": _("Throw away"),
            "sure": _("Throw this hand away for good?"),
            "both": _("See both"),
            "unknown": _("The house did not accept this."),
            "scores": _("Scores: %(list)s.") % hole,
            "cost": _("%(name)s, offence %(offence)s: %(points)s.") % hole,
            "penalty": _("%(name)s: %(points)s.") % hole,
            "won": _("Only a lost hand can be a suicidal call."),
            "too_low": _("Only a bid above %(bid)s can be a disloyal raise.") % hole,
        }
    )


def kind_of(content: Content) -> str:
    """What a line is, for what may be done with it."""
    match content:
        case Award():
            return "award"
        case Played(_, ruling) if ruling:
            return "ruled"
        case Played():
            return "played"
        case Admitted():
            return "admitted"
        case _:
            return "voided"
