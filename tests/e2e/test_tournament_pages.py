"""The pages of one tournament in a browser: three languages, two themes, two sizes, by keyboard and without script."""

import re

import pytest
from playwright.sync_api import expect

from tests.e2e.conftest import axe, screenshot, sideways, walk_by_tab

pytestmark = pytest.mark.browser

CUP = "vii-coppa-adriatica-2026"
WORLD = "xlii-campionato-mondiale-di-gingo-2025"
TOTALS = "xx-world-championship-2001"
PAGES = {
    "tournament": f"{CUP}/",
    "stage": f"{CUP}/stages/2/",
    "heat": f"{CUP}/stages/1/heats/12/",
    "heat-totals": f"{TOTALS}/stages/1/heats/1/",
    "repechage": f"{CUP}/stages/2/repechage/",
    "ranking": f"{CUP}/ranking/",
    "agp": f"{WORLD}/agp/",
    "tournament-rules": f"{CUP}/rules/",
    "rulings": f"{CUP}/rulings/",
    "versions": f"{CUP}/versions/",
    "version": f"{CUP}/versions/1/",
}
LANGUAGES = ("it", "tr", "en")


@pytest.fixture
def address(club_house):
    return lambda page: f"{club_house.url}/tournaments/{PAGES.get(page, page)}"


@pytest.mark.slow
@pytest.mark.parametrize("width", [360, 1280])
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("language", LANGUAGES)
def test_every_page_is_clean_in_every_dress(visit, address, language, scheme, width):
    for name in PAGES:
        seen = visit(address(name), language=language, scheme=scheme, width=width)
        assert seen.page.locator("html").get_attribute("lang") == language
        assert seen.page.locator("h1").count() == 1
        assert axe(seen.page) == [], name
        assert sideways(seen.page) == [], name
        assert seen.strangers() == []
        assert seen.faults == [], name
        screenshot(seen.page, f"{name}-{language}-{scheme}-{width}")
        seen.context.close()


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_page_scrolls_sideways_on_the_narrowest_phone(visit, address, language):
    for name in PAGES:
        seen = visit(address(name), language=language, width=320, height=640)
        assert sideways(seen.page) == [], name
        seen.context.close()


@pytest.mark.parametrize("name", ["tournament", "heat", "repechage", "rulings"])
def test_every_link_is_reached_by_the_tab_key(visit, address, name):
    walk_by_tab(visit(address(name), language="en", width=360).page)


@pytest.mark.parametrize("width", [360, 1280])
def test_targets_are_large_enough(visit, address, width):
    for name in PAGES:
        seen = visit(address(name), language="en", width=width)
        small = seen.page.evaluate(
            """() => [...document.querySelectorAll("main a[href], main button, main summary")]
                .filter((e) => e.checkVisibility() && e.offsetHeight < 24 && !e.closest("p, li"))
                .map((e) => e.outerHTML)"""
        )
        assert small == [], name
        seen.context.close()


def test_from_the_first_page_to_a_hand_and_the_rule_behind_a_place(visit, club_house):
    page = visit(club_house.url, language="en", java_script_enabled=False).page
    page.get_by_role("link", name="VII Coppa Adriatica").first.click()
    page.wait_for_url(f"**/tournaments/{CUP}/")
    page.get_by_role("link", name="Tramontana").click()
    expect(page.locator("#ranking tbody tr:not(.why)")).to_have_count(5)
    expect(page.get_by_text("Suicidal call of Ivano Lombardini")).to_be_visible()
    page.locator("#ranking a.article").first.click()
    page.wait_for_url(re.compile(r"/rules/#[A-Z0-9]+$"))
    expect(page.locator(f"#{page.url.partition('#')[2]}")).to_be_visible()


def test_a_case_leads_to_its_line_of_the_sheet(visit, address):
    page = visit(address("rulings"), language="en").page
    page.get_by_role("link", name="S17", exact=False).first.click()
    expect(page.locator(".cases > li")).to_have_count(1)
    page.locator(".cases a.step").click()
    page.wait_for_url(re.compile(r"/heats/12/#line-\d+$"))
    line = page.locator(f"#{page.url.partition('#')[2]}")
    expect(line).to_be_in_viewport()
    assert "voided" in line.get_attribute("class")


def test_the_names_of_a_ranking_lead_to_people(visit, address):
    page = visit(address("ranking"), language="en").page
    name = page.locator("#ranking a.who-name").first
    person = name.inner_text()
    name.click()
    page.wait_for_url("**/players/*/")
    expect(page.locator("h1")).to_have_text(person)


def test_neighbours_lead_through_the_heats(visit, address):
    page = visit(address(f"{CUP}/stages/1/heats/1/"), language="en").page
    for number in range(2, 13):
        page.locator("a[rel=next]").click()
        page.wait_for_url(f"**/heats/{number}/")
    assert page.locator("a[rel=next]").count() == 0
    page.locator("a[rel=prev]").click()
    page.wait_for_url("**/heats/11/")
