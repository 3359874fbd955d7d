"""Pages of a match with a clock: how it stands in words, what its keeper does, the time, and the table behind the QR."""

import pytest
from django.urls import reverse

from core.models import AuditRow
from gameplay.models import ClockEvent, Match
from gameplay.queries import match_for_page
from gameplay.services import clock
from players.actor import SYSTEM
from players.rules.rights import CLOCK_KEEPER, REFEREE
from players.services import grant_role
from players.services.passes import make_pass
from tests.gameplay.browsing import QUEUE, at, browser, record
from tests.gameplay.rows import key, person
from tests.gameplay.test_clock import Timed

pytestmark = pytest.mark.django_db
PART = {"hx-request": "true"}


@pytest.fixture
def hall():
    return Timed()


@pytest.fixture
def keeper(hall):
    """Who keeps the clock and nothing else."""
    return browser(person("Kiki", CLOCK_KEEPER, scope=hall.club.scope_id))


def words(client, hall, name="match"):
    return client.get(at(name, hall)).content.decode()


def do(client, hall, verb, **fields):
    return client.post(at("match_clock", hall), {"do": verb, "key": key(), **fields})


def test_a_match_that_is_not_started_says_so_and_is_started_by_its_keeper(hall, keeper):
    mine = words(browser(hall.seats[0]), hall)
    assert "Not started yet" in mine
    assert "Record hand" not in mine
    assert "Start the match" not in mine
    assert "Start the match" in words(keeper, hall)
    assert do(browser(hall.seats[0]), hall, "start").status_code == 403
    assert do(browser(), hall, "start").status_code == 403
    assert do(keeper, hall, "start")["Location"] == at("match", hall)
    again = do(keeper, hall, "start", back="clock")
    assert (again.status_code, "has been started already" in again.content.decode()) == (422, True)
    mine = words(browser(hall.seats[0]), hall)
    assert "The clock runs" in mine
    assert "Record hand 1" in mine


def test_a_start_by_mistake_is_taken_back(hall, keeper):
    do(keeper, hall, "start")
    assert "It was started by mistake" in words(keeper, hall, "match_clock")
    without = do(keeper, hall, "cancel", back="clock", reason=" ")
    assert without.status_code == 422
    assert 'aria-describedby="cancel-reason-error"' in without.content.decode()
    assert do(keeper, hall, "cancel", back="clock", reason="wrong table")["Location"] == at("match_clock", hall)
    assert "Not started yet" in words(keeper, hall)


def test_a_suspension_is_read_by_everybody_and_ends(hall, keeper):
    hall.start()
    record(browser(hall.referee), hall)
    assert do(keeper, hall, "suspend", reason="no light").status_code == 422  # the clock: stopped or not?
    assert do(keeper, hall, "suspend", reason="no light", stopped="0", back="clock").status_code == 302
    page = words(browser(), hall)
    assert "Suspended: no light" in page
    assert "could not be stopped and runs on" in page
    assert "Go on with the match" not in page
    table = browser(hall.seats[0]).get(at("match", hall))
    assert table.context["can_deal"] is False
    assert table.context["clock"]["can_award"] is False
    assert "Go on with the match" in words(keeper, hall)
    assert do(keeper, hall, "resume", back="match")["Location"] == at("match", hall)
    assert "The clock runs" in words(browser(), hall)
    assert browser(hall.seats[2]).get(at("match", hall)).context["can_deal"] is True
    do(keeper, hall, "suspend", reason="a fight", stopped="1")
    assert "The clock is stopped." in words(browser(), hall)


def test_time_is_given_back_and_a_recovery_hand_granted(hall, keeper):
    hall.start()
    assert do(keeper, hall, "credit", reason="r").status_code == 422
    before = hall.due.due_at
    assert do(keeper, hall, "credit", minutes="2", seconds="30", reason="a spilled glass").status_code == 302
    assert (hall.due.due_at - before).total_seconds() == 150
    assert do(keeper, hall, "recovery", reason="r").status_code == 403  # that is a ruling
    referee = browser(hall.referee)
    refused = do(referee, hall, "recovery", reason="r", back="clock")
    assert (refused.status_code, "no recovery hand is due" in refused.content.decode()) == (422, True)
    do(keeper, hall, "suspend", reason="no light", stopped="0")
    do(keeper, hall, "resume")
    assert do(referee, hall, "recovery", reason="ten minutes were lost").status_code == 302
    hall.ring()
    hall.do(clock.answer_bell, how="not_awarded")
    page = words(browser(), hall)
    assert "The bell has rung: finish hand 1" in page
    assert "One recovery hand was granted" in page


@pytest.mark.parametrize(("follow", "said"), [("standings", "counts as it stands"), ("replay", "is played again")])
def test_a_player_who_retires_interrupts_the_match(hall, keeper, follow, said):
    hall.start()
    hall.hand(1)
    assert do(keeper, hall, "interrupt", follow=follow, reason="ill").status_code == 403
    referee = browser(hall.referee)
    assert do(referee, hall, "interrupt", follow="lots", reason="ill").status_code == 422
    assert do(referee, hall, "interrupt", follow=follow, reason="ill").status_code == 302
    page = words(browser(hall.seats[0]), hall)
    assert "The match is interrupted" in page
    assert said in page
    assert "Record hand" not in page
    assert do(keeper, hall, "eat").status_code == 422


