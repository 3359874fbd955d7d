"""What of a tournament is published and hashed: every fact, and nobody's name."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from core.canonical import digest

File = Mapping[str, Any]
"""A tournament file as read, or as exported: its references are known to be sound."""
_PERSONAL = ("name", "club")


def content_hash(file: File) -> str:
    """SHA-256 in hex of the canonical JSON of its content."""
    return digest(content_of(file))


def content_of(file: File) -> dict[str, Any]:
    """The file without names and clubs of players and without its `record`, with numbers for codes.

    It can be replayed like the file itself. Erasing, renaming or recoding a person leaves it as it was; any other
    change of what is written down changes it.
    """
    numbers = numbers_of(file)
    changed: dict[str, Any] = {
        "players": [
            {key: value for key, value in _coded(player, "id", numbers).items() if key not in _PERSONAL}
            for player in file["players"]
        ],
        "entries": _listed(file["entries"], numbers),
        "stages": [{**stage, "heats": [_heat(heat, numbers) for heat in stage["heats"]]} for stage in file["stages"]],
    }
    if "lots" in file:
        changed["lots"] = _listed(file["lots"], numbers)
    if "withdrawals" in file:
        changed["withdrawals"] = [_coded(item, "player", numbers) for item in file["withdrawals"]]
    if "editions_before" in file:
        changed["editions_before"] = [
            {**_keyed(edition, "adjustments", numbers), "ranking": _listed(edition["ranking"], numbers)}
            for edition in file["editions_before"]
        ]
    # The record is the free text of the archive, in which a name may stand; no place follows from it.
    return {key: value for key, value in {**file, **changed}.items() if key != "record"}


def numbers_of(file: File) -> dict[str, str]:
    """Code -> number as text, from 1, in order of first appearance in `players`, then in rankings of the editions.

    Who has only adjustments comes last, in order of those: keys of an object have no order of their own, and two with
    the same adjustments can change places without changing anything.
    """
    editions = file.get("editions_before", [])
    codes = dict.fromkeys(player["id"] for player in file["players"])
    codes.update(dict.fromkeys(code for edition in editions for code in edition["ranking"]))
    ledgers = [edition.get("adjustments", {}) for edition in editions]
    unplaced = dict.fromkeys(code for ledger in ledgers for code in ledger if code not in codes)
    codes.update(
        dict.fromkeys(sorted(unplaced, key=lambda code: [(code in each, each.get(code, 0)) for each in ledgers]))
    )
    return {code: str(number) for number, code in enumerate(codes, start=1)}


def _listed(codes: Iterable[str], numbers: Mapping[str, str]) -> list[str]:
    return [numbers[code] for code in codes]


def _coded(row: Mapping[str, Any], key: str, numbers: Mapping[str, str]) -> dict[str, Any]:
    """The row with a number for the code under `key`, where it has one."""
    return {**row, key: numbers[row[key]]} if key in row else dict(row)


def _keyed(row: Mapping[str, Any], key: str, numbers: Mapping[str, str]) -> dict[str, Any]:
    """The row with numbers for the codes that are the keys of what stands under `key`, where anything does."""
    return {**row, key: {numbers[code]: value for code, value in row[key].items()}} if key in row else dict(row)


def _heat(heat: Mapping[str, Any], numbers: Mapping[str, str]) -> dict[str, Any]:
    row = _keyed(_keyed(heat, "totals", numbers), "adjustments", numbers)
    row["seats"] = _listed(heat["seats"], numbers)
    if "hands" in heat:
        row["hands"] = [_hand(hand, numbers) for hand in heat["hands"]]
    return row


def _hand(hand: Mapping[str, Any], numbers: Mapping[str, str]) -> dict[str, Any]:
    row = _coded(_coded(hand, "caller", numbers), "called", numbers)
    if "ruling" in hand:
        row["ruling"] = _coded(hand["ruling"], "player", numbers)
    return row
