"""Hands without a network: kept, sent once and in order, and "saved" only with the server's receipt (UX-20)."""

from __future__ import annotations

import os
import signal
import time

import pytest
from playwright.sync_api import Page, Route, expect

from tests.e2e.conftest import Visitor, axe, screenshot
from tests.e2e.phones import RINO, RITA, SENT, enter, hand_of, keys_of, line, thumb, told, total

pytestmark = [pytest.mark.browser, pytest.mark.slow]
HANDS = [hand_of(number) for number in range(1, 11)]
BACK = 60_000  # milliseconds for a web process that was killed


def strip(page: Page):
    return page.locator("#offline-strip")


def entries(tables, table) -> list:
    return [told(entry) for entry in tables.entries(table)]


def no_post(page: Page) -> list[str]:
    """No command gets through to the house, though its pages do; the list of those that tried."""
    tried: list[str] = []

    def refuse(route: Route) -> None:
        if route.request.method != "POST":
            return route.fallback()
        tried.append(route.request.post_data or "")
        return route.abort()

    page.context.route("**/matches/**", refuse)
    return tried


def test_ten_hands_without_network_survive_and_are_sent_once(visit: Visitor, hall, tables):
    table = tables.open()
    seen = enter(visit, hall, table, RITA, "record/#recorder", has_touch=True)
    page, context = seen.page, seen.context
    context.set_offline(True)
    expect(line(page)).to_have_text("No network.")
    deals = []
    for number, hand in enumerate(HANDS[:6], start=1):
        expect(page.locator("[data-hand]")).to_have_text(f"Hand {number}")
        deals.append(page.locator("[data-deals]").inner_text())
        assert thumb(page, *hand) <= 7
        expect(line(page)).to_contain_text(f"{number} hand")
        assert "saved" not in line(page).inner_text()
    assert deals == [f"{name} deals" for name in ("Antonella", "Çağrı", "Bruno", "Dora", "Ezio", "Antonella")]
    assert line(page).inner_text() == "No network. 6 hands wait to be sent."
    assert axe(page) == []
    screenshot(page, "offline-360")
    # the page is closed, and opened again where pages come through and commands do not
    tried = no_post(page)
    page.close()
    context.set_offline(False)
    page = context.new_page()
    page.goto(f"{hall.url}/matches/{table.match}/record/")
    expect(page.locator("[data-hand]")).to_have_text("Hand 7")
    assert [int(text.replace("−", "-")) for text in page.locator("[data-total]").all_inner_texts()] == total(HANDS[:6])
    for hand in HANDS[6:8]:
        thumb(page, *hand)
    page.reload()
    expect(page.locator("[data-hand]")).to_have_text("Hand 9")
    for hand in HANDS[8:]:
        thumb(page, *hand)
    expect(line(page)).to_have_text("10 hands wait to be sent.")
    expect(page.locator(".queued > li")).to_have_count(10)
    assert tables.entries(table) == []
    assert len(set(tried)) == 1, "nothing is sent before the first is through"
    context.unroute("**/matches/**")
    context.set_offline(True)
    context.set_offline(False)
    expect(line(page)).to_have_text("Hand 10 is saved.", timeout=SENT)
    expect(page.locator("[data-queued]")).to_be_hidden()
    assert entries(tables, table) == HANDS
    assert tables.points(table) == total(HANDS)


@pytest.mark.parametrize("when", ["after the commit", "on the way"])
def test_a_server_that_dies_loses_and_doubles_nothing(visit: Visitor, hall, tables, when):
    """kill -9 of the web process: with the hand written and the answer lost, and somewhere in between."""
    table = tables.open()
    page = enter(visit, hall, table, RITA, has_touch=True).page
    killed = []

    def lost(route: Route) -> None:
        if route.request.method != "POST" or len(killed) >= 3:
            return route.fallback()
        web = hall.pids().get("web")
        if when == "after the commit":
            answer = route.fetch()
            assert answer.status == 200
        if web:
            os.kill(web, signal.SIGKILL)
            killed.append(web)
        return route.abort() if when == "after the commit" else route.fallback()

    page.route("**/record/", lost)
    for number, hand in enumerate(HANDS, start=1):
        expect(page.locator("[data-hand]")).to_have_text(f"Hand {number}")
        thumb(page, *hand)
        if number in (2, 5, 8):
            expect(line(page)).to_have_text(f"Hand {number} is saved.", timeout=BACK)
    expect(line(page)).to_have_text("Hand 10 is saved.", timeout=BACK)
    assert len(killed) == 3
    assert entries(tables, table) == HANDS


