"""Prints that took a while: ordered once, made by the heavy worker, kept for an hour.

The key of a print names everything that it was made from: the state of its tournament, the word, the kind, the language
and the build of the house. So what is kept is never stale, whoever asks for it.
"""

from __future__ import annotations

import gzip
import logging
import time
from collections.abc import Iterator
from contextlib import contextmanager
from hashlib import sha256
from typing import NamedTuple, cast

from celery import current_app
from kombu.exceptions import OperationalError
from redis import RedisError

from core.refusal import Refusal
from core.valkey import bytes_client, client
from core.web.fragments import build_of_the_house
from players.actor import SYSTEM
from tournaments.queries.tournament import tournament_for_page
from tournaments.web.printing import Document, csv_of, pdf_of
from tournaments.web.prints import document_of, print_of

TASK = "heavy.make_print"
KEEP = 3600  # seconds a print is kept
ROOM = 96 * 1024 * 1024  # bytes that all kept prints take together; the oldest make room
FAILED = 60  # seconds until a print that could not be made may be ordered again
MAKING = 180  # seconds: an order that was not fulfilled by then is forgotten
LINE = 20  # prints that may wait at once
LOOK = 0.04  # seconds between two looks whether a print is there
MAKERS = {"pdf": pdf_of, "csv": csv_of}
_WAITING = "prints:waiting"
_KEPT = "prints:kept"
_ORDER = """
local now = tonumber(redis.call('TIME')[1])
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now - ARGV[2])
if redis.call('ZSCORE', KEYS[1], ARGV[1]) then return 'waiting' end
if redis.call('ZCARD', KEYS[1]) >= tonumber(ARGV[3]) then return 'line_full' end
redis.call('ZADD', KEYS[1], now, ARGV[1])
return 'ordered'
"""
_STORE = """
redis.call('HSET', KEYS[2], 'title', ARGV[1], 'made', ARGV[2])
redis.call('EXPIRE', KEYS[2], ARGV[3])
redis.call('ZADD', KEYS[1], redis.call('TIME')[1], KEYS[2])
local room = tonumber(ARGV[4])
local kept = redis.call('ZREVRANGE', KEYS[1], 0, -1)
for _, key in ipairs(kept) do
  local size = redis.call('HSTRLEN', key, 'made')
  room = room - size
  if size == 0 or (room < 0 and key ~= KEYS[2]) then
    redis.call('DEL', key)
    redis.call('ZREM', KEYS[1], key)
  end
end
"""
log = logging.getLogger(__name__)


class Kept(NamedTuple):
    """A print: its title, and the file packed by gzip; no file where it could not be made."""

    title: str
    packed: bytes


def key_of(stamp: str, word: str, kind: str, language: str, origin: str = "") -> str:
    """The name under which a print of this state of its tournament is kept.

    `origin`: the address of the house, where that stands on it.
    """
    asked = "|".join((build_of_the_house(), stamp, word, kind, language, *filter(None, (origin,))))
    return f"print:{sha256(asked.encode()).hexdigest()}"


def kept_print(key: str, patience: float = 0) -> Kept | None:
    """The print under a key, None while there is none; waits for it for so many seconds. Refusal: `house_away`."""
    until = time.monotonic() + patience
    with _house_there():
        while not bytes_client().exists(key) and time.monotonic() < until:
            time.sleep(LOOK)
        title, packed = cast(list[bytes | None], bytes_client().hmget(key, ("title", "made")))
    return None if title is None else Kept(title.decode(), packed or b"")


def order_print(slug: str, word: str, kind: str, language: str, stamp: str, origin: str = "") -> None:
    """Has a print made, unless it is in the making. Refusals: `line_full`, `house_away`."""
    key = key_of(stamp, word, kind, language, origin)
    with _house_there():
        answer = str(client().eval(_ORDER, 1, _WAITING, key, MAKING, LINE))
        if answer == "line_full":
            raise Refusal(answer)
        if answer == "ordered":
            try:
                current_app.send_task(
                    TASK, args=[slug, word, kind, language, stamp, *filter(None, (origin,))], expires=MAKING
                )
            except OperationalError:
                client().zrem(_WAITING, key)
                raise


def make_print(slug: str, word: str, kind: str, language: str, stamp: str, origin: str = "") -> None:
    """Makes an ordered print from what its tournament is now and keeps it. Safe to run twice."""
    ordered = key_of(stamp, word, kind, language, origin)
    try:
        view = tournament_for_page(SYSTEM, slug)
        key = key_of(view.stamp.key, word, kind, language, origin)
        if kept_print(key) is None:
            document = document_of(view, print_of(view, word), language, origin)
            _keep(key, file_title(view.name, document), MAKERS[kind](document))
    except BaseException:
        # Also the limits of time of a task are told to whoever waits; the fault itself goes to the log.
        if client().hsetnx(ordered, "title", ""):
            client().expire(ordered, FAILED)
        raise
    finally:
        client().zrem(_WAITING, ordered)


def file_title(name: str, document: Document) -> str:
    """What the file of a print is called."""
    return " – ".join(dict.fromkeys((name, document.title)))


def _keep(key: str, title: str, made: bytes) -> None:
    # A tagged PDF shrinks to a fifth. No time goes in, so equal prints stay equal bytes.
    packed = gzip.compress(made, compresslevel=6, mtime=0)
    bytes_client().eval(_STORE, 2, _KEPT, key, title, packed, KEEP, ROOM)


@contextmanager
def _house_there() -> Iterator[None]:
    """Valkey away, or restarting, is a refusal: `house_away`."""
    try:
        yield
    except (RedisError, OperationalError):
        raise Refusal("house_away") from None
