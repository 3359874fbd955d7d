"""The bell on pages: what a page is told, the question after it (D21), the award before it, and the device that rings."""

import pytest
from django.urls import reverse

from core.valkey import client as valkey
from gameplay.models import ClockEvent
from gameplay.services import bells, clock, matches
from players.rules.rights import ORGANISER
from tests.gameplay.browsing import QUEUE, at, browser, record
from tests.gameplay.rows import key, person
from tests.gameplay.test_clock import Timed

pytestmark = pytest.mark.django_db
PART = {"hx-request": "true"}
DEVICE = "device-one"
PAGES = ("match", "record_hand", "record_grid", "penalty", "sign_match", "seat_passes", "match_bell", "table")


@pytest.fixture
def hall():
    valkey().flushdb()
    return Timed()


def asked(hall, who=None):
    return browser(who).get(at("match_bell", hall), headers=QUEUE).json()


def answer(client, hall, how, *, send=None, **fields):
    return client.post(at("match_bell", hall), {"how": how, "key": key(), **fields}, headers=send or {})


def award(client, hall, hand=1, at_120="0", *, send=None, **fields):
    given = {"hand": str(hand), "at_120": at_120, "key": key(), **fields}
    return client.post(at("award_auction", hall), given, headers=send or {})


def test_every_page_of_a_match_has_its_bell(hall):
    hall.start()
    client = browser(hall.referee)
    for name in PAGES:
        html = client.get(at(name, hall)).content.decode()
        assert html.count(f'data-bell="{at("match_bell", hall)}"') == 1, name
        assert f'data-topic="sheet:{hall.match}"' in html, name
    hall.ring()
    hall.do(clock.answer_bell, how="awarded")
    record(client, hall)
    hall.do(matches.sign, entries=1)
    assert "data-bell" not in client.get(at("match", hall)).content.decode()


def test_a_page_is_told_that_it_rang_and_never_when(hall):
    nothing = {"rung": None, "question": False}
    assert asked(hall) == nothing
    hall.start()
    assert asked(hall) == nothing
    hall.ring()
    for who in (None, hall.seats[3], hall.referee):
        assert asked(hall, who) == {"rung": f"{hall.match}:1", "question": True}
    hall.do(clock.answer_bell, how="awarded")
    assert asked(hall) == {"rung": f"{hall.match}:1", "question": False}
    record(browser(hall.referee), hall)
    hall.do(matches.sign, entries=1)
    assert asked(hall) == nothing  # who comes when it is over is not startled
    assert browser().get(reverse("match_bell", args=[person("x").pk]), headers=QUEUE).status_code == 404


def test_the_question_stands_where_the_hand_was_to_be_recorded(hall):
    hall.start()
    record(browser(hall.referee), hall)
    hall.ring()
    player = browser(hall.seats[1])
    for name in ("match", "record_hand", "match_bell"):
        html = player.get(at(name, hall)).content.decode()
        assert "was the auction of hand 2 awarded?" in html, name
        assert 'value="called_at_120"' in html, name
        assert "data-blocks" in html, name
        assert "Record hand" not in html, name
    stranger = browser().get(at("match", hall)).content.decode()
    assert "was the auction of hand 2 awarded?" in stranger
    assert 'value="called_at_120"' not in stranger
    assert answer(browser(), hall, "awarded").status_code == 403
    wrong = answer(player, hall, "perhaps")
    assert (wrong.status_code, "That is no answer" in wrong.content.decode()) == (422, True)
    assert answer(player, hall, "awarded", back="record")["Location"] == at("record_hand", hall)
    page = player.get(at("record_hand", hall)).content.decode()
    assert "The bell has rung: finish hand 2" in page
    assert "data-blocks" not in page
    assert ClockEvent.objects.get(kind="answered").person_id == hall.seats[1].person
    assert "answered already" in answer(player, hall, "not_awarded").content.decode()
    # A referee answers anew, with a reason, on the page of the clock.
    referee = browser(hall.referee)
    assert "Answer the bell otherwise" in referee.get(at("match_clock", hall)).content.decode()
    refused = referee.post(at("match_bell", hall), {"how": "not_awarded", "back": "clock", "key": key()}, follow=True)
    assert "notice-bad" in refused.content.decode()
    assert "finish hand 2" in refused.content.decode()
    changed = answer(referee, hall, "not_awarded", back="clock", reason="still bidding")
    assert changed["Location"] == at("match_clock", hall)
    assert "The auction of hand 2 was not awarded: it is not played." in referee.get(at("match", hall)).content.decode()


