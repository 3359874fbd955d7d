"""A match written by its own table, corrected, signed, typed in from paper; and its pages in every dress."""

from __future__ import annotations

import time

import pytest
from playwright.sync_api import expect

from tests.e2e.conftest import Visitor, axe, screenshot, walk_by_tab
from tests.e2e.dress import LANGUAGES, Tour
from tests.e2e.matches import PLAYERS, Table
from tests.e2e.phones import RITA, SENT, enter, hand_of, keys_of, line, thumb, told, total

pytestmark = [pytest.mark.browser, pytest.mark.slow]


# The table itself


def test_a_player_writes_and_another_accepts_with_one_touch(visit: Visitor, hall, tables):
    table = tables.open()
    other = enter(visit, hall, table, PLAYERS[3], "", has_touch=True).page
    writer = enter(visit, hall, table, PLAYERS[0], has_touch=True).page
    thumb(writer, 0, 1, 75, 80)
    expect(writer.locator("#waiting")).to_contain_text("Hand 1 waits for a second person", timeout=SENT)
    expect(writer.get_by_role("button", name="Accept")).to_have_count(0)
    waiting = other.locator("#waiting")
    expect(waiting).to_contain_text("75 bid by Antonella De Santis with Çağrı Yıldırım, 80 made", timeout=SENT)
    assert waiting.locator(".scores-points").all_inner_texts() == ["+75", "+75", "0", "0", "0"]
    assert axe(other) == []
    screenshot(other, "accept-360")
    assert tables.entries(table) == []
    other.get_by_role("button", name="Accept").tap()
    expect(other.locator(".notice-good")).to_contain_text("it is on the sheet")
    expect(writer.locator("#sheet tbody .hand-no")).to_have_count(1, timeout=SENT)
    expect(writer.locator("#waiting")).to_have_count(0)
    assert tables.points(table) == [75, 75, 0, 0, 0]
    # and once more: rejected
    writer.get_by_role("link", name="Record hand 2").tap()
    thumb(writer, 1, 2, 75, 80)
    expect(waiting).to_be_visible(timeout=SENT)
    other.get_by_role("button", name="Reject").tap()
    expect(other.locator(".notice-good")).to_contain_text("Rejected")
    expect(writer.locator("#waiting")).to_have_count(0, timeout=SENT)
    assert len(tables.entries(table)) == 1


def test_the_next_hand_waits_until_the_one_before_is_accepted(visit: Visitor, hall, tables):
    table = tables.open()
    writer = enter(visit, hall, table, PLAYERS[0], has_touch=True).page
    for key in keys_of(0, 1, 75, 80)[:-1]:
        writer.locator("#recorder").locator(key).tap()
    writer.context.set_offline(True)
    writer.locator("[data-save]").tap()
    thumb(writer, 1, 2, 90, 100)
    expect(line(writer)).to_have_text("No network. 2 hands wait to be sent.")
    writer.context.set_offline(False)
    expect(line(writer)).to_contain_text("must be accepted or judged first", timeout=SENT)
    other = enter(visit, hall, table, PLAYERS[3], "", has_touch=True).page
    other.get_by_role("button", name="Accept").tap()
    expect(other.locator("#waiting")).to_contain_text("Hand 2 waits", timeout=SENT)
    other.get_by_role("button", name="Accept").tap()
    expect(other.locator("#waiting")).to_have_count(0)
    assert [told(entry) for entry in tables.entries(table)] == [(0, 1, 75, 80), (1, 2, 90, 100)]


def test_a_page_that_changes_keeps_what_somebody_does_on_it(visit: Visitor, hall, tables):
    """What is open stays open, what is typed stays typed, and nothing changes under a finger that is down."""
    table = tables.open()
    page = enter(visit, hall, table, PLAYERS[0], "").page
    rows = page.locator("#sheet tbody .hand-no")
    page.locator("summary", has_text="Call the referee").click()
    page.locator("#call-words").press_sequentially("he talks")
    tables.play(table, 1, 0, 1, 75, 80)
    expect(rows).to_have_count(1, timeout=SENT)
    expect(page.locator("#call-words")).to_be_focused()
    expect(page.locator("#call-words")).to_have_value("he talks")
    page.get_by_role("link", name="Sign").hover()
    page.mouse.down()
    tables.play(table, 2, 1, 2, 75, 80)
    page.wait_for_timeout(2000)
    expect(rows).to_have_count(1)
    page.mouse.move(1, 1)
    page.mouse.up()
    expect(rows).to_have_count(2, timeout=SENT)


def test_three_players_sign(visit: Visitor, hall, tables):
    table = tables.open()
    referee = enter(visit, hall, table, RITA, has_touch=True).page
    thumb(referee, 0, 1, 75, 80)
    expect(line(referee)).to_have_text("Hand 1 is saved.", timeout=SENT)
    for name in PLAYERS[:3]:
        page = enter(visit, hall, table, name, "sign/", has_touch=True).page
        assert page.locator(".final-total").first.inner_text() == "75"
        page.get_by_role("button", name="Sign the scoresheet").tap()
        expect(page.locator(".notice-good")).to_contain_text("Signed")
    assert tables.state(table) == "closed"
    expect(referee.locator("[data-line]")).to_contain_text("closed", timeout=SENT)
    expect(referee.locator("[data-save]")).to_be_disabled()


