"""The clock at a real table: rows, rights, the order of the server, and what nobody may see."""

from datetime import timedelta
from uuid import UUID

import pytest
from django.db import connection

from core.clock import database_now
from core.models import AuditRow
from core.refusal import Refusal
from core.valkey import client as valkey
from gameplay.models import ClockEvent, Due
from gameplay.queries import match_for_page
from gameplay.queries.clock import clocks_of
from gameplay.services import clock, matches, recording, ringing
from players.actor import SYSTEM
from players.models import Scope
from players.rules.rights import CLOCK_KEEPER, REFEREE
from players.services import grant_role
from scoring.models import Sheet
from tests.gameplay.rows import Hall, actor, key, person, played

pytestmark = pytest.mark.django_db


class Timed(Hall):
    """A hall whose match has a clock of two hours."""

    def __init__(self, minutes=120, **scoring):
        super().__init__(**scoring)
        self.match = UUID(
            matches.open_match(
                self.referee,
                scope=self.club.scope_id,
                table_name="Centralino",
                people=[row.pk for row in self.people],
                scoring=scoring,
                minutes=minutes,
                key=key(),
            )["match"]
        )

    def do(self, verb, by=None, **values):
        return verb(by or self.referee, self.match, key=key(), **values)

    def start(self):
        self.do(clock.start_match)

    def ring(self):
        """Makes the bell due now, and lets it ring."""
        now = database_now()
        behind = clocks_of([self.row])[self.match][0].deadline - now
        ClockEvent.objects.create(
            match=self.row,
            number=self.row.clock_events.count() + 1,
            kind="moved",
            at=now,
            micros=round(-behind / timedelta(microseconds=1)),
        )
        Due.objects.filter(object=self.match).update(due_at=now)
        assert self.match in ringing.ring_due(now)

    @property
    def due(self):
        return Due.objects.get(object=self.match)

    @property
    def view(self):
        return match_for_page(self.referee, self.match).clock

    def refusal(self, verb, by=None, **values):
        with pytest.raises(Refusal) as caught:
            self.do(verb, by, **values)
        return caught.value.code

    def look(self, by=None):
        return clock.reveal_time(by or self.referee, self.match)

    def no_look(self, by=None):
        with pytest.raises(Refusal) as caught:
            self.look(by)
        return caught.value.code

    def hand(self, number, **values):
        return self.do(recording.record_hand, hand=number, content=played(**values))


@pytest.fixture
def hall():
    return Timed()


def test_a_started_match_has_a_bell_that_hangs_its_minutes_ahead(hall):
    assert hall.view.state == "ready"
    hall.start()
    started = hall.row.clock_events.get()
    assert hall.due.due_at - started.at == timedelta(minutes=120)
    assert hall.view.state == "running"
    assert hall.refusal(clock.start_match) == "already_started"


def test_the_same_click_twice_starts_once(hall):
    one = key()
    first = clock.start_match(hall.referee, hall.match, key=one)
    assert clock.start_match(hall.referee, hall.match, key=one) == first
    assert hall.row.clock_events.count() == 1


def test_a_friendly_match_without_a_clock_has_none():
    plain = Hall()
    assert match_for_page(plain.referee, plain.match).clock is None
    with pytest.raises(Refusal, match="no_clock"):
        clock.start_match(plain.referee, plain.match, key=key())
    plain.play(1, 0, 1, 75, 80)


def test_nothing_is_played_before_the_start_but_a_paper_sheet_may_be_typed_in(hall):
    assert hall.refusal(recording.record_hand, hand=1, content=played()) == "not_started"
    assert hall.refusal(clock.award_auction, hand=1) == "not_started"
    assert hall.refusal(matches.deal_next_hand, hand=1) == "not_started"
    hall.do(recording.record_hands, first=1, contents=[played(), played()])
    assert hall.do(matches.sign, entries=2)["closed"]


def test_a_suspension_moves_the_bell_by_its_length(hall):
    hall.start()
    before = hall.due.due_at
    hall.do(clock.suspend_match, clock_stopped=True, reason="light")
    assert hall.due.due_at is None
    assert (hall.view.state, hall.view.because) == ("stopped", "light")
    assert ringing.ring_due(database_now() + timedelta(days=1)) == []
    hall.do(clock.resume_match)
    stop, go = hall.row.clock_events.filter(kind__in=["suspended", "resumed"])
    assert hall.due.due_at - before == go.at - stop.at
    assert hall.refusal(clock.suspend_match, clock_stopped=True, reason=" ") == "reason_required"


