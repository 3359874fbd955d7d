"""What of a tournament is published and hashed: every fact, and nobody's name.

People are numbers in order of first appearance in the file, so that a person can be renamed or erased, code and all,
and the hash stays what it was. Free text of the archive (`record`) counts by its own hash.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from core.canonical import digest

File = dict[str, Any]


def numbers_of(file: File) -> dict[str, str]:
    """Code -> number as text, from 1: players in the order of the file, then people of earlier editions."""
    codes = [player["id"] for player in file["players"]]
    for edition in file.get("editions_before", []):
        codes += edition["ranking"]
        adjustments = edition.get("adjustments", {})
        codes += sorted(adjustments, key=lambda code: (adjustments[code], code))
    return {code: str(number) for number, code in enumerate(dict.fromkeys(codes), start=1)}


def content_of(file: File) -> File:
    """The file with numbers for codes, without names and clubs, and with the hash of its record."""
    number = numbers_of(file)
    content: File = {**file, "players": [{"id": number[player["id"]]} for player in file["players"]]}
    for part in ("entries", "lots"):
        if part in file:
            content[part] = [number[code] for code in file[part]]
    if "editions_before" in file:
        content["editions_before"] = [_edition(edition, number) for edition in file["editions_before"]]
    if "withdrawals" in file:
        content["withdrawals"] = [{**item, "player": number[item["player"]]} for item in file["withdrawals"]]
    content["stages"] = [
        {**stage, "heats": [_heat(heat, number) for heat in stage["heats"]]} for stage in file["stages"]
    ]
    if "record" in file:
        content["record"] = {"sha256": digest(file["record"])}
    return content


def _edition(edition: File, number: Mapping[str, str]) -> File:
    told = {**edition, "ranking": [number[code] for code in edition["ranking"]]}
    return _by_number(told, "adjustments", number)


def _heat(heat: File, number: Mapping[str, str]) -> File:
    told = {**heat, "seats": [number[code] for code in heat["seats"]]}
    if "hands" in heat:
        told["hands"] = [_hand(hand, number) for hand in heat["hands"]]
    return _by_number(_by_number(told, "totals", number), "adjustments", number)


def _hand(hand: File, number: Mapping[str, str]) -> File:
    told = {key: number[value] if key in ("caller", "called") else value for key, value in hand.items()}
    if "player" in hand.get("ruling", {}):
        told["ruling"] = {**hand["ruling"], "player": number[hand["ruling"]["player"]]}
    return told


def _by_number(told: File, key: str, number: Mapping[str, str]) -> File:
    if key not in told:
        return told
    return {**told, key: {number[code]: value for code, value in told[key].items()}}
