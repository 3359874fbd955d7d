"""The pages of one tournament: what is not there, who may see what, and what they cost."""

import json
import re

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from core.canonical import canonical, digest
from core.valkey import client as valkey
from players.actor import SYSTEM
from players.models import User
from players.rules.rights import ORGANISER
from players.services import grant_role
from tests.tournaments.files import by_place, hands_heat, stage, tournament_file
from tests.tournaments.reading import LARGEST, PARTS, pages_of, table, words
from tests.tournaments.rows import WORLD_2007, imported, unlock
from tournaments.exchange.generator import generate_tournament
from tournaments.models import Publication, Tournament
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
        "stages/9/?page=2",
        "stages/2/repechage/?page=2",
        "versions/7/?page=2",
        "rulings/?article=%3Cb%3E",
        "rulings/?article=%00",
        "ranking/?page=%00",
    ],
)
def test_what_is_not_there_is_not_found(client, path):
    slug = imported(WORLD_2007).slug
    assert client.get(f"/tournaments/{slug}/{path}").status_code == 404
    assert client.get(f"/tournaments/{slug}x/{path}").status_code == 404


@pytest.mark.parametrize(
    "path", ["ranking/", "agp/", "rulings/", "stages/1/", "stages/1/repechage/", "versions/1/", "print/"]
)
def test_a_page_that_is_not_there_is_the_nearest_one_and_is_not_kept(html, client, path):
    row = imported(generate_tournament(3, 30, hands=1))
    address = f"/tournaments/{row.slug}/{path}"
    first, last = (
        re.search(r"<main.*</main>", client.get(f"{address}?page={n}").content.decode(), re.S)[0] for n in (1, 2)
    )
    kept = valkey().dbsize()
    for page in ("0", "-1", "x", "", "3.5", "9" * 5000):
        told = client.get(f"{address}?page={page}")
        assert told.status_code == 200, page
        assert first in told.content.decode(), page
    for page in ("3", "999999999999999999999", "٣"):
        told = client.get(f"{address}?page={page}")
        assert told.status_code == 200, page
        assert last in told.content.decode(), page
    assert valkey().dbsize() == kept


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
        answer = client.get(address)
    assert answer.status_code == 200, address
    assert len(answer.content) <= LARGEST, (address, len(answer.content))
    return len(caught)


def cost(client, heats):
    """Queries of each page, cold and then kept."""
    file = next(
        file
        for file in (generate_tournament(seed, heats, hands=3) for seed in range(50))
        if file["stages"][-1]["kind"] == "second_final" and "hands" in file["stages"][0]["heats"][0]
    )
    slug = imported(file | {"tournament": file["tournament"] | {"series": "world"}}).slug
    pages = [(part, slug) for part in PARTS] + [("stage", slug, 1), ("repechage", slug, 1), ("heat", slug, 1, 1)]
    client.get(reverse("rules"))
    return {name: cold_and_kept(client, reverse(name, args=args)) for name, *args in pages}


def cold_and_kept(client, address):
    """Queries of a page that nobody has asked for, and of the same page once more."""
    valkey().flushdb()
    view_at.cache_clear()
    return queries(client, address), queries(client, address)


def test_a_long_tournament_asks_no_more_than_a_short_one(client):
    few, some, many = (cost(client, heats) for heats in (2, 3, 30))
    assert few == some == many
    kept = {name: warm for name, (_, warm) in many.items()}
    assert kept == dict.fromkeys(kept, 1) | {"agp": 2}


def with_heats(count):
    """So many heats, or one more: with 301 a place of the next stage is left over for the repechage of them all."""
    file = generate_tournament({1: 2, 3: 0, 300: 2}[count], count + count // 300, hands=1)
    return imported(file), ["stages/1/", "stages/1/repechage/", "ranking/", "agp/", "print/"]


def with_rulings(count):
    hand = {"caller": "a", "called": "b", "bid": 80, "made": 70, "ruling": {"kind": "suicidal_call"}}
    return imported(tournament_file(stage(hands_heat("A", "abcde", [hand] * count)))), ["rulings/"]


def with_versions(count):
    """All of them but the first are written by hand: a correction for each would take a minute."""
    row = imported(tournament_file(stage(by_place("A", "abcde")), venue="Venue 1", name=f"Of {count} versions"))
    first = row.publications.get()
    Publication.objects.bulk_create(version_of(row, first, number) for number in range(2, count + 1))
    Tournament.objects.filter(pk=row.pk).update(published=count, version=count + 1)
    return row, ["versions/", "versions/1/"]


def version_of(row, first, number):
    told = json.loads(first.facts)
    told["tournament"]["venue"] = f"Venue {number}"
    return Publication(
        tournament=row,
        version=number,
        content_hash=digest(told),
        at=first.at,
        reason="another venue",
        facts=canonical(told),
        result=first.result,
        audit_number=first.audit_number,
        audit_hash=first.audit_hash,
    )


@pytest.mark.parametrize("grown", [with_heats, with_rulings, with_versions])
def test_lists_ask_as_often_for_one_as_for_three_hundred(client, grown):
    """Cold and kept; no page is a heavy one, and the second page of a list costs what the first one does."""
    client.get(reverse("rules"))
    told = []
    for count in (1, 3, 300):
        row, pages = grown(count)
        addresses = [f"/tournaments/{row.slug}/{page}" for page in pages]
        told.append([cold_and_kept(client, address) for address in addresses])
    assert told[0] == told[1] == told[2]
    long = [at for at, address in enumerate(addresses) if 'rel="next"' in client.get(address).content.decode()]
    assert long
    assert [cold_and_kept(client, f"{addresses[at]}?page=2") for at in long] == [told[2][at] for at in long]


def test_lists_hold_what_the_last_test_says(html, client):
    row, _ = with_heats(300)
    outcome = tournament_for_page(SYSTEM, row.slug).outcome
    counts = len(outcome.final_ranking), len(outcome.agp_after), len(outcome.stages[0].qualification.candidates)
    assert min(*counts, len(outcome.stages[0].matches)) >= 300
    row, _ = with_rulings(300)
    assert "300 cases" in words(html("rulings", row.slug))


def test_versions_are_paged_and_only_those_shown_are_read(html):
    row, _ = with_versions(300)
    pages = [html("versions", row.slug, query=f"?page={number}") for number in range(1, 16)]
    shown = [int(number) for page in pages for number in re.findall(r'id="version-(\d+)"', page)]
    assert shown == list(range(300, 0, -1))
    assert [page.count("1 difference<") for page in pages] == [20] * 14 + [19]
    unlock("tournaments_publication")
    Publication.objects.filter(tournament=row, version__lt=280).update(facts="not to be read")
    valkey().flushdb()
    assert words(html("versions", row.slug)) == words(pages[0])
    assert "Venue: Venue 300 instead of Venue 299" in words(html("version", row.slug, 300))


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


def test_a_sheet_of_fifty_hands_is_a_light_page(html):
    hand = {"caller": "a", "called": "b", "bid": 80, "made": 70}
    judged = hand | {"ruling": {"kind": "disloyal_raise", "admitted": False}}
    slug = imported(tournament_file(stage(hands_heat("A", "abcde", [hand] * 45 + [judged] * 5)))).slug
    page = html("heat", slug, 1, 1)
    assert len(re.findall(r'id="line-\d+"', page)) == 50
    assert len(page.encode()) <= LARGEST