def test_a_suspension_with_a_running_clock_leaves_the_bell_where_it_is(hall):
    hall.start()
    before = hall.due.due_at
    hall.do(clock.suspend_match, clock_stopped=False, reason="noise")
    assert hall.due.due_at == before
    assert hall.refusal(clock.award_auction, hand=1) == "match_suspended"
    assert hall.refusal(matches.deal_next_hand, hand=1) == "match_suspended"
    hall.do(clock.resume_match)
    hall.do(clock.grant_recovery, reason="three hands lost")
    assert hall.refusal(clock.grant_recovery, reason="more") == "already_granted"


def test_the_bell_rings_once_and_knows_what_was_on_the_sheet(hall):
    hall.start()
    hall.hand(1)
    hall.hand(2)
    hall.ring()
    assert ringing.ring_due(database_now()) == []
    assert hall.row.clock_events.filter(kind="rung").values_list("hand", flat=True).get() == 2
    view = hall.view
    assert (view.state, view.rung, view.ending.question, view.ending.hand) == ("rung", f"{hall.match}:1", True, 3)
    assert ringing.rung_within(5) == [hall.match]


def test_a_bell_that_is_overdue_rings_before_anything_else_happens(hall):
    hall.start()
    now = database_now()
    left = hall.due.due_at - now
    ClockEvent.objects.create(
        match=hall.row, number=2, kind="moved", at=now, micros=round(-left / timedelta(microseconds=1))
    )
    Due.objects.filter(object=hall.match).update(due_at=now)
    assert hall.refusal(clock.award_auction, hand=1) == "bell_rang"
    assert hall.refusal(recording.record_hand, hand=1, content=played()) == "bell_unanswered"
    hall.do(clock.answer_bell, how="awarded")
    assert hall.row.clock_events.filter(kind="rung").count() == 1
    assert hall.due.done_at is not None


def test_after_the_bell_the_hand_in_progress_is_written_and_no_other(hall):
    hall.start()
    hall.do(clock.award_auction, hand=1)
    assert hall.sheet.dealt == 1
    hall.ring()
    assert not hall.view.ending.question
    assert hall.refusal(matches.sign, entries=0) == "nothing_written"
    hall.hand(1)
    assert hall.view.over
    assert hall.refusal(recording.record_hand, hand=2, content=played()) == "match_over"
    assert hall.refusal(matches.deal_next_hand, hand=2) == "match_over"
    assert hall.do(matches.sign, entries=1)["closed"]


def test_no_hand_was_in_progress(hall):
    hall.start()
    hall.hand(1)
    hall.ring()
    assert hall.refusal(recording.record_hand, hand=2, content=played()) == "bell_unanswered"
    assert hall.refusal(recording.record_hands, first=2, contents=[played()]) == "bell_unanswered"
    assert hall.refusal(matches.sign, entries=1) == "match_not_over"
    hall.do(clock.answer_bell, by=hall.seats[2], how="not_awarded")
    assert hall.refusal(clock.answer_bell, by=hall.seats[3], how="awarded") == "already_answered"
    assert hall.refusal(recording.record_hand, hand=2, content=played()) == "match_over"
    assert hall.view.over


def test_a_referee_was_behind_with_writing(hall):
    hall.start()
    hall.ring()
    assert hall.refusal(clock.answer_bell, how="awarded", hand=3) == "reason_required"
    hall.do(clock.answer_bell, how="awarded", hand=3, reason="two were not written")
    assert hall.sheet.rulings.get().article == "D21"
    for number in (1, 2, 3):
        hall.hand(number)
    assert hall.refusal(recording.record_hand, hand=4, content=played()) == "match_over"
    assert hall.refusal(clock.answer_bell, how="not_awarded", reason="it was not") == "hand_written"