def test_a_referee_names_the_last_hand_where_some_were_not_written(hall):
    hall.start()
    hall.ring()
    referee = browser(hall.referee)
    assert answer(referee, hall, "awarded", hand="x").status_code == 422
    assert answer(referee, hall, "awarded", hand="3", reason="two sheets of paper").status_code == 302
    page = referee.get(at("match", hall)).content.decode()
    assert "finish hand 1" in page
    assert "Record hand 1" in page


@pytest.mark.parametrize(
    ("at_120", "why", "article"),
    [("0", "awarded before the bell", "S9"), ("1", "called at 120, which nobody can raise", "D5")],
)
def test_one_tap_before_the_bell_answers_it(hall, at_120, why, article):
    hall.start()
    player = browser(hall.seats[0])
    assert "Hand 1 awarded" in player.get(at("match", hall)).content.decode()
    assert award(browser(), hall).status_code == 403
    part = award(player, hall, at_120=at_120, send=PART).content.decode()
    assert "It is in progress" in part
    assert part.count("disabled") == 2
    assert "<html" not in part
    assert "marked as awarded already" in award(player, hall, send=PART).content.decode()
    assert award(player, hall, hand=9, back="record").status_code == 422
    hall.ring()
    html = player.get(at("match", hall)).content.decode()
    assert "The bell has rung: finish hand 1" in html
    assert why in html
    assert f"#{article}" in html
    late = award(player, hall)
    assert (late.status_code, "The bell has rung." in late.content.decode()) == (422, True)
    record(browser(hall.referee), hall)
    html = player.get(at("match", hall)).content.decode()
    assert "The bell has rung: the match is over" in html
    assert "Hand 1 was the last." in html
    assert "To the signatures" in html


def test_a_repeat_is_played_after_the_bell(hall):
    hall.start()
    hall.do(clock.award_auction, hand=1)
    hall.ring()
    client = browser(hall.referee)
    record(client, hall)
    mend = {"action": "void", "repeated": "on", "entry": "0", "reason": "a card too many", "key": key()}
    assert client.post(at("correct_hand", hall, 1), mend).status_code == 302
    html = client.get(at("match", hall)).content.decode()
    assert "The bell has rung: finish hand 2" in html
    assert "is played again, after the bell too" in html
    record(client, hall, 2)
    assert "was played again, and was the last" in client.get(at("match", hall)).content.decode()


# The device


def beat(client, *, device=DEVICE, armed="1"):
    return client.post(reverse("bell_armed"), {"device": device, "armed": armed}, headers=QUEUE)


def test_a_device_is_armed_and_hears_which_bells_have_rung(hall):
    client = browser(hall.referee)
    page = client.get(reverse("bell_device")).content.decode()
    assert "Keep this page open and the phone awake" in page
    assert "No other device is armed." in page
    assert "Centralino" not in page  # not started
    hall.start()
    table = {"match": str(hall.match), "table": "Centralino", "words": "plays", "rung": ""}
    assert "Centralino" in client.get(reverse("bell_device")).content.decode()
    assert beat(client).json() == {
        "kept": True,
        "others": 0,
        "words": "No other device is armed.",
        "tables": [table],
    }
    assert bells.armed(hall.sheet.scope_id) == 1
    second = beat(browser(person("Rino", ORGANISER, scope=hall.club.scope_id)), device="device-two").json()
    assert (second["others"], second["words"]) == (1, "One other device is armed.")
    beat(browser(hall.referee), device="device-three")
    assert beat(client).json()["words"] == "2 other devices are armed."
    hall.ring()
    told = beat(client, armed="0").json()
    assert told["tables"] == [{**table, "words": "the bell has rung", "rung": f"{hall.match}:1"}]
    assert (told["kept"], bells.armed(hall.sheet.scope_id)) == (False, 2)


def test_devices_are_for_staff(hall):
    for who in (None, hall.seats[0]):
        assert browser(who).get(reverse("bell_device")).status_code == 403
        assert beat(browser(who)).status_code == 403
    assert beat(browser(hall.referee), device="no").status_code == 422
    assert bells.armed(hall.club.scope_id) == 0
