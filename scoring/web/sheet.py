"""The lines of a scoresheet in the order of the paper: `components/scoresheet.html` says what a row holds."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from django.utils.translation import gettext as _

from scoring.rules.hands import NO_POINTS, SEATS, Points, hand_points
from scoring.rules.penalties import disloyal_raise, suicidal_call
from scoring.rules.ruleset import ScoringRules
from scoring.rules.scoresheet import Admitted, Award, Content, Entry, Line, Played
from scoring.web import reasons
from scoring.web.reasons import Reason, joined

Row = dict[str, Any]


def sheet_rows(lines: Sequence[Line], names: Sequence[str], rules: ScoringRules, before: Points) -> Iterator[Row]:
    """The rows of a folded sheet. `names` by seat; `before`: offences by seat that count from earlier matches (D10).

    A hand against which something was ruled is two rows: the hand struck through, and what the ruling costs.
    """
    offences = list(before)
    for line in lines:
        yield from _line(line, names, rules, offences)
        if line.effect and line.effect.kind == "disloyal_raise":
            offences[line.effect.offender] += 1


def _line(line: Line, names: Sequence[str], rules: ScoringRules, offences: Sequence[int]) -> Iterator[Row]:
    corrected = correction_reasons(line, names)
    effect, content = line.effect, line.content
    old = points_of(line.replaced[-1].content, rules, offences) if line.replaced else None
    if line.hand is None:
        yield _award(line, names, old, corrected)
        return
    shown = hand_points(content.outcome) if isinstance(content, Played) else None
    row: Row = {
        "id": f"line-{line.number}",
        "number": line.hand,
        "label": "",
        **bid_and_made(content),
        "outcome": "" if effect else outcome_in_words(content),
        "state": "corrected" if corrected else "",
        "cells": _cells(line, shown, None if effect else line.totals, old),
    }
    if line.replaced:
        before = bid_and_made(line.replaced[-1].content)
        now = (row["bid"], row["made"])
        row |= {"old_bid": before["bid"], "old_made": before["made"]} if tuple(before.values()) != now else {}
    if not isinstance(content, Played) or effect:
        row["state"] = "voided"
    void = reasons.void_reason(effect, names[effect.offender]) if effect else None
    yield row | _why(joined(void, *corrected))
    if effect:
        cost = effect_of(line, names)
        yield {
            "number": "",
            "label": _("penalty"),
            "bid": None,
            "made": None,
            "state": "",
            "cells": [
                {"points": line.points[seat] if seat == effect.offender else None, "total": line.totals[seat]}
                for seat in range(SEATS)
            ],
            **_why(cost),
        }


def _award(line: Line, names: Sequence[str], old: Points | None, corrected: Sequence[Reason]) -> Row:
    """A ruling that is no hand. One that was taken back keeps its line, struck through."""
    gone = not isinstance(line.content, Award)
    return {
        "id": f"line-{line.number}",
        "number": "",
        "label": _("ruling"),
        "bid": None,
        "made": None,
        "state": "voided" if gone else "corrected" if corrected else "",
        "cells": [
            {
                "points": line.points[seat] or None,
                "total": line.totals[seat],
                "old": old[seat] if old and old[seat] != line.points[seat] else None,
            }
            for seat in range(SEATS)
        ],
        **_why(joined(effect_of(line, names), *corrected)),
    }


def _cells(line: Line, shown: Points | None, totals: Points | None, old: Points | None) -> list[Row]:
    caller, called = roles(line.content)
    now = shown or NO_POINTS
    return [
        {
            "points": shown[seat] if shown else None,
            "total": totals[seat] if totals else None,
            "old": old[seat] if old and old[seat] != now[seat] else None,
            "dealer": seat == line.dealer,
            "caller": seat == caller,
            "called": seat == called,
        }
        for seat in range(SEATS)
    ]


def effect_of(line: Line, names: Sequence[str]) -> Reason | None:
    """What the ruling of a line costs, None where there is none."""
    if line.effect is None:
        return None
    lost = line.content.outcome.lost_points if isinstance(line.content, Played) else 0
    why = line.content.reason if isinstance(line.content, Award) else ""
    return reasons.effect_reason(line.effect, names[line.effect.offender], lost, why)


def correction_reasons(line: Line, names: Sequence[str]) -> list[Reason]:
    """Each correction of a line with what stood there before, oldest first (S11)."""
    causes = [entry.reason for entry in line.replaced[1:]] + [line.reason]
    return [_correction(entry, why, names) for entry, why in zip(line.replaced, causes, strict=False)]


def _correction(old: Entry, why: str, names: Sequence[str]) -> Reason:
    values = {"before": content_in_words(old.content, names), "why": why}
    return Reason(_("Before: %(before)s. Corrected: “%(why)s”") % values, "S11")


def content_in_words(content: Content, names: Sequence[str]) -> str:
    """One line of a sheet as a phrase: `90 bid by Ada with Bruno, 70 made`. `names` by seat."""
    match content:
        case Played(outcome, ruling):
            values = {
                "caller": names[outcome.caller],
                "called": names[outcome.called],
                "bid": outcome.bid,
                "made": outcome.made,
            }
            text = _("%(bid)s bid by %(caller)s alone, %(made)s made")
            if not outcome.solo:
                text = _("%(bid)s bid by %(caller)s with %(called)s, %(made)s made")
            rulings = {"suicidal_call": _("suicidal call"), "disloyal_raise": _("disloyal raise")}
            return text % values + (f", {rulings[ruling]}" if ruling else "")
        case Admitted(caller, bid):
            return _("%(bid)s bid by %(caller)s, disloyal raise admitted") % {"caller": names[caller], "bid": bid}
        case Award(seat, points, article, reason):
            told = {"name": names[seat], "points": reasons.points_in_words(points), "article": article, "why": reason}
            return _("ruling on %(name)s, %(points)s by %(article)s, “%(why)s”") % told
        case _:
            return _("voided and repeated") if content.repeated else _("voided")


def outcome_in_words(content: Content) -> str:
    """`won`, `alone, lost`, ...; "" for what was not played."""
    if not isinstance(content, Played):
        return ""
    outcome = content.outcome
    if outcome.solo:
        return _("alone, won") if outcome.won else _("alone, lost")
    return _("won") if outcome.won else _("lost")


def bid_and_made(content: Content) -> dict[str, int | None]:
    """The two figures of a hand, None where there are none."""
    match content:
        case Played(outcome):
            return {"bid": outcome.bid, "made": outcome.made}
        case Admitted(_, bid):
            return {"bid": bid, "made": None}
        case _:
            return {"bid": None, "made": None}


def roles(content: Content) -> tuple[int | None, int | None]:
    """Seats of caller and called."""
    match content:
        case Played(outcome):
            return outcome.caller, outcome.called
        case Admitted(caller, _):
            return caller, None
        case _:
            return None, None


def points_of(content: Content, rules: ScoringRules, offences: Sequence[int]) -> Points:
    """What a line that no longer holds gave by seat. `offences`: disloyal raises by seat before it."""
    match content:
        case Played(outcome, None):
            return hand_points(outcome)
        case Played(outcome, "suicidal_call"):
            seat, points = outcome.caller, suicidal_call(outcome, rules).points
        case Played(outcome, _):
            seat = outcome.caller
            points = disloyal_raise(seat, outcome.bid, rules, offence=offences[seat] + 1, outcome=outcome).points
        case Admitted(caller, bid):
            seat, points = caller, disloyal_raise(caller, bid, rules, offence=offences[caller] + 1).points
        case Award(seat, points):
            pass
        case _:
            return NO_POINTS
    return tuple(points if at == seat else 0 for at in range(SEATS))


def _why(reason: Reason | None) -> Row:
    return {"reason": reason.text, "article": reason.article} if reason else {}
