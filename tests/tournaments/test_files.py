"""The file of a tournament and its prints. Valkey is real; the heavy worker's task is called as it calls it."""

import gzip
import io
import json
import re
import threading
from base64 import b64decode
from urllib.parse import unquote

import pytest
from django.utils.translation import override
from pypdf import PdfReader

from core import heartbeat, valkey
from core.refusal import Refusal
from players.actor import SYSTEM
from players.models import Grant, User
from players.rules.rights import ADMIN
from players.services import grant_role, house_scope
from tests.tournaments.rows import CUP, WORLD_2007, first_hand, generated, imported, other_hand
from tournaments import tasks
from tournaments.queries.tournament import file_for_export, tournament_for_page
from tournaments.services.results import correct_result
from tournaments.web import files_views, prints, prints_kept
from tournaments.web.printing import Part, Sheet, disposition, file_name, pdf

pytestmark = pytest.mark.django_db
TIMES = ("Date", "Expires", "Last-Modified")


@pytest.fixture(autouse=True)
def _empty_valkey(monkeypatch):
    """Nothing is kept, and nobody waits: what is ordered is made by `work`."""
    valkey.client().flushdb()
    monkeypatch.setattr(files_views, "PATIENCE", 0)


@pytest.fixture
def cup():
    return imported(CUP)


def address(tournament, rest):
    return f"/tournaments/{tournament.slug}/{rest}"


def ordered():
    """What the heavy worker finds in its line: the arguments of each task, oldest first."""
    found = [json.loads(message) for message in reversed(valkey.client().lrange("heavy", 0, -1))]
    bodies = [message["body"] for message in found if message["headers"]["task"] == prints_kept.TASK]
    return [json.loads(b64decode(body))[0] for body in bodies]


def work():
    """Does what was ordered, as the heavy worker does."""
    for args in ordered():
        tasks.make_print(*args)
    valkey.client().delete("heavy")


def correct(tournament, **changed):
    tournament.refresh_from_db()
    hand = first_hand(tournament)
    entry = other_hand(hand, **changed)
    correct_result(SYSTEM, tournament.pk, stage=1, heat=1, entry=entry, version=tournament.version, key="k")


def without_times(answer):
    return not any(answer.has_header(name) for name in TIMES)


# The file


def test_the_file_is_the_tournament_under_a_good_name_and_tells_no_time(client, cup):
    answer = client.get(address(cup, "file.json"))
    assert answer.status_code == 200
    assert answer["Content-Type"] == "application/json"
    assert json.loads(answer.content) == file_for_export(SYSTEM, cup.slug) == json.loads(CUP.read_bytes())
    assert re.search(rb'\n +\{"caller": .*\},?\n +\{"caller": ', answer.content), "one hand a line"
    assert answer["Content-Disposition"] == (
        "attachment; filename=\"vii-coppa-adriatica.json\"; filename*=UTF-8''VII%20Coppa%20Adriatica.json"
    )
    assert without_times(answer)
    assert not answer.cookies


def test_who_has_the_file_already_is_told_so_until_it_changes(client, cup):
    first = client.get(address(cup, "file.json"))
    again = client.get(address(cup, "file.json"), headers={"if-none-match": first["ETag"]})
    assert (again.status_code, again.content, again["ETag"]) == (304, b"", first["ETag"])
    correct(cup)
    changed = client.get(address(cup, "file.json"), headers={"if-none-match": first["ETag"]})
    assert changed.status_code == 200
    assert changed.content != first.content
    assert json.loads(changed.content) == file_for_export(SYSTEM, cup.slug)


def test_head_tells_what_get_would(client, cup):
    for rest in ("file.json", "print/", "print/ranking.csv"):
        full, head = client.get(address(cup, rest)), client.head(address(cup, rest))
        assert (head.status_code, head.content) == (200, b"")
        assert dict(head.headers) == dict(full.headers) | {"Content-Length": head["Content-Length"]}


def test_a_draft_is_there_for_its_staff_only(client):
    draft = generated(3, 2, publish=False)
    paths = ("file.json", "print/", "print/heat-1-1.csv", "print/heat-1-1.pdf")
    assert [client.get(address(draft, rest)).status_code for rest in paths] == [404, 404, 404, 404]
    person = User.objects.create_user("staff", "Staff")
    grant_role(SYSTEM, person=person.pk, scope=house_scope().pk, role=ADMIN)
    client.force_login(person)
    assert [client.get(address(draft, rest)).status_code for rest in paths] == [200, 200, 200, 202]
    work()
    assert client.get(address(draft, "print/heat-1-1.pdf")).status_code == 200
    Grant.objects.all().delete()
    assert [client.get(address(draft, rest)).status_code for rest in paths] == [404, 404, 404, 404]


