"""One-time links: who may make one, what it opens, and that it opens once."""

from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from threading import Barrier

import pytest
from django.contrib.auth import authenticate
from django.db import connection, transaction
from django.test import Client, RequestFactory
from django.urls import reverse

from core.models import AuditRow
from core.refusal import Refusal
from players.actor import SYSTEM, Actor, actor_for, actor_from
from players.models import Grant, Link, SeatPass, Session, User
from players.queries import audit_faults, invitations
from players.rules.rights import ADMIN, CLUB_ORGANISER, ORGANISER, REFEREE
from players.services import (
    create_club,
    erase,
    fold_into,
    grant_role,
    house_scope,
    lock_people,
    revoke_role,
)
from players.services.links import (
    first_link,
    forget_what_is_over,
    invite,
    look_at_link,
    reset_password,
    revoke_link,
    use_link,
)
from players.services.passes import make_pass

pytestmark = pytest.mark.django_db
HOME = {"HTTP_HOST": "localhost", "HTTP_ACCEPT_LANGUAGE": "en"}
GOOD = "seven of cups 7"


@pytest.fixture
def club():
    with transaction.atomic():
        return create_club(SYSTEM, slug="circolo", name="Circolo")


def organiser(club, name="Oreste", role=CLUB_ORGANISER):
    person = User.objects.create_user(name.lower(), name, GOOD)
    grant_role(SYSTEM, person=person.pk, scope=club.scope_id, role=role)
    return actor_for(person.pk)


def refused(code, verb, *told, **more):
    with pytest.raises(Refusal) as caught:
        verb(*told, **more)
    assert caught.value.code == code
    return caught.value


def over(token):
    refused("link_over", look_at_link, token)
    refused("link_over", use_link, token, username="late", password=GOOD, name="Late")


def roles_of(person):
    return set(Grant.objects.filter(person=person).values_list("scope", "role"))


def test_somebody_new_chooses_a_user_name_and_a_password_and_has_his_role(club):
    token = invite(organiser(club), scope=club.scope_id, role=REFEREE, name=" Rita Rossi ")
    assert look_at_link(token).name == "Rita Rossi"
    assert [row.name for row in invitations(club.scope_id)] == ["Rita Rossi"]
    assert not User.objects.filter(display_name="Rita Rossi").exists()
    rita = use_link(token, username=" RITA ", password=GOOD)
    assert (rita.username, rita.display_name) == ("rita", "Rita Rossi")
    assert roles_of(rita) == {(club.scope_id, REFEREE)}
    assert invitations(club.scope_id) == []
    assert Link.objects.get().name == ""
    over(token)
    assert audit_faults()[2] == []
    assert list(AuditRow.objects.filter(scope=club.scope_id).values_list("verb", flat=True).order_by("number")) == [
        "grant_role",
        "invite",
        "use_link",
        "grant_role",
    ]


def test_somebody_known_stays_who_he_is(club):
    known = User.objects.create_user(None, "Known Player")
    token = invite(organiser(club), scope=club.scope_id, role=REFEREE, person=known.pk)
    assert use_link(token, username="known", password=GOOD).pk == known.pk
    assert authenticate(RequestFactory().post("/"), username="known", password=GOOD) == known


def test_a_token_is_long_and_only_its_hash_is_kept(club):
    token = invite(organiser(club), scope=club.scope_id, role=REFEREE, name="Rita")
    row = Link.objects.get()
    assert len(token) >= 22  # 128 bits
    assert token not in " ".join(str(value) for value in vars(row).values())
    rows = AuditRow.objects.values_list("payload", flat=True)
    assert token not in str(list(rows))


@pytest.mark.parametrize(
    ("told", "code", "pointer"),
    [
        ({"username": "a"}, "bad_user_name", "/username"),
        ({"username": "with space"}, "bad_user_name", "/username"),
        ({"username": "ORESTE"}, "user_name_taken", "/username"),
        ({"password": "short"}, "bad_password", "/password"),
        ({"password": "12345678901"}, "bad_password", "/password"),
        ({"password": "password"}, "bad_password", "/password"),
        ({"username": "ritarossi", "password": "ritarossi"}, "bad_password", "/password"),
    ],
)
def test_a_form_to_mend_uses_nothing_up(club, told, code, pointer):
    token = invite(organiser(club), scope=club.scope_id, role=REFEREE, name="Rita Rossi")
    assert refused(code, use_link, token, **{"username": "rita", "password": GOOD, **told}).pointer == pointer
    assert use_link(token, username="rita", password=GOOD)


