"""The races: each function opens tables, lets people begin at once there, and says how often which of them won.

`first` seeds the race and names its club, `count` is how many tables. They run in processes of their own.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any
from uuid import UUID

from gameplay.services import claims, matches, recording
from scoring.models import Claim, Proposal, Ruling, Sheet, Signature, Vote
from scoring.rules.hands import HandOutcome
from scoring.rules.scoresheet import Played
from scoring.services.sheets import columns
from tests.faults.crew import Outcome, crew
from tests.faults.tables import Hall, entries_at, faults_at
from tests.gameplay.rows import key, played

Works = Sequence[Callable[[], dict[str, Any]]]
Results = list[list[Outcome]]
LOST = Played(HandOutcome(0, 1, 75, 60))
WORDS = {"reason": "it was so"}


def _run(first: int, size: int, tables: Sequence[UUID], works: Callable[[int, UUID], Works]) -> Results:
    """Every race; whoever won, the trails are sound and the projections are what a rebuild gives."""
    with crew(size, seed=first) as racers:
        results = [racers.race(*works(at, match)) for at, match in enumerate(tables)]
    assert faults_at(tables) == []
    return results


def _won(results: Results) -> Counter[str]:
    """By outcome of all in their order: "-" stands for an answer."""
    return Counter(" | ".join("-" if isinstance(one, dict) else one for one in outcomes) for outcomes in results)


def same_hand(first: int, count: int) -> Counter[str]:
    """Two referees write the same hand."""
    hall = Hall(f"hand-{first}")
    tables = hall.tables(count, [LOST])

    def works(at: int, match: UUID) -> Works:
        return [
            partial(recording.record_hand, who, match, hand=2, content=played(made=80 + made), key=key())
            for made, who in enumerate(hall.referees)
        ]

    results = _run(first, 2, tables, works)
    for outcomes, written in zip(results, entries_at(tables).values(), strict=True):
        winner = next(made for made, one in enumerate(outcomes) if isinstance(one, dict))
        assert [row.made for row in written] == [60, 80 + winner]
    return _won(results)


def signatures(first: int, count: int) -> Counter[str]:
    """Two sign, and each of them would close the match: the third seat and a referee, or two seats."""
    hall = Hall(f"sign-{first}")
    tables = hall.tables(count, [LOST])
    Signature.objects.bulk_create(
        Signature(sheet_id=match, entries=1, seat=seat, person=hall.people[seat]) for match in tables for seat in (0, 1)
    )

    def works(at: int, match: UUID) -> Works:
        other = hall.referees[0] if at % 2 else hall.seats[3]
        return [partial(matches.sign, who, match, entries=1, key=key()) for who in (hall.seats[2], other)]

    results = _run(first, 2, tables, works)
    for at, outcomes in enumerate(results):
        answer = next(one for one in outcomes if isinstance(one, dict))
        by_referee = at % 2 and answer is outcomes[1]
        assert (answer["closed"], answer["signed"]) == (True, 2 if by_referee else 3)
    assert Sheet.objects.filter(pk__in=tables, state="closed").count() == count
    assert Signature.objects.filter(sheet__in=tables).count() == 3 * count
    return _won(results)


def votes(first: int, count: int) -> Counter[str]:
    """The last two judges vote: the later of them decides, once. At every other table they reject."""
    hall = Hall(f"vote-{first}")
    tables = hall.tables(count, [LOST])
    written = entries_at(tables)
    claimed = Claim.objects.bulk_create(
        Claim(
            sheet_id=match,
            number=1,
            entry=written[match][0],
            kind="suicidal_call",
            seat=2,
            person=hall.people[2],
            reason="on purpose",
            judges=[2, 3, 4],
        )
        for match in tables
    )
    Vote.objects.bulk_create(
        Vote(claim=claim, seat=2, uphold=at % 2 == 0, person=hall.people[2]) for at, claim in enumerate(claimed)
    )

    def works(at: int, match: UUID) -> Works:
        ballots = ((3, True), (4, at % 2 == 0))
        return [
            partial(claims.cast_vote, hall.seats[seat], match, claim=1, uphold=uphold, key=key())
            for seat, uphold in ballots
        ]

    results = _run(first, 2, tables, works)
    for at, (outcomes, match, rows) in enumerate(zip(results, tables, entries_at(tables).values(), strict=True)):
        decided = "rejected" if at % 2 else "upheld"
        assert sorted(one["state"] for one in outcomes if isinstance(one, dict)) == sorted(["open", decided])
        assert [row.ruling for row in rows] == ([None] if at % 2 else [None, "suicidal_call"])
        assert Ruling.objects.get(sheet=match).upheld == (at % 2 == 0)
    return Counter(one["state"] for outcomes in results for one in outcomes if isinstance(one, dict))


def claim_or_deal(first: int, count: int) -> Counter[str]:
    """A player claims the hand while the next one is dealt."""
    hall = Hall(f"deal-{first}")
    tables = hall.tables(count, [LOST])

    def works(at: int, match: UUID) -> Works:
        told = {"line": 1, "kind": "suicidal_call", **WORDS}
        return [
            partial(claims.claim, hall.seats[2], match, **told, key=key()),
            partial(matches.deal_next_hand, hall.referees[0], match, hand=2, key=key()),
        ]

    results = _run(first, 2, tables, works)
    rows = {sheet.pk: sheet for sheet in Sheet.objects.filter(pk__in=tables)}
    claimed = set(Claim.objects.filter(sheet__in=tables).values_list("sheet", flat=True))
    for match, (by_player, by_referee) in zip(tables, results, strict=True):
        assert (match in claimed) == isinstance(by_player, dict)
        assert (rows[match].dealt == 2) == isinstance(by_referee, dict)
    return _won(results)


def correct_or_close(first: int, count: int) -> Counter[str]:
    """A referee corrects the hand while the third player signs."""
    hall = Hall(f"close-{first}")
    tables = hall.tables(count, [LOST])
    Signature.objects.bulk_create(
        Signature(sheet_id=match, entries=1, seat=seat, person=hall.people[seat]) for match in tables for seat in (0, 1)
    )

    def works(at: int, match: UUID) -> Works:
        told = {"line": 1, "entry": 0, "content": played(made=80), **WORDS}
        return [
            partial(recording.correct_hand, hall.referees[0], match, **told, key=key()),
            partial(matches.sign, hall.seats[2], match, entries=1, key=key()),
        ]

    results = _run(first, 2, tables, works)
    states = dict(Sheet.objects.filter(pk__in=tables).values_list("pk", "state"))
    for (match, rows), (corrected, signed) in zip(entries_at(tables).items(), results, strict=True):
        assert len(rows) == (2 if isinstance(corrected, dict) else 1)
        assert (states[match] == "closed") == isinstance(signed, dict)
    return _won(results)


def two_answers(first: int, count: int) -> Counter[str]:
    """One player accepts what another proposed, a third rejects it."""
    hall = Hall(f"answer-{first}")
    tables = hall.tables(count)
    Proposal.objects.bulk_create(
        Proposal(sheet_id=match, number=1, content=columns(LOST), hand=1, person=hall.people[0]) for match in tables
    )

    def works(at: int, match: UUID) -> Works:
        told = {"proposal": 1}
        return [
            partial(recording.answer_proposal, hall.seats[seat], match, **told, accept=accept, key=key())
            for seat, accept in ((1, True), (2, False))
        ]

    results = _run(first, 2, tables, works)
    states = dict(Proposal.objects.filter(sheet__in=tables).values_list("sheet", "state"))
    for (match, rows), (accepted, _) in zip(entries_at(tables).items(), results, strict=True):
        assert len(rows) == (1 if isinstance(accepted, dict) else 0)
        assert states[match] == ("accepted" if rows else "rejected")
    return _won(results)


def five_times(first: int, count: int) -> Counter[str]:
    """The same request five times at once, with one key."""
    hall = Hall(f"five-{first}")
    tables = hall.tables(count)

    def works(at: int, match: UUID) -> Works:
        told = {"hand": 1, "content": LOST, "key": key()}
        return [partial(recording.record_hand, hall.referees[0], match, **told)] * 5

    results = _run(first, 5, tables, works)
    for outcomes, rows in zip(results, entries_at(tables).values(), strict=True):
        assert all(one == outcomes[0] for one in outcomes)
        assert len(rows) == 1
    return _won(results)


def same_key(first: int, count: int) -> Counter[str]:
    """Two different requests with one key."""
    hall = Hall(f"key-{first}")
    tables = hall.tables(count)

    def works(at: int, match: UUID) -> Works:
        same = key()
        return [
            partial(recording.record_hand, hall.referees[0], match, hand=1, content=played(made=made), key=same)
            for made in (60, 61)
        ]

    results = _run(first, 2, tables, works)
    for outcomes, rows in zip(results, entries_at(tables).values(), strict=True):
        winner = next(at for at, one in enumerate(outcomes) if isinstance(one, dict))
        assert [row.made for row in rows] == [60 + winner]
    return _won(results)
