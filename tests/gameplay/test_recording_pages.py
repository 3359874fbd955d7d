"""The page on which a hand is written: what it shows, what it refuses, what it answers to a queue."""

import pytest
from django.urls import reverse

from gameplay.queries import match_for_page
from gameplay.services import claims, recording
from players.web.asking import mark_of
from scoring.models import Sheet
from scoring.rules.scoresheet import Admitted, Played, Voided
from tests.gameplay.browsing import HAND, QUEUE, at, browser, entries, record
from tests.gameplay.rows import Hall, key, person

pytestmark = pytest.mark.django_db


@pytest.fixture
def hall():
    return Hall()


# The form


def test_a_hand_is_recorded_and_the_form_of_the_next_one_follows(hall):
    client = browser(hall.referee)
    page = client.get(at("record_hand", hall))
    assert "Hand 1" in page.content.decode()
    assert "Ada deals" in page.content.decode()
    answer = record(client, hall)
    assert answer.status_code == 302
    page = client.get(answer["Location"]).content.decode()
    assert "Hand 1 is saved." in page
    assert "Hand 2" in page
    assert "Bruno deals" in page
    assert hall.points == [75, 75, 0, 0, 0]


def test_without_script_the_five_scores_are_shown_before_they_are_saved(hall):
    page = record(browser(hall.referee), hall, action="preview", made="60")
    assert page.status_code == 200
    assert page.context["scores"] == [
        {"name": "Ada", "points": -15, "total": -15, "caller": True, "called": False},
        {"name": "Bruno", "points": -15, "total": -15, "caller": False, "called": True},
        {"name": "Carla", "points": 60, "total": 60, "caller": False, "called": False},
        {"name": "Dino", "points": 60, "total": 60, "caller": False, "called": False},
        {"name": "Elsa", "points": 60, "total": 60, "caller": False, "called": False},
    ]
    html = page.content.decode()
    assert "−15" in html
    assert 'value="75"' in html
    assert html.count(" checked") == 3  # two players, and the kind of claim that comes first
    assert entries(hall) == []


@pytest.mark.parametrize(
    ("changed", "field", "words"),
    [
        ({"caller": ""}, "caller", "Caller: Something is missing"),
        ({"caller": "5"}, "caller", "There is no seat 5"),
        ({"called": "x"}, "called", "Called: This must be a whole number"),
        ({"bid": "60"}, "bid", "A bid of 60 is not possible: bids go from 61 to 120."),
        ({"bid": "121"}, "bid", "A bid of 121 is not possible"),
        ({"bid": "7²"}, "bid", "whole number"),
        ({"made": "-1"}, "made", "−1 points cannot be made"),
        ({"made": "121"}, "made", "121 points cannot be made"),
        ({"made": "9" * 40}, "made", "whole number"),
        ({"hand": "3"}, "hand", "Hand 3 cannot be next: hand 1 is."),
        ({"hand": ""}, "hand", "Something is missing"),
        ({"key": ""}, "", "did not come from a page of this house"),
        ({"kind": "admitted", "bid": "72"}, "ruling", "needs a bid above 72"),
    ],
)
def test_what_is_impossible_is_refused_with_field_and_rule(hall, changed, field, words):
    client = browser(hall.referee)
    page = record(client, hall, **changed)
    assert page.status_code == 422
    assert page.context["error"]["field"] == field
    html = page.content.decode().replace("&#x27;", "'")
    assert words.replace("−1 points", "-1 points") in html
    queued = record(client, hall, send=QUEUE, **changed)
    assert queued.status_code == 422
    told = queued.json()
    assert told["ok"] is False
    assert told["pointer"].rpartition("/")[2] == field
    assert told["sentence"] in html
    assert entries(hall) == []


def test_refused_bids_name_their_article(hall):
    html = record(browser(hall.referee), hall, bid="60").content.decode()
    assert 'aria-invalid="true"' in html
    assert 'href="/rules/#S12"' in html


