"""What pages know of the backups: whether the last one is fresh, and no time.

The process that writes them (config.backup) says so in Valkey, for as long as it is believed.
"""

from __future__ import annotations

from typing import Literal

from django.conf import settings
from redis import RedisError

from core.valkey import client

KEY = "backup"
FRESH = 180  # seconds a word of the backups is believed: three of them may be late

State = Literal["", "fresh", "old"]


def backup_state() -> State:
    """`fresh`: everything that changed is in a backup, or will be within minutes; `old`; "" where none are kept."""
    if not settings.BACKUP:
        return ""
    try:
        return "fresh" if client().exists(KEY) else "old"
    except RedisError:
        return "old"


def say_backup(*, good: bool) -> None:
    """Says how the last one went. Raises redis.RedisError when Valkey is away."""
    if good:
        client().set(KEY, 1, ex=FRESH)
    else:
        client().delete(KEY)
