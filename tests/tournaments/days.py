"""Tournaments that are run here, for tests: stages in any state, and the tables at which they are played."""

from django.db import transaction

from core.entropy import new_token
from core.live import _publish
from gameplay.services import clock, matches, recording
from players.actor import SYSTEM, actor_for
from players.models import Scope
from players.rules.rights import ORGANISER
from players.services import create_club, create_people, grant_role
from scoring.models import Seat
from scoring.rules.hands import HandOutcome
from scoring.rules.scoresheet import Played
from tests.tournaments.files import hands_heat, stage, tournament_file
from tests.tournaments.rows import imported
from tournaments.models import Entrant, Heat, Tournament
from tournaments.services.following import NewTable, open_stage

BIDS = (100, 90, 80, 70, 61)
"""Each of the five seats wins alone once, 2 x its bid: they end in the order of the seats."""


def key():
    return new_token()


def topics(callbacks):
    """What was told to open pages, out of what waits for a commit."""
    return {topic for one in callbacks if one.func is _publish for topic in one.args[0]}


def won_heat(name, seats, bids=BIDS):
    """A heat that ends in the order of `seats`: 2 x each bid, 802 points in all."""
    hands = [
        {"caller": player, "called": player, "bid": bid, "made": 120} for player, bid in zip(seats, bids, strict=True)
    ]
    return hands_heat(name, seats, hands)


def live(*heats, **told):
    """A tournament that is run here, its first stage of these heats closed and everybody told of it.

    Two heats unless said otherwise. a: 200 points, b: 180 ...; v: 198, w: 176 ...
    """
    found = heats or (won_heat("Centrale", "abcde"), won_heat("Centralino", "vwxyz", (99, 88, 77, 66, 62)))
    row = imported(tournament_file(stage(*found), **told), publish=False)
    Tournament.objects.filter(pk=row.pk).update(live=True, announced=True)
    return Tournament.objects.get(pk=row.pk)


def organiser(row, name="Olga"):
    """Who runs this tournament."""
    person = create_people([name])[0].pk
    grant_role(SYSTEM, person=person, scope=row.scope_id, role=ORGANISER)
    return actor_for(person)


def heat_row(row, stage, heat=1):
    return Heat.objects.get(stage__tournament=row, stage__number=stage, number=heat)


def seated(row, stage, heat=1):
    """The codes at a table, in order of the seats."""
    codes = dict(Entrant.objects.filter(tournament=row).values_list("person", "code"))
    seats = Seat.objects.filter(sheet=heat_row(row, stage, heat).sheet_id).order_by("number")
    return "".join(codes[person] for person in seats.values_list("person", flat=True))


def play(actor, match, bids=BIDS, written=0):
    """A whole match: started, a hand that each seat wins alone, ended as it stands, signed by a referee.

    `written`: entries that stand on the sheet already.
    """
    clock.start_match(actor, match, key=key())
    for seat, bid in enumerate(bids):
        content = Played(HandOutcome(seat, seat, bid, 120))
        recording.record_hand(actor, match, hand=seat + 1, content=content, key=key())
    clock.interrupt_match(actor, match, follow="standings", reason="short evening", key=key())
    matches.sign(actor, match, entries=len(bids) + written, key=key())


@transaction.atomic
def opened(count=2, free=1, **told):
    """A tournament in its first stage: so many tables of five, everybody checked in, nothing started; its organiser.

    `free`: how many are entered besides. Codes are P01 and so on, in order of the tables.
    """
    row = _empty(**told)
    people = create_people([f"Player {at:02}" for at in range(1, 5 * count + free + 1)])
    for at, person in enumerate(people):
        Entrant.objects.create(
            tournament=row,
            person=person,
            position=at,
            entry=at,
            code=f"P{at + 1:02}",
            name=person.display_name,
            present=True,
        )
    Tournament.objects.filter(pk=row.pk).update(codes_given=len(people))
    row.refresh_from_db()
    names = ("Centrale", "Centralino", *(f"Table {at}" for at in range(3, count + 1)))
    fives = [tuple(person.pk for person in people[5 * at : 5 * at + 5]) for at in range(count)]
    open_stage(row, "heats", 1, [NewTable(name, five) for name, five in zip(names, fives, strict=False)], 120)
    return row, organiser(row)


def _empty(name="Evening", **told):
    club = create_club(SYSTEM, slug=f"club-{key()[:6].lower().replace('_', 'x').replace('-', 'y')}", name="Club")
    scope = Scope.objects.create(kind=Scope.Kind.TOURNAMENT, parent_id=club.scope_id)
    slug = f"evening-{key()[:6].lower().replace('_', 'x').replace('-', 'y')}"
    return Tournament.objects.create(
        scope=scope, club=club, slug=slug, name=name, live=True, announced=True, series="coppa", **told
    )
