"""The pages on which penalties are claimed, judged, ruled and appealed: what they show, to whom, and what they refuse."""

import re
from html import unescape

import pytest
from django.db import transaction
from django.test import Client
from django.urls import reverse

from gameplay.queries import match_for_page
from gameplay.services import claims, matches, recording
from players.models import User
from scoring.models import Claim, Entry
from scoring.rules.scoresheet import Admitted
from tests.gameplay.rows import Hall, key

pytestmark = pytest.mark.django_db
LOST = (0, 1, 90, 50)
WON = (0, 1, 80, 95)
ALONE = (0, 0, 90, 50)
QUEUE = {"accept": "application/json"}


def browser(who=None):
    """A browser in English; `who`: an Actor or a User that is signed in."""
    client = Client(headers={"accept-language": "en"})
    if who is not None:
        client.force_login(who if isinstance(who, User) else User.objects.get(pk=who.person))
    return client


def at(name, hall, *rest):
    return reverse(name, args=[hall.match, *rest])


def words(answer):
    """What a person reads, without tags."""
    html = answer.content.decode()
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", html.partition("<main")[2].partition("</main>")[0])).split())


def claimed(hall, kind="suicidal_call", by=2, line=1):
    claims.claim(hall.seats[by], hall.match, line=line, kind=kind, reason="he laughed", key=key())


def vote(hall, seat, uphold, number=1):
    claims.cast_vote(hall.seats[seat], hall.match, claim=number, uphold=uphold, key=key())


def over(hall):
    entries = len(match_for_page(hall.referee, hall.match).entries)
    matches.sign(hall.referee, hall.match, entries=entries, key=key())


# The choice


def test_a_player_chooses_among_three_a_referee_among_five():
    hall = Hall()
    hall.play(1, *LOST)
    seen = browser(hall.seats[3]).get(at("penalty", hall))
    assert re.findall(r'href="\?kind=(\w+)"', seen.content.decode()) == ["admission", "suicidal_call", "disloyal_raise"]
    seen = browser(hall.referee).get(at("penalty", hall)).content.decode()
    assert re.findall(r'href="\?kind=(\w+)"', seen)[3:] == ["award", "decision"]
    assert browser().get(at("penalty", hall)).status_code == 403
    assert browser(Hall("altro").referee).get(at("penalty", hall)).status_code == 403


def test_what_cannot_be_claimed_says_why():
    hall = Hall()
    hall.play(1, 0, 1, 72, 80)
    seen = browser(hall.seats[3]).get(at("penalty", hall))
    assert re.findall(r'href="\?kind=(\w+)"', seen.content.decode()) == ["admission"]
    assert "Only a lost hand can be a suicidal call" in words(seen)
    assert "A disloyal raise needs a bid above 72; this one is 72." in words(seen)
    over(hall)
    seen = browser(hall.seats[3]).get(at("penalty", hall))
    assert 'href="?kind' not in seen.content.decode()
    assert "The match is closed" in words(seen)
    assert "The match is closed" in words(browser(hall.seats[3]).get(at("penalty", hall) + "?kind=admission"))


# Admissions


def admit(client, hall, step="save", **changed):
    given = {"kind": "admission", "step": step, "hand": "1", "caller": "1", "bid": "80", "no_card": "on", "key": key()}
    return client.post(at("penalty", hall), {**given, **changed})


def test_an_admission_shows_what_it_costs_and_then_is_saved():
    hall = Hall()
    recording.record_hand(hall.referee, hall.match, hand=1, content=Admitted(1, 90), key=key())
    client = browser(hall.referee)
    seen = admit(client, hall, "preview", hand="2")
    assert seen.status_code == 200
    assert Entry.objects.count() == 1
    text = words(seen)
    assert "Second disloyal raise of Bruno in this match." in text
    assert "−70 for Bruno." in text
    assert "Voided and repeated: nobody else scores, and Ada deals it again." in text
    assert "−120 (−70)" in text  # the total, with the 50 of the first
    assert 'data-queue="' in seen.content.decode()
    changed = admit(client, hall, "change", hand="2")
    assert 'value="80"' in changed.content.decode()
    saved = admit(client, hall, hand="2")
    assert (saved.status_code, saved["Location"]) == (302, at("match", hall))
    assert hall.points == [0, -120, 0, 0, 0]


