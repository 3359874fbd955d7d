"""The live bus: "this topic has a new version", told to every web process, which tell their open pages.

A topic is the name of something a page shows (`public`, `sheet:<id>`); who hears it is decided by rights, never by
the page. A signal carries no facts: pages fetch what they show again, with their own rights.

The version of a topic is a counter in Valkey, written by `publish` in the same step that publishes, so that web
processes can compare it and make good a signal that was lost on its way to them. It is not the truth: a publish
while Valkey is away is in no counter, and is made good only by the resync after the bus came back. When sheets and
scopes have rows with a version of their own, `versions` reads those instead, and nothing else here changes.
"""

from __future__ import annotations

import json
import logging
import re
from collections.abc import Sequence
from functools import partial
from uuid import UUID

from django.db import transaction
from redis import RedisError
from redis.asyncio import Redis as AsyncRedis

from core.valkey import client

PUBLIC = "public"  # topics every viewer has: what everybody can see changed,
HALL = "hall"  # and at the tables of a tournament something happened, which few pages show
CHANNEL = "live:"
SIGNALS = "signals"  # what one publish says of all its topics: one message, so that 200 bells cost no more than one
REVOKE = "revoke"  # closes streams
KEEP = 30 * 24 * 3600  # seconds a version outlives its last publish

_TOPIC = re.compile(r"[a-z][a-z_]*(:[0-9a-f-]{1,36})?")
_PUBLISH = """
local told = {}
for at, key in ipairs(KEYS) do
  told[at] = {ARGV[at + 2], redis.call('INCR', key)}
  redis.call('EXPIRE', key, ARGV[1])
end
redis.call('PUBLISH', ARGV[2], cjson.encode(told))
"""
log = logging.getLogger(__name__)


def publish(*topics: str) -> None:
    """Says that each of `topics` changed: after the running transaction commits, or at once outside of one.

    Never fails: what was committed is committed, and a bus that is away resyncs everybody when it returns.
    """
    for topic in topics:
        check_topic(topic)
    if topics:
        transaction.on_commit(partial(_publish, topics))


def revoke(*, session: str | None = None, person: UUID | None = None) -> None:
    """Closes the streams of a session (its digest, see players.actor) or of a person, after the commit.

    What is closed connects again and gets the rights it has then. A lost revoke is made good within a minute, when
    the rights of every stream are read again.
    """
    if (session is None) == (person is None):
        raise ValueError("revoke one session or one person")
    whom = {"session": session} if session else {"person": str(person)}
    transaction.on_commit(partial(_tell, f"{CHANNEL}{REVOKE}", json.dumps(whom)))


async def versions(redis: AsyncRedis, topics: Sequence[str]) -> dict[str, int]:
    """The present version of each topic, 0 for one that was never published. Raises redis.RedisError."""
    found = await redis.mget([_key(topic) for topic in topics]) if topics else []
    return {topic: int(version or 0) for topic, version in zip(topics, found, strict=True)}


def check_topic(topic: str) -> None:
    """ValueError for what is not the name of a topic: `kind` or `kind:<hex id>`."""
    if not _TOPIC.fullmatch(topic):
        raise ValueError(f"not a topic: {topic!r}")


def _publish(topics: Sequence[str]) -> None:
    try:
        client().eval(_PUBLISH, len(topics), *map(_key, topics), KEEP, f"{CHANNEL}{SIGNALS}", *topics)
    except RedisError as error:
        log.warning("publish lost", extra={"topics": ",".join(topics), "error": type(error).__name__})


def _tell(channel: str, message: str) -> None:
    try:
        client().publish(channel, message)
    except RedisError as error:
        log.warning("revoke lost", extra={"error": type(error).__name__})


def _key(topic: str) -> str:
    return f"version:{topic}"
