"""The doors in a browser: the first link, an invitation, sign-in, a seat pass; on a phone, by keyboard, without script."""

from __future__ import annotations

import os
import re
import secrets
import subprocess
import sys

import pytest
from playwright.sync_api import Page, expect

from config.house import ROOT
from tests.e2e.conftest import Visitor, axe, screenshot, sideways, walk_by_tab
from tests.e2e.house import RunningHouse, running_house

pytestmark = [pytest.mark.browser, pytest.mark.slow]
GOOD = "seven of cups 7"
PHONE = {"width": 360, "height": 640}
OPEN_MATCH = """
import django; django.setup()
from uuid import uuid4
from gameplay.services.matches import open_match
from players.actor import SYSTEM
from players.models import Club
from players.services import create_people
people = [row.pk for row in create_people(("Ada", "Bruno", "Carla", "Dino", "Elsa"))]
print(open_match(SYSTEM, scope=Club.objects.first().scope_id, table_name="Centrale", people=people, key=uuid4().hex)["match"])
"""


@pytest.fixture(scope="module")
def house(browser) -> RunningHouse:
    """A house of its own: whoever comes first is its administrator."""
    with running_house() as house:
        yield house


def first_code(house: RunningHouse) -> str:
    return re.search(rf"{house.url}/join/#([\w-]+)", house.log())[1]


@pytest.fixture(scope="module")
def admin(house: RunningHouse, browser) -> Page:
    """The administrator, who came by the link that `up` printed: on a phone, by keyboard only."""
    context = browser.new_context(viewport=PHONE)
    context.add_cookies([{"name": "language", "value": "en", "url": house.url}])
    page = context.new_page()
    page.goto(f"{house.url}/join/#{first_code(house)}")
    expect(page.locator("h1")).to_have_text("The administrator of this house")
    assert "#" not in page.url
    assert axe(page) == []
    assert sideways(page) == []
    screenshot(page, "join-first-en-light-360")
    page.get_by_label("Your name").focus()
    for typed in ("Amelia", "amelia", GOOD):
        page.keyboard.type(typed)
        page.keyboard.press("Tab")
    expect(page.get_by_role("button", name="Save and sign in")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator(".hall-who")).to_contain_text("Amelia")
    yield page
    context.close()


def new_visit(visit: Visitor, house: RunningHouse, path: str, **options):
    return visit(f"{house.url}{path}", language="en", **PHONE, **options)


def checked(page: Page, name: str) -> None:
    assert axe(page) == []
    assert sideways(page) == []
    assert page.locator("h1").count() == 1
    screenshot(page, name)


def small(page: Page) -> list[str]:
    """Controls of the page itself that a finger misses."""
    return page.evaluate(
        """() => [...document.querySelectorAll("main button, main input:not([type=hidden]):not([type=radio]), main select")]
            .filter((e) => e.checkVisibility() && e.getBoundingClientRect().height < 44)
            .map((e) => e.outerHTML)"""
    )


def test_the_first_link_works_once(visit: Visitor, house, admin):
    page = new_visit(visit, house, f"/join/#{first_code(house)}").page
    expect(page.get_by_role("alert").filter(has_text="not good any more")).to_be_visible()
    checked(page, "join-over-en-light-360")
    assert small(page) == []


def invite(admin: Page, house: RunningHouse, name: str) -> str:
    """The link that staff sees."""
    admin.goto(house.url)
    admin.get_by_role("link", name="House").click()
    admin.get_by_label("Somebody new: name").fill(name)
    admin.locator("#role-new").select_option("referee")
    admin.get_by_role("button", name="Invite by link").click()
    expect(admin.get_by_text(f"An invitation for {name}")).to_be_visible()
    return admin.get_by_label("The same as a link").input_value()


