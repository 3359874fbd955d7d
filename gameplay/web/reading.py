"""Hands as forms bring them: every number is checked here once more, whatever a browser allowed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from core.refusal import Refusal
from players.rules.names import search_key
from scoring.rules.hands import SEATS, HandOutcome
from scoring.rules.ruleset import ScoringRules
from scoring.rules.scoresheet import Admitted, Content, Played, Voided, check_content

PLAYED, ADMITTED, VOIDED, REPEATED = "played", "admitted", "voided", "repeated"
DIGITS = 9  # of a number in a form
Given = Mapping[str, str]


def number(given: Given, field: str, pointer: str = "") -> int:
    """A whole number. Refusals at /<field>: `field_missing`, `not_whole`."""
    at = f"/{pointer or field}"
    text = given.get(field, "").strip()
    if not text:
        raise Refusal("field_missing", {"field": pointer or field}, pointer=at)
    if not (text.isascii() and text.removeprefix("-").isdigit() and len(text) <= DIGITS):
        raise Refusal("not_whole", {"field": pointer or field}, pointer=at)
    return int(text)


def seat(given: Given, field: str) -> int:
    """A seat 0..4. Refusals at /<field>: those of `number`, `seat_unknown`."""
    found = number(given, field)
    if not 0 <= found < SEATS:
        raise Refusal("seat_unknown", {"seat": found}, article="S1", pointer=f"/{field}")
    return found


def hand_from(given: Given, rules: ScoringRules) -> Played | Admitted:
    """The hand of a form with `kind` played or admitted, `caller`, `called`, `bid`, `made`.

    Refusals at the field: those of `number` and `seat`, `bid_out_of_range`, `made_out_of_range`; an admission of a
    bid that could not be disloyal is left to the sheet.
    """
    content: Played | Admitted
    caller = seat(given, "caller")
    if given.get("kind") == ADMITTED:
        content = Admitted(caller, number(given, "bid"))
    else:
        outcome = HandOutcome(caller, seat(given, "called"), number(given, "bid"), number(given, "made"))
        content = Played(outcome)
    check_content(content, rules)
    return content


def seat_by_name(text: str, players: Sequence[str], field: str) -> int:
    """A seat as the grid takes it: its number from 1, or the beginning of a name that no other has.

    Refusals at /<field>: `field_missing`, `player_unclear` (nobody, or more than one).
    """
    bare = text.strip()
    if not bare:
        raise Refusal("field_missing", {"field": field}, pointer=f"/{field}")
    if bare.isascii() and bare.isdigit() and 1 <= int(bare[:DIGITS]) <= SEATS:
        return int(bare) - 1
    asked = search_key(bare)
    found = [at for at, name in enumerate(players) if asked and search_key(name).startswith(asked)]
    if len(found) != 1:
        raise Refusal("player_unclear", {"text": bare[:40], "count": len(found)}, pointer=f"/{field}")
    return found[0]


def grid_row(given: Given, players: Sequence[str], rules: ScoringRules) -> Played | Admitted | Voided:
    """A row of the grid: `kind`, `caller`, `called` (by number or name), `bid`, `made`. Refusals as `hand_from`."""
    kind = given.get("kind", PLAYED)
    if kind in (VOIDED, REPEATED):
        return Voided(repeated=kind == REPEATED)
    seats = {"caller": str(seat_by_name(given.get("caller", ""), players, "caller"))}
    if kind != ADMITTED:
        seats["called"] = str(seat_by_name(given.get("called", ""), players, "called"))
    return hand_from({**given, **seats}, rules)


def fields_of(content: Content) -> dict[str, str]:
    """The other way round: a hand as the fields of its form."""
    match content:
        case Played((caller, called, bid, made)):
            return {"kind": PLAYED, "caller": str(caller), "called": str(called), "bid": str(bid), "made": str(made)}
        case Admitted(caller, bid):
            return {"kind": ADMITTED, "caller": str(caller), "bid": str(bid)}
        case _:
            return {"kind": PLAYED}
