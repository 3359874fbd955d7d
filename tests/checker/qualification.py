"""Who goes on from a stage of heats: direct places, repechage, withdrawals and their chains (D20, S7, S8, D14, D16)."""

from .match import Match, gap_text
from .order import Lots, Order, with_predecessor
from .outcome import RefusedError

LAST = float("inf")


class Qualification:
    """The state of one stage of heats towards the next: places are recomputed after every withdrawal."""

    def __init__(self, stage: int, matches: list[Match], rules: dict, rank: dict[str, int], lots: Lots) -> None:
        self.stage = stage
        self.matches = matches
        heats = len(matches)
        self.to = "final" if heats <= 5 else f"heats:{stage + 1}"
        self.seats = 5 if heats <= 5 else -(-heats // 5) * 5
        self.per_heat = self.seats // heats
        self.has_second_final = self.to == "final" and rules["second_final"]
        self.heat_of = {player: match for match in matches for player in match.ranking}
        self.players = list(self.heat_of)
        keys = {}
        for player, match in self.heat_of.items():
            position = match.ranking.index(player) + 1
            keys[player] = (position, match.gap(player), -match.per_hand(player), rank.get(player, LAST))
        self.order = Order(keys, 2, ["points_per_hand", "agp"], lots, "lot")
        left = self.seats - heats * self.per_heat
        candidates = [match.ranking[self.per_heat] for match in matches] if left else []
        self.candidates = self.order.sequence(candidates)
        self.first_direct = [player for match in matches for player in match.ranking[: self.per_heat]]
        self.first_repeched = self.candidates[:left]
        self.direct = set(self.first_direct)
        self.repeched = set(self.first_repeched)
        self.withdrawn: set[str] = set()
        self.substitutions: list[dict] = []

    def _excluded(self) -> list[str]:
        """Neither qualified nor withdrawn."""
        taken = self.direct | self.repeched | self.withdrawn
        return [player for player in self.players if player not in taken]

    def _second_final(self) -> set[str]:
        """Who the second final calls; nobody when it cannot be held."""
        left = self._excluded()
        return self.order.first(5, left) if self.has_second_final and len(left) >= 5 else set()

    def qualified(self) -> list[str]:
        """Direct places, heats in file order and by heat order inside, then repechage places in overall order."""
        direct = [player for match in self.matches for player in match.ranking if player in self.direct]
        return direct + self.order.sequence(self.repeched)

    def second_final(self) -> list[str]:
        """The called ones in overall order."""
        return self.order.sequence(self._second_final())

    def _log(self, out: str, into: str | None, role: str, article: str) -> None:
        self.substitutions.append({"out": out, "in": into, "as": role, "article": article})

    def withdraw(self, player: str, where: str) -> None:
        """`player` renounces the stage he had qualified for."""
        if player in self.direct:
            self._replace_direct(player, where)
        elif player in self.repeched:
            self.repeched.remove(player)
            self.withdrawn.add(player)
            self._repeche(player, where, "S8")
        else:
            raise RefusedError("S8", where, f"{player} has not qualified for {self.to}")

    def _replace_direct(self, player: str, where: str) -> None:
        self.direct.remove(player)
        self.withdrawn.add(player)
        ranking = self.heat_of[player].ranking
        free = [other for other in ranking if other not in self.direct and other not in self.withdrawn]
        if not free:
            raise RefusedError("S8", where, f"nobody of his heat is left to replace {player}")
        moved = free[0]
        self.direct.add(moved)
        self._log(player, moved, "direct", "S8")
        if moved in self.repeched:  # D14: his place falls free in turn
            self.repeched.remove(moved)
            self._repeche(moved, where, "D14")

    def _repeche(self, out: str, where: str, article: str) -> None:
        """The repechage place `out` leaves goes to the best excluded of another heat."""
        others = [player for player in self._excluded() if self.heat_of[player] is not self.heat_of[out]]
        if not others:
            raise RefusedError("S8", where, f"nobody of another heat is left to replace {out}")
        (best,) = self.order.first(1, others)
        self.repeched.add(best)
        self._log(out, best, "repechage", article)

    def withdraw_from_second_final(self, player: str, where: str) -> None:
        """D16: the next of the overall order comes in, or there are no five left."""
        called = self._second_final()
        if player not in called:
            raise RefusedError("D16", where, f"{player} was not called to a second final")
        self.withdrawn.add(player)
        entering = self._second_final() - called
        self._log(player, entering.pop() if entering else None, "second_final", "D16")

    def report(self) -> dict:
        """The row of the result."""
        return {
            "stage": self.stage,
            "to": self.to,
            "seats": self.seats,
            "direct_per_heat": self.per_heat,
            "direct": self.first_direct,
            "repechage": [
                {
                    "player": player,
                    "heat": self.heat_of[player].name,
                    "position": self.per_heat + 1,
                    "gap": gap_text(self.heat_of[player].gap(player)),
                    "qualified": player in self.first_repeched,
                    "decided_by": self.order.decided_by(before, player),
                }
                for before, player in with_predecessor(self.candidates)
            ],
            "substitutions": self.substitutions,
            "qualified": self.qualified(),
            "second_final": self.second_final(),
        }
