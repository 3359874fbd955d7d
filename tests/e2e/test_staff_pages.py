"""Files imported and people mended in a browser, with the real heavy worker behind it, by keyboard and by mouse."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.conftest import Visitor, walk_by_tab
from tests.e2e.dress import LANGUAGES, Tour
from tests.e2e.house import RunningHouse
from tests.tournaments.files import by_place, stage, tournament_file

pytestmark = [pytest.mark.browser, pytest.mark.slow]
MEGABYTES = 1024 * 1024
READ = 20_000  # milliseconds for the heavy worker


@pytest.fixture(scope="module")
def staffed_house(club_house: RunningHouse) -> RunningHouse:
    club_house.wait_until_whole()
    return club_house


def small_file(name: str, names: dict[str, str] | None = None, edition: int = 1) -> dict:
    codes = "abcde"
    file = tournament_file(
        stage(by_place("Sala", codes)), name=name, series="coppa", edition=edition, date="2026-05-09"
    )
    shown = {"a": "Ada Arrigoni", "b": "Bea Bassi", "c": "Cem Çelik", "d": "Dora Işık", "e": "Ezio D'Este"} | (
        names or {}
    )
    for player in file["players"]:
        player["name"] = shown[player["id"]]
    return file


@pytest.fixture
def saved(tmp_path: Path):
    """saved(value or bytes) -> the path of a file with it."""

    def save(content, name="tournament.json") -> str:
        path = tmp_path / name
        path.write_bytes(content if isinstance(content, bytes) else json.dumps(content).encode())
        return str(path)

    return save


def sign_in(page: Page, house: RunningHouse, name: str) -> None:
    """As one of the demonstration, by keyboard."""
    page.goto(f"{house.url}/demo/")
    button = page.locator("form.what", has=page.locator("button", has_text=re.compile(name))).locator("button")
    button.focus()
    page.keyboard.press("Enter")
    expect(page.locator(".hall-who")).to_contain_text(name)


def upload(page: Page, house: RunningHouse, path: str) -> None:
    """Chooses the file and sends it by keyboard; returns when it was read."""
    page.goto(f"{house.url}/import/")
    page.locator("input[type=file]").set_input_files(path)
    page.locator("input[type=file]").focus()
    page.keyboard.press("Tab")
    expect(page.locator("main button.button-primary")).to_be_focused()
    page.keyboard.press("Enter")
    page.wait_for_url("**/import/*/")
    expect(page.locator("#facts, .listing-faults").first).to_be_visible(timeout=READ)


def test_a_stranger_uploads_by_keyboard_and_sees_the_ranking(visit: Visitor, staffed_house, saved):
    seen = visit(staffed_house.url, language="en")
    path = Path(__file__).parents[2] / "tournaments" / "demo" / "mondiale-2.json"
    upload(seen.page, staffed_house, str(path))
    expect(seen.page.locator("h1")).to_have_text(json.loads(path.read_bytes())["tournament"]["name"])
    expect(seen.page.locator("#final tbody tr").first).to_be_visible()
    expect(seen.page.locator("main")).to_contain_text("imported before")
    expect(seen.page.get_by_role("button", name="Import the tournament")).to_have_count(0)
    assert not [cookie for cookie in seen.context.cookies() if cookie["name"] == "sessionid"]
    assert seen.faults == []
    assert seen.strangers() == []


def test_without_script_the_page_goes_on_by_itself(visit: Visitor, staffed_house, saved):
    page = visit(staffed_house.url, language="en", java_script_enabled=False).page
    page.goto(f"{staffed_house.url}/import/")
    page.locator("input[type=file]").set_input_files(saved(small_file("Senza script")))
    page.get_by_role("button", name="Upload and look").click()
    expect(page.locator("#facts")).to_be_visible(timeout=READ)
    expect(page.locator("h1")).to_have_text("Senza script")


def test_a_bad_file_lists_every_fault(visit: Visitor, staffed_house, saved):
    page = visit(staffed_house.url, language="en").page
    upload(page, staffed_house, saved({**small_file("Bad"), "entries": ["a", "a", "nobody"]}))
    expect(page.locator(".listing-faults > li")).to_have_count(2)
    expect(page.locator("main")).to_contain_text("/entries/2")
    expect(page.get_by_role("link", name="Upload the mended file")).to_be_visible()


@pytest.mark.parametrize("extra", [1, 100_000])
def test_more_than_five_megabytes_are_refused(visit: Visitor, staffed_house, saved, extra):
    """Just above, the page says so beside its field; far above, nobody even reads what comes."""
    page = visit(staffed_house.url, language="en").page
    page.goto(f"{staffed_house.url}/import/")
    page.locator("input[type=file]").set_input_files(saved(b" " * (5 * MEGABYTES + extra)))
    with page.expect_navigation() as answered:
        page.get_by_role("button", name="Upload and look").click()
    assert answered.value.status == 413
    assert "too large" in page.locator("body").inner_text()


def test_an_organiser_imports_with_a_double_click_once_and_tells_namesakes_apart(visit: Visitor, staffed_house, saved):
    seen = visit(staffed_house.url, language="en")
    page = seen.page
    sign_in(page, staffed_house, "Oreste Organizzatore")
    upload(page, staffed_house, saved(small_file("Coppa di maggio")))
    expect(page.locator("#club")).to_have_value("circolo-demo")
    page.get_by_role("button", name="Import the tournament").dblclick()
    page.wait_for_url("**/import/*/")
    expect(page.get_by_role("link", name="To the tournament")).to_be_visible(timeout=READ)
    page.reload()
    expect(page.get_by_role("link", name="To the tournament")).to_be_visible()
    page.get_by_role("link", name="To the tournament").click()
    expect(page.locator("h1")).to_contain_text("Coppa di maggio")
    slug = page.url.rstrip("/").rpartition("/")[2]
    assert slug == "coppa-di-maggio-2026"
    assert page.request.get(f"{staffed_house.url}/tournaments/{slug}-2/").status == 404
    # the next edition: the same codes and names are the same people, a namesake under another code is not
    second = small_file("Coppa di giugno", {"e": "Ada Arrigoni"}, edition=2)
    upload(page, staffed_house, saved(second))
    ada = page.locator("fieldset", has_text="Ada Arrigoni")
    expect(ada.nth(0).locator("input:checked")).not_to_have_value("new")
    expect(ada.nth(1).locator("input:checked")).to_have_value("new")
    expect(ada.nth(0)).to_contain_text("Coppa di maggio, 2026, Circolo della Briscola")
    # by keyboard: the first Ada is somebody new after all
    ada.nth(0).locator("input:checked").focus()
    page.keyboard.press("ArrowUp")
    expect(ada.nth(0).locator("input:checked")).to_have_value("new")
    page.get_by_role("button", name="Import the tournament").focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("link", name="To the tournament")).to_be_visible(timeout=READ)
    page.goto(f"{staffed_house.url}/players/?q=ada+arrigoni")
    expect(page.locator("main a", has_text="Ada Arrigoni")).to_have_count(3)
    assert [fault for fault in seen.faults if "404" not in fault] == []


def test_a_person_is_edited_merged_and_erased(visit: Visitor, staffed_house, saved):
    page = visit(staffed_house.url, language="en").page
    sign_in(page, staffed_house, "Ada Amministratrice")
    for name, shown in (("Uno", "Gino Primo"), ("Due", "Gino Prìmo")):
        upload(page, staffed_house, saved(small_file(name, {"a": shown})))
        for group in page.locator("fieldset").all():  # everybody is new here
            group.locator("input[value=new]").check()
        page.get_by_role("button", name="Import the tournament").click()
        expect(page.get_by_role("link", name="To the tournament")).to_be_visible(timeout=READ)
    page.goto(f"{staffed_house.url}/players/?q=gino+primo")
    page.get_by_role("link", name="Gino Primo", exact=True).click()
    player = page.url
    page.goto(f"{player}edit/")
    page.get_by_label("Name", exact=True).fill("Luigi Primo")
    page.keyboard.press("Enter")
    page.wait_for_url(player)
    expect(page.locator("h1")).to_have_text("Luigi Primo")
    expect(page.locator(".notice-good")).to_contain_text("Saved.")
    page.goto(f"{player}merge/")
    page.get_by_role("searchbox").fill("gino primo")
    page.keyboard.press("Enter")
    page.locator(".listing").get_by_role("link", name="Gino Prìmo").click()
    expect(page.locator("main")).to_contain_text("Uno")
    expect(page.locator("main")).to_contain_text("Due")
    page.get_by_role("button", name="They are the same person: merge").click()
    expect(page.locator("h1")).to_have_text("Gino Prìmo")
    stays = page.url
    page.goto(player)
    assert page.url == stays
    page.goto(f"{stays}erase/")
    page.get_by_label("Type “erase” to confirm").fill("no")
    page.get_by_role("button", name="Erase for good").click()
    expect(page.locator(".field-error")).to_contain_text("not the word")
    page.get_by_label("Type “erase” to confirm").fill("erase")
    page.keyboard.press("Enter")
    page.wait_for_url(stays)
    expect(page.locator("h1")).to_have_text(re.compile(r"^P-"))
    expect(page.locator("main")).not_to_contain_text("Gino")


def test_sign_out_ends_the_session(visit: Visitor, staffed_house):
    seen = visit(staffed_house.url, language="en")
    sign_in(seen.page, staffed_house, "Oreste Organizzatore")
    seen.page.get_by_role("button", name="Sign out").click()
    expect(seen.page.locator(".hall-who")).to_have_count(0)
    assert seen.page.request.get(f"{staffed_house.url}/players/").status == 200
    assert not [cookie for cookie in seen.context.cookies() if cookie["name"] == "sessionid"]


@pytest.mark.parametrize("language", LANGUAGES)
def test_all_pages_of_staff_are_clean_in_every_dress(visit: Visitor, staffed_house, saved, language):
    seen = visit(f"{staffed_house.url}/demo/", language=language)
    page, tour = seen.page, Tour(language)
    tour.check(page, "demo")
    page.locator("form.what button").first.click()
    expect(page.locator(".hall-who")).to_be_visible()
    page.goto(f"{staffed_house.url}/import/")
    tour.check(page, "import")
    page.locator("main button.button-primary").click()  # the browser itself asks for a file
    upload(page, staffed_house, saved({**small_file("Bad"), "entries": ["a", "a", "nobody"], "x": 1}))
    tour.check(page, "import-faults")
    cup = json.loads((Path(__file__).parents[2] / "tournaments" / "demo" / "coppa-adriatica.json").read_bytes())
    cup["tournament"]["name"] += " bis"
    upload(page, staffed_house, saved(cup))
    expect(page.locator("#people")).to_be_visible()
    tour.check(page, "import-preview")
    page.goto(f"{staffed_house.url}/players/?q=a")
    player = page.locator("main a[href^='/players/']:not([href*='?'])").first.get_attribute("href")
    other = page.locator("main a[href^='/players/']:not([href*='?'])").nth(1).get_attribute("href")
    for name in ("edit", "merge", "erase"):
        page.goto(f"{staffed_house.url}{player}{name}/")
        tour.check(page, f"person-{name}")
    page.goto(f"{staffed_house.url}{player}merge/?into={other.split('/')[2]}")
    tour.check(page, "person-merge-sides")
    assert seen.strangers() == []
    # a pair that sat together is answered by 422, which a browser writes into its console
    assert [fault for fault in seen.faults if "422" not in fault] == []


@pytest.mark.parametrize("path", ["/import/", "/demo/"])
def test_everything_can_be_reached_by_keyboard(visit: Visitor, staffed_house, path):
    walk_by_tab(visit(staffed_house.url + path, language="en", width=360).page)
