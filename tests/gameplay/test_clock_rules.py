"""The clock as the regulation has it: a match lasts its minutes, the hand in progress is finished (S9, S10, D5-D8)."""

from datetime import UTC, datetime, timedelta

import pytest

from core.refusal import Refusal
from gameplay.rules import clock as rules
from gameplay.rules.clock import Ending, ending, fold, new_clock

NOW = datetime(2027, 3, 28, 0, 30, tzinfo=UTC)  # half an hour before the short night of Rome
HOUR = timedelta(hours=1)
LENGTH = 2 * HOUR
NEVER_REPEATED = frozenset()


def at(minutes):
    return NOW + timedelta(minutes=minutes)


def clock(*events, bell_120="in_progress_when_called"):
    return fold(new_clock(LENGTH, bell_120), events)


STARTED = rules.Started(NOW)
STOPPED = rules.Suspended(at(30), True, "light")
UNSTOPPED = rules.Suspended(at(30), False, "noise")


def rung(hands=12, *before, **rules_):
    return clock(STARTED, *before, rules.Rung(at(120), hands), **rules_)


def refused(verb, *args, **values):
    with pytest.raises(Refusal) as caught:
        verb(*args, **values)
    return caught.value.code


def test_a_match_lasts_its_minutes_whatever_the_night_does():
    assert clock(STARTED).deadline - NOW == LENGTH


def test_a_match_is_started_once():
    assert rules.start(clock(), NOW) == STARTED
    assert refused(rules.start, clock(STARTED), NOW) == "already_started"


def test_a_start_by_mistake_is_taken_back_before_the_first_hand():
    assert fold(clock(STARTED), [rules.cancel(clock(STARTED), 0)]) == clock()
    assert refused(rules.cancel, clock(), 0) == "not_started"
    assert refused(rules.cancel, clock(STARTED), 1) == "hands_on_sheet"
    assert refused(rules.cancel, clock(STARTED, rules.Awarded(1, False)), 0) == "hands_on_sheet"


def test_a_stopped_clock_moves_the_bell():
    held = clock(STARTED, STOPPED)
    assert (held.state, held.deadline, held.left, held.because) == ("stopped", None, timedelta(minutes=90), "light")
    resumed = fold(held, [rules.resume(held, at(50))])
    assert (resumed.state, resumed.deadline, resumed.because) == ("running", at(140), "")
    assert not resumed.unstopped


def test_a_clock_that_could_not_be_stopped_goes_on():
    held = clock(STARTED, UNSTOPPED)
    assert (held.state, held.deadline, held.suspended, held.unstopped) == ("running", at(120), True, True)
    resumed = fold(held, [rules.resume(held, at(50))])
    assert (resumed.deadline, resumed.suspended, resumed.unstopped) == (at(120), False, True)


def test_only_a_running_match_is_suspended_and_only_once():
    assert rules.suspend(clock(STARTED), at(30), stopped=True, reason="light") == STOPPED
    assert refused(rules.suspend, clock(), NOW, stopped=True, reason="") == "not_running"
    assert refused(rules.suspend, clock(STARTED, STOPPED), at(31), stopped=True, reason="") == "already_suspended"
    assert refused(rules.resume, clock(STARTED), at(31)) == "not_suspended"


def test_the_bell_rings_at_its_time_never_before_and_never_twice():
    running = clock(STARTED)
    assert rules.ring(running, at(120), 12) == rules.Rung(at(120), 12)
    assert refused(rules.ring, running, at(120) - timedelta(microseconds=1), 12) == "not_due"
    assert refused(rules.ring, clock(STARTED, STOPPED), at(500), 12) == "not_due"
    assert refused(rules.ring, rung(), at(121), 12) == "not_due"
    assert refused(rules.ring, clock(), at(500), 0) == "not_due"


def test_a_bell_that_rings_in_a_suspension_has_rung():
    held = clock(STARTED, UNSTOPPED, rules.Rung(at(120), 12))
    assert (held.state, held.suspended) == ("rung", True)
    assert fold(held, [rules.resume(held, at(130))]).state == "rung"


