"""A match written on phones: by thumb, by keyboard, without script, by two at once."""

from __future__ import annotations

import time

import pytest
from playwright.sync_api import expect

from scoring.rules.hands import HandOutcome, hand_points
from scoring.rules.penalties import disloyal_raise, suicidal_call
from scoring.rules.ruleset import DEFAULT_SCORING, scoring_rules
from tests.e2e.conftest import Visitor, axe, screenshot, sideways
from tests.e2e.phones import RINO, RITA, SENT, enter, hand_of, keys_of, line, positions, thumb, told, total

pytestmark = [pytest.mark.browser, pytest.mark.slow]
HANDS = 25


# The rules, once more


def test_the_browser_knows_the_same_rules(visit: Visitor, hall):
    page = visit(hall.url).page
    found = page.evaluate(
        """async () => {
            const rules = await import("/static/js/points.js");
            const all = [...Array(121).keys()];
            return all.flatMap((bid) => all.flatMap((made) => [false, true].map((solo) =>
                rules.fivePoints({ caller: 0, called: solo ? 0 : 1, bid, made }))));
        }"""
    )
    wanted = [
        list(hand_points(HandOutcome(0, 0 if solo else 1, bid, made)))
        for bid in range(121)
        for made in range(121)
        for solo in (False, True)
    ]
    assert found == wanted
    assert len(found) == 121 * 121 * 2


@pytest.mark.parametrize("amounts", [(50, 70, 100), (0,), (10, 20)])
def test_the_browser_knows_what_penalties_cost(visit: Visitor, hall, amounts):
    page = visit(hall.url).page
    rules = scoring_rules({"disloyal_points": amounts})
    found = page.evaluate(
        """async (amounts) => {
            const rules = await import("/static/js/points.js");
            const all = [...Array(121).keys()];
            return {
                admitted: all.slice(1, 8).map((offence) => rules.disloyalPoints(offence, amounts)),
                judged: all.slice(1, 8).map((offence) => all.map((made) =>
                    rules.disloyalPoints(offence, amounts, Math.max(90 - made, 0)))),
                suicidal: all.slice(1).flatMap((bid) => all.slice(0, bid).map((made) => rules.suicidalPoints(bid, made, 200))),
            };
        }""",
        list(amounts),
    )
    offences = range(1, 8)
    assert found["admitted"] == [disloyal_raise(0, 90, rules, offence=offence).points for offence in offences]
    assert found["judged"] == [
        [
            disloyal_raise(0, 90, rules, offence=offence, outcome=HandOutcome(0, 1, 90, made)).points
            for made in range(121)
        ]
        for offence in offences
    ]
    assert found["suicidal"] == [
        suicidal_call(HandOutcome(0, 1, bid, made), DEFAULT_SCORING).points
        for bid in range(1, 121)
        for made in range(bid)
    ]


# One writer


def test_a_match_is_written_by_thumb(visit: Visitor, hall, tables):
    """At most seven touches for a hand, on one screen, with keys that never move."""
    table = tables.open()
    seen = enter(visit, hall, table, RITA, "record/#recorder", has_touch=True)
    page = seen.page
    hands = [*(hand_of(number) for number in range(1, HANDS)), (3, 3, 120, 120)]
    places = positions(page)
    bottom = page.evaluate("document.querySelector('[data-save]').getBoundingClientRect().bottom")
    assert bottom <= 640, "the whole form is on the screen"
    assert min(min(place[2:]) for place in places) >= 44
    seconds = []
    for number, hand in enumerate(hands, start=1):
        expect(page.locator("[data-hand]")).to_have_text(f"Hand {number}")
        began = time.monotonic()
        assert thumb(page, *hand) <= 7
        expect(line(page)).to_have_text(f"Hand {number} is saved.", timeout=SENT)
        seconds.append(time.monotonic() - began)
        assert positions(page) == places
    assert [told(entry) for entry in tables.entries(table)] == hands
    assert tables.points(table) == total(hands)
    assert seen.faults == []
    print(f"\nby thumb: {sum(seconds) / len(seconds):.2f} s a hand, at most {max(seconds):.2f} s ({HANDS} hands)")


