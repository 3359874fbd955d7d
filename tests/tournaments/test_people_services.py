"""People corrected, merged and erased, with everything that shows them (UX-53)."""

import json
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from uuid import uuid4

import pytest
from django.db import connection

from core.canonical import digest
from core.models import AuditRow
from core.refusal import Refusal
from gameplay.services import clock
from players.actor import SYSTEM, Actor, Right
from players.models import Grant, User
from players.rules.rights import ADMIN, CLUB_ORGANISER
from players.services import create_club, grant_role, house_scope
from scoring.models import Entry as EntryRow
from scoring.models import Seat
from tests.tournaments.days import opened
from tests.tournaments.files import by_place, stage, tournament_file
from tests.tournaments.rows import CUP, WORLD_2007, first_hand, imported, other_hand
from tournaments.models import Entrant, Publication, Snapshot, SnapshotLine, Stage, Tournament
from tournaments.queries.people import history_of, people_found, person_for_page
from tournaments.queries.publications import versions_for_page
from tournaments.queries.staff import mentions_of
from tournaments.queries.tournament import file_for_export, tournament_for_page
from tournaments.rules.content import content_hash
from tournaments.services.people import anonymise_person, correct_person, merge_people
from tournaments.services.results import correct_result

pytestmark = pytest.mark.django_db


def world(number, order, names=None, **more):
    """A world edition of one heat of five and its final; `order` is that of the final."""
    heat, final = by_place("A", order), by_place("F", order)
    file = tournament_file(stage(heat), stage(final, kind="final"), edition=number, **more)
    for player in file["players"]:
        player["name"] = (names or {}).get(player["id"], player["name"])
    return file


def person(tournament, code):
    return User.objects.get(entrants__tournament=tournament, entrants__code=code)


def correct(row, name, hidden=False, key="k"):
    row.refresh_from_db()
    return correct_person(SYSTEM, row.pk, name=name, hidden=hidden, version=row.version, key=key)


def test_a_corrected_name_is_corrected_everywhere():
    tournament = imported(world(1, "abcde", {"a": "Isil Yilmaz"}))
    row = person(tournament, "a")
    correct(row, "Işıl Yılmaz")
    assert tournament_for_page(SYSTEM, tournament.slug).name_of("a") == "Işıl Yılmaz"
    assert file_for_export(SYSTEM, tournament.slug)["players"][0]["name"] == "Işıl Yılmaz"
    assert [found.display_name for found in people_found("isil YILMAZ")] == ["Işıl Yılmaz"]


def test_a_name_that_a_tournament_wrote_differently_stays_as_written():
    first = imported(world(1, "abcde", {"a": "A. Rossi"}))
    known = person(first, "a")
    second = imported(world(2, "abcde", {"a": "Anna Rossi"}), people={"a": known.pk})
    correct(known, "Annamaria Rossi")
    assert tournament_for_page(SYSTEM, first.slug).name_of("a") == "Annamaria Rossi"
    assert tournament_for_page(SYSTEM, second.slug).name_of("a") == "Anna Rossi"


@pytest.mark.parametrize(("name", "code"), [("", "bad_name"), ("...", "bad_name"), ("x" * 121, "bad_name")])
def test_a_name_that_is_none_is_refused(name, code):
    row = person(imported(world(1, "abcde")), "a")
    with pytest.raises(Refusal, match=code):
        correct(row, name)


def test_a_hidden_history_is_not_told():
    row = person(imported(world(1, "abcde")), "a")
    assert not person_for_page(row.pk).hidden
    correct(row, row.display_name, hidden=True)
    assert person_for_page(row.pk).hidden