def test_a_link_is_over_after_a_day_by_the_clock_of_the_database(club):
    token = invite(organiser(club), scope=club.scope_id, role=REFEREE, name="Rita")
    row = Link.objects.get()
    Link.objects.update(expires_at=row.expires_at - timedelta(hours=24))
    over(token)
    assert invitations(club.scope_id) == []
    forget_what_is_over()
    assert not Link.objects.exists()


def test_a_link_may_be_revoked_by_whoever_could_make_it(club):
    actor = organiser(club)
    token = invite(actor, scope=club.scope_id, role=CLUB_ORGANISER, name="Rita")
    (row,) = invitations(club.scope_id)
    refused("not_allowed", revoke_link, organiser(club, "Lesser", ORGANISER), link=row.link)
    refused("not_allowed", revoke_link, Actor(None, "session"), link=row.link)
    assert look_at_link(token)
    revoke_link(actor, link=row.link)
    over(token)
    refused("link_unknown", revoke_link, actor, link=row.link)


def test_a_new_link_for_the_same_person_ends_the_older(club):
    actor = organiser(club)
    known = User.objects.create_user(None, "Known")
    first = invite(actor, scope=club.scope_id, role=REFEREE, person=known.pk)
    second = invite(actor, scope=club.scope_id, role=REFEREE, person=known.pk)
    over(first)
    assert look_at_link(second)


def test_a_role_that_its_giver_lost_is_not_given_any_more(club):
    actor = organiser(club)
    token = invite(actor, scope=club.scope_id, role=REFEREE, name="Rita")
    known = User.objects.create_user("known", "Known", GOOD)
    reset = reset_password(actor, person=known.pk)
    revoke_role(SYSTEM, person=actor.person, scope=club.scope_id, role=CLUB_ORGANISER)
    over(token)
    over(reset)
    assert not User.objects.filter(display_name="Rita").exists()


def test_a_giver_whose_role_went_another_way_gives_nothing(club):
    token = invite(actor := organiser(club), scope=club.scope_id, role=REFEREE, name="Rita")
    Grant.objects.filter(person=actor.person).delete()
    refused("link_over", use_link, token, username="rita", password=GOOD)


@pytest.mark.parametrize("change", ["granted", "merged", "erased", "closed"])
def test_a_person_who_changed_is_not_to_be_had_by_an_older_link(club, change):
    """Who was made an administrator today is not taken over by yesterday's link."""
    actor = organiser(club)
    known = User.objects.create_user("known", "Known", GOOD)
    token = reset_password(actor, person=known.pk)
    with transaction.atomic():
        if change == "granted":
            grant_role(SYSTEM, person=known.pk, scope=house_scope().pk, role=ADMIN)
        elif change == "closed":
            User.objects.filter(pk=known.pk).update(is_active=False)
        else:
            other = User.objects.create_user(None, "Other")
            rows = lock_people(known.pk, other.pk)
            if change == "merged":
                fold_into(rows[other.pk], rows[known.pk])
            else:
                erase(rows[known.pk])
    refused("link_over", use_link, token, username="", password=GOOD)


def test_a_reset_ends_everything_that_is_open(club):
    known = User.objects.create_user("known", "Known", GOOD)
    phone, seat = Client(**HOME), SeatPass
    phone.force_login(known)
    make_pass(SYSTEM, place=club.scope_id, number=1, person=known.pk)
    token = reset_password(organiser(club), person=known.pk)
    assert actor_from(phone.session).person == known.pk
    assert use_link(token, username="ignored", password="another good one").username == "known"
    assert not Session.objects.filter(person=known).exists()
    assert not seat.objects.filter(revoked=False).exists()
    request = RequestFactory().post("/")
    assert authenticate(request, username="known", password=GOOD) is None
    assert authenticate(request, username="known", password="another good one") == known


def test_who_cannot_sign_in_gets_no_reset_and_who_can_no_invitation(club):
    actor = organiser(club)
    books, demo = User.objects.create_user(None, "Books"), User.objects.create_user("demo", "Demo")
    User.objects.filter(pk=demo.pk).update(is_demo=True)
    refused("no_user_name", reset_password, SYSTEM, person=books.pk)
    refused("no_user_name", reset_password, SYSTEM, person=demo.pk)
    refused("has_user_name", invite, actor, scope=club.scope_id, role=REFEREE, person=actor.person)
    with transaction.atomic():
        erase(lock_people(books.pk)[books.pk])
    refused("person_gone", invite, actor, scope=club.scope_id, role=REFEREE, person=books.pk)
    refused("bad_name", invite, actor, scope=club.scope_id, role=REFEREE, name=" \u202e ")