def test_a_match_is_written_by_keyboard(visit: Visitor, hall, tables):
    table = tables.open()
    seen = enter(visit, hall, table, RITA, width=1280, height=900)
    page = seen.page
    hands = [hand_of(number) for number in range(1, HANDS + 1)]
    page.locator("[name=caller]").first.focus()
    seconds = []
    for number, (caller, called, bid, made) in enumerate(hands, start=1):
        expect(page.locator("[data-hand]")).to_have_text(f"Hand {number}")
        began = time.monotonic()
        if number % 2:
            page.keyboard.press(str(caller + 1))
            page.keyboard.press(str(called + 1))
        else:  # by the first letter of the name
            page.keyboard.press("acbde"[caller])
            page.keyboard.press("acbde"[called])
        page.keyboard.type(str(bid))
        page.keyboard.press("Enter")
        page.keyboard.type(str(made))
        page.keyboard.press("Enter")
        expect(line(page)).to_have_text(f"Hand {number} is saved.", timeout=SENT)
        seconds.append(time.monotonic() - began)
    assert [told(entry) for entry in tables.entries(table)] == hands
    assert seen.faults == []
    print(f"\nby keyboard: {sum(seconds) / len(seconds):.2f} s a hand, at most {max(seconds):.2f} s ({HANDS} hands)")


def test_the_five_scores_are_shown_before_they_are_saved(visit: Visitor, hall, tables):
    table = tables.open()
    page = enter(visit, hall, table, RITA, has_touch=True).page
    for key in keys_of(0, 0, 75, 80)[:-1]:
        page.locator("#recorder").locator(key).tap()
    assert page.locator("[data-points]").all_inner_texts() == ["+150", "0", "0", "0", "0"]
    expect(page.locator(".seats-called .seat-alone").first).to_be_visible()
    expect(page.locator("[data-scores]")).to_have_text("Scores: Antonella +150, Çağrı 0, Bruno 0, Dora 0, Ezio 0.")
    page.locator("[data-amount=made] [data-tens='60']").tap()
    expect(page.locator("[data-save]")).to_be_disabled()
    page.locator("[data-amount=made] [data-units='0']").tap()
    assert page.locator("[data-points]").all_inner_texts() == ["−15", "+60", "+60", "+60", "+60"]
    assert tables.entries(table) == []


def test_what_is_impossible_cannot_be_touched_or_typed(visit: Visitor, hall, tables):
    table = tables.open(min_bid=65)
    page = enter(visit, hall, table, RITA, has_touch=True).page
    units = page.locator("[data-amount=bid] [data-units]")
    assert [unit.is_disabled() for unit in units.all()] == [True] * 10
    page.locator("[data-amount=bid] [data-tens='60']").tap()
    assert [unit.is_disabled() for unit in units.all()] == [True] * 5 + [False] * 5
    page.locator("[data-amount=bid] [data-tens='120']").tap()
    assert [unit.is_disabled() for unit in units.all()] == [False] + [True] * 9
    expect(page.locator("#bid")).to_have_value("120")
    for wrong in ("64", "121", "7.5", "-3"):
        for key in keys_of(1, 2, 80, 80)[:-1]:
            page.locator("#recorder").locator(key).tap()
        expect(page.locator("[data-save]")).to_be_enabled()
        page.locator("#bid").fill(wrong)
        expect(page.locator("[data-save]")).to_be_disabled()
        page.locator("#bid").press("Enter")
    assert tables.entries(table) == []


def test_without_script_a_hand_is_shown_and_saved(visit: Visitor, hall, tables):
    table = tables.open()
    page = enter(visit, hall, table, RITA, java_script_enabled=False).page
    expect(page.locator(".key").first).to_be_hidden()
    form = page.locator("#recorder")
    form.get_by_role("radio", name="Antonella").first.check()
    form.get_by_role("radio", name="Bruno").last.check()
    page.locator("#bid").fill("75")
    page.locator("#made").fill("60")
    page.get_by_role("button", name="Show the five scores").click()
    assert page.locator(".scores-points").all_inner_texts() == ["−15", "+60", "−15", "+60", "+60"]
    assert tables.entries(table) == []
    page.get_by_role("button", name="Save", exact=True).click()
    expect(page.locator(".notice-good")).to_contain_text("Hand 1 is saved.")
    assert [told(entry) for entry in tables.entries(table)] == [(0, 2, 75, 60)]


def test_an_admission_is_recorded_beside_the_form(visit: Visitor, hall, tables):
    table = tables.open()
    page = enter(visit, hall, table, RITA, has_touch=True).page
    page.locator("summary", has_text="admitted").tap()
    form = page.locator("[data-admission]")
    form.locator("label.seat").nth(2).tap()
    form.locator("[name=bid]").fill("72")
    expect(form.locator("[data-cost]")).to_have_text("Only a bid above 72 can be a disloyal raise.")
    expect(form.locator("button")).to_be_disabled()
    form.locator("[name=bid]").fill("80")
    expect(form.locator("[data-cost]")).to_have_text("Bruno, offence 1: −50.")
    form.locator("button").tap()
    expect(line(page)).to_have_text("Hand 1 is saved.", timeout=SENT)
    expect(page.locator("[data-hand]")).to_have_text("Hand 2")
    expect(page.locator("[data-deals]")).to_have_text("Antonella deals")
    assert tables.points(table) == [0, 0, -50, 0, 0]


