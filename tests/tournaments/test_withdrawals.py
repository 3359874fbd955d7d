"""S8, D14, D16 as a machine: any chain of withdrawals against a model kept in plain lists."""

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from core.refusal import Refusal
from tournaments.rules.heats import MatchResult, SeatResult, rank_heat
from tournaments.rules.qualification import open_stage, qualifiers_of


class WithdrawalMachine(RuleBasedStateMachine):
    @initialize(
        totals=st.lists(
            st.lists(st.integers(-50, 300), min_size=5, max_size=5),
            min_size=1,
            max_size=12,
        ),
        second_final=st.booleans(),
    )
    def play(self, totals, second_final):
        self.heats = [[f"h{heat}s{seat}" for seat in range(5)] for heat in range(len(totals))]
        self.players = [player for heat in self.heats for player in heat]
        lots = {player: at for at, player in enumerate(self.players)}
        ranked = []
        for heat, points in enumerate(totals):
            seats = tuple(SeatResult(p, v, None, None) for p, v in zip(self.heats[heat], points, strict=True))
            ranked.append(rank_heat(MatchResult(f"{heat}", seats, 20), ("lot",), {}, lots, heat))
        stage = open_stage(ranked, {}, lots)
        self.value = qualifiers_of(stage, second_final=second_final)
        # The model: each heat best first, and everybody in overall order
        self.by_heat = [[placed.player for placed in heat] for heat in ranked]
        everybody = [placed for heat in ranked for placed in heat]
        everybody.sort(key=lambda p: (p.order, p.gap.infinite, p.gap.size, -p.points, lots[p.player]))
        self.overall = [placed.player for placed in everybody]
        self.heat_of = {player: at for at, heat in enumerate(self.by_heat) for player in heat}
        seats = len(totals) if len(totals) > 5 else 5
        while len(totals) > 5 and seats % 5:
            seats += 1
        self.seats, self.second_final = seats, second_final and seats == 5
        each = seats // len(totals)
        self.direct = [player for heat in self.by_heat for player in heat[:each]]
        third = [player for player in self.overall if player in [heat[each] for heat in self.by_heat if each < 5]]
        self.repeched = third[: seats - each * len(totals)]
        self.gone = []

    def excluded(self):
        return [p for p in self.overall if p not in self.direct + self.repeched + self.gone]

    def called(self):
        return self.excluded()[:5] if self.second_final and len(self.excluded()) >= 5 else []

    def leave(self, player):
        """The regulation by hand: new lists, or None where nobody is left to move up."""
        direct, repeched = [*self.direct], [*self.repeched]
        heat = self.heat_of[player]
        free = [p for p in self.excluded() if self.heat_of[p] != heat]
        if player in direct:
            heirs = [p for p in self.by_heat[heat] if p not in direct + self.gone]
            if not heirs:
                return None
            direct[direct.index(player)] = heirs[0]
            if heirs[0] not in repeched:
                return direct, repeched
            player = heirs[0]
        if not free:
            return None
        repeched[repeched.index(player)] = free[0]
        return direct, repeched

    @rule(data=st.data())
    def withdraw(self, data):
        player = data.draw(st.sampled_from(self.players))
        if player not in self.direct + self.repeched:
            with pytest.raises(Refusal, match="not_qualified"):
                self.value.withdraw(player)
            return
        after = self.leave(player)
        if after is None:
            with pytest.raises(Refusal, match="no_substitute"):
                self.value.withdraw(player)
            return
        self.value = self.value.withdraw(player)
        self.direct, self.repeched = after
        self.gone.append(player)

    @rule(data=st.data())
    def withdraw_a_qualifier(self, data):
        player = data.draw(st.sampled_from(self.direct + self.repeched))
        after = self.leave(player)
        if after is not None:
            self.value = self.value.withdraw(player)
            self.direct, self.repeched = after
            self.gone.append(player)

    @rule(data=st.data())
    def withdraw_from_the_second_final(self, data):
        player = data.draw(st.sampled_from(self.called() or self.players))
        if player not in self.called():
            with pytest.raises(Refusal, match="not_called"):
                self.value.withdraw_from_second_final(player)
            return
        before = self.called()
        self.value = self.value.withdraw_from_second_final(player)
        self.gone.append(player)
        heirs = [p for p in self.called() if p not in before]
        assert self.value.substitutions[-1].into == (heirs[0] if heirs else None)

    @invariant()
    def the_places_are_those_of_the_model(self):
        qualified = self.value.qualified
        assert sorted(qualified) == sorted(self.direct + self.repeched)
        assert len(set(qualified)) == self.seats
        assert list(self.value.second_final) == self.called()
        assert [decided.item.player for decided in self.value.eliminated] == self.excluded()
        assert list(self.value.withdrawn) == self.gone
        everywhere = [*qualified, *self.gone, *self.excluded()]
        assert sorted(everywhere) == sorted(self.players)


TestWithdrawals = WithdrawalMachine.TestCase
TestWithdrawals.settings = settings(max_examples=150, stateful_step_count=25, deadline=None)
