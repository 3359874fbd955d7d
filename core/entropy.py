"""The only source of randomness and of ids: services ask here, rules get what they need as arguments.

Two worlds that must be compared byte for byte run with one injected source. Nobody else can inject: outside of a test
run `injected` refuses.
"""

from __future__ import annotations

import secrets
from base64 import urlsafe_b64encode
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from uuid import UUID

from django.conf import settings

Source = Callable[[int], bytes]
SEED_BYTES = 32

_source: Source = secrets.token_bytes


def random_bytes(count: int) -> bytes:
    """`count` bytes nobody can guess."""
    drawn = _source(count)
    if len(drawn) != count:
        raise ValueError(f"the entropy source gave {len(drawn)} bytes instead of {count}")
    return drawn


def new_id() -> UUID:
    """A version 4 UUID: it carries neither time nor order."""
    return UUID(bytes=random_bytes(16), version=4)


def new_seed() -> bytes:
    """256 bits, for a draw or a shuffle."""
    return random_bytes(SEED_BYTES)


def new_token(count: int = 16) -> str:
    """`count` bytes as unpadded base64url: a pass or a link that is shown once and stored hashed."""
    return urlsafe_b64encode(random_bytes(count)).rstrip(b"=").decode()


@contextmanager
def injected(source: Source) -> Iterator[None]:
    """Draw from `source` (count -> bytes) in this process until the block ends. RuntimeError outside a test run."""
    if not settings.TESTING:
        raise RuntimeError("entropy can be injected in a test run only")
    global _source
    before, _source = _source, source
    try:
        yield
    finally:
        _source = before
