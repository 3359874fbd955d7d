"""Upload, preview and import by page. Valkey is real; the heavy worker's tasks are called as it calls them."""

import json
import re
import signal
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest
from celery.exceptions import SoftTimeLimitExceeded
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection, connections, transaction
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from core.valkey import client as valkey
from players.actor import SYSTEM
from players.models import Grant, User
from players.rules.rights import ADMIN, CLUB_ORGANISER
from players.services import create_club, grant_role, house_scope
from tests.tournaments.files import by_place, result, stage, tournament_file
from tests.tournaments.rows import WORLD_2007, imported
from tournaments import tasks
from tournaments.models import Edition, Entrant, Tournament
from tournaments.services import uploads
from tournaments.web.importing_views import LIMIT

pytestmark = pytest.mark.django_db
NAMES = {"a": "Ada", "b": "Bea", "c": "Cem", "d": "Dora", "e": "Ezio"}
HOME = {"HTTP_HOST": "localhost", "HTTP_ACCEPT_LANGUAGE": "en"}


@pytest.fixture(autouse=True)
def _empty_valkey():
    valkey().flushdb()


def small_file(name="Coppa", **told):
    file = tournament_file(stage(by_place("A", "abcde")), name=name, series="coppa", **told)
    for player in file["players"]:
        player["name"] = NAMES[player["id"]]
    return file


def staff(role=CLUB_ORGANISER, slug="circolo", name="Oreste"):
    """A browser in which an organiser of a (new) club is signed in, and he."""
    with transaction.atomic():
        scope = create_club(SYSTEM, slug=slug, name=slug.title()).scope_id
        person = User.objects.create_user(name.lower(), name)
        grant_role(SYSTEM, person=person.pk, scope=scope, role=role)
    browser = Client(**HOME)
    browser.force_login(person)
    return browser, person


def upload(browser, file, name="file.json"):
    """Posts a file (a value or bytes); the answer."""
    data = file if isinstance(file, bytes) else json.dumps(file).encode()
    return browser.post(reverse("import_file"), {"file": SimpleUploadedFile(name, data)})


def read(browser, file):
    """Uploads a file and has it read; the address of its preview."""
    answer = upload(browser, file)
    assert answer.status_code == 302, answer.content.decode()
    tasks.preview_tournament(answer.url.split("/")[-2])
    return answer.url


def form_of(page):
    """What the form of the preview would send if nobody touched it."""
    html = page.content.decode()
    fields = dict(re.findall(r'<input type="hidden" name="(key|shown)" value="([^"]*)"', html))
    fields |= {"club": re.search(r'<option value="([^"]*)" selected', html)[1]}
    return fields | dict(re.findall(r'<input type="radio" name="([^"]+)" value="([^"]+)" checked', html))


