"""Tournaments for the eyes of a reader, made of file values without a database."""

import json
from uuid import UUID, uuid5

from scoring.rules.scoresheet import fold
from tournaments.exchange.reading import read_tournament
from tournaments.exchange.records import record_from_file
from tournaments.queries.tournament import HeatView, Person, Stamp, TournamentView
from tournaments.rules.replay import replay

HOUSE = UUID(int=7)


def view_of(file):
    """What the queries give of this file, once it is in the database."""
    file = read_tournament(json.dumps(file).encode())
    given = record_from_file(file)
    told = file["tournament"]
    return TournamentView(
        stamp=Stamp(HOUSE, 1, 1, 1),
        scope=HOUSE,
        slug="test",
        name=told["name"],
        game=told["game"],
        series=told.get("series"),
        edition=told.get("edition"),
        date=None,
        venue=told.get("venue", ""),
        club="",
        club_slug=None,
        published=1,
        counts=False,
        adjusted=told.get("rules", {}),
        record=file.get("record", {}),
        people={
            player["id"]: Person(
                uuid5(HOUSE, player["id"]), player["id"], player["name"], "", player["id"] in file["entries"]
            )
            for player in file["players"]
        },
        sheets={
            (number, at): (uuid5(HOUSE, f"{number} {at}"), "closed")
            for number, stage in enumerate(file["stages"], start=1)
            for at, _ in enumerate(stage["heats"], start=1)
        },
        given=given,
        outcome=replay(given),
    )


def heat_view(view, stage=1, heat=1, entries=None):
    """A match hand by hand; `entries`: what stands on its sheet, where that is more than its file says."""
    outcome = view.outcome.stages[stage - 1]
    match = outcome.matches[heat - 1]
    sheet = match.sheet
    if entries is not None:
        sheet = fold(entries, view.scoring, match.offences_before)
    return HeatView(view, outcome, match, heat, "closed", sheet)
