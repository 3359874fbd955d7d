"""The page of roles: invitations, roles, new passwords, and what an organiser cannot reach with them."""

import re

import pytest
from django.db import connection, transaction
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from core.refusal import Refusal
from players.actor import SYSTEM, actor_for, actor_from
from players.models import Club, Grant, Link, User
from players.rules.rights import ADMIN, CLUB_ORGANISER, ORGANISER, REFEREE
from players.services import create_club, grant_role, house_scope
from players.services.links import look_at_link, use_link
from tests.gameplay.rows import Hall
from tests.tournaments.files import by_place, stage, tournament_file
from tests.tournaments.rows import imported
from tests.tournaments.uploading import HOME, staff
from tournaments.models import Entrant
from tournaments.services.rights import give_role, new_password_link, resettable
from tournaments.web.rights_views import staffed_by

pytestmark = pytest.mark.django_db
GOOD = "seven of cups 7"


def file(name):
    return tournament_file(stage(by_place("A", "abcde")), name=name, series="coppa")


@pytest.fixture
def oreste():
    return staff()


def scope_of(slug="circolo"):
    return Club.objects.get(slug=slug).scope_id


def page_of(scope):
    return reverse("scope_staff", args=[scope])


def post(browser, scope, **told):
    return browser.post(page_of(scope), told)


def code_in(answer):
    """The token in the link that a page shows once."""
    html = answer.content.decode()
    return re.search(r'value="http://localhost/join/#([\w-]+)"', html)[1]


def known(name, *grants):
    person = User.objects.create_user(name.lower(), name, GOOD)
    for scope, role in grants:
        grant_role(SYSTEM, person=person.pk, scope=scope, role=role)
    return person


def test_somebody_new_is_invited_by_a_link_that_is_shown_once(oreste):
    browser, _ = oreste
    answer = post(browser, scope_of(), do="new", name="Rita Rossi", role=REFEREE)
    assert answer.status_code == 200
    html = answer.content.decode()
    assert "An invitation for Rita Rossi" in html
    svg = html[html.index("<svg xmlns") if "<svg xmlns" in html else html.index('<div class="qr"') :]
    assert "<path" in svg
    assert " style=" not in svg[: svg.index("</svg>")]
    token = code_in(answer)
    page = browser.get(page_of(scope_of())).content.decode()
    assert token not in page
    assert "Invited, not yet here" in page
    rita = use_link(token, username="rita", password=GOOD)
    assert Grant.objects.get(person=rita).role == REFEREE
    assert "Invited, not yet here" not in browser.get(page_of(scope_of())).content.decode()


def test_an_invitation_is_withdrawn(oreste):
    browser, _ = oreste
    token = code_in(post(browser, scope_of(), do="new", name="Rita", role=REFEREE))
    link = Link.objects.get().pk
    assert post(browser, scope_of(), do="unlink", link=str(link)).status_code == 302
    with pytest.raises(Refusal, match="link_over"):
        look_at_link(token)
    assert post(browser, scope_of(), do="unlink", link=str(link)).status_code == 404
    assert post(browser, scope_of(), do="unlink", link="nothing").status_code == 404


def test_who_has_a_user_name_gets_the_role_at_once_and_loses_it_again(oreste):
    browser, _ = oreste
    rita = known("Rita")
    found = browser.get(page_of(scope_of()), {"q": "RITA"}).content.decode()
    assert f'value="{rita.pk}"' in found
    assert post(browser, scope_of(), do="give", person=str(rita.pk), role=REFEREE).status_code == 302
    phone = Client(**HOME)
    phone.force_login(rita)
    assert actor_from(phone.session).may({REFEREE}, [scope_of()])
    assert post(browser, scope_of(), do="take", person=str(rita.pk), role=REFEREE).status_code == 302
    assert not actor_from(phone.session).grants
    assert post(browser, scope_of(), do="take", person=str(rita.pk), role=REFEREE).status_code == 404


