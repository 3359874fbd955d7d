"""Two people, one sheet, the same moment: whatever comes first, one of the lawful orders is what happened."""

from __future__ import annotations

from collections import Counter

import pytest
from django.db import connection

from tests.faults import races
from tests.faults.crew import processes, spread

pytestmark = [pytest.mark.slow, pytest.mark.django_db(transaction=True)]
RACES = 1000


@pytest.fixture(scope="module")
def pool(django_db_setup, django_db_blocker):
    """Processes that begin before the first race and end after the last."""
    with django_db_blocker.unblock():
        name = connection.settings_dict["NAME"]
    with processes(name) as running:
        yield running


@pytest.fixture
def run(pool):
    """run(race) -> how often which of them won."""

    def racing(race) -> Counter[str]:
        return sum(spread(pool, race, RACES), Counter())

    return racing


@pytest.mark.parametrize(
    ("race", "orders"),
    [
        (races.same_hand, {"- | hand_taken", "hand_taken | -"}),
        (races.signatures, {"- | sheet_closed", "sheet_closed | -"}),
        (races.claim_or_deal, {"- | claim_open", "claim_too_late | -"}),
        (races.correct_or_close, {"- | stale_sheet", "sheet_closed | -"}),
        (races.two_answers, {"- | proposal_answered", "proposal_answered | -"}),
        (races.same_key, {"- | key_reused", "key_reused | -"}),
    ],
)
def test_one_of_two_comes_first_and_the_other_is_told(run, race, orders):
    won = run(race)
    assert won.total() == RACES
    assert set(won) == orders, won  # both orders came up, and no other


def test_the_last_of_two_votes_decides_once(run):
    assert run(races.votes) == {"open": RACES, "upheld": RACES / 2, "rejected": RACES / 2}


def test_five_times_the_same_request_is_one_hand_and_one_answer(run):
    assert run(races.five_times) == {"- | - | - | - | -": RACES}
