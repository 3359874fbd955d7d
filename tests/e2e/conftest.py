"""A browser, a running house, and pages that report every fault they see."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page, Request, expect

from tests.browser import launched
from tests.e2e.house import RunningHouse, running_house
from tests.e2e.matches import Tables

WCAG = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]
SCREENSHOTS = Path(__file__).parents[1] / "screenshots"


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    with launched() as browser:
        yield browser


@pytest.fixture(scope="session")
def club_house(browser: Browser) -> Iterator[RunningHouse]:
    """A house as a club runs it: no debug, static files under hashed names."""
    with running_house() as house:
        yield house


@pytest.fixture(scope="session")
def debug_house(browser: Browser) -> Iterator[RunningHouse]:
    """A house with the style guide. After `browser`, so that nothing starts where no test can run."""
    with running_house(GINGODROME_DEBUG="1") as house:
        yield house


@pytest.fixture(scope="session")
def hall(club_house: RunningHouse) -> RunningHouse:
    """The house of a club with every process alive."""
    club_house.wait_until_whole()
    return club_house


@pytest.fixture(scope="session")
def tables(hall: RunningHouse) -> Iterator[Tables]:
    """Opens matches in that house, and reads what stands on their sheets."""
    tables = Tables(hall)
    yield tables
    tables.close()


@dataclass
class Visit:
    """One page in its own context, and what went wrong or travelled while it was open."""

    page: Page
    context: BrowserContext
    origin: str
    faults: list[str] = field(default_factory=list)
    requests: list[str] = field(default_factory=list)
    scripts: list[str] = field(default_factory=list)

    def strangers(self) -> list[str]:
        """Requests that left the house."""
        return [url for url in self.requests if not url.startswith((f"{self.origin}/", "data:", "blob:"))]

    def _console(self, message: ConsoleMessage) -> None:
        if message.type in ("error", "warning"):
            self.faults.append(message.text)

    def _request(self, request: Request) -> None:
        self.requests.append(request.url)
        if request.resource_type == "script":
            self.scripts.append(request.url)

    def watch(self) -> None:
        self.page.on("console", self._console)
        self.page.on("pageerror", lambda error: self.faults.append(str(error)))
        self.page.on("request", self._request)


Visitor = Callable[..., Visit]


@pytest.fixture
def visit(browser: Browser) -> Iterator[Visitor]:
    """visit(url, language="it", scheme="light", width=1280, height=900, theme=None, **context options) -> Visit."""
    with contextlib.ExitStack() as stack:

        def open_page(
            url: str,
            *,
            language: str = "it",
            scheme: str = "light",
            width: int = 1280,
            height: int = 900,
            theme: str | None = None,
            **options: Any,
        ) -> Visit:
            context = browser.new_context(viewport={"width": width, "height": height}, color_scheme=scheme, **options)
            stack.callback(context.close)
            origin = "/".join(url.split("/")[:3])
            cookies = {"language": language} | ({"theme": theme} if theme else {})
            context.add_cookies([{"name": name, "value": value, "url": origin} for name, value in cookies.items()])
            seen = Visit(context.new_page(), context, origin)
            seen.watch()
            seen.page.goto(url)
            seen.page.wait_for_load_state("load")
            return seen

        yield open_page


def axe(page: Page) -> list[str]:
    """Violations of WCAG 2.2 A and AA on the page, one sentence per element."""
    result = Axe().run(page, options={"runOnly": {"type": "tag", "values": WCAG}, "resultTypes": ["violations"]})
    return [
        f"{violation['id']}: {node['target']} {node.get('failureSummary', '')}"
        for violation in result.response["violations"]
        for node in violation["nodes"]
    ]


def walk_by_tab(page: Page) -> None:
    """Every control is reached by the tab key, in order, after the skip link, and shows that it is."""
    wanted = page.evaluate(
        """() => {
            const all = [...document.querySelectorAll("a[href], button, input:not([type=hidden]), select, textarea, summary, [tabindex='0']")]
                .filter((e) => e.checkVisibility() && !e.disabled && !e.classList.contains("skip"));
            all.forEach((e, index) => { e.dataset.nth = index; });
            return all.length;
        }"""
    )
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.className") == "skip"
    expect(page.locator(".skip")).to_be_in_viewport()
    page.evaluate(
        """() => {
            window.reached = [];
            addEventListener("focusin", ({ target }) =>
                window.reached.push([Number(target.dataset.nth), parseFloat(getComputedStyle(target).outlineWidth)]));
        }"""
    )
    for _ in range(wanted):
        page.keyboard.press("Tab")
    reached = page.evaluate("window.reached")
    assert [nth for nth, _ in reached] == list(range(wanted))
    assert [nth for nth, outline in reached if outline < 2] == []


def sideways(page: Page) -> list[str]:
    """What makes the page wider than its window; empty if nothing does."""
    if page.evaluate("document.documentElement.scrollWidth <= innerWidth"):
        return []
    found: list[str] = page.evaluate(
        """() => [...document.querySelectorAll("body *")]
            .filter((element) => element.getBoundingClientRect().right > innerWidth + 1)
            .map((element) => `${element.tagName}.${element.className}`)"""
    )
    return found or ["the page itself"]


def screenshot(page: Page, name: str) -> None:
    """A full-page picture in tests/screenshots/, to be looked at; never compared: fonts differ between machines."""
    SCREENSHOTS.mkdir(exist_ok=True)
    page.screenshot(path=SCREENSHOTS / f"{name}.png", full_page=True)