def test_an_award_counts_if_it_comes_before_the_deadline():
    running = clock(STARTED)
    award = lambda when, **more: rules.award(running, when, **{"hand": 13, "due": 13, "at_120": False, **more})  # noqa: E731
    assert award(at(120) - timedelta(microseconds=1)) == rules.Awarded(13, False)
    with pytest.raises(Refusal, match="bell_rang"):
        award(at(120))
    with pytest.raises(Refusal, match="wrong_hand"):
        award(at(100), hand=12)


@pytest.mark.parametrize(
    ("state", "code"),
    [
        (clock(), "not_started"),
        (rung(), "bell_rang"),
        (clock(STARTED, STOPPED), "match_suspended"),
        (clock(STARTED, UNSTOPPED), "match_suspended"),
        (clock(STARTED, rules.Awarded(13, False)), "already_awarded"),
        (clock(STARTED, rules.Interrupted(at(30), "standings")), "not_started"),
    ],
)
def test_no_award_where_nothing_is_played(state, code):
    assert refused(rules.award, state, at(40), hand=13, due=13, at_120=False) == code


def test_the_hand_in_progress_is_finished():
    assert ending(clock(STARTED), 12, NEVER_REPEATED) is None
    held = rung(12, rules.Awarded(13, False))
    assert ending(held, 12, NEVER_REPEATED) == Ending(False, 13, 13, False, "in_progress")
    assert ending(held, 13, NEVER_REPEATED) == Ending(False, 13, 13, True, "in_progress")


def test_an_award_of_a_hand_that_is_over_says_nothing_about_the_next():
    held = rung(13, rules.Awarded(13, False))
    assert ending(held, 13, NEVER_REPEATED) == Ending(True, 14, None, False, "not_awarded")


@pytest.mark.parametrize(
    ("how", "bell_120", "last", "why"),
    [
        ("awarded", "in_progress_when_called", 13, "in_progress"),
        ("not_awarded", "in_progress_when_called", 12, "not_awarded"),
        ("called_at_120", "in_progress_when_called", 13, "called_at_120"),
        ("called_at_120", "not_completed", 12, "called_at_120"),
    ],
)
def test_what_was_called_at_the_bell_is_asked_and_answered(how, bell_120, last, why):
    held = rung(12, bell_120=bell_120)
    assert ending(held, 12, NEVER_REPEATED).question
    answered = fold(held, [rules.answer(held, how=how, last=None, referee=False, hands=12)])
    assert ending(answered, 12, NEVER_REPEATED) == Ending(False, min(13, last), last, last == 12, why)


@pytest.mark.parametrize(("bell_120", "last"), [("in_progress_when_called", 13), ("not_completed", 12)])
def test_a_call_of_120_before_the_bell(bell_120, last):
    held = rung(12, rules.Awarded(13, True), bell_120=bell_120)
    assert (held.how, held.last) == ("called_at_120", last)


def test_a_player_answers_once_a_referee_again_and_with_the_last_hand():
    held = rung(12)
    answered = fold(held, [rules.answer(held, how="awarded", last=13, referee=False, hands=12)])
    ask = lambda state, how, last, referee, hands=12: refused(  # noqa: E731
        rules.answer, state, how=how, last=last, referee=referee, hands=hands
    )
    assert ask(answered, "not_awarded", None, False) == "already_answered"
    assert rules.answer(answered, how="not_awarded", last=None, referee=True, hands=12).last == 12
    assert rules.answer(held, how="awarded", last=15, referee=True, hands=12).last == 15
    assert ask(held, "awarded", 15, False) == "wrong_hand"
    assert ask(held, "awarded", 11, True) == "wrong_hand"
    assert ask(held, "awarded", 12 + rules.BEHIND + 1, True) == "wrong_hand"
    assert ask(clock(STARTED), "awarded", None, True) == "no_question"
    # The hand is written already: it is voided before it stops counting.
    assert ask(answered, "not_awarded", None, True, hands=13) == "hand_written"
    over = fold(held, [rules.Interrupted(at(130), "replay")])
    assert ask(over, "awarded", None, True) == "no_question"