def test_a_hand_that_waits_for_a_second_person_at_the_bell_was_over(hall):
    hall.start()
    number = hall.do(recording.record_hand, by=hall.seats[0], hand=1, content=played())["pending"]
    hall.ring()
    assert hall.row.clock_events.get(kind="rung").hand == 1
    hall.do(recording.answer_proposal, by=hall.seats[1], proposal=number, accept=True)
    assert hall.view.ending.hand == 2


def test_a_repeat_is_played_after_the_bell(hall):
    hall.start()
    hall.hand(1)
    hall.ring()
    hall.do(clock.answer_bell, how="not_awarded")
    hall.do(recording.void_hand, line=1, entry=0, repeated=True, reason="a card fell")
    assert not hall.view.over
    hall.hand(2)
    assert hall.view.over


def test_a_credit_moves_the_bell(hall):
    hall.start()
    before = hall.due.due_at
    hall.do(clock.credit_time, seconds=300, reason="power")
    assert hall.due.due_at - before == timedelta(minutes=5)
    assert hall.refusal(clock.credit_time, seconds=0, reason="power") == "bad_credit"
    hall.ring()
    assert hall.refusal(clock.credit_time, seconds=300, reason="power") == "bell_rang"


def test_nobody_at_the_table_hears_of_a_credit(hall, django_capture_on_commit_callbacks):
    hall.start()
    version = hall.sheet.version
    told = valkey().get(f"version:sheet:{hall.match}")
    with django_capture_on_commit_callbacks(execute=True):
        hall.do(clock.credit_time, seconds=300, reason="power")
    assert (hall.sheet.version, valkey().get(f"version:sheet:{hall.match}")) == (version, told)


def test_the_caller_of_the_last_hand_does_not_end_the_time_in_which_he_is_accused(hall):
    hall.start()
    hall.hand(1, caller=0, bid=90, made=40)
    assert hall.refusal(clock.award_auction, by=hall.seats[0], hand=2) == "caller_deals"
    hall.do(clock.award_auction, by=hall.seats[1], hand=2)
    number = hall.do(recording.record_hand, by=hall.seats[1], hand=2, content=played())["pending"]
    assert number == 1
    assert hall.refusal(clock.award_auction, by=hall.seats[2], hand=3) == "proposal_pending"


def test_a_hand_that_is_written_counts_until_it_is_voided(hall):
    hall.start()
    hall.hand(1)
    hall.ring()
    hall.do(clock.answer_bell, how="awarded")
    assert hall.sheet.dealt == 2  # hand 1 can no longer be claimed
    hall.hand(2)
    assert hall.refusal(clock.answer_bell, how="not_awarded", reason="it was not") == "hand_written"


def test_a_match_that_is_to_be_played_anew_is_not_signed(hall):
    hall.start()
    assert hall.refusal(clock.interrupt_match, follow="standings", reason="ill") == "nothing_written"
    hall.hand(1)
    hall.do(clock.interrupt_match, follow="replay", reason="ill")
    assert hall.refusal(matches.sign, entries=1) == "match_not_over"
    hall.do(clock.interrupt_match, follow="standings", reason="he had to go for good")
    assert hall.do(matches.sign, entries=1)["closed"]


def test_a_clock_keeper_is_no_referee(hall):
    keeper = actor(person("Kate", CLOCK_KEEPER, scope=hall.club.scope_id))
    hall.start()
    hall.do(clock.suspend_match, by=keeper, clock_stopped=False, reason="noise")
    hall.do(clock.resume_match, by=keeper)
    assert hall.refusal(clock.grant_recovery, by=keeper, reason="noise") == "not_allowed"
    assert hall.refusal(clock.interrupt_match, by=keeper, follow="replay", reason="ill") == "not_allowed"


def test_a_start_is_taken_back(hall):
    hall.start()
    hall.do(clock.cancel_start, reason="the wrong table")
    assert (hall.view.state, hall.due.due_at) == ("ready", None)
    hall.start()
    hall.ring()
    hall.do(clock.cancel_start, reason="rang before anybody sat down")
    hall.start()
    assert (hall.due.done_at, hall.view.rung) == (None, None)
    hall.hand(1)
    assert hall.refusal(clock.cancel_start, reason="too late") == "hands_on_sheet"


