"""What a newcomer finds: real championships, invented tournaments, and people to sign in as on this machine."""

from __future__ import annotations

from pathlib import Path
from uuid import UUID

from django.db import transaction

from players.actor import SYSTEM, actor_for
from players.models import Club, User
from players.rules.rights import ADMIN, CLUB_ORGANISER, COUNCIL, REFEREE
from players.services import create_club, grant_role, house_scope, lock_scopes
from tournaments.exchange.reading import read_tournament
from tournaments.models import Entrant, Tournament
from tournaments.services.demo_match import load_matches
from tournaments.services.importing import import_tournament

FOLDER = Path(__file__).parents[1]
CLUB = ("circolo-demo", "Circolo della Briscola")
# Files in the order in which they happened: editions of the world series, then the cup of the club.
CHAMPIONSHIPS = ("championships/world-2001.json", "championships/world-2007.json")
INVENTED = ("demo/mondiale-1.json", "demo/mondiale-2.json", "demo/mondiale-3.json")
CUP = "demo/coppa-adriatica.json"
PEOPLE = (
    ("demo-admin", "Ada Amministratrice", ADMIN),
    ("demo-organiser", "Oreste Organizzatore", CLUB_ORGANISER),
    ("demo-referee", "Rita Arbitra", REFEREE),
    *((f"demo-guarantor-{number}", f"Garante {name}", COUNCIL) for number, name in enumerate("ABCD", start=1)),
)
PLAYERS = ("Bruno Mazza", "Carla Coppa", "Dino Denari", "Elsa Spada", "Fabio Bastoni")


def load_demo() -> bool:
    """Loads the demonstration once; False where it is there, or where the house has tournaments of its own.

    The same code is the same person among the championships, and among the invented tournaments. Its people have
    no password: they can sign in on this machine only (players.web.asking).
    """
    if Tournament.objects.exists():
        return False
    with transaction.atomic():
        lock_scopes(house_scope().pk)
        fresh = not Tournament.objects.exists()
        if fresh:
            _load()
        return fresh


def _load() -> None:
    files = {name: (FOLDER / name).read_bytes() for name in (*CHAMPIONSHIPS, *INVENTED, CUP)}
    club, people_of, players = make_people()
    load_matches(club, actor_for(people_of[REFEREE][0]), players, people_of[COUNCIL])
    for group in (CHAMPIONSHIPS, (*INVENTED, CUP)):
        people: dict[str, UUID] = {}
        for name in group:
            codes = {player["id"] for player in read_tournament(files[name])["players"]}
            known = {code: person for code, person in people.items() if code in codes}
            slug = import_tournament(SYSTEM, files[name], club=CLUB[0] if name == CUP else None, people=known).slug
            people |= dict(Entrant.objects.filter(tournament__slug=slug).values_list("code", "person"))


def make_people() -> tuple[Club, dict[str, list[UUID]], list[UUID]]:
    """The club, its staff by role, and five players: all whom a visitor can sign in as. Inside a transaction."""
    club = create_club(SYSTEM, slug=CLUB[0], name=CLUB[1])
    people_of: dict[str, list[UUID]] = {}
    for username, name, role in PEOPLE:
        person = _person(username, name)
        scope = house_scope().pk if role in (ADMIN, COUNCIL) else club.scope_id
        grant_role(SYSTEM, person=person, scope=scope, role=role)
        people_of.setdefault(role, []).append(person)
    players = [_person(f"demo-player-{number}", name) for number, name in enumerate(PLAYERS, start=1)]
    return club, people_of, players


def _person(username: str, name: str) -> UUID:
    person = User.objects.create_user(username, name)
    User.objects.filter(pk=person.pk).update(is_demo=True)
    return person.pk