@pytest.mark.parametrize("script", [True, False], ids=["script", "no script"])
def test_somebody_invited_comes_in_and_later_signs_in_again(visit: Visitor, house, admin, script):
    username = "rita" if script else "zoe"
    link = invite(admin, house, username.title())
    expect(admin.get_by_role("img", name="The link as a QR code")).to_be_visible()
    if script:
        checked(admin, "scope-staff-link-en-light-360")
        assert small(admin) == []
    seen = new_visit(visit, house, link.removeprefix(house.url), java_script_enabled=script)
    page = seen.page
    if not script:
        page.get_by_label("Code").fill(link.partition("#")[2])
        page.get_by_role("button", name="Continue").click()
    expect(page.locator("h1")).to_have_text(f"Welcome, {username.title()}")
    page.get_by_label("User name").fill(username)
    page.get_by_label("Password").fill("short")
    page.get_by_role("button", name="Save and sign in").click()
    expect(page.get_by_text("This password will not do")).to_be_visible()
    if script:
        checked(page, "join-mend-en-light-360")
        assert small(page) == []
    page.get_by_label("Password").fill(GOOD)
    page.get_by_role("button", name="Save and sign in").click()
    expect(page.locator(".hall-who")).to_contain_text(username.title())
    page.locator(".hall-who button").click()
    page.get_by_role("link", name="Sign in", exact=True).click()
    if script:
        checked(page, "sign-in-en-light-360")
        walk_by_tab(page)
        assert small(page) == []
    page.get_by_label("User name").focus()
    page.keyboard.type(username.upper())
    page.keyboard.press("Tab")
    page.keyboard.type("wrong")
    page.keyboard.press("Enter")
    expect(page.get_by_text("The user name or the password is wrong.")).to_be_visible()
    page.get_by_label("Password").fill(GOOD)
    page.keyboard.press("Enter")
    expect(page.locator(".hall-who")).to_contain_text(username.title())
    # Chrome itself says that a page was answered with 422.
    assert [fault for fault in seen.faults if "422" not in fault] == []
    assert seen.strangers() == []


def test_the_account_by_keyboard(visit: Visitor, house, admin):
    admin.goto(f"{house.url}/account/")
    checked(admin, "account-en-light-360")
    assert small(admin) == []
    walk_by_tab(admin)
    expect(admin.get_by_text("this one")).to_be_visible()


def test_too_many_wrong_passwords_have_to_wait(visit: Visitor, house):
    page = new_visit(visit, house, "/sign-in/").page
    for _ in range(5):
        page.get_by_label("User name").fill("nobody-here")
        page.get_by_label("Password").fill("wrong")
        page.keyboard.press("Enter")
        page.wait_for_load_state()
    expect(page.locator("main").get_by_text("Wait a quarter of an hour")).to_be_visible()
    checked(page, "sign-in-locked-en-light-360")


@pytest.fixture(scope="module")
def match(house: RunningHouse) -> str:
    """A friendly match of the club of the demonstration."""
    told = {
        "DATABASE_URL": house.database_url,
        "REDIS_URL": house.redis_url,
        "SECRET_KEY": secrets.token_urlsafe(48),
        "DJANGO_SETTINGS_MODULE": "config.settings",
    }
    words = [sys.executable, "-c", OPEN_MATCH]
    done = subprocess.run(words, cwd=ROOT, env={**os.environ, **told}, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


@pytest.mark.parametrize("script", [True, False], ids=["script", "no script"])
def test_a_phone_takes_a_seat_by_what_staff_shows(visit: Visitor, house, admin, match, script):
    admin.goto(f"{house.url}/matches/{match}/passes/")
    admin.get_by_role("button", name=re.compile("Show pass.*Carla")).click()
    expect(admin.get_by_text("For Carla, seat 3")).to_be_visible()
    link = admin.get_by_label("The same as a link").input_value()
    seen = new_visit(visit, house, link.removeprefix(house.url), java_script_enabled=script)
    page = seen.page
    if script:
        checked(admin, "seat-passes-en-light-360")
        assert small(admin) == []
    else:
        page.get_by_label("Code").fill(link.partition("#")[2])
        page.get_by_role("button", name="Continue").click()
    button = page.get_by_role("button", name="I am Carla, seat 3")
    expect(button).to_be_visible()
    assert "#" not in page.url or not script
    if script:
        checked(page, "seat-en-light-360")
        walk_by_tab(page)
    button.focus()
    page.keyboard.press("Enter")
    page.wait_for_url(f"{house.url}/matches/{match}/")
    expect(page.locator(".hall-who")).to_contain_text("Carla")
    assert seen.faults == []
    # The next pass for the seat ends this phone's.
    admin.get_by_role("button", name=re.compile("Show pass.*Carla")).click()
    expect(admin.get_by_text("For Carla, seat 3")).to_be_visible()
    page.reload()
    expect(page.locator(".hall-who")).to_have_count(0)


@pytest.mark.parametrize(("language", "scheme"), [("it", "dark"), ("tr", "light")])
def test_the_pages_before_the_doors_in_other_languages(visit: Visitor, house, language, scheme):
    for path in ("/sign-in/", "/join/", "/seat/"):
        page = visit(f"{house.url}{path}", language=language, scheme=scheme, width=320).page
        assert axe(page) == []
        assert sideways(page) == []
