"""A file becomes rows and comes out equal; whatever reads the rows finds the places that the file gives."""

import json

import pytest

from players.actor import SYSTEM
from tournaments.exchange.generator import generate_tournament
from tournaments.exchange.records import record_from_file
from tournaments.exchange.result import result_of
from tournaments.queries.tournament import file_for_export, tournament_for_page
from tournaments.rules.replay import replay
from tournaments.services.importing import import_tournament

pytestmark = pytest.mark.django_db


def result_of_file(file):
    return result_of(replay(record_from_file(file)))


@pytest.mark.parametrize("block", range(10))
def test_random_tournaments_come_out_as_they_went_in(block):
    for seed in range(30 * block, 30 * block + 30):
        file = generate_tournament(seed, 1 + seed % 9, hands=12)
        done = import_tournament(SYSTEM, json.dumps(file).encode())
        assert done.created
        exported = file_for_export(SYSTEM, done.slug)
        assert exported == file, seed
        view = tournament_for_page(SYSTEM, done.slug)
        assert result_of(view.outcome) == result_of_file(exported) == result_of_file(file), seed
