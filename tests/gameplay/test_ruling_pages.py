"""The pages of rulings, appeals, cases and calls: what they show, to whom, and what they refuse."""

import re

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from gameplay.queries import match_for_page
from gameplay.services import calls, matches, rulings
from players.actor import SYSTEM
from players.rules.rights import COUNCIL
from players.services import grant_role
from scoring.models import RefereeCall, Ruling, Sheet
from tests.gameplay.rows import Hall, key, person
from tests.gameplay.test_judging_pages import LOST, at, browser, claimed, vote, words

pytestmark = pytest.mark.django_db


def ruled(hall, points=-30, seat=4):
    told = {"seat": seat, "points": points, "article": "S16", "reason": "came late"}
    return rulings.award(hall.referee, hall.match, **told, key=key())["ruling"]


def over(hall):
    entries = len(match_for_page(hall.referee, hall.match).entries)
    matches.sign(hall.referee, hall.match, entries=entries, key=key())


# Rulings


def test_a_ruling_says_who_decided_and_what_it_wrote():
    hall = Hall()
    hall.play(1)
    ruling = ruled(hall)
    seen = browser().get(at("ruling", hall, ruling))
    text = words(seen)
    assert "came late" in text
    assert "the referee Rita" in text
    assert "Ruling on Elsa: −30." in text
    assert "Take the ruling back" not in text
    assert "Appeal to the Council" not in text
    assert "#S16" in seen.content.decode()
    assert browser().get(at("ruling", hall, hall.club.scope_id)).status_code == 404


def test_points_are_shown_before_they_are_saved():
    hall = Hall()
    hall.play(1)
    client = browser(hall.referee)
    given = {
        "kind": "award",
        "seat": "1",
        "sign": "minus",
        "points": "30",
        "article": "S16",
        "reason": "late",
        "key": key(),
    }
    text = words(client.post(at("penalty", hall), {**given, "step": "preview"}))
    assert "−30 for Bruno." in text
    assert "45 (−30)" in text
    assert "No hand is touched." in text
    assert not Ruling.objects.exists()
    for field, value in (
        ("points", "0"),
        ("points", "99999"),
        ("article", ""),
        ("reason", ""),
        ("sign", ""),
        ("points", "x"),
    ):
        bad = client.post(at("penalty", hall), {**given, "step": "preview", field: value})
        assert (bad.status_code, f'id="{field}-error"' in bad.content.decode()) == (422, True)
    saved = client.post(at("penalty", hall), {**given, "step": "save"})
    assert saved["Location"] == at("ruling", hall, Ruling.objects.get().pk)
    assert hall.points[1] == 45
    assert browser(hall.seats[0]).post(at("penalty", hall), {**given, "step": "save", "key": key()}).status_code == 403


def test_a_ruling_without_points_goes_into_the_book():
    hall = Hall()
    told = {"kind": "decision", "article": "D8", "question": "Elsa felt ill", "reason": "replayed", "key": key()}
    browser(hall.referee).post(at("penalty", hall), told)
    text = words(browser().get(at("ruling", hall, Ruling.objects.get().pk)))
    assert "Elsa felt ill" in text
    assert "It wrote nothing." in text


def test_a_referee_takes_his_ruling_back_by_the_page():
    hall = Hall()
    hall.play(1)
    page = at("ruling", hall, ruled(hall))
    client = browser(hall.referee)
    assert "Take the ruling back" in words(client.get(page))
    assert client.post(page, {"do": "revoke", "reason": "", "key": key()}).status_code == 422
    answer = client.post(page, {"do": "revoke", "reason": "I was wrong", "key": key()})
    assert "Ruling taken back" in words(client.get(answer["Location"]))
    text = words(client.get(page))
    assert "taken back" in text
    assert "Something else stands there now" in text
    assert "Take the ruling back" not in text
    assert browser(hall.seats[0]).post(page, {"do": "revoke", "reason": "x", "key": key()}).status_code == 403


def test_a_verdict_of_the_table_shows_its_votes_and_no_appeal():
    hall = Hall()
    hall.play(1, *LOST)
    claimed(hall)
    for seat in (2, 3, 4):
        vote(hall, seat, seat != 3)
    page = at("ruling", hall, Ruling.objects.get().pk)
    text = words(browser(hall.seats[0]).get(page))
    assert "the table, by vote Carla upholds Dino rejects Elsa upholds" in text
    assert "Appeal to the Council" not in text
    assert "Take the ruling back" not in words(browser(hall.referee).get(page))
    assert "Take the ruling back" not in words(browser(hall.council(1)[0]).get(page))
    refused = browser(hall.seats[0]).post(page, {"do": "appeal", "reason": "x", "key": key()})
    assert (refused.status_code, "there is no appeal" in words(refused)) == (422, True)


