"""The shape of the file: which keys, which types. No rule of the game and no reference between parts.

A check is a function (value, where, faults): it writes into `faults` what is wrong at the pointer `where`.
"""

import datetime
import re
from collections.abc import Callable

from .outcome import pointer

Check = Callable[[object, str, dict], None]


def integer(minimum: int | None = None) -> Check:
    """An integer written as one: neither 75.0 nor true."""

    def check(value, where, faults):
        if type(value) is not int:
            faults[where] = "an integer is due"
        elif minimum is not None and value < minimum:
            faults[where] = f"at least {minimum} is due"

    return check


def boolean(value, where, faults) -> None:
    """true or false."""
    if type(value) is not bool:
        faults[where] = "true or false is due"


def text(value, where, faults) -> None:
    """Any string."""
    if not isinstance(value, str):
        faults[where] = "a string is due"


def ident(value, where, faults) -> None:
    """A non-empty string."""
    if not isinstance(value, str) or not value:
        faults[where] = "a non-empty string is due"


def constant(due: object) -> Check:
    """Exactly this value, of exactly this type (true is not 1)."""

    def check(value, where, faults):
        if type(value) is not type(due) or value != due:
            faults[where] = f"{due!r} is due"

    return check


def one_of(*due: str) -> Check:
    """One of these strings."""

    def check(value, where, faults):
        if not isinstance(value, str) or value not in due:
            faults[where] = "one of " + ", ".join(due) + " is due"

    return check


def day(value, where, faults) -> None:
    """A calendar day, YYYY-MM-DD."""
    if not isinstance(value, str) or not re.fullmatch(r"[0-9]{4}-[0-9]{2}-[0-9]{2}", value):
        faults[where] = "a date YYYY-MM-DD is due"
        return
    try:
        datetime.date.fromisoformat(value)
    except ValueError:
        faults[where] = "no such day"


def source(value, where, faults) -> None:
    """What one can withdraw from."""
    if not isinstance(value, str) or not re.fullmatch(r"final|second_final|heats:([2-9]|[1-9][0-9]+)", value):
        faults[where] = "final, second_final or heats:K with K at least 2 is due"


def array(item: Check, minimum: int = 0, exactly: int | None = None) -> Check:
    """A list of such items."""

    def check(value, where, faults):
        if not isinstance(value, list):
            faults[where] = "a list is due"
            return
        if len(value) < minimum:
            faults[where] = f"at least {minimum} is due"
        if exactly is not None and len(value) != exactly:
            faults[where] = f"exactly {exactly} are due"
        for index, member in enumerate(value):
            item(member, pointer(where, index), faults)

    return check


def mapping(item: Check) -> Check:
    """An object from ids to such values."""

    def check(value, where, faults):
        if not isinstance(value, dict):
            faults[where] = "an object is due"
            return
        for key, member in value.items():
            ident(key, pointer(where, key), faults)
            item(member, pointer(where, key), faults)

    return check


def anything(value, where, faults) -> None:
    """An object whose inside is not looked at."""
    if not isinstance(value, dict):
        faults[where] = "an object is due"


def record(required: dict[str, Check], optional: dict[str, Check] | None = None) -> Check:
    """An object with exactly these keys; a missing key is a fault of the object, an unknown one of itself."""
    known = required | (optional or {})

    def check(value, where, faults):
        if not isinstance(value, dict):
            faults[where] = "an object is due"
            return
        missing = [key for key in required if key not in value]
        if missing:
            faults[where] = "missing: " + ", ".join(missing)
        for key, member in value.items():
            if key in known:
                known[key](member, pointer(where, key), faults)
            else:
                faults[pointer(where, key)] = "an unknown key"

    return check


SUICIDAL = record({"kind": constant("suicidal_call")})
DISLOYAL = record({"kind": constant("disloyal_raise"), "admitted": boolean})
AWARD = record({"kind": constant("award"), "player": ident, "points": integer(), "article": text, "reason": text})
RULINGS = {"suicidal_call": SUICIDAL, "disloyal_raise": DISLOYAL, "award": AWARD}


def ruling(value, where, faults) -> None:
    """A ruling of one of the three kinds."""
    kind = value.get("kind") if isinstance(value, dict) else None
    if not isinstance(value, dict):
        faults[where] = "an object is due"
    elif "kind" not in value:
        faults[where] = "missing: kind"
    elif not isinstance(kind, str) or kind not in RULINGS:
        faults[pointer(where, "kind")] = "one of " + ", ".join(RULINGS) + " is due"
    else:
        RULINGS[kind](value, where, faults)


PLAYED = record({"caller": ident, "called": ident, "bid": integer(), "made": integer()}, {"ruling": ruling})
ADMITTED = record({"caller": ident, "bid": integer(), "ruling": ruling})
AWARDED = record({"ruling": ruling})


def hand(value, where, faults) -> None:
    """A played hand, an admitted disloyal raise (never played) or an award (no hand at all)."""
    ruled = value.get("ruling") if isinstance(value, dict) else None
    kind = ruled.get("kind") if isinstance(ruled, dict) else None
    if kind == "award":
        AWARDED(value, where, faults)
    elif kind == "disloyal_raise" and ruled.get("admitted") is True:
        ADMITTED(value, where, faults)
    else:
        PLAYED(value, where, faults)


HEAT = {"name": text, "seats": array(ident, exactly=5)}
WITH_HANDS = record(HEAT | {"hands": array(hand, minimum=1)})
WITH_TOTALS = record(
    HEAT | {"totals": mapping(integer()), "hands_played": integer(1)}, {"adjustments": mapping(integer())}
)


def heat(value, where, faults) -> None:
    """A match with its hands, or with totals where only totals survive."""
    if isinstance(value, dict) and "hands" not in value:
        WITH_TOTALS(value, where, faults)
    else:
        WITH_HANDS(value, where, faults)


RULES = record(
    {},
    dict.fromkeys(
        [
            "match_minutes",
            "second_final_minutes",
            "knock_ms",
            "min_bid",
            "disloyal_above",
            "suicidal_points",
            "suicidal_ledger",
            "seeds_per_heat",
            "final_size",
            "table_size",
        ],
        integer(),
    )
    | dict.fromkeys(["bell_120", "offence_scope", "judge_mode", "recorders"], text)
    | dict.fromkeys(["confirm_hands", "second_final"], boolean)
    | {"disloyal_points": array(integer()), "tie_chain": array(text)},
)
FILE = record(
    {
        "format": constant("gingodrome-tournament"),
        "version": constant(1),
        "tournament": record(
            {"name": text, "game": constant("gingo")},
            {"series": text, "edition": integer(), "date": day, "venue": text, "rules": RULES},
        ),
        "players": array(record({"id": ident, "name": text}, {"club": text})),
        "entries": array(ident),
        "stages": array(
            record({"kind": one_of("heats", "final", "second_final"), "heats": array(heat, minimum=1)}), minimum=1
        ),
    },
    {
        "editions_before": array(
            record({"edition": integer(), "ranking": array(ident)}, {"series": text, "adjustments": mapping(integer())})
        ),
        "lots": array(ident),
        "withdrawals": array(record({"player": ident, "from": source})),
        "record": anything,
    },
)


def shape_faults(value: object) -> dict[str, str]:
    """Every fault of shape, by pointer; of a file of another format or version only that is said."""
    faults: dict[str, str] = {}
    FILE(value, "", faults)
    foreign = {where: why for where, why in faults.items() if where in ("/format", "/version")}
    return foreign or faults
