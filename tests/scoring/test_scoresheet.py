"""S11: the sheet is append-only; corrections and voids are entries, and everything follows from folding them."""

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from core.refusal import Refusal
from scoring.rules.hands import HandOutcome, hand_points
from scoring.rules.ruleset import DEFAULT_SCORING, scoring_rules
from scoring.rules.scoresheet import (
    Admitted,
    Award,
    Entry,
    GoldenCall,
    Played,
    Voided,
    append_entry,
    fold,
)

WON = Played(HandOutcome(0, 1, 75, 80))
LOST = Played(HandOutcome(2, 3, 90, 50))


def sheet_of(*entries, rules=DEFAULT_SCORING, before=(0,) * 5):
    written = ()
    for entry in entries:
        written = append_entry(written, entry if isinstance(entry, Entry) else Entry(entry), rules)
    return fold(written, rules, before)


def refusal_of(*entries):
    with pytest.raises(Refusal) as refused:
        sheet_of(*entries)
    return refused.value


def test_the_deal_moves_to_the_right_and_stays_for_a_repeated_hand():
    sheet = sheet_of(WON, LOST, Admitted(4, 80), WON, Award(0, 5, "S19", "x"), WON, Voided(repeated=True), WON)
    assert [line.dealer for line in sheet.lines] == [0, 1, 2, 2, None, 3, 4, 4]
    assert [line.hand for line in sheet.lines] == [1, 2, 3, 4, None, 5, 6, 7]
    assert sheet.next_dealer == 0


def test_a_suicidal_call_is_not_repeated():
    sheet = sheet_of(Played(LOST.outcome, "suicidal_call"), WON)
    assert [line.dealer for line in sheet.lines] == [0, 1]
    assert sheet.ledger == ((2, -1),)


def test_offences_are_counted_by_player_in_the_order_of_the_hands():
    sheet = sheet_of(
        Admitted(0, 80),
        Admitted(1, 80),
        Played(HandOutcome(0, 2, 80, 64), "disloyal_raise"),
        Admitted(0, 90),
        Admitted(0, 91),
    )
    assert [line.points[line.effect.offender] for line in sheet.lines] == [-50, -50, -86, -100, -100]
    assert [line.effect.offence for line in sheet.lines] == [1, 1, 2, 3, 4]
    assert sheet.offences == (4, 1, 0, 0, 0)


def test_offences_of_earlier_stages_count_when_they_are_given():
    sheet = sheet_of(Admitted(0, 80), before=(2, 0, 0, 0, 0))
    assert sheet.totals[0] == -100
    assert sheet.offences == (1, 0, 0, 0, 0)


def test_taking_an_offence_back_makes_the_later_one_the_first():
    sheet = sheet_of(Admitted(0, 80), Admitted(0, 85), Entry(Voided(repeated=True), 0, "wrong player"))
    assert [line.points[0] for line in sheet.lines] == [0, -50]


def test_a_correction_keeps_the_old_value_in_sight():
    sheet = sheet_of(WON, LOST, Entry(Played(HandOutcome(0, 1, 75, 60)), 0, "misread"))
    assert len(sheet.lines) == 2
    first = sheet.lines[0]
    assert first.content.outcome.made == 60
    assert [entry.content for entry in first.replaced] == [WON]
    assert first.reason == "misread"
    assert sheet.totals == tuple(a + b for a, b in zip((-15, -15, 60, 60, 60), hand_points(LOST.outcome), strict=True))


def test_a_correction_can_be_corrected_and_a_voided_hand_restored():
    sheet = sheet_of(WON, Entry(Voided(), 0, "misdeal"), Entry(LOST, 1, "it stood after all"))
    assert sheet.totals == hand_points(LOST.outcome)
    assert len(sheet.lines[0].replaced) == 2
    assert sheet.hands_voided == 0


