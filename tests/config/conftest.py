from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.config.house import House, Web


@pytest.fixture(scope="session")
def own_house() -> Iterator[House]:
    """Servers that the tests of this folder may restart. Not those of the run: nobody else stumbles."""
    house = House()
    yield house
    house.stop()


@pytest.fixture(scope="session")
def web(own_house: House) -> Web:
    return Web(own_house)
