"""Pages before the draw: a form that keeps what was typed, a list that shows who comes in, a desk with a counter."""

import re
from html import unescape
from urllib.parse import parse_qs, urlsplit
from uuid import uuid4

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse

from core.valkey import client as valkey
from players.actor import SYSTEM
from players.models import User
from players.rules.rights import CLUB_ORGANISER
from players.services import create_club, create_people, grant_role
from tests.tournaments.rows import WORLD_2001, imported
from tests.tournaments.uploading import everything, staff
from tournaments.models import Entrant, Stage, Tournament
from tournaments.services import entering, uploads

pytestmark = pytest.mark.django_db

FORM = {
    "place": "circolo",
    "name": "Coppa",
    "series": "coppa",
    "edition": "2",
    "date": "2026-12-05",
    "venue": "Rimini",
    "match_minutes": "90",
    "seeds_per_heat": "1",
    "second_final": "on",
    "second_final_minutes": "60",
    "bell_120": "in_progress_when_called",
    "knock_ms": "2000",
    "min_bid": "61",
    "disloyal_above": "72",
    "disloyal_points": "50, 70, 100",
    "suicidal_points": "200",
    "suicidal_ledger": "-1",
    "offence_scope": "match",
    "judge_mode": "players",
    "recorders": "both",
    "tie_chain": "hands_won golden_call agp lot",
    "key": "k",
}


@pytest.fixture(autouse=True)
def _empty_valkey():
    valkey().flushdb()


@pytest.fixture
def desk():
    """A browser of an organiser of the club, and a tournament of it with three entrants."""
    browser, _person = staff()
    row = made("Coppa")
    enter(row, "Ada Arrigoni", "Bea Bassi", "Çağla Işık")
    return browser, row


def made(name):
    told = {"name": name, "series": "coppa", "edition": None, "date": None, "venue": "", "rules": {}}
    answer = entering.create_tournament(SYSTEM, club="circolo", **told, key=uuid4().hex)
    return Tournament.objects.get(slug=answer["slug"])


def enter(row, *people):
    for person in people:
        entering.enter_player(SYSTEM, row.pk, person=person, club="Ancora", key=uuid4().hex)


def at(row, name, query=""):
    return reverse(name, args=[row.slug]) + query


def words(answer):
    main = re.search(r"<main.*</main>|.*", answer.content.decode(), re.DOTALL)[0]
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", main)).split())


def names(row):
    return list(Entrant.objects.filter(tournament=row).order_by("entry").values_list("name", flat=True))


# The form


def test_an_organiser_makes_a_tournament_and_goes_on_to_its_entries():
    browser, _person = staff()
    html = browser.get(reverse("new_tournament")).content.decode()
    assert html.count('name="place"') == 1
    assert '<option value=""' not in html  # the house itself: there he may not
    first = browser.post(reverse("new_tournament"), FORM)
    assert (first.status_code, first.url) == (302, reverse("entries", args=["coppa-2026"]))
    assert browser.post(reverse("new_tournament"), FORM).url == first.url  # a double click
    row = Tournament.objects.get()
    assert row.rules == {"match_minutes": 90, "second_final_minutes": 60}
    assert (row.club.slug, row.edition, str(row.date)) == ("circolo", 2, "2026-12-05")


@pytest.mark.parametrize("made", [False, True])
def test_a_second_final_that_is_too_short_is_refused_beside_its_field_and_all_values_come_back(made, desk):
    browser, row = desk
    address = at(row, "tournament_settings") if made else reverse("new_tournament")
    before = everything()
    form = FORM | {"second_final_minutes": "44", "name": "Coppa «Ö»", "judge_mode": "referee", "confirm_hands": "on"}
    answer = browser.post(address, form)
    html = unescape(answer.content.decode())
    assert answer.status_code == 422
    error = re.search(r'id="id_second_final_minutes_error".*?</p>', html, re.DOTALL)[0]
    assert "half of a match, 45 minutes, is the least" in error
    assert f'href="{reverse("rules")}#S9"' in error
    for name in ("name", "series", "edition", "date", "venue", "match_minutes", "second_final_minutes"):
        assert re.search(rf'name="{name}"[^>]* value="{re.escape(form[name])}"|value="{re.escape(form[name])}"[^>]* name="{name}"', html), name  # fmt: skip
    assert '<option value="referee" selected>' in html
    assert re.search(r'name="confirm_hands"[^>]*checked', html)
    assert everything() == before


