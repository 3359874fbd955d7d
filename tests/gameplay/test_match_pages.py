"""The pages of a match: a second person, what changed, signatures, the paper sheet, a new table."""

import pytest
from django.urls import reverse

from gameplay.queries import match_for_page
from gameplay.services import recording, rulings
from gameplay.web.presenting import short_names
from players.models import User
from scoring.models import Sheet
from scoring.rules.scoresheet import Admitted, Voided
from tests.gameplay.browsing import QUEUE, at, browser, entries, record
from tests.gameplay.rows import Hall, key, person, played

pytestmark = pytest.mark.django_db


@pytest.fixture
def hall():
    return Hall()


# A second person


def test_a_hand_of_the_table_waits_and_is_accepted_by_one_tap(hall):
    writer, other = browser(hall.seats[0]), browser(hall.seats[1])
    answer = record(writer, hall)
    assert answer["Location"] == at("match", hall)
    mine = writer.get(at("match", hall)).content.decode()
    assert "Hand 1 waits for a second person" in mine
    assert 'value="take_back"' in mine
    assert 'value="accept"' not in mine
    theirs = other.get(at("match", hall))
    html = theirs.content.decode()
    assert 'value="accept"' in html
    assert 'value="reject"' in html
    assert 'value="take_back"' not in html
    assert [one["points"] for one in theirs.context["proposal"]["scores"]] == [75, 75, 0, 0, 0]
    stranger = browser().get(at("match", hall)).content.decode()
    assert "waits for a second person" in stranger
    assert 'name="proposal"' not in stranger
    waits = {"proposal": theirs.context["proposal"]["number"], "key": key()}
    assert writer.post(at("answer_proposal", hall), {**waits, "action": "accept"}).status_code == 422
    assert browser().post(at("answer_proposal", hall), {**waits, "action": "accept"}).status_code == 403
    assert other.post(at("answer_proposal", hall), {**waits, "action": "eat"}).status_code == 422
    assert other.post(at("answer_proposal", hall), {**waits, "action": "accept"}).status_code == 302
    assert hall.points == [75, 75, 0, 0, 0]
    assert "Record hand 2" in writer.get(at("match", hall)).content.decode()


@pytest.mark.parametrize(("action", "words"), [("reject", "Rejected"), ("take_back", "Taken back")])
def test_a_hand_that_waits_is_rejected_or_taken_back(hall, action, words):
    writer, other = browser(hall.seats[0]), browser(hall.seats[1])
    record(writer, hall)
    number = match_for_page(hall.referee, hall.match).proposal.number
    who = other if action == "reject" else writer
    sent = {"proposal": number, "action": action, "key": key()}
    assert who.post(at("answer_proposal", hall), sent).status_code == 302
    page = who.get(at("match", hall)).content.decode()
    assert words in page
    assert "Record hand 1" in page
    assert entries(hall) == []


def test_the_queue_hears_that_a_hand_waits(hall):
    client = browser(hall.seats[0])
    told = record(client, hall, send=QUEUE).json()
    assert told["receipt"]["pending"] == 1
    state = client.get(at("record_hand", hall), headers=QUEUE).json()
    assert (state["waits"], state["hand"]) == ("proposal", 1)
    assert state["pending"] == {"kind": "played", "caller": 0, "called": 1, "bid": 75, "made": 80}
    second = record(client, hall, hand=1, send=QUEUE)
    assert (second.status_code, second.json()["code"]) == (422, "proposal_pending")
    assert "Record hand 2" in client.get(at("match", hall)).content.decode()


# The match


def test_the_page_of_a_match_is_public_and_tells_no_time(hall):
    hall.play(1)
    page = browser().get(at("match", hall))
    html = page.content.decode()
    assert page.status_code == 200
    assert "Record hand" not in html
    assert "<time" not in html
    assert "Written last" in html
    assert browser().get(reverse("match", args=[person("x").pk])).status_code == 404
    part = browser().get(at("match", hall), headers={"hx-request": "true"}).content.decode().strip()
    assert part.startswith('<div class="stack-loose" id="match"')
    assert "<html" not in part


