"""After a change every public page, table and file shows it: nothing old comes out of any cache."""

import pytest

from core.valkey import client as valkey
from players.actor import SYSTEM
from players.models import User
from tests.tournaments.crawl import crawl
from tests.tournaments.rows import WORLD_2001, WORLD_2007, first_hand, imported, other_hand
from tournaments.models import Tournament
from tournaments.queries.tournament import view_at
from tournaments.services.demo import load_demo
from tournaments.services.people import anonymise_person, correct_person, merge_people
from tournaments.services.results import correct_result

pytestmark = pytest.mark.django_db


@pytest.fixture
def house():
    """Pages of a house with two world championships, in which P01 of the one is not yet known to be P01 of the other."""
    valkey().flushdb()
    imported(WORLD_2001)
    imported(WORLD_2007)
    return crawl()


def fresh():
    """All pages without any memory of earlier ones."""
    valkey().flushdb()
    view_at.cache_clear()
    return crawl()


def changed(before):
    """Paths whose body is another than before the change; each page is as if it had never been kept."""
    now = crawl()
    anew = fresh()
    assert now.keys() == anew.keys()
    stale = [path for path in now if now[path] != anew[path]]
    assert stale == []
    return {path for path in now if now[path] != before.get(path)}


def correct(slug, stage=1, heat=1):
    tournament = Tournament.objects.get(slug=slug)
    hand = first_hand(tournament, stage, heat)
    correct_result(
        SYSTEM,
        tournament.pk,
        stage=stage,
        heat=heat,
        entry=other_hand(hand, made=hand.made - 1 if hand.made == 120 else hand.made + 1),
        version=tournament.version,
        key="k",
    )


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


def test_a_corrected_name_is_on_every_page_that_shows_it(house):
    row = User.objects.get(entrants__code="P15")
    correct_person(SYSTEM, row.pk, name="Zeynep Aaltonen", hidden=False, version=row.version, key="k")
    paths = changed(house)
    assert f"/players/{row.pk}/" in paths
    assert "/tournaments/xxvi-world-championship-2007/ranking/" in paths


def test_a_merge_and_an_erasure_are_on_every_page_that_shows_them(house):
    stays, gone = User.objects.filter(entrants__code="P01").order_by("entrants__tournament__edition")
    merge_people(SYSTEM, gone=gone.pk, stays=stays.pk, key="k")
    assert {f"/players/{stays.pk}/", "/rankings/world/"} <= changed(house)
    erased = User.objects.get(entrants__code="P15")
    correct_person(SYSTEM, erased.pk, name="Zeynep Aaltonen", hidden=False, version=erased.version, key="k")
    before = crawl()
    anonymise_person(SYSTEM, erased.pk, key="k")
    changed(before)
    assert not [path for path, body in crawl().items() if "Aaltonen" in body]


def test_pages_can_be_read_without_any_cache(house, monkeypatch):
    from core.web import fragments

    class Away:
        def get(self, _key):
            raise fragments.RedisError

        def set(self, *_args, **_options):
            raise fragments.RedisError

    monkeypatch.setattr(fragments, "client", Away)
    assert crawl() == house