@pytest.mark.parametrize(
    ("told", "sentence"),
    [
        ({"disloyal_points": "50, x"}, "whole numbers with commas"),
        ({"min_bid": "121"}, "must be from 1 to 120"),
        ({"tie_chain": "lot agp"}, "Select a valid choice"),
        ({"name": ""}, "This field is required"),
        ({"edition": "0"}, "greater than or equal to 1"),
        ({"date": "5.12."}, "Enter a valid date"),
    ],
)
def test_what_cannot_be_is_told_and_nothing_is_made(told, sentence):
    browser, _person = staff()
    answer = browser.post(reverse("new_tournament"), FORM | told)
    assert (answer.status_code, sentence in words(answer)) == (422, True)
    folded = re.search(r'<details class="disclosure"( open)?', answer.content.decode().replace(" >", ">"))
    assert bool(folded[1]) == (not {"name", "edition", "date"} & told.keys())
    assert not Tournament.objects.exists()


def test_without_a_second_final_its_minutes_do_not_matter():
    browser, _person = staff()
    form = {name: value for name, value in FORM.items() if name != "second_final"} | {"second_final_minutes": "1"}
    assert browser.post(reverse("new_tournament"), form).status_code == 302
    assert Tournament.objects.get().rules == {"match_minutes": 90, "second_final": False}


def test_settings_can_be_changed_until_the_draw_is_published(desk):
    browser, row = desk
    form = FORM | {"name": "Coppa d'inverno", "match_minutes": "120", "second_final_minutes": ""}
    assert browser.post(at(row, "tournament_settings"), form).status_code == 302
    row.refresh_from_db()
    assert (row.name, row.rules, row.slug) == ("Coppa d'inverno", None, "coppa")
    html = browser.get(at(row, "tournament_settings")).content.decode()
    assert 'value="2026-12-05"' in html
    Stage.objects.create(tournament=row, number=1, kind="heats", state="open")
    late = browser.post(at(row, "tournament_settings"), form | {"key": "late"})
    assert (late.status_code, "The draw is published" in words(late)) == (422, True)
    page = browser.get(at(row, "tournament_settings"))
    assert "can no longer be changed" in words(page)
    assert 'name="name"' not in page.content.decode()


# The list


def key_of(answer):
    return re.search(r'name="key" value="([^".]*)', answer.content.decode())[1]


def test_a_name_is_looked_up_before_anybody_is_entered(desk):
    browser, row = desk
    world = imported(WORLD_2001)
    champion = Entrant.objects.get(tournament=world, place=1)
    page = browser.get(at(row, "entries", f"?q={champion.name}"))
    assert f'value="{champion.person_id}" required >' in page.content.decode()  # nobody by his name alone
    told = {"do": "enter", "q": champion.name, "club": "Ancora", "key": key_of(page)}
    unsaid = browser.post(at(row, "entries"), told)
    assert (unsaid.status_code, "Say who it is" in words(unsaid)) == (422, True)
    assert 'value="Ancora"' in unsaid.content.decode()
    assert browser.post(at(row, "entries"), told | {"who": str(champion.person_id)}).url == at(row, "entries", "?next")
    assert Entrant.objects.get(tournament=row, person=champion.person_id).code == "P04"
    again = browser.get(at(row, "entries", f"?q={champion.name}"))
    assert "is entered already, as P04" in words(again)
    assert str(champion.person_id) not in again.content.decode()
    twice = browser.post(at(row, "entries"), told | {"who": str(champion.person_id), "key": "other"})
    assert (twice.status_code, "entered already" in words(twice)) == (422, True)
    bad = browser.post(at(row, "entries"), told | {"who": "nobody", "key": "x"})
    assert bad.status_code == 422


