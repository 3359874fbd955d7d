"""Whatever is brought to a service: an answer or a refusal that has a sentence, and nothing half saved."""

from __future__ import annotations

import random
from functools import partial
from reprlib import Repr
from uuid import UUID, uuid4

import pytest
from django.db import connection

from core.audit import Head, first_fault
from core.models import AuditRow
from core.refusal import Refusal
from gameplay.services import calls, claims, matches, recording, rulings
from players.models import Scope
from scoring.models import Appeal, Ruling, Seat, Sheet
from scoring.queries import entries_of
from scoring.rules.hands import HandOutcome
from scoring.rules.scoresheet import Admitted, Award, Played, Voided
from scoring.services.sheets import project
from tests.faults.beside import COUNTED, Place
from tests.faults.model import Rules
from tests.faults.tables import figures
from tests.gameplay.rows import key, played
from tournaments.web.sentences import sentence_for

pytestmark = [pytest.mark.slow, pytest.mark.django_db]
TRIES = 300
NUMBERS = (-(10**30), -(2**31), -1, 0, 0, 1, 1, 1, 2, 2, 3, 4, 5, 73, 90, 120, 121, 2**15, 2**31, 2**63, 10**30)
TEXTS = (
    *(
        "",
        " ",
        "\n\t",
        "why",
        "così è",
        "x" * 40,
        "x" * 41,
        "x" * 200,
        "x" * 201,
        "x" * 1000,
        "x" * 1001,
        "x" * 300_000,
    ),
    *("\0", "a\0b", "\ud800", "a\udfffb", "\ud83d\ude00", "😀" * 30, "👨‍👩‍👧", "\u202eabc", "\u200b", "İı", "ﷺ" * 150),
    *("%s %(x)s {}", "'; DROP TABLE scoring_entry; --", "\\u0000", "\x1b[31m", "\ufeff", "\U0010ffff", "<b>&amp;"),
)
SHORT = Repr()
SHORT.maxstring, SHORT.maxdict, SHORT.maxother = 60, 9, 200
KEYS = ("", "k" * 200, "k" * 201, "\0", "a\0", "\ud800", "ş", "same")


class Bringer:
    """Draws what nobody would bring, and now and then something that fits."""

    def __init__(self, place: Place, seed: int) -> None:
        self.place, self.pick = place, random.Random(seed)

    def number(self) -> int:
        return self.pick.choice(NUMBERS)

    def text(self) -> str:
        return self.pick.choice(TEXTS) if self.pick.random() < 0.6 else "why"

    def yes(self) -> bool:
        return self.pick.random() < 0.5

    def key(self) -> str:
        return self.pick.choice(KEYS) if self.pick.random() < 0.15 else key()

    def content(self):
        outcome = HandOutcome(*(self.number() if self.pick.random() < 0.2 else good for good in (0, 1, 80, 60)))
        ruling = self.pick.choice([None, None, None, "suicidal_call", "disloyal_raise", "bad manners", "\0"])
        drawn = self.pick.choice([Played, Played, Admitted, Award, Voided])
        if drawn is Played:
            return Played(outcome, ruling)
        if drawn is Admitted:
            return Admitted(self.number(), self.number())
        return Award(self.number(), self.number(), self.text(), self.text()) if drawn is Award else Voided(self.yes())

    def hand(self):
        return next(one for one in iter(self.content, None) if isinstance(one, Played | Admitted))

    def one_of(self, ids) -> UUID:
        known = list(ids)
        return self.pick.choice(known) if known and self.pick.random() < 0.8 else uuid4()

    def match(self) -> UUID:
        return self.place.match if self.pick.random() < 0.97 else uuid4()

    def command(self):
        """A service with everything that it wants."""
        at, number, text, yes = self.match(), self.number, self.text, self.yes
        ruling = self.one_of(Ruling.objects.values_list("pk", flat=True))
        appeal = self.one_of(Appeal.objects.values_list("pk", flat=True))
        mend = {"line": number(), "entry": number(), "reason": text()}
        kind = self.pick.choice(["suicidal_call", "disloyal_raise", "bad manners", "", "\0"])
        commands = (
            (recording.record_hand, at, {"hand": number(), "content": self.hand(), "first_card_led": yes()}),
            (
                recording.record_hands,
                at,
                {"first": number(), "contents": [self.hand() for _ in range(self.pick.randrange(4))]},
            ),
            (recording.correct_hand, at, mend | {"content": self.content()}),
            (recording.void_hand, at, mend | {"repeated": yes()}),
            (recording.undo, at, {"entry": number(), "reason": text()}),
            (recording.answer_proposal, at, {"proposal": number(), "accept": yes()}),
            (recording.take_back_proposal, at, {"proposal": number()}),
            (claims.claim, at, {"line": number(), "kind": kind, "reason": text()}),
            (claims.cast_vote, at, {"claim": number(), "uphold": yes()}),
            (claims.decide_claim, at, {"claim": number(), "uphold": yes(), "reason": text()}),
            (claims.withdraw_claim, at, {"claim": number(), "reason": text()}),
            (rulings.award, at, {"seat": number(), "points": number(), "article": text(), "reason": text()}),
            (rulings.rule, at, {"article": text(), "question": text(), "reason": text()}),
            (rulings.revoke, at, {"ruling": ruling, "reason": text()}),
            (rulings.appeal, at, {"ruling": ruling, "reason": text()}),
            (rulings.vote_appeal, appeal, {"uphold": yes()}),
            (calls.call_referee, at, {"words": text()}),
            (calls.answer_call, at, {"call": number()}),
            (matches.deal_next_hand, at, {"hand": number()}),
            (matches.sign, at, {"entries": number()}),
            (matches.reopen_match, at, {"reason": text()}),
        )
        service, where, told = self.pick.choice(commands)
        return service, where, told | {"key": self.key()}

    def new_match(self):
        """`open_match` with everything that it wants."""
        people: list[UUID | str] = [self.place.actors[f"seat {seat}"].person or uuid4() for seat in range(5)]
        if self.yes():
            people[4] = self.pick.choice([self.text(), self.text(), uuid4(), people[0]])
        rules = {
            self.pick.choice(["min_bid", "judge_mode", "disloyal_points", self.text()]): self.pick.choice(
                [self.number(), self.text(), None, []]
            )
        }
        return {
            "scope": self.one_of(Scope.objects.values_list("pk", flat=True) if self.yes() else [self.place.club]),
            "table_name": "Sala" if self.yes() else self.text(),
            "people": people[: self.pick.choice([5, 5, 5, 5, 4, 0])],
            "scoring": self.pick.choice([{}, {}, rules]),
            "key": self.key(),
        }


