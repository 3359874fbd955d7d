"""The first page, the calendar, the clubs and the rules, as an anonymous reader gets them."""

import re

import pytest
from django.urls import reverse

from players.actor import SYSTEM
from players.models import User
from players.rules.rights import ADMIN
from players.services import create_club, grant_role, house_scope
from tests.tournaments.championships import FIVE, championship, in_turn, page_of, person
from tests.tournaments.rows import imported
from tournaments.web.articles import CHAPTERS

pytestmark = pytest.mark.django_db

# The first page


@pytest.mark.parametrize("name", ["home", "calendar", "players"])
def test_a_fresh_house_says_what_to_do_next_with_one_button(client, read, name):
    assert "Import a file" in read(reverse(name))
    main = client.get(reverse(name)).content.decode().partition("<main")[2]
    assert re.findall(r'class="button button-primary" href="([^"]+)"', main) == [reverse("import_file")]


@pytest.mark.parametrize(("name", "words"), [("clubs", "No club yet"), ("rankings", "No ranking yet")])
def test_empty_lists_say_so(read, name, words):
    assert words in read(reverse(name))


def test_the_first_page_has_the_five_latest_tournaments_with_their_champions(read):
    rows = in_turn(*[FIVE] * 6)
    words = read(reverse("home"))
    assert re.findall(r"Championship (\d+)", words) == ["46", "45", "44", "43", "42"]
    assert words.count("Player p1") == 5
    assert rows[0].name not in words


def test_only_staff_see_the_way_to_import(client, read):
    in_turn(FIVE)
    assert "Import a file" not in read(reverse("home"))
    staff = User.objects.create_user("ada", "Ada", "correct horse battery")
    grant_role(SYSTEM, person=staff.pk, scope=house_scope().pk, role=ADMIN)
    client.force_login(staff)
    assert "Import a file" in read(reverse("home"))


def test_readers_get_no_session(client):
    (row,) = in_turn(FIVE)
    for address in (reverse("home"), reverse("calendar"), reverse("players"), page_of(person(row, "p1"))):
        client.cookies.clear()
        assert set(client.get(address).cookies) <= {"csrftoken"}  # the switches of the header are forms


# The calendar


def test_the_calendar_has_the_latest_first_and_those_without_a_date_at_the_end(read):
    in_turn(FIVE, FIVE)
    imported(championship(7, name="Undated", date="2001-01-01") | {})
    undated = championship(8, name="Nobody knows when")
    del undated["tournament"]["date"]
    imported(undated)
    words = read(reverse("calendar"))
    order = [words.index(name) for name in ("Championship 42", "Championship 41", "Undated", "Nobody knows when")]
    assert order == sorted(order)
    assert "4 tournaments" in words
    assert "no date" in words


def test_the_calendar_is_searched_by_year_club_and_words(client, read):
    create_club(SYSTEM, slug="lanterna", name="Circolo della Lanterna")
    in_turn(FIVE, FIVE)
    imported(championship(3, series="coppa", name="Coppa dell'Ispirazione", date="2021-05-01"), club="lanterna")
    address = reverse("calendar")
    assert "1 tournament " in read(f"{address}?year=2022")
    assert "Championship 42" in read(f"{address}?year=2022")
    words = read(f"{address}?club=lanterna")
    assert "Coppa" in words
    assert "Championship" not in words
    assert "Coppa" in read(f"{address}?q=ISPİRAZIONE+coppa")
    assert "2 tournaments" in read(f"{address}?year=2021")
    assert "1 tournament " in read(f"{address}?year=2021&club=lanterna&q=coppa")
    for query in ("year=2022&club=lanterna", "year=99999999999", "year=now", "club=nobody", "q=zzz", "year=2022&q=zzz"):
        assert "No tournament like that" in read(f"{address}?{query}"), query
    assert "3 tournaments" in read(f"{address}?q=!")  # no letter: no word
    assert "3 tournaments" in read(f"{address}?page=9999999999999999999")


def test_a_tournament_without_a_final_has_no_champion(read):
    file = championship(9)
    del file["stages"][1]
    imported(file)
    assert "final not played" in read(reverse("calendar"))


# Clubs


def test_a_club_shows_its_archive_and_its_rankings(read):
    create_club(SYSTEM, slug="lanterna", name="Circolo della Lanterna")
    create_club(SYSTEM, slug="adalar", name="Adalar")
    imported(championship(3, series="coppa", name="Coppa"), club="lanterna")
    in_turn(FIVE)
    words = read(reverse("clubs"))
    assert words.index("Adalar") < words.index("Circolo della Lanterna")
    assert "Circolo della Lanterna 1 tournament" in words
    words = read(reverse("club", args=["lanterna"]))
    assert "coppa" in words
    assert "Coppa" in words
    assert "Championship 41" not in words
    assert "no tournament yet" in read(reverse("club", args=["adalar"]))


# The rules


def test_every_article_that_the_rules_of_the_code_name_has_a_sentence(client, read):
    known = {article.id for chapter in CHAPTERS for article in chapter.articles}
    assert len(known) == sum(len(chapter.articles) for chapter in CHAPTERS)
    html = client.get(reverse("rules")).content.decode()
    for article in [*(f"S{n}" for n in range(1, 20)), *(f"D{n}" for n in range(1, 22)), "AGP"]:
        assert article in known
        assert f'<div id="{article}">' in html