def test_a_part_that_fetches_itself_leaves_the_message_to_the_page(hall):
    client = browser(hall.referee)
    record(client, hall)
    client.get(at("match", hall), headers={"hx-request": "true"})
    assert "Hand 1 is saved." in client.get(at("match", hall)).content.decode()


def test_the_last_entries_are_told_newest_first(hall):
    hall.play(1, 0, 1, 75, 80)
    hall.play(2, 1, 2, 90, 100)
    recording.correct_hand(
        hall.referee, hall.match, line=1, entry=0, content=played(0, 1, 75, 70), reason="misread", key=key()
    )
    rows = browser().get(at("match", hall)).context["changes"]
    assert [(row["where"], row["corrects"], row["why"]) for row in rows] == [
        ("Hand 1", True, "misread"),
        ("Hand 2", False, ""),
        ("Hand 1", False, ""),
    ]


def test_dealing_the_next_hand_closes_the_claims_on_the_last(hall):
    client = browser(hall.referee)
    assert "Hand 1 is dealt" in client.get(at("match", hall)).content.decode()
    assert client.get(at("match", hall)).context["can_deal"] is False
    record(client, hall)
    assert client.get(at("match", hall)).context["can_deal"] is True
    assert client.get(at("deal_hand", hall)).status_code == 405
    assert browser().post(at("deal_hand", hall), {"hand": "2", "key": key()}).status_code == 403
    assert client.post(at("deal_hand", hall), {"hand": "2", "key": key()}).status_code == 302
    page = client.get(at("match", hall))
    assert page.context["can_deal"] is False
    assert "nobody can claim a penalty" in page.content.decode()
    again = client.post(at("deal_hand", hall), {"hand": "2", "key": key()})
    assert (again.status_code, "was dealt already" in again.content.decode()) == (422, True)


def test_the_list_shows_what_is_mine(hall):
    other = Hall("altro")
    kept = browser(hall.referee).get(reverse("matches"))
    assert [line.id for line in kept.context["kept"]] == [hall.match]
    assert kept.context["mine"] == []
    mine = browser(hall.seats[0]).get(reverse("matches"))
    assert [line.id for line in mine.context["mine"]] == [hall.match]
    assert mine.context["kept"] == []
    nothing = browser().get(reverse("matches"))
    assert "No open match" in nothing.content.decode()
    assert str(other.match) not in nothing.content.decode()


# Signing


def test_a_referee_signs_and_finds_the_way_to_open_again(hall):
    client = browser(hall.referee)
    assert "Nobody has signed yet." in client.get(at("sign_match", hall)).content.decode()
    empty = client.post(at("sign_match", hall), {"entries": "0", "key": key(), "action": "sign"})
    assert (empty.status_code, "nothing to sign" in empty.content.decode()) == (422, True)
    hall.play(1, 0, 1, 75, 60)
    page = client.get(at("sign_match", hall))
    assert page.context["totals"] == [("Carla", 60), ("Dino", 60), ("Elsa", 60), ("Ada", -15), ("Bruno", -15)]
    stale = client.post(at("sign_match", hall), {"entries": "0", "key": key(), "action": "sign"})
    assert (stale.status_code, "look at the totals again" in stale.content.decode()) == (409, True)
    assert client.post(at("sign_match", hall), {"entries": "1", "key": key(), "action": "sign"}).status_code == 302
    html = client.get(at("match", hall)).content.decode()
    assert "The match is closed: the sheet was signed." in html
    assert "Record hand" not in html
    assert record(client, hall, hand=2).status_code == 422
    assert at("reopen_match", hall) in client.get(at("sign_match", hall)).content.decode()
    assert at("reopen_match", hall) not in browser(hall.seats[0]).get(at("sign_match", hall)).content.decode()


def test_three_players_close_a_match(hall):
    hall.play(1)
    for count, seat in enumerate((0, 2, 4), start=1):
        client = browser(hall.seats[seat])
        answer = client.post(at("sign_match", hall), {"entries": "1", "key": key(), "action": "sign"})
        assert answer.status_code == 302
        assert (Sheet.objects.get(pk=hall.match).state == "closed") is (count == 3)
        if count == 1:
            html = client.get(at("sign_match", hall)).content.decode()
            assert "You have signed." in html
            assert "Signed: Ada." in html


