"""The adjustable values and their ranges (table at the end of the rules). Types were checked with the shape."""

from .outcome import RefusedError

CHAIN = ("hands_won", "golden_call", "agp", "lot")
DEFAULTS = {
    "match_minutes": 120,
    "bell_120": "in_progress_when_called",
    "knock_ms": 2000,
    "min_bid": 61,
    "disloyal_above": 72,
    "disloyal_points": [50, 70, 100],
    "suicidal_points": 200,
    "suicidal_ledger": -1,
    "offence_scope": "match",
    "judge_mode": "players",
    "confirm_hands": False,
    "recorders": "both",
    "seeds_per_heat": 1,
    "second_final": True,
    "tie_chain": list(CHAIN),
    "final_size": 5,
    "table_size": 5,
}


def rules_of(given: dict) -> dict:
    """The full rule set; RefusedError when a value is out of its range."""
    rules = DEFAULTS | given
    rules.setdefault("second_final_minutes", rules["match_minutes"])
    chain = rules["tie_chain"]
    minutes, shorter = rules["match_minutes"], rules["second_final_minutes"]
    tests = [
        ("S9", "match_minutes", 10 <= minutes <= 600),
        ("S9", "second_final_minutes", minutes <= 2 * shorter and shorter <= minutes),
        ("D5", "bell_120", rules["bell_120"] in ("in_progress_when_called", "not_completed")),
        ("S12", "knock_ms", 500 <= rules["knock_ms"] <= 10000),
        ("S12", "min_bid", 1 <= rules["min_bid"] <= 120),
        ("S18", "disloyal_above", 0 <= rules["disloyal_above"] <= 119),
        ("S18", "disloyal_points", rules["disloyal_points"] and min(rules["disloyal_points"]) >= 0),
        ("S17", "suicidal_points", rules["suicidal_points"] >= 0),
        ("S17", "suicidal_ledger", rules["suicidal_ledger"] <= 0),
        ("D10", "offence_scope", rules["offence_scope"] in ("match", "tournament")),
        ("D9", "judge_mode", rules["judge_mode"] in ("players", "referee")),
        ("S11", "recorders", rules["recorders"] in ("referee", "table", "both")),
        ("S6", "seeds_per_heat", 0 <= rules["seeds_per_heat"] <= 5),
        ("D15", "tie_chain", set(chain) <= set(CHAIN) and len(set(chain)) == len(chain) and chain[-1:] == ["lot"]),
        ("D20", "final_size", rules["final_size"] == 5),
        ("S1", "table_size", rules["table_size"] == 5),
    ]
    for article, name, kept in tests:
        if not kept:
            raise RefusedError(article, f"/tournament/rules/{name}", f"{name} is out of its range")
    return rules