# Appeals


def test_an_appeal_from_its_making_to_its_end():
    hall = Hall()
    hall.play(1)
    page = at("ruling", hall, ruled(hall))
    player = browser(hall.seats[4])
    assert "Appeal to the Council" in words(player.get(page))
    assert player.post(page, {"do": "appeal", "reason": "", "key": key()}).status_code == 422
    player.post(page, {"do": "appeal", "reason": "the train was late", "key": key()})
    text = words(browser().get(page))
    assert "Sub iudice: the Council of Guarantors decides. 6 whole days are left." in text
    assert "the train was late" in text
    assert "sub iudice" in words(browser().get(at("match", hall)))
    council = [browser(who) for who in hall.council(7)]
    seen = council[0].get(reverse("appeals"))
    assert "the train was late" in words(seen)
    assert "6 whole days are left." in words(seen)
    (one,) = re.findall(r'href="(/appeals/[0-9a-f-]+/)"', seen.content.decode())
    assert "Uphold the appeal" in words(council[0].get(one))
    for n, uphold in enumerate("1010"):
        council[n].post(one, {"uphold": uphold, "key": key()})
    assert "2 to uphold the appeal, 2 to reject it; 4 of a kind decide." in words(council[4].get(one))
    assert "You have voted." in words(council[0].get(one))
    assert council[0].post(one, {"uphold": "1", "key": key()}).status_code == 422
    assert council[4].post(one, {"uphold": "", "key": key()}).status_code == 422
    for n in (4, 5):
        council[n].post(one, {"uphold": "1", "key": key()})
    assert hall.points == [75, 75, 0, 0, 0]
    assert "upheld the appeal: the ruling is taken back" in words(browser().get(page))
    assert "sub iudice" not in words(browser().get(at("match", hall)))
    assert council[6].post(one, {"uphold": "1", "key": key()}).status_code == 422


def test_appeals_are_for_guarantors_and_one_who_played_is_told_so():
    hall = Hall()
    number = rulings.appeal(hall.seats[4], hall.match, ruling=ruled(hall), reason="no", key=key())["appeal"]
    for who in (None, hall.referee, hall.seats[4]):
        assert browser(who).get(reverse("appeals")).status_code == 403
        assert browser(who).get(reverse("appeal", args=[number])).status_code == 403
    stranger = browser(Hall("altro").council(1)[0])
    assert stranger.get(reverse("appeal", args=[number])).status_code == 404
    assert "No appeal" in words(stranger.get(reverse("appeals")))
    grant_role(SYSTEM, person=hall.people[0].pk, scope=hall.club.scope_id, role=COUNCIL)
    player = browser(hall.people[0])
    assert "You sat at this table, so you have no vote on this appeal." in words(
        player.get(reverse("appeal", args=[number]))
    )
    assert player.post(reverse("appeal", args=[number]), {"uphold": "1", "key": key()}).status_code == 403


# Cases


def test_the_book_is_public_and_searched():
    hall = Hall()
    ruled(hall)
    assert "No case yet" in words(browser().get(reverse("cases")))
    over(hall)
    seen = browser().get(reverse("cases"))
    text = words(seen)
    assert "1 case" in text
    assert "decided by the referee Rita" in text
    assert at("ruling", hall, Ruling.objects.get().pk) in seen.content.decode()
    for query, count in (
        ("q=LATE", 1),
        ("q=l%C3%A0te+s16", 1),
        ("q=theft", 0),
        ("kind=award", 1),
        ("kind=void", 0),
        ("kind=nonsense", 1),
    ):
        assert ("came late" in words(browser().get(f"{reverse('cases')}?{query}"))) is bool(count), query
    assert "No case with these words" in words(browser().get(reverse("cases") + "?q=theft"))


def test_the_rules_lead_to_the_book():
    assert f'href="{reverse("cases")}"' in browser().get(reverse("rules")).content.decode()


