"""JSON in one spelling, and its hash: equal values are equal bytes, on every machine and in ten years."""

from __future__ import annotations

import json
from hashlib import sha256
from typing import Any


def canonical(value: Any) -> str:
    """`value` as JSON with sorted keys and no spaces. ValueError for NaN and Infinity."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False)


def is_text(text: str) -> bool:
    """A column can hold it: no U+0000, no half of a surrogate pair."""
    return not any(sign == "\0" or "\ud800" <= sign <= "\udfff" for sign in text)


def digest(value: Any) -> str:
    """SHA-256 in hex of the canonical JSON."""
    return sha256(canonical(value).encode()).hexdigest()
