"""Roles given and taken: nobody gains by it what is not his to give."""

import pytest
from django.db import transaction

from core.models import AuditRow
from core.refusal import Refusal
from players.actor import SYSTEM, actor_for
from players.models import Grant, Scope, User
from players.queries import audit_faults, roles_on
from players.rules.rights import ADMIN, CLUB_ORGANISER, ORGANISER, REFEREE, ROLES
from players.services import administrators, create_club, grant_role, house_scope, revoke_role

pytestmark = pytest.mark.django_db
GOOD = "seven of cups 7"


@pytest.fixture
def places():
    """Scopes by name: two clubs, a tournament in the first."""
    with transaction.atomic():
        a, b = (create_club(SYSTEM, slug=slug, name=slug) for slug in "ab")
    tournament = Scope.objects.create(kind="tournament", parent=a.scope)
    return {"house": house_scope().pk, "a": a.scope_id, "b": b.scope_id, "cup": tournament.pk}


def holder(places, role, at):
    person = User.objects.create_user(f"{role.replace('_', '')}-{at}", role, GOOD)
    grant_role(SYSTEM, person=person.pk, scope=places[at], role=role)
    return actor_for(person.pk)


# Who (role, where) gives which role where, among those that one would try.
GIVES = [
    ((ADMIN, "house"), ADMIN, "house", True),
    ((ADMIN, "house"), CLUB_ORGANISER, "a", True),
    ((ADMIN, "house"), REFEREE, "cup", True),
    ((ADMIN, "house"), ADMIN, "a", False),
    ((CLUB_ORGANISER, "a"), CLUB_ORGANISER, "a", True),
    ((CLUB_ORGANISER, "a"), ORGANISER, "cup", True),
    ((CLUB_ORGANISER, "a"), ADMIN, "house", False),
    ((CLUB_ORGANISER, "a"), ADMIN, "a", False),
    ((CLUB_ORGANISER, "a"), REFEREE, "house", False),
    ((CLUB_ORGANISER, "a"), REFEREE, "b", False),
    ((ORGANISER, "cup"), ORGANISER, "cup", True),
    ((ORGANISER, "cup"), REFEREE, "cup", True),
    ((ORGANISER, "cup"), REFEREE, "a", False),
    ((ORGANISER, "cup"), CLUB_ORGANISER, "cup", False),
    ((ORGANISER, "cup"), "council", "cup", False),
    ((REFEREE, "cup"), REFEREE, "cup", False),
    (("council", "house"), REFEREE, "cup", False),
]


@pytest.mark.parametrize(("giver", "role", "at", "may"), GIVES)
def test_a_role_is_given_and_taken_by_the_same_people(places, giver, role, at, may):
    actor = holder(places, *giver)
    somebody = User.objects.create_user("somebody", "Somebody", GOOD)
    told = {"person": somebody.pk, "scope": places[at], "role": role}
    if not may:
        with pytest.raises(Refusal, match="not_allowed"):
            grant_role(actor, **told)
        Grant.objects.create(person=somebody, scope_id=places[at], role=role)
        with pytest.raises(Refusal, match="not_allowed"):
            revoke_role(actor, **told)
        assert Grant.objects.filter(person=somebody).exists()
        return
    for _ in range(2):
        grant_role(actor, **told)
    assert [row.role for row in roles_on([places[at]]) if row.person == somebody.pk] == [role]
    revoke_role(actor, **told)
    assert not Grant.objects.filter(person=somebody).exists()
    rows = AuditRow.objects.filter(scope=places[at], payload__person=str(somebody.pk)).order_by("number")
    assert [(row.verb, row.actor) for row in rows] == [(verb, actor.name) for verb in ("grant_role", "revoke_role")]
    assert audit_faults()[2] == []
    with pytest.raises(Refusal, match="grant_unknown"):
        revoke_role(actor, **told)


def test_a_role_that_nobody_knows_is_nobodys_to_give(places):
    actor = holder(places, ADMIN, "house")
    for role in ("", "owner"):
        with pytest.raises(Refusal, match="not_allowed"):
            grant_role(actor, person=actor.person, scope=places["house"], role=role)


def test_the_last_administrator_who_can_sign_in_stays(places):
    actor = holder(places, ADMIN, "house")
    demo = User.objects.create_user("demo", "Demo")
    User.objects.filter(pk=demo.pk).update(is_demo=True)
    grant_role(SYSTEM, person=demo.pk, scope=places["house"], role=ADMIN)
    assert [person.pk for person in administrators()] == [actor.person]
    with pytest.raises(Refusal, match="last_administrator"):
        revoke_role(actor, person=actor.person, scope=places["house"], role=ADMIN)
    second = User.objects.create_user("second", "Second", GOOD)
    grant_role(actor, person=second.pk, scope=places["house"], role=ADMIN)
    revoke_role(actor, person=actor.person, scope=places["house"], role=ADMIN)
    assert not actor_for(actor.person).grants


def test_roles_are_listed_by_weight_and_name(places):
    for role in reversed(ROLES):
        for name in ("Zoe", "Ada"):
            person = User.objects.create_user(None, name)
            Grant.objects.create(person=person, scope_id=places["a"], role=role)
    told = [(row.role, row.name) for row in roles_on([places["a"]])]
    assert told == [(role, name) for role in ROLES for name in ("Ada", "Zoe")]
