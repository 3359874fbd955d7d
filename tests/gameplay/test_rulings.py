"""Rulings that are taken back, appeals to the Council of Guarantors, the book of cases, calls (S2, S19)."""

from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from core.clock import database_now
from core.refusal import Refusal
from gameplay.queries import appeals_for_council, calls_for_staff, cases, match_for_page
from gameplay.services import calls, claims, matches, recording, rulings
from players.actor import SYSTEM
from players.models import User
from players.rules.rights import COUNCIL, ORGANISER, REFEREE
from players.services import grant_role
from scoring.models import Appeal, Ruling
from tests.gameplay.rows import Hall, actor, key, person

pytestmark = pytest.mark.django_db
LOST = (0, 1, 90, 50)


def refused(code, work, *args, **values):
    with pytest.raises(Refusal) as found:
        work(*args, **values)
    assert found.value.code == code
    return found.value


def award(hall, points=-30, seat=4, reason="came late", article="S16"):
    told = {"seat": seat, "points": points, "article": article, "reason": reason}
    return rulings.award(hall.referee, hall.match, **told, key=key())["ruling"]


def revoke(hall, ruling, by=None, reason="it was wrong"):
    return rulings.revoke(by or hall.referee, hall.match, ruling=ruling, reason=reason, key=key())["ruling"]


def appeal(hall, ruling, by=None, reason="the train was late"):
    return rulings.appeal(by or hall.seats[4], hall.match, ruling=ruling, reason=reason, key=key())["appeal"]


def vote(who, number, uphold=True):
    return rulings.vote_appeal(who, number, uphold=uphold, key=key())["state"]


def judged_by_table(hall, uphold=True):
    claims.claim(hall.seats[2], hall.match, line=1, kind="suicidal_call", reason="he laughed", key=key())
    for seat in (2, 3, 4):
        claims.cast_vote(hall.seats[seat], hall.match, claim=1, uphold=uphold, key=key())
    return Ruling.objects.get(kind="suicidal_call").pk


def over(hall):
    entries = len(match_for_page(hall.referee, hall.match).entries)
    matches.sign(hall.referee, hall.match, entries=entries, key=key())


# Points and words


def test_an_award_moves_points_and_counts_no_hand():
    hall = Hall()
    hall.play(1)
    award(hall, seat=1, points=-300)
    view = match_for_page(hall.referee, hall.match)
    assert (hall.points, hall.sheet.hands_played, view.next_hand) == ([75, -225, 0, 0, 0], 1, 2)
    refused(
        "not_allowed", rulings.award, hall.seats[0], hall.match, seat=1, points=5, article="S2", reason="x", key="k"
    )
    for points in (0, 10_001, -10_001):
        assert refused("points_out_of_range", award, hall, points=points).pointer == "/points"
    assert refused("article_required", award, hall, article=" ").pointer == "/article"
    assert refused("reason_required", award, hall, reason=" ").pointer == "/reason"
    refused("seat_unknown", award, hall, seat=5)
    over(hall)
    refused("sheet_closed", award, hall)


def test_a_ruling_without_points_writes_nothing_on_the_sheet():
    hall = Hall()
    told = {"article": "D8", "question": "Elsa felt ill", "reason": "the match is replayed"}
    rulings.rule(hall.referee, hall.match, **told, key=key())
    (found,) = match_for_page(hall.seats[0], hall.match).rulings
    assert (found.kind, found.question, found.line, found.by) == ("decision", "Elsa felt ill", None, "Rita")
    refused("not_allowed", rulings.rule, hall.seats[0], hall.match, **told, key=key())


# Taken back


def test_an_award_is_taken_back_and_both_lines_stay():
    hall = Hall()
    hall.play(1)
    ruling = award(hall)
    new = revoke(hall, ruling)
    view = match_for_page(hall.referee, hall.match)
    assert hall.points == [75, 75, 0, 0, 0]
    assert len(view.sheet.lines) == 2
    assert [(row.kind, row.revoked) for row in view.rulings] == [("award", True), ("revocation", False)]
    assert str(view.rulings[0].revoked_by) == new
    refused("already_revoked", revoke, hall, ruling)
    refused("nothing_to_revoke", revoke, hall, new)


def test_a_voided_hand_is_the_hand_again():
    hall = Hall()
    hall.play(1)
    recording.void_hand(hall.referee, hall.match, line=1, entry=0, repeated=True, reason="exposed", key=key())
    revoke(hall, Ruling.objects.get().pk)
    assert hall.points == [75, 75, 0, 0, 0]


