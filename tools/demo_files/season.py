"""Three world championships of an invented age, so that the A.G.P. table moves from year to year."""

from __future__ import annotations

from typing import Any

from core.lots import Lots
from scoring.rules.hands import HandOutcome
from scoring.rules.scoresheet import Admitted, Played
from tools.demo_files.making import Making, Match
from tools.demo_files.people import RETIRED, entrants
from tools.demo_files.wishes import not_first
from tournaments.rules.replay import FINAL, SECOND_FINAL

HEAT_NAMES = ("Denari", "Coppe", "Spade", "Bastoni", "Asso", "Tre")
SEMIFINALS = ("Semifinale A", "Semifinale B")
RETIRED_PLACES = (1, 5, 11, 17)
FIRST = 39
EDITIONS = (
    (40, "XL Campionato mondiale di Gingo", "2023-10-14", "Salone delle Colonie, Riccione"),
    (41, "XLI Campionato mondiale di Gingo", "2024-10-12", "Adalar Kültür Evi, İstanbul"),
    (42, "XLII Campionato mondiale di Gingo", "2025-10-18", "Old Ropewalk Hall, Bristol"),
)
SPECIAL = {
    40: {"Spade": Match(fixed={13: Played(HandOutcome(2, 4, 92, 21), "suicidal_call")})},
    41: {},
    42: {"Coppe": Match(fixed={6: Admitted(3, 84)})},
}


def first_edition() -> dict[str, Any]:
    """The edition before the season, of which only the ranking is known; its champion never plays again."""
    retired = [person.code for person in RETIRED]
    ranking = [code for code in Lots(b"39", "demonstration file").shuffled(entrants(FIRST)) if code not in retired]
    for place, code in zip(RETIRED_PLACES, retired, strict=True):
        ranking.insert(place - 1, code)
    return {"edition": FIRST, "ranking": ranking}


def season() -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """The three files, and the four editions as `editions_before` of whoever comes later."""
    editions = [first_edition()]
    files = []
    for number, name, date, venue in EDITIONS:
        head = {"name": name, "game": "gingo", "series": "world", "edition": number, "date": date, "venue": venue}
        making = Making(head, entrants(number), editions, f"world {number}")
        _play(making, number, {edition["ranking"][0] for edition in editions})
        files.append(making.finished())
        editions.append(making.edition())
    return files, editions


def _play(making: Making, number: int, champions: set[str]) -> None:
    """Heats, perhaps semifinals, and both finals; the cup goes to somebody new."""
    tables = making.draw(making.file["entries"])
    making.play_heats(HEAT_NAMES[: len(tables)], tables, SPECIAL[number])
    reached = making.qualification()
    if not reached.plan.final:
        making.play_heats(SEMIFINALS, making.draw(reached.qualified), {})
        reached = making.qualification()
    if number == 41:
        making.withdraw(reached.direct[2], FINAL)
        reached = making.qualification()
    finalists = making.lots.shuffled(reached.qualified)
    known = [seat for seat, code in enumerate(finalists) if code in champions]
    making.play(FINAL, "Finale", finalists, Match(not_first(known)))
    making.play(SECOND_FINAL, "Finale dei secondi", making.lots.shuffled(reached.second_final))
