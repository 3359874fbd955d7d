"""Penalties, votes, rulings and appeals on the phones of a table, several browsers at once."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.conftest import Visit, Visitor, sideways, walk_by_tab
from tests.e2e.dress import LANGUAGES, Tour
from tests.e2e.house import RunningHouse
from tests.e2e.matches import PLAYERS, Table, Tables
from tests.e2e.phones import RITA, SENT, enter

pytestmark = [pytest.mark.browser, pytest.mark.slow]
ANTONELLA, CAGRI, BRUNO, DORA, EZIO = PLAYERS
LOST = (0, 1, 90, 50)
ALONE = (0, 0, 90, 50)
SOON = 15_000  # milliseconds for a page that follows by itself


@pytest.fixture(scope="module")
def tables(club_house: RunningHouse) -> Iterator[Tables]:
    club_house.wait_until_whole()
    opened = Tables(club_house)
    yield opened
    opened.close()


def go(page: Page, house: RunningHouse, path: str) -> None:
    page.goto(f"{house.url}{path}")
    page.wait_for_load_state("load")


def press(page: Page, name: str) -> None:
    page.get_by_role("button", name=name, exact=True).click()


def claims(visit: Visitor, house: RunningHouse, table: Table, name: str, kind: str) -> Visit:
    """That player claims a penalty for the last hand; his phone is at the claim then."""
    seen = enter(visit, house, table, name, f"penalty/?kind={kind}")
    seen.page.get_by_label("Why do you claim it?").fill("He laughed when he called.")
    press(seen.page, "Claim it")
    seen.page.wait_for_url("**/matches/*/", timeout=SENT)
    go(seen.page, house, f"/matches/{table.match}/claims/1/")
    return seen


def test_an_admission_shows_its_cost_and_72_is_refused(visit: Visitor, club_house, tables):
    table = tables.open()
    seen = enter(visit, club_house, table, RITA, "penalty/")
    page = seen.page
    page.get_by_role("link", name="Disloyal raise, admitted").click()
    page.get_by_label(CAGRI).check()
    page.get_by_label("Bid").fill("72")
    page.get_by_label("No card has been led").check()
    press(page, "Show what it costs")
    expect(page.locator("#bid-error")).to_contain_text("needs a bid above 72")
    expect(page.locator("#bid-error a.article")).to_have_text(re.compile("S18"))
    page.get_by_label("Bid").fill("73")
    press(page, "Show what it costs")
    expect(page.locator(".effect")).to_contain_text(f"First disloyal raise of {CAGRI} in this match.")
    expect(page.locator(".effect")).to_contain_text(f"−50 for {CAGRI}.")
    expect(page.locator(".effect")).to_contain_text("Voided and repeated")
    press(page, "Save")
    page.wait_for_url(f"**/matches/{table.match}/", timeout=SENT)
    assert tables.points(table) == [0, -50, 0, 0, 0]
    assert [fault for fault in seen.faults if "422" not in fault] == []


def test_an_admission_is_kept_without_a_network_and_sent_once(visit: Visitor, club_house, tables):
    table = tables.open()
    seen = enter(visit, club_house, table, RITA, "penalty/?kind=admission")
    page = seen.page
    page.get_by_label(BRUNO).check()
    page.get_by_label("Bid").fill("80")
    page.get_by_label("No card has been led").check()
    press(page, "Show what it costs")
    seen.context.set_offline(True)
    press(page, "Save")
    expect(page.locator("[data-queue-words]")).to_contain_text("Kept here until there is a network")
    assert tables.entries(table) == []
    seen.context.set_offline(False)
    page.wait_for_url(f"**/matches/{table.match}/", timeout=SENT)
    assert tables.points(table) == [0, 0, -50, 0, 0]
    assert len(tables.entries(table)) == 1


def test_a_table_judges_and_every_phone_sees_the_verdict_by_itself(visit: Visitor, club_house, tables):
    table = tables.open()
    tables.play(table, 1, *LOST)
    claimant = claims(visit, club_house, table, BRUNO, "suicidal_call")
    path = "claims/1/"
    others = [enter(visit, club_house, table, name, path) for name in (ANTONELLA, DORA, EZIO, RITA)]
    phones = [claimant, *others]
    for phone in phones:
        expect(phone.page.locator("#claim-state")).to_contain_text("0 of 3 have voted.")
    judges = [claimant, others[1], others[2]]
    for phone in phones:
        count = 2 if phone in judges else 0
        expect(phone.page.locator("button[name=uphold]")).to_have_count(count)
    press(claimant.page, "Uphold")
    expect(claimant.page.locator("#claim-state")).to_contain_text("You voted to uphold it.")
    for phone in phones:
        expect(phone.page.locator("#claim-state")).to_contain_text("1 of 3 has voted.", timeout=SOON)
    press(others[1].page, "Reject")
    expect(others[1].page.locator("#claim-state")).to_contain_text("You voted to reject it.")
    press(others[2].page, "Uphold")
    for phone in phones:
        state = phone.page.locator("#claim-state")
        expect(state).to_contain_text("Upheld by the table, 2 to 1.", timeout=SOON)
        expect(state.locator(".votes li")).to_have_count(3)
    assert tables.points(table) == [-240, 0, 0, 0, 0]
    assert all(phone.faults == [] for phone in phones)


def test_two_against_two_rejects(visit: Visitor, club_house, tables):
    table = tables.open()
    tables.play(table, 1, *ALONE)
    before = tables.points(table)
    phones = [claims(visit, club_house, table, CAGRI, "disloyal_raise")]
    expect(phones[0].page.locator("main")).to_contain_text("two against two rejects it")
    phones += [enter(visit, club_house, table, name, "claims/1/") for name in (BRUNO, DORA, EZIO)]
    for phone, word in zip(phones, ("Uphold", "Reject", "Uphold", "Reject"), strict=True):
        press(phone.page, word)
        expect(phone.page.locator("button[name=uphold]")).to_have_count(0)
    for phone in phones:
        expect(phone.page.locator("#claim-state")).to_contain_text("a tie, and a tie rejects", timeout=SOON)
    assert tables.points(table) == before


def test_a_referee_judges_where_the_rules_say_so(visit: Visitor, club_house, tables):
    table = tables.open(judge_mode="referee")
    tables.play(table, 1, *LOST)
    player = claims(visit, club_house, table, DORA, "disloyal_raise")
    expect(player.page.locator("#claim-state")).to_contain_text("Only the referee decides.")
    page = enter(visit, club_house, table, RITA, "claims/1/").page
    page.get_by_label("What you saw, and why you decide so").fill("He had two trumps.")
    press(page, "Uphold")
    expect(page.locator("#claim-state")).to_contain_text("Upheld by the referee.")
    expect(player.page.locator("#claim-state")).to_contain_text("Upheld by the referee.", timeout=SOON)
    assert tables.points(table) == [-90, 0, 0, 0, 0]


def awarded(visit: Visitor, house: RunningHouse, table: Table) -> Visit:
    """The referee takes 30 points from Ezio; his phone is at the ruling then."""
    seen = enter(visit, house, table, RITA, "penalty/?kind=award")
    page = seen.page
    page.get_by_label(EZIO).check()
    page.get_by_label("minus: points are taken").check()
    page.get_by_label("Points", exact=True).fill("30")
    page.get_by_label("Article").fill("S16")
    page.get_by_label("Reason").fill("He came late.")
    press(page, "Show what it costs")
    expect(page.locator(".effect")).to_contain_text("−30")
    press(page, "Save")
    page.wait_for_url("**/rulings/*/")
    return seen


def test_an_appeal_is_made_and_four_guarantors_end_it(visit: Visitor, club_house, tables):
    table = tables.open()
    tables.play(table, 1, 0, 1, 80, 90)
    referee = awarded(visit, club_house, table)
    path = "/".join(referee.page.url.split("/")[-3:])
    assert tables.points(table) == [80, 80, 0, 0, -30]
    player = enter(visit, club_house, table, EZIO, path).page
    player.get_by_text("Appeal to the Council of Guarantors").click()
    player.get_by_label("Why is it wrong?").fill("The train was late.")
    press(player, "Appeal")
    expect(player.locator("main")).to_contain_text("6 whole days are left.")
    go(player, club_house, f"/matches/{table.match}/")
    expect(player.locator("main")).to_contain_text("sub iudice")
    for number, session in enumerate(tables.guarantors(table, 4)):
        seen = visit(f"{club_house.url}/rules/", language="en", width=360, height=640)
        seen.context.add_cookies([{"name": "sessionid", "value": session, "url": club_house.url}])
        go(seen.page, club_house, "/appeals/")
        seen.page.locator(".listing a.who-name").click()
        expect(seen.page.locator("main")).to_contain_text(f"{number} to uphold the appeal")
        press(seen.page, "Uphold the appeal")
        expect(seen.page.locator("main")).to_contain_text("You have voted.")
        assert sideways(seen.page) == []
        assert seen.faults == []
    go(player, club_house, f"/matches/{table.match}/{path}")
    expect(player.locator("main")).to_contain_text("upheld the appeal: the ruling is taken back")
    go(player, club_house, f"/matches/{table.match}/")
    expect(player.locator("main")).not_to_contain_text("sub iudice")
    assert tables.points(table) == [80, 80, 0, 0, 0]


def test_a_call_reaches_the_queue_by_itself_and_is_answered_by_one_tap(visit: Visitor, club_house, tables):
    table = tables.open()
    referee = enter(visit, club_house, table, RITA, "")
    go(referee.page, club_house, "/calls/")
    expect(referee.page.locator("#calls")).to_contain_text("No table calls")
    expect(referee.page.locator("html")).to_have_attribute("data-live", "own", timeout=SOON)
    player = enter(visit, club_house, table, DORA, "").page
    player.get_by_text("Call the referee", exact=True).first.click()
    player.get_by_label("What is it about? (may stay empty)").fill("A card fell.")
    player.locator(".call").get_by_role("button", name="Call the referee").click()
    expect(player.locator("main")).to_contain_text("The referee has been called to this table.")
    expect(referee.page.locator("#calls")).to_contain_text("A card fell.", timeout=SOON)
    press(referee.page, "I am coming")
    expect(referee.page.locator("#calls")).to_contain_text("No table calls")
    expect(player.locator("main")).not_to_contain_text("The referee has been called", timeout=SOON)


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_page_is_clean_in_every_dress(visit: Visitor, club_house, tables, language):
    tour = Tour(language)
    table = tables.open()
    tables.play(table, 1, *LOST)
    page = enter(visit, club_house, table, RITA, "penalty/", language=language).page
    tour.check(page, "judging-kinds")
    for kind in ("admission", "award", "decision", "suicidal_call", "disloyal_raise"):
        go(page, club_house, f"/matches/{table.match}/penalty/?kind={kind}")
        tour.check(page, f"judging-{kind}")
    go(page, club_house, f"/matches/{table.match}/penalty/?kind=award")
    for field, value in (("points", "30"), ("article", "S16"), ("reason", "Non era puntuale.")):
        page.locator(f"main [name={field}]").fill(value)
    page.locator("main [name=seat][value='3']").check()
    page.locator("main [name=sign][value=minus]").check()
    page.locator("main [name=step][value=preview]").click()
    tour.check(page, "judging-preview")
    page.locator("main [name=step][value=save]").click()
    page.wait_for_url("**/rulings/*/")
    tour.check(page, "judging-ruling")
    path = "/".join(page.url.split("/")[-3:])
    page.locator("summary").first.click()
    page.locator("#appeal-why").fill("Il treno era in ritardo.")
    page.locator("main [name=do][value=appeal]").click()
    page.wait_for_load_state("load")
    tour.check(page, "judging-sub-iudice")
    player = enter(visit, club_house, table, BRUNO, "penalty/?kind=suicidal_call", language=language).page
    player.locator("main textarea").fill("Ha riso.")
    player.locator("main [name=step]").click()
    player.wait_for_url("**/matches/*/", timeout=SENT)
    go(player, club_house, f"/matches/{table.match}/claims/1/")
    tour.check(player, "judging-vote")
    player.locator("[name=uphold][value='1']").click()
    expect(player.locator("#claim-state .notice-good")).to_be_visible()
    tour.check(player, "judging-voted")
    player.locator("summary").first.click()
    player.locator("#withdrawn").fill("Era uno scherzo.")
    player.locator("main [name=do][value=withdraw]").click()
    expect(player.locator("#claim-state .verdicts")).to_have_count(0)
    tour.check(player, "judging-withdrawn")
    guarantor = visit(f"{club_house.url}/rules/", language=language)
    session = tables.guarantors(table, 1)[0]
    guarantor.context.add_cookies([{"name": "sessionid", "value": session, "url": club_house.url}])
    go(guarantor.page, club_house, "/appeals/")
    tour.check(guarantor.page, "judging-appeals")
    guarantor.page.locator(".listing a.who-name").first.click()
    tour.check(guarantor.page, "judging-appeal")
    go(player, club_house, f"/matches/{table.match}/")
    player.locator(".call summary").click()
    player.locator(".call button").click()
    player.wait_for_load_state("load")
    go(page, club_house, "/calls/")
    tour.check(page, "judging-calls")
    page.locator(".call-line button").first.click()
    expect(page.locator("main .notice-good")).to_be_visible()
    tour.check(page, "judging-no-calls")
    go(page, club_house, f"/matches/{table.match}/sign/")
    page.locator("main button[value=sign]").click()
    page.wait_for_load_state("load")
    go(page, club_house, f"/matches/{table.match}/reopen/")
    tour.check(page, "judging-reopen")
    go(page, club_house, "/cases/")
    tour.check(page, "judging-cases")
    go(page, club_house, "/cases/?q=nothing+like+it")
    tour.check(page, "judging-no-case")
    go(page, club_house, f"/matches/{table.match}/{path}")
    assert page.locator("h1").count() == 1


def test_a_penalty_can_be_chosen_and_filled_in_by_keyboard(visit: Visitor, club_house, tables):
    table = tables.open()
    tables.play(table, 1, *LOST)
    page = enter(visit, club_house, table, BRUNO, "penalty/", width=1280).page
    walk_by_tab(page)
    page.get_by_role("link", name="Suicidal call").focus()
    page.keyboard.press("Enter")
    page.get_by_label("Why do you claim it?").focus()
    page.keyboard.type("He laughed.")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    page.wait_for_url(f"**/matches/{table.match}/", timeout=SENT)
    go(page, club_house, f"/matches/{table.match}/claims/1/")
    page.get_by_role("button", name="Uphold").focus()
    page.keyboard.press("Enter")
    expect(page.locator("#claim-state")).to_contain_text("You voted to uphold it.")
