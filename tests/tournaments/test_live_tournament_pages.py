"""The pages of a tournament while it is played: each of them in each phase of its day."""

import re

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from core.valkey import client as valkey
from players.actor import SYSTEM
from players.models import User
from players.rules.rights import ORGANISER
from players.services import create_club, grant_role
from tests.tournaments.crawl import crawl
from tests.tournaments.day_rows import PHASES, SUSPENDED, Day, ring
from tests.tournaments.reading import LARGEST, PARTS, words
from tournaments.queries.tournament import view_at
from tournaments.services import finals

pytestmark = pytest.mark.django_db

ALL = (*PARTS, "hall", "draw", "prints", "tournament_file")
TIMES = re.compile(r"[0-2]?[0-9]:[0-5][0-9]|[0-9]+ ?(min|minute|sec|hour)|datetime=\"[^\"]*T")


@pytest.fixture
def browsers():
    """Somebody who has nothing to do with it, and who runs it."""

    def of(day):
        staff = Client(headers={"accept-language": "en"})
        staff.force_login(User.objects.get(pk=day.organiser.person))
        return Client(headers={"accept-language": "en"}), staff

    return of


def statuses(browser, slug, names=ALL):
    return {name: browser.get(reverse(name, args=[slug])).status_code for name in names}


def test_every_page_in_every_phase(browsers):
    day = Day()
    stranger, staff = browsers(day)
    for phase in PHASES:
        day.reach(phase)
        secret = phase in PHASES[:3]
        playing = phase in ("announced", "running", "finals open")
        assert statuses(staff, day.slug) == dict.fromkeys(ALL, 200), phase
        seen = dict.fromkeys(ALL, 404 if secret else 200)
        assert statuses(stranger, day.slug) == seen | ({"tournament_file": 403} if playing else {}), phase
        for number in (1, 2, 4):
            for name, args in (("stage", [number]), ("repechage", [number]), ("heat", [number, 1])):
                status = stranger.get(reverse(name, args=[day.slug, *args])).status_code
                assert status == expected(phase, name, number), (phase, name, number)
        version = stranger.get(reverse("version", args=[day.slug, 1])).status_code
        assert version == (200 if phase == "published" else 404), phase
        for what in ("everything", "ranking", "agp", "repechage-1", "heat-1-1", "heat-2-1"):
            status = stranger.get(reverse("print", args=[day.slug, what, "csv"])).status_code
            assert status in ((404,) if secret or not printed(phase, what) else (200, 202)), (phase, what)


def expected(phase, name, number):
    """The status of a page of stage `number`: closed stages have all of them, open ones the first, and a way on."""
    closed = {"heats closed": 1, "finals open": 1, "finals closed": 3, "published": 3}.get(phase, 0)
    open_ = {"announced": (1,), "running": (1,), "finals open": (2, 3)}.get(phase, ())
    if number in open_:
        return {"stage": 200, "heat": 302, "repechage": 404}[name]
    return 200 if number <= closed and (name != "repechage" or number == 1) else 404


def printed(phase, what):
    over = phase in ("finals closed", "published")
    after = phase in ("heats closed", "finals open") or over
    there = {"everything": True, "agp": over, "ranking": over, "heat-2-1": over}
    return there.get(what, after)


def test_the_house_lists_what_is_played_once_it_is_announced(html):
    day = Day(phase="drafted")
    for name in ("home", "calendar"):
        assert "Coppa del Molo" not in html(name)
    day.reach("announced")
    for name in ("home", "calendar"):
        listed = words(html(name))
        assert "Being played" in listed
        assert "November 28, 2026" in listed
        assert "Coppa del Molo Sala del Molo" in listed
        assert "10 entrants Hall screen qualifying heats" in listed
    day.reach("heats closed")
    assert "the heats are over" in words(html("home"))
    day.reach("finals open")
    assert "Hall screen finals" in words(html("home"))
    day.reach("published")
    assert "Being played" not in words(html("home"))
    assert "Coppa del Molo" in words(html("home"))


def test_a_tournament_of_a_club_is_listed_by_its_club(html):
    create_club(SYSTEM, slug="molo", name="Circolo del Molo")
    create_club(SYSTEM, slug="altro", name="Altro")
    Day(club="molo", phase="announced")
    assert "Coppa del Molo" in words(html("club", "molo"))
    assert "Coppa del Molo" not in words(html("club", "altro"))


