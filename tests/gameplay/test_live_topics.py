"""Which topics of matches a viewer hears, and that what happens at a table is told on them."""

import pytest

from core.live import check_topic
from core.valkey import client as valkey
from gameplay.live import topics_for
from gameplay.services import calls, matches
from players.actor import SYSTEM, Actor, Place
from players.models import User
from players.rules.rights import COUNCIL, ORGANISER, REFEREE
from players.services import grant_role, house_scope
from tests.gameplay.rows import Hall, actor, key, person

pytestmark = pytest.mark.django_db


def test_staff_hear_their_scopes_and_open_tables_players_their_own():
    hall, other = Hall(), Hall("altro")
    sheet = f"sheet:{hall.match}"
    assert topics_for(hall.referee) == [sheet, f"scope:{hall.club.scope_id}"]
    assert topics_for(hall.seats[0]) == [sheet]
    assert topics_for(actor(person("Olga", ORGANISER, scope=hall.sheet.scope_id)))[0] == sheet
    head = topics_for(actor(person("Ada", REFEREE, scope=house_scope().pk)))
    assert set(head) == {sheet, f"sheet:{other.match}", f"scope:{house_scope().pk}"}
    for topic in head:
        check_topic(topic)


def test_strangers_hear_nothing():
    hall = Hall()
    assert topics_for(Actor(person=None, came="session")) == []
    assert topics_for(SYSTEM) == []
    assert topics_for(actor(person("Piero"))) == []
    assert topics_for(actor(person("Gina", COUNCIL, scope=hall.club.scope_id))) == []


def test_a_seat_pass_hears_its_own_table_only(django_assert_num_queries):
    hall = Hall()
    ada = hall.people[0].pk
    matches.open_match(
        hall.referee,
        scope=hall.club.scope_id,
        table_name="Centralino",
        people=[ada, *(row.pk for row in hall.people[1:])],
        key=key(),
    )
    assert len(topics_for(actor(ada))) == 2
    seated = Actor(person=ada, came="seat_pass", place=Place(hall.match, 0))
    with django_assert_num_queries(1):
        assert topics_for(seated) == [f"sheet:{hall.match}"]
    assert topics_for(Actor(person=ada, came="seat_pass")) == []


def test_a_match_that_is_over_is_heard_no_more():
    hall = Hall()
    hall.play(1)
    matches.sign(hall.referee, hall.match, entries=1, key=key())
    assert topics_for(hall.seats[0]) == []
    assert topics_for(hall.referee) == [f"scope:{hall.club.scope_id}"]


def test_a_player_who_is_staff_hears_each_table_once():
    hall = Hall()
    grant_role(SYSTEM, person=hall.people[0].pk, scope=hall.club.scope_id, role=REFEREE)
    heard = topics_for(actor(User.objects.get(pk=hall.people[0].pk)))
    assert heard == [f"sheet:{hall.match}", f"scope:{hall.club.scope_id}"]


def told(topics):
    """How often each topic was published, as the bus keeps it."""
    return [int(valkey().get(f"version:{topic}") or 0) for topic in topics]


def test_a_call_is_told_on_every_scope_where_somebody_is_staff(django_capture_on_commit_callbacks):
    hall = Hall()
    scopes = (hall.sheet.scope_id, hall.club.scope_id, house_scope().pk)
    topics = [f"scope:{scope}" for scope in scopes]
    for work in (
        lambda: calls.call_referee(hall.seats[0], hall.match, words="", key=key()),
        lambda: calls.answer_call(hall.referee, hall.match, call=1, key=key()),
    ):
        before = told(topics)
        with django_capture_on_commit_callbacks(execute=True):
            work()
        assert all(now > then for now, then in zip(told(topics), before, strict=True))
