"""Seat passes as staff shows them, and what a phone may that took one."""

import re
from uuid import uuid4

import pytest
from django.test import Client
from django.urls import reverse

from core.models import AuditRow
from gameplay.queries.powers import powers_of
from players.actor import actor_from
from players.models import SeatPass, User
from scoring.models import Sheet
from tests.gameplay.rows import Hall

pytestmark = pytest.mark.django_db
HOME = {"HTTP_HOST": "localhost", "HTTP_ACCEPT_LANGUAGE": "en"}


@pytest.fixture
def hall():
    return Hall()


@pytest.fixture
def referee(hall):
    browser = Client(**HOME)
    browser.force_login(User.objects.get(pk=hall.referee.person))
    return browser


def page_of(match):
    return reverse("seat_passes", args=[match])


def code_in(answer):
    return re.search(r'value="http://localhost/seat/#([\w-]+)"', answer.content.decode())[1]


def test_staff_shows_a_pass_and_the_phone_that_reads_it_is_that_seat(hall, referee):
    page = referee.get(page_of(hall.match)).content.decode()
    assert re.findall(r'name="seat" value="(\d)"', page) == list("01234")
    assert not SeatPass.objects.exists()
    shown = referee.post(page_of(hall.match), {"seat": "2"})
    assert "For Carla, seat 3" in shown.content.decode()
    assert "no-store" in shown["Cache-Control"]
    phone = Client(**HOME)
    token = code_in(shown)
    assert "I am Carla, seat 3" in phone.post(reverse("take_seat"), {"token": token}).content.decode()
    taken = phone.post(reverse("take_seat"), {"token": token, "take": "1"})
    assert taken.url == reverse("match", args=[hall.match])
    assert phone.get(taken.url).status_code == 200
    actor = actor_from(phone.session)
    assert powers_of(actor, hall.sheet).seat == 2
    assert not powers_of(actor, hall.sheet).staff
    assert powers_of(actor, Hall("altro").sheet).seat is None
    assert SeatPass.objects.get().made_by_id == hall.referee.person
    assert AuditRow.objects.get(verb="show_pass").payload == {"sheet": str(hall.match), "seat": 2}
    referee.post(page_of(hall.match), {"seat": "2"})
    assert powers_of(actor_from(phone.session), hall.sheet).seat is None


def test_nobody_else_shows_one(hall, referee):
    other = Hall("altro")
    for person in (None, hall.people[0], User.objects.get(pk=other.referee.person)):
        browser = Client(**HOME)
        if person:
            browser.force_login(person)
        assert browser.get(page_of(hall.match)).status_code == 403
        assert browser.post(page_of(hall.match), {"seat": "0"}).status_code == 403
    phone = Client(**HOME)
    phone.post(reverse("take_seat"), {"token": code_in(referee.post(page_of(hall.match), {"seat": "0"})), "take": "1"})
    assert phone.post(page_of(hall.match), {"seat": "1"}).status_code == 403
    assert SeatPass.objects.count() == 1


@pytest.mark.parametrize(("seat", "status"), [("5", 404), ("-1", 404), ("", 422), ("x", 422), ("2" * 10, 422)])
def test_there_are_five_seats(hall, referee, seat, status):
    assert referee.post(page_of(hall.match), {"seat": seat}).status_code == status
    assert not SeatPass.objects.exists()


def test_a_match_that_is_over_or_unknown_has_no_passes(hall, referee):
    Sheet.objects.filter(pk=hall.match).update(state="closed")
    assert referee.get(page_of(hall.match)).status_code == 422
    assert referee.post(page_of(hall.match), {"seat": "0"}).status_code == 422
    assert referee.get(page_of(uuid4())).status_code == 404
    assert not SeatPass.objects.exists()
