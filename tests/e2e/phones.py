"""Phones around a table: people who are signed in at a match, and what their thumbs do."""

from __future__ import annotations

from playwright.sync_api import Locator, Page

from scoring.rules.hands import CARD_POINTS, HandOutcome, hand_points
from tests.e2e.conftest import Visit, Visitor
from tests.e2e.house import RunningHouse
from tests.e2e.matches import REFEREES, Table

RITA, RINO = REFEREES
SENT = 15_000  # milliseconds for a busy machine


def enter(visit: Visitor, hall: RunningHouse, table: Table, name: str, path: str = "record/", **options) -> Visit:
    """A phone on which that person is signed in, at a page of the match."""
    options = {"language": "en", "width": 360, "height": 640, **options}
    seen = visit(f"{hall.url}/rules/", **options)
    table.enter(seen.context, hall.url, name)
    seen.page.goto(f"{hall.url}/matches/{table.match}/{path}")
    seen.page.wait_for_load_state("load")
    return seen


def keys_of(caller: int, called: int, bid: int, made: int) -> list[str]:
    """What a thumb touches for a hand, the button that saves included."""
    touched = [f"[data-seats=caller] label >> nth={caller}", f"[data-seats=called] label >> nth={called}"]
    for name, value in (("bid", bid), ("made", made)):
        touched.append(f"[data-amount={name}] [data-tens='{value // 10 * 10}']")
        if value != CARD_POINTS:
            touched.append(f"[data-amount={name}] [data-units='{value % 10}']")
    return [*touched, "[data-save]"]


def thumb(page: Page, *hand: int) -> int:
    """Records a hand by touch; how many touches it took."""
    touched = keys_of(*hand)
    for key in touched:
        page.locator("#recorder").locator(key).tap()
    return len(touched)


def line(page: Page) -> Locator:
    return page.locator("[data-line]")


def hand_of(number: int) -> tuple[int, int, int, int]:
    """Some hand, a different one for each number; every fifth alone."""
    caller = number % 5
    called = caller if number % 5 == 0 else (caller + 1 + number % 4) % 5
    return caller, called, 61 + number * 7 % 60, number * 37 % 121


def told(entry: dict) -> tuple[int, int, int, int]:
    return entry["caller"], entry["called"], entry["bid"], entry["made"]


def total(hands) -> list[int]:
    return [sum(column) for column in zip(*(hand_points(HandOutcome(*hand)) for hand in hands), strict=True)]


def positions(page: Page) -> list:
    return page.evaluate(
        "[...document.querySelectorAll('#recorder button, #recorder .seat')].filter((e) => e.checkVisibility()).map((e) => {"
        " const r = e.getBoundingClientRect(); return [r.x, r.y, r.width, r.height].map(Math.round) })"
    )
