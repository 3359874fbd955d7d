"""JSON that cannot surprise: every oddity that the standard library lets pass becomes a fault with its place."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from typing import Any, NamedTuple

from core.refusal import Refusal

MAX_DEPTH = 100
_LOW, _HIGH = -(1 << 63), (1 << 63) - 1
_UNFIT_TEXT = re.compile("[\x00\ud800-\udfff]")


class BadFileError(Exception):
    """A file that cannot be read as what it says it is: every fault with its JSON Pointer."""

    def __init__(self, faults: Iterable[Refusal]) -> None:
        self.faults = tuple(faults)
        super().__init__(*self.faults)


class _Odd(NamedTuple):
    """Stands where a number was that no file may hold."""

    code: str


class _Doubled(dict[str, Any]):
    """An object in which some keys stood more than once."""

    doubles: set[str]


def pointer_key(key: str | int) -> str:
    """One step of a JSON Pointer."""
    return "/" + str(key).replace("~", "~0").replace("/", "~1")


def _integer(text: str) -> int | _Odd:
    # Twenty characters hold every 64-bit number; longer ones are not even converted.
    value = int(text) if len(text) <= 20 else None
    return value if value is not None and _LOW <= value <= _HIGH else _Odd("number_too_large")


def _fraction(text: str) -> float | _Odd:
    value = float(text)
    return value if abs(value) != float("inf") else _Odd("number_too_large")


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    plain = dict(pairs)
    if len(plain) == len(pairs):
        return plain
    doubled = _Doubled(plain)
    seen: set[str] = set()
    doubled.doubles = {key for key, _ in pairs if key in seen or seen.add(key)}  # type: ignore[func-returns-value]
    return doubled


def parse(data: bytes) -> tuple[Any, list[Refusal]]:
    """The parsed value and its faults; what is at fault is replaced by None, so that the rest can be checked too.

    Faults: `not_utf8`, `not_json`, `too_deep`, `duplicate_key`, `not_a_number`, `number_too_large`, `unfit_text`.
    Where nothing can be read at all, `BadFileError` is raised at once.
    """
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise BadFileError([Refusal("not_utf8", {"byte": error.start + 1})]) from None
    try:
        value = json.loads(
            text,
            parse_int=_integer,
            parse_float=_fraction,
            parse_constant=lambda _: _Odd("not_a_number"),
            object_pairs_hook=_object,
        )
    except json.JSONDecodeError as error:
        raise BadFileError([Refusal("not_json", {"line": error.lineno, "column": error.colno})]) from None
    except RecursionError:
        raise BadFileError([Refusal("too_deep", {"levels": MAX_DEPTH})]) from None
    root = [value]
    faults = list(_clean(root))
    return root[0], faults


def _clean(root: list[Any]) -> Iterable[Refusal]:
    stack: list[tuple[Any, Any, str, int]] = [(root, 0, "", 0)]
    while stack:
        parent, key, pointer, depth = stack.pop()
        value = parent[key]
        fault = None
        if isinstance(value, _Odd):
            fault = Refusal(value.code, pointer=pointer)
        elif isinstance(value, str):
            if _UNFIT_TEXT.search(value):
                fault = Refusal("unfit_text", pointer=pointer)
        elif isinstance(value, (dict, list)):
            if depth > MAX_DEPTH:
                fault = Refusal("too_deep", {"levels": MAX_DEPTH}, pointer=pointer)
            elif isinstance(value, list):
                stack.extend((value, at, f"{pointer}/{at}", depth + 1) for at in reversed(range(len(value))))
            else:
                yield from _clean_keys(value, pointer)
                stack.extend((value, name, pointer + pointer_key(name), depth + 1) for name in reversed(value))
        if fault is not None:
            parent[key] = None
            yield fault


def _clean_keys(value: dict[str, Any], pointer: str) -> Iterable[Refusal]:
    for name in [name for name in value if _UNFIT_TEXT.search(name)]:
        # The fault is reported at the object: the key itself may not be printable.
        del value[name]
        yield Refusal("unfit_text", pointer=pointer)
    if isinstance(value, _Doubled):
        for name in sorted(value.doubles & value.keys()):
            yield Refusal("duplicate_key", {"key": name}, pointer=pointer + pointer_key(name))
