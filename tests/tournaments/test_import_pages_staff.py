"""Import by page: who is who, one tournament however often it is sent, the rights of the moment."""

import json
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest
from django.db import connection, connections
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from core.valkey import client as valkey
from players.actor import SYSTEM
from players.models import Grant, User
from players.rules.rights import ADMIN, CLUB_ORGANISER
from players.services import create_club, grant_role, house_scope
from tests.tournaments.files import by_place, stage, tournament_file
from tests.tournaments.rows import WORLD_2007, imported
from tests.tournaments.uploading import HOME, form_of, read, small_file, staff
from tournaments import tasks
from tournaments.models import Edition, Entrant, Tournament
from tournaments.services import uploads

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _empty_valkey():
    valkey().flushdb()


def test_an_organiser_imports_into_his_club_and_a_double_click_gives_one_tournament():
    browser, _person = staff()
    address = read(browser, small_file())
    page = browser.get(address)
    form = form_of(page)
    assert form["club"] == "circolo"
    assert [browser.post(address, form).status_code for _ in range(2)] == [302, 302]
    assert valkey().llen("heavy") == 2  # one reading, one import: the second click sent nothing
    waiting = browser.get(address)
    assert "is being imported" in waiting.content.decode()
    assert waiting["Refresh"] == "1"
    for _ in range(2):
        tasks.import_tournament(address.split("/")[-2])
    tournament = Tournament.objects.get()
    assert (tournament.club.slug, tournament.published) == ("circolo", 1)
    html = browser.get(address).content.decode()
    assert reverse("tournament", args=[tournament.slug]) in html
    assert "Imported" in html
    assert browser.post(address, form).status_code == 302  # sent again by a reload
    tasks.import_tournament(address.split("/")[-2])
    assert Tournament.objects.count() == 1


@pytest.mark.parametrize("key", ["", "k" * 201, "k\0"])
def test_a_key_that_is_none_is_refused_in_the_form_and_nothing_is_ordered(key):
    browser, _person = staff()
    address = read(browser, small_file())
    form = form_of(browser.get(address))
    refused = browser.post(address, form | {"key": key})
    assert refused.status_code == 422
    assert "did not come from a page of this house" in refused.content.decode()
    assert form_of(refused)["club"] == "circolo"
    assert not valkey().hget(f"upload:{address.split('/')[-2]}", "order")
    assert browser.post(address, form | {"key": "k" * 200}).status_code == 302
    tasks.import_tournament(address.split("/")[-2])
    assert Tournament.objects.count() == 1


@pytest.mark.parametrize("name", ["Ada\u202eadA", "Ada\u0007", "Ad\u200ba", "Ad\u00ada"])
def test_a_name_with_what_nobody_sees_is_refused_with_its_place_in_the_file(name):
    browser, _person = staff()
    file = small_file()
    file["players"][3]["name"] = name
    address = read(browser, file)
    browser.post(address, form_of(browser.get(address)))
    tasks.import_tournament(address.split("/")[-2])
    html = browser.get(address).content.decode()
    assert "/players/3/name" in html
    assert "no characters that nobody sees" in html
    assert not Tournament.objects.exists()


@pytest.mark.parametrize(
    ("go", "page"), [("7", 7), ("-1", -1), ("0", 1), ("abc", 1), ("2#x&page=3", 1), ("\0", 1), ("1\r\nX: y", 1)]
)
def test_any_page_of_questions_leads_to_one_that_there_is(go, page):
    browser, _person = staff()
    address = read(browser, small_file())
    answer = browser.post(address, form_of(browser.get(address)) | {"go": go})
    assert (answer.status_code, answer.url) == (302, f"{address}?page={page}#people")
    assert browser.get(answer.url.partition("#")[0]).status_code == 200


def test_a_draft_is_not_published():
    browser, _person = staff()
    address = read(browser, small_file())
    browser.post(address, form_of(browser.get(address)) | {"draft": "on"})
    tasks.import_tournament(address.split("/")[-2])
    assert Tournament.objects.get().published == 0


def test_rights_are_those_at_the_time_of_the_import():
    browser, person = staff()
    address = read(browser, small_file())
    browser.post(address, form_of(browser.get(address)))
    Grant.objects.filter(person=person).delete()
    tasks.import_tournament(address.split("/")[-2])
    assert not Tournament.objects.exists()
    assert uploads.upload_of(address.split("/")[-2]).done["faults"][0][0] == "not_allowed"


def test_a_club_that_is_not_his_is_refused():
    create_club(SYSTEM, slug="other", name="Other")
    browser, _person = staff()
    address = read(browser, small_file())
    for club in ("other", "", "nowhere"):
        assert browser.post(address, form_of(browser.get(address)) | {"club": club}).status_code == 403
    assert not valkey().hget(f"upload:{address.split('/')[-2]}", "order")


