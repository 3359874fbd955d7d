"""The live tournament of the demonstration: a bell within five minutes, whoever comes, as often as wanted."""

from datetime import timedelta

import pytest
from django.test import Client
from django.urls import reverse

from core.clock import database_now
from gameplay.models import Due, Match
from gameplay.queries.clock import clocks_of
from gameplay.services import clock, matches, ringing
from players.actor import SYSTEM, actor_for
from players.models import User
from tests.tournaments.days import key
from tournaments.models import Entrant, Heat, Tournament
from tournaments.services import running
from tournaments.services.demo import make_people
from tournaments.services.demo_day import RUNS, SECONDS, WAITS, begin_day, day_of_demo

pytestmark = pytest.mark.django_db


@pytest.fixture
def day():
    make_people()
    assert begin_day() == day_of_demo().slug
    return day_of_demo()


def heat(row, number):
    return Heat.objects.select_related("sheet", "stage").get(stage__tournament=row, stage__number=1, number=number)


def clock_of(row, number):
    return clocks_of([Match.objects.get(pk=heat(row, number).sheet_id)])[heat(row, number).sheet_id][0]


def organiser():
    return actor_for(User.objects.get(username="demo-organiser").pk)


def ring(row):
    """The bell of the visitor's table rings now; its match."""
    match = heat(row, RUNS).sheet_id
    due = Due.objects.get(object=match)
    assert ringing.ring_due(due.due_at) == [match]
    return match


def test_a_newcomer_hears_a_bell_within_five_minutes(day):
    assert Entrant.objects.filter(tournament=day, present=True).count() == 10
    assert day.announced
    found = clock_of(day, RUNS)
    assert found.state == "running"
    assert found.deadline - database_now() < timedelta(minutes=5)
    assert heat(day, RUNS).sheet.hands_played == 2
    players = set(heat(day, RUNS).sheet.seats.values_list("person", flat=True))
    assert players | set(heat(day, WAITS).sheet.seats.values_list("person", flat=True)) == set(
        Entrant.objects.filter(tournament=day).values_list("person", flat=True)
    )


def test_the_organiser_starts_the_other_table_himself(day):
    assert clock_of(day, WAITS).state == "ready"
    running.start_heats(organiser(), day.pk, stage=1, heats=[WAITS], key=key())
    assert clock_of(day, WAITS).deadline - database_now() <= timedelta(seconds=SECONDS)
    assert heat(day, WAITS).referee.username == "demo-referee"


def test_a_clock_that_runs_is_left_alone(day):
    match = heat(day, RUNS).sheet_id
    assert begin_day() == day.slug
    assert heat(day, RUNS).sheet_id == match
    assert Tournament.objects.filter(live=True).count() == 1


def test_after_the_bell_it_begins_anew_at_the_same_table(day):
    match = ring(day)
    assert begin_day() == day.slug
    again = heat(day, RUNS)
    assert again.sheet_id != match
    assert clock_of(day, RUNS).state == "running"
    assert again.sheet.match.length == SECONDS
    assert again.sheet.hands_played == 2
    assert ring(day) == again.sheet_id


def test_a_bell_that_nobody_was_there_to_ring_rings_first(day):
    """The house was stopped over the deadline, and `up` comes before any ticker."""
    match = heat(day, RUNS).sheet_id
    Due.objects.filter(object=match).update(due_at=database_now() - timedelta(seconds=1))
    row = Match.objects.get(pk=match)
    row.clock_events.create(number=99, kind="moved", at=database_now(), micros=-SECONDS * 1_000_000)
    begin_day()
    assert heat(day, RUNS).sheet_id != match
    assert clock_of(day, RUNS).state == "running"


def test_where_the_evening_went_on_another_one_is_made(day):
    """A visitor signed the table: it stays as he left it."""
    match = ring(day)
    clock.answer_bell(SYSTEM, match, how="not_awarded", key=key())
    matches.sign(SYSTEM, match, entries=2, key=key())
    slug = begin_day()
    assert slug != day.slug
    again = day_of_demo()
    assert (again.slug, again.edition) == (slug, 2)
    assert clock_of(again, RUNS).state == "running"
    before, now = (set(Entrant.objects.filter(tournament=one).values_list("person", flat=True)) for one in (day, again))
    assert before == now  # the same ten come again


def test_a_house_without_the_demonstration_gets_none():
    assert begin_day() == ""
    assert day_of_demo() is None


def test_the_first_page_says_so_and_has_a_button(day, settings):
    match = ring(day)
    here = Client(HTTP_HOST="localhost", HTTP_ACCEPT_LANGUAGE="en")
    home = here.get("/").text
    assert reverse("match", args=[match]) in home
    assert "a clock of four minutes" in home
    again = here.post(reverse("demo_again"))
    assert again.url == reverse("match", args=[heat(day, RUNS).sheet_id]) != reverse("match", args=[match])
    assert clock_of(day, RUNS).state == "running"
    # Nothing of it beyond this machine, nor in a house that serves a hall.
    assert "a clock of four minutes" not in Client(HTTP_ACCEPT_LANGUAGE="en").get("/").text
    assert Client().post(reverse("demo_again")).status_code == 403
    settings.DEMO_SIGN_IN = False
    assert "a clock of four minutes" not in here.get("/").text
    assert here.post(reverse("demo_again")).status_code == 403
