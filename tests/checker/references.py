"""References between parts of a well-shaped file: strangers, doubles, the order of the stages."""

import re

from .outcome import pointer

Faults = dict[str, str]


def reference_faults(file: dict) -> Faults:
    """Every stranger, every double and every stage out of place, by pointer."""
    faults: Faults = {}
    ids = [player["id"] for player in file["players"]]
    for index in _doubles(ids):
        faults[f"/players/{index}/id"] = f"{ids[index]} stands twice"
    known = set(ids)
    for key in ("entries", "lots"):
        _people(file.get(key, []), f"/{key}", known, faults)
    for index, withdrawal in enumerate(file.get("withdrawals", [])):
        if withdrawal["player"] not in known:
            faults[f"/withdrawals/{index}/player"] = f"{withdrawal['player']} is not among the players"
    _editions(file, faults)
    _stage_order([stage["kind"] for stage in file["stages"]], faults)
    for index, stage in enumerate(file["stages"]):
        where = f"/stages/{index}/heats"
        if stage["kind"] != "heats" and len(stage["heats"]) != 1:
            faults[where] = "a final is one match"
        seated: set[str] = set()
        for number, heat in enumerate(stage["heats"]):
            _heat(heat, pointer(where, number), known, seated, faults)
    return faults


def _doubles(items: list) -> list[int]:
    """Indexes of the items that already stood earlier."""
    return [index for index, item in enumerate(items) if item in items[:index]]


def _people(people: list[str], where: str, known: set[str], faults: Faults) -> None:
    for index, player in enumerate(people):
        if player not in known:
            faults[pointer(where, index)] = f"{player} is not among the players"
    for index in _doubles(people):
        faults[pointer(where, index)] = f"{people[index]} stands twice"


def _editions(file: dict, faults: Faults) -> None:
    """One series has one edition of a number, an edition ranks nobody twice, and one that will count has a number."""
    seen = set()
    for index, edition in enumerate(file.get("editions_before", [])):
        for place in _doubles(edition["ranking"]):
            faults[f"/editions_before/{index}/ranking/{place}"] = "ranked twice"
        number = (edition.get("series", "world"), edition["edition"])
        if number in seen:
            faults[f"/editions_before/{index}/edition"] = "this edition stands twice"
        seen.add(number)
    tournament = file["tournament"]
    series = tournament.get("series", "world")
    if "edition" in tournament:
        if (series, tournament["edition"]) in seen:
            faults["/tournament/edition"] = "this edition is among the earlier ones"
    elif series == "world" and any(stage["kind"] == "final" for stage in file["stages"]):
        faults["/tournament"] = "an edition of the world series with a final needs its number"


def _stage_order(kinds: list[str], faults: Faults) -> None:
    """One or more heats, then perhaps a final, then perhaps a second final."""
    for index, kind in enumerate(kinds):
        so_far = " ".join(kinds[: index + 1])
        if not re.fullmatch(r"heats( heats)*( final( second_final)?)?", so_far):
            faults[f"/stages/{index}/kind"] = f"{kind} cannot stand here"
            return


def _heat(heat: dict, where: str, known: set[str], seated: set[str], faults: Faults) -> None:
    for index, player in enumerate(heat["seats"]):
        if player not in known:
            faults[f"{where}/seats/{index}"] = f"{player} is not among the players"
        elif player in seated:
            faults[f"{where}/seats/{index}"] = f"{player} sits twice in this stage"
        seated.add(player)
    for key in ("totals", "adjustments"):
        for player in heat.get(key, {}):
            if player not in heat["seats"]:
                faults[pointer(f"{where}/{key}", player)] = f"{player} does not sit here"
    if "totals" in heat and any(player not in heat["totals"] for player in heat["seats"]):
        faults[f"{where}/totals"] = "a seat has no total"
    for index, hand in enumerate(heat.get("hands", [])):
        for key in ("caller", "called"):
            if key in hand and hand[key] not in heat["seats"]:
                faults[f"{where}/hands/{index}/{key}"] = f"{hand[key]} does not sit here"
        player = hand.get("ruling", {}).get("player")
        if player is not None and player not in heat["seats"]:
            faults[f"{where}/hands/{index}/ruling/player"] = f"{player} does not sit here"
