"""After a stop: what the matches that ran get for it, who may say so, and what meanwhile overtakes him."""

import re
from datetime import timedelta

import pytest
from django.urls import reverse

from core.clock import database_now
from core.models import AuditRow
from core.refusal import Refusal
from gameplay.models import Outage
from gameplay.queries.recovery import stops_for_staff, stops_wait
from gameplay.services import clock, matches, ringing
from gameplay.services.recovery import answer_outage
from players.actor import SYSTEM
from players.rules.rights import CLOCK_KEEPER, COUNCIL
from players.services import grant_role
from scoring.models import Ruling
from tests.gameplay.browsing import browser
from tests.gameplay.rows import actor, key, person
from tests.gameplay.test_clock import Timed

pytestmark = pytest.mark.django_db
WHY = "The laptop had no power."


def stopped(hall, seconds=200.5, cause="stop"):
    """The house stands still for so long, from now on; the row of this match."""
    now = database_now()
    ringing.note_outage(now, now + timedelta(seconds=seconds), cause)
    return Outage.objects.get(match=hall.match, began_at=now)


def answered(hall, outage, answer, by=None, **told):
    return answer_outage(by or hall.referee, outage.pk, answer, reason=told.get("reason", WHY), key=key())


def code(*args, **values):
    with pytest.raises(Refusal) as caught:
        answered(*args, **values)
    return caught.value.code


@pytest.fixture
def hall():
    hall = Timed()
    hall.start()
    return hall


@pytest.fixture
def outage(hall):
    return stopped(hall)


def proposals(who):
    return [(stop.proposal, stop.answers) for stop in stops_for_staff(who)]


def test_a_bell_that_has_not_rung_rings_later_by_the_stop(hall, outage):
    before = hall.due.due_at
    (stop,) = stops_for_staff(hall.referee)
    assert (stop.table_name, stop.cause, stop.seconds, stop.rung) == ("Centralino", "stop", 201, False)
    assert stop.players == ("Ada", "Bruno", "Carla", "Dino", "Elsa")
    assert (stop.proposal, stop.answers) == ("credit", ("credit", "nothing"))
    answer = answered(hall, outage, stop.proposal)
    assert (answer["answer"], answer["seconds"]) == ("credit", 201)
    assert hall.due.due_at - before == timedelta(seconds=201)
    outage.refresh_from_db()
    assert (outage.answer, outage.person_id) == ("credit", hall.referee.person)
    assert stops_for_staff(hall.referee) == []
    assert not stops_wait(hall.referee)
    assert hall.row.clock_events.last().reason == WHY


def test_after_the_bell_it_is_a_recovery_hand_with_its_article(hall, outage):
    hall.ring()
    assert proposals(hall.referee) == [("recovery", ("recovery", "nothing"))]
    assert code(hall, outage, "credit") == "bell_rang"
    answered(hall, outage, "recovery")
    assert hall.view.recovery
    assert list(Ruling.objects.values_list("article", "reason")) == [("D7", WHY)]


def test_there_is_one_recovery_hand_however_often_the_house_stops(hall, outage):
    second = stopped(hall, 50)
    hall.ring()
    answered(hall, outage, "recovery")
    assert proposals(hall.referee) == [("nothing", ("nothing",))]
    assert code(hall, second, "recovery") == "already_granted"
    answered(hall, second, "nothing")


def test_a_keeper_of_the_clock_gives_time_back_and_no_recovery_hand(hall, outage):
    keeper = actor(person("Kim", CLOCK_KEEPER, scope=hall.club.scope_id))
    assert proposals(keeper) == [("credit", ("credit", "nothing"))]
    hall.ring()
    assert proposals(keeper) == [("nothing", ("nothing",))]
    assert proposals(hall.referee) == [("recovery", ("recovery", "nothing"))]
    assert code(hall, outage, "recovery", by=keeper) == "not_allowed"


def test_nothing_is_an_answer_that_stands_in_the_trail(hall, outage):
    before = hall.due.due_at
    answered(hall, outage, "nothing")
    assert hall.due.due_at == before
    row = AuditRow.objects.filter(scope=hall.sheet.scope_id).latest("number")
    assert (row.verb, row.payload["answer"], row.payload["seconds"]) == ("answer_outage", "nothing", 201)
    assert code(hall, outage, "nothing") == "outage_answered"


def test_the_same_answer_sent_twice_counts_once(hall, outage):
    before, one = hall.due.due_at, key()
    first = answer_outage(hall.referee, outage.pk, "credit", reason=WHY, key=one)
    assert answer_outage(hall.referee, outage.pk, "credit", reason=WHY, key=one) == first
    assert hall.due.due_at - before == timedelta(seconds=201)


@pytest.mark.parametrize(
    ("happened", "proposed"),
    [
        (lambda hall: hall.do(clock.cancel_start, reason="too early"), "nothing"),
        (lambda hall: hall.do(clock.interrupt_match, follow="replay", reason="he left"), "nothing"),
        (lambda hall: hall.do(clock.suspend_match, clock_stopped=True, reason="light"), "credit"),
    ],
)
def test_what_happened_since_decides_what_is_proposed(hall, outage, happened, proposed):
    happened(hall)
    assert [proposal for proposal, _ in proposals(hall.referee)] == [proposed]
    answered(hall, outage, proposed)


