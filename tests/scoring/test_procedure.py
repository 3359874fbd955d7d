"""Who decides at a table and when: claims, votes, signatures, the council, and what is left of what was taken back."""

from itertools import product

import pytest

from core.refusal import Refusal
from scoring.rules.hands import SEATS, HandOutcome
from scoring.rules.penalties import judges
from scoring.rules.procedure import (
    check_claim,
    council_decision,
    hands_on,
    is_signed,
    last_caller,
    repeated_hands,
    undone,
    verdict,
    without_ruling,
)
from scoring.rules.ruleset import DEFAULT_SCORING, scoring_rules
from scoring.rules.scoresheet import Admitted, Award, Entry, Played, Voided, append_entry, fold

WON = Played(HandOutcome(0, 1, 75, 80))
LOST = Played(HandOutcome(2, 3, 90, 50))
ALONE = Played(HandOutcome(4, 4, 80, 20))
AWARD = Award(1, -10, "S16", "late")


def entries_of(*contents):
    return tuple(content if isinstance(content, Entry) else Entry(content) for content in contents)


def sheet_of(*contents):
    written = ()
    for entry in entries_of(*contents):
        written = append_entry(written, entry, DEFAULT_SCORING)
    return fold(written, DEFAULT_SCORING)


def refusal_of(work, *args):
    with pytest.raises(Refusal) as refused:
        work(*args)
    return refused.value


# Hands and signatures


def test_hands_are_counted_with_repeats_and_voided_ones_and_without_awards():
    assert hands_on(sheet_of()) == 0
    assert hands_on(sheet_of(AWARD)) == 0
    assert hands_on(sheet_of(WON, AWARD, Admitted(0, 80), Voided(repeated=True), AWARD)) == 3
    assert hands_on(sheet_of(WON, LOST, Entry(Voided(), 0, "exposed card"))) == 2


def test_hands_that_are_played_again():
    admitted, voided, gone = Admitted(0, 80), Voided(repeated=True), Voided()
    sheet = sheet_of(Played(HandOutcome(0, 1, 75, 80)), admitted, Award(0, 5, "S19", "late"), voided, gone)
    assert repeated_hands(sheet) == {2, 3}


def test_three_of_five_players_or_a_referee_sign():
    for pattern in product((False, True), repeat=SEATS):
        seats = {seat for seat, signed in enumerate(pattern) if signed}
        assert is_signed(seats, referee=False) == (sum(pattern) > SEATS / 2)
        assert is_signed(seats, referee=True)


# Judges and their votes (D9)


def test_who_was_called_or_calls_is_no_judge():
    for caller, called in product(range(SEATS), repeat=2):
        found = judges(caller, called)
        assert set(found) == {0, 1, 2, 3, 4} - {caller, called}
        assert len(found) == (4 if caller == called else 3)


@pytest.mark.parametrize("content", [LOST, ALONE])
def test_every_pattern_of_votes_follows_the_majority_and_a_tie_rejects(content):
    judging = judges(content.outcome.caller, content.outcome.called)
    seen = set()
    for pattern in product((False, True), repeat=len(judging)):
        for_it, against = sum(pattern), len(pattern) - sum(pattern)
        assert verdict(dict(zip(judging, pattern, strict=True)), judging) is (for_it > against)
        seen.add((for_it, against))
    assert len(seen) == len(judging) + 1
    assert ((2, 2) in seen) == (content is ALONE)


@pytest.mark.parametrize("content", [LOST, ALONE])
def test_nothing_is_decided_before_the_last_judge_has_voted(content):
    judging = judges(content.outcome.caller, content.outcome.called)
    for pattern in product((None, False, True), repeat=len(judging)):
        votes = {seat: vote for seat, vote in zip(judging, pattern, strict=True) if vote is not None}
        assert (verdict(votes, judging) is None) == (None in pattern)


def test_the_vote_of_another_seat_stands_for_no_judge():
    assert verdict({0: True, 1: True, 2: True}, (0, 1, 4)) is None


# The council (S19)


def test_four_guarantors_of_seven_decide_whatever_the_others_do():
    undecided = set()
    for count in range(8):
        for pattern in product((False, True), repeat=count):
            for_it, against = sum(pattern), count - sum(pattern)
            told = council_decision(pattern)
            if for_it >= 4:
                assert told is True
            elif against >= 4:
                assert told is False
            else:
                assert told is None
                undecided.add((for_it, against))
    assert undecided == {(up, down) for up in range(4) for down in range(4)}


# Claims (S17, S18)


def claim(sheet, line, *, dealt, kind="disloyal_raise", rules=DEFAULT_SCORING):
    check_claim(sheet.lines[line - 1], hands_on(sheet), dealt, kind, rules)


def test_the_last_hand_may_be_claimed_until_the_next_is_dealt():
    sheet = sheet_of(LOST, LOST)
    for kind in ("suicidal_call", "disloyal_raise"):
        claim(sheet, 2, dealt=2, kind=kind)
        claim(sheet, 2, dealt=0, kind=kind)  # nobody said yet what was dealt
        late = refusal_of(lambda kind=kind: claim(sheet, 2, dealt=3, kind=kind))
        assert (late.code, late.params, late.pointer) == ("claim_too_late", {"hand": 2}, "/line")
        assert refusal_of(lambda kind=kind: claim(sheet, 1, dealt=2, kind=kind)).params == {"hand": 1}


