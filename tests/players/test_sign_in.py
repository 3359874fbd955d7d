"""User name and password: who comes in, who has to wait, and what nobody learns."""

import re
from datetime import timedelta

import pytest
from axes.models import AccessAttempt, AccessLog
from django.test import Client
from django.urls import reverse

from players.actor import SEAT_PASS, actor_from
from players.models import Session, User
from players.web import limits
from players.web.entering import browser_named
from players.web.limits import BY_NAME, name_in

pytestmark = pytest.mark.django_db
HOME = {"HTTP_HOST": "localhost", "HTTP_ACCEPT_LANGUAGE": "en"}
GOOD = "seven of cups 7"
PHONE = "Mozilla/5.0 (Linux; Android 14) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0 Mobile Safari/537.36"


@pytest.fixture
def isik():
    return User.objects.create_user("isik", "Işık", GOOD)


def sign_in(browser, name="isik", password=GOOD, **told):
    return browser.post(reverse("sign_in"), {"login": name, "password": password}, **told)


def who(browser):
    return actor_from(browser.session).person


def blank(html):
    """A page without what is drawn anew for each."""
    return re.sub(r'name="csrfmiddlewaretoken" value="\w+"', "", html)


@pytest.mark.parametrize("typed", ["isik", " ISIK ", "İşik", "ışık"])
def test_a_user_name_forgives_capitals_and_accents(isik, typed):
    browser = Client(**HOME)
    assert sign_in(browser, typed).status_code == 302
    assert who(browser) == isik.pk


def test_it_goes_back_to_where_one_came_from_but_never_out_of_the_house(isik):
    for asked, to in (("/account/", "/account/"), ("https://elsewhere.example/", "/"), ("//elsewhere.example", "/")):
        browser = Client(**HOME)
        page = browser.get(reverse("sign_in"), {"next": asked}).content.decode()
        assert f'name="next" value="{asked}"' in page
        answer = browser.post(reverse("sign_in"), {"login": "isik", "password": GOOD, "next": asked})
        assert (answer.status_code, answer.url) == (302, to)


def test_whatever_is_wrong_the_answer_is_the_same(isik):
    """Unknown, wrong password, no password, closed: same status, same bytes, one hash each."""
    User.objects.create_user("books", "Only in the books")
    User.objects.create_user("closed", "Closed", GOOD)
    User.objects.filter(username="closed").update(is_active=False)
    pages = []
    for name, password in (("nobody", GOOD), ("isik", "wrong"), ("books", GOOD), ("closed", GOOD)):
        answer = sign_in(Client(**HOME), name, password)
        assert answer.status_code == 422
        pages.append(blank(answer.content.decode()).replace(f'value="{name}"', ""))
    assert len(set(pages)) == 1
    assert "The user name or the password is wrong." in pages[0]


@pytest.mark.parametrize("name", ["nobody", "isik", "books"])
def test_each_try_costs_one_hash_whoever_it_is_for(isik, name, monkeypatch):
    User.objects.create_user("books", "Only in the books")
    from django.contrib.auth.hashers import Argon2PasswordHasher

    made = []
    for verb in ("encode", "verify"):
        real = getattr(Argon2PasswordHasher, verb)
        monkeypatch.setattr(
            Argon2PasswordHasher, verb, lambda *told, real=real, **more: made.append(1) or real(*told, **more)
        )
    sign_in(Client(**HOME), name, "wrong")
    assert len(made) == 1


def test_the_session_is_a_new_one_and_what_the_browser_was_before_is_gone(isik):
    browser = Client(**HOME)
    session = browser.session
    session["planted"] = True
    session[SEAT_PASS] = "00000000-0000-4000-8000-000000000000"
    session.save()
    planted = session.session_key
    browser.cookies["sessionid"] = planted
    assert sign_in(browser, HTTP_USER_AGENT=PHONE).status_code == 302
    assert browser.session.session_key != planted
    assert not Session.objects.filter(pk=planted).exists()
    assert "planted" not in browser.session
    assert SEAT_PASS not in browser.session
    assert who(browser) == isik.pk
    row = Session.objects.get(person=isik)
    assert (row.pk, row.agent) == (browser.session.session_key, "Chrome, Android")


def test_a_browser_that_is_somebody_may_become_somebody_else(isik):
    bea = User.objects.create_user("bea", "Bea", GOOD)
    browser = Client(**HOME)
    sign_in(browser)
    first = browser.session.session_key
    assert browser.get(reverse("sign_in")).status_code == 200
    sign_in(browser, "bea")
    assert who(browser) == bea.pk
    assert not Session.objects.filter(pk=first).exists()


def test_after_five_wrong_passwords_the_name_waits_at_this_address_a_quarter_of_an_hour(isik):
    browser = Client(**HOME, REMOTE_ADDR="192.0.2.1")
    for spelled in ("isik", "ISIK", "ışık", "İsik"):
        assert sign_in(browser, spelled, "wrong").status_code == 422
    answer = sign_in(browser, "isik", "wrong")
    assert answer.status_code == 429
    assert "Wait a quarter of an hour" in answer.content.decode()
    assert sign_in(browser).status_code == 429
    assert who(browser) is None
    # Somebody else at this address, and the same name from elsewhere, come in.
    User.objects.create_user("bea", "Bea", GOOD)
    assert sign_in(Client(**HOME, REMOTE_ADDR="192.0.2.1"), "bea").status_code == 302
    assert sign_in(Client(**HOME, REMOTE_ADDR="192.0.2.2")).status_code == 302
    assert sign_in(browser).status_code == 429
    AccessAttempt.objects.update(attempt_time=AccessAttempt.objects.first().attempt_time - timedelta(minutes=15))
    assert sign_in(browser).status_code == 302


