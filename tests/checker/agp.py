"""The A.G.P. table: the last three world editions, 15 12 10 8 6 5 4 3 2 1, adjustments without floor."""

from dataclasses import dataclass, field

from .order import Lots, Order, with_predecessor

POINTS = (15, 12, 10, 8, 6, 5, 4, 3, 2, 1)
WINDOW = 3
NOWHERE = float("inf")


@dataclass
class Edition:
    """A finished edition: people best first, and what was added to or taken from whom."""

    number: int
    ranking: list[str]
    adjustments: dict[str, int]

    def points(self, player: str) -> int:
        """Points of a player in this edition."""
        return place_points(self.ranking, player) + self.adjustments.get(player, 0)

    def people(self) -> list[str]:
        """Everyone with a place of any number or an adjustment."""
        return self.ranking + [player for player in self.adjustments if player not in self.ranking]


def place_points(ranking: list[str], player: str) -> int:
    """15 for the first ... 1 for the tenth, else 0."""
    place = ranking.index(player) if player in ranking else len(POINTS)
    return POINTS[place] if place < len(POINTS) else 0


@dataclass
class Table:
    """The table over the last editions of a list (oldest first)."""

    editions: list[Edition]
    lots: Lots
    order: Order = field(init=False)

    def __post_init__(self) -> None:
        self.editions = self.editions[-WINDOW:]
        self.people = list(dict.fromkeys(player for edition in self.editions for player in edition.people()))
        keys = {player: (-self.points(player), *self._best(player)) for player in self.people}
        self.order = Order(keys, 1, ["best_place", "recent_best_place"], self.lots, None)

    def points(self, player: str) -> int:
        """Sum over the window."""
        return sum(edition.points(player) for edition in self.editions)

    def _best(self, player: str) -> tuple[float, int]:
        """Best place (lower is better) and how recent it was (lower is more recent); who has no place is last."""
        best, age = NOWHERE, 0
        for index, edition in enumerate(self.editions):
            if player in edition.ranking and edition.ranking.index(player) <= best:
                best, age = edition.ranking.index(player), -index
        return best, age

    def ranks(self) -> dict[str, int]:
        """Rank for tie chains: one more than the number of people strictly ahead, so an open tie stays a tie."""
        keys = self.order.keys
        return {player: 1 + sum(keys[other] < keys[player] for other in self.people) for player in self.people}

    def report(self) -> list[dict]:
        """The table in the result."""
        return [
            {
                "rank": rank,
                "player": player,
                "points": self.points(player),
                "by_edition": {
                    str(edition.number): edition.points(player)
                    for edition in self.editions
                    if player in edition.people()
                },
                "decided_by": self.order.decided_by(before, player),
            }
            for rank, (before, player) in enumerate(with_predecessor(self.order.sequence(self.people)), start=1)
        ]
