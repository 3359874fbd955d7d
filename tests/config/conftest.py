from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from tests.browser import launched
from tests.config.house import House, Web


@pytest.fixture(scope="session")
def own_house() -> Iterator[House]:
    """Servers that the tests of this folder may restart. Not those of the run: nobody else stumbles."""
    house = House()
    yield house
    house.stop()


@pytest.fixture
def folder() -> Iterator[Path]:
    """A folder with a short path that every account can reach (pytest's own is closed to others)."""
    with tempfile.TemporaryDirectory(prefix="gd-") as path:
        Path(path).chmod(0o711)
        yield Path(path)


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with launched() as browser:
        yield browser


@pytest.fixture(scope="session")
def web(own_house: House) -> Web:
    return Web(own_house)
