"""What is printed on the day itself: badges for the check-in, place cards and empty scoresheets for the tables.

Their words are `badges`, `places-1` (a stage), `blank-1` and `blank-1-2` (a stage, a table). They show open stages and
people who are only entered, so they are for the staff of a tournament that is run here; as PDF only.
"""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from urllib.parse import quote

import segno
from django.urls import reverse
from django.utils.translation import gettext as _

from core.refusal import Refusal
from scoring.models import Seat
from scoring.rules.hands import SEATS
from tournaments.models import Entrant, Heat
from tournaments.queries.tournament import TournamentView
from tournaments.web.presenting_draw import stage_title
from tournaments.web.printing import Blank, Block, Card, Cards, Part

BADGES, PLACES, BLANK = "badges", "places", "blank"
KINDS = frozenset({BADGES, PLACES, BLANK})
HANDS = 30
"""Lines of an empty scoresheet: two hours rarely have more hands."""
_WORD = re.compile(r"(badges)|(places)-([1-9][0-9]{0,5})|(blank)-([1-9][0-9]{0,5})(?:-([1-9][0-9]{0,5}))?", re.ASCII)


def numbers_of(view: TournamentView, word: str) -> tuple[str, int, int] | None:
    """Kind, stage and table (0 for none) of a print of the day; None for another print. Refusal: `heat_unknown`."""
    match = _WORD.fullmatch(word)
    if match is None or not view.live:
        return None
    kind, *numbers = [part for part in match.groups() if part is not None]
    stage, heat = (*map(int, numbers), 0, 0)[:2]
    if stage and not _heats(view, stage, heat):
        raise Refusal("heat_unknown")
    return kind, stage, heat


def _heats(view: TournamentView, stage: int, heat: int) -> list[Heat]:
    """The tables that are meant, in order."""
    heats = Heat.objects.filter(stage__tournament=view.stamp.tournament, stage__number=stage).select_related("stage")
    return list(heats.filter(**({"number": heat} if heat else {})).order_by("number"))


def title_of(kind: str) -> str:
    """What a print of the day is called, in the active language."""
    return {BADGES: _("Badges"), PLACES: _("Place cards")}.get(kind) or _("Empty scoresheets")


def blocks_of(view: TournamentView, kind: str, stage: int, heat: int, origin: str) -> Iterator[Block]:
    """Its blocks, in the active language. `origin`: scheme and name of the house, for what a phone reads."""
    if kind == BADGES:
        yield Cards("badge", tuple(_badges(view, origin)))
        return
    heats = _heats(view, stage, heat)
    names = _names(view, heats)
    if kind == PLACES:
        yield Cards("place", tuple(_places(view, heats, names)))
        return
    for row in heats:
        yield Part(_heat_title(row))
        yield _blank(row, names[row.pk])


def _names(view: TournamentView, heats: list[Heat]) -> dict[int, list[str]]:
    """By table the names in the order of the seats. Two queries for any number."""
    known = dict(Entrant.objects.filter(tournament=view.stamp.tournament).values_list("person", "name"))
    found: dict[int, list[str]] = {row.pk: [] for row in heats}
    seats = Seat.objects.filter(sheet__heat__in=heats).order_by("sheet", "number")
    for heat, person in seats.values_list("sheet__heat", "person"):
        found[heat].append(known[person])
    return found


def _heat_title(row: Heat) -> str:
    title = stage_title(row.stage.kind, row.stage.number)
    return title if row.name == title else f"{title} · {row.name}"


def _places(view: TournamentView, heats: list[Heat], names: dict[int, list[str]]) -> Iterator[Card]:
    for row in heats:
        for number, name in enumerate(names[row.pk], start=1):
            seat = _("Seat %(number)s") % {"number": number} if row.seat_draw else ""
            yield Card(name, tuple(filter(None, (row.name, seat))), view.name)


def _badges(view: TournamentView, origin: str) -> Iterator[Card]:
    here = f"{origin}{reverse('check_in', args=[view.slug])}"
    for entrant in Entrant.objects.filter(tournament=view.stamp.tournament, entry__isnull=False).order_by("entry"):
        lines = tuple(filter(None, (entrant.club, entrant.code)))
        square = _square(f"{here}?badge={quote(entrant.code, safe='')}")
        yield Card(
            entrant.name, lines, view.name, square, _("Code for the check-in of %(name)s") % {"name": entrant.name}
        )


def _square(address: str) -> str:
    """The address as a square that a phone reads, in SVG."""
    out = io.BytesIO()
    segno.make(address, micro=False, error="m").save(out, kind="svg", xmldecl=False, border=2, nl=False)
    return out.getvalue().decode()


def _blank(row: Heat, names: list[str]) -> Blank:
    drawn = row.seat_draw is not None
    note = _("The mark shows whose turn it is to deal; a hand that is repeated is dealt by the same player again.")
    if not drawn:
        note = _("The seats are not drawn yet: number the players from 1, who deals first, to 5.")
    players = tuple(f"{number}. {name}" for number, name in enumerate(names, start=1)) if drawn else tuple(names)
    return Blank(players, drawn, HANDS, note, (*names[:SEATS], _("the referee")))
