"""The browser of this machine, started for tests."""

from __future__ import annotations

import contextlib
import shutil
from collections.abc import Iterator
from pathlib import Path

from playwright.sync_api import Browser, sync_playwright

from tests.missing import missing

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
PLACES = ("/usr/bin/chromium", "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome")
ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


@contextlib.contextmanager
def launched() -> Iterator[Browser]:
    """A headless chromium or Chrome, from the PATH or one of the usual places."""
    found = (*map(shutil.which, NAMES), *(place for place in PLACES if Path(place).exists()))
    path = next(filter(None, found), None)
    if path is None:
        missing("no chromium or Chrome on the PATH or in the usual places: browser tests need one")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=ARGUMENTS)
        yield browser
        browser.close()
