"""Armed devices: how many would be heard (UX-06)."""

import time

import pytest
from redis import RedisError

from core.refusal import Refusal
from core.valkey import client
from gameplay.services import bells
from players.rules.rights import ADMIN, CLOCK_KEEPER, COUNCIL
from players.services import house_scope
from tests.gameplay.rows import Hall, actor, person

pytestmark = pytest.mark.django_db
ONE, TWO = "device-one", "device-two"


@pytest.fixture
def hall():
    client().flushdb()
    return Hall()


def test_a_device_counts_for_its_scope_and_below_it_once(hall):
    admin = actor(person("Anna", ADMIN, scope=house_scope().pk))
    keeper = actor(person("Kiki", CLOCK_KEEPER, scope=hall.club.scope_id))
    table = hall.sheet.scope_id
    assert bells.armed(table) == 0
    assert bells.arm(keeper, hall.club.scope_id, ONE)
    assert bells.arm(admin, house_scope().pk, ONE)
    assert bells.arm(admin, house_scope().pk, TWO)
    assert (bells.armed(table), bells.armed(hall.club.scope_id), bells.armed(house_scope().pk)) == (2, 2, 2)
    assert bells.armed(table, besides=ONE) == 1
    assert bells.disarm(admin, house_scope().pk, TWO)
    assert (bells.armed(table), bells.armed(table, besides=ONE)) == (1, 0)
    other = Hall("altro").club.scope_id
    bells.arm(keeper, hall.club.scope_id, TWO)
    assert bells.armed(other) == 1  # the administrator's only


def test_a_device_that_falls_silent_is_forgotten(hall, monkeypatch):
    scope = hall.club.scope_id
    monkeypatch.setattr(bells, "LIFE", 60)
    bells.arm(hall.referee, scope, ONE)
    time.sleep(0.08)
    assert bells.armed(scope) == 0
    monkeypatch.undo()
    bells.arm(hall.referee, scope, TWO)
    assert bells.armed(scope) == 1


def test_only_who_keeps_clocks_arms_for_them(hall):
    scope = hall.club.scope_id
    council = actor(person("Gino", COUNCIL, scope=house_scope().pk))
    for who in (hall.seats[0], council):
        with pytest.raises(Refusal, match="not_allowed"):
            bells.arm(who, scope, ONE)
    with pytest.raises(Refusal, match="not_allowed"):
        bells.arm(hall.referee, house_scope().pk, ONE)
    for device in ("", "short", "a" * 65, "with space", "x:" * 8):
        with pytest.raises(Refusal, match="bad_field"):
            bells.arm(hall.referee, scope, device)
    assert bells.armed(scope) == 0


def test_without_valkey_nothing_counts_and_nothing_fails(hall, monkeypatch):
    def away():
        raise RedisError("away")

    monkeypatch.setattr(bells, "client", away)
    assert bells.arm(hall.referee, hall.club.scope_id, ONE) is False
    assert bells.disarm(hall.referee, hall.club.scope_id, ONE) is False
    assert bells.armed(hall.club.scope_id) == 0
