"""Whatever is kept although it follows from something else equals its rebuild, always."""

import random

import pytest
from django.core.management import CommandError, call_command

from core.refusal import Refusal
from players.actor import SYSTEM
from scoring.models import Entry as EntryRow
from scoring.models import Seat, Sheet
from scoring.queries import entries_of
from scoring.rules.hands import HandOutcome
from scoring.rules.scoresheet import Award, Entry, Played, Voided
from tests.tournaments.rows import generated
from tournaments.exchange.records import record_from_file
from tournaments.exchange.result import result_of
from tournaments.models import Entrant, SnapshotLine
from tournaments.queries.tournament import file_for_export, tournament_for_page
from tournaments.rules.replay import replay
from tournaments.services.demo import load_demo
from tournaments.services.people import merge_people
from tournaments.services.rebuilding import drifted
from tournaments.services.results import correct_result

pytestmark = pytest.mark.django_db


def test_the_demonstration_equals_its_rebuild():
    load_demo()
    assert list(drifted()) == []
    call_command("verify_projections")
    call_command("verify_audit")


def random_entry(rng, sheet):
    content = rng.choice(
        [
            Award(rng.randrange(5), rng.randrange(-80, 80), "S19", "ruling"),
            Voided(repeated=rng.random() < 0.5),
            Played(HandOutcome(rng.randrange(5), rng.randrange(5), rng.randrange(51, 121), rng.randrange(121))),
            Played(
                HandOutcome(rng.randrange(5), rng.randrange(5), rng.randrange(80, 121), rng.randrange(121)),
                rng.choice(["suicidal_call", "disloyal_raise"]),
            ),
        ]
    )
    count = len(entries_of(sheet.pk).entries)
    replaces = rng.randrange(count + 1)
    return Entry(content, None if replaces == count else replaces, "" if replaces == count else "corrected")


def test_random_corrections_equal_a_rebuild_and_the_replay_of_the_export():
    """Whatever services do, the rows, their projections and the exported file say the same."""
    rng = random.Random(3)
    done = refused = 0
    for seed in (4, 11, 18, 20, 23):
        tournament = generated(seed, 1 + seed % 4, hands=8)
        heats = list(
            Sheet.objects.filter(heat__stage__tournament=tournament, seats__hands_won__isnull=False).distinct()
        )
        for turn in range(30):
            sheet = rng.choice(heats)
            tournament.refresh_from_db()
            try:
                correct_result(
                    SYSTEM,
                    tournament.pk,
                    stage=sheet.heat.stage.number,
                    heat=sheet.heat.number,
                    entry=random_entry(rng, sheet),
                    version=tournament.version,
                    key=f"{turn}",
                )
                done += 1
            except Refusal:
                refused += 1
                continue
            exported = file_for_export(SYSTEM, tournament.slug)
            shown = result_of(tournament_for_page(SYSTEM, tournament.slug).outcome)
            assert shown == result_of(replay(record_from_file(exported)))
        assert list(drifted()) == []
    assert done > 20
    assert refused > 20


def test_a_merge_equals_a_rebuild():
    first, second = generated(1, 2), generated(2, 3)
    merge_people(SYSTEM, gone=second.entrants.first().person_id, stays=first.entrants.first().person_id, key="k")
    assert list(drifted()) == []


@pytest.mark.parametrize(
    "spoil",
    [
        lambda: Seat.objects.filter(number=2).update(points=1),
        lambda: Seat.objects.filter(number=2).update(offences=9),
        lambda: Sheet.objects.update(hands_voided=7),
        lambda: Entrant.objects.filter(place=1).update(points=3),
        lambda: Entrant.objects.filter(place=2).update(place=None),
    ],
)
def test_a_drifted_figure_is_found(spoil):
    generated(1, 2)
    assert spoil()
    assert list(drifted())
    with pytest.raises(CommandError):
        call_command("verify_projections")


def test_entries_and_rankings_cannot_be_changed():
    from django.db import DatabaseError, transaction

    load_demo()
    for rows, change in (
        (EntryRow.objects.filter(kind="played"), {"made": 1}),
        (SnapshotLine.objects.all(), {"points": 1}),
    ):
        with pytest.raises(DatabaseError, match="append-only"), transaction.atomic():
            rows.update(**change)
        with pytest.raises(DatabaseError, match="append-only"), transaction.atomic():
            rows.model.objects.filter(pk=rows.order_by("-pk").first().pk)._raw_delete("default")