def test_somebody_new_is_entered_with_one_more_tap_and_taken_out_again(desk):
    browser, row = desk
    page = browser.get(at(row, "entries", "?q=Dora"))
    assert re.search(r'value="new" required checked', page.content.decode())
    told = {"do": "enter", "q": "Dora", "who": "new", "key": key_of(page)}
    assert [browser.post(at(row, "entries"), told).status_code for _ in range(2)] == [302, 302]
    assert names(row)[3:] == ["Dora"]
    assert "4 entrants" in words(browser.get(at(row, "entries")))
    part = browser.get(at(row, "entries"), headers={"HX-Request": "true"})
    assert part.content.decode().lstrip().startswith('<section class="section"')
    gone = {"do": "remove", "code": "P04", "key": "gone"}
    assert browser.post(at(row, "entries"), gone).status_code == 302
    assert len(names(row)) == 3
    Stage.objects.create(tournament=row, number=1, kind="heats", state="open")
    page = browser.get(at(row, "entries"))
    assert "sits in no heat" in words(page)
    assert "Take out" not in words(page)
    assert browser.post(at(row, "entries"), {**gone, "code": "P01", "key": "late"}).status_code == 422


# A list of a club


def upload(browser, row, data, name="list.csv"):
    return browser.post(at(row, "entries_import"), {"file": SimpleUploadedFile(name, data)})


def form_of(page):
    html = page.content.decode()
    fields = dict(re.findall(r'<input type="hidden" name="(key|upload|letters|page)" value="([^"]*)"', html))
    return fields | dict(re.findall(r'<input type="radio" name="([^"]+)" value="([^"]+)" checked', html))


CSV = "Nome;Circolo\nBea Bassi;Ancora\n;Ancora\nDora D'Este;Bussola\nNicolò Rè;Forlì\n".encode("windows-1252")


def test_a_list_is_seen_row_by_row_before_anybody_is_entered_and_a_second_time_adds_nobody(desk):
    browser, row = desk
    before = everything()
    sent = upload(browser, row, CSV)
    page = browser.get(sent.url)
    told = words(page)
    assert everything() == before
    for sentence in ("2 are new", "0 may be known", "1 is in already", "1 row is bad", "as P02", "Row 3"):
        assert sentence in told
    assert "There is no name in this row." in told
    assert "Windows, western Europe (1252). The first row is a heading" in told
    for _ in range(2):
        assert browser.post(at(row, "entries_import"), form_of(page)).url == at(row, "entries")
    assert names(row)[3:] == ["Dora D'Este", "Nicolò Rè"]
    assert Entrant.objects.get(tournament=row, name="Nicolò Rè").club == "Forlì"
    again = browser.get(upload(browser, row, CSV).url)
    assert "Nobody is left to enter" in words(again)
    assert names(row)[3:] == ["Dora D'Este", "Nicolò Rè"]


def test_who_may_be_known_is_asked_and_nobody_comes_in_before_it_is_answered(desk):
    browser, row = desk
    stranger, member = (User.objects.create_user(f"u{at}", "Dora Rossi") for at in range(2))
    other = imported(WORLD_2001, club="circolo")
    home = Entrant.objects.get(tournament=other, place=1)
    data = f"Dora Rossi\n{home.name}\nDora Rossi\nEva\n".encode()
    page = browser.get(upload(browser, row, data).url)
    form = form_of(page)
    # The only one of his name who played in this club is proposed, a twin in the list is left out, Dora is nobody yet.
    assert {name: form.get(name) for name in ("who-1", "who-2", "who-3")} == {
        "who-1": None,
        "who-2": str(home.person_id),
        "who-3": "skip",
    }
    unsaid = browser.post(at(row, "entries_import"), form)
    assert "left" in unsaid.url
    assert "Say for each of these rows who it is" in words(browser.get(unsaid.url.partition("#")[0]))
    assert len(names(row)) == 3
    strange = browser.post(at(row, "entries_import"), form | {"who-1": str(uuid4())})
    assert strange.status_code == 404
    both = browser.post(at(row, "entries_import"), form | {"who-1": str(member.pk), "who-3": str(member.pk)})
    assert (both.status_code, "cannot be one person" in words(both)) == (422, True)
    done = browser.post(at(row, "entries_import"), form | {"who-1": str(member.pk), "who-3": "new"})
    assert done.url == at(row, "entries")
    people = dict(Entrant.objects.filter(tournament=row).values_list("code", "person"))
    assert people["P04"] == member.pk
    assert people["P05"] == home.person_id
    assert people["P06"] not in (member.pk, stranger.pk)
    assert names(row)[3:] == ["Dora Rossi", home.name, "Dora Rossi", "Eva"]
    assert "Nobody is left to enter" in words(browser.get(upload(browser, row, data).url))


