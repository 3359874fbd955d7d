"""The organiser's board in words: the next step, every table, the list before a start. Nothing here knows a time."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any
from uuid import UUID

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from gameplay.web.presenting_clock import state_in_words
from tournaments.queries.board import Board, Decision, Step, Table
from tournaments.web.presenting_draw import stage_title

Row = dict[str, Any]
LIVE = ("running", "suspended", "question", "finish")


def step_row(board: Board, step: Step) -> Row:
    """The next step: `text`, and one button: `label` with `href`, or with `do`, what the form of the board sends.

    `also`: where the results are published, if they can be although a decision of the council waits to be written.
    """
    row: Row = {"code": step.code, "text": _step_words(board, step), "href": "", "do": "", "label": ""}
    if step.code == "close":
        return {**row, "do": "close", "label": _("Close the stage")}
    if step.code == "start":
        return {**row, "do": "start", "label": _("Start the chosen tables")}
    if step.code == "decision":
        also = not board.day.tournament.published
        row |= {"also": reverse("publish", args=[board.day.tournament.slug]) if also else ""}
        return {**row, "href": "#decisions-title", "label": _("Look at the decisions")}
    label, name, of = _WHERE[step.code]
    at: dict[str, list[Any]] = {"house": [], "tournament": [board.day.tournament.slug]}
    if step.table is not None:
        heat = step.table.heat
        at |= {"match": [heat.sheet], "heat": [board.day.tournament.slug, step.table.stage, heat.number]}
    return {**row, "label": str(label), "href": reverse(name, args=at[of])}


# What the button of a step says, the name of its address, and what the address is about.
_WHERE = {
    "recovery": (gettext_lazy("Look at the stops"), "recovery", "house"),
    "enter": (gettext_lazy("Enter players"), "entries", "tournament"),
    "draw": (gettext_lazy("Draw the heats"), "draw", "tournament"),
    "publish_draw": (gettext_lazy("Look at the draw"), "draw", "tournament"),
    "draw_next": (gettext_lazy("See who goes on"), "qualified", "tournament"),
    "open_finals": (gettext_lazy("See who goes on"), "qualified", "tournament"),
    "publish": (gettext_lazy("Publish the results"), "publish", "tournament"),
    "done": (gettext_lazy("Final ranking"), "ranking", "tournament"),
    "question": (gettext_lazy("Answer for the table"), "match_bell", "match"),
    "replay": (gettext_lazy("Set the table up again"), "manage_heat", "heat"),
    "seats": (gettext_lazy("Draw the seats"), "seat_draw", "heat"),
    "play": (gettext_lazy("Open the scoresheet"), "match", "match"),
    "sign": (gettext_lazy("Sign for the table"), "sign_match", "match"),
}


def _step_words(board: Board, step: Step) -> str:
    entered = len(board.day.entrants)
    playing = sum(table.state in LIVE for table in board.tables)
    words = {
        "recovery": _("The house stood still while tables were played: say first what follows from it."),
        "enter": ngettext(
            "%(count)s player is entered, and a table needs five.",
            "%(count)s players are entered, and a table needs five.",
            entered,
        ),
        "draw": _("%(count)s players are entered, %(here)s checked in: draw the heats when all are here."),
        "publish_draw": _("The draw is a draft that only you see: publish it, and the tables are set up."),
        "question": _("The bell has rung at %(table)s, and nobody has said yet whether the auction was awarded."),
        "replay": _("The match at %(table)s was interrupted and is played again: set the table up again."),
        "seats": _("Seats are to be drawn, first at %(table)s."),
        "start": _("The tables are ready: look through the list and start them."),
        "play": ngettext(
            "%(playing)s table is playing. There is nothing to do until it has finished.",
            "%(playing)s tables are playing. There is nothing to do until they have finished.",
            playing,
        ),
        "sign": _("All matches are over. Signatures are missing, first at %(table)s."),
        "close": _("All sheets are signed: close the stage, and it is reckoned who goes on."),
        "open_finals": _("The heats are over: look who goes on, take withdrawals, and open the finals."),
        "draw_next": _("The stage is over: look who goes on, take withdrawals, then draw the next one."),
        "decision": _("The Council of Guarantors decided about a sheet that is closed: write its decision there."),
        "publish": _("The finals are over: publish the results."),
        "done": _("The results are published. What is corrected now becomes a new version."),
    }
    name = step.table.heat.name if step.table else ""
    return words[step.code] % {
        "table": name,
        "count": entered,
        "here": board.day.present,
        "playing": playing,
    }


# Tables


def stage_rows(board: Board) -> list[Row]:
    """Each open stage with its tables."""
    return [
        {
            "number": stage.number,
            "title": stage_title(stage.kind, stage.number),
            "tables": [table_row(board, table) for table in board.tables if table.stage == stage.number],
        }
        for stage in board.day.open_stages
    ]


def table_row(board: Board, table: Table) -> Row:
    """A table: its state in a tag and a sentence, the five, what is missing, and where to go from here."""
    heat = table.heat
    kind, word = _tag(table)
    return {
        "stage": table.stage,
        "number": heat.number,
        "name": heat.name,
        "match": heat.sheet,
        "state": table.state,
        "tag": kind,
        "word": word,
        **_told(table),
        "hands": heat.hands,
        "five": [{"name": seat.name, "points": seat.points} for seat in heat.seats],
        "scores": bool(heat.hands),
        "referee": heat.referee_name,
        "waits": table.waits,
        "links": _links(board.day.tournament.slug, table),
    }


def _tag(table: Table) -> tuple[str, str]:
    if table.state == "ready":
        return ("reserve", _("ready")) if table.heat.seats_drawn else ("reserve", _("seats to draw"))
    return {
        "running": ("open", _("playing")),
        "suspended": ("corrected", _("suspended")),
        "question": ("penalty", _("the bell: a question")),
        "finish": ("corrected", _("the bell: finish the hand")),
        "over": ("reserve", _("waits for signatures")),
        "replay": ("voided", _("to be played again")),
        "signed": ("closed", _("signed")),
    }[table.state]


def _told(table: Table) -> Row:
    """`text` and `article`: how the match stands and why, "" where the tag says all."""
    clock = table.heat.clock
    if clock is None or table.state in ("ready", "running", "signed"):
        return {"title": "", "text": "", "article": ""}
    words = state_in_words(clock)
    return {"title": words["title"], "text": words["text"], "article": words["article"]}


def _links(slug: str, table: Table) -> list[Row]:
    """Where the organiser goes from a table, the likeliest first."""
    match, heat = [table.heat.sheet], [slug, table.stage, table.heat.number]
    links = [(_("Scoresheet"), reverse("match", args=match))]
    if table.state == "ready":
        links.append((_("Seats"), reverse("seat_draw", args=heat)))
    if table.state in ("running", "finish"):
        links.append((_("Record"), reverse("record_hand", args=match)))
    if table.state == "question":
        links.append((_("Answer the bell"), reverse("match_bell", args=match)))
    if table.state == "over":
        links.append((_("Sign"), reverse("sign_match", args=match)))
    if table.state not in ("signed", "replay"):
        links += [(_("Clock"), reverse("match_clock", args=match)), (_("Passes"), reverse("seat_passes", args=match))]
    links.append((_("Manage"), reverse("manage_heat", args=heat)))
    return [{"label": label, "href": href} for label, href in links]


def checks(tables: Sequence[Table], armed: int) -> list[Row]:
    """Before a start: for each ready table what is as it should be and what is not; nothing of it forbids to start."""
    bell = ngettext("%(count)s device will ring", "%(count)s devices will ring", armed) % {"count": armed}
    rows = []
    for table in tables:
        if table.state != "ready":
            continue
        heat = table.heat
        referee = _("referee: %(name)s") % {"name": heat.referee_name}
        lines = [
            _line(not table.absent, _("five seated and checked in"), _not_here(table.absent)),
            _line(heat.seats_drawn, _("seats drawn"), _("seats not drawn")),
            _line(bool(heat.referee), referee, _("no referee assigned")),
            _line(bool(armed), bell, _("no device is armed to ring")),
        ]
        rows.append({"number": heat.number, "stage": table.stage, "name": heat.name, "lines": lines})
    return rows


def _not_here(names: Sequence[str]) -> str:
    return _("not checked in: %(names)s") % {"names": ", ".join(names)}


def _line(good: object, yes: str, no: str) -> Row:
    return {"good": bool(good), "text": yes if good else no}


def decision_rows(slug: str, decisions: Sequence[Decision]) -> list[Row]:
    """Decisions of the council that are still to be written, each with the page on which that is done."""
    return [
        {
            "title": _("%(heat)s, line %(line)s") % {"heat": decision.name, "line": decision.line},
            "reason": decision.reason,
            "href": f"{reverse('correct_heat', args=[slug, decision.stage, decision.heat])}?line={decision.line}",
        }
        for decision in decisions
    ]


def chosen(tables: Sequence[Table], states: Sequence[str]) -> list[Row]:
    """Tables in one of these states, for a form that does the same with several."""
    found = [table for table in tables if table.state in states]
    return [{"stage": table.stage, "number": table.heat.number, "name": table.heat.name} for table in found]


def sheets_of(tables: Sequence[Table]) -> list[UUID]:
    """Tables whose bell this page shows."""
    return [table.heat.sheet for table in tables if table.heat.clock is not None and not table.heat.signed]