def everything():
    """Rows of every table that pages could write to."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT c.oid::regclass::text FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace"
            " WHERE c.relkind = 'r' AND n.nspname = 'public'"
        )
        tables = [name for (name,) in cursor.fetchall()]
        rows = {}
        for name in tables:
            cursor.execute(f"SELECT count(*) FROM {name}")
            rows[name] = cursor.fetchone()[0]
        return rows


# Strangers


def test_a_stranger_sees_what_a_file_gives_and_leaves_nothing():
    before = everything()
    browser = Client(**HOME)
    address = read(browser, WORLD_2007.read_bytes())
    page = browser.get(address)
    html = page.content.decode()
    assert page.status_code == 200
    assert "XXVI world championship, 2007" in html
    for words in ("Qualified for the final", "Final ranking", "world championship", "Nothing was stored"):
        assert words in html
    champion = result(json.loads(WORLD_2007.read_bytes()))["final_ranking"][0]["player"]
    ranking = html[html.index('id="final"') :]
    assert re.search(r'who-name">(\w+)<', ranking)[1] == champion
    assert "Import the tournament" not in html
    token = address.split("/")[-2]
    assert not valkey().hget(f"upload:{token}", "file"), "a stranger's file is kept after it was read"
    assert valkey().ttl(f"upload:{token}") <= uploads.KEEP
    assert everything() == before
    assert "sessionid" not in browser.cookies


def test_a_stranger_cannot_import():
    browser = Client(**HOME)
    address = read(browser, small_file())
    before = everything()
    assert browser.post(address, {"key": "k", "club": ""}).status_code == 403
    assert everything() == before
    assert not Tournament.objects.exists()


def test_before_it_is_read_the_page_waits_and_asks_again():
    browser = Client(**HOME)
    answer = upload(browser, small_file())
    html = browser.get(answer.url).content.decode()
    assert "The file is being read" in html
    assert 'hx-trigger="every 1s"' in html
    assert f'<noscript><p><a href="{answer.url}"' in html
    tasks.preview_tournament(answer.url.split("/")[-2])
    assert "hx-trigger" not in browser.get(answer.url).content.decode()


def test_an_address_that_is_unknown_or_expired_says_so():
    browser = Client(**HOME)
    address = read(browser, small_file())
    valkey().pexpire(f"upload:{address.split('/')[-2]}", 0)
    for gone in (address, reverse("import_preview", args=["nothing"])):
        page = browser.get(gone)
        assert page.status_code == 404
        assert "This upload is not here any more" in page.content.decode()
    # a task that comes too late does nothing, twice
    for task in (tasks.preview_tournament, tasks.import_tournament):
        task(address.split("/")[-2])
    assert browser.get(address).status_code == 404


@pytest.mark.parametrize(("language", "words"), [("en", "stands here twice"), ("it", "due volte"), ("tr", "iki kez")])
def test_faults_stand_there_with_pointer_and_sentence_in_the_readers_language(language, words):
    browser = Client(HTTP_HOST="localhost", HTTP_ACCEPT_LANGUAGE=language)
    html = browser.get(read(browser, {**small_file(), "entries": ["a", "a", "nobody"]})).content.decode()
    assert '<code class="when">/entries/1</code>' in html
    assert '<code class="when">/entries/2</code>' in html
    assert words in html


def test_what_the_rules_refuse_names_its_article():
    browser = Client(**HOME)
    html = browser.get(
        read(browser, {**small_file(), "withdrawals": [{"player": "a", "from": "final"}]})
    ).content.decode()
    assert "The rules refuse this file" in html
    assert "/withdrawals/0/player" in html
    assert "#S8" in html


def test_a_hundred_faults_are_told_and_the_rest_counted_however_long_their_words():
    browser = Client(**HOME)
    file = {**small_file(), "x" * 50_000: 1} | {f"strange{at}": 1 for at in range(149)}
    page = browser.get(read(browser, file))
    assert page.content.decode().count('<code class="when">') == 100
    assert "and 50 more" in page.content.decode()
    assert len(page.content) < 100 * 1024


def test_no_file_an_empty_one_and_one_byte_too_many_are_refused():
    browser = Client(**HOME)
    before = everything()
    assert browser.post(reverse("import_file")).status_code == 422
    assert upload(browser, b"").status_code == 422
    too_large = upload(browser, b" " * (LIMIT + 1))
    assert too_large.status_code == 413
    assert "at most 5 MB" in too_large.content.decode()
    assert upload(browser, b" " * LIMIT).status_code == 302
    assert everything() == before


def test_one_address_may_send_so_many_files_a_minute_staff_more():
    browser = Client(**HOME)
    for _ in range(uploads.PER_MINUTE):
        assert upload(browser, b"{}").status_code == 302
    refused = upload(browser, b"{}")
    assert refused.status_code == 429
    assert "Too many files" in refused.content.decode()
    assert refused["Retry-After"] == "60"
    assert upload(Client(**HOME, REMOTE_ADDR="192.0.2.7"), b"{}").status_code == 302
    organiser, _person = staff()
    for _ in range(uploads.PER_MINUTE + 1):
        assert upload(organiser, b"{}").status_code == 302
    assert not [key for key in valkey().scan_iter() if "192.0.2" in key], "an address can be read from a key"


def test_the_waiting_line_has_an_end_and_who_was_read_leaves_it():
    answers = [upload(Client(**HOME, REMOTE_ADDR=f"192.0.2.{at}"), small_file()) for at in range(uploads.LINE + 1)]
    assert [answer.status_code for answer in answers] == [302] * uploads.LINE + [429]
    assert "Many files wait" in answers[-1].content.decode()
    tasks.preview_tournament(answers[0].url.split("/")[-2])
    assert upload(Client(**HOME, REMOTE_ADDR="192.0.2.99"), small_file()).status_code == 302


def test_a_file_that_takes_too_long_is_given_up():
    """The limit that the heavy worker sets reaches the task as this exception, out of a signal."""

    def late(*_):
        raise SoftTimeLimitExceeded

    browser = Client(**HOME)
    answer = upload(browser, json.dumps({"players": [{"id": f"p{n}", "x": n} for n in range(90_000)]}).encode())
    before = signal.signal(signal.SIGALRM, late)
    signal.setitimer(signal.ITIMER_REAL, 0.1)
    try:
        tasks.preview_tournament(answer.url.split("/")[-2])
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    assert "took longer than 10 seconds" in browser.get(answer.url).content.decode()


def test_a_worker_that_dies_is_noticed():
    browser = Client(**HOME)
    answer = upload(browser, small_file())
    token = answer.url.split("/")[-2]
    valkey().hset(f"upload:{token}", "reading", "1")  # it began, and nothing of it lives
    html = browser.get(answer.url).content.decode()
    assert "was broken off" in html
    assert "hx-trigger" not in html


def test_limits_of_the_tasks_are_those_of_the_house():
    assert tasks.preview_tournament.soft_time_limit == 10
    assert tasks.preview_tournament.name.startswith("heavy.")
    assert tasks.import_tournament.name.startswith("heavy.")


# Staff


def test_an_organiser_imports_into_his_club_and_a_double_click_gives_one_tournament():
    browser, _person = staff()
    address = read(browser, small_file())
    page = browser.get(address)
    form = form_of(page)
    assert form["club"] == "circolo"
    assert [browser.post(address, form).status_code for _ in range(2)] == [302, 302]
    assert valkey().llen("heavy") == 2  # one reading, one import: the second click sent nothing
    assert "is being imported" in browser.get(address).content.decode()
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


def test_questions_come_fifty_a_page_and_answers_are_kept():
    browser, _person = staff()
    imported(crowd(24))
    address = read(browser, crowd(24, "II"))
    first = browser.get(address)
    assert first.content.decode().count("<fieldset") == 50
    assert len(first.content) < 100 * 1024
    someone = first.context["rows"][0]["options"][1]["value"]
    answer = browser.post(address, form_of(first) | {"who-0": someone, "go": "2"})
    assert answer.status_code == 302
    assert "page=2" in answer.url
    second = browser.get(answer.url.split("#")[0])
    assert second.context["rows"][0]["name"] == "who-50"
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
