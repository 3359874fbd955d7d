"""The draw and the seats in a browser: by keyboard, on a phone, with cards that can be seen."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.conftest import Visitor
from tests.e2e.house import RunningHouse
from tests.e2e.test_entries import house, looked_at, organiser

__all__ = ["house"]
pytestmark = [pytest.mark.browser, pytest.mark.slow]
NAMES = (
    "Ada {0}",
    "Bea {0}",
    "Cem {0}",
    "Dilara Işıl {0}",
    "Ezio D'{0}",
    "Fulvia {0} di Castelfranco",
    "Gaia {0}",
    "Hakan {0}",
    "Ivo {0}",
    "Lea {0}",
    "Nino {0}",
)


def entered(page: Page, url: str, folder: Path, family: str) -> str:
    """A tournament of eleven players of a name that nobody else in the house has; its address."""
    page.goto(f"{url}/tournaments/new/")
    page.get_by_label("Name", exact=True).fill(f"Coppa {family}")
    page.get_by_label("Series").fill(family.lower())
    page.get_by_role("button", name="Make the tournament").click()
    page.wait_for_url("**/entries/**")
    address = page.url.partition("?")[0].removesuffix("entries/")
    file = folder / "list.csv"
    file.write_text("Name\n" + "".join(f"{name.format(family)}\n" for name in NAMES))
    page.goto(f"{address}entries/import/")
    page.get_by_label("List of players").set_input_files(file)
    page.get_by_role("button", name="Upload and look").click()
    page.get_by_role("button", name="Enter them").click()
    expect(page.get_by_role("heading", name="11 entrants")).to_be_visible()
    return address


def test_a_draw_by_keyboard_and_seats_by_cards(visit: Visitor, house: RunningHouse, tmp_path: Path):
    phone = organiser(visit, house, width=360, height=740)
    page = phone.page
    address = entered(page, house.url, tmp_path, "Sorteggini")
    page.goto(f"{address}draw/")
    expect(page.get_by_text("11 players are no multiple of five: 1 sits out.")).to_be_visible()
    page.get_by_role("button", name="Draw", exact=True).press("Enter")
    expect(page.get_by_text("Only the organisers see it until you publish it.")).to_be_visible()

    page.get_by_role("link", name=re.compile("Move.*Ada Sorteggini")).press("Enter")
    expect(page.get_by_role("heading", name="Move Ada Sorteggini")).to_be_in_viewport()
    looked_at(page, "draw-move")
    page.get_by_label("In exchange with").focus()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Tab")
    page.keyboard.type("Her sister is there.")
    page.keyboard.press("Enter")
    expect(page.get_by_text("Her sister is there.").first).to_be_visible()
    looked_at(page, "draw-draft")
    stranger = visit(f"{address}draw/", language="en", width=360, height=740).page
    expect(stranger.locator("h1")).not_to_have_text("Draw")

    page.get_by_role("button", name="Publish the draw").press("Enter")
    expect(page.get_by_text("everybody sees it now")).to_be_visible()
    stranger.reload()
    expect(stranger.get_by_text("Her sister is there.").first).to_be_visible()
    expect(stranger.get_by_text("the same tables")).to_be_visible()
    looked_at(stranger, "draw-public")

    page.get_by_role("link", name=re.compile("Seats.*Centrale")).click()
    expect(page.get_by_text("The seats are not drawn yet")).to_be_visible()
    for at, card in enumerate("KK72A"):
        page.locator("select").nth(at).select_option(card)
    page.get_by_role("button", name="Write these cards").press("Enter")
    expect(page.get_by_role("alert")).to_contain_text("draw again, nobody else")
    looked_at(page, "seats-level")
    for at, card in ((5, "3"), (6, "4")):
        page.locator("select").nth(at).select_option(card)
    page.get_by_role("button", name="Write these cards").press("Enter")
    expect(page.get_by_text("The seats are drawn.")).to_be_visible()

    page.goto(f"{address}stages/1/heats/2/seats/")
    page.get_by_role("button", name="Let the house draw").press("Enter")
    expect(page.get_by_text("deals first").first).to_be_visible()
    cards = page.locator(".drawn-cards img")
    assert cards.count() >= 5
    assert all(cards.evaluate_all("all => all.map((card) => card.complete && card.naturalWidth > 0)"))
    around = page.evaluate(
        """() => [...document.querySelectorAll(".round-table > li")].map((seat) => {
            const box = seat.getBoundingClientRect();
            return [box.x + box.width / 2, box.y + box.height / 2];
        })"""
    )
    # Counter-clockwise from the bottom: to the right, up, over to the left, down.
    assert around[0][1] == max(y for _, y in around)
    assert around[1][0] > around[0][0] > around[4][0]
    assert around[2][1] < around[1][1]
    assert around[3][0] < around[2][0]
    assert around[3][1] < around[4][1]
    looked_at(page, "seats-drawn")
    # A form that is refused is an answer, too.
    assert [fault for fault in phone.faults if "422" not in fault] == []
    assert phone.strangers() == []
