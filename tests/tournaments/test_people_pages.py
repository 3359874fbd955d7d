"""People corrected, merged and erased by page (UX-53)."""

import re
from uuid import uuid4

import pytest
from django.test import Client
from django.urls import reverse

from core.models import AuditRow
from players.actor import SYSTEM
from players.models import User
from players.rules.rights import ADMIN, CLUB_ORGANISER, ORGANISER
from players.services import create_club, grant_role, house_scope
from tests.tournaments.files import by_place, stage, tournament_file
from tests.tournaments.rows import imported
from tournaments.models import Entrant
from tournaments.services.people import correct_person

pytestmark = pytest.mark.django_db
HOME = {"HTTP_HOST": "localhost", "HTTP_ACCEPT_LANGUAGE": "en"}
PAGES = ("edit_person", "merge_person", "erase_person")


def file(players, name):
    told = tournament_file(stage(by_place("A", [player.lower() for player in players])), name=name, series="coppa")
    for player, shown in zip(told["players"], players, strict=True):
        player["name"] = shown
    return told


@pytest.fixture
def club():
    """A club with two tournaments in which nobody is the same person."""
    club = create_club(SYSTEM, slug="circolo", name="Circolo")
    imported(file(["Ada", "Bea", "Cem", "Dora", "Ezio"], "I"), club="circolo")
    imported(file(["Adda", "Bina", "Carlo", "Duru", "Eva"], "II"), club="circolo")
    return club


def person(name):
    return User.objects.get(display_name=name)


def browser_of(role=None, scope=None):
    browser = Client(**HOME)
    if role:
        staff = User.objects.create_user(f"s{uuid4().hex[:8]}", "Staff")
        grant_role(SYSTEM, person=staff.pk, scope=scope or house_scope().pk, role=role)
        browser.force_login(staff)
    return browser


@pytest.fixture
def admin(club):
    return browser_of(ADMIN)


def hidden(page, *names):
    html = page.content.decode()
    return {name: re.search(rf'<input type="hidden" name="{name}" value="([^"]*)"', html)[1] for name in names}


@pytest.mark.parametrize("name", PAGES)
def test_who_has_no_right_is_refused_and_who_is_unknown_not_found(club, name):
    ada = person("Ada")
    other = create_club(SYSTEM, slug="other", name="Other")
    strangers = (browser_of(), browser_of(CLUB_ORGANISER, other.scope_id), browser_of(ORGANISER, club.scope_id))
    before = AuditRow.objects.count()
    for browser in strangers:
        assert browser.get(reverse(name, args=[ada.pk])).status_code == 403
        told = {"name": "x", "version": 1, "key": "k", "word": "erase", "into": str(person("Bea").pk)}
        assert browser.post(reverse(name, args=[ada.pk]), told).status_code == 403
    assert AuditRow.objects.count() == before
    assert browser_of(CLUB_ORGANISER, club.scope_id).get(reverse(name, args=[ada.pk])).status_code == 200
    assert browser_of(ADMIN).get(reverse(name, args=[uuid4()])).status_code == 404


@pytest.mark.parametrize("name", PAGES)
def test_an_organiser_may_not_touch_who_played_elsewhere_too(club, name):
    ada = person("Ada")
    imported(file(["Ada", "F", "G", "H", "I"], "III"), people={"ada": ada.pk})
    assert browser_of(CLUB_ORGANISER, club.scope_id).get(reverse(name, args=[ada.pk])).status_code == 403
    assert browser_of(ADMIN).get(reverse(name, args=[ada.pk])).status_code == 200


@pytest.mark.parametrize("name", PAGES)
def test_who_is_gone_cannot_be_changed(admin, name):
    ada, adda = person("Ada"), person("Adda")
    User.objects.filter(pk=ada.pk).update(merged_into=adda, is_active=False)
    Entrant.objects.filter(person=ada).update(person=adda)
    page = admin.get(reverse(name, args=[ada.pk]))
    assert page.status_code == 410
    assert "merged into another or erased" in page.content.decode()


def test_a_name_is_corrected_everywhere_and_the_history_hidden(admin):
    ada = person("Ada")
    address = reverse("edit_person", args=[ada.pk])
    told = hidden(admin.get(address), "version", "key")
    for _ in range(2):  # a double click
        assert admin.post(address, told | {"name": "Ada Lovelace", "hidden": "on"}).url == reverse(
            "player", args=[ada.pk]
        )
    ada.refresh_from_db()
    assert (ada.display_name, ada.history_hidden) == ("Ada Lovelace", True)
    assert Entrant.objects.get(person=ada).name == "Ada Lovelace"
    assert AuditRow.objects.filter(verb="correct_person").count() == 1
    assert "Saved." in admin.get(reverse("player", args=[ada.pk])).content.decode()


@pytest.mark.parametrize("key", ["", "k" * 300, "k\0"])
def test_a_key_that_is_none_is_refused_on_a_page(admin, key):
    ada, adda = person("Ada"), person("Adda")
    told = {"name": "Ada L.", "version": ada.version, "into": str(adda.pk), "word": "erase", "key": key}
    for name in PAGES:
        page = admin.post(reverse(name, args=[ada.pk]), told)
        assert page.status_code == 422, name
        assert "<h1>" in page.content.decode()
    assert person("Ada").version == ada.version


