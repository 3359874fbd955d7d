"""Files that somebody uploaded to look at or to import: kept in Valkey for a quarter of an hour, never in a row.

One hash a file, under a random token. The heavy worker reads the file and leaves what it gives; nothing else is done
for a stranger, whose file is thrown away as soon as it was read. Who may import orders it here, and the heavy worker
does that too, with the rights that he has then.
"""

from __future__ import annotations

import json
import zlib
from base64 import b64decode, b64encode
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Literal
from uuid import UUID

from celery import current_app
from celery.exceptions import SoftTimeLimitExceeded
from django.utils.crypto import salted_hmac
from kombu.exceptions import OperationalError
from redis import RedisError

from core.entropy import new_token
from core.refusal import Refusal
from core.valkey import client
from players.actor import Actor, actor_for
from players.models import Club
from players.rules.rights import IMPORT_TOURNAMENT
from players.services import house_scope
from tournaments.exchange.preview import Listed, preview_of
from tournaments.exchange.strict_json import BadFileError
from tournaments.services.importing import import_tournament

KEEP = 15 * 60  # seconds a file is kept
LINE = 20  # files that may wait at once
PER_MINUTE, PER_MINUTE_STAFF = 6, 30  # files from one address, or from one person who may import
READING, IMPORTING = 10, 60  # seconds of work
FAULTS = 100  # faults that are told of one file
_WAITING = "uploads:waiting"
_ADMIT = """
local now = tonumber(redis.call('TIME')[1])
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now - ARGV[2])
local sent = redis.call('INCR', KEYS[2])
if sent == 1 then redis.call('EXPIRE', KEYS[2], 60) end
if sent > tonumber(ARGV[3]) then return 'too_many_uploads' end
if redis.call('ZCARD', KEYS[1]) >= tonumber(ARGV[4]) then return 'line_full' end
redis.call('ZADD', KEYS[1], now, ARGV[1])
return ''
"""
# A new order, unless one is under way or was done; an order that was refused may be followed by a mended one.
_ORDER = """
local order = redis.call('HGET', KEYS[1], 'order')
local done = redis.call('HGET', KEYS[1], 'done')
if order and not (done and cjson.decode(done)['faults'] and order ~= ARGV[1]) then return 0 end
redis.call('HSET', KEYS[1], 'order', ARGV[1])
redis.call('HDEL', KEYS[1], 'done', 'importing')
return 1
"""

Progress = Literal["waiting", "ready", "failed", ""]


@dataclass(frozen=True)
class Upload:
    """Where a file stands. `reading`: waiting, ready (`outcome`), or failed; `importing` likewise, "" before.

    `kept`: it can be imported. `form`: what was chosen for it so far. `done`: the import, or its `faults`.
    """

    reading: Progress
    outcome: dict[str, Any]
    kept: bool
    form: dict[str, Any]
    importing: Progress
    done: dict[str, Any]


def take_in(data: bytes, *, sender: str, keep: bool) -> str:
    """Puts a file into the waiting line; its token. `keep`: its sender may import it.

    Refusals: `too_many_uploads`, `line_full`, `house_away`.
    """
    token = new_token()
    limit = PER_MINUTE_STAFF if keep else PER_MINUTE
    with _house_there():
        refused = str(client().eval(_ADMIT, 2, _WAITING, _counter(sender), token, KEEP, limit, LINE))
        if refused:
            raise Refusal(refused, {"limit": limit})
        _write(token, file=_packed(data), kept=str(int(keep)))
        _send("heavy.preview_tournament", token)
    return token


