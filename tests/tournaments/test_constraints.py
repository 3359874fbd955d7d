"""What must never be true is refused by the database itself, whoever writes."""

from uuid import uuid4

import pytest
from django.db import IntegrityError, connection, transaction

from players.actor import SYSTEM
from players.models import Club, Grant, Scope, User
from players.services import create_club, house_scope
from scoring.models import Entry, Seat, Sheet
from tests.tournaments.files import by_place, hands_heat, stage, tournament_file
from tests.tournaments.rows import WORLD_2007, imported
from tournaments.models import Edition, Entrant, Heat, Publication, Series, Stage, Withdrawal

pytestmark = pytest.mark.django_db


def refused(write, name):
    """The database refuses the write by the constraint of this name."""
    with connection.cursor() as cursor:
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
    with pytest.raises(IntegrityError, match=name), transaction.atomic():
        write()


@pytest.fixture
def tournament():
    return imported(WORLD_2007)


@pytest.fixture
def sheet():
    hand = {"caller": "a", "called": "b", "bid": 70, "made": 80}
    imported(tournament_file(stage(hands_heat("A", "abcde", [hand, hand]))))
    return Sheet.objects.get()


# Who


def test_there_is_one_house_and_everything_else_is_below_it():
    house = house_scope()
    refused(lambda: Scope.objects.create(kind="house"), "scope_one_house")
    refused(lambda: Scope.objects.create(kind="club"), "scope_only_the_house_is_on_top")
    refused(lambda: Scope.objects.create(kind="circus", parent=house), "scope_kind_known")


def test_a_role_is_a_known_one_and_given_once():
    person = User.objects.create_user(None, "Anna")
    Grant.objects.create(person=person, scope=house_scope(), role="admin")
    refused(lambda: Grant.objects.create(person=person, scope=house_scope(), role="admin"), "grant_once")
    refused(lambda: Grant.objects.create(person=person, scope=house_scope(), role="king"), "grant_role_known")


def test_who_is_gone_cannot_sign_in():
    person = User.objects.create_user("anna", "Anna", "long-and-secret")
    refused(lambda: User.objects.filter(pk=person.pk).update(erased=True), "user_gone_cannot_sign_in")
    change = {"merged_into": person, "username": None, "is_active": False}
    refused(lambda: User.objects.filter(pk=person.pk).update(**change), "user_not_merged_into_self")


def test_a_club_has_an_address_of_its_own():
    club = create_club(SYSTEM, slug="a", name="A")
    scope = Scope.objects.create(kind="club", parent=house_scope())
    refused(lambda: Club.objects.create(scope=scope, slug="a", name="B"), "slug")
    assert club.scope.parent == house_scope()


# Points


def test_a_seat_has_one_person_and_a_person_one_seat(sheet):
    first, second = sheet.seats.filter(number__in=(0, 1))
    person = User.objects.create_user(None, "Zoe")
    refused(lambda: Seat.objects.create(sheet=sheet, number=0, person=person), "seat_number_once")
    refused(lambda: Seat.objects.create(sheet=sheet, number=5, person=person), "seat_number_known")
    refused(lambda: Seat.objects.filter(pk=first.pk).update(person=second.person), "seat_person_once")


def test_nobody_sits_twice_in_a_stage():
    imported(tournament_file(stage(by_place("A", "abcde"), by_place("B", "fghij"))))
    one, other = Seat.objects.filter(sheet__heat__number=1).first(), Seat.objects.filter(sheet__heat__number=2).first()
    refused(lambda: Seat.objects.filter(pk=other.pk).update(person=one.person), "seat_person_once_in_a_round")


def test_a_line_begins_once_and_is_corrected_once(sheet):
    first = sheet.entries.get(number=0)
    hand = {"kind": "played", "caller": 0, "called": 1, "bid": 70, "made": 80}
    refused(lambda: Entry.objects.create(sheet=sheet, number=0, line=5, **hand), "entry_number_once")
    refused(lambda: Entry.objects.create(sheet=sheet, number=2, line=0, **hand), "entry_line_begins_once")
    Entry.objects.create(sheet=sheet, number=2, line=0, replaces=first, reason="misread", **hand)
    again = {"replaces": first, "reason": "again", **hand}
    refused(lambda: Entry.objects.create(sheet=sheet, number=3, line=0, **again), "replaces")
    refused(lambda: Entry.objects.create(sheet=sheet, number=3, line=2, reason="why", **hand), "entry_says_why")


PLAYED = {"kind": "played", "caller": 0, "called": 1, "bid": 70, "made": 60}