def test_a_hand_says_saved_only_with_the_receipt(visit: Visitor, hall, tables):
    table = tables.open()
    page = enter(visit, hall, table, RITA, has_touch=True).page
    held: list[Route] = []
    page.route("**/record/", lambda route: held.append(route) if route.request.method == "POST" else route.fallback())
    thumb(page, *HANDS[0])
    expect(line(page)).to_have_text("1 hand waits to be sent.")
    expect(page.locator("[data-hand]")).to_have_text("Hand 2")
    page.wait_for_timeout(1000)
    assert line(page).inner_text() == "1 hand waits to be sent."
    assert tables.entries(table) == []
    held[0].continue_()
    expect(line(page)).to_have_text("Hand 1 is saved.", timeout=SENT)


def test_any_page_of_the_house_sends_what_waits(visit: Visitor, hall, tables):
    table = tables.open()
    seen = enter(visit, hall, table, RITA, has_touch=True)
    no_post(seen.page)
    thumb(seen.page, *HANDS[0])
    thumb(seen.page, *HANDS[1])
    expect(seen.page.locator(".queued > li")).to_have_count(2)
    seen.page.goto(f"{hall.url}/players/")
    expect(strip(seen.page)).to_contain_text("Sending what was waiting", timeout=SENT)
    seen.context.unroute("**/matches/**")
    seen.page.goto(f"{hall.url}/rules/")
    until(lambda: entries(tables, table) == HANDS[:2])
    expect(strip(seen.page)).to_be_hidden()


def until(true, seconds: float = 20.0) -> None:
    end = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < end
        time.sleep(0.1)


def test_two_tabs_of_one_phone_keep_the_order(visit: Visitor, hall, tables):
    table = tables.open()
    seen = enter(visit, hall, table, RITA, has_touch=True)
    first = seen.page
    second = seen.context.new_page()
    second.goto(f"{hall.url}/matches/{table.match}/record/")
    seen.context.set_offline(True)
    for number, (page, hand) in enumerate(zip((first, second, first, second, second), HANDS, strict=False), start=1):
        page.bring_to_front()
        expect(page.locator("[data-hand]")).to_have_text(f"Hand {number}")
        thumb(page, *hand)
    for page in (first, second):
        expect(line(page)).to_have_text("No network. 5 hands wait to be sent.")
    seen.context.set_offline(False)
    for page in (first, second):
        expect(page.locator("[data-queued]")).to_be_hidden(timeout=SENT)
        expect(page.locator("[data-hand]")).to_have_text("Hand 6")
    assert entries(tables, table) == HANDS[:5]


def test_another_person_on_the_phone_never_sends_what_is_not_his(visit: Visitor, hall, tables):
    table = tables.open()
    seen = enter(visit, hall, table, RITA, has_touch=True)
    page, context = seen.page, seen.context
    context.set_offline(True)
    thumb(page, *HANDS[0])
    thumb(page, *HANDS[1])
    # the session changes under the open page, whose network comes back
    table.enter(context, hall.url, RINO)
    context.set_offline(False)
    expect(line(page)).to_contain_text("You are signed out", timeout=SENT)
    page.goto(f"{hall.url}/matches/{table.match}/record/")
    expect(page.locator("[data-hand]")).to_have_text("Hand 1")
    expect(page.locator("[data-queued]")).to_be_hidden()
    page.wait_for_timeout(1500)
    assert tables.entries(table) == []
    # nobody is signed in: what waits is told, and kept
    context.clear_cookies(name="sessionid")
    page.goto(f"{hall.url}/rules/")
    expect(strip(page)).to_contain_text("Sign in again")
    assert axe(page) == []
    table.enter(context, hall.url, RITA)
    page.goto(f"{hall.url}/rules/")
    until(lambda: entries(tables, table) == HANDS[:2])


