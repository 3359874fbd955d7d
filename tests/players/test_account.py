"""One's own account: another password, open sessions, out everywhere."""

import json
import re

import pytest
from django.contrib.auth import authenticate
from django.test import Client, RequestFactory
from django.urls import reverse

from core.live import REVOKE
from core.valkey import client as valkey
from players.actor import SYSTEM, actor_from, session_digest
from players.models import SeatPass, Session, User
from players.services import sign_out_everywhere
from players.services.passes import make_pass, take_pass
from players.web.limits import BY_NAME

HOME = {"HTTP_HOST": "localhost", "HTTP_ACCEPT_LANGUAGE": "en"}
GOOD, BETTER = "seven of cups 7", "ace of coins 11"
pytestmark = pytest.mark.django_db


@pytest.fixture
def ada():
    return User.objects.create_user("ada", "Ada", GOOD)


@pytest.fixture
def mine(ada):
    return signed_in(ada)


def signed_in(person):
    browser = Client(**HOME)
    browser.force_login(person)
    return browser


def change(browser, old=GOOD, new=BETTER, again=None):
    told = {"do": "password", "old": old, "password": new, "again": new if again is None else again}
    return browser.post(reverse("account"), told)


def person_of(browser):
    return actor_from(browser.session).person


def test_a_stranger_is_sent_to_the_sign_in_and_comes_back():
    for method in ("get", "post"):
        answer = getattr(Client(**HOME), method)(reverse("account"))
        assert (answer.status_code, answer.url) == (302, "/sign-in/?next=/account/")


def test_another_password_ends_all_sessions_but_a_new_one_here(ada, mine):
    other = signed_in(ada)
    before = mine.session.session_key
    assert change(mine).status_code == 302
    assert mine.session.session_key != before
    assert not Session.objects.filter(pk=before).exists()
    assert (person_of(mine), person_of(other)) == (ada.pk, None)
    assert "All other browsers were signed out" in mine.get(reverse("account")).content.decode()
    request = RequestFactory().post("/")
    assert authenticate(request, username="ada", password=GOOD) is None
    assert authenticate(request, username="ada", password=BETTER) == ada


@pytest.mark.parametrize(
    ("told", "words"),
    [
        ({"old": "wrong"}, "This is not your password."),
        ({"again": "other"}, "The two are not the same."),
        ({"new": "short"}, "too short"),
        ({"new": "password"}, "too common"),
        ({"new": ""}, "required"),
    ],
)
def test_a_password_that_will_not_do_changes_nothing(ada, mine, told, words):
    answer = change(mine, **told)
    assert answer.status_code == 422
    assert words in answer.content.decode()
    assert person_of(mine) == ada.pk
    ada.refresh_from_db()
    assert ada.check_password(GOOD)


def test_who_finds_an_open_browser_may_not_try_passwords_either(ada, mine):
    answers = [change(mine, old="wrong").status_code for _ in range(BY_NAME)]
    assert answers == [422] * (BY_NAME - 1) + [429]
    assert change(mine).status_code == 429
    ada.refresh_from_db()
    assert ada.check_password(GOOD)


def test_the_page_lists_where_one_is_signed_in_and_tells_no_time(ada, mine):
    other = Client(**HOME)
    other.post(reverse("sign_in"), {"login": "ada", "password": GOOD}, HTTP_USER_AGENT="Firefox/1 Linux")
    signed_in(User.objects.create_user("bea", "Bea"))
    page = mine.get(reverse("account"))
    assert [(door.here, door.agent) for door in page.context["doors"]] == [(True, ""), (False, "Firefox, Linux")]
    text = page.content.decode()
    assert mine.session.session_key not in text
    assert other.session.session_key not in text
    assert not re.search(r"\d\d?:\d\d|\b20\d\d\b", text)


def test_one_of_them_is_closed_and_only_ones_own(ada, mine):
    other, bea = signed_in(ada), signed_in(User.objects.create_user("bea", "Bea"))
    for browser in (other, bea):
        mine.post(reverse("account"), {"do": "close", "key": session_digest(browser.session.session_key)})
    assert person_of(other) is None
    assert person_of(mine) == ada.pk
    assert person_of(bea) is not None
    make_pass(SYSTEM, place=ada.pk, number=1, person=ada.pk)
    row = SeatPass.objects.get()
    assert mine.post(reverse("account"), {"do": "close", "key": str(row.pk)}).status_code == 302
    row.refresh_from_db()
    assert row.revoked


def test_out_everywhere_leaves_no_session_no_seat_and_no_stream(ada, mine, django_capture_on_commit_callbacks):
    other = signed_in(ada)
    seat = take_pass(make_pass(SYSTEM, place=ada.pk, number=1, person=ada.pk))
    bea = signed_in(User.objects.create_user("bea", "Bea"))
    heard = valkey().pubsub()
    heard.subscribe(f"live:{REVOKE}")
    with django_capture_on_commit_callbacks(execute=True):
        assert mine.post(reverse("account"), {"do": "everywhere"}).status_code == 302
    told = [heard.get_message(timeout=1) for _ in range(2)]
    heard.close()
    assert {"person": str(ada.pk)} in [json.loads(one["data"]) for one in told if one["type"] == "message"]
    assert (person_of(mine), person_of(other)) == (None, None)
    seat.refresh_from_db()
    assert seat.revoked
    assert person_of(bea) is not None
    assert not Session.objects.filter(person=ada).exists()


def test_a_request_that_was_under_way_does_not_bring_a_session_back(ada, mine):
    under_way = mine.session
    under_way["x"] = 1
    sign_out_everywhere(ada.pk)
    from django.contrib.sessions.backends.base import UpdateError

    with pytest.raises(UpdateError):
        under_way.save()
    assert not Session.objects.exists()


def test_people_of_the_demonstration_have_no_password_to_change():
    demo = User.objects.create_user("demo", "Demo")
    User.objects.filter(pk=demo.pk).update(is_demo=True)
    browser = signed_in(demo)
    page = browser.get(reverse("account"))
    assert page.status_code == 200
    assert "Present password" not in page.content.decode()
    assert browser.get(reverse("account"), HTTP_X_FORWARDED_FOR="192.0.2.1").status_code == 302
