"""Penalties that are claimed and judged, article by article (S17, S18, D9, D10, D18, D19)."""

import pytest

from core.models import AuditRow
from core.refusal import Refusal
from gameplay.queries import match_for_page
from gameplay.services import claims, matches, recording, rulings
from scoring.models import Claim, Entry, Ruling, Sheet, Vote
from scoring.rules.scoresheet import Admitted
from tests.gameplay.rows import Hall, key, played

pytestmark = pytest.mark.django_db

LOST = (0, 1, 90, 50)  # caller, called, bid, made: judged by 2, 3 and 4
WON = (0, 1, 80, 95)
ALONE = (0, 0, 90, 50)  # judged by 1, 2, 3 and 4


def refused(code, work, *args, **values):
    with pytest.raises(Refusal) as found:
        work(*args, **values)
    assert found.value.code == code
    return found.value


def claim(hall, by=2, line=1, kind="suicidal_call", reason="he laughed", **values):
    who = hall.referee if by is None else hall.seats[by]
    return claims.claim(who, hall.match, line=line, kind=kind, reason=reason, key=key(), **values)["claim"]


def vote(hall, seat, uphold, number=1):
    return claims.cast_vote(hall.seats[seat], hall.match, claim=number, uphold=uphold, key=key())["state"]


def judged(hall, *votes, number=1):
    """Votes as pairs of seat and word; what the last one came to."""
    return [vote(hall, seat, uphold, number) for seat, uphold in votes][-1]


def decided(hall, uphold=True, number=1, reason="I saw it"):
    return claims.decide_claim(hall.referee, hall.match, claim=number, uphold=uphold, reason=reason, key=key())


def deal(hall, hand):
    return matches.deal_next_hand(hall.referee, hall.match, hand=hand, key=key())


def test_a_suicidal_call_costs_200_and_what_was_lost_and_nobody_else_scores():
    hall = Hall()
    hall.play(1, *LOST)
    assert hall.points == [-40, -40, 70, 70, 70]
    claim(hall)
    assert [vote(hall, 2, True), vote(hall, 3, False), vote(hall, 4, True)] == ["open", "open", "upheld"]
    assert hall.points == [-240, 0, 0, 0, 0]
    view = match_for_page(hall.referee, hall.match)
    assert (view.sheet.ledger, view.sheet.next_dealer, view.next_hand) == (((0, -1),), 1, 2)
    (ruling,) = view.rulings
    assert (ruling.kind, ruling.article, ruling.decided_by, ruling.upheld) == ("suicidal_call", "S17", "table", True)
    assert (ruling.line, ruling.entry, ruling.claim, ruling.by) == (1, 1, 1, "")


def test_a_disloyal_raise_is_voided_and_the_same_dealer_deals_again():
    hall = Hall()
    hall.play(1, *LOST)
    claim(hall, kind="disloyal_raise")
    assert judged(hall, (2, True), (3, True), (4, False)) == "upheld"
    assert hall.points == [-90, 0, 0, 0, 0]  # 50 and the 40 that were lost
    view = match_for_page(hall.referee, hall.match)
    assert (view.sheet.next_dealer, view.next_hand, view.sheet.ledger) == (0, 2, ())


def test_a_won_hand_cannot_be_suicidal_but_its_raise_can_be_disloyal():
    hall = Hall()
    hall.play(1, *WON)
    assert refused("suicidal_needs_lost_hand", claim, hall).article == "D18"
    claim(hall, kind="disloyal_raise")
    judged(hall, (2, True), (3, True), (4, True))
    assert hall.points == [-50, 0, 0, 0, 0]


@pytest.mark.parametrize(("bid", "held"), [(72, False), (73, True)])
def test_72_is_inadmissible(bid, held):
    hall = Hall()
    hall.play(1, 0, 1, bid, 50)
    if held:
        claim(hall, kind="disloyal_raise")
    else:
        assert refused("disloyal_needs_higher_bid", claim, hall, kind="disloyal_raise").article == "S18"
        assert not Claim.objects.exists()


def test_the_window_is_open_until_the_next_hand_is_dealt_or_recorded():
    hall = Hall()
    refused("entry_unknown", claim, hall)
    hall.play(1, *LOST)
    hall.play(2, *LOST)
    refused("claim_too_late", claim, hall, line=1)
    number = claim(hall, line=2)
    refused("claim_open", deal, hall, 3)
    refused("claim_open", hall.play, 3)
    refused("claim_open", claim, hall, line=2, kind="disloyal_raise")
    refused("claim_open", matches.sign, hall.referee, hall.match, entries=2, key=key())
    judged(hall, (2, False), (3, False), (4, False), number=number)
    claim(hall, line=2, kind="disloyal_raise")
    judged(hall, (2, False), (3, False), (4, True), number=2)
    deal(hall, 3)
    refused("claim_too_late", claim, hall, line=2, kind="disloyal_raise")


