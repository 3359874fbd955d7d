"""The hall screen (UX-29) and the notices for who plays (UX-28)."""

import re

import pytest
from django.test import Client
from django.urls import reverse

from gameplay.services import rulings
from players.actor import Actor, Place
from players.models import User
from tests.tournaments.day_rows import SUSPENDED, Day, ring
from tests.tournaments.days import key
from tests.tournaments.reading import LARGEST, words
from tests.tournaments.rows import WORLD_2007, imported
from tournaments.queries.notices import notices_for_person
from tournaments.services import finals, running
from tournaments.services.drawing import draw_seats

pytestmark = pytest.mark.django_db


def parts_of(page):
    """Title -> words of each part of the screen, in order."""
    found = re.findall(r"<section data-part.*?<h2[^>]*>(.*?)</h2>(.*?)</section>", page, re.DOTALL)
    return {words(title): words(rest) for title, rest in found}


@pytest.fixture
def screen(client):
    """screen(day) -> the part of the hall screen that changes, as it fetches it."""

    def parts(day):
        answer = client.get(reverse("hall", args=[day.slug]), headers={"accept-language": "en", "hx-request": "true"})
        assert answer.status_code == 200
        assert answer["Cache-Control"] == "no-store"
        page = answer.content.decode()
        assert "csrfmiddlewaretoken" not in page
        return parts_of(page)

    return parts


def test_the_parts_of_an_evening_in_order(screen):
    day = Day(15, phase="announced")
    seats = screen(day)
    assert list(seats) == ["Seats: Qualifying heats"]
    assert seats["Seats: Qualifying heats"].startswith("Seats are drawn at the table. Centrale Player")
    assert seats["Seats: Qualifying heats"].count("Player") == 15
    day.reach("running")
    parts = screen(day)
    assert list(parts) == ["Seats: Qualifying heats", "Qualifying heats"]
    assert parts["Seats: Qualifying heats"].count("Player") == 5
    assert parts["Qualifying heats"].startswith("Provisional: these matches are not closed yet.")
    assert "Centrale 2 hands · suspended 1 Player" in parts["Qualifying heats"]
    assert SUSPENDED not in parts["Qualifying heats"]
    day.reach("heats closed")
    parts = screen(day)
    assert list(parts) == [
        "Qualifying heats",
        "Repechage: the seconds of the heats",
        "Qualified for: Final",
        "Called to the second final",
    ]
    assert parts["Qualifying heats"].count("(goes on)") == 5
    assert parts["Repechage: the seconds of the heats"].count("(repechage)") == 2
    day.reach("finals open")
    assert list(screen(day)) == ["Final", "Second final"]
    day.reach("finals closed")
    parts = screen(day)
    assert list(parts) == ["Final", "Second final", "Final ranking"]
    assert parts["Final ranking"].startswith("1 Player")
    assert parts["Final ranking"].count("Player") == 15


def test_who_deals_first_is_marked_once_seats_are_drawn(client):
    day = Day(phase="running")
    page = client.get(reverse("hall", args=[day.slug]), headers={"accept-language": "en"}).content.decode()
    assert "deals first" not in page  # both tables have hands: their seats are taken
    fresh = Day(name="Altra", phase="announced")
    fresh.do(draw_seats, stage=1, heat=1, cards=None)
    page = client.get(reverse("hall", args=[fresh.slug]), headers={"accept-language": "en"}).content.decode()
    assert page.count("deals first") == 1


def test_the_bell_is_a_word_on_its_table(screen):
    day = Day(phase="running")
    ring(day.heats()[1].sheet_id)
    tables = screen(day)["Qualifying heats"]
    assert "Centralino 1 hand · the bell has rung" in tables
    assert tables.count("the bell") == 1


def test_a_finished_tournament_has_its_ranking_on_the_wall(html):
    slug = imported(WORLD_2007).slug
    parts = parts_of(html("hall", slug))
    assert list(parts)[-1] == "Final ranking"


