"""What the machine of a test run lacks: skipped at home, never in CI."""

from __future__ import annotations

from typing import NoReturn

import pytest

from config.env import in_ci


def missing(reason: str) -> NoReturn:
    """Skip the running test; where CI is set, fail it: a check that nobody runs checks nothing."""
    if in_ci():
        pytest.fail(f"CI needs it: {reason}", pytrace=False)
    pytest.skip(reason)
