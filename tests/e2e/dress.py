"""What every page is looked at in, with as few loads and readings as show it.

Words depend on the language, colours on the theme, the layout on the width. So each page is loaded in each language,
and in each it must fit every width and have no English left; in one it is read by axe light on a phone (and has its
picture taken), in another dark on a desk. Which language that is goes round from page to page.
"""

from __future__ import annotations

from functools import cache

from playwright.sync_api import Page

from core import i18n
from tests.e2e.conftest import axe, screenshot, sideways

LANGUAGES = ("it", "tr", "en")
NARROWEST, PHONE, DESK = 320, 360, 1280  # CSS px
HEIGHT = 900
WORDS = 3  # of a sentence, at least: shorter ones may be words of the other language, or names


class Tour:
    """A way over pages in one language; `check` where there is one to look at. The other two go the same way."""

    def __init__(self, language: str) -> None:
        self.language = language
        self._turn = LANGUAGES.index(language)

    def check(self, page: Page, name: str) -> None:
        """The page as it is now, whatever was opened or typed on it. It is on a phone in light colours then."""
        turn, self._turn = self._turn % len(LANGUAGES), self._turn + 1
        found = [page.locator("html").get_attribute("lang"), page.locator("h1").count()]
        assert found == [self.language, 1], (name, found)
        self._none(english_left(page, self.language), name)
        for width in (NARROWEST, DESK, PHONE):
            page.set_viewport_size({"width": width, "height": HEIGHT})
            self._none(sideways(page), name, width)
            if turn == 1 and width == DESK:
                page.emulate_media(color_scheme="dark", reduced_motion="reduce")  # no colour is caught half-way
                self._none(axe(page), name, "dark")
        page.emulate_media(color_scheme="light", reduced_motion="reduce")
        if turn == 0:
            self._none(axe(page), name, "light")
            screenshot(page, f"{name}-{self.language}")

    def _none(self, faults: list[str], *where: str | int) -> None:
        assert faults == [], (self.language, *where, faults)


def english_left(page: Page, language: str) -> list[str]:
    """Sentences of ours on the page that the catalogue of this language says otherwise."""
    words = " ".join(page.locator("body").inner_text().split())
    return [sentence for sentence in _sentences(language) if sentence in words]


@cache
def _sentences(language: str) -> list[str]:
    if language not in i18n.TRANSLATIONS:
        return []
    return [
        message.id
        for message in i18n.read(language)
        if isinstance(message.id, str)
        and len(message.id.split()) >= WORDS
        and message.string not in ("", message.id)
        and not {"%", "{", "<"} & set(message.id)
    ]
