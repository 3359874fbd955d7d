"""Armed devices: browsers of staff whose sound is unlocked, so that somebody hears the bell (UX-06).

Each is known in Valkey for half a minute after it last said so. Nothing else depends on it: without Valkey no device
counts as armed, and bells ring all the same.
"""

from __future__ import annotations

import logging
import re
from uuid import UUID

from redis import RedisError

from core.refusal import Refusal
from core.valkey import client
from players.actor import Actor
from players.queries import above
from players.rules.rights import KEEP_CLOCK

LIFE = 30_000
"""Milliseconds that a device counts as armed after it said so; it says so every ten seconds."""
_DEVICE = re.compile(r"[A-Za-z0-9_-]{8,64}")
# By the server's own clock, so that a host whose time is wrong does not keep or lose a device.
_NOW = """
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
"""
_ARM = f"""{_NOW}
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now)
redis.call('ZADD', KEYS[1], now + ARGV[2], ARGV[1])
redis.call('PEXPIRE', KEYS[1], 2 * ARGV[2])
"""
_ARMED = f"""{_NOW}
return redis.call('ZRANGEBYSCORE', KEYS[1], '(' .. now, '+inf')
"""
log = logging.getLogger(__name__)


def arm(actor: Actor, scope: UUID, device: str) -> bool:
    """A device of who keeps the clocks of a scope will ring for it and for everything below it, for `LIFE`.

    False where Valkey is away. Refusals: `not_allowed`, `bad_field`.
    """
    return _tell(actor, scope, device, armed=True)


def disarm(actor: Actor, scope: UUID, device: str) -> bool:
    """It rings no more. False where Valkey is away. Refusals as `arm`."""
    return _tell(actor, scope, device, armed=False)


def armed(scope: UUID, *, besides: str = "") -> int:
    """How many devices are armed for a scope, or for one above it; `besides`: a device that does not count."""
    try:
        found = {device for one in above(scope) for device in client().eval(_ARMED, 1, _key(one))}
    except RedisError as error:
        log.warning("armed devices unknown", extra={"error": type(error).__name__})
        return 0
    return len(found - {besides})


def _tell(actor: Actor, scope: UUID, device: str, *, armed: bool) -> bool:
    actor.require(KEEP_CLOCK, above(scope))
    if not _DEVICE.fullmatch(device):
        raise Refusal("bad_field", {"field": "device"}, pointer="/device")
    try:
        if armed:
            client().eval(_ARM, 1, _key(scope), device, LIFE)
        else:
            client().zrem(_key(scope), device)
    except RedisError as error:
        log.warning("armed device not kept", extra={"error": type(error).__name__})
        return False
    return True


def _key(scope: UUID) -> str:
    return f"armed:{scope}"