def upload_of(token: str) -> Upload:
    """Where the file under this token stands. Refusals: `upload_unknown`, also for what has expired; `house_away`."""
    fields = ("kept", "outcome", "reading", "form", "order", "importing", "done")
    with _house_there():
        found = client().hmget(_key(token), fields)
        busy = client().exists(_busy(token))
    kept, outcome, reading, form, order, importing, done = (str(value) if value else "" for value in found)
    if not kept:
        raise Refusal("upload_unknown")
    return Upload(
        reading=_progress(outcome, reading, bool(busy)),
        outcome=json.loads(outcome or "{}"),
        kept=kept == "1",
        form=json.loads(form or "{}"),
        importing=_progress(done, importing, bool(busy)) if order else "",
        done=json.loads(done or "{}"),
    )


def players_of(token: str) -> tuple[Listed, ...]:
    """Everybody in a kept file that was read, in its order."""
    with _house_there():
        told = client().hget(_key(token), "players")
    return tuple(Listed(*player) for player in json.loads(str(told or "[]")))


def remember_form(token: str, form: Mapping[str, Any]) -> None:
    """Keeps what was chosen so far with the file. Refusal: `house_away`."""
    with _house_there():
        _write(token, form=json.dumps(form))


def order_import(
    actor: Actor, token: str, *, key: str, club: str | None, publish: bool, people: Mapping[str, UUID]
) -> None:
    """Has a kept file imported. Ordered twice, also under another key while the first is under way, it is done once.

    Refusals: `not_allowed`, `club_unknown`, `upload_unknown`, `house_away`. Those of the import come with its outcome.
    """
    house = house_scope().pk
    owner = Club.objects.filter(slug=club).first() if club else None
    if club and owner is None:
        raise Refusal("club_unknown", {"slug": club}, pointer="/club")
    actor.require(IMPORT_TOURNAMENT, {owner.scope_id if owner else house, house})
    upload = upload_of(token)
    if not (upload.kept and upload.outcome.get("source") and actor.person):
        raise Refusal("upload_unknown")
    told = {code: str(person) for code, person in people.items()}
    order = {"person": str(actor.person), "key": key, "club": club, "publish": publish, "people": told}
    with _house_there():
        if client().eval(_ORDER, 1, _key(token), json.dumps(order, sort_keys=True)):
            _send("heavy.import_tournament", token)


# Files of which somebody who runs a tournament reads the preview himself


def keep_file(data: bytes, *, sender: str, of: str) -> str:
    """Keeps a file that needs no worker; its token. `of`: what it belongs to, nothing else can ask for it.

    Refusals: `too_many_uploads`, `house_away`.
    """
    token = new_token()
    counter = _counter(sender)
    with _house_there():
        pipe = client().pipeline()
        pipe.set(counter, 0, ex=60, nx=True)
        pipe.incr(counter)
        if pipe.execute()[1] > PER_MINUTE_STAFF:
            raise Refusal("too_many_uploads", {"limit": PER_MINUTE_STAFF})
        _write(token, file=_packed(data), of=of)
    return token


def kept_file(token: str, *, of: str) -> tuple[bytes, dict[str, Any]]:
    """A file that was kept for this, and what was chosen for it. Refusals: `upload_unknown`, `house_away`."""
    with _house_there():
        packed, owner, form = client().hmget(_key(token), ("file", "of", "form"))
    if not packed or owner != of:
        raise Refusal("upload_unknown")
    return _unpacked(packed), json.loads(str(form or "{}"))


# What the heavy worker does


def preview_upload(token: str) -> None:
    """Reads a file and leaves what it gives, or its faults; safe to run twice."""
    store = client()
    store.zrem(_WAITING, token)
    packed, kept = store.hmget(_key(token), ("file", "kept"))
    if not packed:
        return
    with _busy_with(token, READING, reading="1"):
        players: Iterable[Listed] = ()
        try:
            outcome, players = preview_of(_unpacked(packed))
        except BadFileError as bad:
            outcome = {"verdict": "bad", **_faults(bad.faults)}
        except Refusal as refusal:
            outcome = {"verdict": "refused", **_faults([refusal])}
        except SoftTimeLimitExceeded:
            outcome = {"verdict": "refused", **_faults([Refusal("too_slow", {"seconds": READING})])}
        listed = {"players": json.dumps(list(players))} if kept == "1" else {}
        _write(token, outcome=json.dumps(outcome), **listed)
        if kept != "1":
            store.hdel(_key(token), "file")