def test_who_signs_in_after_the_upload_uploads_once_more():
    address = read(Client(**HOME), small_file())
    browser, _person = staff()
    page = browser.get(address)
    assert "upload it once more" in page.content.decode()
    assert browser.post(address, {"club": "circolo", "key": "k"}).status_code == 404


def test_a_namesake_is_a_new_person_unless_code_and_name_were_one_persons_in_this_club():
    browser, _person = staff()
    known = imported(small_file(), club="circolo", people={})
    stranger = User.objects.create_user(None, "Bea")  # a namesake of one of them
    address = read(browser, small_file(name="Coppa II"))
    page = browser.get(address)
    html = page.content.decode()
    people = dict(Entrant.objects.filter(tournament=known).values_list("code", "person"))
    form = form_of(page)
    assert [form[f"who-{at}"] for at in range(5)] == [str(people[code]) for code in "abcde"]
    assert str(stranger.pk) in html
    assert "had this code here before" in html
    assert "Coppa" in html
    # he says: Bea is the namesake, Cem is somebody new
    browser.post(address, form | {"who-1": str(stranger.pk), "who-2": "new"})
    tasks.import_tournament(address.split("/")[-2])
    second = Tournament.objects.exclude(pk=known.pk).get()
    now = dict(Entrant.objects.filter(tournament=second).values_list("code", "person"))
    assert now["a"] == people["a"]
    assert now["b"] == stranger.pk
    assert now["c"] not in people.values()
    assert now["d"] == people["d"]


def test_in_another_club_the_same_code_and_name_is_a_new_person_but_proposed():
    imported(small_file())
    browser, _person = staff()
    page = browser.get(read(browser, small_file(name="Coppa II")))
    form = form_of(page)
    assert [form[f"who-{at}"] for at in range(5)] == ["new"] * 5
    assert page.content.decode().count('type="radio"') == 10


def test_two_persons_of_one_code_and_name_are_nobodys_presumption():
    browser, _person = staff()
    imported(small_file(name="I"), club="circolo")
    imported(small_file(name="II"), club="circolo")
    page = browser.get(read(browser, small_file(name="III")))
    assert form_of(page)["who-0"] == "new"
    assert page.content.decode().count('type="radio"') == 15


def test_two_players_cannot_be_one_person_and_a_mended_form_goes_through():
    browser, _person = staff()
    ada = User.objects.create_user(None, "Ada")
    file = small_file()
    file["players"][1]["name"] = "ADA"
    address = read(browser, file)
    form = form_of(browser.get(address)) | {"who-0": str(ada.pk), "who-1": str(ada.pk)}
    browser.post(address, form)
    tasks.import_tournament(address.split("/")[-2])
    page = browser.get(address)
    assert "cannot be one person" in page.content.decode()
    assert not Tournament.objects.exists()
    browser.post(address, form_of(page) | {"who-1": "new"})
    tasks.import_tournament(address.split("/")[-2])
    assert Entrant.objects.filter(tournament=Tournament.objects.get(), person=ada).get().code == "a"


def test_somebody_who_was_not_proposed_is_refused():
    browser, _person = staff()
    User.objects.create_user(None, "Ada")
    zoe = User.objects.create_user(None, "Zoe")
    address = read(browser, small_file())
    assert browser.post(address, form_of(browser.get(address)) | {"who-0": str(zoe.pk)}).status_code == 404


def test_a_hidden_history_is_shown_to_the_own_club_only():
    imported(small_file())
    ada = Entrant.objects.get(code="a").person
    User.objects.filter(pk=ada.pk).update(history_hidden=True)
    browser, _person = staff()
    html = browser.get(read(browser, small_file(name="Coppa II"))).content.decode()
    row = html[html.index(f'value="{ada.pk}"') :][:400]
    assert "0 tournaments" in row
    assert "history hidden" in row


def test_another_club_shows_its_people_before_anything_is_done():
    browser, person = staff()
    other = create_club(SYSTEM, slug="other", name="Other")
    grant_role(SYSTEM, person=person.pk, scope=other.scope_id, role=CLUB_ORGANISER)
    imported(small_file(), club="other")
    address = read(browser, small_file(name="Coppa II"))
    page = browser.get(address)
    assert form_of(page)["who-0"] == "new"
    answer = browser.post(address, form_of(page) | {"club": "other"})
    assert answer.url.endswith("#people")
    assert not valkey().hget(f"upload:{address.split('/')[-2]}", "order")
    assert browser.get(address).context["shelf"].slug == "other"