def test_a_hand_is_corrected_and_taken_back(visit: Visitor, hall, tables):
    table = tables.open()
    page = enter(visit, hall, table, RITA, has_touch=True).page
    thumb(page, 0, 1, 75, 80)
    expect(line(page)).to_have_text("Hand 1 is saved.", timeout=SENT)
    page.get_by_role("link", name="Scoresheet").tap()
    page.get_by_role("link", name="Correct hand 1").tap()
    page.locator("[data-amount=made] [data-tens='60']").tap()
    page.locator("[data-amount=made] [data-units='0']").tap()
    assert page.locator("[data-points]").all_inner_texts() == ["−15", "−15", "+60", "+60", "+60"]
    page.get_by_label("Reason").first.fill("misread")
    page.get_by_role("button", name="Correct", exact=True).tap()
    expect(page.locator("#sheet")).to_contain_text("Corrected: “misread”")
    page.get_by_role("link", name="Correct hand 1").tap()
    page.locator("summary", has_text="Take back").tap()
    page.locator("#undo-reason").fill("it was right")
    page.get_by_role("button", name="Take it back").tap()
    expect(page.locator("#sheet")).to_contain_text("it was right")
    assert [told(entry)[3] for entry in tables.entries(table)] == [80, 60, 80]
    assert tables.points(table) == [75, 75, 0, 0, 0]


# From paper


def test_a_paper_sheet_of_thirty_hands_by_keyboard(visit: Visitor, hall, tables):
    table = tables.open()
    seen = enter(visit, hall, table, RITA, "grid/", width=1280, height=900)
    page = seen.page
    page.locator("[name=caller-0]").focus()
    hands = [hand_of(number) for number in range(1, 31)]
    began = time.monotonic()
    for at, (caller, called, bid, made) in enumerate(hands):
        for value in (caller + 1, "acbde"[called], bid, made):
            page.keyboard.type(str(value))
            page.keyboard.press("Enter")
        assert page.locator(f"tr[data-row='{at}'] [data-total]").last.inner_text() != ""
    print(f"\npaper sheet: {time.monotonic() - began:.1f} s for 30 hands")
    shown = [text.replace("−", "-") for text in page.locator("tr[data-row='29'] [data-total]").all_inner_texts()]
    assert [int(text) for text in shown] == total(hands)
    page.locator("[name=made-4]").fill("130")
    expect(page.locator("[name=made-4]")).to_have_attribute("data-wrong", "")
    page.get_by_role("button", name="Save all hands").click()
    expect(page.locator("#grid-error")).to_contain_text("Hand 5: Made: 130 points cannot be made")
    assert tables.entries(table) == []
    page.locator("[name=made-4]").fill(str(hands[4][3]))
    page.keyboard.press("ArrowUp")
    expect(page.locator("[name=made-3]")).to_be_focused()
    page.get_by_role("button", name="Save all hands").click()
    expect(page.locator(".notice-good")).to_contain_text("30 hands are saved.")
    assert [told(entry) for entry in tables.entries(table)] == hands
    assert tables.points(table) == total(hands)


# Dress


def pages_of(table: Table) -> dict[str, str]:
    here = f"/matches/{table.match}/"
    return {
        "matches": "/matches/",
        "match": here,
        "record": f"{here}record/",
        "correct": f"{here}lines/1/",
        "grid": f"{here}grid/",
        "sign": f"{here}sign/",
        "new-match": "/matches/new/",
    }


@pytest.fixture(scope="module")
def written(hall, tables) -> Table:
    """A match with a few hands, one of them corrected."""
    table = tables.open()
    for hand in (1, 2, 3):
        tables.play(table, hand, *hand_of(hand))
    tables.correct(table, 2, 1, *hand_of(9), "the points were counted again")
    return table


@pytest.mark.parametrize("language", LANGUAGES)
def test_all_pages_are_clean_in_every_dress(visit: Visitor, hall, written, language):
    seen = enter(visit, hall, written, RITA, "", language=language)
    tour = Tour(language)
    for name, path in pages_of(written).items():
        seen.page.goto(hall.url + path)
        tour.check(seen.page, f"recording-{name}")
    assert seen.faults == []
    assert seen.strangers() == []


@pytest.mark.parametrize("name", ["match", "sign"])
def test_everything_can_be_reached_by_keyboard(visit: Visitor, hall, written, name):
    page = enter(visit, hall, written, RITA, "sign/" if name == "sign" else "").page
    page.wait_for_timeout(2000)  # the live page has fetched itself once
    walk_by_tab(page)