@pytest.mark.parametrize("name", ["merge_person", "erase_person"])
def test_a_key_for_somebody_else_is_refused_on_a_page(admin, name):
    """As after the button for going back, with the form of somebody else."""
    ada, bea, adda = person("Ada"), person("Bea"), person("Adda")
    told = {"into": str(adda.pk), "word": "erase", "key": "k"}
    assert admin.post(reverse(name, args=[ada.pk]), told).status_code == 302
    told["into"] = str(person("Bina").pk)
    page = admin.post(reverse(name, args=[bea.pk]), told)
    assert page.status_code == 409
    assert "This form was sent before with other contents" in page.content.decode()
    assert person("Bea").version == bea.version


@pytest.mark.parametrize("name", ["", "   ", "...", "x" * 121, "Ada\u202eadA", "Ada\u0007", "A\u200bda"])
def test_a_name_that_is_none_is_refused_beside_its_field(admin, name):
    ada = person("Ada")
    address = reverse("edit_person", args=[ada.pk])
    page = admin.post(address, hidden(admin.get(address), "version", "key") | {"name": name})
    assert page.status_code == 422
    assert 'aria-invalid="true"' in page.content.decode()
    assert "field-error" in page.content.decode()
    assert person("Ada").version == ada.version


def test_who_was_slower_sees_the_newer_name_and_may_save_again(admin):
    ada = person("Ada")
    address = reverse("edit_person", args=[ada.pk])
    told = hidden(admin.get(address), "version", "key")
    correct_person(SYSTEM, ada.pk, name="Adele", hidden=False, version=ada.version, key="quicker")
    page = admin.post(address, told | {"name": "Ada L."})
    assert page.status_code == 409
    html = page.content.decode()
    assert "The name is “Adele” now" in html
    assert 'value="Ada L."' in html
    assert person("Adele").pk == ada.pk
    assert admin.post(address, hidden(page, "version", "key") | {"name": "Ada L."}).status_code == 302
    assert person("Ada L.").pk == ada.pk


def test_merge_searches_shows_both_and_makes_them_one(admin):
    ada, adda = person("Ada"), person("Adda")
    address = reverse("merge_person", args=[ada.pk])
    assert f"?into={adda.pk}" in admin.get(address, {"q": "ADDA"}).content.decode()
    assert f"?into={ada.pk}" not in admin.get(address, {"q": "a"}).content.decode()
    page = admin.get(address, {"into": str(adda.pk)})
    html = page.content.decode()
    assert "Is Ada the same person as Adda?" in html
    assert html.index(">I<span") < html.index(">II<span")
    told = hidden(page, "into", "key")
    for _ in range(2):
        assert admin.post(address, told).url == reverse("player", args=[adda.pk])
    ada.refresh_from_db()
    assert ada.merged_into == adda
    assert Entrant.objects.filter(person=adda).count() == 2
    assert AuditRow.objects.filter(verb="merge_people").count() == 1


def test_who_sat_together_cannot_be_one_and_the_page_says_so_before(admin):
    ada, bea = person("Ada"), person("Bea")
    address = reverse("merge_person", args=[ada.pk])
    page = admin.get(address, {"into": str(bea.pk)})
    assert page.status_code == 422
    assert "Both took part in one tournament" in page.content.decode()
    assert "merge</button>" not in page.content.decode()
    assert admin.post(address, {"into": str(bea.pk), "key": "k"}).status_code == 422
    assert person("Ada").merged_into is None


@pytest.mark.parametrize(("into", "status"), [("", 404), ("nobody", 404), (str(uuid4()), 404)])
def test_merging_into_nobody_is_not_found(admin, into, status):
    assert (
        admin.post(reverse("merge_person", args=[person("Ada").pk]), {"into": into, "key": "k"}).status_code == status
    )


def test_merging_into_himself_or_into_who_played_elsewhere_is_refused(club):
    ada, adda = person("Ada"), person("Adda")
    imported(file(["Adda", "F", "G", "H", "I"], "III"), people={"adda": adda.pk})
    organiser = browser_of(CLUB_ORGANISER, club.scope_id)
    address = reverse("merge_person", args=[ada.pk])
    assert organiser.post(address, {"into": str(ada.pk), "key": "k"}).status_code == 422
    for page in (
        organiser.get(address, {"into": str(adda.pk)}),
        organiser.post(address, {"into": str(adda.pk), "key": "k"}),
    ):
        assert page.status_code == 403
    assert person("Ada").merged_into is None


@pytest.mark.parametrize(("language", "word"), [("en", "erase"), ("en", " ERASE "), ("it", None), ("tr", None)])
def test_erasing_wants_the_word_that_is_shown(admin, language, word):
    ada = person("Ada")
    admin.defaults["HTTP_ACCEPT_LANGUAGE"] = language
    address = reverse("erase_person", args=[ada.pk])
    page = admin.get(address)
    assert admin.post(address, {"word": "yes", "key": "k"}).status_code == 422
    assert person("Ada").pk == ada.pk
    told = hidden(page, "key") | {"word": page.context["word"] if word is None else word}
    for _ in range(2):
        assert admin.post(address, told).status_code == 302
    ada.refresh_from_db()
    assert ada.erased
    assert AuditRow.objects.filter(verb="anonymise_person").count() == 1
    assert "Ada" not in ada.display_name
    assert Entrant.objects.get(person=ada).name == ada.display_name
    assert "Ada" not in Client(**HOME).get(reverse("player", args=[ada.pk])).content.decode()


def test_buttons_stand_on_the_page_of_a_person_for_who_may_only(admin):
    ada = person("Ada")
    links = [reverse(name, args=[ada.pk]) for name in PAGES]
    shown = admin.get(reverse("player", args=[ada.pk])).content.decode()
    plain = browser_of().get(reverse("player", args=[ada.pk])).content.decode()
    assert all(link in shown for link in links)
    assert not any(link in plain for link in links)