def test_an_admission_costs_and_the_same_player_deals_again(hall):
    client = browser(hall.referee)
    answer = record(client, hall, kind="admitted", caller="2", bid="80")
    assert answer.status_code == 302
    assert entries(hall)[0].content == Admitted(2, 80)
    page = client.get(at("record_hand", hall)).content.decode()
    assert "Ada deals" in page
    assert hall.points == [0, 0, -50, 0, 0]


def test_who_may_not_write_gets_no_form(hall):
    for who in (None, person("Nobody")):
        client = browser(who)
        assert client.get(at("record_hand", hall)).status_code == 403
        assert record(client, hall).status_code == 403
        assert client.get(at("correct_hand", hall, 1)).status_code == 403
        assert client.get(at("sign_match", hall)).status_code == 403
        assert client.get(at("record_grid", hall)).status_code == 403
    assert browser(hall.seats[0]).get(at("record_grid", hall)).status_code == 403
    assert browser(hall.referee).get(reverse("record_hand", args=[key() and person("x").pk])).status_code == 404


def test_a_form_without_a_token_is_refused(hall):
    assert record(browser(hall.referee, csrf=True), hall).status_code == 403


# The queue


def test_the_queue_gets_a_receipt_and_the_same_one_again(hall):
    client, same = browser(hall.referee), key()
    first = record(client, hall, send=QUEUE, key=same)
    again = record(client, hall, send=QUEUE, key=same)
    assert first.status_code == again.status_code == 200
    assert first.json() == again.json()
    assert first.json()["receipt"] == {
        "hand": 1,
        "entry": 0,
        "pending": None,
        "totals": [75, 75, 0, 0, 0],
        "version": Sheet.objects.get(pk=hall.match).version,
    }
    other = record(client, hall, send=QUEUE, key=same, made="79")
    assert (other.status_code, other.json()["code"]) == (409, "key_reused")
    assert len(entries(hall)) == 1


def test_a_page_without_network_knows_the_rules_and_what_comes_next(hall):
    client = browser(hall.referee)
    record(client, hall)
    record(client, hall, hand=2, kind="admitted", caller="2", bid="80")
    state = client.get(at("record_hand", hall), headers=QUEUE).json()
    assert state == {
        "version": Sheet.objects.get(pk=hall.match).version,
        "hand": 3,
        "line": 3,
        "dealer": 1,
        "totals": [75, 75, -50, 0, 0],
        "offences": [0, 0, 1, 0, 0],
        "dealt": 2,
        "last": None,
        "pending": None,
        "waits": "",
        "open": True,
        "records": True,
        "names": ["Ada", "Bruno", "Carla", "Dino", "Elsa"],
        "low": 61,
        "above": 72,
        "disloyal": [50, 70, 100],
        "suicidal": 200,
    }
    record(client, hall, hand=3)
    state = client.get(at("record_hand", hall), headers=QUEUE).json()
    assert state["last"] == {"line": 3, "hand": 3, "kind": "played", "caller": 0, "called": 1, "bid": 75, "made": 80}


def test_what_one_recorded_does_not_come_under_the_session_of_another(hall):
    other = Hall("altro")
    for mark in (mark_of(other.referee.person), "", "x"):
        refused = record(browser(hall.referee), hall, send={**QUEUE, "x-actor": mark})
        assert (refused.status_code, refused.json()["code"]) == (403, "other_person")
    signed_out = record(browser(), hall, send={**QUEUE, "x-actor": mark_of(hall.referee.person)})
    assert (signed_out.status_code, signed_out.json()["code"]) == (403, "other_person")
    assert (
        record(browser(hall.referee), hall, send={**QUEUE, "x-actor": mark_of(hall.referee.person)}).status_code == 200
    )


def test_the_mark_on_the_page_is_the_person_s_and_says_nothing(hall):
    html = browser(hall.referee).get(at("match", hall)).content.decode()
    mark = mark_of(hall.referee.person)
    assert f'data-actor="{mark}"' in html
    assert str(hall.referee.person).replace("-", "")[:8] not in mark
    assert "data-actor" not in browser().get(at("match", hall)).content.decode()