def test_golden_call_is_the_highest_bid_won_and_the_earliest_of_equals():
    sheet = sheet_of(
        Played(HandOutcome(0, 1, 90, 95)), Played(HandOutcome(2, 2, 95, 95)), Played(HandOutcome(3, 1, 95, 99)), LOST
    )
    assert sheet.golden_call == GoldenCall(2, 95, True)
    assert sheet.best_calls == (90, 0, 95, 95, 0)
    assert sheet.hands_won == (1, 2, 1, 1, 0)


def test_voided_hands_win_nothing():
    sheet = sheet_of(Played(HandOutcome(0, 1, 100, 110), "disloyal_raise"), Voided())
    assert sheet.golden_call is None
    assert sheet.hands_won == (0,) * 5
    assert (sheet.hands_played, sheet.hands_voided) == (0, 2)


@pytest.mark.parametrize(
    ("entry", "code"),
    [
        (Entry(WON, 0, ""), "reason_required"),
        (Entry(WON, 7, "x"), "entry_unknown"),
        (Entry(WON, -1, "x"), "entry_unknown"),
        (Entry(Award(0, 1, "S19", "x"), 0, "x"), "correction_changes_kind"),
        (Entry(Played(HandOutcome(0, 5, 75, 80))), "seat_unknown"),
        (Entry(Admitted(0, 130)), "bid_out_of_range"),
        (Entry(Admitted(-1, 90)), "seat_unknown"),
        (Entry(Award(5, 1, "S19", "x")), "seat_unknown"),
        (Entry(Played(WON.outcome, "suicidal_call")), "suicidal_needs_lost_hand"),
        (Entry(Admitted(0, 72)), "disloyal_needs_higher_bid"),
    ],
)
def test_what_cannot_be_written(entry, code):
    assert refusal_of(WON, entry).code == code


def test_an_entry_is_corrected_once_and_then_its_correction():
    assert refusal_of(WON, Entry(LOST, 0, "a"), Entry(LOST, 0, "b")).code == "entry_already_replaced"
    assert (
        refusal_of(Award(0, 1, "S19", "x"), Entry(Voided(), 0, "a"), Entry(WON, 1, "b")).code
        == "correction_changes_kind"
    )


def test_a_refused_ruling_names_its_line():
    assert refusal_of(WON, LOST, Admitted(0, 72)).pointer == "/2/ruling"


# Any sequence of records, corrections and voids against a sheet kept by hand

seats = st.integers(0, 4)
outcomes = st.builds(HandOutcome, seats, seats, st.integers(61, 120), st.integers(0, 120))
hands = st.one_of(
    st.builds(Played, outcomes, st.none()),
    st.builds(Admitted, seats, st.integers(73, 120)),
    st.builds(Played, outcomes.filter(lambda o: o.made < o.bid), st.just("suicidal_call")),
    st.builds(Played, outcomes.filter(lambda o: o.bid > 72), st.just("disloyal_raise")),
    st.builds(Voided, st.booleans()),
)
awards = st.builds(Award, seats, st.integers(-500, 500), st.just("S19"), st.just("x"))


def points_by_hand(contents):
    """A second, naive reckoning: points by seat from what holds now, line by line."""
    totals, offences, played, ledger, best = [0] * 5, [0] * 5, 0, [], None
    for content in contents:
        match content:
            case Award(seat, points, _, _):
                totals[seat] += points
            case Admitted(caller, _):
                totals[caller] -= [50, 70, 100][min(offences[caller], 2)]
                offences[caller] += 1
            case Played(outcome, None):
                played += 1
                if outcome.won and (best is None or outcome.bid > best[1]):
                    best = (outcome.caller, outcome.bid, outcome.caller == outcome.called)
                for seat in range(5):
                    ours = seat in (outcome.caller, outcome.called)
                    if outcome.made >= outcome.bid:
                        totals[seat] += outcome.bid * ours * (1 + (outcome.caller == outcome.called))
                    else:
                        totals[seat] += outcome.made - outcome.bid if ours else 120 - outcome.made
            case Played(outcome, "suicidal_call"):
                totals[outcome.caller] -= 200 + outcome.bid - outcome.made
                ledger.append((outcome.caller, -1))
            case Played(outcome, _):
                totals[outcome.caller] -= [50, 70, 100][min(offences[outcome.caller], 2)]
                totals[outcome.caller] -= max(outcome.bid - outcome.made, 0)
                offences[outcome.caller] += 1
            case _:
                pass
    return tuple(totals), tuple(offences), played, tuple(ledger), best


