"""What must never be true of a match and what is judged there is refused by the database itself, whoever writes."""

from datetime import UTC, datetime

import pytest
from django.db import IntegrityError, connection, transaction

from gameplay.models import Match
from gameplay.services import claims, matches, rulings
from scoring.models import Appeal, AppealVote, Claim, Proposal, RefereeCall, Ruling, Signature, Vote
from tests.gameplay.rows import Hall, key

pytestmark = pytest.mark.django_db
LATER = datetime(2100, 1, 1, tzinfo=UTC)
LOST = (0, 1, 90, 60)


def refused(write, name):
    """The database refuses the write by the constraint of this name."""
    with connection.cursor() as cursor:
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
    with pytest.raises(IntegrityError, match=name), transaction.atomic():
        write()


@pytest.fixture
def hall():
    """A match with one lost hand."""
    hall = Hall()
    hall.play(1, *LOST)
    return hall


def update(rows, **columns):
    return lambda: rows.update(**columns)


def create(model, **columns):
    return lambda: model.objects.create(**columns)


def test_a_match_has_a_table(hall):
    refused(update(Match.objects.filter(pk=hall.match), table_name=""), "match_table_is_named")
    refused(create(Match, sheet=hall.sheet, table_name="Centralino", rules={}), "gameplay_match_pkey")


# A second person


@pytest.fixture
def waiting(hall):
    """A proposal of seat 2."""
    hall.play(2, by=hall.seats[2])
    return Proposal.objects.get()


def proposal(hall, number, **columns):
    told = {"hand": 2, "content": {}, "person": hall.people[2]}
    return create(Proposal, sheet=hall.sheet, number=number, **(told | columns))


def test_one_proposal_waits_and_each_has_its_number(hall, waiting):
    refused(proposal(hall, 2), "proposal_one_waits")
    refused(proposal(hall, 1, state="rejected"), "proposal_number_once")
    proposal(hall, 2, state="rejected")()
    other = Hall()
    proposal(other, 1, person=other.people[2])()  # another sheet, another waiting room


def test_a_proposal_is_a_new_hand_or_a_correction(hall):
    refused(proposal(hall, 1, hand=2, replaces=0), "proposal_new_or_correction")
    refused(proposal(hall, 1, hand=None, replaces=None), "proposal_new_or_correction")
    refused(proposal(hall, 1, state="forgotten"), "proposal_state_known")
    proposal(hall, 1, hand=None, replaces=0)()


def test_nobody_answers_his_own_proposal(hall, waiting):
    rows = Proposal.objects.filter(pk=waiting.pk)
    for state in ("accepted", "rejected"):
        refused(update(rows, answered_by=hall.people[2], state=state), "proposal_answered_by_another")
    rows.update(answered_by=hall.people[3], state="accepted")


# Signatures


def test_a_seat_and_the_referee_sign_the_same_sheet_once(hall):
    sheet = hall.sheet
    for seat in (0, None):
        signed = {"sheet": sheet, "entries": 1, "seat": seat}
        create(Signature, **signed)()
        refused(create(Signature, **signed), "signature_once")
        create(Signature, **(signed | {"entries": 2}))()
        create(Signature, **(signed | {"reopened": 1}))()
    refused(create(Signature, sheet=sheet, entries=1, seat=5), "signature_seat_known")


# Claims and votes


def claim_row(hall, number, **columns):
    told = {"entry": hall.sheet.entries.get(number=0), "kind": "suicidal_call", "reason": "on purpose"}
    return create(Claim, sheet=hall.sheet, number=number, **(told | columns))


def test_one_claim_is_open_and_each_has_its_number(hall):
    claim_row(hall, 1)()
    refused(claim_row(hall, 2), "claim_one_open")
    refused(claim_row(hall, 1, state="rejected"), "claim_number_once")
    claim_row(hall_with_a_hand(), 1)()


def hall_with_a_hand():
    other = Hall()
    other.play(1, *LOST)
    return other


def test_a_hand_is_judged_once_for_the_same_thing(hall):
    claim_row(hall, 1, state="withdrawn", withdrawn_because="a mistake")()
    claim_row(hall, 2, state="rejected")()
    refused(claim_row(hall, 3, state="upheld"), "claim_judged_once")
    refused(claim_row(hall, 3, state="rejected"), "claim_judged_once")
    claim_row(hall, 3, state="upheld", kind="disloyal_raise")()


def test_a_claim_says_what_and_a_withdrawal_why(hall):
    refused(claim_row(hall, 1, reason=""), "claim_says_what")
    refused(claim_row(hall, 1, kind="bad_manners"), "claim_says_what")
    refused(claim_row(hall, 1, state="forgotten"), "claim_state_known")
    refused(claim_row(hall, 1, state="withdrawn"), "claim_state_known")
    refused(claim_row(hall, 1, withdrawn_because="a mistake"), "claim_state_known")


@pytest.fixture
def open_claim(hall):
    told = {"line": 1, "kind": "suicidal_call", "reason": "on purpose"}
    claims.claim(hall.seats[2], hall.match, **told, key=key())
    return Claim.objects.get()


