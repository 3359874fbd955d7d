"""Strict orders made of equal-or-not steps, with drawn lots as the last word (D15)."""

from collections.abc import Iterable

from .outcome import RefusedError


class Lots:
    """The drawn order; earlier is better."""

    def __init__(self, drawn: list[str]) -> None:
        self.place = {player: index for index, player in enumerate(drawn)}

    def demand(self, first: str, second: str) -> None:
        """Refuse by name when the two are not both drawn."""
        if first not in self.place or second not in self.place:
            raise RefusedError("D15", "/lots", f"only a lot can separate {first} and {second}, and it is not there")

    def of(self, player: str) -> float:
        """Place in the draw; who was not drawn comes last."""
        return self.place.get(player, float("inf"))


class Order:
    """Players sorted by key, lowest first.

    `keys[p]` is a tuple: first `equal` values that make two players equal or different before any tie-break
    (points; or position and gap), then one value for each name of `steps`. When even those agree, the lot decides,
    and it must have been drawn for both, but only if somebody asks for that order.
    """

    def __init__(self, keys: dict[str, tuple], equal: int, steps: list[str], lots: Lots, lot_name: str | None) -> None:
        self.keys = keys
        self.equal = equal
        self.steps = steps
        self.lots = lots
        self.lot_name = lot_name

    def sequence(self, players: Iterable[str]) -> list[str]:
        """All of these players in order, every tie among them decided."""
        players = list(players)
        for index, one in enumerate(players):
            for other in players[:index]:
                if self.keys[one] == self.keys[other]:
                    self.lots.demand(other, one)
        return sorted(players, key=lambda player: (self.keys[player], self.lots.of(player)))

    def first(self, count: int, players: Iterable[str]) -> set[str]:
        """Who the best `count` of these are; ties inside the chosen or inside the rest need not be decided."""
        ordered = sorted(players, key=lambda player: (self.keys[player], self.lots.of(player)))
        chosen, rest = ordered[:count], ordered[count:]
        for one in chosen:
            for other in rest:
                if self.keys[one] == self.keys[other]:
                    self.lots.demand(one, other)
        return set(chosen)

    def decided_by(self, before: str | None, player: str) -> str | None:
        """Which step put `player` behind `before`, who stands right before him; None when they were not equal."""
        if before is None or self.keys[before][: self.equal] != self.keys[player][: self.equal]:
            return None
        pairs = zip(self.keys[before][self.equal :], self.keys[player][self.equal :], strict=True)
        for step, (his, mine) in zip(self.steps, pairs, strict=True):
            if his != mine:
                return step
        return self.lot_name


def with_predecessor(players: list[str]) -> list[tuple[str | None, str]]:
    """Each player with the one right before him (None before the first)."""
    return list(zip([None, *players], players, strict=False))
