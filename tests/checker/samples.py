"""Small files to test with: plain dicts, so that a test can bend them before it dumps them."""

import json

from . import check


def totals_heat(name: str, totals: dict[str, int], hands_played: int = 20, **more) -> dict:
    """A match of which only totals survive; seats in the order given."""
    return {"name": name, "seats": list(totals), "totals": dict(totals), "hands_played": hands_played, **more}


def ordered_heat(name: str, order: str | list[str], top: int = 500, hands_played: int = 20) -> dict:
    """A match with invented totals that give this order: `top`, then ten less each."""
    people = order.split() if isinstance(order, str) else order
    return totals_heat(name, {player: top - 10 * index for index, player in enumerate(people)}, hands_played)


def hands_heat(name: str, seats: str, hands: list[dict]) -> dict:
    """A match with hands; seats are one letter each ("abcde") or separated by spaces."""
    return {"name": name, "seats": seats.split() if " " in seats else list(seats), "hands": hands}


def hand(caller: str, called: str, bid: int, made: int, kind: str | None = None) -> dict:
    """A hand, with a ruling judged after it when `kind` is given."""
    played = {"caller": caller, "called": called, "bid": bid, "made": made}
    if kind == "suicidal_call":
        played["ruling"] = {"kind": kind}
    elif kind == "disloyal_raise":
        played["ruling"] = {"kind": kind, "admitted": False}
    return played


def admitted(caller: str, bid: int) -> dict:
    """A disloyal raise admitted before the hand."""
    return {"caller": caller, "bid": bid, "ruling": {"kind": "disloyal_raise", "admitted": True}}


def award(player: str, points: int) -> dict:
    """Points given or taken by a ruling."""
    return {"ruling": {"kind": "award", "player": player, "points": points, "article": "S19", "reason": "late"}}


def tournament(*stages: dict | list, rules: dict | None = None, edition: int | None = 26, **more) -> dict:
    """A file: each stage a dict, or a list of heats. Players and entries are whoever sits in the first stage."""
    full = [stage if isinstance(stage, dict) else {"kind": "heats", "heats": stage} for stage in stages]
    people = [player for heat in full[0]["heats"] for player in heat["seats"]]
    head = {"name": "T", "game": "gingo", "series": "world"}
    if edition is not None:
        head["edition"] = edition
    if rules is not None:
        head["rules"] = rules
    return {
        "format": "gingodrome-tournament",
        "version": 1,
        "tournament": head,
        "players": [{"id": player, "name": f"Player {player}"} for player in people],
        "entries": people,
        "stages": full,
        **more,
    }


def final(heat: dict) -> dict:
    """The stage of the final."""
    return {"kind": "final", "heats": [heat]}


def second_final(heat: dict) -> dict:
    """The stage of the second final."""
    return {"kind": "second_final", "heats": [heat]}


def two_heats(first: str = "a1 a2 a3 a4 a5", second: str = "b1 b2 b3 b4 b5") -> list[dict]:
    """Ten players; the gaps of B are smaller (its winner has more), so B's third is repeched."""
    return [ordered_heat("A", first, 500), ordered_heat("B", second, 600)]


def complete() -> dict:
    """Ten players, a final and a second final, with hands: everything the format has, and nothing wrong."""
    hands = [
        hand("a", "b", 75, 80),
        hand("c", "c", 90, 95),
        hand("d", "a", 110, 40, "suicidal_call"),
        hand("e", "b", 80, 64, "disloyal_raise"),
        admitted("e", 75),
        award("c", -50),
    ]
    # a 75, b 75, c 130, d -270, e -136: c a b e d (a and b are equal: a called higher)
    heats = [hands_heat("Centrale", "abcde", hands), ordered_heat("Centralino", "f g h i j", 600)]
    return tournament(
        heats,
        final(ordered_heat("Finale", "c f g a h")),
        second_final(ordered_heat("Finale dei secondi", "b e d i j")),
        rules={"second_final": True},
        editions_before=[{"edition": 25, "ranking": ["a", "x"], "adjustments": {"x": -1}, "series": "world"}],
        lots=list("jihgfedcba"),
        withdrawals=[],
        record={"note": {"seed": [1, 2.5, None]}},
    )


def dump(file: dict) -> bytes:
    """The file as bytes."""
    return json.dumps(file).encode()


def result(file: dict) -> dict:
    """The result of a file that must replay."""
    outcome = check(dump(file))
    assert outcome.exit == 0, (outcome.faults, outcome.article, outcome.pointer, outcome.sentence)
    return outcome.result