# What can be printed


def test_the_list_has_every_print_and_each_link_leads_to_one(client, cup, monkeypatch):
    monkeypatch.setattr(prints_kept, "LINE", 100)
    html = client.get(address(cup, "print/")).content.decode()
    links = re.findall(rf'href="({re.escape(address(cup, "print/"))}[^"]+)"', html)
    assert len(links) == len(set(links)) == 2 * 24
    for word in ("everything", "ranking", "agp", "heats-1", "repechage-2", "heat-1-12", "heat-4-1"):
        assert address(cup, f"print/{word}.pdf") in links
        assert address(cup, f"print/{word}.csv") in links
    for link in links:
        assert client.get(link).status_code == (200 if link.endswith(".csv") and "everything" not in link else 202)


def test_what_is_not_there_is_not_found(client, cup):
    shapes = "|x|RANKING|ranking-1|heat|heat-1|heat-1-2-3|heat-0-1|heat-1-0|heat-01-1|heat-1-1234567|heat-١-1|heats"
    absent = "heat-1-13|heat-9-1|heats-9|heats-1-1|repechage-3|repechage-9"
    for what in f"{shapes}|{absent}".split("|"):
        assert client.get(address(cup, f"print/{what}.pdf")).status_code == 404, what
        assert client.get(address(cup, f"print/{what}.csv")).status_code == 404, what
    assert ordered() == []


def test_only_pdf_and_csv_are_printed(client, cup):
    for kind in ("PDF", "txt", "html", "json"):
        assert client.get(address(cup, f"print/ranking.{kind}")).status_code == 404
    assert client.get("/tournaments/nobody/print/ranking.pdf").status_code == 404
    assert client.post(address(cup, "print/ranking.pdf")).status_code == 405


def test_before_the_final_there_is_no_print_of_its_ranking(client):
    early = next(row for row in (generated(seed, 6) for seed in range(40)) if no_final(row))
    assert client.get(address(early, "print/ranking.csv")).status_code == 404
    assert "ranking.pdf" not in client.get(address(early, "print/")).content.decode().split("</nav>")[-1]
    assert client.get(address(early, "print/heats-1.csv")).status_code == 200


def no_final(row):
    return not tournament_for_page(SYSTEM, row.slug).outcome.final_ranking


@pytest.mark.parametrize("heats", [1, 3, 120])
def test_the_list_costs_the_same_for_any_size(client, django_assert_num_queries, heats):
    row = generated(5, heats, hands=1)
    with django_assert_num_queries(6):
        answer = client.get(address(row, "print/"))
    assert len(answer.content) < 100 * 1024
    count = len(list(prints.prints_of(tournament_for_page(SYSTEM, row.slug))))
    assert answer.content.count(b".pdf") == min(count, 100)
    if count > 100:
        assert client.get(address(row, "print/?page=2")).content.count(b".pdf") == min(count - 100, 100)


# Documents


@pytest.mark.parametrize("language", ["it", "tr", "en"])
def test_every_print_says_at_its_foot_what_it_is(cup, language):
    view = tournament_for_page(SYSTEM, cup.slug)
    for asked in prints.prints_of(view):
        assert prints.print_of(view, asked.word) == asked
        document = prints.document_of(view, asked, language)
        with override(language):
            title = prints.title_of(view, asked)
            version = prints.version_in_words(view)
        assert document.title == title
        assert document.footer.startswith("VII Coppa Adriatica · ")
        assert document.footer.endswith(f"{title} · {version}")
        assert "1" in version


def test_a_verbale_is_signed_by_its_five_and_a_referee(cup):
    view = tournament_for_page(SYSTEM, cup.slug)
    [sheet] = sheets(prints.document_of(view, prints.print_of(view, "heat-1-2"), "en"))
    assert sheet.signatures == (*(seat.name for seat in sheet.players), "the referee")


def test_the_book_has_every_verbale_on_a_page_of_its_own(cup):
    view = tournament_for_page(SYSTEM, cup.slug)
    book = prints.document_of(view, prints.print_of(view, "everything"), "en")
    words = [asked for asked in prints.prints_of(view) if asked.kind == "heat"]
    alone = [sheet for asked in words for sheet in sheets(prints.document_of(view, asked, "en"))]
    assert list(sheets(book)) == alone
    parts = [block.title for block in book.blocks if isinstance(block, Part)]
    assert len(parts) == len(set(parts)) == len(alone) + 4  # ranking, two stages of heats, A.G.P.


