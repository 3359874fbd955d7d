"""The pages of one tournament: what is not there, who may see what, and what they cost."""

import re

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from core.valkey import client as valkey
from players.actor import SYSTEM
from players.models import User
from players.rules.rights import ORGANISER
from players.services import grant_role
from tests.tournaments.files import hands_heat, stage, tournament_file
from tests.tournaments.reading import LARGEST, PARTS, pages_of, table
from tests.tournaments.rows import WORLD_2007, imported
from tournaments.exchange.generator import generate_tournament
from tournaments.queries.tournament import tournament_for_page, view_at

pytestmark = pytest.mark.django_db


# Who may see what


@pytest.mark.parametrize(
    "path",
    [
        "stages/9/",
        "stages/0/",
        "stages/1/heats/99/",
        "stages/1/heats/0/",
        "stages/99999999999999999999999/heats/1/",
        "stages/2/repechage/",
        "stages/9/repechage/",
        "versions/7/",
        "ranking/?page=2",
        "ranking/?page=0",
        "ranking/?page=x",
        "ranking/?page=٣",
        "stages/1/?page=2",
        "agp/?page=99999999",
        "rulings/?article=%3Cb%3E",
        "versions/1/?page=2",
    ],
)
def test_what_is_not_there_is_not_found(client, path):
    slug = imported(WORLD_2007).slug
    assert client.get(f"/tournaments/{slug}/{path}").status_code == 404
    assert client.get(f"/tournaments/{slug}x/{path}").status_code == 404


def test_an_unpublished_tournament_is_for_its_staff_alone(client):
    row = imported(WORLD_2007, publish=False)
    pages = [page for page in pages_of(row.slug) if page[0] != "version"]
    assert {client.get(reverse(name, args=args)).status_code for name, *args in pages} == {404}
    organiser = User.objects.create_user("organiser", "Olga")
    grant_role(SYSTEM, person=organiser.pk, scope=row.scope_id, role=ORGANISER)
    client.force_login(organiser)
    assert {client.get(reverse(name, args=args)).status_code for name, *args in pages} == {200}
    assert (
        "not published yet"
        in client.get(reverse("tournament", args=[row.slug]), headers={"accept-language": "en"}).content.decode()
    )
    client.logout()
    assert {client.get(reverse(name, args=args)).status_code for name, *args in pages} == {404}


def test_pages_only_answer_to_being_read(client):
    slug = imported(WORLD_2007).slug
    assert {client.post(reverse(part, args=[slug])).status_code for part in PARTS} == {405}


# Cost


def queries(client, address):
    with CaptureQueriesContext(connection) as caught:
        assert client.get(address).status_code == 200
    return len(caught)


def cost(client, heats):
    """Queries of each page, cold and then kept."""
    file = next(
        file
        for file in (generate_tournament(seed, heats, hands=3) for seed in range(50))
        if file["stages"][-1]["kind"] == "second_final" and "hands" in file["stages"][0]["heats"][0]
    )
    slug = imported(file | {"tournament": file["tournament"] | {"series": "world"}}).slug
    found = {}
    pages = [(part, slug) for part in PARTS] + [("stage", slug, 1), ("repechage", slug, 1), ("heat", slug, 1, 1)]
    client.get(reverse("rules"))
    for name, *args in pages:
        address = reverse(name, args=args)
        valkey().flushdb()
        view_at.cache_clear()
        found[name] = queries(client, address), queries(client, address)
    return found


def test_a_long_tournament_asks_no_more_than_a_short_one(client):
    few, some, many = (cost(client, heats) for heats in (2, 3, 30))
    assert few == some == many
    kept = {name: warm for name, (_, warm) in many.items()}
    assert kept == dict.fromkeys(kept, 1) | {"agp": 2}


@pytest.mark.slow
def test_the_pages_of_a_thousand_players_are_light_and_hold_everybody(html, client):
    file = generate_tournament(3, 200, hands=2)
    row = imported(file)
    for page in [each for each in pages_of(row.slug) if each[0] != "heat"]:
        assert len(html(*page).encode()) <= LARGEST, page
    ranking = tournament_for_page(SYSTEM, row.slug).outcome.final_ranking
    pages = -(-len(ranking) // 100)
    found = [table(html("ranking", row.slug, query=f"?page={page}"), "ranking") for page in range(1, pages + 1)]
    places = [line[0] for lines in found for line in lines]
    assert places == [str(place) for place in range(1, len(ranking) + 1)]
    heats = [html("stage", row.slug, 1, query=f"?page={page}") for page in range(1, 15)]
    assert sum(len(re.findall(r'<table class="table" id="heat-', page)) for page in heats) == 200
    assert max(len(page.encode()) for page in heats) <= LARGEST
    assert client.get(reverse("stage", args=[row.slug, 1]) + "?page=15").status_code == 404


def test_a_sheet_of_fifty_hands_is_a_light_page(html):
    hand = {"caller": "a", "called": "b", "bid": 80, "made": 70}
    judged = hand | {"ruling": {"kind": "disloyal_raise", "admitted": False}}
    slug = imported(tournament_file(stage(hands_heat("A", "abcde", [hand] * 45 + [judged] * 5)))).slug
    page = html("heat", slug, 1, 1)
    assert len(re.findall(r'id="line-\d+"', page)) == 50
    assert len(page.encode()) <= LARGEST
