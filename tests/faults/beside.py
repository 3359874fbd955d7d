"""One table twice: as the house keeps it and as the model tells it. What a step comes to must be the same."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable
from typing import Any
from uuid import UUID

from django.db import connection, transaction

from core.audit import Head, first_fault
from core.models import AuditRow
from core.refusal import Refusal
from gameplay.queries import match_for_page
from players.actor import SYSTEM, Actor
from players.rules.rights import COUNCIL, REFEREE
from players.services import grant_role
from scoring.models import Appeal, Ruling, Seat, Sheet
from scoring.queries import entries_of
from scoring.rules.hands import HandOutcome
from scoring.rules.scoresheet import Admitted, Award, Played, Voided
from scoring.services.sheets import project
from tests.faults import articles
from tests.faults.model import Rules, Table, Who
from tests.faults.tables import figures
from tests.gameplay.rows import Hall, actor, key, person

HALLS: tuple[tuple[dict[str, Any], Rules], ...] = (
    ({}, Rules()),
    ({"confirm_hands": True}, Rules(confirm=True)),
    ({"judge_mode": "referee"}, Rules(judge_mode="referee")),
    ({"recorders": "table"}, Rules(recorders="table")),
    (
        {"recorders": "referee", "disloyal_points": [10, 25, 45, 70], "suicidal_points": 100, "suicidal_ledger": -2},
        Rules(recorders="referee", amounts=(10, 25, 45, 70), suicidal=100, ledger=-2),
    ),
    ({"min_bid": 40, "disloyal_above": 50}, Rules(min_bid=40, above=50)),
)
GUARANTORS = 5
COUNTED = (
    "SELECT (SELECT version FROM scoring_sheet WHERE id = %(m)s), "
    + ", ".join(
        f"(SELECT count(*) FROM scoring_{table} WHERE sheet_id = %(m)s)"
        for table in ("entry", "signature", "proposal", "claim", "ruling", "refereecall")
    )
    + ", (SELECT count(*) FROM scoring_vote), (SELECT count(*) FROM scoring_appeal),"
    " (SELECT count(*) FROM scoring_appealvote), (SELECT count(*) FROM core_commandkey WHERE actor = ANY(%(who)s)),"
    " (SELECT count(*) FROM core_auditrow WHERE scope = %(scope)s)"
)


class Place:
    """A match that walks begin at, under rules of its own, and everybody near it.

    One of the players is a referee and another a guarantor elsewhere: at their table they are players.
    """

    def __init__(self, name: str, given: dict[str, Any], rules: Rules) -> None:
        with transaction.atomic():
            hall = Hall(name, **given)
        self.match, self.rules, self.scope = hall.match, rules, hall.sheet.scope_id
        self.club = hall.club.scope_id
        grant_role(SYSTEM, person=hall.people[4].pk, scope=hall.club.scope_id, role=REFEREE)
        grant_role(SYSTEM, person=hall.people[3].pk, scope=hall.club.scope_id, role=COUNCIL)
        self.actors: dict[str, Actor] = {"referee": hall.referee, "stranger": actor(person("Nessuno"))}
        self.actors |= {f"seat {seat}": actor(row) for seat, row in enumerate(hall.people)}
        self.actors |= {f"guarantor {at}": found for at, found in enumerate(hall.council(GUARANTORS))}
        names = [found.name for found in self.actors.values()]
        self.counted = {"m": self.match, "scope": self.scope, "who": names}


class Beside:
    """A table of the house beside the model. `log`: the steps, for whoever has to understand a failure."""

    def __init__(self, place: Place, seed: int) -> None:
        self.place, self.random = place, random.Random(seed)
        self.table = Table(place.rules)
        self.rulings: list[UUID] = []
        self.appeals: list[UUID] = []
        self.log: list[str] = [f"seed {seed}, {place.rules}"]
        self.told: Counter[str] = Counter()
        self.done = 0
        self.counted = self.count()

    def must(self, what: str, found: Any, wanted: Any) -> None:
        if found != wanted:
            steps = "\n".join(self.log)
            raise AssertionError(f"{what}: {found!r} instead of {wanted!r} after\n{steps}")

    def count(self) -> tuple[int, ...]:
        with connection.cursor() as cursor:
            cursor.execute(COUNTED, self.place.counted)
            found: tuple[int, ...] = cursor.fetchone()
        return found

    def do(self, verb: articles.Verb, who: str, service: Callable[..., dict[str, Any]], **told: Any) -> None:
        """Asks the model and the house for the same."""
        given = {name: self.real(value) for name, value in told.items()}
        self.log.append(f"{who}: {verb.__name__} {told}")
        why = verb(self.table, self.who(who), **told)
        command = given | {"key": key()}
        try:
            answer = service(self.place.actors[who], **command)
        except Refusal as refusal:
            if refusal.code not in why:
                self.must("refused", refusal.code, sorted(why) or "an answer")
            self.must("rows after a refusal", self.count(), self.counted)
            self.told[refusal.code] += 1
            return
        self.must("answer", "given", "given" if not why else sorted(why))
        self.told[verb.__name__] += 1
        self.done += 1
        self.compare(answer)
        if self.random.random() < 0.06:
            self.must("second answer", service(self.place.actors[who], **command), answer)
            self.must("rows after a repeat", self.count(), self.counted)

    def at(self, service: Callable[..., dict[str, Any]], **names: str) -> Callable[..., dict[str, Any]]:
        """The service at this match; `names`: where it calls a thing otherwise than the model."""

        def called(who: Actor, **told: Any) -> dict[str, Any]:
            return service(who, self.place.match, **{names.get(name, name): value for name, value in told.items()})

        return called

    def real(self, value: Any) -> Any:
        """A content of the model as the services take it; all else stays."""
        if isinstance(value, list):
            return [self.real(one) for one in value]
        match value:
            case ("played", caller, called, bid, made, ruling):
                return Played(HandOutcome(caller, called, bid, made), ruling)
            case ("admitted", caller, bid):
                return Admitted(caller, bid)
            case ("award", seat, points):
                return Award(seat, points, "S16", "so it is")
            case ("voided", repeated):
                return Voided(repeated)
        return value

    def who(self, name: str) -> Who:
        kind, _, number = name.partition(" ")
        if kind == "seat":
            # Who plays is a player, until the match is over.
            return Who(name, staff=number == "4" and self.table.closed, seat=int(number))
        return Who(name, staff=kind == "referee", council=kind == "guarantor")

    # What must be

    def compare(self, answer: dict[str, Any]) -> None:
        """Rows, projections and the model agree; the projections are what a rebuild gives."""
        table, told = self.table, self.table.figures()
        sheet = Sheet.objects.get(pk=self.place.match)
        seats = list(Seat.objects.filter(sheet=sheet).order_by("number"))
        written = entries_of(sheet.pk)
        self.must("version", answer["version"], sheet.version)
        self.must("version grows", sheet.version > self.counted[0], True)
        state = (sheet.state, sheet.reopened, sheet.dealt)
        self.must("state", state, ("closed" if table.closed else "open", table.reopened, table.dealt))
        wanted = [(self.real(content), replaces) for content, replaces in table.entries]
        found = [(content_of(entry.content), entry.replaces) for entry in written.entries]
        self.must("entries", found, [(content_of(content), replaces) for content, replaces in wanted])
        golden = told.golden or (None, None, None)
        kept = figures(sheet, seats)
        self.must("figures of the sheet", kept[0], (told.scored, told.voided, *golden))
        model = [
            (told.points[at], told.won[at], told.best[at], told.offences[at], told.ledger.get(at)) for at in range(5)
        ]
        self.must("figures of the seats", kept[1:], model)
        project(sheet, seats, written)
        self.must("figures and rebuild", kept, figures(sheet, seats))
        if "appeal" in answer and len(table.appeals) > len(self.appeals):
            self.appeals.append(UUID(answer["appeal"]))
        self.counted = self.count()
        self.must("entries, proposals, claims, rulings", self.said(), self.wanted())
        if len(table.rulings) > len(self.rulings):
            self.compare_rulings()

    def said(self) -> tuple[int, ...]:
        _, entries, signatures, proposals, claimed, ruled, *_ = self.counted
        return entries, signatures, proposals, claimed, ruled

    def wanted(self) -> tuple[int, ...]:
        table = self.table
        return tuple(map(len, (table.entries, table.signed, table.proposals, table.claims, table.rulings)))

    def compare_rulings(self) -> None:
        rows = list(Ruling.objects.filter(sheet=self.place.match).select_related("entry").order_by("number"))
        self.rulings = [row.pk for row in rows]
        revoked = {row.revokes_id for row in rows}
        found = [(row.kind, row.decided_by, row.entry.number if row.entry else None, row.pk in revoked) for row in rows]
        wanted = [(one["kind"], one["by"], one["entry"], one["revoked"]) for one in self.table.rulings]
        self.must("rulings", found, wanted)
        states = list(Appeal.objects.filter(pk__in=self.appeals).values_list("pk", "state"))
        self.must(
            "appeals",
            dict(states),
            {pk: one["state"] for pk, one in zip(self.appeals, self.table.appeals, strict=True)},
        )

    def check_secret(self) -> None:
        """What was voted is nobody else's before all have voted."""
        viewer = self.anybody()
        view = match_for_page(self.place.actors[viewer], self.place.match).claims[-1]
        votes = self.table.claims[-1]["votes"]
        self.must("votes that are seen", view.votes, None)
        self.must("vote that is seen", view.vote, votes.get(self.who(viewer).seat))
        payloads = AuditRow.objects.filter(scope=self.place.scope, verb="cast_vote").values_list("payload", flat=True)
        self.must("votes in the trail", [one for one in payloads if "uphold" in one], [])

    def check_trail(self) -> None:
        """Every step that was done is in the trail, and nothing else."""
        scope = Sheet.objects.select_related("scope").get(pk=self.place.match).scope
        rows = AuditRow.objects.filter(scope=scope.pk).order_by("number")
        self.must("fault in the trail", first_fault(rows, Head(scope.audit_count, scope.audit_head)), None)
        self.must("rows in the trail", scope.audit_count, 1 + self.done)


def content_of(content: Any) -> Any:
    """Without the words of an award, which the model does not keep."""
    return content[:2] if isinstance(content, Award) else content
