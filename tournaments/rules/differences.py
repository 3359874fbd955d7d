"""What a later version of a published tournament says otherwise: what was corrected, and what follows from it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import Any, NamedTuple

from tournaments.rules.qualification import Substitution

Row = Mapping[str, Any]
_FACTS = ("name", "game", "series", "edition", "date", "venue")
_LISTS = ("players", "entries", "lots")
_PLAN = {"to": "to", "seats": "places", "direct_per_heat": "direct_per_heat"}
_MATCH = ("hands_played", "golden_call")


class ValueChanged(NamedTuple):
    """One value, None where a version does not have it. `stage` counts from 1; `heat` is a name.

    Corrected (`part`): `name`, `game`, `series`, `edition`, `date`, `venue`; `edition_before` (as in the
    file); of a stage its `kind`; of a heat its `seats` (None: no such heat) and its `totals`, an object with the keys
    `totals`, `hands_played`, `adjustments`. What follows: of a heat `hands_played` and `golden_call`; of a stage `to`,
    `places` (seats of the next one), `direct_per_heat`, or its whole `qualification`; and a table of `LineChanged` that
    is wholly new or gone, as its number of lines.
    """

    part: str
    stage: int | None
    heat: str | None
    before: Any
    after: Any


class RuleChanged(NamedTuple):
    """A value of the rules of this tournament, None where it is the ordinary one."""

    rule: str
    before: Any
    after: Any


class ListChanged(NamedTuple):
    """A list in which the order counts.

    Corrected (`part`): codes of `players`, `entries`, `lots`; `withdrawals` as pairs of code and stage; of others only
    that they stand in another order: `editions_before` as pairs of series and number, `heats` of a stage by name. What
    follows: `direct`, `qualified` and `second_final` of a stage, its `substitutions`, and who is `excluded`.
    """

    part: str
    stage: int | None
    before: tuple[Any, ...]
    after: tuple[Any, ...]

    @property
    def added(self) -> tuple[Any, ...]:
        """What only the later version has, in its order."""
        return _without(self.after, self.before)

    @property
    def removed(self) -> tuple[Any, ...]:
        """What only the earlier version had, in its order."""
        return _without(self.before, self.after)

    @property
    def reordered(self) -> bool:
        """Those in both stand in another order."""
        return _without(self.before, self.removed) != _without(self.after, self.added)


class HandChanged(NamedTuple):
    """A line of a scoresheet as in the file, None where a version does not have it. `hand` counts lines from 1."""

    stage: int
    heat: str
    hand: int
    before: Row | None
    after: Row | None


class LineChanged(NamedTuple):
    """A player's line in a table of the result, None where he has none.

    `table`: `ranking` of a heat, `repechage` of a stage (with an `order` of its own), `final_ranking`,
    `tournament_points` or `agp`.
    """

    table: str
    stage: int | None
    heat: str | None
    player: str
    before: Row | None
    after: Row | None

    @property
    def changed(self) -> tuple[str, ...]:
        """Names of the values that are not the same, in order of the line."""
        before, after = self.before or {}, self.after or {}
        return tuple(key for key in {**before, **after} if before.get(key) != after.get(key))


Difference = ValueChanged | RuleChanged | ListChanged | HandChanged | LineChanged


def differences(old_file: Row, old_result: Row, new_file: Row, new_result: Row) -> tuple[Difference, ...]:
    """Corrections in the order of the file, then what follows from them: stage by stage, then final ranking and points.

    Files as read or exported, results as `result_of` gives them. The names and clubs of people are no part of a
    version. Nothing is left out: () means that both results are equal.
    """
    return (*_corrections(old_file, new_file), *_consequences(old_result, new_result))


# Corrections


def _corrections(old: Row, new: Row) -> Iterator[Difference]:
    before, after = old["tournament"], new["tournament"]
    for fact in _FACTS:
        yield from _value(fact, None, None, before.get(fact), after.get(fact))
    rules, adjusted = before.get("rules", {}), after.get("rules", {})
    for rule in sorted({**rules, **adjusted}):
        if rules.get(rule) != adjusted.get(rule):
            yield RuleChanged(rule, rules.get(rule), adjusted.get(rule))
    yield from _list("players", None, _ids(old), _ids(new))
    yield from _list("entries", None, old["entries"], new["entries"])
    yield from _list("lots", None, old.get("lots", ()), new.get("lots", ()))
    yield from _editions(old.get("editions_before", ()), new.get("editions_before", ()))
    stages, restaged = old["stages"], new["stages"]
    for at in range(max(len(stages), len(restaged))):
        yield from _stage(at + 1, stages[at] if at < len(stages) else {}, restaged[at] if at < len(restaged) else {})
    yield from _list("withdrawals", None, _withdrawals(old), _withdrawals(new))


def _ids(file: Row) -> list[str]:
    return [player["id"] for player in file["players"]]


def _withdrawals(file: Row) -> list[tuple[str, str]]:
    return [(item["player"], item["from"]) for item in file.get("withdrawals", ())]


def _editions(old: Sequence[Row], new: Sequence[Row]) -> Iterator[Difference]:
    before, after = ({(row.get("series", "world"), row["edition"]): row for row in rows} for rows in (old, new))
    yield from _reordered("editions_before", None, before, after)
    for key in {**after, **before}:
        yield from _value("edition_before", None, None, before.get(key), after.get(key))


def _stage(number: int, old: Row, new: Row) -> Iterator[Difference]:
    yield from _value("kind", number, None, old.get("kind"), new.get("kind"))
    before, after = ({heat["name"]: heat for heat in stage.get("heats", ())} for stage in (old, new))
    yield from _reordered("heats", number, before, after)
    for name in {**after, **before}:
        heat, corrected = before.get(name, {}), after.get(name, {})
        yield from _value("seats", number, name, heat.get("seats"), corrected.get("seats"))
        if heat and corrected:  # of a heat that is new or gone it is enough to say so
            yield from _value("totals", number, name, _totals(heat), _totals(corrected))
            yield from _hands(number, name, heat.get("hands", ()), corrected.get("hands", ()))


def _totals(heat: Row) -> Row | None:
    rest = {key: value for key, value in heat.items() if key not in ("name", "seats", "hands")}
    return rest or None


def _hands(stage: int, heat: str, old: Sequence[Row], new: Sequence[Row]) -> Iterator[Difference]:
    """Lines between those that are the same from the top and from the bottom stand against each other in order."""
    shared = min(len(old), len(new))
    top = next((at for at in range(shared) if old[at] != new[at]), shared)
    bottom = next((at for at in range(shared - top) if old[-1 - at] != new[-1 - at]), shared - top)
    before, after = old[top : len(old) - bottom], new[top : len(new) - bottom]
    for at in range(max(len(before), len(after))):
        gone, come = before[at] if at < len(before) else None, after[at] if at < len(after) else None
        if gone != come:
            yield HandChanged(stage, heat, top + at + 1, gone, come)


# What follows from them


def _consequences(old: Row, new: Row) -> Iterator[Difference]:
    before, after = ({(heat["stage"], heat["name"]): heat for heat in result["heats"]} for result in (old, new))
    rows, reckoned = ({row["stage"]: row for row in result["qualification"]} for result in (old, new))
    for stage in sorted({key[0] for key in chain(before, after)} | rows.keys() | reckoned.keys()):
        for key in {**after, **before}:
            if key[0] == stage:
                yield from _match(key, before.get(key, {}), after.get(key, {}))
        yield from _qualification(stage, rows.get(stage), reckoned.get(stage))
    yield from _list("excluded", None, old["excluded"], new["excluded"])
    yield from _lines("final_ranking", None, None, old["final_ranking"], new["final_ranking"])
    yield from _lines("tournament_points", None, None, _points(old), _points(new))
    yield from _lines("agp", None, None, old["agp"], new["agp"])


def _points(result: Row) -> list[Row]:
    return [{"player": player, "points": points} for player, points in result["tournament_points"].items()]


def _match(key: tuple[int, str], old: Row, new: Row) -> Iterator[Difference]:
    for part in _MATCH:
        yield from _value(part, *key, old.get(part), new.get(part))
    yield from _lines("ranking", *key, old.get("ranking", ()), new.get("ranking", ()))


def _qualification(stage: int, old: Row | None, new: Row | None) -> Iterator[Difference]:
    if old is None or new is None:
        yield from _value("qualification", stage, None, old, new)
        return
    for key, part in _PLAN.items():
        yield from _value(part, stage, None, old[key], new[key])
    yield from _list("direct", stage, old["direct"], new["direct"])
    yield from _lines("repechage", stage, None, _numbered(old["repechage"]), _numbered(new["repechage"]))
    yield from _list("substitutions", stage, _swaps(old), _swaps(new))
    yield from _list("qualified", stage, old["qualified"], new["qualified"])
    yield from _list("second_final", stage, old["second_final"], new["second_final"])


def _numbered(rows: Sequence[Row]) -> list[Row]:
    return [{"order": order, **row} for order, row in enumerate(rows, start=1)]


def _swaps(row: Row) -> list[Substitution]:
    return [Substitution(swap["out"], swap["in"], swap["as"], swap["article"]) for swap in row["substitutions"]]


# One comparison


def _value(part: str, stage: int | None, heat: str | None, before: Any, after: Any) -> Iterator[Difference]:
    if before != after:
        yield ValueChanged(part, stage, heat, before, after)


def _list(part: str, stage: int | None, before: Sequence[Any], after: Sequence[Any]) -> Iterator[Difference]:
    if tuple(before) != tuple(after):
        yield ListChanged(part, stage, tuple(before), tuple(after))


def _reordered(part: str, stage: int | None, before: Iterable[Any], after: Iterable[Any]) -> Iterator[Difference]:
    """Keys in another order; that some are new or gone is said elsewhere."""
    changed = ListChanged(part, stage, tuple(before), tuple(after))
    if changed.reordered:
        yield changed


def _lines(
    table: str, stage: int | None, heat: str | None, old: Sequence[Row], new: Sequence[Row]
) -> Iterator[Difference]:
    """Lines in order of the later version, then those that are gone; a table that is new or gone as a whole is one."""
    before, after = _by_player(old), _by_player(new)
    if bool(before) != bool(after):
        yield ValueChanged(table, stage, heat, len(before) or None, len(after) or None)
        return
    for player in {**after, **before}:
        if before.get(player) != after.get(player):
            yield LineChanged(table, stage, heat, player, before.get(player), after.get(player))


def _by_player(rows: Sequence[Row]) -> dict[str, Row]:
    return {row["player"]: {key: value for key, value in row.items() if key != "player"} for row in rows}


def _without(items: Sequence[Any], others: Sequence[Any]) -> tuple[Any, ...]:
    known = set(others)
    return tuple(item for item in items if item not in known)
