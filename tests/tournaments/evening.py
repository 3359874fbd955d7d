"""A tournament from an empty house to its final ranking, verb by verb as its people would do it.

Every evening with the same numbers is the same evening: who plays what comes from a little generator of its own.
"""

from datetime import timedelta
from itertools import islice
from uuid import UUID

from core.clock import database_now
from gameplay.models import ClockEvent, Due, Match
from gameplay.queries.clock import clocks_of
from gameplay.services import claims, clock, matches, recording, ringing
from players.actor import SYSTEM, actor_for
from players.models import Club
from players.rules.rights import CLUB_ORGANISER, REFEREE
from players.services import create_club, create_people, grant_role
from scoring.models import Seat, Sheet
from scoring.rules.hands import HandOutcome
from scoring.rules.scoresheet import Played
from tournaments.models import Entrant, Heat, Stage, Tournament
from tournaments.services import drawing, entering, finals, publishing, running

NAMES = (
    "Ada Rossi", "Bruno Çelik", "Carla Bianchi", "Dino Ferri", "Elsa Işık", "Fabio Conti", "Gina Şahin", "Hugo Serra",
    "Ilaria Neri", "Livio Greco", "Marta Öz", "Nino Villa", "Olga Leone", "Piero Gallo", "Rita Ünal", "Sandro Costa",
    "Teresa Riva", "Ugo Fontana", "Vera Monti", "Zeno Marino", "Alba Sala", "Berto Longo", "Cinzia Testa",
    "Dario Villani", "Ester Barone", "Furio Lombardi", "Gemma Pace", "Ivo Donati", "Lara Fiore", "Mino Caruso",
)  # fmt: skip


def hands(salt):
    """Endless hands (caller, called, bid, made), the same for the same salt."""
    state = salt * 7919 + 17
    while True:
        state = (state * 1103515245 + 12345) % (1 << 31)
        caller, step, bid, made = state % 5, state // 5 % 5, 61 + state // 25 % 40, 40 + state // 1000 % 80
        yield Played(HandOutcome(caller, (caller + step) % 5, bid, made))


class Evening:
    """A club, its organiser, three referees and a tournament of `players`; each verb has a key of its own."""

    def __init__(self, players=25, **rules):
        self.count = 0
        self.club = Club.objects.filter(slug="serata").first() or create_club(SYSTEM, slug="serata", name="Serata")
        self.organiser = self._staff("Orsola", CLUB_ORGANISER)
        self.referees = [self._staff(name, REFEREE) for name in ("Remo", "Rina", "Rocco")]
        made = entering.create_tournament(
            self.organiser, club="serata", name="Serata", series="serate", edition=1, date=None, venue="Sala",
            rules=rules, key=self.key(),
        )  # fmt: skip
        self.slug = made["slug"]
        self.id = Tournament.objects.get(slug=self.slug).pk
        self.players = players

    def _staff(self, name, role):
        row = create_people([name])[0]
        grant_role(SYSTEM, person=row.pk, scope=self.club.scope_id, role=role)
        return actor_for(row.pk)

    def key(self):
        self.count += 1
        return f"evening-{self.count}"

    def do(self, verb, by=None, **values):
        """A verb of the tournament."""
        return verb(by or self.organiser, self.id, key=self.key(), **values)

    def at(self, sheet, verb, by=None, **values):
        """A verb of a table."""
        return verb(by or self.referees[0], sheet, key=self.key(), **values)

    @property
    def row(self):
        return Tournament.objects.get(pk=self.id)

    def heats(self, stage):
        return list(Heat.objects.filter(stage__tournament=self.id, stage__number=stage).order_by("number"))

    def sheets(self, stage):
        return [heat.sheet_id for heat in self.heats(stage)]

    def seat(self, sheet, number):
        """The actor of a player."""
        return actor_for(Seat.objects.get(sheet=sheet, number=number).person_id)

    # The day

    def enter(self):
        rows = [{"name": name, "club": "Serata", "person": None, "nth": 1} for name in NAMES[: self.players]]
        self.do(entering.enter_players, rows=rows)
        for code in Entrant.objects.filter(tournament=self.id).order_by("position").values_list("code", flat=True):
            self.do(entering.check_in, code=code, present=True)

    def draw(self):
        self.do(drawing.draft_draw)
        self.do(drawing.publish_draw)

    def seats(self, stage):
        for heat in self.heats(stage):
            self.do(drawing.draw_seats, stage=stage, heat=heat.number, cards=None)

    def start(self, stage):
        self.do(running.start_heats, stage=stage, heats=[heat.number for heat in self.heats(stage)])

    def play(self, sheet, count, salt=1):
        """The next hands of a table."""
        first = 1 + Sheet.objects.get(pk=sheet).entries.filter(replaces=None).exclude(kind="award").count()
        for number, content in enumerate(islice(hands(salt + sheet.int % 1000), count), start=first):
            self.at(sheet, recording.record_hand, hand=number, content=content)

    def hurry(self, sheet):
        """The bell of a table is due now: as if its time had passed."""
        now = database_now()
        match = Match.objects.get(pk=sheet)
        found = clocks_of([match])[sheet]
        left = found[0].deadline - now
        number = match.clock_events.count() + 1
        micros = round(-left / timedelta(microseconds=1))
        ClockEvent.objects.create(match=match, number=number, kind="moved", at=now, micros=micros, how="clock_set")
        Due.objects.filter(object=sheet).update(due_at=now)

    def bell(self, stage):
        for sheet in self.sheets(stage):
            self.hurry(sheet)
        return ringing.ring_due(database_now())

    def end(self, sheet, salt=5):
        """The last hand after the bell, and the signature of a referee."""
        self.at(sheet, clock.answer_bell, how="awarded")
        self.play(sheet, 1, salt)
        self.sign(sheet)

    def sign(self, sheet):
        self.at(sheet, matches.sign, entries=Sheet.objects.get(pk=sheet).entries.count())

    def stage(self, number, each=6):
        """A whole stage whose draw is published: seats, start, hands, bell, last hands, signatures, close."""
        self.seats(number)
        self.start(number)
        for sheet in self.sheets(number):
            self.play(sheet, each, number)
        self.bell(number)
        for sheet in self.sheets(number):
            self.end(sheet)

    def close(self):
        return self.do(running.close_stage)

    def finals(self):
        return self.do(finals.open_finals, names=("Finale", "Finale dei secondi"))

    def publish(self):
        return publishing.publish_tournament(self.organiser, self.id, key=self.key())

    def suicidal(self, sheet):
        """A lost hand is claimed as suicidal and upheld by all who judge it."""
        number = 1 + Sheet.objects.get(pk=sheet).entries.filter(replaces=None).exclude(kind="award").count()
        lost = Played(HandOutcome(0, 1, 90, 40))
        self.at(sheet, recording.record_hand, hand=number, content=lost)
        claimed = self.at(
            sheet, claims.claim, by=self.seat(sheet, 2), line=number, kind="suicidal_call", reason="ace kept"
        )["claim"]
        for judge in (2, 3, 4):
            told = self.at(sheet, claims.cast_vote, by=self.seat(sheet, judge), claim=claimed, uphold=True)
        return told


def as_uuid(text):
    return UUID(text)


__all__ = ["Evening", "Stage", "hands"]
