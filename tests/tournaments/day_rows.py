"""A tournament that is run here, walked through its day by its own verbs, phase by phase."""

from datetime import date, timedelta

from django.db.models import F

from core.clock import database_now
from core.entropy import new_token
from gameplay.models import Due
from gameplay.services import clock, matches, recording
from gameplay.services.ringing import ring_due
from players.actor import SYSTEM
from players.services import create_people
from scoring.models import Sheet
from scoring.rules.hands import HandOutcome
from scoring.rules.scoresheet import Played
from tests.tournaments.days import key, organiser
from tournaments.models import Entrant, Heat, Stage, Tournament
from tournaments.services import drawing, entering, finals, publishing, running

PHASES = (
    "created",
    "entered",
    "drafted",
    "announced",
    "running",
    "heats closed",
    "finals open",
    "finals closed",
    "published",
)
SUSPENDED = "a lamp fell down"
HANDS = 2
"""Hands of a match: as few as show something, each costs a command."""


def ring(match):
    """The bell of a running match rings now."""
    Due.objects.filter(object=match).update(due_at=database_now() - timedelta(seconds=1))
    assert match in ring_due(database_now())


class Day:
    """A day of `players` people; `reach(phase)` goes on to one of PHASES. `rules`: as `create_tournament` takes them.

    In `running` the first table has two hands and is suspended, the second has one, a third (if there is one) was
    started and cancelled again.
    """

    def __init__(self, players=10, *, club=None, name="Coppa del Molo", phase="created", **rules):
        told = {"series": "world", "edition": 30, "date": date(2026, 11, 28), "venue": "Sala del Molo"}
        made = entering.create_tournament(SYSTEM, club=club, name=name, rules=rules, **told, key=key())
        self.slug, self.players, self.phase = made["slug"], players, "created"
        self.id = self.row.pk
        self.organiser = organiser(self.row, f"Olga {new_token()[:4]}")
        self.reach(phase)

    @property
    def row(self) -> Tournament:
        return Tournament.objects.get(slug=self.slug)

    def reach(self, phase):
        """Goes on, step by step, until this phase is reached."""
        while self.phase != phase:
            following = PHASES[PHASES.index(self.phase) + 1]
            getattr(self, f"_{following.replace(' ', '_')}")()
            self.phase = following
        return self

    def do(self, verb, **told):
        """A verb of the day, by its organiser."""
        return verb(self.organiser, self.id, key=key(), **told)

    def heats(self, **only):
        """Its open tables, in order."""
        rows = Heat.objects.filter(stage__tournament=self.id, stage__state=Stage.State.OPEN, **only)
        return list(rows.order_by("stage__number", "number"))

    def person_at(self, match, seat=0):
        """Who sits there: his id."""
        return Sheet.objects.get(pk=match).seats.get(number=seat).person_id

    def code_of(self, person):
        return Entrant.objects.get(tournament=self.id, person=person).code

    def play(self, match, hands=HANDS, first=1):
        """Hands at a table: each seat in its turn wins alone, the first most. Who has none is placed by lot."""
        for hand in range(first, first + hands):
            content = Played(HandOutcome((hand - 1) % 5, (hand - 1) % 5, 105 - 5 * hand, 120))
            recording.record_hand(self.organiser, match, hand=hand, content=content, key=key())

    def end(self, match, hands=HANDS):
        """The match is over as it stands, and signed."""
        clock.interrupt_match(self.organiser, match, follow="standings", reason="a short evening", key=key())
        matches.sign(self.organiser, match, entries=hands, key=key())

    # Its phases

    def _entered(self):
        """As rows: three hundred commands would cost more than all the rest of a test."""
        people = create_people(f"Player {number:02}" for number in range(self.players))
        Entrant.objects.bulk_create(
            Entrant(tournament_id=self.id, person=row, position=at, code=f"P{at:02}", name=row.display_name, entry=at)
            for at, row in enumerate(people)
        )
        Tournament.objects.filter(pk=self.id).update(version=F("version") + 1, codes_given=self.players)

    def _drafted(self):
        self.do(drawing.draft_draw)

    def _announced(self):
        self.do(drawing.publish_draw)

    def _running(self):
        first, second, *others = self.heats()
        self.do(drawing.draw_seats, stage=1, heat=1, cards=None)
        self.do(running.start_heats, stage=1, heats=[1, 2, *([3] if others else [])])
        self.play(first.sheet_id, 2)
        self.do(running.suspend_heats, stage=1, heats=[1], clock_stopped=True, reason=SUSPENDED)
        self.play(second.sheet_id, 1)
        if others:
            self.do(running.cancel_heat, stage=1, heat=3, reason="the wrong table")

    def _heats_closed(self):
        self.do(running.resume_heats, stage=1, heats=[1])
        for number, heat in enumerate(self.heats(), start=1):
            done = {1: 2, 2: 1}.get(number, 0)
            if not done:
                self.do(running.start_heats, stage=1, heats=[number])
            self.play(heat.sheet_id, HANDS - done, done + 1)
            self.end(heat.sheet_id)
        self.do(running.close_stage)

    def _finals_open(self):
        self.do(finals.open_finals, names=("Finale", "Finale dei secondi"))

    def _finals_closed(self):
        for heat in self.heats():
            number = heat.stage.number
            self.do(running.start_heats, stage=number, heats=[1])
            self.play(heat.sheet_id)
            self.end(heat.sheet_id)
        self.do(running.close_stage)

    def _published(self):
        publishing.publish_tournament(self.organiser, self.id, key=key())
