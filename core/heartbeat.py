"""Signs of life. Each process says "I live" in Valkey; how long ago it said so is what `/healthz` tells.

A beat is a key that expires, and its age is read from the time it has left: no clock is compared with another.
"""

from __future__ import annotations

from collections.abc import Iterable

from core.valkey import client

KEEP = 24 * 3600 * 1000  # milliseconds a last beat is remembered


def beat(process: str) -> None:
    """Says that `process` is alive. Raises redis.RedisError when Valkey is away."""
    client().set(_key(process), 1, px=KEEP)


def ages(processes: Iterable[str]) -> dict[str, float | None]:
    """Seconds since each process's last beat; None for one that was not heard of. Raises redis.RedisError."""
    names = list(processes)
    pipe = client().pipeline(transaction=False)
    for name in names:
        pipe.pttl(_key(name))
    left = pipe.execute()
    return {name: (KEEP - ms) / 1000 if ms >= 0 else None for name, ms in zip(names, left, strict=True)}


def _key(process: str) -> str:
    return f"heartbeat:{process}"
