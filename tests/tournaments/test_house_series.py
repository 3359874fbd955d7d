"""Rankings over editions, line by line."""

import re
from html import unescape

import pytest
from django.urls import reverse

from players.actor import SYSTEM
from players.services import create_club
from tests.tournaments.championships import FIVE, championship, in_turn
from tests.tournaments.rows import WORLD_2007, first_hand, imported, other_hand
from tournaments.models import Entrant
from tournaments.services.results import correct_result

pytestmark = pytest.mark.django_db


def test_a_ranking_says_line_by_line_where_the_points_come_from_and_who_moved(read):
    in_turn(FIVE, ("p2", "p3", "p1", "p4", "p6"))
    words = read(reverse("series", args=["world"]))
    assert "After edition 42 · October 12, 2022 · Championship 42" in words
    assert (
        "1 Player p2 27 +1 edition 41: number 2, +12 · edition 42: number 1, +15. Up 1 place since edition 41." in words
    )
    assert "2 Player p1 25 −1" in words
    assert "Down 1 place since edition 41." in words
    assert "Same place as after edition 41." in words
    assert "Player p6 6 new edition 42: number 5, +6. New since edition 41." in words
    assert "Level with Player p6, who reached the same best place later. Down 1 place" in words
    assert "New since edition 41." in words
    assert "The last 3 editions count, here 41, 42." in words
    assert "Place 1 2 3 4 5 6 7 8 9 10 Points 15 12 10 8 6 5 4 3 2 1" in words


def test_the_first_ranking_tells_of_no_moves(read):
    in_turn(FIVE, FIVE)
    words = read(f"{reverse('series', args=['world'])}?edition=41")
    assert "After edition 41" in words
    assert "Moved" not in words
    assert "since edition" not in words
    assert "a later edition has been played" in words


def test_a_corrected_edition_is_another_version_and_the_old_one_stays(read):
    row = imported(WORLD_2007)
    people = dict(Entrant.objects.filter(tournament=row).values_list("code", "person"))
    imported(championship(27, tuple(sorted(people))[:5]), people={code: people[code] for code in sorted(people)[:5]})
    address = reverse("series", args=["world"])
    before = read(f"{address}?edition=26")
    assert "version" not in before
    final = row.stages.get(kind="final").number
    hand = first_hand(row, final)
    row.refresh_from_db()
    others = [at for at in range(5) if at not in (hand.caller, hand.called)]
    entry = other_hand(hand, caller=others[0], called=others[0], bid=120, made=120)
    correct_result(SYSTEM, row.pk, stage=final, heat=1, entry=entry, version=row.version, key="k")
    after = read(f"{address}?edition=26")
    assert "after edition 26, version 2" in after
    assert "after edition 26, version 1" in after
    old = read(f"{address}?edition=26&version=1")
    assert "A later version holds." in old
    table = slice(before.index("10 people"), before.index("How the points"))
    assert before[table] in old
    assert before[table] not in after


@pytest.mark.parametrize("query", ["edition=40", "edition=x", "version=9", "edition=41&version=2"])
def test_a_ranking_that_was_never_made_is_not_found(client, query):
    in_turn(FIVE)
    assert client.get(f"{reverse('series', args=['world'])}?{query}").status_code == 404


@pytest.mark.parametrize("name", ["a/b", "Coppa d'Oro, 2ª serie", "line\nbreak", "50%?#&", "ışık", "a/"])
def test_a_series_of_any_name_has_a_page(client, read, name):
    create_club(SYSTEM, slug="lanterna", name="Lanterna")
    imported(championship(3, series=name), club="lanterna")
    for page in (reverse("rankings"), reverse("club", args=["lanterna"]), reverse("calendar")):
        addresses = re.findall(r'href="(/clubs/lanterna/rankings/[^"]+)"', client.get(page).content.decode())
        assert addresses, page
        for address in addresses:
            assert " ".join(name.split()) in read(unescape(address))


def test_two_clubs_may_have_series_of_the_same_name(read):
    for slug, champion in (("uno", "p1"), ("due", "p2")):
        create_club(SYSTEM, slug=slug, name=slug.title())
        file = championship(3, series="coppa")
        for player in file["players"]:
            player["name"] = f"{slug} {player['id']}"
        imported(file, club=slug)
        assert champion
    assert "uno p1" in read(reverse("club_series", args=["uno", "coppa"]))
    assert "uno" not in read(reverse("club_series", args=["due", "coppa"])).lower()
    words = read(reverse("rankings"))
    assert words.count("coppa") == 2
    assert words.index("Due") < words.index("Uno")
