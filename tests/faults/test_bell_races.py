"""Ten thousand times award and bell at the same moment, without one disagreement with the rule (S9).

Of the races on real rows a tenth is run each time; `BELL_RACES=10000 python -m pytest tests/faults/test_bell_races.py`
runs them all.
"""

from __future__ import annotations

import os
from collections import Counter

import pytest
from django.db import connection

from tests.faults.bell_races import award_or_bell, orders
from tests.faults.crew import processes, spread

RACES = int(os.environ.get("BELL_RACES", "1000"))
ORDERS = 10_000


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
def test_an_award_counts_if_it_came_before_the_deadline():
    with processes(connection.settings_dict["NAME"]) as pool:
        came = sum(spread(pool, award_or_bell, RACES), Counter())
    assert came.total() == RACES
    assert set(came) == {"awarded", "bell_rang"}, came  # both came up, and nothing else
    print(came)


def test_in_whatever_order_the_clock_agrees_with_the_rule():
    came = orders(9, ORDERS)
    assert came.total() == ORDERS
    assert min(came[one] for one in ("awarded", "asked", "nothing")) > ORDERS / 20, came
