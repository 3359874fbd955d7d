"""Players: search, history, and who is hidden, erased, merged or not published."""

import re
from uuid import uuid4

import pytest
from django.urls import reverse

from players.actor import SYSTEM
from players.models import User
from players.rules.rights import ADMIN
from players.services import create_club, grant_role, house_scope
from tests.tournaments.championships import FIVE, championship, in_turn, page_of, person, publish, rename
from tests.tournaments.rows import CUP, imported
from tournaments.models import Entrant, Snapshot
from tournaments.services.people import anonymise_person, merge_people

pytestmark = pytest.mark.django_db

# People


def test_the_search_forgives_letters_accents_and_capitals(read):
    names = {"p1": "Işıl Şahin", "p2": "İpek Irmak", "p3": "Niccolò D’Amico", "p4": "Isila Rossi", "p5": "Zoë"}
    file = championship(41)
    for player in file["players"]:
        player["name"] = names[player["id"]]
    imported(file)
    address = reverse("players")
    for asked in ("ISIL", "ışıl", "Isil", "IŞIL", "işil", "sahin isil", "  şah  IŞI "):
        words = read(f"{address}?q={asked}")
        assert "Işıl Şahin" in words, asked
        assert "İpek" not in words, asked
    assert "İpek Irmak" in read(f"{address}?q=ipek")
    assert "Niccolò D’Amico" in read(f"{address}?q=damico+niccolo")
    assert "1 person with “zoe” in the name" in read(f"{address}?q=zoe")
    words = read(f"{address}?q=nobody <b>")
    assert "Nobody with “nobody <b>” in the name" in words
    assert "accents" in words
    words = read(address)
    assert (
        words.index("İpek") < words.index("Işıl") < words.index("Isila") < words.index("Niccolò") < words.index("Zoë")
    )


def test_a_player_page_has_his_places_his_heats_and_his_rankings(read):
    create_club(SYSTEM, slug="lanterna", name="Lanterna")
    first, _last = in_turn(FIVE, ("p2", "p1", *FIVE[2:]))
    row = person(first, "p1")
    cup = championship(3, series="coppa", name="Coppa")
    cup["players"][0]["name"] = "Signor Uno"
    imported(cup, club="lanterna", people={"p1": row.pk})
    words = read(page_of(row))
    assert "3 tournaments in this house" in words
    assert "Also listed as Signor Uno." in words
    assert "number 1 of 5" in words
    assert "number 2 of 5" in words
    assert "Centrale 900 points, number 1" in words
    assert "Centrale 850 points, number 2" in words
    assert "A.G.P. ranking after edition 42" in words
    assert "27 points" in words
    assert "coppa Lanterna after edition 3" in words
    assert words.index("Championship 42") < words.index("Championship 41") < words.index("Coppa")


def test_a_renounced_stage_and_the_ledger_stand_there_with_their_articles(client, read):
    cup = imported(CUP)
    excluded = Entrant.objects.filter(tournament=cup, excluded=True).first()
    address = page_of(excluded.person)
    assert "excluded" in read(address)
    assert "not ranked" in read(address)
    assert re.search(r'href="/rules/#(S8|D16)"', client.get(address).content.decode())
    fined = Entrant.objects.filter(tournament=cup, adjustment__isnull=False).first()
    assert 'href="/rules/#D18"' in client.get(page_of(fined.person)).content.decode()


def test_equal_points_in_a_heat_share_the_place(read):
    file = championship(41)
    file["stages"][0]["heats"][0]["totals"]["p2"] = 900
    row = imported(file)
    assert "Centrale 900 points, number 1" in read(page_of(person(row, "p2")))
    assert "Centrale 800 points, number 3" in read(page_of(person(row, "p3")))


def test_a_reserve_is_no_loser(read):
    file = championship(41)
    file["players"].append({"id": "p6", "name": "Sesto"})
    file["entries"].append("p6")
    row = imported(file)
    words = read(page_of(person(row, "p6")))
    assert "reserve" in words
    assert "number" not in words
    assert "number 5 of 5" in read(page_of(person(row, "p5")))


def test_who_hides_his_history_is_found_and_shows_nothing(read):
    (row,) = in_turn(FIVE)
    hidden = person(row, "p1")
    rename(hidden, "Player p1", hidden=True)
    words = read(page_of(hidden))
    assert "no history be shown" in words
    assert "Championship" not in words
    assert "1 tournament" not in words
    assert "Player p1 Player p2 1 tournament" in read(reverse("players"))


