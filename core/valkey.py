"""Connections to Valkey (or Redis) for the live bus and the heartbeats. One client per process, made on first use."""

from __future__ import annotations

from functools import lru_cache

from django.conf import settings
from redis import Redis
from redis.asyncio import Redis as AsyncRedis
from redis.asyncio.retry import Retry as AsyncRetry
from redis.backoff import NoBackoff
from redis.retry import Retry

PATIENCE = 1.0  # seconds: a command that waits longer has found a dead server


@lru_cache(maxsize=1)
def client() -> Redis:
    """For threads. A command is tried twice, so a restart of the server costs no caller anything."""
    return _client(decode_responses=True)


@lru_cache(maxsize=1)
def bytes_client() -> Redis:
    """For threads, like `client`; answers are bytes as they were written."""
    return _client(decode_responses=False)


def _client(*, decode_responses: bool) -> Redis:
    return Redis.from_url(
        settings.REDIS_URL,
        decode_responses=decode_responses,
        socket_connect_timeout=PATIENCE,
        socket_timeout=PATIENCE,
        retry=Retry(NoBackoff(), 1),
    )


def async_client() -> AsyncRedis:
    """For the event loop. Never reconnects by itself: whoever listens must know that he missed something."""
    return AsyncRedis.from_url(
        settings.REDIS_URL,
        decode_responses=True,
        socket_connect_timeout=PATIENCE,
        socket_timeout=PATIENCE,
        retry=AsyncRetry(NoBackoff(), 0),
    )