def test_the_page_of_a_running_tournament(html):
    day = Day(15, phase="running")
    page = words(html("tournament", day.slug))
    assert "Being played: Qualifying heats" in page
    assert "provisional" in page
    assert "Centrale suspended · 2 hands" in page
    assert "Centralino being played · 1 hand" in page
    assert "Table 3 not started · seats not drawn yet" in page
    assert "Entrants Player 00 Player 01" in page
    assert "Final ranking" in page
    assert "There is no final ranking before the final is played." in words(html("ranking", day.slug))
    assert SUSPENDED not in page
    first = html("tournament", day.slug)
    assert reverse("draw", args=[day.slug]) in first
    assert reverse("match", args=[day.heats()[0].sheet_id]) in first
    assert reverse("tournament_file", args=[day.slug]) not in first


def test_a_hand_and_a_bell_show_at_once(html):
    day = Day(phase="running")
    html("tournament", day.slug)
    day.play(day.heats()[1].sheet_id, first=2, hands=1)
    assert "Centralino being played · 2 hands" in words(html("tournament", day.slug))
    ring(day.heats()[1].sheet_id)
    assert "Centralino the bell has rung · 2 hands" in words(html("tournament", day.slug))
    assert "2 hands · the bell has rung" in words(html("hall", day.slug))


def test_closed_stages_and_open_finals_stand_on_one_page(html):
    day = Day(phase="finals open")
    page = words(html("tournament", day.slug))
    assert "Being played: Final · Second final" in page
    assert "Qualifying heats" in page
    assert "Waiting for: Final" in words(html("ranking", day.slug))
    stage = words(html("stage", day.slug, 2))
    assert "At the tables provisional These matches are not closed yet" in stage


def test_a_substitution_before_the_final_is_told_with_its_article(html):
    day = Day(phase="heats closed")
    leaves = day.code_of(day.row.stages.get(number=1).heats.get(number=1).sheet.seats.get(number=0).person_id)
    day.do(finals.withdraw, player=leaves, target="final")
    page = html("repechage", day.slug, 1)
    assert 'href="/rules/#S8"' in page
    assert re.search("[12] substitutions?", words(html("tournament", day.slug)))


def test_no_page_tells_a_time(browsers):
    """S9: the date of the day and nothing else; no header that changes with the clock or with what staff does."""
    day = Day(15)
    for phase in ("running", "heats closed", "finals open"):
        day.reach(phase)
        stranger, _ = browsers(day)
        named = [(name, day.slug) for name in ALL if (name, phase) != ("tournament_file", "heats closed")]
        for name, slug in [*named, ("home", ""), ("calendar", "")]:
            answer = stranger.get(reverse(name, args=[slug] if slug else []))
            body = re.search(r"<main.*</main>", answer.content.decode(), re.DOTALL)
            if name != "tournament_rules":  # how long a match lasts is a rule; when it began stands nowhere
                told = re.sub(r"csrfmiddlewaretoken[^>]*", "", body[0]) if body else ""
                assert not TIMES.search(told), (phase, name)
            assert not {"Date", "Last-Modified", "Expires", "ETag"} & set(answer.headers), (phase, name)
        answer = stranger.get(reverse("print", args=[day.slug, "everything", "csv"]))
        assert "ETag" not in answer.headers


def test_links_of_a_running_tournament_lead_somewhere():
    day = Day(phase="finals open")
    here = reverse("tournament", args=[day.slug])
    pages = crawl(here, within=here, language="en", skip=("/print/", "file.json"))
    assert len(pages) > 12
    people = set(re.findall(r'href="(/players/[0-9a-f-]{36}/)', "".join(pages.values())))
    assert people
    assert {Client().get(person).status_code for person in people} == {200}


@pytest.mark.parametrize("name", ["tournament", "hall"])
def test_a_page_costs_the_same_for_any_number(name, client):
    """P6: cold and kept, with two tables and with sixty."""

    def cost(day):
        costs = []
        for clear in (True, False):
            if clear:
                valkey().flushdb()
                view_at.cache_clear()
            with CaptureQueriesContext(connection) as caught:
                answer = client.get(reverse(name, args=[day.slug]))
            assert answer.status_code == 200
            assert len(answer.content) <= LARGEST
            costs.append(len(caught))
        return costs

    few, many = Day(10, phase="running"), Day(300, phase="announced", name="Grande")
    assert cost(few) == cost(many)
    assert cost(few)[1] <= 3


def test_where_he_plays_he_is_a_player(browsers):
    """An organiser who sits in an open stage has the file of it as little as anybody."""
    day = Day(phase="announced")
    player = day.person_at(day.heats()[0].sheet_id)
    grant_role(SYSTEM, person=player, scope=day.row.scope_id, role=ORGANISER)
    browser = Client()
    browser.force_login(User.objects.get(pk=player))
    assert browser.get(reverse("tournament_file", args=[day.slug])).status_code == 403
    day.reach("running").reach("heats closed")
    assert browser.get(reverse("tournament_file", args=[day.slug])).status_code == 200
