"""What a tournament file gives, short enough for a page, however large the file."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

from core.canonical import digest
from tournaments.exchange.reading import read_tournament
from tournaments.exchange.records import record_from_file
from tournaments.rules.replay import FINAL, StageOutcome, replay
from tournaments.rules.ruleset import WORLD_SERIES

ROWS, STAGES, EDITIONS, NAME = 100, 20, 5, 120


class Listed(NamedTuple):
    """A player as the file lists him."""

    code: str
    name: str
    club: str


def preview_of(data: bytes) -> tuple[dict[str, Any], tuple[Listed, ...]]:
    """Title, stages and rankings of a file as JSON values, long lists cut with their full length beside them; and
    everybody in it. Raises `BadFileError`; refusals: those of `record_from_file` and `replay`."""
    file = read_tournament(data)
    outcome = replay(record_from_file(file))
    told = file["tournament"]
    players = tuple(Listed(player["id"], player["name"], player.get("club", "")) for player in file["players"])
    names = {player.code: player.name for player in players}

    def name_of(code: str) -> str:
        return names.get(code, code)[:NAME]

    standing = outcome.agp_after if outcome.final_ranking else outcome.agp_before
    preview = {
        "verdict": "good",
        "source": digest(file),
        "name": told["name"][:NAME],
        "series": told.get("series", WORLD_SERIES)[:NAME],
        "edition": told.get("edition"),
        "date": told.get("date"),
        "venue": told.get("venue", "")[:NAME],
        "rules": len(told.get("rules", {})),
        "players": len(players),
        "finished": any(stage.kind == FINAL for stage in outcome.stages),
        "stages": [_stage(stage, name_of) for stage in outcome.stages[:STAGES]],
        "final": _cut(
            [place.place, name_of(place.player), outcome.points.get(place.player, 0)] for place in outcome.final_ranking
        ),
        "excluded": _cut(map(name_of, outcome.excluded)),
        "agp": _cut([line.rank, name_of(line.player), line.points] for line in standing),
        "before": [
            {
                "edition": edition["edition"],
                "series": edition.get("series", WORLD_SERIES)[:NAME],
                "ranking": [code[:NAME] for code in edition["ranking"][:ROWS]],
            }
            for edition in file.get("editions_before", [])[-EDITIONS:]
        ],
    }
    return preview, players


def _stage(stage: StageOutcome, name_of: Callable[[str], str]) -> dict[str, Any]:
    qualification = stage.qualification
    return {
        "number": stage.number,
        "kind": stage.kind,
        "leads_to": stage.leads_to,
        "heats": _cut(
            [match.name[:NAME], match.hands_played, name_of(match.ranking[0].player), match.ranking[0].points]
            for match in stage.matches
        ),
        "qualified": _cut(map(name_of, qualification.qualified if qualification else ())),
        "second_final": _cut(map(name_of, qualification.second_final if qualification else ())),
        "substitutions": len(qualification.substitutions) if qualification else 0,
    }


def _cut(rows: Iterable[Any]) -> dict[str, Any]:
    every = list(rows)
    return {"rows": every[:ROWS], "count": len(every)}
