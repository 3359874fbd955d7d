"""The bus: told after the commit, never before, and never in the way of it."""

from __future__ import annotations

import json
import logging
import uuid
from collections.abc import Iterator
from typing import Any

import pytest
from django.conf import LazySettings
from django.db import transaction
from redis.client import PubSub

from core import valkey
from core.live import check_topic, publish, revoke


@pytest.fixture
def bus() -> Iterator[PubSub]:
    with valkey.client().pubsub() as bus:
        bus.psubscribe("live:*")
        assert bus.get_message(timeout=2)
        yield bus


def heard(bus: PubSub, seconds: float = 0.2) -> list[tuple[str, str]]:
    found: list[tuple[str, str]] = []
    while message := bus.get_message(timeout=seconds):
        found.append((message["channel"], message["data"]))
    return found


@pytest.mark.django_db(transaction=True)
def test_a_publish_waits_for_the_commit_and_a_rollback_forgets_it(bus: PubSub) -> None:
    topic = f"sheet:{uuid.uuid4()}"
    with transaction.atomic():
        publish(topic)
        assert heard(bus) == []
    assert heard(bus) == [("live:signals", f'[["{topic}",1]]')]
    with transaction.atomic():
        publish(topic)
        transaction.set_rollback(True)
    assert heard(bus) == []
    publish()
    publish(topic, "public")  # one message, whatever the number of topics
    [(channel, told)] = heard(bus)
    assert channel == "live:signals"
    [first, (other, _)] = json.loads(told)
    assert (first, other) == ([topic, 2], "public")


@pytest.mark.django_db(transaction=True)
def test_a_revocation_names_one_session_or_one_person(bus: PubSub) -> None:
    person = uuid.uuid4()
    revoke(session="abc")
    revoke(person=person)
    assert heard(bus) == [("live:revoke", '{"session": "abc"}'), ("live:revoke", f'{{"person": "{person}"}}')]
    for wrong in ({}, {"session": "abc", "person": person}):
        with pytest.raises(ValueError, match="one session or one person"):
            revoke(**wrong)  # type: ignore[arg-type]


@pytest.mark.django_db(transaction=True)
def test_a_bus_that_is_away_fails_nobody(settings: LazySettings, caplog: Any) -> None:
    settings.REDIS_URL = "unix:///nonexistent/valkey.sock"
    valkey.client.cache_clear()
    try:
        with caplog.at_level(logging.WARNING):
            publish("public")
            revoke(session="abc")
        assert [record.message for record in caplog.records] == ["publish lost", "revoke lost"]
    finally:
        valkey.client.cache_clear()


@pytest.mark.parametrize("topic", ["", "Sheet:1", "sheet:", "sheet:x y", "a:b:c", "sheet:1\n", "*", "a" * 3 + "]"])
def test_strange_topics_are_refused(topic: str) -> None:
    with pytest.raises(ValueError, match="not a topic"):
        check_topic(topic)