def test_before_the_first_draw_the_screen_says_so():
    day = Day(phase="created")
    staff = Client(headers={"accept-language": "en"})
    staff.force_login(User.objects.get(pk=day.organiser.person))
    assert "No draw yet" in staff.get(reverse("hall", args=[day.slug])).content.decode()


def test_two_hundred_tables_fit_into_a_hundred_kilobytes(client):
    day = Day(1000, phase="announced")
    answer = client.get(reverse("hall", args=[day.slug]))
    assert answer.status_code == 200
    assert len(parts_of(answer.content.decode())) == 1
    assert len(answer.content) <= LARGEST


# Notices


def browser_of(person):
    browser = Client(headers={"accept-language": "en"})
    browser.force_login(User.objects.get(pk=person))
    return browser


def told(browser, name="home", *args):
    """The words of the notices on a page."""
    page = browser.get(reverse(name, args=args)).content.decode()
    found = re.search(r'<section class="stack-tight" aria-label="Notices">(.*?)</section>', page, re.DOTALL)
    return words(found[1]) if found else ""


def test_a_player_reads_where_he_sits():
    day = Day(phase="announced")
    match = day.heats()[0].sheet_id
    browser = browser_of(day.person_at(match))
    assert "Coppa del Molo: you play at Centrale; the seats are drawn there. Article S4" in told(browser)
    day.do(draw_seats, stage=1, heat=1, cards=None)
    browser = browser_of(day.person_at(match, 2))
    assert "Coppa del Molo: you play at Centrale, seat 3." in told(browser)
    assert told(browser, "match", match) == ""  # he is there
    other = day.heats()[1].sheet_id
    assert "seat 3" in told(browser, "match", other)
    assert told(Client(headers={"accept-language": "en"})) == ""


def test_before_a_draw_is_published_nobody_reads_of_it():
    day = Day(phase="drafted")
    assert told(browser_of(day.row.entrants.first().person_id)) == ""


def test_a_start_that_was_cancelled_and_a_ruling_are_told():
    day = Day(15, phase="running")
    third = day.heats()[2].sheet_id
    browser = browser_of(day.person_at(third))
    said = "Table 3 was started by mistake, and starts again: the wrong table"
    assert said in told(browser)
    assert said in told(browser, "match", third)
    day.do(running.start_heats, stage=1, heats=[3])
    assert said not in told(browser)
    first = day.heats()[0].sheet_id
    rulings.award(day.organiser, first, seat=1, points=-50, article="S19", reason="He was late.", key=key())
    assert "A ruling about you Centrale: He was late. Article S19" in told(browser_of(day.person_at(first, 1)))
    assert "A ruling at your table Centrale: He was late." in told(browser_of(day.person_at(first, 2)))
    assert "late" not in told(browser)


def test_who_moves_up_and_who_left_are_told_why():
    day = Day(phase="heats closed")
    sheet = day.row.stages.get(number=1).heats.get(number=1).sheet_id
    leaves = day.person_at(sheet)
    day.do(finals.withdraw, player=day.code_of(leaves), target="final")
    assert "You were substituted Coppa del Molo:" in told(browser_of(leaves))
    swap = notices_for_person(Actor(person=leaves, came="session")).swaps[0].swap
    comes = day.row.entrants.get(code=swap.into).person_id
    up = told(browser_of(comes))
    assert "You move up Coppa del Molo:" in up
    assert "Article S8" in up
    day.reach("finals open").reach("finals closed")
    assert told(browser_of(comes)) == ""


def test_a_seat_pass_knows_its_own_table_only():
    day = Day(phase="announced")
    first, second = (heat.sheet_id for heat in day.heats())
    person = day.person_at(first)
    seated = Actor(person=person, came="seat_pass", place=Place(first, 0))
    assert [one.match for one in notices_for_person(seated).tables] == [first]
    elsewhere = Actor(person=person, came="seat_pass", place=Place(second, 0))
    assert notices_for_person(elsewhere).tables == ()
    assert notices_for_person(Actor(person=None, came="seat_pass")).tables == ()
