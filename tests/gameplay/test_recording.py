"""The verbale as it is written at the table (S11): hands, corrections, a second person, signatures."""

import pytest

from core.models import AuditRow
from core.refusal import Refusal
from gameplay.queries import match_for_page
from gameplay.services import matches, recording
from players.actor import SYSTEM
from players.rules.rights import REFEREE
from players.services import grant_role
from players.services.links import invite, use_link
from scoring.models import Entry, Sheet
from scoring.rules.scoresheet import Admitted, Voided
from scoring.services.sheets import move_seats
from tests.gameplay.rows import Hall, actor, key, person, played

pytestmark = pytest.mark.django_db


def refused(code, work, *args, **values):
    with pytest.raises(Refusal) as found:
        work(*args, **values)
    assert found.value.code == code
    return found.value


def test_a_referee_records_hands_and_the_deal_moves_on():
    hall = Hall()
    answer = hall.play(1, 0, 1, 75, 80)
    assert answer["totals"] == [75, 75, 0, 0, 0]
    assert hall.points == [75, 75, 0, 0, 0]
    hall.play(2, 2, 2, 90, 60)
    assert hall.points == [135, 135, -30, 60, 60]
    view = match_for_page(hall.referee, hall.match)
    assert (view.next_hand, view.sheet.next_dealer, view.dealt) == (3, 2, 2)
    assert AuditRow.objects.filter(scope=hall.sheet.scope_id, verb="record_hand").count() == 2


def test_the_same_hand_number_twice_is_taken_and_a_gap_is_wrong():
    hall = Hall()
    hall.play(1)
    assert refused("hand_taken", hall.play, 1, 0, 1, 80, 90).params == {"hand": 1}
    refused("wrong_hand", hall.play, 3)
    assert Entry.objects.filter(sheet=hall.match).count() == 1


def test_the_same_key_is_one_hand_and_another_body_is_refused():
    hall = Hall()
    same = {"hand": 1, "content": played(), "key": "k"}
    first = recording.record_hand(hall.referee, hall.match, **same)
    assert recording.record_hand(hall.referee, hall.match, **same) == first
    refused("key_reused", recording.record_hand, hall.referee, hall.match, **(same | {"content": played(made=81)}))
    assert hall.sheet.hands_played == 1


@pytest.mark.parametrize(
    ("outcome", "code"),
    [((0, 1, 60, 80), "bid_out_of_range"), ((0, 1, 75, 121), "made_out_of_range"), ((5, 1, 75, 80), "seat_unknown")],
)
def test_impossible_hands_are_refused_and_change_nothing(outcome, code):
    hall = Hall()
    version = hall.sheet.version
    refused(code, hall.play, 1, *outcome)
    assert (hall.sheet.version, Entry.objects.count()) == (version, 0)


def test_a_hand_that_a_player_writes_waits_for_another():
    hall = Hall()
    waits = hall.play(1, by=hall.seats[2])["pending"]
    assert waits == 1
    assert hall.points == [0] * 5
    refused("proposal_pending", hall.play, 1)
    answer = {"proposal": waits, "accept": True, "key": key()}
    refused("own_proposal", recording.answer_proposal, hall.seats[2], hall.match, **answer)
    assert recording.answer_proposal(hall.seats[4], hall.match, **answer)["totals"] == [75, 75, 0, 0, 0]
    refused("proposal_answered", recording.answer_proposal, hall.seats[3], hall.match, **(answer | {"key": key()}))


def test_what_is_rejected_or_taken_back_is_not_written():
    hall = Hall()
    waits = hall.play(1, by=hall.seats[2])["pending"]
    recording.answer_proposal(hall.referee, hall.match, proposal=waits, accept=False, key=key())
    waits = hall.play(1, by=hall.seats[2])["pending"]
    refused("not_allowed", recording.take_back_proposal, hall.seats[3], hall.match, proposal=waits, key=key())
    recording.take_back_proposal(hall.seats[2], hall.match, proposal=waits, key=key())
    assert not Entry.objects.exists()
    hall.play(1)


def test_a_referee_waits_for_a_second_person_where_the_rules_ask_for_one():
    hall = Hall(confirm_hands=True)
    waits = hall.play(1)["pending"]
    recording.answer_proposal(hall.seats[0], hall.match, proposal=waits, accept=True, key=key())
    assert hall.points[0] == 75


@pytest.mark.parametrize(("recorders", "code"), [("referee", "recorders_referee"), ("table", "recorders_table")])
def test_the_rules_say_who_writes(recorders, code):
    hall = Hall(recorders=recorders)
    refused(code, hall.play, 1, by=hall.seats[0] if recorders == "referee" else hall.referee)
    hall.play(1, by=hall.referee if recorders == "referee" else hall.seats[0])


