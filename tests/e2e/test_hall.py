"""The hall screen in a browser: on the wall, in a hand, and after a time without a network (UX-29)."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from config import supervisor
from tests.e2e.conftest import Visitor, axe, screenshot, sideways
from tests.e2e.house import RunningHouse, clean_environ

pytestmark = [pytest.mark.browser, pytest.mark.slow]

WALL = {"width": 1920, "height": 1080}
OFFLINE = 30_000  # ms
_AGENT = """
import json, sys
import django
django.setup()
from django.db import transaction
from tests.tournaments.day_rows import Day, ring
from tournaments.services.running import resume_heats
days = {}
for line in sys.stdin:
    verb, name, *told = json.loads(line)
    with transaction.atomic():
        if verb == "open":
            days[name] = Day(told[0], name=name, phase=told[1])
        elif verb == "reach":
            days[name].reach(told[0])
        elif verb == "play":
            days[name].play(days[name].heats()[told[0]].sheet_id, 1, told[1])
        elif verb == "resume":
            days[name].do(resume_heats, stage=1, heats=[told[0] + 1])
        else:
            ring(days[name].heats()[told[0]].sheet_id)
    print(json.dumps(days[name].slug), flush=True)
"""


class Evening:
    """A tournament in a running house, led by a second process. `close` ends that."""

    def __init__(self, house: RunningHouse) -> None:
        environment = supervisor.read_state(house.data)["environment"]
        own = {"GINGODROME_DATA": str(house.base), "DJANGO_SETTINGS_MODULE": "config.settings"}
        self._process = subprocess.Popen(
            [sys.executable, "-c", _AGENT],
            env=clean_environ() | environment | own,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def ask(self, *words: Any) -> str:
        assert self._process.stdin
        assert self._process.stdout
        self._process.stdin.write(json.dumps(words) + "\n")
        self._process.stdin.flush()
        slug: str = json.loads(self._process.stdout.readline())
        return slug

    def close(self) -> None:
        self._process.communicate()


@pytest.fixture(scope="module")
def evening(hall: RunningHouse):
    evening = Evening(hall)
    yield evening
    evening.close()


def letters(page: Page, selector: str) -> float:
    """Pixels of the type there."""
    return page.locator(selector).first.evaluate("(one) => parseFloat(getComputedStyle(one).fontSize)")


def test_the_wall_follows_the_tables_and_comes_back_after_thirty_seconds(visit: Visitor, hall, evening):
    slug = evening.ask("open", "Coppa della Sala", 10, "running")
    seen = visit(f"{hall.url}/tournaments/{slug}/hall/", language="en", **WALL)
    page = seen.page
    expect(page.locator("html")).to_have_attribute("data-live", "own")
    expect(page.get_by_text("1 hand · being played")).to_be_visible()
    assert letters(page, ".screen-tables ol:visible") >= 40  # 25 mm on a screen of 1.2 m
    evening.ask("play", "Coppa della Sala", 1, 2)
    expect(page.get_by_text("2 hands · being played")).to_be_visible(timeout=5_000)
    evening.ask("ring", "Coppa della Sala", 1)
    expect(page.get_by_text("2 hands · the bell has rung")).to_be_visible(timeout=5_000)
    assert axe(page) == []
    assert sideways(page) == []
    screenshot(page, "hall-running-1920")
    assert seen.faults == []
    headers: list[dict[str, str]] = []
    page.on("response", lambda answer: headers.append(answer.headers) if "/hall/" in answer.url else None)
    page.context.set_offline(True)
    expect(page.locator("[data-screen-offline]")).to_be_visible(timeout=5_000)
    expect(page.get_by_text("2 hands · suspended")).to_be_visible()
    evening.ask("resume", "Coppa della Sala", 0)
    page.wait_for_timeout(OFFLINE)
    page.context.set_offline(False)
    expect(page.get_by_text("2 hands · being played")).to_be_visible(timeout=16_000)
    expect(page.locator("[data-screen-offline]")).to_be_hidden()
    expect(page.locator("html")).to_have_attribute("data-live", "own", timeout=10_000)
    assert headers
    for answer in headers:
        assert not {"date", "last-modified", "etag", "expires"} & answer.keys()


def test_what_does_not_fit_is_turned_and_can_be_held(visit: Visitor, hall, evening):
    slug = evening.ask("open", "Coppa Grande", 100, "announced")
    address = f"{hall.url}/tournaments/{slug}/hall/"
    page = visit(address, language="en", **WALL).page
    pages = page.locator("[data-screen-page]")
    expect(pages).to_have_text("1 / 4")
    shown = page.locator(".screen-tables > li:visible")
    first = shown.all_inner_texts()
    assert page.evaluate("document.documentElement.scrollHeight <= innerHeight")
    assert axe(page) == []
    screenshot(page, "hall-seats-1920")
    page.get_by_role("button", name="Pause").click()
    expect(page.get_by_role("button", name="Pause")).to_have_attribute("aria-pressed", "true")
    page.get_by_role("button", name="Next").click()
    expect(pages).to_have_text("2 / 4")
    second = shown.all_inner_texts()
    assert not set(first) & set(second)
    seen = {*first, *second}
    for number in (3, 4):
        page.get_by_role("button", name="Next").click()
        expect(pages).to_have_text(f"{number} / 4")
        seen |= set(shown.all_inner_texts())
    assert len(seen) == 20
    still = visit(address, language="en", reduced_motion="reduce", **WALL).page
    expect(still.locator(".screen-tables > li:visible")).to_have_count(20)
    expect(still.locator("[data-screen-controls]")).to_be_hidden()


def test_the_pages_of_an_evening_on_a_phone_and_on_a_desk(visit: Visitor, hall, evening):
    slug = evening.ask("open", "Coppa del Molo", 10, "running")
    here = f"{hall.url}/tournaments/{slug}/"
    for name, address in (
        ("home", f"{hall.url}/"),
        ("tournament", here),
        ("stage", f"{here}stages/1/"),
        ("hall", f"{here}hall/"),
    ):
        for scheme, width in (("light", 360), ("dark", 1280)):
            seen = visit(address, language="en", scheme=scheme, width=width)
            assert axe(seen.page) == [], (name, scheme)
            assert sideways(seen.page) == [], (name, width)
            assert seen.faults == [], name
            screenshot(seen.page, f"playing-{name}-en-{scheme}-{width}")
    evening.ask("reach", "Coppa del Molo", "finals closed")
    page = visit(f"{here}hall/", language="en", **WALL).page
    expect(page.locator("h2", has_text="Final ranking")).to_be_attached()
    screenshot(page, "hall-finals-1920")
