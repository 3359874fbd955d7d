"""The style guide in a real browser, served by the real house: every component, language, theme and width."""

from __future__ import annotations

import gzip
import re

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.conftest import Visitor, sideways, walk_by_tab
from tests.e2e.dress import LANGUAGES, Tour
from tests.e2e.house import RunningHouse

pytestmark = [pytest.mark.browser, pytest.mark.slow]


@pytest.fixture
def guide(debug_house: RunningHouse) -> str:
    return f"{debug_house.url}/styleguide/"


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_accessibility_violation_no_fault_and_nothing_from_elsewhere(visit: Visitor, guide, language):
    seen = visit(guide, language=language)
    Tour(language).check(seen.page, "styleguide")
    for width, height in ((320, 640), (640, 450), (820, 1180), (1920, 1080)):  # 640 x 450: 1280 x 900 at 200 % zoom
        seen.page.set_viewport_size({"width": width, "height": height})
        assert sideways(seen.page) == [], width
    assert seen.strangers() == []
    assert seen.faults == []


def test_letters_of_double_size_cut_nothing_off(visit: Visitor, guide):
    page = visit(guide, width=640).page
    page.evaluate("document.documentElement.style.fontSize = '200%'")
    assert sideways(page) == []
    clipped = page.evaluate(
        """() => [...document.querySelectorAll("button, a, h1, h2, h3, p, th, td, label")]
            .filter((e) => !e.closest(".scroller, .visually-hidden, .skip") && !e.classList.contains("visually-hidden"))
            .filter((e) => getComputedStyle(e).overflow !== "visible" && e.scrollWidth > e.clientWidth + 1)
            .map((e) => e.outerHTML)"""
    )
    assert clipped == []


def test_every_control_is_reached_by_the_tab_key_and_shows_it(visit: Visitor, guide):
    walk_by_tab(visit(guide).page)


def test_the_skip_link_leads_to_the_content(visit: Visitor, guide):
    page = visit(guide).page
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.id") == "content"


@pytest.mark.parametrize("width", [360, 1280])
def test_targets_are_large_enough(visit: Visitor, guide, width):
    page = visit(guide, width=width).page
    sizes = page.evaluate(
        """() => [...document.querySelectorAll("a[href], button, summary, input:not([type=hidden])")]
            .filter((e) => e.checkVisibility())
            .map((e) => [e.className, Math.min(e.offsetWidth, e.offsetHeight)])"""
    )
    large = ("button", "card", "chip", "wordmark")
    small = [(css, size) for css, size in sizes if size < (44 if css.split(" ")[0] in large else 24)]
    assert len(sizes) > 40
    assert small == []


def background(page: Page) -> str:
    return page.evaluate("getComputedStyle(document.body).backgroundColor")


LIGHT, DARK = "rgb(251, 247, 239)", "rgb(21, 23, 26)"


def test_the_theme_follows_the_device_until_it_is_chosen(visit: Visitor, guide):
    seen = visit(guide, language="en", scheme="dark")
    page = seen.page
    assert background(page) == DARK
    page.evaluate("window.unbroken = true")
    page.get_by_role("button", name="Light colours").click()
    assert background(page) == LIGHT
    assert page.evaluate("window.unbroken") is True, "the page was loaded again"
    expect(page.get_by_role("button", name="Light colours")).to_have_attribute("aria-pressed", "true")
    page.reload()
    assert page.locator("html").get_attribute("data-theme") == "light"
    assert background(page) == LIGHT
    page.get_by_role("button", name="Colours as on this device").click()
    assert background(page) == DARK
    page.reload()
    assert background(page) == DARK
    assert seen.faults == []


def test_without_script_theme_and_language_still_switch(visit: Visitor, guide):
    page = visit(guide, language="en", java_script_enabled=False).page
    page.get_by_role("button", name="Dark colours").click()
    expect(page.locator("html[data-theme=dark]")).to_have_count(1)
    page.get_by_role("button", name="Türkçe").click()
    expect(page.locator("html[lang=tr][data-theme=dark]")).to_have_count(1)
    assert page.url == guide
    page.get_by_role("button", name="Italiano").click()
    expect(page.locator("html[lang=it]")).to_have_count(1)


def test_the_theme_is_in_the_first_bytes(visit: Visitor, guide):
    """No flash of the other theme: the server writes it into the html element."""
    seen = visit(guide, theme="dark")
    body = seen.context.request.get(guide).text()
    assert re.search(r'<html[^>]*data-theme="dark"', body[:2000])


def test_an_unknown_theme_cookie_changes_nothing(visit: Visitor, guide):
    assert visit(guide, theme="purple").page.locator("html").get_attribute("data-theme") is None


def test_scripts_are_light(visit: Visitor, guide):
    seen = visit(guide)
    texts = [seen.context.request.get(url).body() for url in seen.scripts]
    assert len(texts) >= 2
    assert sum(len(gzip.compress(text)) for text in texts) <= 150_000


def test_nothing_inline_reaches_the_page(visit: Visitor, guide):
    seen = visit(guide)
    assert seen.page.locator("style, [style], script:not([src])").count() == 0
    policy = seen.context.request.get(guide).headers["content-security-policy"]
    assert "unsafe" not in policy
    assert seen.page.evaluate("document.adoptedStyleSheets.length") == 0