def test_a_stop_longer_than_any_match_gives_no_time_back(hall):
    stopped(hall, 25 * 3600)
    hall.row.outages.update(began_at=database_now() - timedelta(hours=25))
    assert proposals(hall.referee) == [("nothing", ("nothing",))]


def test_who_keeps_the_clock_answers_and_nobody_else(hall, outage):
    keeper = actor(person("Kim", CLOCK_KEEPER, scope=hall.club.scope_id))
    guarantor = actor(person("Gil", COUNCIL, scope=hall.club.scope_id))
    # Who plays is a player, whatever he is besides.
    grant_role(SYSTEM, person=hall.people[1].pk, scope=hall.club.scope_id, role=CLOCK_KEEPER)
    for who in (guarantor, actor(person("Olga")), hall.seats[0], actor(hall.people[1])):
        assert stops_for_staff(who) == []
        assert not stops_wait(who)
        assert code(hall, outage, "nothing", by=who) == "not_allowed"
    assert stops_wait(keeper)
    answered(hall, outage, "nothing", by=keeper)


def test_a_match_that_is_over_waits_no_more(hall, outage):
    hall.hand(1)
    hall.ring()
    hall.do(clock.answer_bell, how="not_awarded")
    hall.do(matches.sign, entries=1)
    assert stops_for_staff(hall.referee) == []
    assert code(hall, outage, "nothing") == "sheet_closed"


def test_what_is_wrong_is_told(hall, outage):
    assert code(hall, outage, "more") == "bad_answer"
    assert code(hall, outage, "nothing", reason=" ") == "reason_required"
    with pytest.raises(Refusal, match="outage_unknown"):
        answer_outage(hall.referee, outage.pk + 99, "nothing", reason=WHY, key=key())


# The page


def sent(page):
    """The form as it stands there, as a browser sends it with one click."""
    fields = dict(re.findall(r'<input type="hidden" name="(key)" value="([^"]+)"', page))
    fields |= dict(re.findall(r'<input type="radio" name="(answer-\d+)" value="(\w+)" required checked', page))
    return fields | {"reason": re.search(r'id="reason"[^>]* value="([^"]+)"', page)[1]}


def test_one_click_answers_for_all_tables(hall, outage):
    other = Timed()
    other.start()
    stopped(other, 30, "sleep")  # both slept, and one recovery hand is enough
    hall.ring()
    assert [proposal for proposal, _ in proposals(hall.referee)] == ["recovery", "nothing", "credit"]
    client = browser(hall.referee)
    home = client.get("/").text
    assert f'href="{reverse("recovery")}"' in home
    page = client.get(reverse("recovery")).text
    assert "The house stood still for 3 minutes 21." in page
    assert "The laptop slept for 0 minutes 30." in page
    before = other.due.due_at
    assert client.post(reverse("recovery"), sent(page)).status_code == 302
    assert hall.view.recovery
    assert other.due.due_at - before == timedelta(seconds=30)
    assert "Nothing waits here" in client.get(reverse("recovery")).text
    assert reverse("recovery") not in client.get("/").text


def test_a_bell_that_overtakes_the_click_is_proposed_anew(hall, outage):
    client = browser(hall.referee)
    page = client.get(reverse("recovery")).text
    hall.ring()
    late = client.post(reverse("recovery"), sent(page))
    assert late.status_code == 422
    assert "The bell has rung." in late.text
    assert client.post(reverse("recovery"), sent(late.text)).status_code == 302
    assert hall.view.recovery


def test_two_who_answer_at_once_are_told(hall, outage):
    client = browser(hall.referee)
    page = client.get(reverse("recovery")).text
    answered(hall, outage, "nothing")
    told = client.post(reverse("recovery"), sent(page), follow=True)
    assert "Somebody answered for this match in the meantime." in told.text
    for strange in ({"answer-x": "credit"}, {"answer-": "credit"}, {"answer-" + "9" * 30: "credit"}, {}):
        assert client.post(reverse("recovery"), {"key": key(), "reason": WHY, **strange}).status_code == 302
    assert client.post(reverse("recovery"), {"key": key(), "answer-999": "credit"}, follow=True).status_code == 200


def test_the_page_is_for_keepers_of_clocks(hall, outage):
    assert browser(hall.seats[0]).get(reverse("recovery")).status_code == 403
    assert browser().get(reverse("recovery")).status_code == 403
    stranger = browser(actor(person("Kay", CLOCK_KEEPER, scope=Timed().sheet.scope_id)))
    assert stranger.get(reverse("recovery")).status_code == 200
    assert stranger.post(reverse("recovery"), {f"answer-{outage.pk}": "credit", "key": key()}).status_code == 403
    assert reverse("recovery") not in stranger.get("/").text
