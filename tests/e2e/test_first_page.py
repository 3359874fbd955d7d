"""The first page and the rules, as a reader meets them: three languages, two themes, two sizes."""

import re

import pytest

from tests.e2e.conftest import axe, screenshot, sideways, walk_by_tab

TITLES = {
    "it": "Tornei di carte",
    "tr": "Kâğıt turnuvaları",
    "en": "Card tournaments",
}
pytestmark = pytest.mark.browser


@pytest.mark.parametrize("width", [360, 1280])
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("language", ["it", "tr", "en"])
def test_the_first_page_is_clean_in_every_dress(visit, club_house, language, scheme, width):
    for path, name in (("/", "home"), ("/rules/", "rules"), ("/championships/world-2007/1/1/", "scoresheet")):
        seen = visit(club_house.url.rstrip("/") + path, language=language, scheme=scheme, width=width)
        assert seen.page.locator("html").get_attribute("lang") == language
        assert seen.page.locator("h1").count() == 1
        assert axe(seen.page) == []
        assert sideways(seen.page) == []
        assert seen.strangers() == []
        assert seen.faults == []
        screenshot(seen.page, f"{name}-{language}-{scheme}-{width}")


@pytest.mark.parametrize("language", TITLES)
def test_it_says_what_this_is_in_the_readers_language(visit, club_house, language):
    seen = visit(club_house.url, language=language)
    assert seen.page.locator("h1").inner_text().startswith(TITLES[language])


def texts(table):
    return [re.sub(r"\s+", " ", row.inner_text()).strip() for row in table.locator("tbody tr:not(.why)").all()]


def test_the_published_heat_of_2007_stands_there_with_its_gaps(visit, club_house):
    seen = visit(club_house.url, language="en")
    rows = texts(seen.page.locator("#world-2007-1-1"))
    expected = [("P07", "887"), ("P09", "846"), ("P15", "819"), ("P16", "771"), ("P08", "745")]
    for row, (player, points), gap in zip(rows, expected, ("0.00", "4.62", "7.67", "13.08", "16.01"), strict=True):
        assert player in row
        assert points in row
        assert gap in row


def test_repechage_and_ranking_give_their_reasons_with_the_article(visit, club_house):
    seen = visit(club_house.url, language="en")
    reason = seen.page.locator("#world-2007-1-repechage .reason").first
    assert "nobody has a smaller gap" in reason.inner_text()
    link = reason.locator("a.article")
    assert link.get_attribute("href") == "/rules/#S7"
    link.click()
    seen.page.wait_for_url("**/rules/#S7")
    assert seen.page.locator("#S7").is_visible()


def test_what_is_invented_says_so(visit, club_house):
    seen = visit(club_house.url, language="en")
    heats = seen.page.locator("#world-2007 .columns > div")
    centrale, centralino = heats.nth(0).inner_text(), heats.nth(1).inner_text()
    assert "published" in centrale
    assert "golden call" not in centrale  # its hands are invented
    assert "invented" in centralino
    assert "champion published" in seen.page.locator("#world-2007").inner_text()
    assert "order published, points invented" in seen.page.locator("#world-2001").inner_text()


def test_the_ranking_of_2001_is_the_published_one(visit, club_house):
    seen = visit(club_house.url, language="en")
    rows = texts(seen.page.locator("#world-2001-ranking"))
    assert [re.search(r"P\d\d", row)[0] for row in rows] == [f"P{n:02d}" for n in range(1, 11)]
    assert [row.split()[-1] for row in rows] == ["15", "12", "10", "8", "6", "5", "4", "3", "2", "1"]


def test_the_scoresheet_adds_up_and_says_that_its_hands_are_invented(visit, club_house):
    seen = visit(club_house.url, language="en")
    seen.page.get_by_role("link", name="scoresheet of Centrale").click()
    seen.page.wait_for_url("**/championships/world-2007/1/1/")
    assert "invented" in seen.page.locator(".notice").inner_text()
    assert seen.page.locator("#sheet tbody tr:not(.why)").count() == 27
    totals = seen.page.locator("#sheet tfoot td.num").all_inner_texts()
    assert [text.strip() for text in totals][-5:] == ["887", "846", "819", "771", "745"]


@pytest.mark.parametrize(
    "path", ["/championships/world-2001/1/1/", "/championships/world-2007/9/1/", "/championships/no/1/1/"]
)
def test_what_has_no_scoresheet_is_not_found(visit, club_house, path):
    seen = visit(club_house.url.rstrip("/") + "/", language="en")
    assert seen.page.request.get(club_house.url.rstrip("/") + path).status == 404


def test_files_come_compressed_under_names_that_change_with_them(visit, club_house):
    seen = visit(club_house.url, language="en")
    styles = [url for url in seen.requests if url.endswith(".css")]
    assert styles
    assert all(re.search(r"/static/css/[a-z]+\.[0-9a-f]{12}\.css$", url) for url in styles)
    answer = seen.page.request.get(styles[0], headers={"accept-encoding": "gzip"})
    assert answer.headers["content-encoding"] == "gzip"
    assert "immutable" in answer.headers["cache-control"]


def test_the_style_guide_is_for_debug_houses_only(visit, club_house):
    seen = visit(club_house.url, language="en")
    assert seen.page.request.get(f"{club_house.url.rstrip('/')}/styleguide/").status == 404


def test_the_language_can_be_changed_without_script(visit, club_house):
    seen = visit(club_house.url, language="it", java_script_enabled=False)
    for language in ("tr", "en", "it"):
        seen.page.locator(f".switch button[lang={language}]").click()
        seen.page.wait_for_load_state("load")
        assert seen.page.locator("html").get_attribute("lang") == language
        assert seen.page.locator("h1").inner_text().startswith(TITLES[language])


def test_everything_can_be_reached_by_keyboard(visit, club_house):
    walk_by_tab(visit(club_house.url, language="en", width=360).page)