def import_upload(token: str) -> None:
    """Imports a file as it was ordered, with the rights that the person has now; safe to run twice."""
    packed, told, done = client().hmget(_key(token), ("file", "order", "done"))
    if not packed or not told or done:
        return
    order = json.loads(str(told))
    with _busy_with(token, IMPORTING, importing="1"):
        outcome: dict[str, Any]
        try:
            made = import_tournament(
                actor_for(UUID(order["person"])),
                _unpacked(packed),
                club=order["club"],
                people={code: UUID(person) for code, person in order["people"].items()},
                publish=order["publish"],
                key=order["key"],
            )
            outcome = {"slug": made.slug, "created": made.created, "counts": made.counts}
        except BadFileError as bad:
            outcome = _faults(bad.faults)
        except Refusal as refusal:
            outcome = _faults([refusal])
        except SoftTimeLimitExceeded:
            outcome = _faults([Refusal("too_slow", {"seconds": IMPORTING})])
        _write(token, done=json.dumps(outcome))


def refusals_in(outcome: Mapping[str, Any]) -> list[Refusal]:
    """The faults of an outcome as refusals again."""
    return [
        Refusal(
            code,
            {name: tuple(value) if isinstance(value, list) else value for name, value in params.items()},
            article=article,
            pointer=pointer,
        )
        for code, params, article, pointer in outcome.get("faults", ())
    ]


def _faults(faults: Iterable[Refusal]) -> dict[str, Any]:
    """Faults as JSON: the first hundred, how many there are, and no word of a file longer than a page can bear."""
    told = list(faults)
    return {
        "count": len(told),
        "faults": [
            [
                fault.code,
                {name: _short(value) if isinstance(value, str) else value for name, value in fault.params.items()},
                fault.article,
                _short(fault.pointer),
            ]
            for fault in told[:FAULTS]
        ],
    }


def _short(text: str, length: int = 200) -> str:
    return text if len(text) <= length else f"{text[:length]}…"


def _counter(sender: str) -> str:
    """Where the files of a sender are counted. An address is nobody's business: it cannot be read from that name."""
    return f"uploads:from:{salted_hmac('tournaments.uploads', sender, algorithm='sha256').hexdigest()[:32]}"


def _packed(data: bytes) -> str:
    return b64encode(zlib.compress(data, 1)).decode()


def _unpacked(packed: Any) -> bytes:
    return zlib.decompress(b64decode(str(packed)))


def _progress(result: str, begun: str, busy: bool) -> Progress:
    """What was begun, left no result and is nobody's work any more was broken off."""
    return "ready" if result else "failed" if begun and not busy else "waiting"


@contextmanager
def _busy_with(token: str, seconds: int, **begun: str) -> Iterator[None]:
    """Says that a worker has the file; after a death of the worker that is forgotten by itself."""
    client().set(_busy(token), 1, ex=3 * seconds)
    _write(token, **begun)
    try:
        yield
    finally:
        client().delete(_busy(token))


def _write(token: str, **fields: str) -> None:
    """Writes fields of a file; it expires when it would have anyway."""
    pipe = client().pipeline()
    pipe.hset(_key(token), items=[word for pair in fields.items() for word in pair])
    pipe.expire(_key(token), KEEP, nx=True)
    pipe.execute()


def _send(task: str, token: str) -> None:
    current_app.send_task(task, args=[token], expires=KEEP)


@contextmanager
def _house_there() -> Iterator[None]:
    """Valkey away, or restarting, is a refusal: `house_away`."""
    try:
        yield
    except (RedisError, OperationalError):
        raise Refusal("house_away") from None


def _key(token: str) -> str:
    return f"upload:{token}"


def _busy(token: str) -> str:
    return f"upload:{token}:busy"
