"""Walks over the real services, each beside the model: what a step comes to is what the articles say, or nothing.

A walk begins at an empty table and is rolled back at its end. Everything is drawn from its seed.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable
from functools import cache
from typing import Any
from uuid import UUID, uuid4

from django.db import transaction

from gameplay.services import claims, matches, recording, rulings
from players.actor import Actor
from tests.faults import articles, articles_judging
from tests.faults.beside import GUARANTORS, HALLS, Beside, Place
from tests.faults.model import Content


@cache
def _places() -> list[Place]:
    """One for each set of rules, in this process."""
    return [Place(f"walk-{os.getpid()}-{at}", *hall) for at, hall in enumerate(HALLS)]


def walk_many(first: int, count: int) -> Counter[str]:
    """Walks number `first` and on; how often each verb was done, and each refusal."""
    places = _places()
    told: Counter[str] = Counter()
    for seed in range(first, first + count):
        with transaction.atomic():
            told += Walk(places[seed % len(places)], seed).go()
            transaction.set_rollback(True)
    return told


class Walk(Beside):
    """One walk: who does what is drawn, lawful for the most part."""

    def go(self) -> Counter[str]:
        for _ in range(self.random.randint(4, 10)):
            self.step()
        self.check_trail()
        return self.told

    def step(self) -> None:
        table = self.table
        judged = table.rules.judge_mode if table.open_claim else ""
        chances = {
            self.record: 6,
            self.record_all: 0.6,
            self.correct: 2 if table.lines else 0.2,
            self.void: 1.2 if table.lines else 0.2,
            self.undo: 1.2 if table.lines else 0.2,
            self.answer: 9 if table.waiting else 0.2,
            self.take_back: 1 if table.waiting else 0.2,
            self.claim: 5 if table.lines else 0.2,
            self.vote: 12 if judged == "players" else 0.2,
            self.decide: 12 if judged == "referee" else 0.2,
            self.withdraw: 1.5 if table.open_claim else 0.2,
            self.award: 1.3,
            self.rule: 0.5,
            self.revoke: 2.5 if table.rulings else 0.2,
            self.appeal: 3 if table.rulings else 0.2,
            self.vote_appeal: 9 if any(one["state"] == "open" for one in table.appeals) else 0.2,
            self.deal: 1,
            self.sign: 2 if table.lines else 0.2,
            self.reopen: 12 if table.closed else 0.2,
        }
        self.random.choices(list(chances), list(chances.values()))[0]()

    # Whom and what

    def mostly(self, chance: float = 0.85) -> bool:
        return self.random.random() < chance

    def anybody(self) -> str:
        return self.random.choice(list(self.place.actors))

    def seat(self) -> str:
        return f"seat {self.random.randrange(5)}"

    def near(self, staff: float = 0.6) -> str:
        if not self.mostly(0.95):
            return self.anybody()
        return "referee" if self.random.random() < staff else self.seat()

    def reason(self) -> str:
        return self.random.choice(["because", "così è", " x "]) if self.mostly(0.97) else "  "

    def hand(self, odd: float = 0.06) -> Content:
        pick = self.random
        bid = pick.randint(self.place.rules.min_bid, 120)
        if pick.random() < 0.15:
            content: Content = ("admitted", pick.randrange(5), bid)
        else:
            made = pick.randint(0, bid - 1) if pick.random() < 0.6 else pick.randint(bid, 120)
            content = ("played", pick.randrange(5), pick.randrange(5), bid, made, None)
        if pick.random() < odd:
            at = pick.randrange(1, 3 if content[0] == "admitted" else 5)
            content = (*content[:at], pick.choice([-1, 5, 30, 121, 10**12]), *content[at + 1 :])
        return content

    def number(self, good: int) -> int:
        return good if self.mostly(0.93) else self.random.choice([good - 1, good + 1, 0, -1, 10**12])

    def line(self) -> tuple[int, int]:
        """A line and the entry that stands there, or not quite."""
        if not self.table.lines:
            return 1, 0
        line = self.random.randint(1, len(self.table.lines))
        return self.number(line), self.number(self.table.lines[line - 1][-1])

    # Verbs

    def record(self) -> None:
        staff = {"both": 0.6, "table": 0.1, "referee": 0.95}[self.place.rules.recorders]
        led = self.random.random() < 0.1
        told = {"hand": self.number(self.table.hands + 1), "content": self.hand(), "led": led}
        self.do(articles.record, self.near(staff), self.at(recording.record_hand, led="first_card_led"), **told)

    def record_all(self) -> None:
        rows = [
            self.hand(0.03) if self.mostly() else ("voided", self.mostly(0.5)) for _ in range(self.random.randrange(4))
        ]
        told = {"first": self.number(self.table.hands + 1), "contents": rows}
        self.do(articles.record_all, self.near(0.9), self.at(recording.record_hands), **told)

    def correct(self) -> None:
        line, entry = self.line()
        content = self.hand()
        if self.table.lines and 1 <= line <= len(self.table.lines) and self.mostly(0.7):
            now = self.table.contents()[line - 1][1]
            if now[0] == "award":
                content = ("award", now[1], now[2] + 1)
            elif now[0] == "played" and content[0] == "played":
                content = (*content[:5], now[5])
        if self.random.random() < 0.1:
            content = ("voided", self.mostly(0.5))
        told = {"line": line, "entry": entry, "content": content, "reason": self.reason()}
        self.do(articles.correct, self.near(), self.at(recording.correct_hand), **told)

    def void(self) -> None:
        line, entry = self.line()
        told = {"line": line, "entry": entry, "repeated": self.mostly(0.5), "reason": self.reason()}
        self.do(articles.void, self.near(), self.at(recording.void_hand), **told)

    def undo(self) -> None:
        told = {"entry": self.number(len(self.table.entries) - 1), "reason": self.reason()}
        self.do(articles.undo, self.near(), self.at(recording.undo), **told)

    def answer(self) -> None:
        told = {"proposal": self.number(len(self.table.proposals)), "accept": self.mostly(0.75)}
        self.do(articles.answer, self.near(0.2), self.at(recording.answer_proposal), **told)

    def take_back(self) -> None:
        waiting = self.table.waiting
        who = waiting["by"] if waiting and self.mostly() else self.near(0.2)
        told = {"proposal": self.number(len(self.table.proposals))}
        self.do(articles.take_back, who, self.at(recording.take_back_proposal), **told)

    def claim(self) -> None:
        kind = self.random.choice(["suicidal_call", "disloyal_raise"])
        lines = [at for at, (first, _) in enumerate(self.table.contents(), start=1) if first[0] != "award"] or [1]
        told = {"line": self.number(lines[-1]), "kind": kind, "reason": self.reason()}
        self.do(articles_judging.claim, self.near(0.2), self.at(claims.claim), **told)

    def vote(self) -> None:
        found = self.table.open_claim
        left = sorted(found["judges"] - set(found["votes"])) if found else []
        who = f"seat {self.random.choice(left)}" if left and self.mostly() else self.near(0.1)
        told = {"claim": self.number(len(self.table.claims)), "uphold": self.mostly(0.65)}
        self.do(articles_judging.vote, who, self.at(claims.cast_vote), **told)
        if self.table.open_claim and self.random.random() < 0.2:
            self.check_secret()

    def decide(self) -> None:
        told = {"claim": self.number(len(self.table.claims)), "uphold": self.mostly(0.6), "reason": self.reason()}
        self.do(articles_judging.decide, self.near(0.8), self.at(claims.decide_claim), **told)

    def withdraw(self) -> None:
        found = self.table.open_claim
        who = found["by"] if found and self.mostly(0.6) else self.near(0.5)
        told = {"claim": self.number(len(self.table.claims)), "reason": self.reason()}
        self.do(articles_judging.withdraw, who, self.at(claims.withdraw_claim), **told)

    def award(self) -> None:
        points = self.random.choice([-30, -5, 5, 20, 10_000] if self.mostly(0.95) else [0, 10_001, -(10**20)])
        seat = self.random.randrange(5) if self.mostly(0.95) else self.random.choice([-1, 5, 10**12])
        told = {"seat": seat, "points": points, "article": self.article(), "reason": self.reason()}
        self.do(articles_judging.award, self.near(0.9), self.at(rulings.award), **told)

    def rule(self) -> None:
        told = {"article": self.article(), "question": self.random.choice(["", "who was it?"]), "reason": self.reason()}
        self.do(articles_judging.rule, self.near(0.9), self.at(rulings.rule), **told)

    def article(self) -> str:
        return "S16" if self.mostly(0.96) else self.random.choice(["", "S" * 41])

    def ruling(self, wanted: Callable[[dict[str, Any]], bool]) -> int | None:
        known = self.table.rulings
        good = [at for at, one in enumerate(known) if wanted(one)]
        if good and self.mostly():
            return self.random.choice(good)
        return self.random.choice([None, *range(len(known))])

    def by_id(self, service: Callable[..., dict[str, Any]]) -> Callable[..., dict[str, Any]]:
        """The service with the id of a ruling instead of its number."""
        real = self.at(service)
        return lambda who, *, ruling, **told: real(who, ruling=self.id_of(self.rulings, ruling), **told)

    @staticmethod
    def id_of(ids: list[UUID], number: int | None) -> UUID:
        return uuid4() if number is None else ids[number]

    def revoke(self) -> None:
        found = self.ruling(lambda one: not one["revoked"] and one["kind"] not in articles_judging.FINAL)
        who = self.random.choice(["referee", "guarantor 0"]) if self.mostly(0.9) else self.anybody()
        self.do(articles_judging.revoke, who, self.by_id(rulings.revoke), ruling=found, reason=self.reason())

    def appeal(self) -> None:
        found = self.ruling(lambda one: one["by"] == "referee" and not one["revoked"])
        who = self.near(0.2)
        self.do(articles_judging.appeal, who, self.by_id(rulings.appeal), ruling=found, reason=self.reason())

    def vote_appeal(self) -> None:
        open_ = [at for at, one in enumerate(self.table.appeals) if one["state"] == "open"]
        known = [None, *range(len(self.table.appeals))]
        found = self.random.choice(open_) if open_ and self.mostly(0.95) else self.random.choice(known)
        voted = self.table.appeals[found]["votes"] if found is not None else {}
        left = [f"guarantor {at}" for at in range(GUARANTORS) if f"guarantor {at}" not in voted]
        who = self.random.choice(left) if left and self.mostly(0.9) else self.anybody()
        uphold = self.mostly(0.9) == (found is None or found % 2 == 0)

        def service(who: Actor, *, appeal: int | None, **told: Any) -> dict[str, Any]:
            return rulings.vote_appeal(who, self.id_of(self.appeals, appeal), **told)

        self.do(articles_judging.vote_appeal, who, service, appeal=found, uphold=uphold)

    def deal(self) -> None:
        told = {"hand": self.number(self.table.hands + 1)}
        self.do(articles.deal, self.near(), self.at(matches.deal_next_hand), **told)

    def sign(self) -> None:
        told = {"entries": self.number(len(self.table.entries))}
        self.do(articles.sign, self.near(0.4), self.at(matches.sign), **told)

    def reopen(self) -> None:
        who = self.random.choice(["referee", "referee", "seat 4"]) if self.mostly() else self.anybody()
        self.do(articles_judging.reopen, who, self.at(matches.reopen_match), reason=self.reason())