def test_a_correction_keeps_the_old_entry_and_needs_a_reason():
    hall = Hall()
    hall.play(1)
    new = {"line": 1, "entry": 0, "content": played(made=70)}
    refused("reason_required", recording.correct_hand, hall.referee, hall.match, **new, reason=" ", key=key())
    recording.correct_hand(hall.referee, hall.match, **new, reason="misread", key=key())
    assert hall.points == [-5, -5, 50, 50, 50]
    assert refused(
        "stale_entry", recording.correct_hand, hall.referee, hall.match, **new, reason="again", key=key()
    ).params == {"line": 1}
    assert len(match_for_page(hall.referee, hall.match).sheet.lines[0].replaced) == 1


def test_a_voided_hand_is_repeated_by_the_same_dealer_and_undo_restores():
    hall = Hall()
    hall.play(1)
    recording.void_hand(hall.referee, hall.match, line=1, entry=0, repeated=True, reason="exposed card", key=key())
    view = match_for_page(hall.referee, hall.match)
    assert (view.sheet.next_dealer, view.next_hand, hall.points) == (0, 2, [0] * 5)
    assert [(ruling.kind, ruling.line, ruling.by) for ruling in view.rulings] == [("void", 1, "Rita")]
    refused("ruling_by_claim", recording.undo, hall.referee, hall.match, entry=1, reason="no", key=key())
    hall.play(2, 1, 2, 80, 90)
    refused("stale_entry", recording.undo, hall.referee, hall.match, entry=0, reason="no", key=key())
    recording.undo(hall.referee, hall.match, entry=2, reason="wrong table", key=key())
    assert hall.points == [0] * 5
    recording.undo(hall.referee, hall.match, entry=3, reason="it was this table", key=key())
    assert hall.points == [0, 80, 80, 0, 0]


def test_a_disloyal_raise_is_admitted_before_the_first_card():
    hall = Hall()
    late = {"hand": 1, "content": Admitted(2, 80), "first_card_led": True, "key": key()}
    refused("admission_too_late", recording.record_hand, hall.referee, hall.match, **late)
    refused(
        "disloyal_needs_higher_bid",
        recording.record_hand,
        hall.referee,
        hall.match,
        hand=1,
        content=Admitted(2, 72),
        key=key(),
    )
    recording.record_hand(hall.referee, hall.match, hand=1, content=Admitted(2, 73), key=key())
    assert hall.points == [0, 0, -50, 0, 0]
    recording.record_hand(hall.referee, hall.match, hand=2, content=Admitted(2, 73), key=key())
    assert hall.points[2] == -120


def test_a_paper_sheet_is_written_at_once_or_not_at_all():
    hall = Hall()
    rows = [played(), Voided(repeated=True), Admitted(3, 90), played(1, 1, 100, 101)]
    bad = refused(
        "made_out_of_range",
        recording.record_hands,
        hall.referee,
        hall.match,
        first=1,
        contents=[*rows, played(made=121)],
        key=key(),
    )
    assert bad.pointer == "/hands/4/made"
    assert not Entry.objects.exists()
    answer = recording.record_hands(hall.referee, hall.match, first=1, contents=rows, key=key())
    assert answer["totals"] == [75, 275, 0, -50, 0]
    refused("hand_taken", recording.record_hands, hall.referee, hall.match, first=1, contents=rows, key=key())
    refused("not_allowed", recording.record_hands, hall.seats[0], hall.match, first=5, contents=rows, key=key())


def test_three_players_close_a_match_and_nothing_is_written_after():
    hall = Hall()
    refused("nothing_written", matches.sign, hall.seats[0], hall.match, entries=0, key=key())
    hall.play(1)
    refused("stale_sheet", matches.sign, hall.seats[0], hall.match, entries=0, key=key())
    told = [matches.sign(seat, hall.match, entries=1, key=key()) for seat in hall.seats[:2]]
    assert [(answer["closed"], answer["signed"]) for answer in told] == [(False, 1), (False, 2)]
    refused("already_signed", matches.sign, hall.seats[0], hall.match, entries=1, key=key())
    assert matches.sign(hall.seats[2], hall.match, entries=1, key=key())["closed"]
    assert hall.sheet.state == Sheet.State.CLOSED
    refused("sheet_closed", hall.play, 2)
    refused(
        "sheet_closed",
        recording.correct_hand,
        hall.referee,
        hall.match,
        line=1,
        entry=0,
        content=played(made=79),
        reason="late",
        key=key(),
    )


def test_signatures_hold_for_what_was_signed():
    hall = Hall()
    hall.play(1)
    for seat in hall.seats[:2]:
        matches.sign(seat, hall.match, entries=1, key=key())
    hall.play(2)
    assert matches.sign(hall.seats[2], hall.match, entries=2, key=key())["signed"] == 1
    assert matches.sign(hall.referee, hall.match, entries=2, key=key())["closed"]
    matches.reopen_match(hall.referee, hall.match, reason="two hands were missing", key=key())
    assert match_for_page(hall.referee, hall.match).signed == {}
    assert not matches.sign(hall.seats[2], hall.match, entries=2, key=key())["closed"]