def test_a_judge_votes_once(hall, open_claim):
    vote = {"claim": open_claim, "person": hall.people[2], "uphold": True}
    create(Vote, seat=2, **vote)()
    refused(create(Vote, seat=2, **(vote | {"uphold": False})), "vote_once")
    refused(create(Vote, seat=5, **vote), "vote_seat_known")


# Rulings and appeals


@pytest.fixture
def ruling(hall):
    told = {"seat": 3, "points": -10, "article": "S16", "reason": "late"}
    rulings.award(hall.referee, hall.match, **told, key=key())
    return Ruling.objects.get()


def ruling_row(hall, number, **columns):
    told = {"kind": "decision", "decided_by": "referee", "article": "S2", "reason": "so it was"}
    return create(Ruling, scope=hall.sheet.scope, sheet=hall.sheet, number=number, **(told | columns))


def test_a_ruling_has_a_number_an_article_a_reason_and_a_judge(hall, ruling):
    refused(ruling_row(hall, 1), "ruling_number_once")
    refused(ruling_row(hall, 2, article=""), "ruling_says_why")
    refused(ruling_row(hall, 2, reason=""), "ruling_says_why")
    refused(ruling_row(hall, 2, decided_by="the crowd"), "ruling_decided_by_known")
    ruling_row(hall, 2)()


def test_an_entry_and_a_claim_are_ruled_once(hall, ruling, open_claim):
    refused(ruling_row(hall, 2, entry=ruling.entry), "entry_id")
    ruling_row(hall, 2, claim=open_claim)()
    refused(ruling_row(hall, 3, claim=open_claim), "claim_id")


def test_a_ruling_is_revoked_once_by_a_revocation_or_an_appeal(hall, ruling):
    refused(ruling_row(hall, 2, revokes=ruling), "ruling_kind_revokes")
    ruling_row(hall, 2, revokes=ruling, kind="revocation")()
    refused(ruling_row(hall, 3, revokes=ruling, kind="appeal"), "revokes_id")


def test_a_ruling_is_appealed_once_with_a_reason(hall, ruling):
    told = {"ruling": ruling, "reason": "unfair", "deadline": LATER}
    refused(create(Appeal, **(told | {"reason": ""})), "appeal_says_why")
    refused(create(Appeal, **(told | {"state": "forgotten"})), "appeal_state_known")
    create(Appeal, **told)()
    refused(create(Appeal, **told), "ruling_id")


def test_a_guarantor_votes_once(hall, ruling):
    appeal = Appeal.objects.create(ruling=ruling, reason="unfair", deadline=LATER)
    vote = {"appeal": appeal, "person": hall.people[0], "uphold": True}
    create(AppealVote, **vote)()
    refused(create(AppealVote, **(vote | {"uphold": False})), "appeal_vote_once")


# Calls


def test_one_call_of_a_seat_waits(hall):
    told = {"sheet": hall.sheet, "seat": 1, "person": hall.people[1]}
    create(RefereeCall, number=1, **told)()
    refused(create(RefereeCall, number=2, **told), "call_one_waits")
    refused(create(RefereeCall, number=1, **(told | {"answered": True})), "call_number_once")
    create(RefereeCall, number=2, **(told | {"seat": 2}))()
    create(RefereeCall, number=3, **(told | {"answered": True}))()


# What was said stays said


@pytest.fixture
def said(hall, open_claim):
    """A signature, votes, rulings and a vote of the council."""
    council = hall.council(1)[0]
    for seat in (2, 3):
        claims.cast_vote(hall.seats[seat], hall.match, claim=1, uphold=True, key=key())
    claims.cast_vote(hall.seats[4], hall.match, claim=1, uphold=False, key=key())
    ruled = rulings.award(hall.referee, hall.match, seat=0, points=1, article="S16", reason="late", key=key())
    ruling = Ruling.objects.get(pk=ruled["ruling"])
    opened = rulings.appeal(hall.seats[0], hall.match, ruling=ruling.pk, reason="unfair", key=key())
    rulings.vote_appeal(council, Appeal.objects.get(pk=opened["appeal"]).pk, uphold=True, key=key())
    matches.sign(hall.referee, hall.match, entries=3, key=key())


@pytest.mark.parametrize(
    ("model", "change"),
    [
        (Signature, {"seat": 1}),
        (Vote, {"uphold": False}),
        (Ruling, {"reason": "better words"}),
        (AppealVote, {"uphold": False}),
    ],
)
def test_signatures_votes_and_rulings_are_never_changed(said, model, change):
    rows = model.objects.filter(pk=model.objects.first().pk)
    refused(update(rows, **change), "append-only")
    with connection.cursor() as cursor:
        refused(lambda: cursor.execute(f"DELETE FROM {model._meta.db_table}"), "append-only")


def test_what_hangs_on_a_sheet_keeps_it(hall):
    with connection.cursor() as cursor:
        drop = "DELETE FROM scoring_sheet WHERE id = %s"
        refused(lambda: cursor.execute(drop, [hall.match]), "violates foreign key constraint")