def test_many_questions_are_asked_page_by_page_and_answers_are_kept(desk):
    browser, row = desk
    for at_ in range(30):
        User.objects.create_user(f"known{at_}", f"Known {at_}")
    page = browser.get(upload(browser, row, "\n".join(f"Known {at_}" for at_ in range(30)).encode()).url)
    form = form_of(page) | {f"who-{at_}": "new" for at_ in range(1, 26)}
    on = browser.post(at(row, "entries_import"), form | {"go": "2"})
    assert parse_qs(urlsplit(on.url).query)["page"] == ["2"]
    second = browser.get(on.url.partition("#")[0])
    form = form_of(second)
    assert "who-1" not in form
    left = browser.post(at(row, "entries_import"), form)
    assert parse_qs(urlsplit(left.url).query)["page"] == ["2"]
    done = browser.post(at(row, "entries_import"), form | {f"who-{at_}": "skip" for at_ in range(26, 31)})
    assert done.url == at(row, "entries")
    assert len(names(row)) == 3 + 25


def test_letters_are_read_as_somebody_says(desk):
    browser, row = desk
    sent = upload(browser, row, "Ad\nŞule Işık\n".encode("windows-1254"))
    assert "Şule Işık" in words(browser.get(sent.url))
    wrong = browser.get(f"{sent.url}&letters=windows-1252")
    assert "Þule Iþýk" in words(wrong)
    assert form_of(wrong)["letters"] == "windows-1252"
    assert browser.get(f"{sent.url}&letters=klingon").status_code == 200


@pytest.mark.parametrize(
    ("data", "status", "sentence"),
    [
        (b"PK\x03\x04", 422, "The workbook cannot be read"),
        (b"Nome\n", 422, "There is no player in this list"),
        (b"Ada\n" * 2001, 422, "more than 2000 rows"),
        (b"", 422, "The file is empty"),
        (b"x" * (5 * 1024 * 1024 + 1), 413, "at most 5 MB"),
    ],
)
def test_what_is_no_list_is_told_beside_the_field(desk, data, status, sentence):
    browser, row = desk
    answer = upload(browser, row, data)
    assert (answer.status_code, sentence in words(answer)) == (status, True)
    assert not list(valkey().scan_iter("upload:*"))


def test_an_upload_belongs_to_its_tournament_and_is_gone_after_a_while(desk):
    browser, row = desk
    token = parse_qs(urlsplit(upload(browser, row, b"Dora\n").url).query)["upload"][0]
    other = at(made("Altra"), "entries_import")
    assert browser.get(f"{other}?upload={token}").status_code == 404
    assert browser.post(other, {"upload": token, "key": "k"}).status_code == 404
    assert 0 < valkey().ttl(f"upload:{token}") <= uploads.KEEP
    valkey().delete(f"upload:{token}")
    gone = browser.get(at(row, "entries_import", f"?upload={token}"))
    assert (gone.status_code, "15 minutes have passed" in words(gone)) == (404, True)
    for _ in range(uploads.PER_MINUTE_STAFF):
        last = upload(browser, row, b"Dora\n")
    assert (last.status_code, last["Retry-After"]) == (429, "60")


# The desk


