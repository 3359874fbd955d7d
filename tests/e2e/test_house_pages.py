"""The pages of the house, as a reader meets them: three languages, two themes, two sizes, by keyboard, without script."""

import json
import os
import re
import subprocess
import sys

import pytest

from config.house import ROOT
from tests.e2e.conftest import walk_by_tab
from tests.e2e.dress import LANGUAGES, PHONE, Tour

TITLES = {
    "it": "Tornei di carte",
    "tr": "Kâğıt turnuvaları",
    "en": "Card tournaments",
}
PAGES = {
    "home": "/",
    "calendar": "/tournaments/",
    "calendar-none": "/tournaments/?q=nothing+like+it",
    "players": "/players/",
    "players-found": "/players/?q=isil",
    "players-none": "/players/?q=nobody+like+him",
    "player": "/players/{champion}/",
    "player-excluded": "/players/{excluded}/",
    "player-hidden": "/players/{hidden}/",
    "player-erased": "/players/{erased}/",
    "clubs": "/clubs/",
    "club": "/clubs/circolo-demo/",
    "rankings": "/rankings/",
    "series": "/rankings/world/",
    "series-older": "/rankings/world/?edition=41",
    "club-series": "/clubs/circolo-demo/rankings/Coppa%20Adriatica/",
    "rules": "/rules/",
}
# Two people of their own, so that nobody of the demonstration is hidden or erased; the codes are on the last line.
SETUP = """
import django, json
django.setup()
from players.actor import SYSTEM
from tests.tournaments.files import by_place, stage, tournament_file
from tournaments.models import Entrant
from tournaments.services.importing import import_tournament
from tournaments.services.people import anonymise_person, correct_person

five = [f"guest-{n}" for n in range(1, 6)]
file = tournament_file(stage(by_place("Centrale", five)), name="Coppa degli ospiti", series="ospiti", date="1999-05-01")
slug = import_tournament(SYSTEM, json.dumps(file).encode()).slug
guests = [entrant.person for entrant in Entrant.objects.filter(tournament__slug=slug)]
correct_person(SYSTEM, guests[0].pk, name="Rita Riservata", hidden=True, version=1, key="e2e")
anonymise_person(SYSTEM, guests[1].pk, key="e2e")
told = {
    "hidden": guests[0].pk,
    "erased": guests[1].pk,
    "champion": Entrant.objects.get(tournament__edition=42, tournament__series="world", place=1).person_id,
    "excluded": Entrant.objects.filter(tournament__series="Coppa Adriatica", excluded=True).first().person_id,
}
print(json.dumps({name: str(person) for name, person in told.items()}))
"""
pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def addresses(club_house):
    """Name of a page -> its address in the running house."""
    servers = {"DATABASE_URL": club_house.database_url, "REDIS_URL": club_house.redis_url}
    told = subprocess.run(
        [sys.executable, "-c", SETUP],
        cwd=ROOT,
        env=os.environ | servers | {"DJANGO_SETTINGS_MODULE": "config.settings"},
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    people = json.loads(told.splitlines()[-1])
    return {name: club_house.url + page.format(**people) for name, page in PAGES.items()}


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_page_is_clean_in_every_dress(visit, club_house, addresses, language):
    seen = visit(f"{club_house.url}/rules/", language=language)
    tour = Tour(language)
    for name, address in addresses.items():
        seen.page.goto(address)
        tour.check(seen.page, name)
    assert seen.strangers() == []
    assert seen.faults == []


def test_everything_can_be_reached_by_keyboard(visit, club_house, addresses):
    page = visit(f"{club_house.url}/rules/", language="en", width=PHONE).page
    for address in addresses.values():
        page.goto(address)
        walk_by_tab(page)


@pytest.mark.parametrize("script", [True, False])
@pytest.mark.parametrize("asked", ["ISIL", "ışıl", "Isil"])
def test_somebody_is_found_by_keyboard(visit, addresses, asked, script):
    page = visit(addresses["home"], language="tr", java_script_enabled=script).page
    field = page.get_by_role("searchbox")
    for _ in range(40):
        page.keyboard.press("Tab")
        if field.evaluate("field => field === document.activeElement"):
            break
    page.keyboard.type(asked)
    page.keyboard.press("Enter")
    page.wait_for_url(re.compile(r"/players/\?q="))
    found = page.get_by_role("link", name="Işıl Karadeniz")
    found.focus()
    page.keyboard.press("Enter")
    page.wait_for_url(re.compile(r"/players/[0-9a-f-]{36}/$"))
    assert page.locator("h1").inner_text() == "Işıl Karadeniz"


def test_the_calendar_is_narrowed_without_script(visit, addresses):
    page = visit(addresses["calendar"], language="en", java_script_enabled=False).page
    page.get_by_label("Year").select_option("2025")
    page.get_by_role("button", name="Show").click()
    assert page.locator(".listing").last.locator("> li").count() == 1  # above it stands what is being played
    assert page.get_by_label("Year").input_value() == "2025"


def test_a_reader_goes_from_the_first_page_to_a_line_of_the_ranking_and_its_article(visit, addresses):
    page = visit(addresses["home"], language="en").page
    page.locator("main").get_by_role("link", name="Rankings").click()
    page.get_by_role("link", name="A.G.P. ranking").click()
    reason = page.locator("#ranking tr.why").first
    assert "edition 42: number" in reason.inner_text()
    assert "since edition 41" in reason.inner_text() or "New since" in reason.inner_text()
    reason.get_by_role("link", name="AGP").click()
    page.wait_for_url("**/rules/#AGP")
    assert page.locator("#AGP").is_visible()


@pytest.mark.parametrize("language", TITLES)
def test_it_says_what_this_is_in_the_readers_language(visit, club_house, language):
    seen = visit(club_house.url, language=language)
    assert seen.page.locator("h1").inner_text().startswith(TITLES[language])


def test_files_come_compressed_under_names_that_change_with_them(visit, club_house):
    seen = visit(club_house.url, language="en")
    styles = [url for url in seen.requests if url.endswith(".css")]
    assert styles
    assert all(re.search(r"/static/css/[a-z]+\.[0-9a-f]{12}\.css$", url) for url in styles)
    answer = seen.page.request.get(styles[0], headers={"accept-encoding": "gzip"})
    assert answer.headers["content-encoding"] == "gzip"
    assert "immutable" in answer.headers["cache-control"]


def test_the_style_guide_is_for_debug_houses_only(visit, club_house):
    seen = visit(club_house.url, language="en")
    assert seen.page.request.get(f"{club_house.url}/styleguide/").status == 404


def test_the_language_can_be_changed_without_script(visit, club_house):
    seen = visit(club_house.url, language="it", java_script_enabled=False)
    for language in ("tr", "en", "it"):
        seen.page.locator(f".switch button[lang={language}]").click()
        seen.page.wait_for_load_state("load")
        assert seen.page.locator("html").get_attribute("lang") == language
        assert seen.page.locator("h1").inner_text().startswith(TITLES[language])