@pytest.mark.parametrize(
    "columns",
    [
        PLAYED | {"bid": 121},
        PLAYED | {"bid": 0},
        PLAYED | {"bid": None},
        PLAYED | {"made": 121},
        PLAYED | {"made": None},
        PLAYED | {"caller": 5},
        PLAYED | {"caller": None},
        PLAYED | {"called": None},
        PLAYED | {"seat": 1},
        PLAYED | {"ruling": "bad_manners"},
        PLAYED | {"ruling": "suicidal_call", "made": 70},
        {"kind": "admitted", "caller": 0, "bid": 90},
        {"kind": "admitted", "caller": 0, "bid": 90, "ruling": "suicidal_call"},
        {"kind": "admitted", "caller": 0, "bid": 90, "made": 3, "ruling": "disloyal_raise"},
        {"kind": "award", "seat": 5, "points": 3, "article": "S19", "why": "late"},
        {"kind": "award", "seat": 1, "points": 3, "article": "", "why": "late"},
        {"kind": "award", "seat": 1, "points": 3, "article": "S19", "why": ""},
        {"kind": "award", "seat": 1, "article": "S19", "why": "late"},
        {"kind": "voided"},
        {"kind": "voided", "repeated": True, "bid": 70},
        {"kind": "totals", "totals": [1, 2, 3, 4], "hands_played": 5, "adjustments": [None] * 5},
        {"kind": "totals", "totals": [1, 2, 3, 4, 5], "hands_played": 0, "adjustments": [None] * 5},
        {"kind": "totals", "totals": [1, 2, 3, 4, 5], "hands_played": 5},
        {"kind": "joke"},
    ],
)
def test_an_entry_is_whole_and_of_one_kind(sheet, columns):
    refused(lambda: Entry.objects.create(sheet=sheet, number=2, line=2, **columns), "entry_")


def test_a_golden_call_is_whole(sheet):
    refused(lambda: Sheet.objects.filter(pk=sheet.pk).update(golden_bid=None), "sheet_golden_call_whole")
    refused(lambda: Sheet.objects.filter(pk=sheet.pk).update(state="lost"), "sheet_state_known")


# Places


def test_an_entrant_is_one_person_with_one_code_and_one_place(tournament):
    one, other = tournament.entrants.filter(place__in=(1, 2))
    for columns, name in (
        ({"person": other.person}, "entrant_person_once"),
        ({"code": other.code}, "entrant_code_once"),
        ({"position": other.position}, "entrant_position_once"),
        ({"entry": other.entry}, "entrant_entry_once"),
        ({"place": other.place}, "entrant_place_once"),
        ({"name": ""}, "entrant_is_named"),
        ({"excluded": True}, "entrant_excluded_has_no_place"),
    ):
        refused(lambda columns=columns: Entrant.objects.filter(pk=one.pk).update(**columns), name)


def test_stages_and_heats_come_once_and_heats_first(tournament):
    first = tournament.stages.get(number=1)
    refused(lambda: Stage.objects.create(tournament=tournament, number=1, kind="heats"), "stage_number_once")
    refused(lambda: Stage.objects.create(tournament=tournament, number=9, kind="final"), "stage_one_final")
    refused(lambda: Stage.objects.filter(pk=first.pk).update(kind="party"), "stage_kind_known")
    heat = first.heats.get(number=1)
    refused(lambda: Heat.objects.filter(pk=heat.pk).update(number=2), "heat_number_once")
    refused(lambda: Heat.objects.filter(pk=heat.pk).update(name="Centralino"), "heat_name_once")


def test_a_final_cannot_be_the_first_stage():
    tournament = imported(tournament_file(stage(by_place("A", "abcde"))))
    refused(lambda: Stage.objects.filter(tournament=tournament).update(kind="final"), "stage_heats_come_first")


def test_a_withdrawal_is_from_a_stage_that_can_be_renounced(tournament):
    entrant = tournament.entrants.first()
    for target in ("heats:1", "heats", "party", "heats:02"):
        refused(
            lambda target=target: Withdrawal.objects.create(
                tournament=tournament, number=0, entrant=entrant, target=target
            ),
            "withdrawal_target_known",
        )


def test_an_edition_comes_once_in_its_series(tournament):
    series = Series.objects.get()
    other = imported(tournament_file(stage(by_place("A", "abcde"))))
    refused(lambda: Edition.objects.create(series=series, number=26, tournament=other), "edition_number_once")
    refused(lambda: Series.objects.create(club=None, name="world", points=[1]), "series_name_once")
    refused(lambda: Series.objects.create(club=None, name="other", points=[1]), "series_house_has_the_world")


def test_a_later_version_says_why(tournament):
    first = Publication.objects.get(tournament=tournament)
    again = {
        "tournament": tournament,
        "content_hash": "",
        "at": first.at,
        "facts": "",
        "result": "",
        "audit_number": 1,
        "audit_hash": "",
    }
    refused(lambda: Publication.objects.create(version=2, **again), "publication_says_why")
    refused(lambda: Publication.objects.create(version=1, **again), "publication_version_once")


def test_the_same_file_is_one_tournament_of_a_club(tournament):
    other = imported(tournament_file(stage(by_place("A", "abcde"))))
    type(other).objects.filter(pk=other.pk).update(slug=f"x-{uuid4()}")
    refused(
        lambda: type(other).objects.filter(pk=other.pk).update(source_hash=tournament.source_hash),
        "tournament_file_once",
    )
