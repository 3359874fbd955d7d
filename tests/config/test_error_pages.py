"""The pages of refusals and failures, of a house without debug: what happened, what to do next, one button home."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Browser, BrowserContext

from tests.config.house import Web
from tests.e2e.conftest import axe, sideways

LANGUAGES = ("it", "tr", "en")
PAGES = {"/nope": 404, "/forbid/": 403, "/i18n/theme/": 403, "/fail/": 500}


def asked(web: Web, path: str, language: str) -> tuple[int, str]:
    form = {"Content-Type": "application/x-www-form-urlencoded", "Accept-Language": language}
    method, body = ("POST", "theme=dark") if path == "/i18n/theme/" else ("GET", None)
    status, headers, text = web.request(method, path, body, form)
    assert headers["Content-Type"] == "text/html; charset=utf-8"
    assert "style-src 'self'" in headers["Content-Security-Policy"]
    return status, text.decode()


@pytest.mark.parametrize("path", PAGES)
def test_each_speaks_the_reader_s_language_and_shows_the_way_home(web: Web, path: str) -> None:
    titles = []
    for language in LANGUAGES:
        status, text = asked(web, path, language)
        assert status == PAGES[path]
        whole = len(LANGUAGES) if status == 500 else 1
        assert (
            text.count("data-error-sentence>")
            == text.count("<h1>")
            == text.count('class="button button-primary"')
            == whole
        )
        assert len(re.findall(r'<a class="button button-primary" href="/">[^<]+</a>', text)) == whole
        assert not re.search(r"<style|\sstyle=|Traceback|a fault of ours", text)
        titles += re.findall(r"<h1>([^<]+)</h1>", text)
        assert f'lang="{language}"' in text
    assert len(set(titles)) == len(LANGUAGES)


def test_a_failure_needs_neither_the_request_nor_the_manifest_of_the_static_files(web: Web) -> None:
    _, text = asked(web, "/fail/", "it")
    names = re.findall(r'(?:href|src)="(/static/[^"]+)"', text)
    assert len(names) == 4
    assert [web.get(name)[0] for name in names] == [200] * 4
    assert asked(web, "/fail/", "tr")[1] == text


@pytest.fixture(scope="module")
def context(browser: Browser, web: Web) -> BrowserContext:
    return browser.new_context(base_url=f"http://127.0.0.1:{web.port}", viewport={"width": 360, "height": 800})


@pytest.mark.browser
@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("path", PAGES)
def test_in_a_browser_they_are_whole_pages_of_ours(web: Web, context: BrowserContext, path: str, language: str) -> None:
    context.add_cookies([{"name": "language", "value": language, "url": f"http://127.0.0.1:{web.port}"}])
    page = context.new_page()
    faults: list[str] = []
    page.on("console", lambda message: faults.append(message.text) if message.type in ("error", "warning") else None)
    if path == "/i18n/theme/":
        page.goto("/rules/")
        page.evaluate("document.querySelectorAll('[name=csrfmiddlewaretoken]').forEach((field) => field.remove())")
        page.locator("form[action='/i18n/setlang/'] button[lang=tr]").click()
        page.wait_for_url("**/i18n/setlang/")
    else:
        page.goto(path)
    assert axe(page) == []
    assert sideways(page) == []
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(251, 247, 239)"
    assert [fault for fault in faults if "Failed to load resource" not in fault] == []
    page.locator("a.button-primary").first.click()
    page.wait_for_url("**/")
    assert page.locator("html").get_attribute("lang") == language
    page.close()


@pytest.mark.browser
def test_the_strip_says_the_sentence_of_the_error_page_in_the_reader_s_language(
    web: Web, context: BrowserContext
) -> None:
    page = context.new_page()
    for language in LANGUAGES:
        context.add_cookies([{"name": "language", "value": language, "url": f"http://127.0.0.1:{web.port}"}])
        for path in ("/nope", "/fail/"):
            page.goto("/rules/")
            page.evaluate(
                """(path) => {
                    const button = document.createElement("button");
                    button.setAttribute("hx-get", path);
                    document.querySelector("main").append(button);
                    htmx.process(button);
                    button.click();
                }""",
                path,
            )
            page.locator("#error-strip").wait_for()
            told = page.locator("#error-strip [data-strip-text]").inner_text()
            sentences = dict(
                re.findall(r'lang="(\w+)">\s*<h1>[^<]*</h1>\s*<p [^>]*>([^<]+)</p>', asked(web, path, language)[1])
            )
            single = re.findall(r"data-error-sentence>([^<]+)</p>", asked(web, path, language)[1])
            assert told == sentences.get(language, single[0])
    page.close()
