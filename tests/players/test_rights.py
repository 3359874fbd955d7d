"""Which role may do what, and who may give which role."""

import pytest

from players.rules import rights
from players.rules.rights import (
    ADMIN,
    CLOCK_KEEPER,
    CLUB_ORGANISER,
    COUNCIL,
    ORGANISER,
    REFEREE,
    ROLES,
    given_by,
)


@pytest.mark.parametrize("verb", ["IMPORT_TOURNAMENT", "RUN_TOURNAMENT", "MANAGE_PEOPLE", "MANAGE_CLUBS"])
def test_an_administrator_may_everything_and_who_only_plays_nothing(verb):
    may = getattr(rights, verb)
    assert rights.ADMIN in may
    assert may <= set(rights.ROLES)


def test_a_referee_runs_no_tournament_and_a_club_organiser_makes_no_clubs():
    assert rights.REFEREE not in rights.RUN_TOURNAMENT
    assert rights.CLUB_ORGANISER not in rights.MANAGE_CLUBS


TABLE = {
    # who holds this on the scope or above: what he gives on the house, a club, a tournament, a friendly table
    ADMIN: (
        (ADMIN, REFEREE, CLOCK_KEEPER, COUNCIL),
        (CLUB_ORGANISER, ORGANISER, REFEREE, CLOCK_KEEPER),
        (ORGANISER, REFEREE, CLOCK_KEEPER),
        (REFEREE, CLOCK_KEEPER),
    ),
    CLUB_ORGANISER: (
        (REFEREE, CLOCK_KEEPER),
        (CLUB_ORGANISER, ORGANISER, REFEREE, CLOCK_KEEPER),
        (ORGANISER, REFEREE, CLOCK_KEEPER),
        (REFEREE, CLOCK_KEEPER),
    ),
    ORGANISER: (
        (REFEREE, CLOCK_KEEPER),
        (ORGANISER, REFEREE, CLOCK_KEEPER),
        (ORGANISER, REFEREE, CLOCK_KEEPER),
        (REFEREE, CLOCK_KEEPER),
    ),
    REFEREE: ((), (), (), ()),
    CLOCK_KEEPER: ((), (), (), ()),
    COUNCIL: ((), (), (), ()),
}
KINDS = ("house", "club", "tournament", "table")
ABOVE = {  # what is above one's own; nobody gives it
    CLUB_ORGANISER: {ADMIN, COUNCIL},
    ORGANISER: {ADMIN, COUNCIL, CLUB_ORGANISER},
}


@pytest.mark.parametrize("held", ROLES)
def test_each_role_gives_what_the_table_says(held):
    assert tuple(given_by({held}, kind) for kind in KINDS) == TABLE[held]


@pytest.mark.parametrize("held", ABOVE)
def test_nobody_gives_what_is_above_his_own_however_many_roles_he_has(held):
    weak = {held, REFEREE, CLOCK_KEEPER, COUNCIL}
    for kind in KINDS:
        assert not set(given_by(weak, kind)) & ABOVE[held]


def test_who_holds_nothing_gives_nothing_and_only_givers_are_asked():
    for kind in KINDS:
        assert given_by(set(), kind) == ()
    assert {role for role in ROLES if any(given_by({role}, kind) for kind in KINDS)} == rights.GIVE_ROLES
