"""From bytes to plain JSON values, refusing what JSON libraries let through.

Strict UTF-8 without a byte order mark, no duplicate keys, no NaN or Infinity, no lone surrogate, no U+0000, no
integer beyond signed 64 bits and no nesting deeper than DEPTH, wherever in the file they stand.
"""

import json
import math
import re

from .outcome import BadFileError, pointer

DEPTH = 100
INT64 = range(-(2**63), 2**63)
TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|[\[{]|[\]}]', re.DOTALL)


class Unfit:
    """Stands in the parsed tree for a number JSON should not have held."""

    def __init__(self, reason: str) -> None:
        self.reason = reason


class Doubled(dict):
    """An object some of whose keys came twice."""

    doubles: tuple[str, ...] = ()


def parse(data: str | bytes) -> tuple[object, dict[str, str]]:
    """The value and the faults found in it; BadFileError when there is no value at all."""
    if isinstance(data, bytes):
        try:
            text = data.decode("utf-8")
        except UnicodeDecodeError as error:
            raise BadFileError({"": f"not UTF-8: {error.reason} at byte {error.start}"}) from None
    else:
        text = data
    if text.startswith("\ufeff"):
        raise BadFileError({"": "starts with a byte order mark"})
    if too_deep(text):
        raise BadFileError({"": f"nested deeper than {DEPTH} levels"})
    try:
        value = json.loads(
            text,
            object_pairs_hook=_object,
            parse_constant=lambda name: Unfit(f"{name} is not a JSON number"),
            parse_int=_integer,
            parse_float=_float,
        )
    except ValueError as error:
        raise BadFileError({"": f"not JSON: {error}"}) from None
    faults: dict[str, str] = {}
    _walk(value, "", faults)
    return value, faults


def too_deep(text: str) -> bool:
    """Whether brackets outside strings nest beyond DEPTH (found before any recursive parser sees them)."""
    depth = 0
    for token in TOKEN.finditer(text):
        if token[0] in "[{":
            depth += 1
            if depth > DEPTH:
                return True
        elif token[0] in "]}":
            depth -= 1
    return False


def _integer(digits: str) -> int | Unfit:
    # int() itself refuses thousands of digits; 20 characters are more than any 64-bit integer needs.
    if len(digits) > 20 or int(digits) not in INT64:
        return Unfit("an integer beyond 64 bits")
    return int(digits)


def _float(digits: str) -> float | Unfit:
    value = float(digits)
    return value if math.isfinite(value) else Unfit("a number beyond the floating range")


def _object(pairs: list[tuple[str, object]]) -> dict:
    keys = [key for key, _ in pairs]
    made = Doubled(pairs)
    made.doubles = tuple(key for key in made if keys.count(key) > 1) if len(made) < len(keys) else ()
    return made


def _walk(value: object, where: str, faults: dict[str, str]) -> None:
    if isinstance(value, Unfit):
        faults[where] = value.reason
    elif isinstance(value, str):
        _string(value, where, faults)
    elif isinstance(value, Doubled):
        for key in value.doubles:
            faults[pointer(where, key)] = "the key stands twice"
        for key, member in value.items():
            _string(key, pointer(where, key), faults)
            _walk(member, pointer(where, key), faults)
    elif isinstance(value, list):
        for index, member in enumerate(value):
            _walk(member, pointer(where, index), faults)


def _string(value: str, where: str, faults: dict[str, str]) -> None:
    if any("\ud800" <= letter <= "\udfff" for letter in value):
        faults[where] = "a lone surrogate"
    elif "\0" in value:
        faults[where] = "a U+0000"
