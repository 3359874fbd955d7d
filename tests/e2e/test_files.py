"""Prints as a reader gets them: by links from the tournament, made by the heavy worker of a real house."""

import io
import json
import time
from urllib.parse import unquote

import pytest
from playwright.sync_api import expect
from pypdf import PdfReader
from redis import Redis

from tests.e2e.conftest import axe, screenshot, sideways
from tests.e2e.dress import LANGUAGES, Tour

pytestmark = pytest.mark.browser
CUP = "/tournaments/vii-coppa-adriatica-2026/"
CHAMPION = "Salvatore Pizzolante"
TITLES = {"it": "Classifica finale", "tr": "Son sıralama", "en": "Final ranking"}


@pytest.fixture(scope="module")
def whole_house(club_house):
    """The house of the club once its heavy worker lives: prints are made there."""
    club_house.wait_until_whole()
    return club_house


def pdf_behind(seen, link):
    """Clicks a link to a PDF, waits until it is there, and returns its bytes and its name."""
    with seen.page.expect_response(is_pdf, timeout=90_000) as waited:
        link.click(no_wait_after=True)
    # The browser shows it or saves it, as it is set up: its bytes are asked for once more.
    answer = seen.context.request.get(waited.value.url)
    name = answer.headers["content-disposition"].partition("filename*=UTF-8''")[2]
    return answer.body(), unquote(name)


def is_pdf(answer):
    return answer.status == 200 and answer.headers.get("content-type") == "application/pdf"


def saved(seen, link):
    """Clicks a link to a file that the browser saves; its bytes and its name."""
    with seen.page.expect_download(timeout=90_000) as waited:
        link.click(no_wait_after=True)
    return waited.value.path().read_bytes(), waited.value.suggested_filename


def words_of(pdf):
    return " ".join(" ".join(page.extract_text().split()) for page in PdfReader(io.BytesIO(pdf)).pages)


@pytest.mark.parametrize("language", TITLES)
def test_from_the_tournament_to_a_pdf_on_paper(visit, whole_house, language):
    seen = visit(whole_house.url + CUP, language=language)
    seen.page.locator(f'.tabs a[href="{CUP}print/"]').click()
    expect(seen.page.locator("h1")).to_be_visible()
    pdf, name = pdf_behind(seen, seen.page.locator(f'a[href="{CUP}print/ranking.pdf"]'))
    assert pdf.startswith(b"%PDF")
    assert name.startswith(f"VII Coppa Adriatica – {TITLES[language]}")
    assert name.endswith(".pdf")
    text = words_of(pdf)
    assert TITLES[language] in text
    assert f"1 {CHAMPION}" in text
    # The browser's own reader of PDF is a page of its own parts.
    assert [url for url in seen.strangers() if not url.startswith(("chrome:", "chrome-extension:"))] == []


def test_the_book_is_waited_for_on_a_page_that_goes_on_by_itself_without_script(visit, whole_house):
    seen = visit(whole_house.url + CUP + "print/", language="en", java_script_enabled=False)
    pdf, _ = pdf_behind(seen, seen.page.locator(f'a[href="{CUP}print/everything.pdf"]'))
    text = words_of(pdf)
    assert CHAMPION in text
    assert text.count("the referee") == 16
    # By then it is kept: the same bytes come at once.
    answer = seen.context.request.get(f"{whole_house.url}{CUP}print/everything.pdf")
    assert answer.status == 200
    assert answer.body() == pdf


def test_a_table_and_the_file_come_under_names_that_tell_what_they_are(visit, whole_house):
    seen = visit(whole_house.url + CUP + "print/", language="it")
    data, name = saved(seen, seen.page.locator(f'a[href="{CUP}print/heat-1-2.csv"]'))
    assert name == "VII Coppa Adriatica – Borino.csv"
    assert data.startswith(b"\xef\xbb\xbf")
    data, name = saved(seen, seen.page.locator(f'.tabs a[href="{CUP}file.json"]'))
    assert name == "VII Coppa Adriatica.json"
    assert json.loads(data)["tournament"]["name"] == "VII Coppa Adriatica"
    # A long table comes from the heavy worker, and the page that waits for it stays.
    data, name = saved(seen, seen.page.locator(f'a[href="{CUP}print/everything.csv"]'))
    assert name.endswith(".csv")
    assert CHAMPION in data.decode("utf-8-sig")


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_prints_are_clean_in_every_dress(visit, whole_house, language):
    seen = visit(whole_house.url + CUP + "print/", language=language)
    Tour(language).check(seen.page, "prints")
    assert seen.strangers() == []
    assert seen.faults == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_who_waits_and_who_waits_in_vain_reads_a_clean_page(visit, whole_house, scheme):
    """The line is filled with invented orders, so the print of the reader has to wait, and in the end does not come."""
    path = f"{CUP}print/heat-1-7.pdf"
    with Redis.from_url(whole_house.redis_url) as valkey:
        now = int(time.time())
        valkey.zadd("prints:waiting", {f"invented:{at}": now for at in range(20)})
        try:
            seen = visit(whole_house.url + path, language="it", scheme=scheme, width=320)
            expect(seen.page.locator(".notice-warning")).to_be_visible()
            assert axe(seen.page) == []
            assert sideways(seen.page) == []
            screenshot(seen.page, f"print-in-vain-{scheme}")
        finally:
            valkey.zremrangebyrank("prints:waiting", 0, -1)
    assert [fault for fault in seen.faults if "503" not in fault] == []