def test_two_who_are_one_become_one_in_every_ranking():
    first, second = imported(world(1, "abcde")), imported(world(2, "afghi"))
    one, other = person(first, "a"), person(second, "a")
    grant_role(SYSTEM, person=other.pk, scope=house_scope().pk, role=CLUB_ORGANISER)
    other.username = "anna"
    other.save()
    assert Snapshot.objects.get(edition__number=2).table.filter(person__in=[one, other]).count() == 2
    merge_people(SYSTEM, gone=other.pk, stays=one.pk, key="k")
    other.refresh_from_db()
    assert (other.merged_into, other.username, other.is_active) == (one, None, False)
    assert list(Grant.objects.values_list("person", "role")) == [(one.pk, CLUB_ORGANISER)]
    assert not Seat.objects.filter(person=other).exists()
    assert [played.tournament for played in history_of(person_for_page(one.pk)).played] == ["Test", "Test"]
    last = Snapshot.objects.filter(edition__number=2).order_by("version").last()
    assert last.version == 2
    assert last.table.get(person=one).points == 30
    assert not last.table.filter(person=other).exists()
    assert person_for_page(other.pk).merged_into == one.pk


def test_two_who_sat_at_one_table_are_not_one():
    tournament = imported(world(1, "abcde"))
    with pytest.raises(Refusal, match="sat_together"):
        merge_people(SYSTEM, gone=person(tournament, "a").pk, stays=person(tournament, "b").pk, key="k")
    assert person(tournament, "a").merged_into is None


def test_nobody_is_merged_with_himself_or_with_who_is_gone():
    first, second, third = (imported(world(number, "abcde")) for number in (1, 2, 3))
    one, two, three = (person(tournament, "a").pk for tournament in (first, second, third))
    with pytest.raises(Refusal, match="same_person"):
        merge_people(SYSTEM, gone=one, stays=one, key="k0")
    with pytest.raises(Refusal, match="person_unknown"):
        merge_people(SYSTEM, gone=one, stays=uuid4(), key="k1")
    merge_people(SYSTEM, gone=one, stays=two, key="k2")
    with pytest.raises(Refusal, match="person_gone"):
        merge_people(SYSTEM, gone=one, stays=three, key="k3")
    merge_people(SYSTEM, gone=two, stays=three, key="k4")
    assert set(User.objects.filter(merged_into=three).values_list("pk", flat=True)) == {one, two}


def test_an_erased_person_is_a_code_everywhere_and_the_published_hash_stays():
    names = {"rossi-anna": "Anna Rossi"}
    order = ["rossi-anna", *"bcde"]
    before = [{"edition": 1, "ranking": ["rossi-anna", "z"], "adjustments": {"rossi-anna": -1}}]
    note = {"note": "Vinse ROSSI  Anna davanti a Anna Bianchi.", "Anna Rossi": ["anna rossi", 3]}
    file = world(2, order, names, editions=before) | {"record": note}
    tournament = imported(file)
    row = person(tournament, "rossi-anna")
    row.username = "anna"
    row.save()
    anonymise_person(SYSTEM, row.pk, key="k")
    row.refresh_from_db()
    told = json.dumps(file_for_export(SYSTEM, tournament.slug), ensure_ascii=False).casefold()
    assert told.count("anna") == 1  # another Anna, of whom the archive speaks
    assert "rossi" not in told
    assert row.display_name.startswith("P-")
    assert (row.erased, row.username, row.is_active, row.has_usable_password()) == (True, None, False, False)
    view = tournament_for_page(SYSTEM, tournament.slug)
    assert view.name_of(row.display_name) == row.display_name
    assert view.outcome.final_ranking[0].player == row.display_name
    published = Publication.objects.get()
    assert digest(json.loads(published.facts)) == published.content_hash
    assert "rossi" not in (published.facts + published.result).casefold()
    assert content_hash(file_for_export(SYSTEM, tournament.slug)) == published.content_hash
    assert versions_for_page(view)[0].sound
    assert not people_found("rossi").exists()
    assert not User.objects.filter(search_key__contains="rossi").exists()
    assert not AuditRow.objects.filter(payload__icontains="rossi").exists()
    with pytest.raises(Refusal, match="person_gone"):
        correct(row, "Anna Rossi", key="again")