def test_the_first_link_is_there_until_somebody_is_administrator():
    demo = User.objects.create_user("demo", "Demo")
    User.objects.filter(pk=demo.pk).update(is_demo=True)
    grant_role(SYSTEM, person=demo.pk, scope=house_scope().pk, role=ADMIN)
    first, second = first_link(), first_link()
    over(first)
    assert refused("bad_name", use_link, second, username="ada", password=GOOD, name=" ").pointer == "/name"
    ada = use_link(second, username="ada", password=GOOD, name="Ada")
    assert roles_of(ada) == {(house_scope().pk, ADMIN)}
    over(second)
    assert first_link() is None


def test_a_first_link_that_waits_is_over_once_somebody_is_administrator():
    token = first_link()
    ada = User.objects.create_user("ada", "Ada", GOOD)
    grant_role(SYSTEM, person=ada.pk, scope=house_scope().pk, role=ADMIN)
    over(token)


@pytest.mark.django_db(transaction=True)
def test_of_two_who_use_a_link_at_once_one_comes_in(club):
    token = invite(SYSTEM, scope=club.scope_id, role=REFEREE, name="Rita")
    start = Barrier(2)

    def use(name):
        start.wait()
        try:
            return use_link(token, username=name, password=GOOD).username
        except Refusal as refusal:
            return refusal.code
        finally:
            connection.close()

    with ThreadPoolExecutor(2) as pool:
        got = sorted(pool.map(use, ("rita", "zoe")))
    assert "link_over" in got
    assert User.objects.filter(display_name="Rita").count() == 1


def test_a_get_uses_nothing_up_and_neither_does_looking(club):
    token = invite(SYSTEM, scope=club.scope_id, role=REFEREE, name="Rita <Rossi>")
    browser = Client(**HOME)
    for _ in range(2):
        assert browser.get(reverse("join")).status_code == 200
        looked = browser.post(reverse("join"), {"token": f" {token} "})
        assert looked.status_code == 200
        assert "Welcome, Rita &lt;Rossi&gt;" in looked.content.decode()
    assert Link.objects.get().used_at is None
    bad = browser.post(reverse("join"), {"token": token, "username": "rita", "password": "short"})
    assert bad.status_code == 422
    assert "too short" in bad.content.decode()
    assert "short" not in bad.context["form"]["password"].as_widget()
    before = browser.session.session_key
    done = browser.post(reverse("join"), {"token": token, "username": "rita", "password": GOOD})
    assert (done.status_code, done.url) == (302, "/")
    assert browser.session.session_key != before
    assert actor_from(browser.session).may({REFEREE}, [club.scope_id])
    again = Client(**HOME).post(reverse("join"), {"token": token, "username": "rita2", "password": GOOD})
    assert again.status_code == 422
    assert "not good any more" in again.content.decode()


def test_the_page_of_a_link_asks_for_what_it_needs():
    browser = Client(**HOME)
    first = browser.post(reverse("join"), {"token": first_link()})
    assert [field.name for field in first.context["form"]] == ["name", "username", "password"]
    known = User.objects.create_user("known", "Known", GOOD)
    reset = browser.post(reverse("join"), {"token": reset_password(SYSTEM, person=known.pk)})
    assert [field.name for field in reset.context["form"]] == ["password"]
    assert "user name known" in reset.content.decode()
    assert browser.post(reverse("join"), {"token": "x" * 300}).status_code == 422
    assert browser.post(reverse("join")).status_code == 422
    assert Client(enforce_csrf_checks=True, **HOME).post(reverse("join"), {"token": "x"}).status_code == 403


def test_a_link_in_the_hands_of_who_is_signed_in_makes_the_browser_the_other(club):
    actor = organiser(club)
    browser = Client(**HOME)
    browser.force_login(User.objects.get(pk=actor.person))
    token = invite(actor, scope=club.scope_id, role=REFEREE, name="Rita")
    browser.post(reverse("join"), {"token": token, "username": "rita", "password": GOOD})
    assert actor_from(browser.session).person == User.objects.get(username="rita").pk