def test_face_down_cards_have_no_identity(visit: Visitor, guide):
    page = visit(guide).page
    down = page.locator(".card:has(img[src*='back'])")
    assert down.count() == 3
    for index in range(3):
        assert not re.search(
            r"coins|cups|swords|batons|hearts|diamonds|clubs|spades", down.nth(index).evaluate("e => e.outerHTML")
        )


def send(page: Page, path: str, method: str = "get") -> None:
    """An htmx request from a fresh button whose answer replaces a fresh box."""
    page.evaluate(
        """([path, method]) => {
            document.getElementById("trial")?.remove();
            const main = document.querySelector("main");
            const trial = document.createElement("div");
            trial.id = "trial";
            const button = document.createElement("button");
            button.setAttribute(`hx-${method}`, path);
            button.setAttribute("hx-target", "#trial-box");
            const box = document.createElement("div");
            box.id = "trial-box";
            trial.append(button, box);
            main.append(trial);
            htmx.process(trial);
            button.click();
        }""",
        [path, method],
    )


@pytest.mark.parametrize(
    ("status", "words"),
    [
        (403, "You may not do this"),
        (404, "not here any more"),
        (400, "not accepted"),
        (429, "Too many requests"),
        (500, "Nothing was changed"),
    ],
)
def test_refusals_and_failures_go_to_the_error_strip(visit: Visitor, guide, status, words):
    page = visit(guide, language="en").page
    page.route("**/trial", lambda route: route.fulfill(status=status, body="<p>no</p>", content_type="text/html"))
    expect(page.locator("#error-strip")).to_be_hidden()
    send(page, "/trial")
    expect(page.locator("#error-strip")).to_contain_text(words)
    expect(page.locator("#trial-box")).to_be_empty()
    page.locator("#error-strip").get_by_role("button", name="Close").click()
    expect(page.locator("#error-strip")).to_be_hidden()


def test_a_page_of_ours_brings_its_own_sentence(visit: Visitor, guide):
    page = visit(guide).page
    answer = "<!DOCTYPE html><title>x</title><p data-error-sentence>The clock keeper only.</p>"
    page.route("**/trial", lambda route: route.fulfill(status=403, body=answer, content_type="text/html"))
    send(page, "/trial")
    expect(page.locator("#error-strip")).to_contain_text("The clock keeper only.")


@pytest.mark.parametrize("status", [200, 409, 422])
def test_forms_to_mend_and_conflicts_are_swapped(visit: Visitor, guide, status):
    page = visit(guide).page
    page.route("**/trial", lambda route: route.fulfill(status=status, body="<p>mend</p>", content_type="text/html"))
    send(page, "/trial", "post")
    expect(page.locator("#trial-box")).to_have_text("mend")
    expect(page.locator("#error-strip")).to_be_hidden()


def test_a_lost_connection_goes_to_the_error_strip(visit: Visitor, guide):
    page = visit(guide, language="en").page
    page.route("**/trial", lambda route: route.abort())
    send(page, "/trial")
    expect(page.locator("#error-strip")).to_contain_text("No answer from the server")


def test_writes_carry_the_token_and_reads_do_not(visit: Visitor, guide):
    page = visit(guide).page
    page.route("**/trial", lambda route: route.fulfill(status=200, body="ok", content_type="text/html"))
    for method, carried in (("post", True), ("delete", True), ("get", False)):
        with page.expect_request("**/trial") as sent:
            send(page, "/trial", method)
        assert bool(sent.value.headers.get("x-csrftoken")) is carried
    # and Django takes it: the language view behind the same token answers a POST
    with page.expect_response("**/i18n/theme/") as answered:
        send(page, "/i18n/theme/", "post")
    assert answered.value.status == 302


@pytest.mark.parametrize(
    ("language", "one", "three"),
    [("en", "1 item waits", "3 items wait"), ("it", "1 elemento", "3 elementi"), ("tr", "1 kayıt", "3 kayıt")],
)
def test_the_offline_strip_counts_what_is_unsent(visit: Visitor, guide, language, one, three):
    seen = visit(guide, language=language)
    strip = seen.page.locator("#offline-strip")
    tell = "n => document.dispatchEvent(new CustomEvent('gingodrome:unsent', { detail: { count: n } }))"
    expect(strip).to_be_hidden()
    seen.context.set_offline(True)
    expect(strip).to_be_visible()
    seen.page.evaluate(tell, 1)
    expect(strip).to_contain_text(one)
    seen.page.evaluate(tell, 3)
    expect(strip).to_contain_text(three)
    seen.context.set_offline(False)
    expect(strip).to_be_visible()
    seen.page.evaluate(tell, 0)
    expect(strip).to_be_hidden()


def test_reduced_motion_is_honoured(visit: Visitor, guide):
    calm = visit(guide, reduced_motion="reduce").page
    lively = visit(guide).page
    question = "getComputedStyle(document.querySelector('button.card')).transitionDuration"
    assert lively.evaluate(question) == "0.15s"
    assert calm.evaluate(question) == "0s"


def test_print_is_black_on_white_without_controls(visit: Visitor, guide):
    page = visit(guide, theme="dark").page
    page.emulate_media(media="print")
    assert background(page) == "rgb(255, 255, 255)"
    assert page.evaluate("getComputedStyle(document.querySelector('.sheet td.num')).color") == "rgb(0, 0, 0)"
    for hidden in (".hall-switches", ".foot", ".crumbs", ".button-primary"):
        expect(page.locator(hidden).first).to_be_hidden()
    expect(page.locator(".print-foot")).to_be_visible()
    assert page.pdf(format="A4").startswith(b"%PDF")