def test_an_offence_of_the_tournament_counts_from_there():
    hall = Hall(offence_scope="tournament")
    text = words(admit(browser(hall.referee), hall, "preview"))
    assert "First disloyal raise of Bruno in this tournament." in text


@pytest.mark.parametrize(
    ("nth", "words_of"), [(3, "Third disloyal raise of Bruno"), (4, "Disloyal raise number 4 of Bruno")]
)
def test_later_offences_have_their_words(nth, words_of):
    hall = Hall()
    for hand in range(1, nth):
        recording.record_hand(hall.referee, hall.match, hand=hand, content=Admitted(1, 90), key=key())
    text = words(admit(browser(hall.referee), hall, "preview", hand=str(nth)))
    assert words_of in text
    assert "−100 for Bruno." in text


@pytest.mark.parametrize("step", ["preview", "save"])
def test_72_is_refused_beside_its_field_with_the_article(step):
    hall = Hall()
    seen = admit(browser(hall.referee), hall, step, bid="72")
    assert seen.status_code == 422
    html = seen.content.decode()
    assert "A disloyal raise needs a bid above 72; this one is 72." in unescape(html)
    assert '#S18">' in html
    assert Entry.objects.count() == 0
    if step == "preview":
        error = html.partition('id="bid-error"')[2].partition("</p>")[0]
        assert "#S18" in error
        assert 'aria-describedby="bid-error"' in html


@pytest.mark.parametrize("step", ["preview", "save"])
def test_an_admission_after_the_first_card_is_too_late(step):
    hall = Hall()
    seen = admit(browser(hall.referee), hall, step, no_card="")
    assert seen.status_code == 422
    assert "before the first card is led, not after" in words(seen)
    assert "#D19" in seen.content.decode()
    assert Entry.objects.count() == 0


def test_an_admission_of_a_player_waits_for_a_second_person():
    hall = Hall()
    client = browser(hall.seats[1])
    seen = client.get(admit(client, hall)["Location"])
    assert "The admission waits for a second person." in words(seen)
    assert hall.points == [0] * 5


# Claims


def test_a_claim_shows_cost_and_judges_before_it_is_made():
    hall = Hall()
    hall.play(1, *LOST)
    client = browser(hall.seats[2])
    text = words(client.get(at("penalty", hall) + "?kind=suicidal_call"))
    assert "90 bid by Ada with Bruno, 50 made" in text
    assert "−240 for Ada: 200 for the offence and 40 lost in the hand." in text
    assert "Voided, not repeated: nobody else scores, and Bruno deals next." in text
    assert "−1 for Ada" in text
    assert "Carla, Dino, and Elsa judge, without appeal" in text
    assert "Two of the three must uphold it. Nobody sees a vote before all have voted." in text
    given = {"kind": "suicidal_call", "line": "1", "reason": "", "key": key()}
    refused = client.post(at("penalty", hall), given)
    assert refused.status_code == 422
    assert 'aria-describedby="reason-error"' in refused.content.decode()
    made = client.post(at("penalty", hall), {**given, "reason": "he laughed"})
    assert made["Location"] == at("claim", hall, 1)
    assert Claim.objects.get().reason == "he laughed"


def test_against_a_solo_four_judge_and_the_tie_is_explained():
    hall = Hall()
    hall.play(1, *ALONE)
    text = words(browser(hall.referee).get(at("penalty", hall) + "?kind=disloyal_raise"))
    assert "Bruno, Carla, Dino, and Elsa judge" in text
    assert "Three of the four must uphold it; two against two rejects it." in text
    assert "First disloyal raise of Ada in this match." in text
    assert "−90 for Ada: 50 for the offence and 40 lost in the hand." in text


def test_a_won_hand_shows_no_form_for_a_suicidal_call_and_takes_none():
    hall = Hall()
    hall.play(1, *WON)
    client = browser(hall.seats[2])
    seen = client.get(at("penalty", hall) + "?kind=suicidal_call")
    assert "Only a lost hand can be a suicidal call" in words(seen)
    assert "<textarea" not in seen.content.decode()
    told = {"kind": "suicidal_call", "line": "1", "reason": "x", "key": key()}
    assert client.post(at("penalty", hall), told).status_code == 422
    answer = client.post(at("penalty", hall), told, headers=QUEUE)
    assert (answer.status_code, answer.json()["code"], answer.json()["article"]) == (
        422,
        "suicidal_needs_lost_hand",
        "D18",
    )


