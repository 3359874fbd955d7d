"""Before the draw in browsers: a tournament made on a phone, its list of players, and two desks that share a counter."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.conftest import Visit, Visitor, axe, screenshot, sideways
from tests.e2e.house import RunningHouse

pytestmark = [pytest.mark.browser, pytest.mark.slow]
# Nobody else in this house has these names.
CSV = "Cognome;Nome;Circolo\nD'Angelo;Elio;Ancora\n;;Ancora\nRè;Nicolò;Forlì\nIşık;Damla;\n"


@pytest.fixture(scope="module")
def house(club_house: RunningHouse) -> RunningHouse:
    club_house.wait_until_whole()
    return club_house


def organiser(visit: Visitor, house: RunningHouse, **options) -> Visit:
    """A browser in which the organiser of the demonstration is signed in."""
    seen = visit(f"{house.url}/demo/", language="en", **options)
    button = seen.page.locator("form.what", has=seen.page.locator("button", has_text=re.compile("Oreste")))
    button.locator("button").click()
    expect(seen.page.locator(".hall-who")).to_contain_text("Oreste")
    return seen


def looked_at(page: Page, name: str) -> None:
    """No fault of accessibility, nothing sideways at this width nor at a desk; pictures of both."""
    narrow = page.viewport_size
    assert axe(page) == []
    assert sideways(page) == []
    screenshot(page, f"{name}-360")
    page.set_viewport_size({"width": 1280, "height": 900})
    assert sideways(page) == []
    screenshot(page, f"{name}-1280")
    page.set_viewport_size(narrow)


def test_from_an_empty_page_to_a_full_desk(visit: Visitor, house: RunningHouse, tmp_path: Path):
    phone = organiser(visit, house, width=360, height=740)
    page = phone.page
    page.goto(f"{house.url}/tournaments/new/")
    page.get_by_label("Name", exact=True).fill("Coppa della Befana")
    page.get_by_label("Series").fill("befana")
    page.get_by_label("Length of the second final").fill("59")
    page.get_by_role("button", name="Make the tournament").click()
    expect(page.locator(".field-error")).to_contain_text("half of a match, 60 minutes, is the least")
    expect(page.get_by_label("Name", exact=True)).to_have_value("Coppa della Befana")
    looked_at(page, "entries-new")
    page.get_by_label("Length of the second final").fill("60")
    page.get_by_role("button", name="Make the tournament").click()
    expect(page.get_by_role("heading", name="0 entrants")).to_be_visible()
    address = page.url.partition("?")[0].removesuffix("entries/")

    page.get_by_role("link", name="Import a list").click()
    file = tmp_path / "list.csv"
    file.write_bytes(CSV.encode("windows-1254"))
    page.get_by_label("List of players").set_input_files(file)
    page.get_by_role("button", name="Upload and look").click()
    expect(page.get_by_text("There is no name in this row.")).to_be_visible()
    expect(page.get_by_text("Damla Işık", exact=True)).to_be_visible()
    looked_at(page, "entries-preview")
    page.get_by_role("button", name="Enter them").click()
    expect(page.get_by_role("heading", name="3 entrants")).to_be_visible()

    page.get_by_label("Name").fill("Quirina")
    page.keyboard.press("Enter")
    expect(page.get_by_text("somebody new: Quirina")).to_be_visible()
    looked_at(page, "entries-list")
    page.get_by_text("somebody new: Quirina").click()
    page.get_by_role("button", name="Enter", exact=True).click()
    expect(page.get_by_label("Name")).to_be_focused()  # for the next one
    page.locator("#entrant-P04 summary").click()
    page.get_by_role("button", name="Take Quirina out of the list").click()
    expect(page.get_by_role("heading", name="3 entrants")).to_be_visible()

    desk = organiser(visit, house)
    desk.page.goto(f"{address}check-in/?badge=P02")
    expect(desk.page.locator("html")).to_have_attribute("data-live", "own")
    page.goto(f"{address}check-in/")
    page.get_by_label("Name, club or code").press_sequentially("isik")
    expect(page.locator(".desk > li")).to_have_count(1)
    page.get_by_role("button", name=re.compile("Is here")).click()
    expect(page.locator(".counter")).to_contain_text("1 / 3")
    expect(desk.page.locator(".counter")).to_contain_text("1 / 3")  # the other desk heard of it
    desk.page.locator(".badge button").click()
    expect(desk.page.locator(".badge button")).to_contain_text("Not here")
    expect(page.locator(".counter")).to_contain_text("2 / 3")
    expect(page.locator(".desk > li")).to_have_count(1)  # what was searched for stays
    looked_at(desk.page, "entries-check-in")
    # The browser tells of the form that was refused, and of nothing else.
    assert [fault for fault in phone.faults if "422" not in fault] + desk.faults == []