def test_a_code_that_tells_no_name_stays():
    tournament = imported(CUP)
    row = tournament.entrants.get(position=0)
    Entrant.objects.filter(pk=row.pk).update(code="X7")
    anonymise_person(SYSTEM, row.person_id, key="k")
    row.refresh_from_db()
    assert row.code == "X7"


def test_a_name_that_was_typed_as_a_reason_is_erased_in_the_draw_and_told_where_it_stays():
    row, organiser = opened(1)
    first = Entrant.objects.get(tournament=row, code="P01")
    move = {"player": "P01", "with": "P02", "to": 0, "reason": "01 Player is a brother"}
    Stage.objects.filter(tournament=row).update(plan={"players": ["P01"], "moves": [move]})
    match = row.stages.get().heats.get().sheet_id
    clock.start_match(organiser, match, key="s")
    clock.suspend_match(organiser, match, clock_stopped=True, reason="Player 01 fell", key="h")
    assert mentions_of(first.person_id) == ["Player 01 fell"]
    anonymise_person(SYSTEM, first.person_id, key="k")
    first.refresh_from_db()
    plan = Stage.objects.get(tournament=row).plan
    assert plan == {"players": ["P01"], "moves": [{**move, "reason": f"{first.name} is a brother"}]}


def test_only_who_manages_all_clubs_of_a_person_may_change_him():
    a, b = (create_club(SYSTEM, slug=slug, name=slug) for slug in "ab")
    file = world(1, "abcde", series="cup")
    first = imported(file, club="a")
    known = person(first, "a")
    mine = Actor(uuid4(), "session", frozenset({Right(a.scope_id, CLUB_ORGANISER)}))
    both = Actor(uuid4(), "session", mine.grants | {Right(b.scope_id, CLUB_ORGANISER)})
    admin = Actor(uuid4(), "session", frozenset({Right(house_scope().pk, ADMIN)}))
    stranger = Actor(None, "session")

    def may(actor, key):
        known.refresh_from_db()
        try:
            correct_person(actor, known.pk, name=f"Name {key}", hidden=False, version=known.version, key=key)
        except Refusal as refusal:
            return refusal.code
        return "done"

    assert [may(actor, f"1{at}") for at, actor in enumerate((mine, both, admin, stranger))] == [
        *["done"] * 3,
        "not_allowed",
    ]
    imported(world(2, "abcde", series="cup"), club="b", people={"a": known.pk})
    assert [may(actor, f"2{at}") for at, actor in enumerate((mine, both, admin, stranger))] == [
        "not_allowed",
        "done",
        "done",
        "not_allowed",
    ]


def test_who_was_merged_is_erased_with_the_one_who_stays():
    first, second = imported(world(1, "abcde")), imported(world(2, "afghi", {"a": "Mariuccio Privatissimo"}))
    one, other = person(first, "a"), person(second, "a")
    merge_people(SYSTEM, gone=other.pk, stays=one.pk, key="k")
    anonymise_person(SYSTEM, one.pk, key="k2")
    assert not User.objects.filter(search_key__contains="privatissimo").exists()
    assert "Privatissimo" not in json.dumps(file_for_export(SYSTEM, second.slug))


@pytest.mark.parametrize("what", ["a user name", "a right", "never played here"])
def test_a_club_organiser_cannot_take_what_is_another_s(what):
    """Filing a tournament under somebody's name gives no power over him."""
    club = create_club(SYSTEM, slug="a", name="A")
    mine = imported(world(1, "abcde", series="cup"), club="a")
    organiser = Actor(uuid4(), "session", frozenset({Right(club.scope_id, CLUB_ORGANISER)}))
    victim = User.objects.create_user("ada" if what == "a user name" else None, "Ada")
    if what == "a right":
        grant_role(SYSTEM, person=victim.pk, scope=house_scope().pk, role=ADMIN)
    if what != "never played here":
        imported(world(2, "afghi", series="cup"), club="a", people={"a": victim.pk})
    attempts = [
        lambda: merge_people(organiser, gone=victim.pk, stays=person(mine, "b").pk, key="1"),
        lambda: merge_people(organiser, gone=person(mine, "b").pk, stays=victim.pk, key="2"),
        lambda: anonymise_person(organiser, victim.pk, key="3"),
        lambda: correct_person(organiser, victim.pk, name="X Y", hidden=True, version=victim.version, key="4"),
    ]
    for attempt in attempts:
        with pytest.raises(Refusal, match="not_allowed"):
            attempt()
    assert User.objects.get(pk=victim.pk).display_name == "Ada"
    assert Grant.objects.count() == (what == "a right")


