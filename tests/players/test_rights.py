"""Which role may do what."""

import pytest

from players.rules import rights


@pytest.mark.parametrize("verb", ["IMPORT_TOURNAMENT", "RUN_TOURNAMENT", "MANAGE_PEOPLE", "MANAGE_CLUBS"])
def test_an_administrator_may_everything_and_who_only_plays_nothing(verb):
    may = getattr(rights, verb)
    assert rights.ADMIN in may
    assert may <= set(rights.ROLES)


def test_a_referee_runs_no_tournament_and_a_club_organiser_makes_no_clubs():
    assert rights.REFEREE not in rights.RUN_TOURNAMENT
    assert rights.CLUB_ORGANISER not in rights.MANAGE_CLUBS
