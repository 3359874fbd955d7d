"""Many tournaments at once, as rows: for lists, where only the number counts."""

from datetime import date, timedelta

from core.entropy import new_id
from players.models import Scope
from players.services import house_scope
from scoring.models import Seat, Sheet
from tournaments.models import Edition, Entrant, Heat, Stage, Tournament
from tournaments.rules.ruleset import WORLD_SERIES

FIRST_DAY = date(1990, 1, 6)


def many_tournaments(count, people, *, start=1, club=None, series=None, editions=True, named="Friday evening"):
    """`count` published tournaments of the same five people and more: a heat and a final, everybody in his place.

    The people after the fifth have a place without a seat. With `series`, each says to be an edition of it: `start`,
    ..., and is one unless `editions` is False.
    """
    parent = club.scope if club else house_scope()
    scopes = Scope.objects.bulk_create(Scope(kind=Scope.Kind.TOURNAMENT, parent=parent) for _ in range(count))
    rows = Tournament.objects.bulk_create(
        Tournament(
            scope=scope,
            club=club,
            slug=f"{club.slug if club else 'house'}-{number}",
            name=f"{named} {number}",
            published=1,
            series=(series.name if series else None if club is None else WORLD_SERIES),
            edition=number,
            date=FIRST_DAY + timedelta(weeks=number),
            venue="Sala del Molo Vecchio",
        )
        for number, scope in enumerate(scopes, start=start)
    )
    Entrant.objects.bulk_create(
        Entrant(
            tournament=row,
            person=person,
            position=at,
            code=f"c{at}",
            name=person.display_name,
            entry=at,
            place=at + 1,
            points=max(0, 15 - at),
        )
        for row in rows
        for at, person in enumerate(people)
    )
    for number, kind in enumerate((Stage.Kind.HEATS, Stage.Kind.FINAL), start=1):
        stages = Stage.objects.bulk_create(Stage(tournament=row, number=number, kind=kind) for row in rows)
        sheets = Sheet.objects.bulk_create(
            Sheet(id=new_id(), scope_id=row.scope_id, rules={}, state=Sheet.State.CLOSED) for row in rows
        )
        Heat.objects.bulk_create(
            Heat(stage=stage, number=1, name=f"Centrale {number}", sheet=sheet)
            for stage, sheet in zip(stages, sheets, strict=True)
        )
        Seat.objects.bulk_create(
            Seat(sheet=sheet, number=at, person=person, round=stage.pk, points=500 - 20 * at)
            for stage, sheet in zip(stages, sheets, strict=True)
            for at, person in enumerate(people[:5])
        )
    if series and editions:
        Edition.objects.bulk_create(
            Edition(series=series, number=number, tournament=row) for number, row in enumerate(rows, start=start)
        )
    return rows