@pytest.mark.django_db(transaction=True)
def test_people_and_results_changed_at_once_wait_for_each_other():
    """Both lock the tournament before its rows: none dies of a deadlock, none is lost."""
    tournament = imported(WORLD_2007)
    hand = first_hand(tournament)
    row = person(tournament, "P07")
    start = Barrier(2)

    def rename(turn):
        row.refresh_from_db()
        return correct_person(SYSTEM, row.pk, name=f"Name {turn}", hidden=False, version=row.version, key=f"n{turn}")

    def result(turn):
        for again in range(20):
            tournament.refresh_from_db()
            last = EntryRow.objects.filter(sheet=hand.sheet, line=hand.line).order_by("-number").first()
            entry = other_hand(last, made=hand.made + 1 + turn % 2, reason=f"turn {turn}")
            try:
                return correct_result(
                    SYSTEM,
                    tournament.pk,
                    stage=1,
                    heat=1,
                    entry=entry,
                    version=tournament.version,
                    key=f"{turn}-{again}",
                )
            except Refusal as refusal:
                if refusal.code != "stale_version":
                    raise
        raise AssertionError("always too late")

    def work(verb):
        try:
            for turn in range(12):
                start.wait(timeout=60)
                verb(turn)
        finally:
            connection.close()

    with ThreadPoolExecutor(2) as pool:
        for done in [pool.submit(work, rename), pool.submit(work, result)]:
            done.result(timeout=120)
    assert EntryRow.objects.filter(sheet=hand.sheet, line=hand.line).count() == 13
    assert tournament_for_page(SYSTEM, tournament.slug).name_of("P07") == "Name 11"


@pytest.mark.django_db(transaction=True)
def test_two_merges_at_once_have_one_effect():
    first, second = imported(world(1, "abcde")), imported(world(2, "afghi"))
    one, other = person(first, "a").pk, person(second, "a").pk
    start = Barrier(6)

    def merge(number):
        try:
            start.wait()
            # Three send the same command, three the opposite one.
            gone, stays = (other, one) if number % 2 else (one, other)
            return merge_people(SYSTEM, gone=gone, stays=stays, key=f"k{number % 2}")["person"]
        except Refusal as refusal:
            return refusal.code
        finally:
            connection.close()

    with ThreadPoolExecutor(6) as pool:
        answers = list(pool.map(merge, range(6)))
    assert User.objects.filter(merged_into__isnull=False).count() == 1
    assert AuditRow.objects.filter(verb="merge_people").count() == 1
    stays = str(User.objects.get(pk__in=[one, other], merged_into=None).pk)
    assert sorted(answers) == sorted([stays] * 3 + ["person_gone"] * 3)
    assert SnapshotLine.objects.get(snapshot__edition__number=2, snapshot__version=2, person=stays).points == 30


@pytest.mark.django_db(transaction=True)
def test_imports_of_one_file_at_once_give_one_tournament():
    file = world(1, "abcde")
    start = Barrier(6)

    def work(number):
        try:
            start.wait()
            return imported(file, key=f"k{number % 3}").pk
        finally:
            connection.close()

    with ThreadPoolExecutor(6) as pool:
        assert len(set(pool.map(work, range(6)))) == 1
    assert Tournament.objects.count() == 1
    assert User.objects.count() == 5
    assert AuditRow.objects.filter(verb="import_tournament").count() == 1
