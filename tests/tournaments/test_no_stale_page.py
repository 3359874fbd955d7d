"""After a change every public page, table and file shows it: nothing old comes out of any cache."""

import gzip

import pytest
from django.db import transaction

from core.valkey import client as valkey
from players.actor import SYSTEM
from players.models import User
from scoring.models import Sheet
from tests.tournaments.crawl import crawl
from tests.tournaments.rows import WORLD_2001, WORLD_2007, first_hand, imported, other_hand
from tournaments.models import Series, Tournament
from tournaments.queries.tournament import stamp_of, tournament_for_page, view_at
from tournaments.services.demo import load_demo
from tournaments.services.people import anonymise_person, correct_person, merge_people
from tournaments.services.results import correct_result
from tournaments.web.printing import csv_of
from tournaments.web.prints import document_of, prints_of
from tournaments.web.prints_kept import kept_print, key_of, make_print

pytestmark = pytest.mark.django_db


@pytest.fixture
def house():
    """Pages of a house with two world championships, in which P01 of the one is not yet known to be P01 of the other."""
    valkey().flushdb()
    imported(WORLD_2001)
    imported(WORLD_2007)
    return crawl()


def fresh(**where):
    """All pages without any memory of earlier ones."""
    valkey().flushdb()
    view_at.cache_clear()
    return crawl(**where)


def changed(before, **where):
    """The pages whose body is another than before the change; every page is as if none had ever been kept."""
    now = crawl(**where)
    anew = fresh(**where)
    assert now.keys() == anew.keys()
    stale = [path for path in now if now[path] != anew[path]]
    assert stale == []
    return {path: body for path, body in now.items() if body != before.get(path)}


def correct(slug, by=1, stage=1, heat=1):
    """The first hand of a heat made so many card points more."""
    tournament = Tournament.objects.get(slug=slug)
    hand = first_hand(tournament, stage, heat)
    correct_result(
        SYSTEM,
        tournament.pk,
        stage=stage,
        heat=heat,
        entry=other_hand(hand, made=hand.made + by),
        version=tournament.version,
        key="k",
    )


def rename(code, name):
    row = User.objects.get(entrants__code=code)
    correct_person(SYSTEM, row.pk, name=name, hidden=False, version=row.version, key="k")
    return row


def test_the_pages_of_the_demonstration_can_all_be_read():
    load_demo()
    assert len(crawl()) > 150


def test_one_changed_hand_is_on_every_page_that_shows_it(house):
    slug = Tournament.objects.get(name__contains="2007").slug
    correct(slug)
    paths = changed(house)
    own = f"/tournaments/{slug}/"
    for path in (own, f"{own}stages/1/heats/1/", f"{own}rulings/", f"{own}versions/", f"{own}file.json"):
        assert path in paths
    others = [path for path in paths if path.startswith("/tournaments/") and not path.startswith(own)]
    assert [path for path in others if "/tournaments/?" not in path and path != "/tournaments/"] == []


def test_one_changed_hand_is_on_every_print_that_shows_it():
    valkey().flushdb()
    slug = imported(WORLD_2007).slug
    before, kept = documents(slug), kept_prints(slug)
    correct(slug)
    now, kept_now = documents(slug), kept_prints(slug)
    view_at.cache_clear()
    assert now == documents(slug)
    assert kept_now == {word: csv_of(document) for word, document in now.items()}
    assert {word for word in now if now[word].blocks != before[word].blocks} >= {"everything", "heat-1-1"}
    assert {word for word in now if kept_now[word] != kept[word]} >= {"everything", "heat-1-1"}
    assert all("versione 2" in document.footer for document in now.values())


def documents(slug):
    """Every print of a tournament by its word, before it becomes a PDF or a CSV."""
    view = tournament_for_page(SYSTEM, slug)
    return {asked.word: document_of(view, asked, "it") for asked in prints_of(view)}


def kept_prints(slug):
    """The tables of all prints as a reader gets them after the heavy worker has made what was not there."""
    stamp = stamp_of(SYSTEM, slug).key
    found = {}
    for word in documents(slug):
        make_print(slug, word, "csv", "it", stamp)
        found[word] = gzip.decompress(kept_print(key_of(stamp, word, "csv", "it")).packed)
    return found


@pytest.mark.parametrize(
    ("lost", "instead"),
    [
        (lambda slug: correct(slug, 1), lambda slug: correct(slug, -1)),
        (lambda _: rename("P15", "Zeynep Aaltonen"), lambda _: rename("P15", "Zeynep Aalto")),
    ],
    ids=["hand", "name"],
)
def test_a_house_brought_back_from_a_copy_shows_nothing_of_the_history_that_was_lost(lost, instead):
    """The versions are the same numbers again, and what is kept outside of the database knows the other ones."""
    valkey().flushdb()
    slug = imported(WORLD_2007).slug
    own = f"/tournaments/{slug}/"
    copy = transaction.savepoint()
    lost(slug)
    before, prints, versions = crawl(own, within=own), kept_prints(slug), version_numbers()
    transaction.savepoint_rollback(copy)
    instead(slug)
    assert version_numbers() == versions
    assert kept_prints(slug) != prints
    paths = changed(before, start=own, within=own)
    assert f"{own}file.json" in paths
    assert [path for path in paths if "/stages/1/heats/" in path]


def version_numbers():
    return [sorted(model.objects.values_list("pk", "version")) for model in (Tournament, Sheet, Series, User)]


def test_a_corrected_name_is_on_every_page_that_shows_it(house):
    row = rename("P15", "Zeynep Aaltonen")
    paths = changed(house, skip=("/heats/", ".csv"))
    assert f"/players/{row.pk}/" in paths
    assert "/tournaments/xxvi-world-championship-2007/ranking/" in paths


def test_a_merge_and_an_erasure_are_on_every_page_that_shows_them(house):
    stays, gone = User.objects.filter(entrants__code="P01").order_by("entrants__tournament__edition")
    merge_people(SYSTEM, gone=gone.pk, stays=stays.pk, key="k")
    merged = changed(house)
    assert {f"/players/{stays.pk}/", "/rankings/world/"} <= merged.keys()
    erased = User.objects.get(entrants__code="P15")
    told = {path for path, body in (house | merged).items() if erased.display_name in body}
    assert len(told) > 5
    anonymise_person(SYSTEM, erased.pk, key="k")
    now = changed(house | merged)
    assert told <= now.keys()
    assert not [path for path, body in now.items() if erased.display_name in body]


def test_pages_can_be_read_without_any_cache(house, monkeypatch):
    from core.web import fragments

    class Away:
        def get(self, _key):
            raise fragments.RedisError

        def set(self, *_args, **_options):
            raise fragments.RedisError

    monkeypatch.setattr(fragments, "client", Away)
    assert crawl() == house