@pytest.fixture
def place():
    """A table at which something of everything happened."""
    place = Place("circolo", {}, Rules())
    referee, seats = place.actors["referee"], [place.actors[f"seat {seat}"] for seat in range(5)]
    for hand in (1, 2):
        recording.record_hand(referee, place.match, hand=hand, content=played(made=60), key=key())
    rulings.award(referee, place.match, seat=0, points=-5, article="S16", reason="late", key=key())
    told = rulings.award(referee, place.match, seat=1, points=5, article="S16", reason="early", key=key())
    rulings.appeal(seats[1], place.match, ruling=UUID(told["ruling"]), reason="unfair", key=key())
    calls.call_referee(seats[3], place.match, words="", key=key())
    return place


def quiet(place):
    pass


def claimed(place):
    claims.claim(place.actors["seat 2"], place.match, line=2, kind="suicidal_call", reason="why", key=key())


def proposed(place):
    recording.record_hand(place.actors["seat 2"], place.match, hand=3, content=played(), key=key())


def closed(place):
    matches.sign(place.actors["referee"], place.match, entries=4, key=key())


def counted(place):
    with connection.cursor() as cursor:
        cursor.execute(COUNTED, place.counted)
        return cursor.fetchone()


def check_whole(place):
    """The trail is sound and the projections are what a rebuild gives."""
    sheet = Sheet.objects.select_related("scope").get(pk=place.match)
    scope, seats = sheet.scope, list(Seat.objects.filter(sheet=sheet).order_by("number"))
    assert (
        first_fault(
            AuditRow.objects.filter(scope=scope.pk).order_by("number"), Head(scope.audit_count, scope.audit_head)
        )
        is None
    )
    kept = figures(sheet, seats)
    project(sheet, seats, entries_of(sheet.pk))
    assert figures(sheet, seats) == kept


def bring(place, service, told):
    """Whether there was an answer; a refusal has a sentence and changes nothing."""
    before = counted(place)
    refused = None
    try:
        service()
    except Refusal as refusal:
        refused = refusal
    except Exception as error:
        error.add_note(SHORT.repr(told))
        raise
    if refused is not None:
        assert sentence_for(refused)
        assert counted(place) == before, SHORT.repr(told)
    return refused is None


@pytest.mark.parametrize("state", [quiet, claimed, proposed, closed])
def test_a_service_answers_or_refuses(place, state):
    state(place)
    draw = Bringer(place, seed=TRIES)
    done = 0
    for _ in range(TRIES):
        who = draw.pick.choice(list(place.actors))
        service, where, told = draw.command()
        done += bring(place, partial(service, place.actors[who], where, **told), (who, service.__name__, told))
    assert TRIES / 100 < done < TRIES
    check_whole(place)


def test_a_match_is_opened_whole_or_not_at_all(place):
    draw = Bringer(place, seed=TRIES)
    done = 0
    for _ in range(TRIES):
        told = draw.new_match()
        who = draw.pick.choice(["referee", "referee", "seat 0", "stranger"])
        rows = Sheet.objects.count(), Seat.objects.count(), Scope.objects.count()
        opened = bring(place, partial(matches.open_match, place.actors[who], **told), told)
        assert (Sheet.objects.count(), Seat.objects.count(), Scope.objects.count()) == tuple(
            count + step * opened for count, step in zip(rows, (1, 5, 1), strict=True)
        )
        done += opened
    assert done