def test_who_was_erased_is_a_code(read):
    (row,) = in_turn(FIVE)
    erased = person(row, "p1")
    anonymise_person(SYSTEM, erased.pk, key="k")
    erased.refresh_from_db()
    words = read(page_of(erased))
    assert words.count(erased.display_name) == 2  # the crumb and the title
    assert "erased" in words
    assert "Championship" not in words
    assert erased.display_name not in read(reverse("players"))
    assert "Nobody" in read(f"{reverse('players')}?q={erased.display_name}")
    for address in (reverse("home"), reverse("calendar"), reverse("rankings"), reverse("series", args=["world"])):
        words = read(address)
        assert "Player p1" not in words, address
        assert erased.display_name in words, address


def test_who_turned_out_to_be_somebody_else_leads_there_and_is_found_under_both_names(client, read):
    first, second = imported(championship(41)), imported(championship(42, ("p2", "p1", "p3", "p4", "p5")))
    gone, stays = person(first, "p1"), person(second, "p2")
    rename(gone, "Tonino Vecchio")
    rename(stays, "Antonio Nuovo")
    merge_people(SYSTEM, gone=gone.pk, stays=stays.pk, key="k")
    answer = client.get(page_of(gone))
    assert (answer.status_code, answer.url) == (301, page_of(stays))
    words = read(page_of(stays))
    assert "2 tournaments" in words
    assert "Also listed as Tonino Vecchio." in words
    assert "number 1 A.G.P. ranking" in words
    assert "30 points" in words
    for asked in ("vecchio", "nuovo"):
        words = read(f"{reverse('players')}?q={asked}")
        assert "Antonio Nuovo 2 tournaments" in words
        assert "Tonino" not in words
    assert "Nobody" in read(f"{reverse('players')}?q=vecchio+nuovo")  # no name has both words
    assert read(reverse("series", args=["world"])).count("Antonio Nuovo") >= 1
    old = f"{reverse('series', args=['world'])}?edition=41&version=1"
    assert "Tonino Vecchio" not in read(old)  # also in the version that was written for him
    assert "Antonio Nuovo" in read(old)


@pytest.mark.parametrize("address", ["/clubs/none/", "/rankings/none/", "/players/", "/clubs/lanterna/rankings/none/"])
def test_what_is_not_there_is_not_found(client, address):
    create_club(SYSTEM, slug="lanterna", name="Lanterna")
    assert client.get(f"{address}{uuid4()}/" if address == "/players/" else address).status_code == 404


def test_staff_see_how_to_correct_and_others_do_not(client, read):
    (row,) = in_turn(FIVE)
    address = page_of(person(row, "p1"))
    assert "Merge with another" not in read(address)
    reader = User.objects.create_user("rita", "Rita", "correct horse battery")
    client.force_login(reader)
    assert "Merge with another" not in read(address)
    grant_role(SYSTEM, person=reader.pk, scope=house_scope().pk, role=ADMIN)
    assert "Merge with another" in read(address)
    assert reverse("erase_person", args=[person(row, "p1").pk]) in client.get(address).content.decode()


# What is not published


def test_an_unpublished_tournament_is_nowhere(client, read):
    create_club(SYSTEM, slug="lanterna", name="Lanterna")
    first, _second = in_turn(FIVE, FIVE)
    known = {code: person(first, code).pk for code in FIVE[:4]}
    secret = imported(championship(43, ("p2", "p1", "p3", "p4", "new"), name="Secret"), people=known, publish=False)
    imported(championship(3, series="coppa", name="Secret cup"), club="lanterna", publish=False)
    new = person(secret, "new")
    addresses = [reverse(name) for name in ("home", "calendar", "players", "clubs", "rankings")]
    addresses += [page_of(person(first, "p1")), reverse("club", args=["lanterna"]), reverse("series", args=["world"])]
    for address in [*addresses, f"{reverse('calendar')}?q=secret"]:
        words = read(address)
        assert "Secret" not in words.replace("secret”", ""), address
        assert "Player new" not in words, address
        assert "coppa" not in words, address
        assert "43" not in words, address
    assert client.get(page_of(new)).status_code == 404
    assert client.get(reverse("club_series", args=["lanterna", "coppa"])).status_code == 404
    assert client.get(f"{reverse('series', args=['world'])}?edition=43").status_code == 404
    in_turn(FIVE, first=44)  # a later edition does not count it either
    assert "41, 42, 44" in read(reverse("series", args=["world"]))
    publish(secret)
    assert "42, 43, 44" in read(reverse("series", args=["world"]))
    assert "Player new" in read(reverse("players"))
    assert client.get(page_of(new)).status_code == 200


def test_an_earlier_edition_published_late_makes_no_ranking_of_one_that_is_not(read):
    early, _late = in_turn(FIVE, FIVE, publish=False)
    publish(early)
    words = read(reverse("series", args=["world"]))
    assert "After edition 41" in words
    assert Snapshot.objects.count() == 1
