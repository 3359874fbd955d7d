"""The live tournament of the demonstration: two heats on a clock of four minutes, one of which runs at once (S9)."""

from __future__ import annotations

from typing import NamedTuple
from uuid import UUID

from django.db import transaction
from django.utils.timezone import localdate

from core.clock import database_now
from core.entropy import new_token
from core.refusal import Refusal
from gameplay.models import Match
from gameplay.queries.clock import clocks_of
from gameplay.services import clock, recording
from players.actor import Actor, actor_for
from players.models import User
from players.rules.rights import CLUB_ORGANISER, REFEREE
from players.services import house_scope, lock_scopes
from scoring.models import Sheet
from scoring.rules.hands import HandOutcome
from scoring.rules.scoresheet import Played
from tournaments.models import Entrant, Heat, Stage, Tournament
from tournaments.services import drawing, entering, running
from tournaments.services.demo import CLUB

NAME, SERIES, VENUE = "Serata di prova", "serata-di-prova", "Sala del circolo"
SECONDS = 240  # of a match: its bell rings within five minutes of the start of the house
OTHERS = ("Gino Alto", "Irma Basso", "Luca Corto", "Mara Dritto", "Nora Esatto")
PLAYED = ((0, 1, 72, 80), (3, 2, 85, 91))
RUNS, WAITS = 2, 1  # numbers of the heat that is started for the visitor, and of the one that he starts himself


class _People(NamedTuple):
    organiser: Actor
    referee: Actor
    players: list[UUID]


def begin_day() -> str:
    """Lets a clock of the demonstration run, unless one does; the address of its tournament, "" where there is none.

    The table whose bell has rung is played anew; where its evening went on to its end, or somewhere else, another
    evening is made. All of it as its organiser would do it. Only for a house that has the demonstration.
    """
    people = _people()
    if people is None:
        return ""
    with transaction.atomic():
        lock_scopes(house_scope().pk)
        row = day_of_demo()
        if row is None or not _goes_on(people, row):
            row = _new_day(people)
    return row.slug


def day_of_demo() -> Tournament | None:
    """The latest live tournament of the demonstration."""
    return Tournament.objects.filter(club__slug=CLUB[0], series=SERIES, live=True).order_by("-edition").first()


def table_of_demo() -> UUID | None:
    """The match whose bell rings for the visitor. One query."""
    tables = Heat.objects.filter(
        stage__tournament__club__slug=CLUB[0],
        stage__tournament__series=SERIES,
        stage__tournament__live=True,
        stage__number=1,
        number=RUNS,
    )
    return tables.order_by("-stage__tournament__edition").values_list("sheet", flat=True).first()


def _people() -> _People | None:
    users = User.objects.filter(is_demo=True)
    staff = {
        role: users.filter(grants__role=role, grants__scope__club__slug=CLUB[0]).order_by("username").first()
        for role in (CLUB_ORGANISER, REFEREE)
    }
    organiser, referee = staff[CLUB_ORGANISER], staff[REFEREE]
    players = list(users.filter(grants=None).order_by("username").values_list("pk", flat=True)[:5])
    if organiser is None or referee is None or len(players) < 5:
        return None
    return _People(actor_for(organiser.pk), actor_for(referee.pk), players)


def _goes_on(people: _People, row: Tournament) -> bool:
    """Whether a clock of this evening runs now: it did, it could be started, or its match could begin anew."""
    heat = Heat.objects.filter(stage__tournament=row, stage__number=1, number=RUNS).select_related("stage").first()
    if heat is None or heat.stage.state != Stage.State.OPEN:
        return False
    found = clocks_of([Match.objects.get(pk=heat.sheet_id)])[heat.sheet_id]
    if found is None:
        return False
    state, deadline = found[0].state, found[0].deadline
    if state == "running" and deadline is not None and deadline > database_now():
        return True
    try:
        with transaction.atomic():
            if state != "ready":
                why = "La prova ricomincia."
                clock.interrupt_match(people.organiser, heat.sheet_id, follow="replay", reason=why, key=new_token())
                running.replay_heat(people.organiser, row.pk, stage=1, heat=RUNS, reason=why, key=new_token())
                drawing.draw_seats(people.organiser, row.pk, stage=1, heat=RUNS, cards=None, key=new_token())
            _start(people, row)
    except Refusal:
        return False  # a visitor signed it, left a claim open, or something else that stays as it is
    return True


def _new_day(people: _People) -> Tournament:
    before = day_of_demo()
    made = entering.create_tournament(
        people.organiser,
        club=CLUB[0],
        name=NAME,
        series=SERIES,
        edition=(before.edition or 0) + 1 if before else 1,
        date=localdate(database_now()),
        venue=VENUE,
        rules={},
        key=new_token(),
    )
    row = Tournament.objects.get(slug=made["slug"])
    known = Entrant.objects.filter(tournament=before).exclude(person__in=people.players).order_by("pk")
    others: list[UUID | str] = [*known.values_list("person", flat=True)[: len(OTHERS)]] if before else [*OTHERS]
    for person in [*people.players, *others]:
        told = entering.enter_player(people.organiser, row.pk, person=person, club="", key=new_token())
        entering.check_in(people.organiser, row.pk, code=told["code"], present=True, key=new_token())
    drawing.draft_draw(people.organiser, row.pk, key=new_token(), table="Tavolo {number}")
    drawing.publish_draw(people.organiser, row.pk, key=new_token())
    Match.objects.filter(sheet__heat__stage__tournament=row).update(length=SECONDS)
    for heat in (WAITS, RUNS):
        drawing.draw_seats(people.organiser, row.pk, stage=1, heat=heat, cards=None, key=new_token())
        referee = people.referee.person
        drawing.assign_referee(people.organiser, row.pk, stage=1, heat=heat, person=referee, key=new_token())
    _start(people, row)
    return row


def _start(people: _People, row: Tournament) -> None:
    """Starts the table of the visitor; two hands are played there already."""
    running.start_heats(people.organiser, row.pk, stage=1, heats=[RUNS], key=new_token())
    sheet = Sheet.objects.get(heat__stage__tournament=row, heat__stage__number=1, heat__number=RUNS)
    for hand, outcome in enumerate(PLAYED, start=1):
        content = Played(HandOutcome(*outcome))
        recording.record_hand(people.referee, sheet.pk, hand=hand, content=content, key=new_token())