@pytest.mark.parametrize("count", [1, 3, 300])
def test_a_list_of_cases_costs_the_same_for_any_number(count):
    hall = Hall()
    for n in range(count):
        ruled(hall, points=-1 - n)
    over(hall)
    client = browser()
    client.get(reverse("cases"))
    with CaptureQueriesContext(connection) as asked:
        seen = client.get(reverse("cases"))
    assert len(asked) == 3
    assert seen.content.decode().count("decided by") == min(count, 50)
    if count == 300:
        assert "Page 6 of 6" in words(client.get(reverse("cases") + "?page=6&kind=award"))
        assert "Page 6 of 6" in words(client.get(reverse("cases") + "?page=99"))
        assert "Page 1 of 6" in words(client.get(reverse("cases") + "?page=x"))


# Calls


def test_a_table_calls_and_a_referee_answers_with_one_tap():
    hall = Hall()
    player, referee = browser(hall.seats[1]), browser(hall.referee)
    assert "No table calls" in words(referee.get(reverse("calls")))
    assert "Call the referee" in words(player.get(at("match", hall)))
    answer = player.post(at("call_referee", hall), {"words": "a card fell", "key": key()})
    assert answer["Location"] == at("match", hall)
    assert "The referee has been called" in words(player.get(at("match", hall)))
    text = words(referee.get(reverse("calls")))
    assert "Centrale Bruno “a card fell” I am coming" in text
    assert "This table calls the referee" in words(referee.get(at("match", hall)))
    assert "a card fell" not in words(browser(hall.seats[0]).get(at("match", hall)))
    assert "a card fell" not in words(browser().get(at("match", hall)))
    answered = referee.post(at("answer_call", hall, 1), {"to": "calls", "key": key()})
    assert answered["Location"] == reverse("calls")
    assert "No table calls" in words(referee.get(reverse("calls")))
    assert RefereeCall.objects.get().answered_by_id == hall.referee.person
    assert "Call the referee" in words(player.get(at("match", hall)))


def test_a_page_that_fetches_itself_again_takes_no_message_away():
    hall = Hall()
    client = browser(hall.referee)
    calls.call_referee(hall.seats[0], hall.match, words="", key=key())
    client.post(at("answer_call", hall, 1), {"to": "calls", "key": key()})
    part = client.get(reverse("calls"), headers={"hx-request": "true"}).content.decode()
    assert "<html" not in part
    assert 'id="calls"' in part
    assert "The table knows that you are coming." in words(client.get(reverse("calls")))


def test_the_queue_is_for_staff_and_costs_the_same_for_any_number():
    hall = Hall()
    for who in (None, hall.seats[0], hall.council(1)[0]):
        assert browser(who).get(reverse("calls")).status_code == 403
    client = browser(hall.referee)
    costs = []
    for seat in range(5):
        calls.call_referee(hall.seats[seat], hall.match, words="", key=key())
        with CaptureQueriesContext(connection) as asked:
            client.get(reverse("calls"))
        costs.append(len(asked))
    assert len(set(costs)) == 1
    assert browser(hall.seats[0]).post(at("answer_call", hall, 1), {"key": key()}).status_code == 403
    assert client.post(at("answer_call", hall, 9), {"key": key()}).status_code == 404
    assert client.post(at("call_referee", hall), {"key": key()}).status_code == 403
    assert client.get(at("call_referee", hall)).status_code == 405


# Opened again


def test_a_referee_opens_a_signed_match_again():
    hall = Hall()
    hall.play(1)
    client = browser(hall.referee)
    assert "The match is open: it can be written on." in words(client.get(at("reopen_match", hall)))
    over(hall)
    assert browser(hall.seats[0]).get(at("reopen_match", hall)).status_code == 403
    assert client.post(at("reopen_match", hall), {"reason": "", "key": key()}).status_code == 422
    answer = client.post(at("reopen_match", hall), {"reason": "a hand is missing", "key": key()})
    assert answer["Location"] == at("match", hall)
    assert hall.sheet.state == Sheet.State.OPEN
    assert client.post(at("reopen_match", hall), {"reason": "again", "key": key()}).status_code == 422
    Sheet.objects.filter(pk=hall.match).update(state=Sheet.State.FROZEN)
    assert "The match is frozen" in words(client.get(at("reopen_match", hall)))


def test_every_page_of_judging_is_not_kept_by_browsers():
    hall = Hall()
    ruling = ruled(hall)
    guarantor = browser(person("Gina", COUNCIL, scope=hall.club.scope_id))
    for client, address in (
        (browser(hall.referee), at("penalty", hall)),
        (browser(hall.referee), at("ruling", hall, ruling)),
        (browser(hall.referee), reverse("calls")),
        (guarantor, reverse("appeals")),
    ):
        assert client.get(address)["Cache-Control"] == "no-store"
