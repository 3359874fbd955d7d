"""Reading a tournament file: strict JSON, its published shape, and who is who in it."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import jsonschema_rs

from core.refusal import Refusal
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
                yield Refusal("wrong_type", {"type": kind["types"][0]}, pointer=pointer)
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


Located = Iterable[tuple[str, str]]
"""Pairs of a JSON Pointer and the code that stands there."""


def _reference_faults(file: dict[str, Any]) -> Iterator[Refusal]:
    known = {player["id"] for player in file["players"]}
    yield from _doubles((f"/players/{at}/id", player["id"]) for at, player in enumerate(file["players"]))
    for part in ("entries", "lots"):
        codes = _listed(f"/{part}", file.get(part, []))
        yield from _strangers(codes, known)
        yield from _doubles(codes)
    leavers = ((f"/withdrawals/{at}/player", item["player"]) for at, item in enumerate(file.get("withdrawals", [])))
    yield from _strangers(leavers, known)
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
        yield from _doubles(_listed(f"{pointer}/ranking", edition["ranking"]))
    tournament = file["tournament"]
    if (tournament.get("series", "world"), tournament.get("edition")) in numbers:
        yield Refusal("double", {"name": str(tournament["edition"])}, pointer="/tournament/edition")


def _stage_faults(stage: dict[str, Any], known: set[str], pointer: str) -> Iterator[Refusal]:
    heats = [(f"{pointer}/heats/{at}", heat) for at, heat in enumerate(stage["heats"])]
    yield from _doubles((f"{place}/name", heat["name"]) for place, heat in heats)
    seats = [seat for place, heat in heats for seat in _listed(f"{place}/seats", heat["seats"])]
    yield from _strangers(seats, known)
    yield from _doubles(seats)
    for place, heat in heats:
        yield from _heat_faults(heat, place)


def _heat_faults(heat: dict[str, Any], pointer: str) -> Iterator[Refusal]:
    seats = set(heat["seats"])
    for index, hand in enumerate(heat.get("hands", [])):
        place = f"{pointer}/hands/{index}"
        named = [(f"{place}/{key}", hand[key]) for key in ("caller", "called") if key in hand]
        if "player" in hand.get("ruling", {}):
            named.append((f"{place}/ruling/player", hand["ruling"]["player"]))
        yield from _strangers(named, seats)
    for part in ("totals", "adjustments"):
        codes = ((f"{pointer}/{part}{pointer_key(code)}", code) for code in heat.get(part, {}))
        yield from _strangers(codes, seats)
    for player in heat["seats"]:
        if player not in heat.get("totals", seats):
            yield Refusal("missing_total", {"name": player}, pointer=f"{pointer}/totals")


def _listed(pointer: str, codes: list[str]) -> list[tuple[str, str]]:
    return [(f"{pointer}/{at}", code) for at, code in enumerate(codes)]


def _strangers(codes: Located, known: set[str]) -> Iterator[Refusal]:
    for pointer, code in codes:
        if code not in known:
            yield Refusal("stranger", {"name": code}, pointer=pointer)


def _doubles(codes: Located) -> Iterator[Refusal]:
    seen: set[str] = set()
    for pointer, code in codes:
        if code in seen:
            yield Refusal("double", {"name": code}, pointer=pointer)
        seen.add(code)
