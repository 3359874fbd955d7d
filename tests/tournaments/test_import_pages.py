"""Upload and preview by page. Valkey is real; the heavy worker's tasks are called as it calls them."""

import json
import re
import signal

import pytest
from celery.exceptions import SoftTimeLimitExceeded
from django.test import Client
from django.urls import reverse

from core.valkey import client as valkey
from tests.tournaments.files import result
from tests.tournaments.rows import WORLD_2007
from tests.tournaments.uploading import HOME, everything, read, small_file, staff, upload
from tournaments import tasks
from tournaments.models import Tournament
from tournaments.services import uploads
from tournaments.web.importing_views import LIMIT

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _empty_valkey():
    valkey().flushdb()


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
    page = browser.get(answer.url)
    assert page["Refresh"] == "1"
    assert "The file is being read" in page.content.decode()
    assert re.search(rf'<a [^>]*href="{answer.url}"', page.content.decode())
    tasks.preview_tournament(answer.url.split("/")[-2])
    assert "Refresh" not in browser.get(answer.url)


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
    page = browser.get(answer.url)
    assert "was broken off" in page.content.decode()
    assert "Refresh" not in page


def test_limits_of_the_tasks_are_those_of_the_house():
    assert tasks.preview_tournament.soft_time_limit == 10
    assert tasks.preview_tournament.name.startswith("heavy.")
    assert tasks.import_tournament.name.startswith("heavy.")
