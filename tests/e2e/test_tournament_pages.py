"""The pages of one tournament in a browser: three languages, two themes, two sizes, by keyboard and without script."""

import re

import pytest
from playwright.sync_api import expect

from tests.e2e.conftest import walk_by_tab
from tests.e2e.dress import DESK, LANGUAGES, PHONE, Tour

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


@pytest.fixture
def address(club_house):
    return lambda page: f"{club_house.url}/tournaments/{PAGES.get(page, page)}"


@pytest.mark.slow
@pytest.mark.parametrize("language", LANGUAGES)
def test_every_page_is_clean_in_every_dress(visit, club_house, address, language):
    seen = visit(f"{club_house.url}/rules/", language=language)
    tour = Tour(language)
    for name in PAGES:
        seen.page.goto(address(name))
        tour.check(seen.page, name)
    assert seen.strangers() == []
    assert seen.faults == []


@pytest.mark.parametrize("name", ["tournament", "heat", "repechage", "rulings"])
def test_every_link_is_reached_by_the_tab_key(visit, address, name):
    walk_by_tab(visit(address(name), language="en", width=360).page)


def test_targets_are_large_enough(visit, club_house, address):
    page = visit(f"{club_house.url}/rules/", language="en").page
    for name in PAGES:
        page.goto(address(name))
        for width in (PHONE, DESK):
            page.set_viewport_size({"width": width, "height": 900})
            small = page.evaluate(
                """() => [...document.querySelectorAll("main a[href], main button, main summary")]
                    .filter((e) => e.checkVisibility() && e.offsetHeight < 24 && !e.closest("p, li"))
                    .map((e) => e.outerHTML)"""
            )
            assert small == [], (name, width)


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