def test_the_queue_gets_a_receipt_and_the_same_one_again():
    hall = Hall()
    hall.play(1, *LOST)
    told = {"kind": "disloyal_raise", "line": "1", "reason": "he said so", "key": "k"}
    client = browser(hall.seats[2])
    first = client.post(at("penalty", hall), told, headers=QUEUE).json()
    assert first["ok"]
    assert first["receipt"]["claim"] == 1
    assert client.post(at("penalty", hall), told, headers=QUEUE).json() == first
    again = client.post(at("penalty", hall), told | {"reason": "other"}, headers=QUEUE)
    assert (again.status_code, again.json()["code"]) == (409, "key_reused")
    assert client.post(at("penalty", hall), told | {"kind": "theft", "key": "n"}, headers=QUEUE).status_code == 422


def test_where_the_referee_judges_the_form_says_so():
    hall = Hall(judge_mode="referee")
    hall.play(1, *LOST)
    assert "The referee judges, and says why." in words(
        browser(hall.seats[2]).get(at("penalty", hall) + "?kind=suicidal_call")
    )


# Judging


def test_only_lawful_judges_get_the_two_buttons():
    hall = Hall()
    hall.play(1, *LOST)
    claimed(hall)
    for who, judges in ((None, False), (hall.referee, False), *((seat, n > 1) for n, seat in enumerate(hall.seats))):
        seen = browser(who).get(at("claim", hall, 1))
        assert seen.status_code == 200
        assert ('name="uphold"' in seen.content.decode()) is judges
        assert "0 of 3 have voted." in words(seen)
        assert ("Only these players vote." in words(seen)) is not judges


def test_a_vote_by_the_button_and_the_verdict():
    hall = Hall()
    hall.play(1, *ALONE)
    claimed(hall)
    page = at("claim", hall, 1)
    for seat, uphold in ((1, "1"), (2, "1"), (3, "0")):
        client = browser(hall.seats[seat])
        answer = client.post(page, {"do": "vote", "uphold": uphold, "key": key()})
        assert (answer.status_code, answer["Location"]) == (302, page)
        seen = words(client.get(page))
        assert f"You voted to {'uphold' if uphold == '1' else 'reject'} it." in seen
        assert 'name="uphold"' not in client.get(page).content.decode()
    assert "3 of 4 have voted." in words(browser().get(page))
    browser(hall.seats[4]).post(page, {"do": "vote", "uphold": "0", "key": key()})
    seen = words(browser().get(page))
    assert "Rejected by the table: 2 to 2 is a tie, and a tie rejects." in seen
    assert "Bruno upholds Carla upholds Dino rejects Elsa rejects" in seen
    assert "The hand counts as it was played." in seen
    twice = browser(hall.seats[4]).post(page, {"do": "vote", "uphold": "1", "key": key()})
    assert (twice.status_code, "This claim is decided already." in words(twice)) == (422, True)


def test_the_part_that_follows_by_itself_is_the_state_of_the_claim():
    hall = Hall()
    hall.play(1, *LOST)
    claimed(hall)
    part = browser(hall.seats[2]).get(at("claim", hall, 1), headers={"hx-request": "true"}).content.decode()
    assert part.count('id="claim-state"') == 1
    assert "<html" not in part
    assert 'name="uphold"' in part


def test_upheld_the_page_says_what_it_came_to():
    hall = Hall()
    hall.play(1, *LOST)
    claimed(hall)
    for seat in (2, 3, 4):
        vote(hall, seat, seat != 4)
    seen = words(browser().get(at("claim", hall, 1)))
    assert "Upheld by the table, 2 to 1." in seen
    assert "Ada: −240, of which 40 lost in the hand, and −1 in the standings" in seen