def test_who_plays_is_a_player():
    hall = Hall()
    playing = actor(person("Piero", REFEREE, scope=hall.club.scope_id))
    other = matches.open_match(
        hall.referee,
        scope=hall.club.scope_id,
        table_name="Centralino",
        key=key(),
        people=[playing.person, *(row.pk for row in hall.people[:4])],
    )["match"]
    assert match_for_page(playing, hall.match).powers.staff
    powers = match_for_page(playing, other).powers
    assert (powers.staff, powers.seat) == (False, 0)
    waits = recording.record_hand(playing, other, hand=1, content=played(), key=key())["pending"]
    recording.answer_proposal(hall.referee, other, proposal=waits, accept=True, key=key())
    refused("not_allowed", recording.record_hands, playing, other, first=2, contents=[played()], key=key())
    matches.sign(hall.referee, other, entries=1, key=key())
    assert match_for_page(playing, other).powers.staff


def test_strangers_and_other_clubs_may_nothing():
    hall, other = Hall(), Hall("altro")
    refused("not_allowed", other.play, 1, by=hall.referee)
    refused("not_allowed", other.play, 1, by=hall.seats[0])
    refused(
        "match_unknown", recording.record_hand, hall.referee, hall.club.scope_id, hand=1, content=played(), key=key()
    )


def test_a_match_needs_five_different_people():
    hall = Hall()
    told = {"scope": hall.club.scope_id, "table_name": "A", "key": key()}
    people = [row.pk for row in hall.people]
    refused("five_players", matches.open_match, hall.referee, people=people[:4], **told)
    refused("person_twice", matches.open_match, hall.referee, people=[*people[:4], people[0]], **told)
    assert (
        refused("bad_name", matches.open_match, hall.referee, people=[*people[:4], "  "], **told).pointer == "/people/4"
    )
    refused("table_name_missing", matches.open_match, hall.referee, people=people, **(told | {"table_name": " "}))
    refused("not_allowed", matches.open_match, hall.seats[0], people=people, **told)
    matches.open_match(hall.referee, people=[*people[:4], "Nuovo"], **told)


def test_what_a_ruling_annulled_comes_back_by_a_ruling_only():
    hall = Hall()
    hall.play(1)
    recording.void_hand(hall.referee, hall.match, line=1, entry=0, repeated=True, reason="exposed card", key=key())
    new = {"line": 1, "entry": 1, "content": played(), "reason": "not exposed", "key": key()}
    refused("ruling_by_claim", recording.correct_hand, hall.referee, hall.match, **new)
    hall.play(2)
    void = new | {"line": 2, "entry": 2, "content": Voided()}
    refused("void_by_ruling", recording.correct_hand, hall.referee, hall.match, **void)


def test_where_each_hand_waits_corrections_wait_too_and_no_grid_is_typed():
    hall = Hall(confirm_hands=True)
    refused(
        "confirm_each_hand", recording.record_hands, hall.referee, hall.match, first=1, contents=[played()], key="k"
    )
    waits = hall.play(1)["pending"]
    recording.answer_proposal(hall.seats[0], hall.match, proposal=waits, accept=True, key=key())
    new = {"line": 1, "entry": 0, "content": played(made=79), "reason": "misread", "key": key()}
    assert recording.correct_hand(hall.referee, hall.match, **new)["pending"] == 2
    assert hall.points[0] == 75


def test_who_called_the_last_hand_does_not_end_the_time_for_claims():
    hall = Hall()
    hall.play(1, 3, 1, 80, 60)
    refused("caller_deals", matches.deal_next_hand, hall.seats[3], hall.match, hand=2, key=key())
    assert matches.deal_next_hand(hall.seats[1], hall.match, hand=2, key=key())["dealt"] == 2


def test_nobody_reopens_his_own_match():
    hall = Hall()
    grant_role(SYSTEM, person=hall.people[0].pk, scope=hall.club.scope_id, role=REFEREE)
    hall.play(1)
    matches.sign(hall.referee, hall.match, entries=1, key=key())
    refused("not_allowed", matches.reopen_match, actor(hall.people[0]), hall.match, reason="I lost", key=key())


def test_a_seat_ends_links_that_would_make_somebody_its_player():
    hall = Hall()
    guest = person("Guest")
    token = invite(SYSTEM, scope=hall.club.scope_id, role=REFEREE, person=guest.pk)
    five = [guest.pk, *(row.pk for row in hall.people[1:])]
    told = {"scope": hall.club.scope_id, "table_name": "Centralino", "people": five, "key": key()}
    matches.open_match(hall.referee, **told)
    refused("link_over", use_link, token, username="guest", password="a long enough one")


def test_nobody_is_merged_while_he_sits_at_an_open_match():
    hall = Hall()
    refused("sits_now", move_seats, hall.people[0], person("Ada again"))
    hall.play(1)
    matches.sign(hall.referee, hall.match, entries=1, key=key())
    assert move_seats(hall.people[0], person("Ada again")) == [hall.match]