# Two writers


def test_a_hand_written_twice_shows_both(hall):
    client = browser(hall.referee)
    record(client, hall, made="90")
    page = record(client, hall, made="60", refused="abc")
    assert page.status_code == 409
    html = page.content.decode()
    assert "Hand 1 was written twice" in html
    assert "75 bid by Ada with Bruno, 90 made" in html
    assert "75 bid by Ada with Bruno, 60 made" in html
    assert 'data-queue-drop="abc"' in html
    assert 'data-queue-replaces="abc"' in html
    assert [one["points"] for one in page.context["theirs"]["scores"]] == [75, 75, 0, 0, 0]
    assert [one["points"] for one in page.context["mine"]["scores"]] == [-15, -15, 60, 60, 60]
    assert len(entries(hall)) == 1
    queued = record(client, hall, made="60", send=QUEUE)
    assert (queued.status_code, queued.json()["code"]) == (409, "hand_taken")
    # corrected to mine: its form has everything but the reason
    sent = {**page.context["fields"], "entry": page.context["entry"], "key": key(), "action": "correct"}
    assert client.post(at("correct_hand", hall, 1), {**sent, "reason": " "}).status_code == 422
    assert client.post(at("correct_hand", hall, 1), {**sent, "reason": "misread"}).status_code == 302
    assert hall.points == [-15, -15, 60, 60, 60]
    assert len(entries(hall)) == 2


def test_the_same_hand_written_twice_has_nothing_to_correct(hall):
    client = browser(hall.referee)
    record(client, hall)
    html = record(client, hall).content.decode()
    assert "Both say the same" in html
    assert "Correct it to mine" not in html


def test_a_correction_of_what_was_corrected_meanwhile_shows_both(hall):
    client = browser(hall.referee)
    record(client, hall)
    mend = {"action": "correct", "entry": "0", "reason": "first", **HAND}
    assert client.post(at("correct_hand", hall, 1), {**mend, "key": key(), "made": "90"}).status_code == 302
    page = client.post(at("correct_hand", hall, 1), {**mend, "key": key(), "made": "70", "reason": "second"})
    assert page.status_code == 409
    assert "90 made" in page.context["theirs"]["words"]
    assert "70 made" in page.context["mine"]["words"]
    assert page.context["entry"] == 1
    assert 'value="second"' in page.content.decode()
    assert len(entries(hall)) == 2


# Corrected, voided, taken back


def test_a_correction_keeps_both_lines(hall):
    client = browser(hall.referee)
    record(client, hall)
    page = client.get(at("correct_hand", hall, 1))
    html = page.content.decode()
    assert "Correct hand 1" in html
    assert "75 bid by Ada with Bruno, 80 made" in html
    sent = {"action": "preview", "entry": "0", **HAND, "made": "60", "key": key(), "reason": ""}
    page = client.post(at("correct_hand", hall, 1), sent)
    assert [one["points"] for one in page.context["scores"]] == [-15, -15, 60, 60, 60]
    answer = client.post(at("correct_hand", hall, 1), {**sent, "action": "correct", "reason": "misread"})
    assert answer["Location"] == at("match", hall) + "#line-1"
    html = client.get(at("match", hall)).content.decode()
    assert "Before: 75 bid by Ada with Bruno, 80 made. Corrected: “misread”" in html
    assert "Corrected. The old value stays on the sheet." in html


@pytest.mark.parametrize("action", ["correct", "void", "undo"])
def test_nothing_is_mended_without_a_reason(hall, action):
    client = browser(hall.referee)
    record(client, hall)
    page = client.post(at("correct_hand", hall, 1), {"action": action, "entry": "0", **HAND, "key": key()})
    assert page.status_code == 422
    assert page.context["error"]["field"] == "reason"
    assert page.context["error"]["article"] == "S11"
    assert len(entries(hall)) == 1