def test_an_award_after_the_hand_closes_no_window():
    sheet = sheet_of(LOST, AWARD)
    claim(sheet, 1, dealt=1)


def test_what_was_not_played_or_is_judged_cannot_be_claimed():
    for content in (AWARD, Voided(), Admitted(0, 80), Played(LOST.outcome, "suicidal_call")):
        sheet = sheet_of(content)
        assert refusal_of(lambda sheet=sheet: claim(sheet, 1, dealt=1)).code == "not_a_played_hand"


def test_only_a_lost_hand_is_a_suicidal_call():
    refused = refusal_of(lambda: claim(sheet_of(WON), 1, dealt=1, kind="suicidal_call"))
    assert (refused.code, refused.article) == ("suicidal_needs_lost_hand", "D18")
    claim(sheet_of(WON), 1, dealt=1, kind="disloyal_raise")
    claim(sheet_of(ALONE), 1, dealt=1, kind="suicidal_call")


@pytest.mark.parametrize(("bid", "above", "allowed"), [(72, 72, False), (73, 72, True), (73, 73, False), (61, 0, True)])
def test_a_disloyal_raise_needs_a_bid_above_the_limit(bid, above, allowed):
    sheet = sheet_of(Played(HandOutcome(0, 1, bid, 60)))
    rules = scoring_rules({"disloyal_above": above})
    if allowed:
        claim(sheet, 1, dealt=1, rules=rules)
    else:
        assert refusal_of(lambda: claim(sheet, 1, dealt=1, rules=rules)).code == "disloyal_needs_higher_bid"


# Taken back


@pytest.mark.parametrize("ruling", ["suicidal_call", "disloyal_raise"])
def test_a_penalty_that_is_revoked_leaves_the_hand_as_it_was_played(ruling):
    entries = entries_of(LOST, Entry(Played(LOST.outcome, ruling), 0, "claimed"))
    assert without_ruling(entries, 1) == LOST


def test_an_award_that_is_revoked_leaves_nothing():
    assert without_ruling(entries_of(WON, AWARD), 1) == Voided(repeated=False)


def test_a_voided_hand_that_is_revoked_is_the_hand_again():
    for old in (WON, Admitted(0, 80), Played(LOST.outcome, "suicidal_call")):
        assert without_ruling(entries_of(old, Entry(Voided(repeated=True), 0, "exposed card")), 1) == old


def test_a_voided_hand_that_was_corrected_to_be_repeated_is_the_hand_again_too():
    entries = entries_of(WON, Entry(Voided(), 0, "exposed card"), Entry(Voided(repeated=True), 1, "to be repeated"))
    assert without_ruling(entries, 2) == WON
    entries = entries_of(Voided(), Entry(Voided(repeated=True), 0, "to be repeated"))
    assert without_ruling(entries, 1) == Voided()


@pytest.mark.parametrize("content", [WON, Admitted(0, 80), Voided(repeated=True)])
def test_what_no_ruling_wrote_is_not_revoked(content):
    refused = refusal_of(without_ruling, entries_of(content), 0)
    assert (refused.code, refused.article, refused.pointer) == ("nothing_to_revoke", "S19", "/ruling")


@pytest.mark.parametrize(
    ("content", "left"),
    [(WON, Voided(repeated=True)), (Admitted(3, 80), Voided(repeated=True)), (AWARD, Voided(repeated=False))],
)
def test_what_is_undone_was_never_there_and_the_same_dealer_deals(content, left):
    entries = entries_of(LOST, content)
    assert undone(entries, 1) == left
    sheet = sheet_of(*entries, Entry(left, 1, "wrong table"))
    assert sheet.totals == sheet_of(LOST).totals
    assert sheet.next_dealer == sheet_of(LOST).next_dealer


def test_a_correction_that_is_undone_gives_back_what_it_corrected():
    entries = entries_of(WON, Entry(LOST, 0, "misread"), Entry(Voided(), 1, "exposed card"), Entry(LOST, 2, "no"))
    assert [undone(entries, number) for number in range(4)] == [Voided(repeated=True), WON, LOST, Voided()]


def test_the_caller_of_the_last_hand_is_who_can_still_be_accused():
    assert last_caller(fold((), DEFAULT_SCORING)) is None
    hand = Entry(Played(HandOutcome(3, 1, 90, 50)))
    assert last_caller(fold((hand,), DEFAULT_SCORING)) == 3
    assert last_caller(fold((hand, Entry(Award(0, 5, "S16", "late"))), DEFAULT_SCORING)) == 3
    judged = Entry(Played(HandOutcome(3, 1, 90, 50), "suicidal_call"), 0, "to lose")
    assert last_caller(fold((hand, judged), DEFAULT_SCORING)) is None
    assert last_caller(fold((hand, Entry(Voided(repeated=True))), DEFAULT_SCORING)) is None
