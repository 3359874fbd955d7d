"""The file of a tournament, what of it can be printed, and its small tables."""

import gzip
import json
import re
from urllib.parse import unquote

import pytest
from django.utils.translation import override

from core import valkey
from players.actor import SYSTEM
from players.models import Grant, User
from players.rules.rights import ADMIN
from players.services import grant_role, house_scope
from scoring.rules.scoresheet import SeatTotals
from tests.tournaments.printed import address, correct, ordered, without_times, work
from tests.tournaments.rows import CUP, FOLDER, WORLD_2007, generated, imported
from tournaments.queries.tournament import file_for_export, tournament_for_page
from tournaments.services.results import correct_heat_totals
from tournaments.web import files_views, prints, prints_kept
from tournaments.web.printing import Part, Sheet, disposition, file_name

pytestmark = pytest.mark.django_db
WORLD_2001 = FOLDER / "championships" / "world-2001.json"


@pytest.fixture(autouse=True)
def _empty_valkey(monkeypatch):
    """Nothing is kept, and nobody waits: what is ordered is made by `work`."""
    valkey.client().flushdb()
    monkeypatch.setattr(files_views, "PATIENCE", 0)


@pytest.fixture
def cup():
    return imported(CUP)


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
    with django_assert_num_queries(7):
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
    # Ranking, two stages of heats, A.G.P.; of the match without a sheet there is more to tell than its stage does.
    assert len(parts) == len(set(parts)) == len(words) + 4 == len(alone) + 5


def test_an_old_match_of_which_its_stage_says_all_has_no_page_in_the_book():
    view = tournament_for_page(SYSTEM, imported(WORLD_2001).slug)
    book = prints.document_of(view, prints.print_of(view, "everything"), "en")
    parts = [block.title for block in book.blocks if isinstance(block, Part)]
    assert parts == ["Final ranking", "Qualifying heats", "Final", "Second final", "A.G.P. before and after"]


def sheets(document):
    return (block for block in document.blocks if isinstance(block, Sheet))


def test_an_old_match_without_hands_is_printed_with_what_is_known():
    view = tournament_for_page(SYSTEM, generated_with_totals().slug)
    stage, heat = next(at for at in view.sheets if view.outcome.stages[at[0] - 1].matches[at[1] - 1].sheet is None)
    document = prints.document_of(view, prints.print_of(view, f"heat-{stage}-{heat}"), "en")
    assert not list(sheets(document))
    assert document.blocks[-1].caption == "Only the totals of this match survive"


def test_corrected_totals_stay_on_paper():
    row = generated_with_totals()
    view = tournament_for_page(SYSTEM, row.slug)
    stage, heat = next(at for at in view.sheets if view.outcome.stages[at[0] - 1].matches[at[1] - 1].sheet is None)
    record = view.given.stages[stage - 1].matches[heat - 1].record
    seats = view.outcome.stages[stage - 1].matches[heat - 1].seats
    points = tuple(placed.points for seat in seats for placed in ranking_of(view, stage, heat) if placed.player == seat)
    correct_heat_totals(
        SYSTEM,
        row.pk,
        stage=stage,
        heat=heat,
        totals=SeatTotals(points, record.hands_played + 1, (0,) * 5),
        reason="a hand was not counted",
        version=row.version,
        key="k",
    )
    view = tournament_for_page(SYSTEM, row.slug)
    for word in (f"heat-{stage}-{heat}", "everything"):
        document = prints.document_of(view, prints.print_of(view, word), "en")
        said = [text for block in document.blocks for text, _ in getattr(block, "sentences", ())]
        assert [text for text in said if "a hand was not counted" in text], word


def ranking_of(view, stage, heat):
    return view.outcome.stages[stage - 1].matches[heat - 1].ranking


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