def test_a_hand_is_voided_and_repeated(hall):
    client = browser(hall.referee)
    record(client, hall)
    sent = {"action": "void", "entry": "0", "repeated": "on", "reason": "nine cards", "key": key()}
    assert client.post(at("correct_hand", hall, 1), sent).status_code == 302
    view = match_for_page(hall.referee, hall.match)
    assert view.entries[-1].content == Voided(repeated=True)
    assert view.sheet.next_dealer == 0
    assert hall.points == [0, 0, 0, 0, 0]
    # and the ruling behind it stands on the page of the match
    assert "nine cards" in client.get(at("match", hall)).content.decode()


def test_what_was_written_last_is_taken_back(hall):
    client = browser(hall.referee)
    record(client, hall)
    record(client, hall, hand=2)
    assert "Take back what was written last" not in client.get(at("correct_hand", hall, 1)).content.decode()
    assert "Take back what was written last" in client.get(at("correct_hand", hall, 2)).content.decode()
    sent = {"action": "undo", "entry": "1", "reason": "wrong table", "key": key()}
    assert client.post(at("correct_hand", hall, 2), sent).status_code == 302
    assert hall.points == [75, 75, 0, 0, 0]
    assert len(entries(hall)) == 3


def test_a_judged_penalty_stays_with_a_corrected_hand():
    hall = Hall(judge_mode="referee")
    hall.play(1, 0, 1, 80, 60)
    number = claims.claim(hall.referee, hall.match, line=1, kind="suicidal_call", reason="on purpose", key=key())
    claims.decide_claim(hall.referee, hall.match, claim=number["claim"], uphold=True, reason="seen", key=key())
    sent = {"action": "correct", "entry": "1", **HAND, "bid": "80", "made": "50", "reason": "misread", "key": key()}
    assert browser(hall.referee).post(at("correct_hand", hall, 1), sent).status_code == 302
    content = entries(hall)[-1].content
    assert isinstance(content, Played)
    assert content.ruling == "suicidal_call"
    assert hall.points == [-230, 0, 0, 0, 0]


def test_a_line_that_is_not_there_is_no_page(hall):
    client = browser(hall.referee)
    assert client.get(at("correct_hand", hall, 1)).status_code == 404
    record(client, hall)
    assert client.get(at("correct_hand", hall, 0)).status_code == 404
    odd = client.post(at("correct_hand", hall, 1), {"action": "eat", "entry": "0", "key": key()})
    assert odd.status_code == 422


def test_who_was_overtaken_while_he_sent_sees_both_hands(hall, monkeypatch):
    """The other hand is written after the page was read and before this one is."""
    record_first = recording.record_hand

    def overtaken(*args, **told):
        monkeypatch.setattr(recording, "record_hand", record_first)
        hall.play(1, 4, 2, 80, 90)
        return record_first(*args, **told)

    monkeypatch.setattr(recording, "record_hand", overtaken)
    page = record(browser(hall.referee), hall)
    assert page.status_code == 409
    assert "90" in page.content.decode()
    assert len(entries(hall)) == 1


def test_undoing_a_line_that_is_not_there_undoes_nothing(hall):
    hall.play(1)
    given = {"action": "undo", "entry": "0", "reason": "x", "key": key()}
    assert browser(hall.referee).post(at("correct_hand", hall, 999), given, headers=QUEUE).status_code == 404
    assert len(entries(hall)) == 1


def test_turning_back_from_a_preview_saves_nothing(hall):
    client = browser(hall.referee)
    given = {"kind": "admission", "caller": "1", "bid": "80", "no_card": "on", "hand": "1", "key": key()}
    assert client.post(at("penalty", hall), given | {"step": "change"}, headers=QUEUE).status_code == 422
    assert client.post(at("penalty", hall), given | {"kind": "bribe", "step": "save"}).status_code == 422
    assert entries(hall) == []
