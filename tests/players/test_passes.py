"""Seat passes: one phone, one seat, one table, until the next pass."""

from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from threading import Barrier
from uuid import uuid4

import pytest
from django.db import IntegrityError, connection, transaction
from django.test import Client
from django.urls import reverse

from core.refusal import Refusal
from players.actor import SYSTEM, Place, actor_from
from players.models import SeatPass, Session, User
from players.queries import open_doors
from players.rules.rights import ADMIN
from players.services import erase, grant_role, house_scope, lock_people
from players.services.links import forget_what_is_over
from players.services.passes import look_at_pass, make_pass, revoke_pass, take_pass

pytestmark = pytest.mark.django_db
HOME = {"HTTP_HOST": "localhost", "HTTP_ACCEPT_LANGUAGE": "en"}
SHEET = uuid4()


@pytest.fixture
def ada():
    person = User.objects.create_user("ada", "Ada", "seven of cups 7")
    grant_role(SYSTEM, person=person.pk, scope=house_scope().pk, role=ADMIN)
    return person


def passed(person, *, place=SHEET, number=2):
    return make_pass(SYSTEM, place=place, number=number, person=person.pk)


def take(token, browser=None, **told):
    browser = browser or Client(**HOME)
    return browser, browser.post(reverse("take_seat"), {"token": token, "take": "1"}, **told)


def over(token):
    for verb in (look_at_pass, take_pass):
        with pytest.raises(Refusal, match="pass_over"):
            verb(token)


def test_a_phone_is_the_person_at_one_seat_and_has_none_of_his_rights(ada):
    browser, answer = take(passed(ada))
    assert (answer.status_code, answer.url) == (302, reverse("match", args=[SHEET]))
    actor = actor_from(browser.session)
    row = SeatPass.objects.get()
    assert (actor.person, actor.came, actor.place, actor.pass_id) == (ada.pk, "seat_pass", Place(SHEET, 2), row.pk)
    assert actor.grants == frozenset()
    assert actor.name == f"person:{ada.pk}"
    assert actor.session
    page = browser.get(reverse("rules")).content.decode()
    assert "<span>Ada</span>" in page
    assert "/account/" not in page
    assert browser.get(reverse("account")).url.startswith(reverse("sign_in"))


def test_only_a_hash_is_kept_and_a_get_or_a_look_uses_nothing_up(ada):
    token = passed(ada)
    assert len(token) >= 22  # 128 bits
    row = SeatPass.objects.get()
    assert token not in " ".join(str(value) for value in vars(row).values())
    browser = Client(**HOME)
    for _ in range(2):
        assert browser.get(reverse("take_seat")).status_code == 200
        page = browser.post(reverse("take_seat"), {"token": token}).content.decode()
        assert "I am Ada, seat 3" in page
    row.refresh_from_db()
    assert row.used_at is None
    assert take(token)[1].status_code == 302


def test_a_pass_works_once(ada):
    token = passed(ada)
    first, _ = take(token)
    second, answer = take(token)
    assert answer.status_code == 422
    assert "not good any more" in answer.content.decode()
    assert actor_from(second.session).person is None
    assert actor_from(first.session).person == ada.pk
    over(token)


@pytest.mark.django_db(transaction=True)
def test_of_phones_that_take_a_pass_at_the_same_instant_exactly_one_gets_it(ada):
    for number in range(5):
        token = passed(ada, number=number)
        start = Barrier(4)

        def phone(token, start=start):
            browser = Client(**HOME)
            start.wait()
            try:
                return take(token, browser)[1].status_code
            finally:
                connection.close()

        with ThreadPoolExecutor(4) as pool:
            assert sorted(pool.map(phone, [token] * 4)) == [302, 422, 422, 422]
    assert Session.objects.count() == 5


def test_a_pass_is_good_for_ten_minutes_of_the_database(ada):
    token = passed(ada)
    row = SeatPass.objects.get()
    SeatPass.objects.update(expires_at=row.expires_at - timedelta(minutes=9, seconds=50))
    assert look_at_pass(token).name == "Ada"
    SeatPass.objects.update(expires_at=row.expires_at - timedelta(minutes=10))
    over(token)
    forget_what_is_over()
    assert not SeatPass.objects.exists()


