"""Whatever is kept although it follows from something else equals its rebuild, always."""

import json
import random

import pytest
from django.core.management import CommandError, call_command

from core.canonical import canonical, digest
from core.refusal import Refusal
from players.actor import SYSTEM
from players.models import Club, User
from players.services import create_club
from scoring.models import Entry as EntryRow
from scoring.models import Seat, Sheet
from scoring.queries import entries_of
from scoring.rules.hands import HandOutcome
from scoring.rules.scoresheet import Award, Entry, Played, Voided
from tests.tournaments.files import hands_heat, stage, tournament_file
from tests.tournaments.rows import WORLD_2001, generated, imported, unlock
from tournaments.exchange.records import record_from_file
from tournaments.exchange.result import result_of
from tournaments.models import Entrant, Publication, Snapshot, SnapshotLine, Tournament
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


def replayed_otherwise(row):
    """The facts of a version say another thing, and its hash agrees; its result is that of what was."""
    told = json.loads(row.facts)
    told["stages"][0]["heats"].reverse()
    return {"facts": canonical(told), "content_hash": digest(told)}


def seats_twice(row):
    """The rules refuse what a version says: somebody has two seats."""
    told = json.loads(row.facts)
    seats = told["stages"][0]["heats"][0]["seats"]
    seats[0] = seats[1]
    return {"facts": canonical(told), "content_hash": digest(told)}


def other_venue(row):
    """All of a version agrees, but it is not what is written down."""
    told = json.loads(row.facts)
    told["tournament"]["venue"] = "Elsewhere"
    return {"facts": canonical(told), "content_hash": digest(told)}


def of_version(change):
    def spoil():
        row = Publication.objects.get()
        return Publication.objects.filter(pk=row.pk).update(**change(row))

    return spoil


def no_ranking():
    SnapshotLine.objects.all().delete()
    return Snapshot.objects.all().delete()[0]


DRIFTS = {
    "points of a seat": (lambda: Seat.objects.filter(number=2).update(points=1), "sheet "),
    "offences of a seat": (lambda: Seat.objects.filter(number=2).update(offences=9), "sheet "),
    "offences before": (
        lambda: Seat.objects.filter(number=2, sheet__heat__stage__number=2).update(offences_before=1),
        "offences before sheet ",
    ),
    "voided hands": (lambda: Sheet.objects.update(hands_voided=7), "sheet "),
    "points of an entrant": (lambda: Entrant.objects.filter(place=1).update(points=3), "entrant "),
    "place": (lambda: Entrant.objects.filter(place=2).update(place=None), "entrant "),
    "order of a name": (lambda: User.objects.filter(entrants__place=1).update(sort_key="zzz"), "sort_key of user "),
    "search of a name": (
        lambda: User.objects.filter(entrants__place=1).update(search_key="zzz"),
        "search_key of user ",
    ),
    "order of a club": (lambda: Club.objects.update(sort_key="zzz"), "sort_key of club "),
    "search of a tournament": (lambda: Tournament.objects.update(search_key="zzz"), "search_key of tournament "),
    "number of versions": (lambda: Tournament.objects.update(published=2), "published version of tournament "),
    "hash of a version": (of_version(lambda _: {"content_hash": "0" * 64}), "facts of version 1 of tournament "),
    "facts of a version": (of_version(lambda row: {"facts": row.facts + " "}), "facts of version 1 of tournament "),
    "result of a version": (of_version(lambda _: {"result": "{}"}), "result of version 1 of tournament "),
    "version that is refused": (
        of_version(seats_twice),
        "result of version 1 of tournament ",
    ),
    "replay of a version": (of_version(replayed_otherwise), "result of version 1 of tournament "),
    "present rows": (of_version(other_venue), "version 1 of tournament "),
    "points of a ranking": (lambda: SnapshotLine.objects.filter(rank=1).update(points=1), "ranking of series "),
    "ranking of an edition": (no_ranking, "no ranking of series "),
}


@pytest.mark.parametrize(("spoil", "told"), DRIFTS.values(), ids=DRIFTS)
def test_a_drifted_figure_is_found(spoil, told):
    create_club(SYSTEM, slug="lanterna", name="Lanterna")
    imported(WORLD_2001)
    assert list(drifted()) == []
    unlock("tournaments_publication", "tournaments_snapshot", "tournaments_snapshotline")
    assert spoil()
    assert any(line.startswith(told) for line in drifted())
    with pytest.raises(CommandError):
        call_command("verify_projections")


def test_disloyal_raises_that_were_not_carried_on_are_found():
    """Where they count through the tournament (D10)."""
    raised = {
        "caller": "a",
        "called": "b",
        "bid": 80,
        "made": 90,
        "ruling": {"kind": "disloyal_raise", "admitted": False},
    }
    heats = stage(hands_heat("A", "abcde", [raised, {"caller": "c", "called": "d", "bid": 70, "made": 90}]))
    final = stage(hands_heat("B", "abcde", [{"caller": "c", "called": "d", "bid": 70, "made": 90}]), kind="final")
    imported(tournament_file(heats, final, rules={"offence_scope": "tournament"}))
    carried = Seat.objects.filter(offences_before=1)
    assert carried.count() == 1
    assert list(drifted()) == []
    sheet = carried.get().sheet_id
    carried.update(offences_before=0)
    assert list(drifted()) == [f"offences before sheet {sheet}"]


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
