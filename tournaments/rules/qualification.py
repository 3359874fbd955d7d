"""From the heats of a stage to the next: sizes, direct places, repechage, withdrawals (S7, S8, D14, D16, D20)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from core.refusal import Refusal
from tournaments.rules.heats import Placed
from tournaments.rules.ties import UNPLACED, Chain, Decided

TABLE = 5


class Plan(NamedTuple):
    """Seats of the next stage (D20). `final`: it is the final."""

    seats: int
    direct_per_heat: int
    repechage: int

    @property
    def final(self) -> bool:
        """Five seats are a final, more an intermediate stage."""
        return self.seats == TABLE


def plan_next(heats: int) -> Plan:
    """D20: five seats up to five heats, else the smallest multiple of five that seats every winner."""
    seats = TABLE if heats <= TABLE else -(-heats // TABLE) * TABLE
    return Plan(seats, seats // heats, seats % heats)


class Substitution(NamedTuple):
    """Who moves up for whom. `role`: `direct`, `repechage` or `second_final`; nobody may be left for the last."""

    out: str
    into: str | None
    role: str
    article: str


class Qualification(NamedTuple):
    """What a stage decided. `direct` and `candidates` (the whole repechage, best first) are before withdrawals;
    `qualified` and `second_final` after the `substitutions`."""

    plan: Plan
    direct: tuple[str, ...]
    candidates: tuple[Decided[Placed], ...]
    substitutions: tuple[Substitution, ...]
    withdrawn: tuple[str, ...]
    qualified: tuple[str, ...]
    second_final: tuple[str, ...]


class Stage(NamedTuple):
    """The ranked heats of a stage and the means to compare their players (overall order)."""

    heats: tuple[tuple[Placed, ...], ...]
    plan: Plan
    by_player: Mapping[str, Placed]
    chain: Chain[Placed]
    direct: tuple[str, ...]
    candidates: tuple[Decided[Placed], ...]


def open_stage(heats: Sequence[tuple[Placed, ...]], agp: Mapping[str, int], lots: Mapping[str, int]) -> Stage:
    """Direct places and the repechage of a stage as computed, before anybody withdraws.

    Overall order: heat position, gap, points per hand, A.G.P. rank, lot. Repechage is only among players of the next
    position in different heats, smallest gap first (S7). Refusal: `lot_missing`.
    """
    plan = plan_next(len(heats))
    chain: Chain[Placed] = Chain(
        lambda placed: (placed.order, placed.gap),
        (
            ("points_per_hand", lambda placed: -placed.per_hand),
            ("agp", lambda placed: agp.get(placed.player, UNPLACED)),
        ),
        lambda placed: placed.player,
        lots,
    )
    per_heat = plan.direct_per_heat
    direct = tuple(placed.player for heat in heats for placed in heat[:per_heat])
    candidates = chain.order(heat[per_heat] for heat in heats) if plan.repechage else []
    by_player = {placed.player: placed for heat in heats for placed in heat}
    return Stage(tuple(heats), plan, by_player, chain, direct, tuple(candidates))


class Qualifiers:
    """Who goes on from a stage, kept up to date while players withdraw one after the other (S8)."""

    def __init__(self, stage: Stage, *, second_final: bool) -> None:
        self.stage = stage
        self._has_second_final = second_final and stage.plan.final
        self._direct = set(stage.direct)
        self._repeched = {decided.item.player for decided in stage.candidates[: stage.plan.repechage]}
        self.withdrawn: list[str] = []
        self.substitutions: list[Substitution] = []

    @property
    def qualified(self) -> tuple[str, ...]:
        """Direct places, heats in order and by heat order inside, then repechage places in overall order."""
        direct = [p.player for heat in self.stage.heats for p in heat if p.player in self._direct]
        by_player = self.stage.by_player
        repeched = self.stage.chain.order(by_player[player] for player in self._repeched)
        return (*direct, *(decided.item.player for decided in repeched))

    def _remaining(self) -> list[Placed]:
        """Neither qualified nor withdrawn, in no order."""
        gone = self._direct | self._repeched | set(self.withdrawn)
        return [placed for placed in self.stage.by_player.values() if placed.player not in gone]

    @property
    def eliminated(self) -> list[Decided[Placed]]:
        """Neither qualified nor withdrawn, in overall order. Refusal: `lot_missing`."""
        return self.stage.chain.order(self._remaining())

    @property
    def second_final(self) -> tuple[str, ...]:
        """The next five of the overall order, nobody where fewer remain or none is held."""
        remaining = self._remaining()
        if not self._has_second_final or len(remaining) < TABLE:
            return ()
        return tuple(decided.item.player for decided in self.stage.chain.order(remaining, first=TABLE))

    def settle(self) -> Qualification:
        """The state after the last withdrawal. Refusal: `lot_missing`."""
        return Qualification(
            self.stage.plan,
            self.stage.direct,
            self.stage.candidates,
            tuple(self.substitutions),
            tuple(self.withdrawn),
            self.qualified,
            self.second_final,
        )

    def withdraw(self, player: str) -> None:
        """A qualified player renounces the next stage and is excluded from the ranking (S8).

        Refusals: `not_qualified`, `no_substitute` (S8), `lot_missing`.
        """
        placed = self.stage.by_player.get(player)
        if placed is None or player not in self._direct | self._repeched:
            raise Refusal("not_qualified", {"player": player}, article="S8", pointer="/player")
        self.withdrawn.append(player)
        if player in self._repeched:
            self._repeched.remove(player)
            self._best_excluded(player, placed.heat, "S8")
            return
        self._direct.remove(player)
        gone = self._direct | set(self.withdrawn)
        heir = next((p.player for p in self.stage.heats[placed.heat] if p.player not in gone), None)
        if heir is None:
            raise Refusal("no_substitute", {"player": player}, article="S8", pointer="/player")
        self._direct.add(heir)
        self.substitutions.append(Substitution(player, heir, "direct", "S8"))
        if heir in self._repeched:
            # D14: the man who moves up leaves his repechage place to another heat.
            self._repeched.remove(heir)
            self._best_excluded(heir, placed.heat, "D14")

    def _best_excluded(self, out: str, heat: int, article: str) -> None:
        others = [placed for placed in self._remaining() if placed.heat != heat]
        best = self.stage.chain.order(others, first=1)
        if not best:
            raise Refusal("no_substitute", {"player": out}, article=article, pointer="/player")
        heir = best[0].item.player
        self._repeched.add(heir)
        self.substitutions.append(Substitution(out, heir, "repechage", article))

    def withdraw_from_second_final(self, player: str) -> None:
        """D16: who renounces a second final is excluded too; the next of the overall order comes in, if five remain.

        Refusals: `not_called`, `lot_missing`.
        """
        called = self.second_final
        if player not in called:
            raise Refusal("not_called", {"player": player}, article="D16", pointer="/player")
        self.withdrawn.append(player)
        heir = next((other for other in self.second_final if other not in called), None)
        self.substitutions.append(Substitution(player, heir, "second_final", "D16"))