def test_the_window_closes_when_the_match_is_signed():
    hall = Hall()
    hall.play(1, *LOST)
    matches.sign(hall.referee, hall.match, entries=1, key=key())
    refused("sheet_closed", claim, hall)


def test_an_award_after_the_hand_leaves_the_window_open():
    hall = Hall()
    hall.play(1, *LOST)
    rulings.award(hall.referee, hall.match, seat=4, points=-10, article="S16", reason="late", key=key())
    refused("not_a_played_hand", claim, hall, line=2)
    claim(hall, line=1)


def test_anyone_at_the_table_or_a_referee_claims_and_nobody_else():
    for by in (0, 1, 2, None):
        hall = Hall(f"club-{by}")
        hall.play(1, *LOST)
        claim(hall, by=by)
    stranger = Hall("altro")
    refused(
        "not_allowed", claims.claim, stranger.referee, hall.match, line=1, kind="suicidal_call", reason="x", key="k"
    )
    stranger.play(1, *LOST)
    refused("reason_required", claim, stranger, reason="  ")


def test_the_same_hand_is_judged_once_for_the_same_thing():
    hall = Hall()
    hall.play(1, *LOST)
    claim(hall)
    judged(hall, (2, False), (3, False), (4, True))
    refused("already_judged", claim, hall)
    claim(hall, kind="disloyal_raise")


@pytest.mark.parametrize(
    ("hand", "seats"),
    [(LOST, (2, 3, 4)), ((3, 1, 90, 50), (0, 2, 4)), (ALONE, (1, 2, 3, 4)), ((4, 4, 80, 20), (0, 1, 2, 3))],
)
def test_only_who_was_neither_caller_nor_called_judges(hand, seats):
    """D9: three, or four against who was alone."""
    hall = Hall()
    hall.play(1, *hand)
    claim(hall, by=None)
    for seat in set(range(5)) - set(seats):
        assert refused("not_a_judge", vote, hall, seat, True).article == "D9"
    refused("not_allowed", claims.cast_vote, hall.referee, hall.match, claim=1, uphold=True, key=key())
    assert judged(hall, *((seat, True) for seat in seats)) == "upheld"
    assert sorted(Vote.objects.values_list("seat", flat=True)) == sorted(seats)


@pytest.mark.parametrize(
    ("votes", "state"),
    [("1100", "rejected"), ("1110", "upheld"), ("1000", "rejected"), ("1111", "upheld"), ("0011", "rejected")],
)
def test_against_a_solo_a_tie_rejects(votes, state):
    hall = Hall()
    hall.play(1, *ALONE)
    before = hall.points
    claim(hall)
    assert judged(hall, *((seat, word == "1") for seat, word in zip((1, 2, 3, 4), votes, strict=True))) == state
    assert (hall.points == before) is (state == "rejected")
    assert Ruling.objects.get().upheld is (state == "upheld")


def test_nobody_votes_twice_and_nobody_after_the_verdict():
    hall = Hall()
    hall.play(1, *LOST)
    claim(hall)
    same = {"claim": 1, "uphold": True, "key": "k"}
    first = claims.cast_vote(hall.seats[2], hall.match, **same)
    assert claims.cast_vote(hall.seats[2], hall.match, **same) == first
    refused("key_reused", claims.cast_vote, hall.seats[2], hall.match, **(same | {"uphold": False}))
    refused("already_voted", vote, hall, 2, False)
    judged(hall, (3, True), (4, False))
    assert refused("claim_decided", vote, hall, 4, True).params == {"state": "upheld"}
    refused("claim_unknown", vote, hall, 2, True, 7)


def test_a_vote_says_nothing_before_all_have_voted():
    hall = Hall()
    hall.play(1, *LOST)
    claim(hall)
    vote(hall, 2, True)
    for who in (*hall.seats, hall.referee):
        (found,) = match_for_page(who, hall.match).claims
        assert (found.votes, found.voted) == (None, 1)
        assert found.vote is (True if who is hall.seats[2] else None)
    vote(hall, 3, False)
    vote(hall, 4, True)
    assert match_for_page(hall.seats[0], hall.match).claims[0].votes == {2: True, 3: False, 4: True}