# Two writers


def test_two_referees_and_one_hand(visit: Visitor, hall, tables):
    """The second one sees both, and nothing is written over anything."""
    table = tables.open()
    first = enter(visit, hall, table, RITA, has_touch=True).page
    second = enter(visit, hall, table, RINO, has_touch=True).page
    for key in keys_of(1, 2, 80, 70)[:-1]:
        second.locator("#recorder").locator(key).tap()
    thumb(first, 1, 2, 80, 90)
    expect(line(first)).to_have_text("Hand 1 is saved.", timeout=SENT)
    # the hand that was begun keeps its number, and its writer is told
    expect(line(second)).to_contain_text("Hand 1 was written by somebody else", timeout=SENT)
    expect(second.locator("[data-hand]")).to_have_text("Hand 1")
    second.locator("[data-save]").tap()
    refused = second.locator(".queued .is-refused")
    expect(refused).to_contain_text("Hand 1: 80 bid by Çağrı with Bruno, 70 made", timeout=SENT)
    assert len(tables.entries(table)) == 1
    refused.get_by_role("button", name="See both").tap()
    expect(second.locator("h1")).to_have_text("Hand 1 was written twice")
    assert axe(second) == []
    assert sideways(second) == []
    screenshot(second, "conflict-360")
    second.get_by_label("Reason").fill("he misread the cards")
    second.get_by_role("button", name="Correct it to mine").tap()
    expect(second.locator("h1")).to_have_text("Centrale", timeout=SENT)
    entries = tables.entries(table)
    assert [told(entry) for entry in entries] == [(1, 2, 80, 90), (1, 2, 80, 70)]
    assert entries[1]["reason"] == "he misread the cards"
    second.goto(f"{hall.url}/matches/{table.match}/record/")
    expect(second.locator("[data-queued]")).to_be_hidden()
    expect(second.locator("[data-hand]")).to_have_text("Hand 2")


def test_the_second_referee_keeps_what_stands(visit: Visitor, hall, tables):
    table = tables.open()
    first = enter(visit, hall, table, RITA, has_touch=True).page
    second = enter(visit, hall, table, RINO, has_touch=True).page
    for key in keys_of(1, 2, 80, 70)[:-1]:
        second.locator("#recorder").locator(key).tap()
    thumb(first, 1, 2, 80, 90)
    expect(line(second)).to_contain_text("was written by somebody else", timeout=SENT)
    second.locator("[data-save]").tap()
    second.locator(".queued").get_by_role("button", name="See both").tap()
    second.get_by_role("link", name="Keep what stands").tap()
    expect(second.locator("h1")).to_have_text("Centrale", timeout=SENT)
    second.goto(f"{hall.url}/matches/{table.match}/record/")
    expect(second.locator("[data-queued]")).to_be_hidden()
    assert len(tables.entries(table)) == 1


def test_what_was_refused_can_be_thrown_away_or_mended(visit: Visitor, hall, tables):
    table = tables.open()
    first = enter(visit, hall, table, RITA, has_touch=True).page
    second = enter(visit, hall, table, RINO, has_touch=True).page
    second.on("dialog", lambda dialog: dialog.accept())
    for key in keys_of(1, 2, 80, 70)[:-1]:
        second.locator("#recorder").locator(key).tap()
    thumb(first, 1, 2, 80, 90)
    expect(line(second)).to_contain_text("was written by somebody else", timeout=SENT)
    second.locator("[data-save]").tap()
    second.locator(".queued").get_by_role("button", name="Mend").tap()
    expect(second.locator("[data-hand]")).to_have_text("Hand 1")
    expect(second.locator("#bid")).to_have_value("80")
    second.locator("[data-save]").tap()
    expect(second.locator(".queued .is-refused")).to_have_count(1, timeout=SENT)
    second.locator(".queued").get_by_role("button", name="Throw away").tap()
    expect(second.locator("[data-queued]")).to_be_hidden()
    thumb(second, 0, 1, 75, 80)
    expect(line(second)).to_have_text("Hand 2 is saved.", timeout=SENT)
    assert len(tables.entries(table)) == 2