def test_a_repeat_is_played_even_after_the_bell():
    yes = rung(12, rules.Awarded(13, False))
    assert ending(yes, 13, {13}) == Ending(False, 14, 14, False, "repeat")
    assert ending(yes, 14, {13, 14}).last == 15
    no = fold(rung(12), [rules.Answered("not_awarded", 12)])
    assert ending(no, 12, {12}) == Ending(False, 13, 13, False, "repeat")
    # The hand in progress was the repeat of the last one: nothing more is owed.
    assert ending(yes, 13, {12}).over
    # What was repeated long before was played long before.
    assert ending(no, 12, {4}).over


def test_one_recovery_hand_if_the_clock_could_not_be_stopped():
    suffered = clock(STARTED, UNSTOPPED, rules.Resumed(at(40)))
    event = rules.grant_recovery(suffered, suffered=False)
    held = fold(suffered, [event, rules.Awarded(13, False), rules.Rung(at(120), 12)])
    assert ending(held, 13, NEVER_REPEATED) == Ending(False, 14, 14, False, "recovery")
    assert ending(held, 14, {14}) == Ending(False, 15, 15, False, "repeat")
    assert ending(held, 14, NEVER_REPEATED).over
    assert refused(rules.grant_recovery, held, suffered=False) == "already_granted"
    assert refused(rules.grant_recovery, clock(STARTED), suffered=False) == "no_unstopped_suspension"
    assert refused(rules.grant_recovery, clock(STARTED, STOPPED), suffered=False) == "no_unstopped_suspension"
    assert rules.grant_recovery(clock(STARTED), suffered=True) == rules.Recovery()
    assert refused(rules.grant_recovery, clock(), suffered=True) == "not_started"


def test_a_credit_moves_a_bell_that_has_not_rung():
    five = timedelta(minutes=5)
    assert fold(clock(STARTED), [rules.move(clock(STARTED), five)]).deadline == at(125)
    held = clock(STARTED, STOPPED)
    assert fold(held, [rules.move(held, five)]).left == timedelta(minutes=95)
    assert refused(rules.move, rung(), five) == "bell_rang"
    assert refused(rules.move, clock(), five) == "not_running"


def test_a_player_who_retires_interrupts_the_match():
    held = clock(STARTED, rules.interrupt(clock(STARTED), at(30), "standings", hands=7))
    assert (held.left, held.deadline) == (timedelta(minutes=90), None)
    assert ending(held, 7, NEVER_REPEATED) == Ending(False, 7, 7, True, "interrupted")
    assert refused(rules.interrupt, held, at(31), "standings", hands=7) == "already_interrupted"
    assert rules.interrupt(held, at(31), "replay", hands=7).follow == "replay"
    assert refused(rules.interrupt, clock(), NOW, "replay", hands=0) == "not_started"
    assert refused(rules.interrupt, clock(STARTED), at(1), "standings", hands=0) == "nothing_written"
    assert fold(clock(STARTED, STOPPED), [rules.Interrupted(at(40), "replay")]).left == timedelta(minutes=90)
    assert refused(rules.move, held, HOUR) == "not_running"
    assert refused(rules.suspend, held, at(40), stopped=True, reason="x") == "not_running"
    assert refused(rules.ring, held, at(500), 7) == "not_due"
    assert refused(rules.start, held, at(40)) == "already_started"
    assert refused(rules.grant_recovery, held, suffered=True) == "not_started"


def test_which_hand_may_be_written():
    check = lambda state, hands, hand: rules.check_playable(state, ending(state, hands, NEVER_REPEATED), hand)  # noqa: E731
    assert refused(check, clock(), 0, 1) == "not_started"
    check(clock(STARTED), 3, 4)
    assert refused(check, rung(12), 12, 13) == "bell_unanswered"
    check(rung(12), 11, 12)  # it waited for a second person at the bell
    held = rung(12, rules.Awarded(13, False))
    check(held, 12, 13)
    assert refused(check, held, 13, 14) == "match_over"
