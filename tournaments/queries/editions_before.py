"""The A.G.P. before a tournament: as the books say, and as frozen with its first draw (D11)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from uuid import UUID

from tournaments.models import EditionBefore, Entrant, Series, Tournament
from tournaments.queries.series import editions_of
from tournaments.rules.ruleset import WORLD_SERIES
from tournaments.rules.series import WORLD, Edition, ranks, series_table


def ranks_before(row: Tournament) -> dict[str, int]:
    """A.G.P. rank by code before a tournament: as frozen with its first draw, until then as the books say."""
    editions = [
        Edition(edition.number, tuple(edition.ranking), edition.adjustments or {})
        for edition in editions_before(row)
        if edition.series in (None, WORLD_SERIES)
    ]
    return ranks(series_table(editions, WORLD))


def editions_before(row: Tournament) -> list[EditionBefore]:
    """The last three published editions of the world series before this tournament, oldest first; five queries.

    What is frozen already, else rows that are not saved: people who play here under their code, others under one
    that nobody here has, such as `E24-7` for who was seventh in edition 24.
    """
    frozen = list(EditionBefore.objects.filter(tournament=row).order_by("position"))
    series = Series.objects.filter(club=None, name=WORLD_SERIES).first()
    if frozen or series is None:
        return frozen
    until = row.edition - 1 if row.is_world and row.edition is not None else None
    editions = editions_of(series, until=until, window=WORLD.window)
    codes = _with_strangers(editions, _entered(row))
    return [
        EditionBefore(
            tournament=row,
            position=position,
            number=edition.number,
            ranking=[codes[person] for person in edition.ranking],
            adjustments={codes[person]: points for person, points in edition.adjustments.items()} or None,
        )
        for position, edition in enumerate(editions)
    ]


def strangers_of(row: Tournament) -> dict[UUID, str]:
    """Who stands in the editions that are frozen and is not entered: his code there, by person, as the books have it.

    Nobody before something is frozen. At most six queries.
    """
    numbers = set(EditionBefore.objects.filter(tournament=row).values_list("number", flat=True))
    series = Series.objects.filter(club=None, name=WORLD_SERIES).first()
    if not numbers or series is None:
        return {}
    editions = [edition for edition in editions_of(series, until=max(numbers)) if edition.number in numbers]
    entered = _entered(row)
    codes = _with_strangers(editions, entered)
    return {UUID(person): code for person, code in codes.items() if person not in entered}


def _entered(row: Tournament) -> dict[str, str]:
    """Code by the text of a person's id."""
    return {str(person): code for person, code in Entrant.objects.filter(tournament=row).values_list("person", "code")}


def _with_strangers(editions: Iterable[Edition], entered: Mapping[str, str]) -> dict[str, str]:
    """These codes, and for everybody else in the editions, oldest first, one by his place in the first he is in."""
    codes, taken = dict(entered), set(entered.values())
    for edition in editions:
        for place, person in enumerate(dict.fromkeys((*edition.ranking, *sorted(edition.adjustments))), start=1):
            if person not in codes:
                codes[person] = _free(f"E{edition.number}-{place}", taken)
                taken.add(codes[person])
    return codes


def _free(code: str, taken: Iterable[str]) -> str:
    while code in taken:
        code += "'"
    return code
