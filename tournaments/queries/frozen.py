"""The A.G.P. snapshot that a tournament brought with its file, beside the books of this house."""

from __future__ import annotations

from dataclasses import dataclass

from tournaments.models import Series
from tournaments.queries.series import editions_of, rules_of_series
from tournaments.queries.tournament import TournamentView
from tournaments.rules.ruleset import WORLD_SERIES
from tournaments.rules.series import ranks, series_table


@dataclass(frozen=True)
class OtherRank:
    """A player of the tournament whose rank differs: in its snapshot and in the books, None for unranked."""

    code: str
    snapshot: int | None
    books: int | None


@dataclass(frozen=True)
class Comparison:
    """Numbers of the editions that count in the snapshot and in the books; whose rank differs, best first."""

    snapshot: tuple[int, ...]
    books: tuple[int, ...]
    others: tuple[OtherRank, ...]


def world_version() -> int:
    """The version of this house's world series, 0 while it has none. One query."""
    return Series.objects.filter(club=None, name=WORLD_SERIES).values_list("version", flat=True).first() or 0


def compared_with_books(view: TournamentView) -> Comparison | None:
    """How the snapshot differs from the world ranking that this house would give before this tournament.

    None where both say the same, or where there is nothing to compare. Four queries.
    """
    given = view.given
    numbers = tuple(edition.number for edition in given.editions_before)
    until = given.edition - 1 if given.edition is not None else max(numbers, default=None)
    series = Series.objects.filter(club=None, name=WORLD_SERIES).first()
    if series is None or until is None:
        return None
    rules = rules_of_series(series)
    editions = editions_of(series, until=until, window=rules.window)
    table = ranks(series_table(editions, rules))
    frozen = ranks(view.outcome.agp_before)
    others = [
        OtherRank(code, frozen.get(code), table.get(str(person.id)))
        for code, person in view.people.items()
        if frozen.get(code) != table.get(str(person.id))
    ]
    counted = numbers[-rules.window :]
    books = tuple(edition.number for edition in editions)
    if not others and counted == books and len(table) == len(frozen):
        return None
    others.sort(key=lambda other: (other.snapshot is None, other.snapshot or other.books or 0))
    return Comparison(counted, books, tuple(others))