def test_a_vote_needs_its_word_and_its_judge():
    hall = Hall()
    hall.play(1, *LOST)
    claimed(hall)
    page = at("claim", hall, 1)
    assert browser(hall.seats[2]).post(page, {"do": "vote", "uphold": "maybe", "key": key()}).status_code == 422
    assert browser(hall.seats[2]).post(page, {"do": "dance", "uphold": "1", "key": key()}).status_code == 422
    assert browser(hall.seats[0]).post(page, {"do": "vote", "uphold": "1", "key": key()}).status_code == 422
    assert browser(hall.referee).post(page, {"do": "vote", "uphold": "1", "key": key()}).status_code == 403
    assert browser(hall.seats[2]).get(at("claim", hall, 2)).status_code == 404
    assert browser().get(reverse("claim", args=[hall.club.scope_id, 1])).status_code == 404


def test_a_referee_decides_with_a_reason_where_he_judges():
    hall = Hall(judge_mode="referee")
    hall.play(1, *LOST)
    claimed(hall)
    page = at("claim", hall, 1)
    assert "Only the referee decides." in words(browser(hall.seats[3]).get(page))
    client = browser(hall.referee)
    assert "The referee has not decided yet." in words(client.get(page))
    bad = client.post(page, {"do": "decide", "uphold": "1", "reason": " ", "key": key()})
    assert (bad.status_code, 'id="reason-error"' in bad.content.decode()) == (422, True)
    client.post(page, {"do": "decide", "uphold": "1", "reason": "I saw it", "key": key()})
    seen = words(client.get(page))
    assert "Upheld by the referee." in seen
    assert hall.points[0] == -240


def test_who_made_a_claim_withdraws_it():
    hall = Hall()
    hall.play(1, *LOST)
    claimed(hall)
    page = at("claim", hall, 1)
    assert "Withdraw the claim" not in words(browser(hall.seats[3]).get(page))
    client = browser(hall.seats[2])
    assert "Withdraw the claim" in words(client.get(page))
    assert client.post(page, {"do": "withdraw", "reason": "", "key": key()}).status_code == 422
    client.post(page, {"do": "withdraw", "reason": "a joke", "key": key()})
    assert "Withdrawn: “a joke” Nothing was judged." in words(browser().get(page))


# Secrets

TOKENS = re.compile(rb'(name="(?:csrfmiddlewaretoken|key)" value=")[^"]*(")')


PAGES = (("claim", [1]), ("match", []), ("penalty", []), ("record_hand", []), ("sign_match", []))


def world(hall, viewers, ballots):
    """Everything that these browsers get while the votes (seat, word) are cast, after each of them."""
    answers = []
    for seat, uphold in ballots:
        given = {"do": "vote", "uphold": "1" if uphold else "0", "key": f"k{seat}"}
        answers.append(browser(hall.seats[seat]).post(at("claim", hall, 1), given, headers=QUEUE).content)
        for client in viewers:
            for name, rest in PAGES:
                seen = client.get(at(name, hall, *rest))
                bare = TOKENS.sub(rb"\1\2", seen.content)
                answers.append((name, seen.status_code, sorted(seen.headers.items()), bare))
            for name, rest, sent in (("deal_hand", [], {"hand": "2"}), ("claim", [1], {"do": "vote", "uphold": "?"})):
                refused = client.post(at(name, hall, *rest), {**sent, "key": "r"}, headers=QUEUE)
                answers.append((refused.status_code, refused.content))
        answers.append(hall.sheet.version)
    return answers


def test_no_byte_tells_how_anybody_voted_before_all_have():
    """Two worlds that differ only in how Bruno voted: the same bytes for everybody but himself."""
    hall = Hall()
    hall.play(1, *ALONE)
    claimed(hall)
    others = [browser(who) for who in (None, hall.referee, *hall.seats[:1], *hall.seats[2:], *hall.council(1))]
    himself = browser(hall.seats[1])
    told, own = [], []
    for word in (True, False):
        with transaction.atomic():
            told.append(world(hall, others, ((1, word), (2, True), (3, False))))
            own.append(TOKENS.sub(rb"\1\2", himself.get(at("claim", hall, 1)).content))
            transaction.set_rollback(True)
    assert len(told[0]) == len(told[1]) == 3 * (2 + 7 * 7)
    assert told[0] == told[1]
    assert own[0] != own[1]  # the comparison would see it