def test_a_penalty_of_the_referee_is_taken_back_and_the_hand_counts():
    hall = Hall(judge_mode="referee")
    hall.play(1, *LOST)
    claims.claim(hall.seats[2], hall.match, line=1, kind="suicidal_call", reason="he laughed", key=key())
    claims.decide_claim(hall.referee, hall.match, claim=1, uphold=True, reason="so did I", key=key())
    assert hall.points == [-240, 0, 0, 0, 0]
    revoke(hall, Ruling.objects.get().pk)
    assert hall.points == [-40, -40, 70, 70, 70]


def test_a_ruling_without_points_is_taken_back_in_the_book():
    hall = Hall()
    told = {"article": "D8", "question": "", "reason": "replayed"}
    ruling = rulings.rule(hall.referee, hall.match, **told, key=key())["ruling"]
    revoke(hall, ruling)
    assert [row.revoked for row in match_for_page(hall.referee, hall.match).rulings] == [True, False]


def test_nobody_takes_back_what_the_table_judged():
    hall = Hall()
    hall.play(1, *LOST)
    ruling = judged_by_table(hall)
    refused("judged_by_players", revoke, hall, ruling)
    refused("not_allowed", revoke, hall, ruling, by=hall.seats[0])
    refused("not_allowed", revoke, hall, ruling, by=hall.council(1)[0])
    assert hall.points == [-240, 0, 0, 0, 0]


def test_a_referee_takes_back_until_the_match_is_signed():
    hall = Hall()
    hall.play(1)
    ruling = award(hall)
    over(hall)
    refused("sheet_closed", revoke, hall, ruling)
    refused("not_allowed", revoke, hall, ruling, by=hall.council(1)[0])


def test_what_four_guarantors_confirmed_no_referee_takes_back():
    hall = Hall()
    ruling = award(hall)
    number = appeal(hall, ruling)
    refused("appeal_open", revoke, hall, ruling)
    for who in hall.council(4):
        vote(who, number, False)
    refused("appeal_decided", revoke, hall, ruling)


def test_the_council_punishes_what_a_referee_would_not():
    hall = Hall(judge_mode="referee")
    hall.play(1, *LOST)
    told = claims.claim(hall.seats[1], hall.match, line=1, kind="suicidal_call", reason="to lose", key=key())
    claims.decide_claim(hall.referee, hall.match, claim=told["claim"], uphold=False, reason="unlucky", key=key())
    ruling = Ruling.objects.get().pk
    refused("nothing_to_revoke", revoke, hall, ruling)
    number = appeal(hall, ruling)
    assert [vote(who, number) for who in hall.council(4)][-1] == "upheld"
    assert hall.points == [-240, 0, 0, 0, 0]


def test_who_ruled_or_appealed_has_no_vote():
    hall = Hall()
    grant_role(SYSTEM, person=hall.referee.person, scope=hall.club.scope_id, role="council")
    number = appeal(hall, award(hall))
    refused("party_to_appeal", vote, actor(hall.referee.person), number)
    assert [row.may_vote for row in appeals_for_council(actor(hall.referee.person))] == [False]


def test_points_that_were_ruled_are_taken_back_by_a_ruling_and_not_just_voided():
    hall = Hall()
    award(hall)
    told = {"line": 1, "entry": 0, "repeated": False, "reason": "twice"}
    refused("ruling_by_claim", recording.void_hand, hall.referee, hall.match, **told, key=key())
    assert hall.points[4] == -30


def test_a_match_is_opened_again_by_a_referee_with_a_reason():
    hall = Hall()
    refused("not_closed", matches.reopen_match, hall.referee, hall.match, reason="x", key=key())
    hall.play(1)
    over(hall)
    refused("not_allowed", matches.reopen_match, hall.seats[0], hall.match, reason="x", key=key())
    refused("reason_required", matches.reopen_match, hall.referee, hall.match, reason="", key=key())
    ruling = matches.reopen_match(hall.referee, hall.match, reason="a hand is missing", key=key())["ruling"]
    refused("no_appeal", appeal, hall, ruling)
    refused("nothing_to_revoke", revoke, hall, ruling)
    hall.play(2)


# Appeals


