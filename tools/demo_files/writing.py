"""Tournament files as text that people read: one hand, player or short list a line."""

from __future__ import annotations

import json
from textwrap import wrap
from typing import Any

WIDTH = 118


def text_of(file: dict[str, Any]) -> str:
    """The whole file, with a line break at its end."""
    return _block(file, 0) + "\n"


def _block(value: Any, depth: int) -> str:
    pad = " " * (depth + 1)
    if isinstance(value, dict):
        lines = [f"{pad}{_flat(key)}: {_part(child, depth + 1, len(key) + 5)}" for key, child in value.items()]
        return "{\n" + ",\n".join(lines) + "\n" + " " * depth + "}"
    if all(isinstance(child, str) for child in value):
        # ids have no spaces in them, so lines break between them only
        lines = wrap(_flat(value)[1:-1], WIDTH - depth, break_on_hyphens=False, break_long_words=False)
        return "[\n" + "\n".join(pad + line for line in lines) + "\n" + " " * depth + "]"
    rows = [pad + (_flat(child) if _is_row(child) else _part(child, depth + 1, 0)) for child in value]
    return "[\n" + ",\n".join(rows) + "\n" + " " * depth + "]"


def _part(value: Any, depth: int, taken: int) -> str:
    flat = _flat(value)
    if not isinstance(value, dict | list) or depth + taken + len(flat) <= WIDTH:
        return flat
    return _block(value, depth)


def _is_row(value: Any) -> bool:
    """A hand, a player, a withdrawal: no lists inside."""
    return isinstance(value, dict) and not any(isinstance(child, list) for child in value.values())


def _flat(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)
