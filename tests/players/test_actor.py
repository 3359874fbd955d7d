"""Rights: a role on a scope holds for everything below it, and for nothing else."""

from uuid import uuid4

import pytest

from core.refusal import Refusal
from players.actor import SYSTEM, Actor, Right
from players.models import Scope
from players.services import above, create_club, grant_role, house_scope

pytestmark = pytest.mark.django_db


def test_a_role_holds_below_its_scope_and_not_beside_it():
    a, b = (create_club(SYSTEM, slug=slug, name=slug) for slug in "ab")
    tournament = Scope.objects.create(kind="tournament", parent=a.scope)
    organiser = Actor(uuid4(), "session", frozenset({Right(a.scope_id, "club_organiser")}))
    assert organiser.may({"club_organiser"}, above(tournament.pk))
    assert not organiser.may({"club_organiser"}, above(b.scope_id))
    assert not organiser.may({"admin"}, above(tournament.pk))
    assert above(tournament.pk) == (tournament.pk, a.scope_id, house_scope().pk)


def test_nobody_without_a_grant_may_anything_but_the_house_itself():
    with pytest.raises(Refusal, match="not_allowed"):
        Actor(uuid4(), "session").require({"admin"}, [house_scope().pk])
    SYSTEM.require({"admin"}, [house_scope().pk])


def test_only_an_administrator_makes_clubs_and_gives_roles():
    stranger = Actor(None, "session")
    with pytest.raises(Refusal, match="not_allowed"):
        create_club(stranger, slug="a", name="A")
    club = create_club(SYSTEM, slug="a", name="A")
    with pytest.raises(Refusal, match="not_allowed"):
        grant_role(stranger, person=uuid4(), scope=club.scope_id, role="admin")


@pytest.mark.parametrize(
    ("fields", "code"), [({"slug": "a", "name": "B"}, "club_exists"), ({"slug": "A b", "name": "B"}, "bad_field")]
)
def test_a_club_needs_an_address_of_its_own(fields, code):
    create_club(SYSTEM, slug="a", name="A")
    with pytest.raises(Refusal, match=code):
        create_club(SYSTEM, **fields)