def test_a_tap_checks_in_and_the_counter_counts(desk):
    browser, row = desk
    page = browser.get(at(row, "check_in"))
    assert "0 / 3 are here" in words(page)
    html = page.content.decode()
    assert html.index("Ada") < html.index("Bea") < html.index("Çağla")
    keys = re.findall(r'name="key" value="([^"]+)"', html)
    assert len(set(keys)) == 3  # two taps one after the other are two commands
    told = {"code": "P02", "here": "1", "key": keys[1]}
    assert browser.post(at(row, "check_in"), told).url == at(row, "check_in", "#entrant-P02")
    part = browser.post(
        at(row, "check_in"), {"code": "P03", "here": "1", "key": keys[2], "q": "bea"}, headers={"HX-Request": "true"}
    )
    assert part.content.decode().lstrip().startswith('<div class="stack" id="check-in"')
    assert "2 / 3 are here" in words(part)
    assert "Ada" not in words(part)
    browser.post(at(row, "check_in"), {"code": "P03", "here": "0", "key": "back"})
    assert list(Entrant.objects.filter(tournament=row, present=True).values_list("code", flat=True)) == ["P02"]
    unknown = browser.post(at(row, "check_in"), {"code": "P99", "here": "1", "key": "x"})
    assert (unknown.status_code, "Nobody is entered with this code" in words(unknown)) == (422, True)


@pytest.mark.parametrize("sought", ["isik", "ANCORA cagla", "p03"])
def test_search_at_the_desk_forgives_letters_and_takes_codes(desk, sought):
    browser, row = desk
    told = words(browser.get(at(row, "check_in", f"?q={sought}")))
    assert "Çağla Işık" in told
    assert "Bea" not in told
    nobody = browser.get(at(row, "check_in", "?q=zz%26top"))
    assert at(row, "entries", "?q=zz%26top") in unescape(nobody.content.decode())


def test_a_badge_puts_its_entrant_on_top_with_one_button(desk):
    browser, row = desk
    html = browser.get(at(row, "check_in", "?badge=p02")).content.decode()
    badge = re.search(r'<section class="badge".*?</section>', html, re.DOTALL)[0]
    assert "Bea Bassi" in badge
    assert badge.count("<button") == 1
    answer = browser.post(at(row, "check_in"), {"code": "P02", "here": "1", "badge": "p02", "key": "k"})
    assert answer.url == at(row, "check_in", "?badge=p02#entrant-P02")
    assert "Not here" in browser.get(answer.url.partition("#")[0]).content.decode()
    assert "Nobody is entered with the code" in words(browser.get(at(row, "check_in", "?badge=P77")))


def test_absent_seeds_are_flagged(desk):
    browser, row = desk
    world = imported(WORLD_2001)
    champion = Entrant.objects.get(tournament=world, place=1)
    enter(row, champion.person_id, "Dora")
    told = words(browser.get(at(row, "check_in")))
    assert f"1 seed is not here yet {champion.name} (A.G.P. 1) " in told
    code = Entrant.objects.get(tournament=row, person=champion.person_id).code
    browser.post(at(row, "check_in"), {"code": code, "here": "1", "key": "k"})
    assert "not here yet" not in words(browser.get(at(row, "check_in")))


def test_organisers_of_a_tournament_run_its_desk_and_nobody_elses(desk):
    _browser, row = desk
    other = create_club(SYSTEM, slug="other", name="Other")
    (person,) = create_people(["Otto"])
    User.objects.filter(pk=person.pk).update(username="otto")
    grant_role(SYSTEM, person=person.pk, scope=other.scope_id, role=CLUB_ORGANISER)
    _browser.force_login(User.objects.get(pk=person.pk))
    for name in ("entries", "entries_import", "check_in", "tournament_settings"):
        assert _browser.get(at(row, name)).status_code == 404
    Tournament.objects.update(announced=True)
    for name in ("entries", "entries_import", "check_in", "tournament_settings"):
        assert _browser.get(at(row, name)).status_code == 403
    assert _browser.post(reverse("new_tournament"), FORM).status_code == 403
