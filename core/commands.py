"""Commands that take effect once, however often they are sent."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.db import connection, transaction

from core.canonical import digest, is_text
from core.models import KEY_LENGTH, CommandKey
from core.refusal import Refusal

Answer = dict[str, Any]

_CLAIM = """
INSERT INTO core_commandkey (actor, verb, key, body_hash) VALUES (%s, %s, %s, %s)
ON CONFLICT (actor, verb, key) DO NOTHING
"""


def checked_key(key: str) -> str:
    """A key as a form may bring it. Refusal `bad_key`: empty, longer than the column, or what no column can hold."""
    if not 0 < len(key) <= KEY_LENGTH or not is_text(key):
        raise Refusal("bad_key")
    return key


def once(actor: str, verb: str, key: str, body: Any, work: Callable[[], Answer]) -> Answer:
    """Does `work` in one transaction and keeps its answer (JSON) under the key; a repeat gets the kept answer.

    A twin that comes while the first is still working waits for it. `body` is what was asked for (JSON): the same key
    for something else is refused, `key_reused`; what can be no key is, too, `bad_key`, and what is no text (half of a
    surrogate pair), `unfit_text`. A refusal keeps no key, so a mended form can be sent again under it.
    """
    try:
        body_hash = digest(body)
    except UnicodeEncodeError:
        raise Refusal("unfit_text") from None
    with transaction.atomic():
        with connection.cursor() as cursor:
            cursor.execute(_CLAIM, [actor, verb, checked_key(key), body_hash])
            ours = cursor.rowcount == 1
        mine = CommandKey.objects.filter(actor=actor, verb=verb, key=key)
        if not ours:
            known = mine.get()
            if known.body_hash != body_hash:
                raise Refusal("key_reused", {"verb": verb})
            return dict(known.answer or {})
        answer = work()
        mine.update(answer=answer)
        return answer