def test_a_player_of_the_club_gets_a_link_and_one_of_another_does_not(oreste):
    browser, _ = oreste
    with transaction.atomic():
        create_club(SYSTEM, slug="altro", name="Altro")
    mine = Entrant.objects.filter(tournament=imported(file("Mine"), club="circolo")).first().person
    other = Entrant.objects.filter(tournament=imported(file("Other"), club="altro")).first().person
    answer = post(browser, scope_of(), do="give", person=str(mine.pk), role=REFEREE)
    assert use_link(code_in(answer), username="mine", password=GOOD).pk == mine.pk
    assert post(browser, scope_of(), do="give", person=str(other.pk), role=REFEREE).status_code == 403
    assert not Link.objects.filter(person=other).exists()


def test_nobody_gives_more_than_he_may_by_bending_the_form(oreste):
    browser, person = oreste
    house = house_scope().pk
    for told in (
        {"do": "new", "name": "Rita", "role": ADMIN},
        {"do": "new", "name": "Rita", "role": "owner"},
        {"do": "give", "person": str(person.pk), "role": ADMIN},
    ):
        assert post(browser, scope_of(), **told).status_code == 403
    assert post(browser, house, do="give", person=str(person.pk), role=ADMIN).status_code == 403
    assert post(browser, scope_of(), do="give", person="nobody", role=REFEREE).status_code == 404
    assert post(browser, scope_of()).status_code == 404
    assert set(Grant.objects.filter(person=person).values_list("role", flat=True)) == {CLUB_ORGANISER}
    assert not Link.objects.exists()


def test_what_a_page_refuses_it_says(oreste):
    browser, _ = oreste
    answer = post(browser, scope_of(), do="new", name=" ", role=REFEREE)
    assert answer.status_code == 422
    assert 'role="alert"' in answer.content.decode()
    admin = known("Ada", (house_scope().pk, ADMIN))
    browser.force_login(admin)
    answer = post(browser, house_scope().pk, do="take", person=str(admin.pk), role=ADMIN)
    assert answer.status_code == 422
    assert "This is the last administrator" in answer.content.decode()


def test_whose_password_an_organiser_of_a_club_makes_anew(oreste):
    """Of those whose every role, seat and tournament is in his clubs; an administrator of everybody."""
    _, person = oreste
    with transaction.atomic():
        other = create_club(SYSTEM, slug="altro", name="Altro")
    cup = imported(file("Mine"), club="circolo")
    away = imported(file("Other"), club="altro")
    people = {
        "referee of his tournament": known("Ru", (cup.scope_id, REFEREE)),
        "colleague": known("Cu", (scope_of(), CLUB_ORGANISER)),
        "nothing": known("Nu"),
        "administrator": known("Au", (house_scope().pk, ADMIN)),
        "also elsewhere": known("Eu", (scope_of(), REFEREE), (other.scope_id, REFEREE)),
        "also for the house": known("Hu", (scope_of(), REFEREE), (house_scope().pk, "council")),
        "plays here": known("Pu", (scope_of(), REFEREE)),
        "plays elsewhere": known("Qu", (scope_of(), REFEREE)),
    }
    for who, tournament in (("plays here", cup), ("plays elsewhere", away)):
        row = Entrant.objects.filter(tournament=tournament).first()
        Entrant.objects.filter(pk=row.pk).update(person=people[who])
    ids = {who: row.pk for who, row in people.items()}
    may = resettable(actor_for(person.pk), ids.values())
    assert {who for who, pk in ids.items() if pk in may} == {"referee of his tournament", "colleague", "plays here"}
    assert resettable(actor_for(ids["administrator"]), ids.values()) == frozenset(ids.values())
    assert resettable(actor_for(ids["referee of his tournament"]), ids.values()) == frozenset()
    for who, pk in ids.items():
        if pk not in may:
            with pytest.raises(Refusal, match="not_allowed"):
                new_password_link(actor_for(person.pk), person=pk)
            assert not Link.objects.filter(person=pk).exists(), who