def sheets(document):
    return (block for block in document.blocks if isinstance(block, Sheet))


def test_an_old_match_without_hands_is_printed_with_what_is_known():
    view = tournament_for_page(SYSTEM, generated_with_totals().slug)
    stage, heat = next(at for at in view.sheets if view.outcome.stages[at[0] - 1].matches[at[1] - 1].sheet is None)
    document = prints.document_of(view, prints.print_of(view, f"heat-{stage}-{heat}"), "en")
    assert not list(sheets(document))
    assert document.blocks[-1].caption == "Only the totals of this match survive"


def generated_with_totals():
    for seed in range(40):
        row = generated(seed, 3)
        view = tournament_for_page(SYSTEM, row.slug)
        if any(match.sheet is None for stage in view.outcome.stages for match in stage.matches):
            return row
    raise AssertionError("no generated tournament has a match of totals")


def test_invented_hands_are_called_so_on_paper():
    view = tournament_for_page(SYSTEM, imported(WORLD_2007).slug)
    document = prints.document_of(view, prints.print_of(view, "heat-1-1"), "en")
    said = [text for block in document.blocks for text, _ in getattr(block, "sentences", ())]
    assert "The hands are invented; they add up to the totals that were published." in said
    assert any(text.startswith("Published in ") for text in said)


# CSV


def test_a_small_table_comes_at_once(client, cup):
    client.cookies["language"] = "it"
    answer = client.get(address(cup, "print/ranking.csv"))
    assert answer.status_code == 200
    assert answer["Content-Type"] == "text/csv; charset=utf-8"
    assert answer["Content-Disposition"].startswith('attachment; filename="vii-coppa-adriatica-classifica-finale.csv"')
    assert answer.content.startswith(b"\xef\xbb\xbf")
    assert "Salvatore Pizzolante" in answer.content.decode()
    assert ordered() == []
    assert without_times(answer)


def test_a_browser_that_unpacks_gets_it_packed(client, cup):
    path = address(cup, "print/heat-1-1.csv")
    plain = client.get(path)
    assert "Content-Encoding" not in plain
    for accepted in ("gzip", "br, gzip;q=0.5", "deflate,GZIP"):
        packed = client.get(path, headers={"accept-encoding": accepted})
        assert packed["Content-Encoding"] == "gzip"
        assert gzip.decompress(packed.content) == plain.content
        assert packed["ETag"] == plain["ETag"]
        assert "Accept-Encoding" in packed["Vary"]
    for accepted in ("", "br", "gzip;q=0", "gzip; q=0.0, br", "notgzip"):
        assert "Content-Encoding" not in client.get(path, headers={"accept-encoding": accepted})


# Prints that take a while


def test_a_print_is_made_once_however_often_it_is_asked_for(client, cup):
    path = address(cup, "print/heat-1-2.pdf")
    for _ in range(5):
        answer = client.get(path)
        assert answer.status_code == 202
        assert answer["Refresh"] == f"1; url={path}?look=1"
        assert without_times(answer)
    stamp = tournament_for_page(SYSTEM, cup.slug).stamp.key
    assert ordered() == [[cup.slug, "heat-1-2", "pdf", "it", stamp]]
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
    key = prints_kept.key_of(view.stamp.key, "ranking", "pdf", "it")

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
    for language, title in (("tr", "Son sıralama"), ("en", "Final ranking")):
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


# Names of files


@pytest.mark.parametrize(
    ("title", "name"),
    [
        ("Batteria 1 – Coppa", "Batteria 1 – Coppa.pdf"),
        ('a/b\\c:d*e?f"g<h>i|j%k', "a-b-c-d-e-f-g-h-i-j-k.pdf"),
        ("../../etc/passwd", "etc-passwd.pdf"),
        ("x\r\nSet-Cookie: a=b", "x Set-Cookie- a=b.pdf"),
        ("\u202efdp.exe", "fdp.exe.pdf"),
        ("Şampiyona 王小明", "Şampiyona 王小明.pdf"),
        ("w" * 200, "w" * 80 + ".pdf"),
    ],
)
def test_a_file_keeps_its_name_without_what_no_system_can_store(title, name):
    header = disposition("inline", title, "pdf")
    assert header.isascii()
    assert header.isprintable()
    plain, full = re.fullmatch(r"inline; filename=\"([a-z0-9.-]+)\"; filename\*=UTF-8''(\S+)", header).groups()
    assert plain == file_name(title, "pdf")
    assert unquote(full) == name


def test_a_name_of_nothing_but_dots_is_left_out():
    assert disposition("attachment", "...", "csv") == 'attachment; filename="gingodrome.csv"'