def test_a_stale_token_is_fetched_anew(visit: Visitor, hall, tables):
    table = tables.open()
    seen = enter(visit, hall, table, RITA, has_touch=True)
    token = "input[name=csrfmiddlewaretoken]"
    seen.page.evaluate(f"document.querySelectorAll('{token}').forEach((field) => {{ field.value = 'x'.repeat(64) }})")
    thumb(seen.page, *HANDS[0])
    expect(line(seen.page)).to_have_text("Hand 1 is saved.", timeout=SENT)
    thumb(seen.page, *HANDS[1])
    expect(line(seen.page)).to_have_text("Hand 2 is saved.", timeout=SENT)
    assert entries(tables, table) == HANDS[:2]
    assert len([fault for fault in seen.faults if "403" in fault]) == 1


def test_an_admission_and_a_claim_are_recorded_without_network(visit: Visitor, hall, tables):
    table = tables.open(judge_mode="referee")
    seen = enter(visit, hall, table, RITA, has_touch=True)
    page = seen.page
    seen.context.set_offline(True)
    thumb(page, 0, 1, 80, 90)
    page.locator("summary", has_text="admitted").tap()
    page.locator("[data-admission] label.seat").nth(1).tap()
    page.locator("[data-admission] [name=bid]").fill("90")
    page.locator("[data-admission] button").tap()
    expect(page.locator("[data-hand]")).to_have_text("Hand 3")
    expect(page.locator("[data-deals]")).to_have_text("Çağrı deals")
    page.locator("summary", has_text="admitted").tap()
    page.locator("[data-admission] label.seat").nth(1).tap()
    page.locator("[data-admission] [name=bid]").fill("90")
    expect(page.locator("[data-cost]").first).to_have_text("Çağrı, offence 2: −70.")
    page.locator("summary", has_text="admitted").tap()
    thumb(page, 2, 3, 100, 60)
    page.locator("summary", has_text="claimed").tap()
    claim = page.locator("[data-claim]")
    expect(claim.locator("[data-last]")).to_have_text("Hand 3: 100 bid by Bruno with Dora, 60 made")
    expect(claim.locator("[data-cost]")).to_have_text("Bruno: −240.")
    claim.get_by_label("Reason").fill("he threw his trumps away")
    claim.locator("button").tap()
    expect(page.locator(".queued > li")).to_have_count(4)
    expect(page.locator(".queued > li").last).to_contain_text("Hand 3: suicidal call of Bruno claimed")
    seen.context.set_offline(False)
    expect(page.locator("h1")).to_have_text("Centrale", timeout=SENT)
    expect(page.locator("#doing")).to_contain_text("A penalty is being judged")
    found = tables.entries(table)
    assert [entry["kind"] for entry in found] == ["played", "admitted", "played"]
    assert tables.points(table) == [140, 90, -40, -40, 60]


def test_a_refusal_stops_the_hands_behind_it_until_somebody_decides(visit: Visitor, hall, tables):
    table = tables.open()
    seen = enter(visit, hall, table, RITA, has_touch=True)
    page = seen.page
    page.on("dialog", lambda dialog: dialog.accept())
    seen.context.set_offline(True)
    for hand in HANDS[:3]:
        thumb(page, *hand)
    other = enter(visit, hall, table, RINO, has_touch=True).page
    thumb(other, *HANDS[7])
    expect(line(other)).to_have_text("Hand 1 is saved.", timeout=SENT)
    seen.context.set_offline(False)
    expect(page.locator(".queued .is-refused")).to_contain_text("written by somebody else", timeout=SENT)
    expect(page.locator(".queued > li")).to_have_count(3)
    page.reload()
    expect(page.locator(".queued .is-refused")).to_have_count(1)
    assert entries(tables, table) == [HANDS[7]]
    page.goto(f"{hall.url}/rules/")
    expect(strip(page)).to_contain_text("was not accepted")
    page.goto(f"{hall.url}/matches/{table.match}/record/")
    for key in keys_of(0, 1, 75, 80)[:2]:
        page.locator("#recorder").locator(key).tap()
    page.locator(".queued").get_by_role("button", name="Throw away").tap()
    expect(page.locator("[data-queued]")).to_be_hidden(timeout=SENT)
    assert entries(tables, table) == [HANDS[7], *HANDS[1:3]]