def test_a_taken_seat_stays_taken_when_the_ten_minutes_are_over(ada):
    browser, _ = take(passed(ada))
    SeatPass.objects.update(expires_at=SeatPass.objects.get().expires_at - timedelta(hours=1))
    forget_what_is_over()
    assert actor_from(browser.session).person == ada.pk


def test_a_new_pass_ends_the_one_before_and_the_phone_that_had_it(ada):
    old, _ = take(passed(ada))
    elsewhere, _ = take(passed(ada, place=uuid4()))
    beside, _ = take(passed(ada, number=3))
    shown = passed(ada)
    fresh = passed(ada)
    over(shown)
    assert actor_from(old.session).person is None
    assert actor_from(old.session).place is None
    assert "hall-who" not in old.get(reverse("rules")).content.decode()
    assert take(fresh)[1].status_code == 302
    assert actor_from(elsewhere.session).person == actor_from(beside.session).person == ada.pk


def test_a_revoked_pass_is_a_strangers(ada):
    browser, _ = take(passed(ada))
    unused = passed(ada, number=0)
    revoke_pass(place=SHEET, number=2)
    revoke_pass(place=SHEET, number=0)
    assert actor_from(browser.session).person is None
    over(unused)


def test_a_phone_that_takes_a_pass_is_no_longer_the_account_that_it_was(ada):
    bea = User.objects.create_user("bea", "Bea", "seven of cups 7")
    browser = Client(**HOME)
    browser.force_login(ada)
    before = browser.session.session_key
    take(passed(bea), browser)
    assert not Session.objects.filter(pk=before).exists()
    assert browser.session.session_key != before
    actor = actor_from(browser.session)
    assert (actor.person, actor.grants) == (bea.pk, frozenset())


def test_who_signs_in_on_a_phone_with_a_seat_leaves_the_seat(ada):
    browser, _ = take(passed(ada))
    browser.post(reverse("sign_in"), {"login": "ada", "password": "seven of cups 7"})
    actor = actor_from(browser.session)
    assert (actor.came, actor.place) == ("session", None)
    assert actor.may({ADMIN}, [house_scope().pk])


def test_a_person_without_an_account_takes_a_seat_and_one_who_is_gone_does_not():
    books, gone = User.objects.create_user(None, "Books"), User.objects.create_user(None, "Gone")
    browser, _ = take(passed(books))
    assert actor_from(browser.session).person == books.pk
    token, seated = passed(gone, number=0), take(passed(gone, number=1))[0]
    with transaction.atomic():
        erase(lock_people(gone.pk)[gone.pk])
    over(token)
    assert actor_from(seated.session).person is None
    with pytest.raises(Refusal, match="person_gone"):
        passed(gone)
    closed = passed(books, number=4)
    User.objects.filter(pk=books.pk).update(is_active=False)
    over(closed)
    assert SeatPass.objects.get(number=4).used_at is None
    assert actor_from(browser.session).person is None


def test_the_database_has_one_pass_for_each_seat(ada):
    passed(ada)
    twin = {"place": SHEET, "number": 2, "person": ada, "expires_at": SeatPass.objects.get().expires_at}
    with pytest.raises(IntegrityError, match="pass_one_for_each_seat"), transaction.atomic():
        SeatPass.objects.create(token_hash="0" * 64, **twin)
    with pytest.raises(IntegrityError, match="pass_seat_of_five"), transaction.atomic():
        SeatPass.objects.create(token_hash="1" * 64, **{**twin, "number": 5})


def test_the_post_wants_its_token_and_bad_codes_are_told(ada):
    assert Client(enforce_csrf_checks=True, **HOME).post(reverse("take_seat"), {"token": "x"}).status_code == 403
    for told in ({}, {"token": "x" * 300}, {"token": "a\0b", "take": "1"}):
        assert Client(**HOME).post(reverse("take_seat"), told).status_code == 422


def test_ones_own_account_shows_the_phones_with_a_seat(ada):
    take(passed(ada))
    browser = Client(**HOME)
    browser.force_login(ada)
    doors = open_doors(actor_from(browser.session))
    assert [(door.here, door.seat) for door in doors] == [(True, None), (False, 2)]
