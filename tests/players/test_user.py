"""The person's row: its keys, its constraints, and what it does not remember."""

from __future__ import annotations

import pytest
from django.contrib.auth import authenticate
from django.core.exceptions import ValidationError
from django.db import DataError, IntegrityError, connection, transaction
from django.test import RequestFactory

from players.actor import Actor, actor_from, session_digest
from players.models import User
from players.sessions import SessionStore

pytestmark = pytest.mark.django_db


def test_a_person_gets_an_id_without_order_and_keys_of_his_name() -> None:
    user = User.objects.create_user("ada", " İpek D'Angelo ", "a good password")
    assert user.pk.version == 4
    assert (user.username, user.display_name, user.search_key) == ("ada", "İpek D'Angelo", "ipek dangelo")
    assert user.password.startswith("argon2")
    assert str(user) == "İpek D'Angelo"


def test_the_keys_follow_the_name_however_it_is_written() -> None:
    user = User.objects.create_user("ada", "Ada")
    user.display_name = "Çelik"
    user.save(update_fields=["display_name"])
    user.refresh_from_db()
    assert user.search_key == "celik"
    User.objects.bulk_create([User(username="bea", display_name="Şen"), User(username="cem", display_name="Işık")])
    assert list(User.objects.values_list("search_key", flat=True)) == ["celik", "isik", "sen"]
    User.objects.filter(username="bea").update(is_active=False)
    user.is_active = False
    user.save(update_fields=["is_active"])
    user.refresh_from_db()
    assert not user.is_active


def test_the_database_orders_as_python_does() -> None:
    names = ["Zeki", "çelik", "Celik", "Ilgaz", "İpek", "ışık", "Rossi Anna", "Rossi", "Rossini", "Öz", "Oz"]
    User.objects.bulk_create([User(username=f"u{i}", display_name=name) for i, name in enumerate(names)])
    found = list(User.objects.values_list("display_name", "sort_key"))
    assert [name for name, _ in found] == [name for name, _ in sorted(found, key=lambda row: row[1])]


@pytest.mark.parametrize("username", ["A b", "İpek", "x", "a" * 41, "-ada", "ada!", ""])
def test_strange_user_names_are_refused_by_the_database(username: str) -> None:
    with pytest.raises((IntegrityError, DataError)), transaction.atomic():
        User.objects.bulk_create([User(username=username, display_name="Ada")])


def test_a_person_without_a_name_is_refused() -> None:
    with pytest.raises(ValidationError):
        User.objects.create_user("ada", " !? ")
    with pytest.raises(IntegrityError), transaction.atomic():
        User.objects.bulk_create([User(username="ada", display_name="!?")])


def test_a_user_name_belongs_to_one_person() -> None:
    User.objects.create_user("ada", "Ada")
    with pytest.raises(ValidationError):
        User.objects.create_user("ADA", "Another")


def test_signing_in_forgives_what_phones_do_to_letters() -> None:
    User.objects.create_user("isik", "Işık", "a good password")
    for typed in ("isik", " Isik ", "ISIK", "İsik", "ışık"):
        assert authenticate(RequestFactory().post("/"), username=typed, password="a good password") is not None
    assert authenticate(RequestFactory().post("/"), username="isik", password="a good passwore") is None


def test_without_a_password_nobody_signs_in() -> None:
    user = User.objects.create_user("ada", "Ada")
    assert not user.has_usable_password()
    assert authenticate(RequestFactory().post("/"), username="ada", password="") is None


def test_nobody_remembers_when_a_person_was_here() -> None:
    columns = {
        column.name for column in connection.introspection.get_table_description(connection.cursor(), "players_user")
    }
    assert not {name for name in columns if "login" in name or "joined" in name or name.endswith("_at")}


def session_of(user: User | None) -> SessionStore:
    from django.contrib.auth import login

    request = RequestFactory().get("/")
    request.session = SessionStore()
    if user:
        login(request, user, "django.contrib.auth.backends.ModelBackend")
    request.session.save()
    return SessionStore(request.session.session_key)


def test_an_actor_is_the_person_of_his_session() -> None:
    user = User.objects.create_user("ada", "Ada", "a good password")
    session = session_of(user)
    assert actor_from(session) == Actor(user.pk, "session", frozenset(), session_digest(session.session_key or ""))
    assert (session.session_key or "") not in repr(actor_from(session))


def test_strangers_and_the_house_itself() -> None:
    assert actor_from(SessionStore()) == Actor(None, "session")
    assert actor_from(SessionStore("0" * 32)) == Actor(None, "session")
    assert actor_from("system") == Actor(None, "system")
    known = session_of(None)
    assert actor_from(known).person is None
    assert actor_from(known).session == session_digest(known.session_key or "")


def test_a_changed_password_or_a_closed_account_ends_the_session() -> None:
    user = User.objects.create_user("ada", "Ada", "a good password")
    first = session_of(user)
    user.set_password("another good password")
    user.save()
    assert actor_from(SessionStore(first.session_key)).person is None
    second = session_of(user)
    User.objects.filter(pk=user.pk).update(is_active=False)
    assert actor_from(SessionStore(second.session_key)).person is None


def test_an_actor_can_be_compared_but_not_changed() -> None:
    actor = actor_from("system")
    assert {actor: 1}[Actor(None, "system")] == 1
    with pytest.raises(AttributeError):
        actor.person = None  # type: ignore[misc]