def crowd(heats, name="I"):
    """A file of many players, five a heat."""
    tables = [by_place(f"T{heat}", [f"{heat}-{seat}" for seat in range(5)]) for heat in range(heats)]
    return tournament_file(stage(*tables), series="coppa", name=name)


def test_questions_come_25_a_page_and_answers_are_kept():
    browser, _person = staff()
    imported(crowd(24))
    address = read(browser, crowd(24, "II"))
    first = browser.get(address)
    assert first.content.decode().count("<fieldset") == 25
    assert len(first.content) < 100 * 1024
    someone = first.context["rows"][0]["options"][1]["value"]
    answer = browser.post(address, form_of(first) | {"who-0": someone, "go": "2"})
    assert answer.status_code == 302
    assert "page=2" in answer.url
    second = browser.get(answer.url.split("#")[0])
    assert second.context["rows"][0]["name"] == "who-25"
    browser.post(address, form_of(second))
    tasks.import_tournament(address.split("/")[-2])
    made = Tournament.objects.get(club__slug="circolo")
    people = Entrant.objects.filter(tournament=made)
    assert str(people.get(code="0-0").person_id) == someone
    assert people.filter(person__entrants__tournament__club=None).count() == 1


def test_the_preview_asks_the_same_number_of_queries_for_5_and_300_players():
    browser, _person = staff()
    imported(crowd(60))
    counts = []
    for heats in (1, 60):
        address = read(browser, crowd(heats, "II"))
        with CaptureQueriesContext(connection) as seen:
            assert browser.get(address).status_code == 200
        counts.append(len(seen))
    assert counts[0] == counts[1] <= 12


def test_what_was_imported_before_and_a_taken_edition_are_shown():
    browser, person = staff()
    grant_role(SYSTEM, person=person.pk, scope=house_scope().pk, role=ADMIN)
    known = imported(WORLD_2007)
    html = browser.get(read(browser, WORLD_2007.read_bytes())).content.decode()
    assert "This file was imported before" in html
    assert reverse("tournament", args=[known.slug]) in html
    assert "is this edition already" not in html
    other = json.loads(WORLD_2007.read_bytes())
    other["tournament"]["name"] = "Another"
    html = browser.get(read(browser, other)).content.decode()
    assert "is this edition already" in html
    assert "This file was imported before" not in html
    assert Edition.objects.count() == 1


def test_a_draft_that_a_stranger_may_not_see_is_not_told_of():
    imported(small_file(), publish=False)
    html = Client(**HOME)
    assert "imported before" not in html.get(read(html, small_file())).content.decode()


def test_earlier_editions_that_stand_otherwise_here_are_listed():
    first = tournament_file(
        stage(by_place("A", "abcde"), by_place("B", "vwxyz", step=60)),
        stage(by_place("F", "avbwc"), kind="final"),
        name="First",
        edition=25,
    )
    tournament = imported(first)
    here = list(Entrant.objects.filter(tournament=tournament, place__isnull=False).order_by("place"))
    told = [entrant.code for entrant in here]
    told[0], told[1] = told[1], told[0]
    browser = Client(**HOME)
    page = browser.get(read(browser, small_file() | {"editions_before": [{"edition": 25, "ranking": told}]}))
    (difference,) = page.context["differences"]
    assert [(row.there, row.here) for row in difference.rows] == [(1, 2), (2, 1)]
    assert "Earlier editions that stand otherwise here" in page.content.decode()
    same = browser.get(
        read(browser, small_file() | {"editions_before": [{"edition": 25, "ranking": [e.code for e in here]}]})
    )
    assert same.context["differences"] == ()
    strangers = browser.get(read(browser, small_file() | {"editions_before": [{"edition": 25, "ranking": ["X", "Y"]}]}))
    assert "the codes mean other people" in strangers.content.decode()


@pytest.mark.django_db(transaction=True)
def test_two_confirmations_at_once_give_one_tournament():
    browser, _person = staff()
    addresses = [read(browser, small_file()), read(browser, small_file() | {"lots": list("abcde")})]
    for address in addresses:
        browser.post(address, form_of(browser.get(address)))
    gate = Barrier(4)

    def work(address):
        gate.wait()
        try:
            tasks.import_tournament(address.split("/")[-2])
        finally:
            connections.close_all()

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(work, addresses * 2))
    assert Tournament.objects.count() == 1
    done = [uploads.upload_of(address.split("/")[-2]).done for address in addresses]
    assert {told["slug"] for told in done} == {Tournament.objects.get().slug}
    assert sorted(told["created"] for told in done) == [False, True]