def test_a_player_retires(hall):
    hall.start()
    hall.hand(1)
    hall.do(clock.interrupt_match, follow="standings", reason="ill")
    assert hall.due.due_at is None
    assert hall.view.interrupted == "standings"
    assert hall.refusal(recording.record_hand, hand=2, content=played()) == "match_over"
    assert hall.do(matches.sign, entries=1)["closed"]
    assert hall.sheet.rulings.get().article == "D8"


def test_who_keeps_the_clock(hall):
    keeper = actor(person("Kate", CLOCK_KEEPER, scope=hall.club.scope_id))
    hall.do(clock.start_match, by=keeper)
    assert hall.refusal(recording.record_hand, by=keeper, hand=1, content=played()) == "not_allowed"
    for stranger in (hall.seats[0], actor(person("Stranger"))):
        assert hall.refusal(clock.suspend_match, by=stranger, clock_stopped=True, reason="x") == "not_allowed"
        assert hall.no_look(stranger) == "not_allowed"
    assert hall.refusal(clock.award_auction, by=actor(person("Stranger")), hand=1) == "not_allowed"


def test_a_referee_who_plays_does_not_learn_the_time(hall):
    grant_role(SYSTEM, person=hall.people[0].pk, scope=hall.club.scope_id, role=REFEREE)
    playing = actor(hall.people[0])
    hall.start()
    assert hall.no_look(playing) == "not_allowed"
    assert hall.refusal(clock.suspend_match, by=playing, clock_stopped=True, reason="x") == "not_allowed"


def test_each_look_at_the_time_is_written_down_and_changes_nothing_else(hall):
    assert hall.no_look() == "not_started"
    hall.start()
    version = hall.sheet.version
    told = hall.look()
    assert told == {"elapsed": 0, "left": 7200}
    hall.look()
    assert AuditRow.objects.filter(scope=hall.sheet.scope_id, verb="reveal_time").count() == 2
    assert hall.sheet.version == version


@pytest.mark.parametrize("tables", [1, 4])
def test_many_bells_ring_in_as_many_statements_as_one(tables, django_assert_num_queries):
    halls = [Timed() for _ in range(tables)]
    for hall in halls:
        hall.start()
    now = database_now()
    Due.objects.update(due_at=now)
    with django_assert_num_queries(6):  # a savepoint and its release; lock, write, done; topics
        rung = ringing.ring_due(now)
    assert set(rung) == {hall.match for hall in halls}


def test_a_clock_that_was_set_moves_every_running_bell(hall):
    hall.start()
    other = Timed()
    before = hall.due.due_at
    hour = timedelta(hours=1)
    assert ringing.shift_running(hour) == 1
    assert hall.due.due_at - before == hour
    assert clocks_of([hall.row])[hall.match][0].deadline == hall.due.due_at
    assert other.view.state == "ready"
    house = Scope.objects.get(kind=Scope.Kind.HOUSE)
    assert AuditRow.objects.filter(scope=house.pk, verb="clock_set").count() == 1


def test_a_stop_of_the_house_is_noted_for_every_running_match(hall):
    hall.start()
    Timed()
    began = database_now()
    assert ringing.note_outage(began, began + timedelta(minutes=3), "stop") == 1
    assert hall.row.outages.get().cause == "stop"
    late = Timed()
    late.start()
    assert ringing.note_outage(began - timedelta(hours=1), database_now(), "sleep") == 2
    assert late.row.outages.get().began_at == late.row.clock_events.get().at  # it was not played before
    ringing.note_outage(began, began + timedelta(minutes=3), "stop")
    assert hall.row.outages.count() == 2  # what was noted is not noted again
    hall.do(clock.grant_recovery, reason="the power went")


def test_what_happened_to_a_clock_is_never_changed(hall):
    hall.start()
    with pytest.raises(Exception, match="append"), connection.cursor() as cursor:
        cursor.execute("UPDATE gameplay_clockevent SET at = now()")


def test_the_page_of_a_match_knows_no_time(hall):
    hall.start()
    view = match_for_page(hall.seats[0], hall.match).clock
    assert not any(isinstance(value, timedelta) or hasattr(value, "tzinfo") for value in vars(view).values())
    assert Sheet.objects.get(pk=hall.match).version == 2
