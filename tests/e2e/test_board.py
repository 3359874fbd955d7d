"""The organiser's board in browsers: a list before the start, a double click, a second desk that follows, a held time."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.e2e.conftest import Visitor
from tests.e2e.house import RunningHouse
from tests.e2e.test_draw import entered
from tests.e2e.test_entries import house, looked_at, organiser

__all__ = ["house"]
pytestmark = [pytest.mark.browser, pytest.mark.slow]
SOON = 15_000  # milliseconds for a page that follows by itself


def test_two_desks_start_suspend_and_look_at_the_time(visit: Visitor, house: RunningHouse, tmp_path: Path):
    desk = organiser(visit, house, width=360, height=740)
    page = desk.page
    address = entered(page, house.url, tmp_path, "Tabelloni")
    page.goto(f"{address}draw/")
    page.get_by_role("button", name="Draw", exact=True).click()
    page.get_by_role("button", name="Publish the draw").click()
    for heat in (1, 2):
        page.goto(f"{address}stages/1/heats/{heat}/seats/")
        page.get_by_role("button", name="Let the house draw").click()
        expect(page.get_by_text("The seats are drawn.")).to_be_visible()

    other = organiser(visit, house, width=360, height=740)
    for seen in (desk, other):
        seen.page.goto(f"{address}day/")
        expect(seen.page.get_by_text("look through the list and start them")).to_be_visible()
    expect(page.get_by_text("no device is armed to ring").first).to_be_visible()
    looked_at(page, "board-start")
    page.get_by_role("button", name="Start the chosen tables").dblclick()
    expect(page.get_by_text("2 tables are playing.")).to_be_visible()
    # The other desk hears of it, and its list of what can be started is gone.
    expect(other.page.get_by_text("2 tables are playing.")).to_be_visible(timeout=SOON)
    expect(other.page.get_by_role("button", name="Start the chosen tables")).to_have_count(0)

    other.page.get_by_text("Suspend tables").click()
    other.page.get_by_label("Centralino").uncheck()
    other.page.get_by_label("Reason").fill("The lamp went out.")
    other.page.get_by_role("button", name="Suspend", exact=True).click()
    expect(page.get_by_text("Suspended: The lamp went out.")).to_be_visible(timeout=SOON)
    looked_at(page, "board-play")

    page.get_by_role("link", name=re.compile("Manage.*Centralino")).click()
    hold = page.get_by_role("button", name="Hold to see the time")
    shown = page.locator("output")
    expect(shown).to_be_empty()
    hold.focus()
    page.keyboard.down("Enter")
    expect(shown).to_have_text(re.compile("Played .*left"))
    page.keyboard.up("Enter")
    expect(shown).to_be_empty()
    looked_at(page, "board-manage")
    for seen in (desk, other):
        assert seen.faults == []
        assert seen.strangers() == []
