"""What every test run has in common."""

from __future__ import annotations

import gc

YOUNG = 10_000  # objects between two looks for cycles; Python's own 700 are passed many times by one page


def pytest_collection_finish() -> None:
    """Thousands of tests and all their modules stay: they are not looked through again and again for what is gone."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(YOUNG, 10, 10)
