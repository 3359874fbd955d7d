"""A tournament file as text that people read and compare: one hand, player or short list a line."""

from __future__ import annotations

import json
from typing import Any

WIDTH = 118


def text_of(file: dict[str, Any]) -> str:
    """The file as JSON, keys in their order, with a line break at its end. Parsed, it is the file again."""
    return _part(file, 0, 0) + "\n"


def _part(value: Any, depth: int, taken: int) -> str:
    """`value` at `depth` spaces: on one line where it is small or a row, else with one line for each of its parts."""
    flat = json.dumps(value, ensure_ascii=False)
    if (
        not isinstance(value, dict | list)
        or not value
        or (depth and (_is_row(value) or depth + taken + len(flat) <= WIDTH))
    ):
        return flat
    if isinstance(value, dict):
        keys = {key: json.dumps(key, ensure_ascii=False) for key in value}
        lines = [f"{keys[key]}: {_part(child, depth + 1, len(keys[key]) + 3)}" for key, child in value.items()]
        return _block("{", lines, "}", depth)
    if not any(isinstance(child, dict | list) for child in value):
        return _block("[", _filled([json.dumps(child, ensure_ascii=False) for child in value], depth), "]", depth)
    return _block("[", [_part(child, depth + 1, 1) for child in value], "]", depth)


def _is_row(value: Any) -> bool:
    """A hand, a player, a withdrawal: an object without a list in it."""
    return isinstance(value, dict) and not any(isinstance(child, list) for child in value.values())


def _block(start: str, lines: list[str], end: str, depth: int) -> str:
    pad = "\n" + " " * (depth + 1)
    return f"{start}{pad}{f',{pad}'.join(lines)}\n{' ' * depth}{end}"


def _filled(words: list[str], depth: int) -> list[str]:
    """Short words, as many on a line as fit."""
    lines = [words[0]]
    for word in words[1:]:
        if depth + len(lines[-1]) + len(word) + 4 <= WIDTH:
            lines[-1] += f", {word}"
        else:
            lines.append(word)
    return lines
