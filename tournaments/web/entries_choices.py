"""A list of players against a tournament: who is in it already, who may be somebody known, who is new."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from django.utils.translation import gettext as _

from core.refusal import Refusal
from players.rules.names import search_key
from tournaments.exchange.entries_file import Line, PlayerList, numbered
from tournaments.queries.entries import Entries, EntryLine, Known, namesakes
from tournaments.services.entering import Row as Entry
from tournaments.web.entries_views import NEW, known_in_words
from tournaments.web.presenting import Row

SKIP = "skip"


class Asked(NamedTuple):
    """A line of which a person must say who it is. `nth`: so many of this name has the list up to it.

    `known`: who it may be; `twin`: the row of the list that has the same name before it, None for none.
    """

    line: Line
    nth: int
    known: tuple[Known, ...]
    twin: Line | None


class ListChoices:
    """What a list means for a tournament, and what was said so far: `chosen` is an answer by row (NEW, SKIP or an id).

    Somebody is in already where the tournament has a name as often as the list up to his line: a list that is sent
    again adds nobody, and two namesakes in it are two people.
    """

    def __init__(self, listed: PlayerList, view: Entries, chosen: Mapping[str, str]) -> None:
        self.chosen = dict(chosen)
        self.there: list[tuple[Line, EntryLine]] = []
        self.new: list[tuple[Line, int]] = []
        self.asked: list[Asked] = []
        by_name = view.by_name()
        inside = {line.person for line in view.lines}
        known = namesakes((line.name for line in listed.lines), view.club_slug)
        before: dict[str, Line] = {}
        for line, nth in numbered(listed.lines):
            key = search_key(line.name)
            entered = by_name.get(key, ())
            maybe = tuple(row for row in known.get(key, ()) if row.person.person not in inside)
            if nth <= len(entered):
                self.there.append((line, entered[nth - 1]))
            elif maybe or nth > 1:
                self.asked.append(Asked(line, nth, maybe, before.get(key)))
            else:
                self.new.append((line, nth))
            before[key] = line

    def choose(self, answers: Mapping[str, str]) -> None:
        """Takes the answers of one page (`who-<row>`). Refusal `person_unknown` for who was not proposed."""
        for asked in self.asked:
            answer = answers.get(f"who-{asked.line.row}")
            if answer is None:
                continue
            if answer not in _answers(asked):
                raise Refusal("person_unknown")
            self.chosen[str(asked.line.row)] = answer

    def answer(self, asked: Asked) -> str:
        """What holds for a line: what was chosen, else what is likely, "" where nothing is."""
        chosen = self.chosen.get(str(asked.line.row), "")
        if chosen in _answers(asked):
            return chosen
        if asked.twin is not None:
            same = search_key(asked.twin.club) == search_key(asked.line.club)
            return SKIP if same else ""
        # Nobody is meant by his name alone: the only one of it must have played in this club.
        return str(asked.known[0].person.person) if len(asked.known) == 1 and asked.known[0].at_home else ""

    def unanswered(self) -> int | None:
        """The position among `asked` of the first line that nobody answered."""
        return next((at for at, asked in enumerate(self.asked) if not self.answer(asked)), None)

    def entries(self) -> list[Entry]:
        """What the service enters, in the order of the list."""
        rows = [(line, nth, NEW) for line, nth in self.new]
        rows += [(asked.line, asked.nth, self.answer(asked)) for asked in self.asked]
        return [
            Entry(name=line.name, club=line.club, person=None if answer == NEW else answer, nth=nth)
            for line, nth, answer in sorted(rows)
            if answer != SKIP
        ]

    def rows(self, positions: Iterable[int]) -> list[Row]:
        """One page of questions."""
        return [self._row(self.asked[at]) for at in positions]

    def _row(self, asked: Asked) -> Row:
        answer = self.answer(asked)
        options = [
            {"value": str(row.person.person), "label": row.person.name, "told": known_in_words(row)}
            for row in asked.known
        ]
        new = _("Another person of that name") if asked.twin else _("Somebody new")
        options += [{"value": NEW, "label": new, "told": ""}]
        options += [{"value": SKIP, "label": _("Leave this row out"), "told": ""}]
        return {
            "name": f"who-{asked.line.row}",
            "line": asked.line,
            "twin": asked.twin,
            "options": [{**option, "checked": option["value"] == answer} for option in options],
        }


def _answers(asked: Asked) -> set[str]:
    return {NEW, SKIP, *(str(row.person.person) for row in asked.known)}


def row_of(refusal: Refusal, entries: list[Entry]) -> str:
    """Whose line a service refused, by name; "" for the whole list."""
    parts = refusal.pointer.split("/")
    return entries[int(parts[2])]["name"] if parts[1:2] == ["rows"] and len(parts) > 2 else ""
