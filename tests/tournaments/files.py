"""Small tournament files for tests, and the way from bytes to results that the command takes."""

import json

from core.refusal import Refusal
from tournaments.exchange.reading import read_tournament
from tournaments.exchange.records import record_from_file
from tournaments.exchange.result import result_of
from tournaments.exchange.strict_json import BadFileError
from tournaments.rules.replay import replay


def totals_heat(name, scores, hands_played=20, **more):
    """A heat of which only totals survive; `scores` maps five players to points, in seat order."""
    return {"name": name, "seats": list(scores), "totals": dict(scores), "hands_played": hands_played, **more}


def by_place(name, order, winner=900, step=50):
    """Invented totals that give this order."""
    return totals_heat(name, {player: winner - step * at for at, player in enumerate(order)})


def hands_heat(name, seats, hands):
    return {"name": name, "seats": list(seats), "hands": hands}


def stage(*heats, kind="heats"):
    return {"kind": kind, "heats": list(heats)}


def tournament_file(*stages, withdrawals=(), lots=None, editions=(), **tournament):
    players = dict.fromkeys(player for part in stages for heat in part["heats"] for player in heat["seats"])
    return {
        "format": "gingodrome-tournament",
        "version": 1,
        "tournament": {"name": "Test", "game": "gingo", "edition": 26, **tournament},
        "players": [{"id": player, "name": f"Player {player}"} for player in players],
        "editions_before": list(editions),
        "entries": list(players),
        "lots": list(players) if lots is None else lots,
        "stages": list(stages),
        "withdrawals": [{"player": player, "from": target} for player, target in withdrawals],
    }


def result(file):
    """Result JSON of a file given as a value."""
    return result_of(replay(record_from_file(read_tournament(json.dumps(file).encode()))))


def outcome(data):
    """`(0, result)`, `(2, faults)` or `(3, refusal)` of a file given as bytes."""
    try:
        return 0, result_of(replay(record_from_file(read_tournament(data))))
    except BadFileError as error:
        return 2, error.faults
    except Refusal as refusal:
        return 3, refusal


def refusal(file):
    """The refusal of a file that the rules refuse."""
    code, refused = outcome(json.dumps(file).encode())
    assert code == 3, refused
    return refused
