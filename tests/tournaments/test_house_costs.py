"""Pages of the house are never stale, and a long list asks no more than a short one."""

import pytest
from django.db import connection
from django.db.models import F
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from players.actor import SYSTEM
from players.services import create_club, create_people, house_scope
from scoring.models import Entry as EntryRow
from tests.tournaments.championships import championship, page_of, rename
from tests.tournaments.many import many_tournaments
from tests.tournaments.rows import WORLD_2007, imported, other_hand
from tournaments.models import Edition, Entrant, Series
from tournaments.rules.series import WORLD
from tournaments.services.publishing import refresh_series
from tournaments.services.results import correct_result

pytestmark = pytest.mark.django_db
LARGEST = 100 * 1024  # bytes of a page

# Nothing is stale


def test_every_page_shows_a_change_at_once(read):
    club = create_club(SYSTEM, slug="lanterna", name="Lanterna")
    row = imported(WORLD_2007)
    champion = Entrant.objects.get(tournament=row, place=1).person
    pages = [
        reverse("home"),
        reverse("calendar"),
        f"{reverse('calendar')}?q=world",
        reverse("rankings"),
        reverse("series", args=["world"]),
        reverse("players"),
        page_of(champion),
    ]
    for address in pages:
        assert champion.display_name in read(address)
    rename(champion, "Renata Rinata")
    for address in pages:
        assert "Renata Rinata" in read(address), address
    before = {address: read(address) for address in pages}
    imported(championship(27, name="Yesterday's championship"), club="lanterna")
    for address in (pages[0], pages[1], pages[4], reverse("club", args=["lanterna"])):
        assert "Yesterday's championship" in read(address), address
        assert before.get(address) != read(address)
    assert "Player p5" in read(reverse("players"))
    club.name = "Circolo Nuovo"
    club.save()
    for address in (*pages[:2], reverse("clubs"), reverse("club", args=["lanterna"])):
        assert "Circolo Nuovo" in read(address), address


def test_a_corrected_hand_changes_the_player_page_and_the_ranking(read):
    row = imported(WORLD_2007)
    lost = {"sheet__heat__stage__number": 1, "sheet__heat__number": 1, "made__lt": F("bid"), "ruling": None}
    hand = EntryRow.objects.filter(sheet__heat__stage__tournament=row, **lost).first()
    changed = Entrant.objects.get(tournament=row, person__seats__sheet=hand.sheet_id, person__seats__number=hand.caller)
    before = read(page_of(changed.person))
    points = changed.person.seats.get(sheet=hand.sheet_id).points
    assert f"Centrale {points} " in before
    row.refresh_from_db()
    correct_result(SYSTEM, row.pk, stage=1, heat=1, entry=other_hand(hand), version=row.version, key="k")
    now = changed.person.seats.get(sheet=hand.sheet_id).points
    assert now != points
    assert f"Centrale {now} " in read(page_of(changed.person))


def test_a_house_begun_anew_does_not_show_the_old_one(read):
    """Where the cache outlives the database: the same files give the same versions, but other people."""
    imported(WORLD_2007)
    address = reverse("home")
    old = read(address)
    Entrant.objects.filter(place=1).update(name="Somebody else")
    assert read(address) == old  # kept: nothing told that anything changed
    scope = house_scope()
    scope.audit_head = "1" * 64
    scope.save()
    assert "Somebody else" in read(address)


# What pages cost


def cost(client, address):
    with CaptureQueriesContext(connection) as asked:
        answer = client.get(address)
    assert answer.status_code == 200, address
    assert len(answer.content) <= LARGEST, (address, len(answer.content))
    return len(asked)


@pytest.mark.parametrize("kind", ["tournaments", "people", "clubs", "series", "editions"])
def test_lists_ask_as_often_for_one_as_for_three_hundred(client, kind):
    """Cold (just changed) and warm, on each page of the list."""
    grow, addresses = GROWTH[kind](client)
    told = []
    for start, count in ((1, 1), (2, 2), (4, 297)):
        grow(start, count)
        told.append([(cost(client, address), cost(client, address)) for address in addresses()])
    assert told[0] == told[1] == told[2]
    for address in addresses():
        more = f"{address}{'&' if '?' in address else '?'}page=3"
        cost(client, more)


def _tournaments(client):
    club = create_club(SYSTEM, slug="lanterna", name="Lanterna")
    five = create_people(["Ada Uno", "Bea Due", "Cia Tre", "Dea Quattro", "Eva Cinque"])

    def grow(start, count):
        many_tournaments(count, five, start=start, club=club)

    def addresses():
        names = [reverse(name) for name in ("home", "calendar", "clubs")]
        searched = [f"{reverse('calendar')}?{query}" for query in ("q=friday", "club=lanterna", "year=1990")]
        return [*names, *searched, reverse("club", args=["lanterna"]), page_of(five[0])]

    return grow, addresses


def _people(client):
    """One tournament for all who are there, the edition of a series: more people in each."""
    series = Series.objects.create(name="world", points=list(WORLD.points), window=3)
    known = create_people(["Ada Uno", "Bea Due", "Cia Tre", "Dea Quattro", "Eva Cinque"])

    def grow(start, count):
        known.extend(create_people(f"Işıl Öztürk Montefeltro {number}" for number in range(start, start + count)))
        many_tournaments(1, known, start=start, series=series)
        many_tournaments(1, known, start=start + 1000, series=series)
        refresh_series(series, 0)

    return grow, lambda: [reverse("players"), f"{reverse('players')}?q=isil", reverse("series", args=["world"])]


def _clubs(client):
    def grow(start, count):
        for number in range(start, start + count):
            create_club(SYSTEM, slug=f"club-{number}", name=f"Circolo della Lanterna {number}")

    return grow, lambda: [reverse("clubs"), reverse("calendar")]


def _series(client):
    club = create_club(SYSTEM, slug="lanterna", name="Lanterna")
    five = create_people(["Ada Uno", "Bea Due", "Cia Tre", "Dea Quattro", "Eva Cinque"])

    def grow(start, count):
        numbers = range(start, start + count)
        series = Series.objects.bulk_create(
            Series(club=club, name=f"coppa {number}", points=[3, 2, 1], window=2) for number in numbers
        )
        rows = many_tournaments(count, five, start=start, club=club, series=series[0], editions=False)
        for number, one, row in zip(numbers, series, rows, strict=True):
            Edition.objects.create(series=one, number=number, tournament=row)
            refresh_series(one, 0)

    return grow, lambda: [reverse("rankings"), reverse("club", args=["lanterna"]), page_of(five[0])]


def _editions(client):
    series = Series.objects.create(name="world", points=list(WORLD.points), window=3)
    five = create_people(["Ada Uno", "Bea Due", "Cia Tre", "Dea Quattro", "Eva Cinque"])

    def grow(start, count):
        many_tournaments(count, five, start=start, series=series)
        refresh_series(series, start)

    grow(-5, 2)  # so that there is a ranking before the one that is shown
    return grow, lambda: [reverse("rankings"), reverse("series", args=["world"])]


GROWTH = {"tournaments": _tournaments, "people": _people, "clubs": _clubs, "series": _series, "editions": _editions}