def test_who_sits_at_a_friendly_table_elsewhere_is_not_to_be_had(oreste):
    browser, _ = oreste
    with transaction.atomic():
        here, away = Hall(), Hall("altro")
    for hall, status in ((here, 200), (away, 403)):
        rita = hall.people[0]
        User.objects.filter(pk=rita.pk).update(username=f"rita-{status}")
        grant_role(SYSTEM, person=rita.pk, scope=scope_of(), role=REFEREE)
        assert post(browser, scope_of(), do="reset", person=str(rita.pk)).status_code == status
    assert "Roles: Friendly match" in browser.get(page_of(here.sheet.scope_id)).content.decode()
    assert browser.get(page_of(away.sheet.scope_id)).status_code == 403


def test_an_invitation_does_not_take_an_account_over(oreste):
    """Who has an account keeps it: inviting him gives a role, never a link that would be him."""
    browser, _ = oreste
    ada = known("Ada", (house_scope().pk, ADMIN))
    assert post(browser, scope_of(), do="give", person=str(ada.pk), role=REFEREE).status_code == 302
    assert not Link.objects.exists()
    bare = User.objects.create_user(None, "Bare")
    Grant.objects.create(person=bare, scope_id=house_scope().pk, role=ADMIN)
    assert post(browser, scope_of(), do="give", person=str(bare.pk), role=REFEREE).status_code == 403
    with pytest.raises(Refusal, match="person_unknown"):
        give_role(SYSTEM, scope=scope_of(), role=REFEREE, person=scope_of())


def test_a_new_password_is_a_link_on_the_page(oreste):
    browser, _ = oreste
    rita = known("Rita", (scope_of(), REFEREE))
    page = browser.get(page_of(scope_of())).content.decode()
    assert len(re.findall(r'name="do" value="reset"', page)) == 2  # Oreste himself has a user name, too
    answer = post(browser, scope_of(), do="reset", person=str(rita.pk))
    assert "A new password for Rita" in answer.content.decode()
    assert use_link(code_in(answer), username="", password="another good one").pk == rita.pk


def test_roles_from_above_are_shown_and_not_taken_here(oreste):
    browser, _ = oreste
    cup = imported(file("Mine"), club="circolo")
    page = browser.get(page_of(cup.scope_id)).content.decode()
    assert "Roles: Mine" in page
    assert "for the whole club" in page
    assert 'name="do" value="take"' not in page


def test_the_way_to_the_pages_of_roles_is_shown_to_whom_it_leads(oreste):
    browser, person = oreste
    cup = imported(file("Mine"), club="circolo")
    organiser = known("Olga", (cup.scope_id, ORGANISER))
    ada = known("Ada", (house_scope().pk, ADMIN))
    assert staffed_by(actor_for(organiser.pk)) == [{"title": "Mine", "href": page_of(cup.scope_id)}]
    assert [row["title"] for row in staffed_by(actor_for(person.pk))] == ["Circolo"]
    club = reverse("club", args=["circolo"])
    assert page_of(scope_of()) in browser.get(club).content.decode()
    assert page_of(scope_of()) in browser.get(reverse("home")).content.decode()
    browser.force_login(organiser)
    assert page_of(scope_of()) not in browser.get(club).content.decode()
    browser.force_login(ada)
    assert page_of(house_scope().pk) in browser.get(reverse("home")).content.decode()
    assert page_of(scope_of()) in browser.get(club).content.decode()
    assert "/staff/" not in Client(**HOME).get(club).content.decode()


def test_the_page_asks_the_same_number_of_questions_for_one_and_for_thirty(oreste):
    browser, _ = oreste

    def queries():
        with CaptureQueriesContext(
            connection,
        ) as asked:
            assert browser.get(page_of(scope_of()), {"q": "Rita"}).status_code == 200
        return len(asked)

    known("Rita0", (scope_of(), REFEREE))
    one = queries()
    for number in range(1, 30):
        person = User.objects.create_user(f"rita{number}", f"Rita {number}")
        grant_role(SYSTEM, person=person.pk, scope=scope_of(), role=REFEREE)
        Link.objects.create(
            kind="invite",
            name=f"N{number}",
            scope_id=scope_of(),
            role=REFEREE,
            token_hash=f"{number:064}",
            expires_at="2100-01-01T00:00Z",
        )
    assert queries() == one