def test_four_guarantors_of_seven_take_a_ruling_back():
    hall = Hall()
    hall.play(1)
    ruling = award(hall)
    number = appeal(hall, ruling)
    assert match_for_page(hall.seats[0], hall.match).sub_iudice
    council = hall.council()
    states = [vote(who, number, uphold) for who, uphold in zip(council, (1, 0, 1, 0, 1, 0, 1), strict=True)]
    assert states == ["open"] * 6 + ["upheld"]
    assert hall.points == [75, 75, 0, 0, 0]
    assert not match_for_page(hall.seats[0], hall.match).sub_iudice
    told = Ruling.objects.get(kind="appeal")
    assert (told.decided_by, told.upheld, str(told.revokes_id)) == ("council", True, ruling)
    refused("already_revoked", appeal, hall, ruling)


def test_four_guarantors_let_a_ruling_stand():
    hall = Hall()
    ruling = award(hall)
    number = appeal(hall, ruling)
    refused("appeal_open", appeal, hall, ruling)
    refused("appeal_open", revoke, hall, ruling)
    assert [vote(who, number, False) for who in hall.council(4)] == ["open"] * 3 + ["rejected"]
    assert hall.points[4] == -30
    refused("appeal_decided", appeal, hall, ruling)
    assert Ruling.objects.get(kind="appeal").upheld is False
    refused("appeal_closed", vote, hall.council(1)[0], number)


def test_a_guarantor_votes_once_and_only_a_guarantor_does():
    hall = Hall()
    number = appeal(hall, award(hall))
    first = hall.council(1)[0]
    same = {"uphold": True, "key": "k"}
    assert rulings.vote_appeal(first, number, **same) == rulings.vote_appeal(first, number, **same)
    refused("already_voted", vote, first, number, False)
    for who in (hall.referee, hall.seats[0], actor(person("Olga", ORGANISER, scope=hall.club.scope_id))):
        refused("not_allowed", vote, who, number)
    refused("not_allowed", vote, Hall("altro").council(1)[0], number)
    refused("appeal_unknown", vote, first, hall.match)


def test_a_guarantor_who_sat_at_the_table_has_no_vote():
    hall = Hall()
    number = appeal(hall, award(hall))
    grant_role(SYSTEM, person=hall.people[0].pk, scope=hall.club.scope_id, role=COUNCIL)
    player = actor(hall.people[0])
    (shown,) = appeals_for_council(player)
    assert (shown.sat, shown.may_vote, shown.state) == (True, False, "open")
    refused("not_allowed", vote, player, number)


def test_an_appeal_that_nobody_decides_lapses_and_the_ruling_stands():
    hall = Hall()
    ruling = award(hall)
    number = appeal(hall, ruling)
    first, second = hall.council(2)
    vote(first, number)
    assert match_for_page(hall.referee, hall.match).rulings[0].days == 6
    Appeal.objects.filter(pk=number).update(deadline=database_now() - timedelta(seconds=1))
    refused("appeal_closed", vote, second, number)
    (shown,) = match_for_page(hall.referee, hall.match).rulings
    assert (shown.appeal_state, shown.days, shown.revoked) == ("lapsed", 0, False)
    assert not match_for_page(hall.seats[0], hall.match).sub_iudice
    assert [row.state for row in appeals_for_council(second)] == ["lapsed"]
    refused("appeal_decided", appeal, hall, ruling)
    refused("appeal_decided", revoke, hall, ruling)


def test_against_what_the_table_judged_there_is_no_appeal():
    hall = Hall()
    hall.play(1, *LOST)
    assert refused("no_appeal", appeal, hall, judged_by_table(hall)).article == "S17"


def test_against_what_undid_a_ruling_there_is_no_appeal():
    """The council could not take it back: whoever wants the ruling again rules again."""
    hall = Hall()
    new = revoke(hall, award(hall))
    refused("no_appeal", appeal, hall, new)


def test_a_player_or_the_organiser_appeals_also_when_the_match_is_over():
    hall = Hall()
    ruling, other = award(hall), award(hall, seat=1)
    over(hall)
    refused("not_allowed", appeal, hall, ruling, by=Hall("altro").referee)
    refused("not_allowed", appeal, hall, ruling, by=hall.council(1)[0])
    refused("reason_required", appeal, hall, ruling, reason=" ")
    appeal(hall, ruling, by=hall.seats[0])
    number = appeal(hall, other, by=actor(person("Olga", ORGANISER, scope=hall.club.scope_id)))
    for who in hall.council(4):
        vote(who, number)
    assert hall.points == [0, 0, 0, 0, -30]


