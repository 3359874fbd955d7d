"""Matches as rows for tests: five players at a table of a club, its staff, and its council."""

from uuid import UUID

from core.entropy import new_token
from gameplay.models import Match
from gameplay.services import matches, recording
from players.actor import SYSTEM, Actor, actor_for
from players.models import Club, User
from players.rules.rights import COUNCIL, REFEREE
from players.services import create_club, create_people, grant_role
from scoring.models import Seat, Sheet
from scoring.rules.hands import HandOutcome
from scoring.rules.scoresheet import Played

NAMES = ("Ada", "Bruno", "Carla", "Dino", "Elsa")


def key():
    return new_token()


def person(name="Somebody", *roles, scope=None):
    """A person with these roles on a scope."""
    row = create_people([name])[0]
    for role in roles:
        grant_role(SYSTEM, person=row.pk, scope=scope, role=role)
    return row


def actor(row) -> Actor:
    """The actor of a person, with the rights that he has now."""
    return actor_for(row.pk if isinstance(row, User) else row)


class Hall:
    """A club with a referee and a match; `seats`: the actors of its five players."""

    def __init__(self, slug="circolo", **scoring):
        self.club = Club.objects.filter(slug=slug).first() or create_club(SYSTEM, slug=slug, name=slug)
        self.referee = actor(person("Rita", REFEREE, scope=self.club.scope_id))
        self.people = create_people(NAMES)
        self.match = UUID(
            matches.open_match(
                self.referee,
                scope=self.club.scope_id,
                table_name="Centrale",
                people=[row.pk for row in self.people],
                scoring=scoring,
                key=key(),
            )["match"]
        )
        self.seats = [actor(row) for row in self.people]

    @property
    def sheet(self) -> Sheet:
        return Sheet.objects.get(pk=self.match)

    @property
    def row(self) -> Match:
        return Match.objects.get(pk=self.match)

    @property
    def points(self):
        return list(Seat.objects.filter(sheet=self.match).order_by("number").values_list("points", flat=True))

    def council(self, count=7):
        """So many guarantors of the club."""
        return [actor(person(f"G{n}", COUNCIL, scope=self.club.scope_id)) for n in range(count)]

    def play(self, hand, *outcome, by=None):
        """Records a hand: caller, called, bid, made."""
        return recording.record_hand(by or self.referee, self.match, hand=hand, content=played(*outcome), key=key())


def played(caller=0, called=1, bid=75, made=80):
    return Played(HandOutcome(caller, called, bid, made))
