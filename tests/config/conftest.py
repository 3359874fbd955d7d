from __future__ import annotations

from collections.abc import Iterator

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


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with launched() as browser:
        yield browser


@pytest.fixture(scope="session")
def web(own_house: House) -> Web:
    return Web(own_house)
