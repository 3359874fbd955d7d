"""`up` in a house without an administrator: a one-time link at the end of the start, a new one each time."""

from __future__ import annotations

import re
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.config.test_supervisor import manage

pytestmark = pytest.mark.slow
LINK = re.compile(r"This link makes you one.*\n  http://127\.0\.0\.1:\d+/join/#([\w-]{22,})\n")
USE = """
from core.refusal import Refusal
from players.services.links import look_at_link, use_link
try:
    look_at_link({first!r})
except Refusal as refusal:
    print(refusal.code)
print(use_link({second!r}, username="ada", password="seven of cups 7", name="Ada").username)
"""


@pytest.fixture
def base() -> Iterator[Path]:
    base = Path(tempfile.mkdtemp(prefix="gingodrome-first-"))
    yield base
    shutil.rmtree(base, ignore_errors=True)


def codes(base: Path) -> list[str]:
    """Starts the house once; the codes that it prints. The demonstration is loaded: its people do not count."""
    done = manage("up", "--once", "--port", "0", base=base)
    assert done.returncode == 0, done.stderr
    return LINK.findall(done.stdout)


def test_each_start_prints_a_new_link_until_somebody_is_administrator(base: Path) -> None:
    (first,), (second,) = codes(base), codes(base)
    assert first != second
    used = manage("shell", "-v0", "-c", USE.format(first=first, second=second), base=base)
    assert used.stdout.split() == ["link_over", "ada"], used.stderr
    assert codes(base) == []
