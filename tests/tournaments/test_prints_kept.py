"""Prints that take a while. Valkey is real; the heavy worker's task is called as it calls it."""

import gzip
import io
import threading

import pytest
from pypdf import PdfReader

from core import heartbeat, valkey
from core.refusal import Refusal
from players.actor import SYSTEM
from tests.tournaments.printed import address, correct, ordered, without_times, work
from tests.tournaments.rows import CUP, imported
from tournaments import tasks
from tournaments.queries.tournament import tournament_for_page
from tournaments.web import files_views, prints_kept
from tournaments.web.printing import pdf

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _english_reader_of_an_empty_house(client, monkeypatch):
    """Nothing is kept, and nobody waits: what is ordered is made by `work`."""
    client.cookies["language"] = "en"
    valkey.client().flushdb()
    monkeypatch.setattr(files_views, "PATIENCE", 0)


@pytest.fixture
def cup():
    return imported(CUP)


def test_a_print_is_made_once_however_often_it_is_asked_for(client, cup):
    path = address(cup, "print/heat-1-2.pdf")
    for _ in range(5):
        answer = client.get(path)
        assert answer.status_code == 202
        assert answer["Refresh"] == f"1; url={path}?look=1"
        assert without_times(answer)
    stamp = tournament_for_page(SYSTEM, cup.slug).stamp.key
    assert ordered() == [[cup.slug, "heat-1-2", "pdf", "en", stamp]]
    work()
    answer = client.get(f"{path}?look=1")
    assert answer.status_code == 200
    assert answer["Content-Type"] == "application/pdf"
    assert answer["Content-Disposition"].startswith('inline; filename="vii-coppa-adriatica-borino.pdf"')
    assert answer.content.startswith(b"%PDF")
    assert without_times(answer)
    assert not answer.cookies
    assert client.head(path).status_code == 200
    known = client.get(path, headers={"if-none-match": answer["ETag"]})
    assert (known.status_code, known.content) == (304, b"")
    assert ordered() == []


def test_who_asks_waits_a_little_for_what_comes_soon(client, cup, monkeypatch):
    monkeypatch.setattr(files_views, "PATIENCE", 60)
    view = tournament_for_page(SYSTEM, cup.slug)
    key = prints_kept.key_of(view.stamp.key, "ranking", "pdf", "en")

    def make():
        while not ordered():
            pass
        valkey.bytes_client().hset(key, mapping={"title": "t", "made": gzip.compress(b"%PDF")})

    worker = threading.Thread(target=make)
    worker.start()
    answer = client.get(address(cup, "print/ranking.pdf"))
    worker.join()
    assert (answer.status_code, answer.content) == (200, b"%PDF")


def test_a_second_order_of_what_is_there_makes_nothing_again(client, cup, monkeypatch):
    client.get(address(cup, "print/ranking.pdf"))
    [args] = ordered()
    tasks.make_print(*args)
    monkeypatch.setattr(pdf, "PRESS", pdf.PRESS.with_name("gone.py"))  # a second print could not be made
    tasks.make_print(*args)
    assert client.get(address(cup, "print/ranking.pdf")).status_code == 200


def test_after_a_correction_another_print_is_made(client, cup):
    path = address(cup, "print/heat-1-1.pdf")
    client.get(path)
    work()
    before = client.get(path)
    correct(cup, reason="misread by the referee")
    assert client.get(path, headers={"if-none-match": before["ETag"]}).status_code == 202
    work()
    after = client.get(path)
    assert after.status_code == 200
    assert after["ETag"] != before["ETag"]
    assert "misread by the referee" in words_of(after)
    assert "misread by the referee" not in words_of(before)
    assert "version 2" in words_of(after)


def test_an_order_is_fulfilled_with_what_is_true_by_then(client, cup):
    path = address(cup, "print/heat-1-1.pdf")
    client.get(path)
    correct(cup, reason="misread by the referee")
    work()
    assert "misread by the referee" in words_of(client.get(path))
    assert ordered() == []


def words_of(answer):
    reader = PdfReader(io.BytesIO(answer.content))
    return " ".join(" ".join(page.extract_text().replace("\u200b", "").split()) for page in reader.pages)


def test_each_language_has_its_own(client, cup):
    path = address(cup, "print/ranking.pdf")
    for language, title in (("it", "Classifica finale"), ("en", "Final ranking")):
        client.cookies["language"] = language
        answer = client.get(path)
        assert answer.status_code == 202
        work()
        answer = client.get(path)
        assert title in words_of(answer)
        assert "Salvatore Pizzolante" in words_of(answer)


