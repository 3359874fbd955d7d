"""The bell in browsers: on every page of its match and no other, with sound where it was armed, and the device."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.conftest import Visitor, axe, screenshot, sideways
from tests.e2e.matches import PLAYERS
from tests.e2e.phones import RINO, RITA, SENT, enter, keys_of

pytestmark = [pytest.mark.browser, pytest.mark.slow]

# Headless tabs are all visible; the page is told otherwise, as a browser would tell it.
HIDE = """() => {
  Object.defineProperty(document, "visibilityState", { configurable: true, get: () => "hidden" });
  document.dispatchEvent(new Event("visibilitychange"));
}"""


def panel(page: Page):
    return page.locator("dialog.bell[open]")


def rang(page: Page) -> int:
    """How often this page rang: 0 where the sound is not armed."""
    return int(page.evaluate("document.documentElement.dataset.rang ?? 0"))


def arm(page: Page) -> None:
    page.get_by_role("button", name="Arm the bell").click()
    expect(page.locator("html")).to_have_attribute("data-sound", "armed")
    assert rang(page) == 1  # the test ring


def test_the_bell_is_on_every_page_of_its_match_and_on_no_other(visit: Visitor, hall, tables):
    table, other = tables.open(), tables.open()
    for one in (table, other):
        tables.start(one)
    recorder = enter(visit, hall, table, RITA)
    hidden = enter(visit, hall, table, PLAYERS[1], "", width=1280)
    judge = enter(visit, hall, table, PLAYERS[2], "penalty/")
    elsewhere = enter(visit, hall, other, PLAYERS[0], "")
    screenshot(recorder.page, "bell-armed-360")
    for seen in (recorder, hidden, elsewhere):
        arm(seen.page)
        expect(seen.page.locator("html")).to_have_attribute("data-live", "own", timeout=SENT)
    expect(judge.page.locator("html")).to_have_attribute("data-live", "own", timeout=SENT)
    hidden.page.evaluate(HIDE)
    title = hidden.page.title()
    touched = keys_of(0, 1, 75, 80)[:-1]
    for key in touched:
        recorder.page.locator("#recorder").locator(key).click()
    judge.page.get_by_role("link", name="Players").focus()

    tables.ring(table)
    for seen in (recorder, hidden, judge):
        expect(panel(seen.page)).to_be_visible(timeout=SENT)
        expect(panel(seen.page).locator("[aria-live=assertive]")).to_have_text("Centrale: the bell has rung")
    assert [rang(seen.page) for seen in (recorder, hidden, judge, elsewhere)] == [2, 2, 0, 1]
    assert hidden.page.title() == "Centrale: the bell has rung"
    expect(panel(elsewhere.page)).to_have_count(0)

    page = recorder.page
    expect(page.get_by_role("button", name="Go on")).to_be_focused()
    assert axe(page) == []
    assert sideways(page) == []
    screenshot(page, "bell-360")
    screenshot(hidden.page, "bell-1280")
    page.keyboard.press("Escape")
    expect(panel(page)).to_have_count(0)
    expect(page.locator("#clock")).to_be_focused()  # the form is gone, the question is there
    judge.page.keyboard.press("Enter")
    expect(judge.page.get_by_role("link", name="Players")).to_be_focused()
    hidden.page.get_by_role("button", name="Go on").click()
    assert hidden.page.title() == title

    # Instead of the form there is the question; the hand that was typed is still there afterwards.
    question = page.get_by_role("button", name="Yes, hand 1 was awarded")
    expect(question).to_be_visible(timeout=SENT)
    expect(page.locator("[data-recorder]")).to_be_hidden()
    assert axe(page) == []
    assert sideways(page) == []
    screenshot(page, "bell-question-360")
    screenshot(hidden.page, "bell-question-1280")
    question.click()
    expect(page.locator("#clock")).to_contain_text("The bell has rung: finish hand 1", timeout=SENT)
    expect(page.locator("[data-recorder]")).to_be_visible()
    page.locator("[data-save]").click()
    expect(page.locator("#clock")).to_contain_text("The bell has rung: the match is over", timeout=SENT)
    assert len(tables.entries(table)) == 1

    # Once for each page: who comes back is left alone, who comes later is told.
    page.reload()
    expect(page.locator("#clock")).to_contain_text("the match is over")
    late = enter(visit, hall, table, PLAYERS[4], "table/")
    expect(panel(late.page)).to_be_visible(timeout=SENT)
    expect(panel(page)).to_have_count(0)
    assert [seen.faults for seen in (recorder, hidden, judge, elsewhere, late)] == [[]] * 5


def test_a_device_rings_for_every_table_of_its_keeper(visit: Visitor, hall, tables):
    table, other = tables.open(), tables.open()
    tables.start(table)
    seen = enter(visit, hall, table, RITA, "clock/", width=360)
    page = seen.page
    page.goto(f"{hall.url}/bell/")
    box = page.locator("[data-ringer]")
    expect(box).to_have_attribute("data-armed", "off")
    assert axe(page) == []
    assert sideways(page) == []
    screenshot(page, "bell-device-360")
    arm(page)
    expect(box).to_have_attribute("data-armed", "on", timeout=SENT)
    expect(page.locator("[data-state]")).to_have_text("Armed: this device rings.")
    backup = enter(visit, hall, table, RINO, "clock/", width=1280)
    backup.page.goto(f"{hall.url}/bell/")
    expect(backup.page.locator("[data-others]")).to_have_text("One other device is armed.")
    screenshot(backup.page, "bell-device-1280")
    page.evaluate(HIDE)
    tables.ring(table)
    for device in (page, backup.page):
        expect(panel(device)).to_be_visible(timeout=SENT)
        expect(panel(device).locator("[data-names]")).to_have_text("Centrale")
    assert [rang(page), rang(backup.page)] == [2, 0]
    assert axe(page) == []
    page.get_by_role("button", name="Go on").click()
    expect(page.locator("[data-tables]")).to_contain_text("the bell has rung")
    page.reload()
    expect(box).to_have_attribute("data-armed", "off")
    expect(panel(page)).to_have_count(0)
    assert other.match not in page.content()
    assert [seen.faults, backup.faults] == [[], []]


def test_the_time_is_seen_as_long_as_the_button_is_held(visit: Visitor, hall, tables):
    table = tables.open()
    tables.start(table)
    seen = enter(visit, hall, table, RITA, "clock/")
    page = seen.page
    assert axe(page) == []
    assert sideways(page) == []
    screenshot(page, "clock-360")
    button, output = page.get_by_role("button", name="Hold to see the time"), page.locator("output")
    for press, release in (
        (page.mouse.down, page.mouse.up),
        (lambda: page.keyboard.down(" "), lambda: page.keyboard.up(" ")),
    ):
        button.hover()
        button.focus()
        press()
        expect(output).to_contain_text("Played", timeout=SENT)
        release()
        expect(output).to_be_empty()
    assert page.url.endswith("/clock/")
    assert seen.faults == []


def test_without_script_the_question_stands_instead_of_the_form(visit: Visitor, hall, tables):
    table = tables.open()
    tables.start(table)
    tables.ring(table)
    page = enter(visit, hall, table, PLAYERS[0], java_script_enabled=False).page
    if page.get_by_role("button", name="Yes, hand 1 was awarded").count() == 0:  # the ringers come a moment later
        page.reload()
    expect(page.locator("[data-recorder]")).to_be_hidden()
    page.get_by_role("button", name="It had been called at 120").click()
    expect(page.locator("#clock")).to_contain_text("The bell has rung: finish hand 1")
    expect(page.locator("[data-recorder]")).to_be_visible()


def test_the_table_behind_the_code(visit: Visitor, hall, tables):
    table = tables.open()
    tables.start(table)
    seen = enter(visit, hall, table, PLAYERS[1], "table/")
    stranger = visit(f"{hall.url}/matches/{table.match}/table/", language="en", width=1280)
    assert axe(seen.page) == []
    assert sideways(seen.page) == []
    expect(seen.page.locator(".is-mine")).to_contain_text(PLAYERS[1])
    screenshot(seen.page, "table-360")
    screenshot(stranger.page, "table-1280")
    tables.play(table, 1, 0, 1, 75, 80)
    expect(seen.page.locator("#table")).to_contain_text(f"{PLAYERS[1]} deals hand 2", timeout=SENT)
    assert [seen.faults, stranger.faults] == [[], []]
