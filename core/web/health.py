"""`/healthz`: which part of the house is alive, for a supervisor, a proxy and the person in front of a dark screen."""

from __future__ import annotations

from typing import Any

import psycopg
from django.db import connection
from django.http import HttpRequest, JsonResponse
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_safe
from redis import RedisError

from core import heartbeat

PATIENCE = 1.0  # seconds for the database to answer
# Seconds of silence after which a process counts as dead. The heavy one has a single place and long jobs.
SILENCE = {"ticker": 3.0, "worker": 15.0, "heavy": 90.0}


@cache_control(no_store=True)
@require_safe
def healthz(request: HttpRequest) -> JsonResponse:
    """{"ok": bool, "parts": {name: {"alive": bool, "age": seconds since its last beat or null}}}.

    503 only when this process cannot serve pages (no database): a proxy must not take a web process away because a
    worker is down.
    """
    database = _database_answers()
    try:
        ages = heartbeat.ages(SILENCE)
        valkey = True
    except RedisError:
        ages = dict.fromkeys(SILENCE)
        valkey = False
    parts: dict[str, dict[str, Any]] = {
        "web": {"alive": True, "age": 0.0},
        "database": {"alive": database, "age": 0.0 if database else None},
        "valkey": {"alive": valkey, "age": 0.0 if valkey else None},
    }
    for name, age in ages.items():
        parts[name] = {
            "alive": age is not None and age <= SILENCE[name],
            "age": None if age is None else round(age, 1),
        }
    ok = all(part["alive"] for part in parts.values())
    return JsonResponse({"ok": ok, "parts": parts}, status=200 if database else 503)


def _database_answers() -> bool:
    """Asks over a pooled connection like every page does, but waits less for it."""
    try:
        pool = connection.pool  # type: ignore[attr-defined]  # PostgreSQL's wrapper has it
        pool.open()
        with pool.connection(timeout=PATIENCE) as pooled:
            pooled.execute("SELECT 1")
    except psycopg.Error:
        return False
    return True
