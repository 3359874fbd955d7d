"""Reading a tournament file: strict JSON, its published shape, and who is who in it."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import jsonschema_rs

from core.refusal import Param, Refusal
from tournaments.exchange.strict_json import BadFileError, parse, pointer_key

SCHEMA_FILE = Path(__file__).parents[2] / "docs" / "tournament-file.schema.json"
_VALIDATOR = jsonschema_rs.Draft202012Validator(json.loads(SCHEMA_FILE.read_text("utf-8")), validate_formats=True)
_ORDER = {"": ("heats",), "heats": ("heats", "final"), "final": ("second_final",), "second_final": ()}


def read_tournament(data: bytes) -> dict[str, Any]:
    """The parsed file (equal files are equal values). Raises `BadFileError` with every fault that can be seen.

    Faults of `parse`, of the shape (`wrong_type`, `missing`, `unexpected`, `wrong_value`, `too_small`, `wrong_count`,
    `empty_text`, `wrong_date`) and of who is who (`stranger`, `double`, `missing_total`, `stage_order`).
    """
    value, faults = parse(data)
    known = {fault.pointer for fault in faults}
    faults += [fault for fault in _shape_faults(value) if fault.pointer not in known]
    if not faults:
        faults = list(_reference_faults(value))
    if faults:
        raise BadFileError(faults)
    file: dict[str, Any] = value
    return file


def _shape_faults(value: Any) -> Iterator[Refusal]:
    yield from _whole_floats(value)
    for error in _VALIDATOR.iter_errors(value):
        pointer = "".join(map(pointer_key, error.instance_path))
        kind = error.kind.as_dict()
        match error.kind.name:
            case "required":
                yield Refusal("missing", {"key": kind["property"]}, pointer=pointer)
            case "additionalProperties":
                for key in kind["unexpected"]:
                    yield Refusal("unexpected", {"key": key}, pointer=pointer + pointer_key(key))
            case "falseSchema":
                yield Refusal("unexpected", {"key": str(error.instance_path[-1])}, pointer=pointer)
            case "type":
                yield Refusal("wrong_type", {"type": " | ".join(kind["types"])}, pointer=pointer)
            case "const":
                yield Refusal("wrong_value", {"allowed": str(kind["expected_value"])}, pointer=pointer)
            case "enum":
                yield Refusal("wrong_value", {"allowed": ", ".join(kind["options"])}, pointer=pointer)
            case "pattern":
                yield Refusal("wrong_value", {"allowed": "final, second_final, heats:2, heats:3, ..."}, pointer=pointer)
            case "minimum":
                yield Refusal("too_small", {"least": kind["limit"]}, pointer=pointer)
            case "minItems" | "maxItems":
                yield Refusal("wrong_count", {"count": kind["limit"]}, pointer=pointer)
            case "format":
                yield Refusal("wrong_date", pointer=pointer)
            case _:  # minLength, also of the names of keys
                yield Refusal("empty_text", pointer=pointer)


def _whole_floats(value: Any) -> Iterator[Refusal]:
    """`75.0` where whole numbers are due: a schema takes it for an integer, this format does not."""
    stack: list[tuple[Any, str]] = [(value, "")]
    while stack:
        part, pointer = stack.pop()
        if isinstance(part, float) and part.is_integer():
            yield Refusal("wrong_type", {"type": "integer"}, pointer=pointer)
        elif isinstance(part, dict):
            stack.extend(
                (child, pointer + pointer_key(key)) for key, child in part.items() if pointer or key != "record"
            )
        elif isinstance(part, list):
            stack.extend((child, f"{pointer}/{at}") for at, child in enumerate(part))


def _reference_faults(file: dict[str, Any]) -> Iterator[Refusal]:
    players = [player["id"] for player in file["players"]]
    yield from _doubles(players, lambda at: f"/players/{at}/id")
    known = set(players)
    for part in ("entries", "lots"):
        codes = file.get(part, [])
        yield from _strangers(codes, known, lambda at, part=part: f"/{part}/{at}")  # type: ignore[misc]
        yield from _doubles(codes, lambda at, part=part: f"/{part}/{at}")  # type: ignore[misc]
    leavers = [withdrawal["player"] for withdrawal in file.get("withdrawals", [])]
    yield from _strangers(leavers, known, lambda at: f"/withdrawals/{at}/player")
    yield from _edition_faults(file)
    before = ""
    for index, stage in enumerate(file["stages"]):
        pointer = f"/stages/{index}"
        if stage["kind"] not in _ORDER[before]:
            allowed = ", ".join(_ORDER[before]) or "-"
            yield Refusal("stage_order", {"kind": stage["kind"], "allowed": allowed}, pointer=f"{pointer}/kind")
        before = stage["kind"]
        yield from _stage_faults(stage, known, pointer)


def _edition_faults(file: dict[str, Any]) -> Iterator[Refusal]:
    numbers: set[tuple[str, int]] = set()
    for index, edition in enumerate(file.get("editions_before", [])):
        pointer = f"/editions_before/{index}"
        number = (edition.get("series", "world"), edition["edition"])
        if number in numbers:
            yield Refusal("double", {"name": str(number[1])}, pointer=f"{pointer}/edition")
        numbers.add(number)
        yield from _doubles(edition["ranking"], lambda at, p=pointer: f"{p}/ranking/{at}")  # type: ignore[misc]
    tournament = file["tournament"]
    if (tournament.get("series", "world"), tournament.get("edition")) in numbers:
        yield Refusal("double", {"name": str(tournament["edition"])}, pointer="/tournament/edition")


def _stage_faults(stage: dict[str, Any], known: set[str], pointer: str) -> Iterator[Refusal]:
    heats = stage["heats"]
    yield from _doubles([heat["name"] for heat in heats], lambda at: f"{pointer}/heats/{at}/name")
    seats = [player for heat in heats for player in heat["seats"]]

    def seat_pointer(at: int) -> str:
        return f"{pointer}/heats/{at // 5}/seats/{at % 5}"

    yield from _strangers(seats, known, seat_pointer)
    yield from _doubles(seats, seat_pointer)
    for index, heat in enumerate(heats):
        yield from _heat_faults(heat, f"{pointer}/heats/{index}")


def _heat_faults(heat: dict[str, Any], pointer: str) -> Iterator[Refusal]:
    seats = set(heat["seats"])
    for index, hand in enumerate(heat.get("hands", [])):
        for key in ("caller", "called"):
            if hand.get(key, heat["seats"][0]) not in seats:
                yield Refusal("stranger", {"name": hand[key]}, pointer=f"{pointer}/hands/{index}/{key}")
        player = hand.get("ruling", {}).get("player")
        if player is not None and player not in seats:
            yield Refusal("stranger", {"name": player}, pointer=f"{pointer}/hands/{index}/ruling/player")
    for part in ("totals", "adjustments"):
        codes = list(heat.get(part, {}))
        yield from _strangers(codes, seats, lambda at, c=codes, p=part: f"{pointer}/{p}{pointer_key(c[at])}")  # type: ignore[misc]
    if "totals" in heat:
        for player in heat["seats"]:
            if player not in heat["totals"]:
                yield Refusal("missing_total", {"name": player}, pointer=f"{pointer}/totals")


def _strangers(codes: Iterable[str], known: set[str], pointer: Callable[[int], str]) -> Iterator[Refusal]:
    return _faults_in(codes, "stranger", lambda code: code not in known, pointer)


def _doubles(codes: Iterable[str], pointer: Callable[[int], str]) -> Iterator[Refusal]:
    seen: set[str] = set()

    def again(code: str) -> bool:
        was = code in seen
        seen.add(code)
        return was

    return _faults_in(codes, "double", again, pointer)


def _faults_in(
    codes: Iterable[str], code: str, wrong: Callable[[str], bool], pointer: Callable[[int], str]
) -> Iterator[Refusal]:
    for at, name in enumerate(codes):
        if wrong(name):
            params: dict[str, Param] = {"name": name}
            yield Refusal(code, params, pointer=pointer(at))