# The paper sheet


def grid(*rows, first=1, **more):
    fields = {"first": str(first), "key": key(), "action": "save", **more}
    for at_row, row in enumerate(rows):
        for column, value in zip(("caller", "called", "bid", "made", "kind"), row, strict=False):
            fields[f"{column}-{at_row}"] = value
    return fields


def test_thirty_hands_are_saved_at_once(hall):
    client = browser(hall.referee)
    page = client.get(at("record_grid", hall))
    assert page.content.decode().count("<tr data-row") == 30
    rows = [(str(1 + n % 5), "bcdea"[n % 5], str(61 + n), str(90 - n)) for n in range(27)]
    rows += [("ada", "", "80", "", "admitted"), ("", "", "", "", "repeated"), ("E", "e", "120", "120")]
    answer = client.post(at("record_grid", hall), grid(*rows))
    assert answer.status_code == 302
    assert "30 hands are saved." in client.get(at("match", hall)).content.decode()
    view = match_for_page(hall.referee, hall.match)
    assert [entry.content for entry in view.entries[27:]] == [
        Admitted(0, 80),
        Voided(repeated=True),
        played(4, 4, 120, 120),
    ]
    assert view.next_hand == 31
    assert view.entries[1].content == played(1, 2, 62, 89)


@pytest.mark.parametrize(
    ("row", "field", "words"),
    [
        (("", "2", "75", "80"), "caller", "Caller: Something is missing"),
        (("6", "2", "75", "80"), "caller", "“6” is not exactly one of the five"),
        (("1", "zoe", "75", "80"), "called", "“zoe” is not exactly one of the five"),
        (("1", "2", "60", "80"), "bid", "A bid of 60 is not possible"),
        (("1", "2", "75", "121"), "made", "121 points cannot be made"),
        (("1", "2", "75", "x"), "made", "whole number"),
        (("1", "", "72", "", "admitted"), "ruling", "needs a bid above 72"),
        (("", "", "", ""), "caller", "Something is missing"),  # an empty row before a full one
    ],
)
def test_a_wrong_row_is_named_and_nothing_is_saved(hall, row, field, words):
    client = browser(hall.referee)
    rows = [("1", "2", "75", "80"), row, ("3", "3", "90", "100")]
    for action in ("save", "preview"):
        page = client.post(at("record_grid", hall), grid(*rows, action=action))
        assert page.status_code == 422
        assert (page.context["error"]["row"], page.context["error"]["field"]) == (1, field)
        html = page.content.decode()
        assert "Hand 2:" in html
        assert words in html
        assert 'name="bid-2" value="90"' in html
    assert entries(hall) == []


def test_the_grid_shows_running_totals_without_script(hall):
    client = browser(hall.referee)
    hall.play(1, 0, 1, 75, 80)
    page = client.post(at("record_grid", hall), grid(("1", "2", "75", "80"), ("3", "3", "90", "60"), action="preview"))
    assert [row["totals"] for row in page.context["rows"][:3]] == [(150, 150, 0, 0, 0), (210, 210, -30, 60, 60), ()]
    assert len(entries(hall)) == 1


def test_a_grid_that_came_late_is_refused_whole(hall):
    client = browser(hall.referee)
    hall.play(1)
    page = client.post(at("record_grid", hall), grid(("1", "2", "75", "80")))
    assert (page.status_code, page.context["error"]["field"]) == (409, "first")
    assert client.post(at("record_grid", hall), grid(first=2)).status_code == 422
    assert len(entries(hall)) == 1


# A new match


def names(*five, **more):
    return {f"name-{seat}": name for seat, name in enumerate(five)} | {"table_name": "Sala", "key": key(), **more}