def test_appeals_before_the_council_stand_with_the_open_ones_first():
    hall = Hall()
    council = hall.council(4)
    numbers = [appeal(hall, award(hall, points=-n)) for n in (1, 2, 3)]
    for who in council:
        vote(who, numbers[2], False)
    with CaptureQueriesContext(connection) as asked:
        found = appeals_for_council(council[0])
    assert [row.state for row in found] == ["open", "open", "rejected"]
    assert (found[2].votes, found[2].voted, found[0].may_vote) == ((0, 4), True, True)
    appeal(hall, award(hall, points=-4))
    with CaptureQueriesContext(connection) as again:
        appeals_for_council(council[0])
    assert len(asked) == len(again)


# Cases


def test_the_book_has_only_matches_that_are_over():
    hall = Hall()
    award(hall)
    assert cases() == ([], 0)
    over(hall)
    assert [row.reason for row in cases()[0]] == ["came late"]


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("ritardo", 1),
        ("RİTARDO", 1),
        ("rıtardo", 1),
        ("citta perche", 1),
        ("perché città", 1),
        ("s16", 1),
        ("D8", 0),
        ("nobody", 0),
        ("", 1),
    ],
)
def test_cases_are_found_by_words_without_accents_and_with_the_wrong_i(text, count):
    hall = Hall()
    award(hall, reason="Ritardo di un'ora, perché la città era bloccata")
    over(hall)
    assert cases(text)[1] == count


def test_cases_are_filtered_by_kind_and_cost_the_same_for_any_number():
    hall = Hall()
    award(hall)
    rulings.rule(hall.referee, hall.match, article="D8", question="", reason="replayed", key=key())
    over(hall)
    assert [row.kind for row in cases(kind="decision")[0]] == ["decision"]
    assert cases(kind="void") == ([], 0)
    with CaptureQueriesContext(connection) as few:
        cases()
    many = Hall("altro")
    for n in range(60):
        award(many, points=-1 - n)
    over(many)
    with CaptureQueriesContext(connection) as more:
        first, count = cases()
    second, _ = cases(page=2)
    assert len(few) == len(more)
    assert (len(first), count, len(second)) == (50, 62, 12)
    assert {row.id for row in first}.isdisjoint(row.id for row in second)


# Calls


def test_a_table_calls_once_and_the_first_referee_answers():
    hall = Hall()
    called = calls.call_referee(hall.seats[1], hall.match, words=" a card fell ", key=key())["call"]
    assert calls.call_referee(hall.seats[1], hall.match, words="now", key=key())["call"] == called
    calls.call_referee(hall.seats[3], hall.match, words="", key=key())
    assert [(row.seat, row.by, row.words) for row in calls_for_staff(hall.referee)] == [
        (1, "Bruno", "a card fell"),
        (3, "Dino", ""),
    ]
    assert match_for_page(hall.seats[1], hall.match).has_called
    assert not match_for_page(hall.seats[0], hall.match).has_called
    refused("not_allowed", calls.answer_call, hall.seats[0], hall.match, call=called, key=key())
    refused("call_unknown", calls.answer_call, hall.referee, hall.match, call=9, key=key())
    for _ in range(2):
        calls.answer_call(hall.referee, hall.match, call=called, key=key())
    assert [row.seat for row in calls_for_staff(hall.referee)] == [3]
    calls.call_referee(hall.seats[1], hall.match, words="again", key=key())
    assert len(calls_for_staff(hall.referee)) == 2


def test_calls_of_other_clubs_and_of_his_own_table_are_not_in_the_queue():
    hall, other = Hall(), Hall("altro")
    calls.call_referee(other.seats[0], other.match, words="", key=key())
    assert calls_for_staff(hall.referee) == []
    refused("not_allowed", calls.call_referee, hall.referee, hall.match, words="", key=key())
    refused("words_too_long", calls.call_referee, hall.seats[0], hall.match, words="x" * 201, key=key())
    playing = hall.people[0]
    grant_role(SYSTEM, person=playing.pk, scope=hall.club.scope_id, role=REFEREE)
    calls.call_referee(hall.seats[1], hall.match, words="", key=key())
    assert calls_for_staff(actor(User.objects.get(pk=playing.pk))) == []
    hall.play(1)
    over(hall)
    refused("sheet_closed", calls.call_referee, hall.seats[0], hall.match, words="", key=key())
