"""From the heats of a stage to the next: sizes, direct places, repechage, withdrawals (S7, S8, D14, D16, D20)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from core.refusal import Refusal
from scoring.rules.hands import SEATS
from tournaments.rules.gaps import ratio_key
from tournaments.rules.heats import Placed
from tournaments.rules.ties import UNPLACED, Chain, Decided


class Plan(NamedTuple):
    """Seats of the next stage (D20). `final`: it is the final."""

    seats: int
    direct_per_heat: int
    repechage: int

    @property
    def final(self) -> bool:
        """Five seats are a final, more an intermediate stage."""
        return self.seats == SEATS


def plan_next(heats: int) -> Plan:
    """D20: five seats up to five heats, else the smallest multiple of five that seats every winner."""
    seats = SEATS if heats <= SEATS else -(-heats // SEATS) * SEATS
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
        lambda placed: (placed.order, placed.gap_key),
        (
            ("points_per_hand", lambda placed: -ratio_key(placed.points, placed.hands) if placed.hands else 0),
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


class Qualifiers(NamedTuple):
    """Who goes on from a stage while players withdraw one after the other (S8). Withdrawing gives a new value."""

    stage: Stage
    second_final_held: bool
    in_direct: frozenset[str]
    in_repechage: frozenset[str]
    withdrawn: tuple[str, ...] = ()
    substitutions: tuple[Substitution, ...] = ()

    @property
    def qualified(self) -> tuple[str, ...]:
        """Direct places, heats in order and by heat order inside, then repechage places in overall order."""
        direct = [placed.player for heat in self.stage.heats for placed in heat if placed.player in self.in_direct]
        repeched = self.stage.chain.order(self.stage.by_player[player] for player in self.in_repechage)
        return (*direct, *(decided.item.player for decided in repeched))

    def _remaining(self) -> list[Placed]:
        """Neither qualified nor withdrawn, in no order."""
        gone = self.in_direct.union(self.in_repechage, self.withdrawn)
        return [placed for placed in self.stage.by_player.values() if placed.player not in gone]

    @property
    def eliminated(self) -> list[Decided[Placed]]:
        """Neither qualified nor withdrawn, in overall order. Refusal: `lot_missing`."""
        return self.stage.chain.order(self._remaining())

    @property
    def second_final(self) -> tuple[str, ...]:
        """The next five of the overall order; nobody where fewer remain or none is held."""
        remaining = self._remaining()
        if not self.second_final_held or len(remaining) < SEATS:
            return ()
        return tuple(decided.item.player for decided in self.stage.chain.order(remaining, first=SEATS))

    def settle(self) -> Qualification:
        """The state after the last withdrawal. Refusal: `lot_missing`."""
        return Qualification(
            self.stage.plan,
            self.stage.direct,
            self.stage.candidates,
            self.substitutions,
            self.withdrawn,
            self.qualified,
            self.second_final,
        )

    def withdraw(self, player: str) -> Qualifiers:
        """A qualified player renounces the next stage and is excluded from the ranking (S8).

        Refusals: `not_qualified`, `no_substitute` (S8, D14), `lot_missing`.
        """
        gone = self._replace(withdrawn=(*self.withdrawn, player))
        if player in self.in_direct:
            return gone._replace(in_direct=self.in_direct - {player})._replace_direct(player)
        if player in self.in_repechage:
            return gone._replace(in_repechage=self.in_repechage - {player})._replace_repeched(player, "S8")
        raise Refusal("not_qualified", {"player": player}, article="S8", pointer="/player")

    def _replace_direct(self, out: str) -> Qualifiers:
        """The first not directly qualified of his heat moves up."""
        gone = self.in_direct.union(self.withdrawn)
        heat = self.stage.heats[self.stage.by_player[out].heat]
        heir = next((placed.player for placed in heat if placed.player not in gone), None)
        if heir is None:
            raise Refusal("no_substitute", {"player": out}, article="S8", pointer="/player")
        filled = self._replace(
            in_direct=self.in_direct | {heir},
            in_repechage=self.in_repechage - {heir},
            substitutions=(*self.substitutions, Substitution(out, heir, "direct", "S8")),
        )
        # D14: the man who moves up leaves his repechage place to another heat.
        return filled._replace_repeched(heir, "D14") if heir in self.in_repechage else filled

    def _replace_repeched(self, out: str, article: str) -> Qualifiers:
        """The best excluded of another heat comes in."""
        heat = self.stage.by_player[out].heat
        best = self.stage.chain.order((placed for placed in self._remaining() if placed.heat != heat), first=1)
        if not best:
            raise Refusal("no_substitute", {"player": out}, article=article, pointer="/player")
        heir = best[0].item.player
        return self._replace(
            in_repechage=self.in_repechage | {heir},
            substitutions=(*self.substitutions, Substitution(out, heir, "repechage", article)),
        )

    def withdraw_from_second_final(self, player: str) -> Qualifiers:
        """D16: who renounces a second final is excluded too; the next of the overall order comes in, if five remain.

        Refusals: `not_called` (D16), `lot_missing`.
        """
        called = self.second_final
        if player not in called:
            raise Refusal("not_called", {"player": player}, article="D16", pointer="/player")
        gone = self._replace(withdrawn=(*self.withdrawn, player))
        heir = next((other for other in gone.second_final if other not in called), None)
        row = Substitution(player, heir, "second_final", "D16")
        return gone._replace(substitutions=(*self.substitutions, row))


def qualifiers_of(stage: Stage, *, second_final: bool) -> Qualifiers:
    """The qualifiers of a stage before anybody withdraws. `second_final`: the rules allow one after the final."""
    places = stage.plan.repechage
    return Qualifiers(
        stage,
        second_final and stage.plan.final,
        frozenset(stage.direct),
        frozenset(decided.item.player for decided in stage.candidates[:places]),
    )