def test_who_waits_sees_it_and_in_the_end_is_told_that_nothing_comes(client, cup):
    path = address(cup, "print/everything.csv")
    heartbeat.beat("heavy")
    for look, seconds in enumerate(files_views.LOOKS[:3]):
        answer = client.get(f"{path}?look={look}")
        assert answer.status_code == 202
        assert answer["Refresh"] == f"{seconds}; url={path}?look={look + 1}"
        assert answer["Cache-Control"] == "private, no-cache"
        assert f'href="{path}?look={look + 1}"' in answer.content.decode()
    answer = client.get(f"{path}?look={len(files_views.LOOKS)}")
    assert answer.status_code == 503
    assert answer["Retry-After"] == "60"
    assert "Refresh" not in answer
    assert "The print does not come" in answer.content.decode()
    assert f'href="{path}"' in answer.content.decode()
    for strange in ("-1", "x", "999", "١"):
        assert client.get(path, {"look": strange})["Refresh"].endswith("look=1")
    assert len(ordered()) == 1


def test_a_worker_that_is_not_heard_of_is_not_waited_for(client, cup):
    path = address(cup, "print/ranking.pdf")
    assert client.get(f"{path}?look={files_views.SOON - 1}").status_code == 202
    assert client.get(f"{path}?look={files_views.SOON}").status_code == 503
    heartbeat.beat("heavy")
    assert client.get(f"{path}?look={files_views.SOON}").status_code == 202


def test_so_many_prints_may_wait_and_no_more(client, cup, monkeypatch):
    monkeypatch.setattr(prints_kept, "LINE", 3)
    answers = [client.get(address(cup, f"print/heat-1-{heat}.pdf")) for heat in (1, 2, 3, 4, 1)]
    assert [answer.status_code for answer in answers] == [202, 202, 202, 503, 202]
    assert answers[3]["Retry-After"] == "60"
    assert "Too many prints are waiting" in answers[3].content.decode()
    assert len(ordered()) == 3
    work()
    assert client.get(address(cup, "print/heat-1-4.pdf")).status_code == 202


def test_a_print_that_fails_says_so_and_may_be_asked_for_later(client, cup, monkeypatch):
    path = address(cup, "print/ranking.pdf")
    client.get(path)
    monkeypatch.setattr(pdf, "PRESS", pdf.PRESS.with_name("gone.py"))
    with pytest.raises(pdf.PrintFailed):
        work()
    valkey.client().delete("heavy")
    answer = client.get(path)
    assert answer.status_code == 503
    assert "The print could not be made" in answer.content.decode()
    assert ordered() == []
    monkeypatch.undo()
    [key] = valkey.client().scan_iter("print:*")
    assert 0 < valkey.client().ttl(key) <= prints_kept.FAILED
    valkey.client().delete(key)
    assert client.get(path).status_code == 202
    work()
    assert client.get(path).status_code == 200


def test_kept_prints_take_a_bounded_room_and_an_hour(client, cup, monkeypatch):
    monkeypatch.setattr(prints_kept, "ROOM", 60_000)
    paths = [address(cup, f"print/heat-1-{heat}.pdf") for heat in (1, 2, 3, 4)]
    for path in paths:
        client.get(path)
        work()
        assert client.get(path).status_code == 200
    kept = list(valkey.client().scan_iter("print:*"))
    assert 1 <= len(kept) < 4
    assert all(0 < valkey.client().ttl(key) <= prints_kept.KEEP for key in kept)
    assert client.get(paths[3]).status_code == 200
    assert client.get(paths[0]).status_code == 202


def test_without_valkey_there_is_a_sentence_and_small_tables_go_on(client, cup, settings):
    settings.REDIS_URL = "unix:///nonexistent/valkey.sock"
    clear()
    try:
        answer = client.get(address(cup, "print/ranking.pdf"))
        assert answer.status_code == 503
        assert "Prints cannot be made now" in answer.content.decode()
        assert client.get(address(cup, "print/ranking.csv")).status_code == 200
        assert client.get(address(cup, "file.json")).status_code == 200
        with pytest.raises(Refusal, match="house_away"):
            prints_kept.order_print(cup.slug, "ranking", "pdf", "it", "s")
    finally:
        clear()


def clear():
    valkey.client.cache_clear()
    valkey.bytes_client.cache_clear()
