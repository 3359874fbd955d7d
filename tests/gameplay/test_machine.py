"""Whatever is done at a table in whatever order: the sheet is what the articles make of it, and every refusal has a reason.

The model beside the services is tests/faults/model.py and what belongs to it; nothing of the rules is imported there.
"""

from __future__ import annotations

from collections import Counter

import pytest
from django.db import connection

from players.queries import audit_faults
from players.services import house_scope
from tests.faults import walks
from tests.faults.crew import processes, spread
from tournaments.services.rebuilding import drifted

pytestmark = [pytest.mark.slow, pytest.mark.django_db(transaction=True)]
WALKS = 2000
VERBS = (
    *("record", "record_all", "correct", "void", "undo", "answer", "take_back", "claim", "vote", "decide", "withdraw"),
    *("award", "rule", "revoke", "appeal", "vote_appeal", "deal", "sign", "reopen"),
)


def test_every_walk_comes_to_what_the_articles_say():
    house_scope()
    with processes(connection.settings_dict["NAME"]) as pool:
        told = sum(spread(pool, walks.walk_many, WALKS), Counter())
    assert min(told[verb] for verb in VERBS) >= WALKS / 200, told.most_common()[::-1]
    refused = told.keys() - set(VERBS)
    assert len(refused) >= 45, sorted(refused)
    assert audit_faults()[2] == []
    assert list(drifted()) == []