def test_a_match_is_opened_with_people_who_are_known_and_new(hall):
    client = browser(hall.referee)
    page = client.get(reverse("new_match"))
    assert page.status_code == 200
    scope = str(hall.club.scope_id)
    typed = ("Ada", "Fede", "Gina", "Hugo", "Ivo")
    looked = client.post(reverse("new_match"), names(*typed, scope=scope, action="look"))
    seats = looked.context["seats"]
    ada = str(hall.people[0].pk)
    assert (ada, "Ada", True) in seats[0]["found"]
    assert seats[1]["new"] is True
    sent = names(*typed, scope=scope, action="open", **{"who-0": ada}, recorders="referee", confirm_hands="on")
    answer = client.post(reverse("new_match"), sent)
    assert answer.status_code == 302
    view = match_for_page(hall.referee, answer["Location"].split("/")[2])
    assert view.players == typed
    assert view.people[0] == hall.people[0].pk
    assert (view.rules.recorders, view.rules.confirm_hands, view.rules.judge_mode) == ("referee", True, "players")


def test_a_new_match_says_what_is_wrong(hall):
    client, scope = browser(hall.referee), str(hall.club.scope_id)
    missing = client.post(reverse("new_match"), names("Ada", "", "Gina", "Hugo", "Ivo", scope=scope, action="look"))
    assert (missing.status_code, "Five names are needed." in missing.content.decode()) == (422, True)
    before = User.objects.count()
    ada = {"who-0": str(hall.people[0].pk), "who-1": str(hall.people[0].pk)}
    five = ("Ada", "Ada", "Gina", "Hugo", "Ivo")
    for more, field in (
        (ada, "people"),
        ({"who-0": "x"}, "0"),
        ({"who-0": str(hall.match)}, "people"),
        ({"table_name": " "}, "table_name"),
        ({"name-3": "\u200b"}, "3"),
    ):
        page = client.post(reverse("new_match"), names(*five, scope=scope, action="open") | more)
        assert page.status_code == 422, more
        assert page.context["error"]["field"] in (field, ""), more
    assert User.objects.count() == before
    assert client.post(reverse("new_match"), names(*five, scope="x", action="open")).status_code == 404
    assert browser(hall.seats[0]).get(reverse("new_match")).status_code == 403
    assert browser().get(reverse("new_match")).status_code == 403


def test_people_of_another_club_are_found_once_everybody_may_know_them(hall):
    Hall("altro")  # five more of the same names, who played nowhere that is published
    looked = browser(hall.referee).post(
        reverse("new_match"), names("Ada", "Fede", "Gina", "Hugo", "Ivo", scope=str(hall.club.scope_id), action="look")
    )
    assert [pk for pk, _, _ in looked.context["seats"][0]["found"]] == [str(hall.people[0].pk)]


def test_the_first_page_leads_to_what_is_one_s_own(hall):
    def doors(who):
        return [door["href"] for door in browser(who).get("/").context["own"]]

    assert doors(hall.referee) == ["/matches/", "/bell/", "/calls/"]
    assert doors(hall.seats[0]) == ["/matches/"]
    assert browser().get("/").context["own"] == []


def test_a_match_is_opened_in_one_s_own_club_only(hall):
    other = Hall("altro")
    sent = names("A", "B", "C", "D", "E", scope=str(other.club.scope_id), action="open")
    assert browser(hall.referee).post(reverse("new_match"), sent).status_code == 403


def test_sub_iudice_stands_on_the_page(hall):
    hall.play(1)
    made = rulings.award(hall.referee, hall.match, seat=0, points=-10, article="S3", reason="talked", key=key())
    assert "sub iudice" not in browser().get(at("match", hall)).content.decode()
    rulings.appeal(hall.seats[0], hall.match, ruling=made["ruling"], reason="did not", key=key())
    assert "sub iudice" in browser().get(at("match", hall)).content.decode()


def test_keys_have_room_for_short_names():
    five = ("Anna Rossi", "Anna De Bianchi", "Bo", "Anna Rizzi", "Cem Ak")
    assert short_names(five) == ["Anna Rossi", "Anna B.", "Bo", "Anna Rizzi", "Cem"]
    assert short_names(("Ada", "Ada")) == ["Ada", "Ada"]