FORGED = ("HTTP_X_FORWARDED_FOR", "HTTP_X_REAL_IP", "HTTP_FORWARDED", "HTTP_CLIENT_IP")


@pytest.mark.parametrize("header", FORGED)
def test_a_forged_header_does_not_help_and_locks_nobody_out(isik, header):
    attacker = Client(**HOME, REMOTE_ADDR="192.0.2.1")
    for step in range(BY_NAME):
        sign_in(attacker, "isik", "wrong", **{header: f"198.51.100.{step}"})
    assert sign_in(attacker, **{header: "198.51.100.77"}).status_code == 429
    for victim in ("198.51.100.0", "198.51.100.4"):
        assert sign_in(Client(**HOME, REMOTE_ADDR=victim)).status_code == 302


def test_many_names_from_one_address_wait_together(isik, monkeypatch):
    monkeypatch.setattr(limits, "BY_ADDRESS", 10)  # fifty hashes are ten seconds
    browser = Client(**HOME, REMOTE_ADDR="192.0.2.1")
    for step in range(limits.BY_ADDRESS):
        assert sign_in(browser, f"name{step // 2}", "wrong").status_code == (
            422 if step < limits.BY_ADDRESS - 1 else 429
        )
    assert sign_in(browser).status_code == 429
    assert sign_in(Client(**HOME, REMOTE_ADDR="192.0.2.2")).status_code == 302


def test_an_account_of_ones_own_forgives_no_tries_at_others(isik):
    User.objects.create_user("mallory", "Mallory", GOOD)
    browser = Client(**HOME, REMOTE_ADDR="192.0.2.1")
    for _ in range(BY_NAME - 1):
        sign_in(browser, "isik", "wrong")
    assert sign_in(browser, "mallory").status_code == 302
    assert sign_in(browser, "isik", "wrong").status_code == 429


def test_ones_own_sign_in_forgives_ones_own_slips(isik):
    browser = Client(**HOME)
    for _ in range(2):
        for _ in range(BY_NAME - 1):
            assert sign_in(browser, password="wrong").status_code == 422
        assert sign_in(browser).status_code == 302


def test_an_unknown_name_waits_like_a_known_one(isik):
    pages = []
    for name in ("isik", "nobody"):
        browser = Client(**HOME, REMOTE_ADDR=f"192.0.2.{len(name)}")
        answers = [sign_in(browser, name, "wrong") for _ in range(BY_NAME + 1)]
        assert [answer.status_code for answer in answers] == [422] * (BY_NAME - 1) + [429] * 2
        pages.append(blank(answers[-1].content.decode()))
    assert pages[0] == pages[1]


def test_what_is_kept_of_a_try_tells_no_name_and_no_password(isik):
    browser = Client(**HOME)
    sign_in(browser, "my secret, in the wrong field", "wrong secret")
    sign_in(browser)
    (row,) = AccessAttempt.objects.all()
    told = " ".join(str(value) for value in vars(row).values())
    assert "secret" not in told
    assert row.username == name_in(None, {"username": "My Secret, in the wrong field "})
    assert not AccessLog.objects.exists()  # nobody knows when somebody was here


def test_the_form_wants_its_token_and_is_small(isik):
    assert sign_in(Client(enforce_csrf_checks=True, **HOME)).status_code == 403
    assert Client(**HOME).options(reverse("sign_in")).status_code == 405
    assert "no-store" in Client(**HOME).get(reverse("sign_in"))["Cache-Control"]
    assert sign_in(Client(**HOME), "a\0b").status_code == 422
    assert sign_in(Client(**HOME), "a" * 500).status_code == 422


def test_a_stranger_is_shown_the_way_in_and_no_query_is_made_for_it(django_assert_num_queries):
    with django_assert_num_queries(0):
        page = Client(**HOME).get(reverse("rules")).content.decode()
    assert '<a class="hall-in" href="/sign-in/">Sign in</a>' in page


@pytest.mark.parametrize(
    ("agent", "named"),
    [
        (PHONE, "Chrome, Android"),
        ("Mozilla/5.0 (iPhone; CPU iPhone OS 17_0 like Mac OS X) Version/17.0 Mobile Safari/604.1", "Safari, iPhone"),
        ("Mozilla/5.0 (Windows NT 10.0) Chrome/130.0 Safari/537.36 Edg/130.0", "Edge, Windows"),
        ("Mozilla/5.0 (X11; Linux x86_64; rv:132.0) Gecko/20100101 Firefox/132.0", "Firefox, Linux"),
        ("curl/8", ""),
        ("", ""),
    ],
)
def test_a_browser_is_known_by_two_words(agent, named):
    assert browser_named(agent) == named
