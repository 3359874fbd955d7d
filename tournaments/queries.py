"""Reads of places."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from tournaments.exchange.reading import read_tournament
from tournaments.exchange.records import record_from_file
from tournaments.rules.replay import Tournament, replay

CHAMPIONSHIPS = Path(__file__).parent / "championships"


@dataclass(frozen=True)
class Championship:
    """A championship replayed from its file.

    `published` and `invented` are JSON Pointers into the file; of the final ranking `ranking_published` says what was:
    `all` of it or the `champion`.
    """

    slug: str
    name: str
    year: int
    source: str
    published: frozenset[str]
    invented: frozenset[str]
    ranking_published: str
    player_names: dict[str, str]
    tournament: Tournament


@cache
def championships_for_home() -> tuple[Championship, ...]:
    """The championships kept in the repository, latest first. The files do not change while the house runs."""
    found = (_championship(path) for path in CHAMPIONSHIPS.glob("*.json"))
    return tuple(sorted(found, key=lambda championship: -championship.year))


def _championship(path: Path) -> Championship:
    file = read_tournament(path.read_bytes())
    record: dict[str, Any] = file["record"]
    return Championship(
        slug=path.stem,
        name=file["tournament"]["name"],
        year=record["year"],
        source=record["source"],
        published=frozenset(record["published"]),
        invented=frozenset(record["invented"]),
        ranking_published=record["ranking_published"],
        player_names={player["id"]: player["name"] for player in file["players"]},
        tournament=replay(record_from_file(file)),
    )
