"""The demonstration: loaded once, into an empty house only."""

import json

import pytest

from gameplay.models import Match
from players.actor import SYSTEM
from players.models import Grant, User
from scoring.models import Proposal, RefereeCall, Ruling
from tournaments.exchange.generator import generate_tournament
from tournaments.models import Edition, Entrant, Snapshot, Tournament
from tournaments.services.demo import load_demo
from tournaments.services.importing import import_tournament

pytestmark = pytest.mark.django_db


def test_it_is_loaded_once():
    assert load_demo()
    slugs = list(Tournament.objects.values_list("slug", flat=True))
    people = User.objects.count()
    assert len(slugs) == 6
    assert not load_demo()
    assert list(Tournament.objects.values_list("slug", flat=True)) == slugs
    assert User.objects.count() == people


def test_a_house_with_tournaments_of_its_own_is_left_alone():
    import_tournament(SYSTEM, json.dumps(generate_tournament(1, 2)).encode())
    assert not load_demo()
    assert Tournament.objects.count() == 1


def test_its_people_have_no_password_and_the_rights_of_their_names():
    load_demo()
    demo = User.objects.filter(is_demo=True)
    assert not any(person.has_usable_password() for person in demo)
    assert dict(Grant.objects.values_list("person__username", "role")) == {
        "demo-admin": "admin",
        "demo-organiser": "club_organiser",
        "demo-referee": "referee",
        **{f"demo-guarantor-{number}": "council" for number in range(1, 5)},
    }


def test_the_season_moves_the_agp_ranking():
    load_demo()
    assert list(Edition.objects.filter(series__name="world").values_list("number", flat=True)) == [20, 26, 40, 41, 42]
    champions = {snapshot.table.get(rank=1).person_id for snapshot in Snapshot.objects.all()}
    assert len(champions) > 2


def test_the_same_code_is_the_same_person_in_the_season():
    load_demo()
    several = Entrant.objects.filter(code="unluer-tugba").values_list("person", flat=True)
    assert len(several) > 1
    assert len(set(several)) == 1


def test_its_matches_have_what_a_table_can_have():
    load_demo()
    running, over = Match.objects.order_by("sheet__state").reverse()
    assert (running.sheet.state, over.sheet.state) == ("open", "closed")
    assert (running.sheet.hands_played, over.sheet.hands_played) == (6, 2)
    assert Proposal.objects.get().sheet_id == RefereeCall.objects.get().sheet_id == running.pk
    kinds = Ruling.objects.order_by("number").values_list("kind", "decided_by", "upheld")
    assert list(kinds) == [("suicidal_call", "table", True), ("award", "referee", True), ("appeal", "council", True)]
    # 72, then the suicidal call costs 200 and the points lost; the admission 50; 81 for two; the award is taken back.
    assert list(over.sheet.seats.values_list("points", flat=True)) == [0, 153, -255, 72, 31]