def test_the_time_is_for_its_keeper_and_each_look_is_written_down(hall, keeper):
    assert keeper.post(at("reveal_time", hall), {"key": key()}, headers=QUEUE).json()["code"] == "not_started"
    assert "Hold to see the time" not in words(keeper, hall, "match_clock")
    hall.start()
    assert "Hold to see the time" in words(keeper, hall, "match_clock")
    told = keeper.post(at("reveal_time", hall), {"key": key()}, headers=QUEUE).json()
    assert told["left"].startswith(("119 minutes 5", "120 minutes 00"))
    assert told["elapsed"].startswith("0 minutes 0")
    page = keeper.post(at("reveal_time", hall), {"key": key()}).content.decode()
    assert "Played 0 minutes 0" in page
    assert AuditRow.objects.filter(verb="reveal_time").count() == 2
    assert "minutes 0" not in words(keeper, hall, "match_clock")
    for who in (hall.seats[0], None):
        assert browser(who).post(at("reveal_time", hall), {"key": key()}).status_code == 403
        assert browser(who).get(at("match_clock", hall)).status_code == 403


def test_a_keeper_who_plays_here_sees_no_time(hall):
    grant_role(SYSTEM, person=hall.seats[0].person, scope=hall.club.scope_id, role=REFEREE)
    hall.start()
    client = browser(hall.seats[0])
    assert client.get(at("match_clock", hall)).status_code == 403
    assert client.post(at("reveal_time", hall), {"key": key()}).status_code == 403
    assert "Clock: suspend" not in words(client, hall)


def test_without_a_clock_there_is_none_anywhere(hall):
    Match.objects.update(length=None)
    client = browser(hall.referee)
    for name in ("match", "record_hand", "table"):
        page = words(client, hall, name)
        assert 'id="clock"' not in page
        assert "data-bell" not in page
    assert "Record hand 1" in words(client, hall)
    for name in ("match_clock", "match_bell"):
        assert "played without a clock" in words(client, hall, name)
    assert do(client, hall, "start").status_code == 422
    assert not ClockEvent.objects.exists()


def test_a_new_match_may_have_minutes(hall):
    client = browser(hall.referee)
    form = {
        **{f"name-{seat}": name for seat, name in enumerate("ABCDE")},
        "scope": str(hall.club.scope_id),
        "table_name": "Terrazza",
        "action": "open",
    }
    for wrong in ("5", "many"):
        page = client.post(reverse("new_match"), {**form, "minutes": wrong, "key": key()})
        assert page.status_code == 422
        assert 'id="minutes-error"' in page.content.decode()
        assert f'value="{wrong}"' in page.content.decode()
    assert client.post(reverse("new_match"), {**form, "minutes": "45", "key": key()}).status_code == 302
    assert client.post(reverse("new_match"), {**form, "minutes": "", "key": key()}).status_code == 302
    found = Match.objects.filter(table_name="Terrazza").values_list("length", flat=True)
    assert sorted(found, key=bool) == [None, 2700]


# The table behind the QR code


def test_the_table_shows_seats_dealer_and_the_way_to_the_sheet(hall):
    page = browser().get(at("table", hall))
    html = page.content.decode()
    assert "Ada deals hand 1." in html
    assert at("match", hall) in html
    assert "Is one of these seats yours?" in html
    assert "this is your seat" not in html
    assert [seat["name"] for seat in page.context["seats"]] == ["Ada", "Bruno", "Carla", "Dino", "Elsa"]
    assert [seat["deals"] for seat in page.context["seats"]] == [True, False, False, False, False]
    hall.start()
    record(browser(hall.referee), hall)
    part = browser().get(at("table", hall), headers=PART).content.decode()
    assert "Bruno deals hand 2." in part
    assert "<html" not in part
    assert "Show seat passes" in words(browser(hall.referee), hall, "table")


def test_whoever_has_the_pass_is_told_that_it_is_his_seat(hall):
    token = make_pass(hall.referee, place=hall.match, number=2, person=hall.seats[2].person)
    phone = browser()
    phone.post(reverse("take_seat"), {"token": token, "take": "1"})
    page = phone.get(at("table", hall))
    assert [seat["mine"] for seat in page.context["seats"]] == [False, False, True, False, False]
    assert page.content.decode().count("this is your seat") == 1
    assert "Is one of these seats yours?" not in page.content.decode()


def test_when_it_is_over_nobody_deals(hall):
    hall.start()
    record(browser(hall.referee), hall)
    hall.ring()
    hall.do(clock.answer_bell, how="not_awarded")
    page = browser().get(at("table", hall))
    assert "Nothing more is dealt." in page.content.decode()
    assert not any(seat["deals"] for seat in page.context["seats"])
    assert match_for_page(hall.referee, hall.match).clock.over
