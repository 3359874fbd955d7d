"""A previewed file in the shapes that its page takes, and the choices of who imports it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any
from uuid import UUID

from django.urls import reverse
from django.utils.dateparse import parse_date
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from core.refusal import Refusal
from core.templatetags.look import day
from tournaments.exchange.preview import Listed
from tournaments.queries.staff import Candidate, Shelf, candidates, presumed
from tournaments.rules.replay import FINAL, HEATS
from tournaments.rules.ruleset import WORLD_SERIES
from tournaments.web.sentences import sentence_for

Row = dict[str, Any]
NEW = "new"
PER_PAGE = 25  # players with candidates on one page of choices
NAMES_SHOWN = 200


def told_faults(refusals: Iterable[Refusal]) -> list[Row]:
    """Each fault as its place in the file, a sentence and the article behind it."""
    return [
        {"pointer": refusal.pointer or "/", "text": sentence_for(refusal), "article": refusal.article}
        for refusal in refusals
    ]


def told_preview(outcome: Mapping[str, Any]) -> Row:
    """What a good file gives, for the page."""
    return {
        "name": outcome["name"],
        "facts": _facts(outcome),
        "stages": [_stage(stage) for stage in outcome["stages"]],
        "final": _ranking(outcome["final"]),
        "excluded": outcome["excluded"],
        "agp": _ranking(outcome["agp"]),
    }


def _facts(outcome: Mapping[str, Any]) -> list[tuple[str, str]]:
    series = _("world championship") if outcome["series"] == WORLD_SERIES else outcome["series"]
    held = parse_date(outcome["date"]) if outcome["date"] else None
    facts = [
        (_("Series"), series),
        (_("Edition"), str(outcome["edition"]) if outcome["edition"] is not None else ""),
        (_("Date"), day(held) if held else ""),
        (_("Venue"), outcome["venue"]),
        (_("Players"), str(outcome["players"])),
        (_("Rules of its own"), str(outcome["rules"] or "")),
    ]
    return [(label, value) for label, value in facts if value]


def _stage(stage: Mapping[str, Any]) -> Row:
    if stage["kind"] == HEATS:
        title = _("Qualifying heats") if stage["number"] == 1 else _("Intermediate stage")
    else:
        title = _("Final") if stage["kind"] == FINAL else _("Second final")
    heats = stage["heats"]
    return {
        "title": title,
        "id": f"stage-{stage['number']}",
        "heats": [dict(zip(("name", "hands", "winner", "points"), heat, strict=True)) for heat in heats["rows"]],
        "more": more_than(heats),
        "leads_to": _("Qualified for the final") if stage["leads_to"] == FINAL else _("Qualified for the next stage"),
        "qualified": stage["qualified"],
        "second_final": stage["second_final"],
        "substitutions": stage["substitutions"],
    }


def _ranking(cut: Mapping[str, Any]) -> Row:
    rows = [{"place": place, "name": name, "cells": [points]} for place, name, points in cut["rows"]]
    return {"columns": [_("A.G.P.")], "rows": rows, "more": more_than(cut)}


def more_than(cut: Mapping[str, Any]) -> str:
    """How many of a long list are not shown; "" for none."""
    left = cut["count"] - len(cut["rows"])
    return ngettext("and %(count)s more", "and %(count)s more", left) % {"count": left} if left else ""


# Who is who


class Choices:
    """Who each player of a file is. `form`: {"club", "draft", "choices": {position in the file: NEW or a person}}."""

    def __init__(self, players: Sequence[Listed], club: str, form: Mapping[str, Any]) -> None:
        self.players = players
        self.club = club
        self.chosen: dict[str, str] = dict(form.get("choices", {}))
        self.found = candidates(club or None, [(player.code, player.name) for player in players])
        self.asked = [at for at, player in enumerate(players) if player.code in self.found]

    def choose(self, answers: Mapping[str, str]) -> None:
        """Takes the answers of one page (`who-<position>`). Refusal `person_unknown` for who was not proposed."""
        for at in self.asked:
            answer = answers.get(f"who-{at}")
            if answer is None:
                continue
            proposed = {str(row.person) for row in self.found[self.players[at].code]}
            if answer != NEW and answer not in proposed:
                raise Refusal("person_unknown")
            self.chosen[str(at)] = answer

    def people(self) -> dict[str, UUID]:
        """Who is known, by code, for the import."""
        told = {self.players[at].code: self._answer(at) for at in self.asked}
        return {code: UUID(answer) for code, answer in told.items() if answer != NEW}

    def rows(self, positions: Iterable[int]) -> list[Row]:
        """One page of questions."""
        return [self._row(at) for at in positions]

    def new_names(self) -> tuple[list[str], int]:
        """Players whom nobody here could be: the first names, and how many there are."""
        asked = set(self.asked)
        names = [player.name for at, player in enumerate(self.players) if at not in asked]
        return names[:NAMES_SHOWN], len(names)

    def _answer(self, at: int) -> str:
        rows = self.found[self.players[at].code]
        chosen = self.chosen.get(str(at))
        # What was chosen while another club was meant may not be among the candidates any more.
        if chosen == NEW or chosen in {str(row.person) for row in rows}:
            return str(chosen)
        sure = presumed(rows)
        return str(sure) if sure else NEW

    def _row(self, at: int) -> Row:
        player = self.players[at]
        answer = self._answer(at)
        options = [{"value": NEW, "label": _("A new person"), "told": "", "checked": answer == NEW}]
        options += [
            {
                "value": str(row.person),
                "label": row.name,
                "told": history_in_words(row),
                "checked": answer == str(row.person),
                "href": reverse("player", args=[row.person]),
            }
            for row in self.found[player.code]
        ]
        return {
            "name": f"who-{at}",
            "player": player.name,
            "code": player.code,
            "club": player.club,
            "options": options,
        }


def history_in_words(row: Candidate) -> str:
    """What tells a person from a namesake: his tournaments, the latest by name, and why he is proposed."""
    parts = []
    if row.same_code:
        parts.append(_("had this code here before"))
    if not row.same_name:
        parts.append(_("another name"))
    count = len(row.played)
    parts.append(ngettext("%(count)s tournament", "%(count)s tournaments", count) % {"count": count})
    for line in row.played[:2]:
        year = str(line.date.year) if line.date else ""
        place = _("number %(place)s") % {"place": line.place} if line.place else ""
        parts.append(", ".join(filter(None, (line.name, year, line.club, place))))
    if row.hidden:
        parts.append(_("history hidden"))
    return " · ".join(parts)


def chosen_shelf(found: Sequence[Shelf], asked: str | None) -> Shelf:
    """The shelf that was asked for, a club before the house otherwise. Refusal `not_allowed` for a strange one."""
    if asked is not None:
        for shelf in found:
            if shelf.slug == asked:
                return shelf
        raise Refusal("not_allowed")
    return next((shelf for shelf in found if shelf.slug), found[0])
