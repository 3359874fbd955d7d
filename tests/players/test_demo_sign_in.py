"""People of the demonstration sign in on this machine only, without a password, and nowhere else are anybody."""

import re

import pytest
from django.db import transaction
from django.test import Client, RequestFactory
from django.urls import reverse

from config.hub import Caller
from config.live import caller_of, session_key, viewer_of
from players.actor import SYSTEM, actor_for, actor_from
from players.models import Session, User
from players.rules.rights import ADMIN
from players.services import grant_role, house_scope
from players.web.asking import actor_of, on_this_machine

pytestmark = pytest.mark.django_db
HERE = {"HTTP_HOST": "localhost", "HTTP_ACCEPT_LANGUAGE": "en"}
# As a request comes from elsewhere: another address, another name, or a proxy in between.
ELSEWHERE = [
    {"REMOTE_ADDR": "192.0.2.7"},
    {"REMOTE_ADDR": ""},
    {"HTTP_HOST": "testserver"},
    {"HTTP_X_FORWARDED_FOR": "127.0.0.1"},
    {"HTTP_X_FORWARDED_PROTO": "https"},
    {"HTTP_X_FORWARDED_SERVER": "hall.example"},
    {"HTTP_X_FORWARDED_FROM_NOBODY_KNOWS": ""},
    {"HTTP_X_REAL_IP": "127.0.0.1"},
    {"HTTP_FORWARDED": "for=127.0.0.1"},
    {"HTTP_VIA": "1.1 proxy"},
]


@pytest.fixture
def ada():
    with transaction.atomic():
        person = User.objects.create_user("demo-admin", "Ada Amministratrice")
        User.objects.filter(pk=person.pk).update(is_demo=True)
        grant_role(SYSTEM, person=person.pk, scope=house_scope().pk, role=ADMIN)
    person.refresh_from_db()
    return person


def sign_in(browser, person, **headers):
    return browser.post(reverse("demo"), {"person": str(person.pk)}, **headers)


def test_one_button_signs_in_and_one_signs_out(ada):
    browser = Client(**HERE)
    page = browser.get(reverse("demo")).content.decode()
    assert "Ada Amministratrice" in page
    assert "administrator of the house" in page
    assert sign_in(browser, ada).status_code == 302
    page = browser.get(reverse("rules")).content.decode()
    assert re.search(r'<form class="hall-who" method="post" action="/sign-out/">', page)
    assert '<a href="/account/">Ada Amministratrice</a>' in page
    assert "Ada Amministratrice" in page
    key = browser.cookies["sessionid"].value
    assert browser.post(reverse("sign_out")).status_code == 302
    assert not Session.objects.filter(session_key=key).exists()
    assert "hall-who" not in browser.get(reverse("rules")).content.decode()


@pytest.mark.parametrize("headers", ELSEWHERE, ids=str)
def test_elsewhere_nobody_signs_in(ada, headers):
    browser = Client(**HERE)
    answer = sign_in(browser, ada, **headers)
    assert answer.status_code == 403
    assert "only in a browser on the machine" in answer.content.decode()
    assert "sessionid" not in browser.cookies
    assert not Session.objects.exists()
    assert "Sign in as" not in browser.get(reverse("demo"), **headers).content.decode()


@pytest.mark.parametrize("headers", ELSEWHERE, ids=str)
def test_a_session_of_this_machine_is_a_strangers_elsewhere(ada, headers):
    browser = Client(**HERE)
    sign_in(browser, ada)
    request = RequestFactory().get("/", **HERE)
    request.session = browser.session
    assert actor_of(request).person == ada.pk
    assert actor_of(request).may({ADMIN}, [house_scope().pk])
    request.META |= headers
    assert not on_this_machine(request)
    assert actor_of(request).person is None
    assert not actor_of(request).grants
    assert "hall-who" not in browser.get(reverse("rules"), **headers).content.decode()


@pytest.mark.parametrize("headers", [{}, *ELSEWHERE], ids=str)
def test_a_stream_is_near_where_a_page_is(headers):
    told = {"REMOTE_ADDR": "127.0.0.1", **HERE, **headers}
    names = {name.removeprefix("HTTP_").replace("_", "-").lower(): told[name] for name in told if name[:5] == "HTTP_"}
    scope = {
        "type": "http",
        "method": "GET",
        "path": "/live/",
        "query_string": b"",
        "client": (told["REMOTE_ADDR"], 5000),
        "headers": [(name.encode(), value.encode()) for name, value in names.items()],
    }
    assert caller_of(scope) == Caller(None, near=not headers)


def test_a_stream_takes_no_session_that_the_database_could_not_have():
    cookie = (b"cookie", rb'sessionid="\000aaaaaaaaaaaaaaaaaaaaaaa"')
    assert session_key({"headers": [cookie]}) is None
    assert session_key({"headers": [(b"cookie", b"sessionid=aaaaaaaa")]}) == "aaaaaaaa"


@pytest.mark.django_db(transaction=True)  # what it reads with goes back to the pool
def test_the_live_stream_knows_them_on_this_machine_only(ada, settings):
    browser = Client(**HERE)
    sign_in(browser, ada)
    key = browser.session.session_key
    assert actor_from(browser.session, near=True).person == ada.pk
    asked = [
        viewer_of(Caller(key, near), [lambda actor: ["scope:0"] if actor.person else []]) for near in (True, False)
    ]
    assert [viewer.actor.person for viewer in asked] == [ada.pk, None]
    assert [viewer.topics for viewer in asked] == [{"public", "hall", "scope:0"}, {"public", "hall"}]


def test_the_session_is_a_new_one_and_the_post_wants_its_token(ada):
    browser = Client(**HERE)
    browser.force_login(User.objects.create_user("bea", "Bea"))
    before = browser.session.session_key
    sign_in(browser, ada)
    assert browser.session.session_key != before
    strict = Client(enforce_csrf_checks=True, **HERE)
    assert sign_in(strict, ada).status_code == 403
    assert strict.post(reverse("sign_out")).status_code == 403
    assert "sessionid" not in strict.cookies


def test_only_people_of_the_demonstration_sign_in_here(ada):
    real = User.objects.create_user("real", "Real", "a good password")
    User.objects.filter(pk=ada.pk).update(is_active=False)
    browser = Client(**HERE)
    for person in (str(real.pk), str(ada.pk), "nobody", ""):
        assert browser.post(reverse("demo"), {"person": person}).status_code == 404
    assert not Session.objects.exists()
    page = browser.get(reverse("demo")).content.decode()
    assert "Real" not in page
    assert "This house has no demonstration" in page


def test_signing_out_is_a_post_and_harmless_for_a_stranger():
    browser = Client(**HERE)
    assert browser.get(reverse("sign_out")).status_code == 405
    assert browser.post(reverse("sign_out")).status_code == 302
    assert not Session.objects.exists()


def test_a_page_without_a_session_asks_nothing_and_sets_no_session(django_assert_num_queries):
    browser = Client(**HERE)
    with django_assert_num_queries(0):
        browser.get(reverse("rules"))
    assert "sessionid" not in browser.cookies


def test_a_task_acts_with_the_rights_of_the_moment(ada):
    assert actor_for(ada.pk).may({ADMIN}, [house_scope().pk])
    User.objects.filter(pk=ada.pk).update(is_active=False)
    assert actor_for(ada.pk).person == ada.pk
    assert not actor_for(ada.pk).grants