class SheetMachine(RuleBasedStateMachine):
    @initialize()
    def empty(self):
        self.entries = ()
        self.lines = []  # (position of the entry that holds, content, is an award)

    def write(self, content, replaces=None, reason=""):
        self.entries = append_entry(self.entries, Entry(content, replaces, reason), DEFAULT_SCORING)
        return len(self.entries) - 1

    @rule(content=st.one_of(hands, awards))
    def record(self, content):
        self.lines.append((self.write(content), content, isinstance(content, Award)))

    @precondition(lambda self: self.lines)
    @rule(data=st.data())
    def correct(self, data):
        at = data.draw(st.integers(0, len(self.lines) - 1))
        position, _, award = self.lines[at]
        content = data.draw(awards if award else hands)
        self.lines[at] = (self.write(content, position, "corrected"), content, award)

    @precondition(lambda self: self.lines)
    @rule(data=st.data())
    def void(self, data):
        at = data.draw(st.integers(0, len(self.lines) - 1))
        position, _, award = self.lines[at]
        self.lines[at] = (self.write(Voided(), position, "annulled"), Voided(), award)

    @precondition(lambda self: any(entry.replaces is not None for entry in self.entries))
    @rule(data=st.data())
    def correct_what_was_corrected_already(self, data):
        replaced = [entry.replaces for entry in self.entries if entry.replaces is not None]
        before = self.entries
        with pytest.raises(Refusal, match="entry_already_replaced"):
            self.write(Voided(), data.draw(st.sampled_from(replaced)), "again")
        assert self.entries == before

    @invariant()
    def the_sheet_equals_the_one_kept_by_hand(self):
        sheet = fold(self.entries, DEFAULT_SCORING)
        golden = sheet.golden_call
        ours = (sheet.totals, sheet.offences, sheet.hands_played, sheet.ledger, golden and tuple(golden))
        assert ours == points_by_hand([content for _, content, _ in self.lines])
        assert len(sheet.lines) == len(self.lines)
        assert sum(len(line.replaced) + 1 for line in sheet.lines) == len(self.entries)
        assert sheet.totals == (sheet.lines[-1].totals if sheet.lines else (0,) * 5)
        counted = [line for line in sheet.lines if line.hand is not None]
        assert len(counted) == sheet.hands_played + sheet.hands_voided
        assert [line.hand for line in counted] == list(range(1, len(counted) + 1))


TestSheetMachine = SheetMachine.TestCase
TestSheetMachine.settings = settings(max_examples=120, stateful_step_count=40, deadline=None)


@pytest.mark.parametrize(
    ("values", "code"),
    [
        ({"min_bid": 0}, "rule_out_of_range"),
        ({"min_bid": 121}, "rule_out_of_range"),
        ({"suicidal_points": -1}, "rule_too_small"),
        ({"min_bid": True}, "rule_wrong_type"),
        ({"min_bid": "61"}, "rule_wrong_type"),
        ({"disloyal_points": []}, "rule_bad_amounts"),
        ({"disloyal_points": [50, -1]}, "rule_bad_amounts"),
        ({"disloyal_points": 50}, "rule_wrong_type"),
        ({"suicidal_ledger": 1}, "rule_too_large"),
        ({"offence_scope": "season"}, "rule_not_a_choice"),
        ({"offence_scope": 1}, "rule_wrong_type"),
        ({"confirm_hands": 1}, "rule_wrong_type"),
        ({"recorders": "nobody"}, "rule_not_a_choice"),
    ],
)
def test_rule_values_out_of_range_are_refused_by_name(values, code):
    with pytest.raises(Refusal) as refused:
        scoring_rules(values)
    (field,) = values
    assert (refused.value.code, refused.value.pointer) == (code, f"/{field}")
    assert refused.value.params["field"] == field