def test_a_claim_is_withdrawn_by_who_made_it_or_by_a_referee_and_its_votes_stay_secret():
    hall = Hall()
    hall.play(1, *LOST)
    claim(hall, by=3)
    vote(hall, 4, True)
    gone = {"claim": 1, "reason": "it was a joke"}
    refused("not_allowed", claims.withdraw_claim, hall.seats[2], hall.match, **gone, key=key())
    refused("reason_required", claims.withdraw_claim, hall.seats[3], hall.match, claim=1, reason="", key=key())
    claims.withdraw_claim(hall.seats[3], hall.match, **gone, key=key())
    (found,) = match_for_page(hall.referee, hall.match).claims
    assert (found.state, found.votes, found.withdrawn_because) == ("withdrawn", None, "it was a joke")
    assert not Ruling.objects.exists()
    claim(hall, by=3)  # nothing was judged
    claims.withdraw_claim(hall.referee, hall.match, claim=2, reason="the table cannot agree", key=key())
    refused("claim_decided", vote, hall, 2, True, 2)


def test_offences_count_up_and_the_fourth_costs_as_the_third():
    """D10: 50, 70, 100, 100; an admission counts, a rejected claim does not."""
    hall = Hall()
    for hand, (cost, offence) in enumerate(((50, 1), (70, 2), (100, 3), (100, 4)), start=1):
        before = hall.points[0]
        if hand == 2:
            recording.record_hand(hall.referee, hall.match, hand=hand, content=Admitted(0, 90), key=key())
        else:
            hall.play(hand, *WON)
            claim(hall, line=hand, kind="disloyal_raise")
            judged(hall, (2, True), (3, True), (4, True), number=match_for_page(hall.referee, hall.match).claim.number)
        assert before - hall.points[0] == cost
        assert match_for_page(hall.referee, hall.match).sheet.lines[-1].effect.offence == offence
    hall.play(5, 1, 0, 80, 95)
    claim(hall, line=5, kind="disloyal_raise")
    judged(hall, (2, True), (3, True), (4, True), number=4)
    assert hall.points[1] == -50  # offences are a player's own


def test_a_rejected_claim_is_no_offence():
    hall = Hall()
    hall.play(1, *WON)
    claim(hall, kind="disloyal_raise")
    assert judged(hall, (2, False), (3, False), (4, True)) == "rejected"
    recording.record_hand(hall.referee, hall.match, hand=2, content=Admitted(0, 90), key=key())
    assert hall.points[0] == 80 - 50


def test_a_referee_judges_where_the_rules_say_so():
    hall = Hall(judge_mode="referee")
    hall.play(1, *LOST)
    claim(hall)
    refused("judged_by_referee", vote, hall, 2, True)
    refused("not_allowed", claims.decide_claim, hall.seats[2], hall.match, claim=1, uphold=True, reason="x", key=key())
    refused("reason_required", decided, hall, reason=" ")
    assert decided(hall)["state"] == "upheld"
    assert hall.points == [-240, 0, 0, 0, 0]
    ruling = Ruling.objects.get()
    assert (ruling.decided_by, ruling.person_id, ruling.question) == ("referee", hall.referee.person, "he laughed")
    assert ruling.reason == "I saw it"
    refused("claim_decided", decided, hall)


def test_a_referee_does_not_judge_where_the_players_do():
    hall = Hall()
    hall.play(1, *LOST)
    claim(hall)
    refused("judged_by_players", decided, hall)


def test_a_verdict_is_written_down_and_told():
    hall = Hall()
    hall.play(1, *LOST)
    claim(hall)
    judged(hall, (2, True), (3, True), (4, True))
    verbs = list(AuditRow.objects.filter(scope=hall.sheet.scope_id).order_by("number").values_list("verb", flat=True))
    assert verbs[-4:] == ["claim", "cast_vote", "cast_vote", "cast_vote"]
    # The trail says who voted when all have voted; how he voted is in no row of it.
    assert not AuditRow.objects.filter(verb="cast_vote", payload__has_key="uphold").exists()
    assert Entry.objects.filter(sheet=hall.match).count() == 2
    assert Sheet.objects.get(pk=hall.match).hands_played == 0


def test_a_hand_that_waits_for_a_second_person_is_not_claimed():
    hall = Hall()
    hall.play(1, *LOST)
    hall.play(2, *LOST, by=hall.seats[3])
    refused("proposal_pending", claim, hall, line=1)


def test_a_judged_hand_is_no_longer_claimed_for_anything():
    hall = Hall()
    hall.play(1, *LOST)
    claim(hall)
    judged(hall, (2, True), (3, True), (4, True))
    refused("not_a_played_hand", claim, hall, kind="disloyal_raise")
    refused("ruling_by_claim", recording.undo, hall.referee, hall.match, entry=1, reason="no", key=key())
    refused(
        "ruling_by_claim",
        recording.correct_hand,
        hall.referee,
        hall.match,
        line=1,
        entry=1,
        content=played(0, 1, 90, 50)._replace(ruling="disloyal_raise"),
        reason="other",
        key=key(),
    )
