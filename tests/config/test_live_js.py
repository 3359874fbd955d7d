"""live.js in a real browser: one stream per tab, hidden tabs hear through a visible one, nothing is missed."""

from __future__ import annotations

import time
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, BrowserContext, Page

from tests.config.house import House, Web, until

pytestmark = pytest.mark.browser

# Headless tabs are all visible; the page is told otherwise, as a browser would tell it.
HIDDEN = """
(hidden) => {
  Object.defineProperty(document, "visibilityState", { configurable: true, get: () => hidden ? "hidden" : "visible" });
  document.dispatchEvent(new Event("visibilitychange"));
}
"""


@pytest.fixture
def context(browser: Browser, web: Web) -> Iterator[BrowserContext]:
    until(lambda: streams(web) == 0, "no stream of an earlier test")
    context = browser.new_context(base_url=f"http://127.0.0.1:{web.port}")
    context.set_default_timeout(40_000)
    faults: list[str] = []
    context.on("console", lambda message: faults.append(message.text) if message.type == "error" else None)
    context.on("weberror", lambda error: faults.append(str(error.error)))
    yield context
    context.close()
    assert [fault for fault in faults if "Failed to load resource" not in fault] == []


def streams(web: Web) -> int:
    return int(web.json("/streams/")["open"])


def tab(context: BrowserContext) -> Page:
    page = context.new_page()
    page.goto("/page/")
    return page


def state(page: Page, wanted: str) -> None:
    until(lambda: page.evaluate("document.documentElement.dataset.live") == wanted, f"the stream is {wanted}")


def hide(page: Page, hidden: bool = True) -> None:
    page.evaluate(HIDDEN, hidden)


def heard(page: Page, name: str) -> int:
    return page.evaluate("(name) => window.heard.filter(([heard]) => heard === name).length", name)


def publish(house: House) -> None:
    house.shell("from core.live import publish; publish('public')")


def test_a_tab_resyncs_when_it_opens_and_hears_signals(own_house: House, web: Web, context: BrowserContext) -> None:
    page = tab(context)
    state(page, "own")
    assert heard(page, "live:resync") == 1
    publish(own_house)
    until(lambda: heard(page, "live:public") == 1)
    topic, version = page.evaluate("Object.values(window.heard.at(-1)[1])")
    assert topic == "public"
    assert version > 0
    hide(page)
    hide(page, hidden=False)
    assert heard(page, "live:resync") == 2
    assert streams(web) == 1


def test_an_element_fetches_itself_again_when_its_topic_changes(
    own_house: House, web: Web, context: BrowserContext
) -> None:
    """The signal carries no facts: htmx asks for the fragment, on a resync as well as on a signal."""
    page = tab(context)
    state(page, "own")
    until(lambda: page.inner_text("#part").startswith("version"))
    publish(own_house)
    until(lambda: heard(page, "live:public") == 1)
    version = page.evaluate("window.heard.findLast(([name]) => name === 'live:public')[1].version")
    until(lambda: page.inner_text("#part") == f"version {version}", "the fragment is the new one")


def test_a_hidden_tab_gives_its_stream_away_and_still_hears(
    own_house: House, web: Web, context: BrowserContext
) -> None:
    one, two = tab(context), tab(context)
    state(one, "own")
    state(two, "own")
    assert streams(web) == 2
    hide(one)
    state(one, "shared")
    until(lambda: streams(web) == 1, "the hidden tab closed its stream")
    publish(own_house)
    until(lambda: heard(one, "live:public") == 1, "the hidden tab hears through the visible one")
    assert heard(two, "live:public") == 1
    hide(one, hidden=False)
    state(one, "own")
    assert streams(web) == 2
    publish(own_house)
    until(lambda: (heard(one, "live:public"), heard(two, "live:public")) == (2, 2))
    time.sleep(0.3)
    assert (heard(one, "live:public"), heard(two, "live:public")) == (2, 2)  # nothing twice


def test_of_hidden_tabs_one_keeps_a_stream_for_all(own_house: House, web: Web, context: BrowserContext) -> None:
    pages = [tab(context) for _ in range(3)]
    for page in pages:
        state(page, "own")
    for page in pages:
        hide(page)
    until(lambda: streams(web) == 1, "one stream is left")
    publish(own_house)
    until(lambda: [heard(page, "live:public") for page in pages] == [1, 1, 1], "all hear")


def test_when_the_visible_tab_closes_a_hidden_one_takes_over(
    own_house: House, web: Web, context: BrowserContext
) -> None:
    hidden, shown = tab(context), tab(context)
    hide(hidden)
    state(hidden, "shared")
    before = heard(hidden, "live:resync")
    shown.close(run_before_unload=True)
    state(hidden, "own")
    assert heard(hidden, "live:resync") > before  # something may have come in between
    publish(own_house)
    until(lambda: heard(hidden, "live:public") == 1)
    assert streams(web) == 1


def test_a_restarted_server_is_found_again(own_house: House, browser: Browser) -> None:
    web = Web(own_house)
    with browser.new_context(base_url=f"http://127.0.0.1:{web.port}") as context:
        page = tab(context)
        state(page, "own")
        web.process.stop()
        state(page, "lost")
        again = Web(own_house, port=web.port)
        state(page, "own")
        assert heard(page, "live:resync") == 2
        again.process.stop()


def test_a_refused_stream_is_asked_for_again(web: Web, context: BrowserContext) -> None:
    """429 ends an EventSource for good: the page has to come back by itself."""
    refusals = []

    def refuse(route) -> None:  # type: ignore[no-untyped-def]
        if refusals:
            route.continue_()
        else:
            refusals.append(route.request.url)
            route.fulfill(status=429, body="")

    context.route("**/live/", refuse)
    page = tab(context)
    state(page, "lost")
    state(page, "own")
    assert len(refusals) == 1
