"""The organiser's pages: the board, one table, who goes on, a correction, the publication (UX-06 to 14)."""

import re

import pytest
from django.test import Client
from django.urls import reverse

from gameplay.models import Outage
from gameplay.services import clock
from players.actor import SYSTEM, actor_for
from players.models import User
from players.rules.rights import ORGANISER
from players.services import create_people, grant_role
from tests.tournaments.days import heat_row, key, live, opened, organiser, play, seated
from tests.tournaments.uploading import HOME
from tournaments.models import Entrant, Stage, Tournament
from tournaments.services import finals, running
from tournaments.services.drawing import draw_seats

pytestmark = pytest.mark.django_db


def browser(actor):
    client = Client(**HOME)
    client.force_login(User.objects.get(pk=actor.person))
    return client


def at(name, row, *further):
    return reverse(name, args=[row.slug, *further])


def text(response):
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", response.content.decode()))


def post(client, address, **fields):
    return client.post(address, {"key": key(), **fields})


def drawn(row, actor, *heats):
    for heat in heats:
        draw_seats(actor, row.pk, stage=1, heat=heat, cards=None, key=key())


def test_the_board_leads_through_a_whole_stage():
    row, actor = opened(2)
    client, board = browser(actor), at("day", row)
    page = client.get(board)
    assert "Seats are to be drawn, first at Centrale." in text(page)
    drawn(row, actor, 1, 2)
    page = client.get(board)
    assert "look through the list and start them" in text(page)
    assert "no device is armed to ring" in text(page)
    assert "no referee assigned" in text(page)
    assert post(client, board, do="start", table=["1-1", "1-2"]).status_code == 302
    page = client.get(board)
    assert "2 tables are playing." in text(page)
    assert post(client, board, do="suspend", table=["1-1"], stopped="0", reason="the lamp").status_code == 302
    assert "Suspended: the lamp" in text(client.get(board))
    assert post(client, board, do="resume", table=["1-1"]).status_code == 302
    for heat in (1, 2):
        sheet = heat_row(row, 1, heat).sheet_id
        running.cancel_heat(actor, row.pk, stage=1, heat=heat, reason="again", key=key())
        play(actor, sheet)
    assert "All sheets are signed" in text(client.get(board))
    assert post(client, board, do="close").status_code == 302
    page = client.get(board)
    assert "See who goes on" in text(page)
    assert Stage.objects.get(tournament=row).state == "closed"


def test_the_board_never_tells_a_time():
    """S9: whoever looks over the organiser's shoulder learns nothing."""
    row, actor = opened(1)
    drawn(row, actor, 1)
    client = browser(actor)
    post(client, at("day", row), do="start", table=["1-1"])
    for address in (at("day", row), at("manage_heat", row, 1, 1)):
        words = client.get(address).content.decode()
        assert not re.search(r"\d+:\d\d|\d+ minutes|\d{4}-\d\d-\d\dT", words), address
    shown = client.post(reverse("reveal_time", args=[heat_row(row, 1).sheet_id]), {"key": key()})
    assert re.search(r"119 minutes|120 minutes", shown.content.decode())


def test_what_the_board_refuses_it_says_in_place():
    row, actor = opened(1)
    client, board = browser(actor), at("day", row)
    for fields, words in (
        ({"do": "close"}, "The sheets of these tables are not signed yet: Centrale."),
        ({"do": "start"}, "Choose a table first."),
        ({"do": "start", "table": ["1-x"]}, "is not filled in"),
        ({"do": "dance"}, "is not filled in"),
        ({"do": "suspend", "table": ["1-1"], "stopped": "1", "reason": "x"}, "does not run"),
        ({"do": "suspend", "table": ["1-1"], "reason": "x"}, "is not filled in"),
    ):
        answer = post(client, board, **fields)
        assert answer.status_code == 422
        assert words in text(answer), fields


def test_a_part_of_the_page_is_what_a_page_that_follows_gets():
    row, actor = opened(1)
    part = browser(actor).get(at("day", row), headers={"HX-Request": "true"}).content.decode()
    assert "<html" not in part
    assert f"live:scope:{row.scope_id} from:body" in part


def test_a_stop_of_the_house_stands_before_everything():
    row, actor = opened(1)
    clock.start_match(actor, heat_row(row, 1).sheet_id, key=key())
    event = heat_row(row, 1).sheet.match.clock_events.get()
    Outage.objects.create(
        match_id=heat_row(row, 1).sheet_id, cause="stop", began_at=event.at, ended_at=event.at.replace(year=2099)
    )
    assert "1 stop waits for an answer." in text(browser(actor).get(at("day", row)))


def test_who_plays_is_told_that_another_runs_it():
    row, _ = opened(1)
    player = Entrant.objects.get(tournament=row, code="P01").person_id
    grant_role(SYSTEM, person=player, scope=row.scope_id, role=ORGANISER)
    client = browser(actor_for(player))
    assert "somebody else runs it" in text(client.get(at("day", row)))
    assert post(client, at("day", row), do="start", table=["1-1"]).status_code == 422


def test_a_player_is_replaced_and_a_start_taken_back_on_the_page_of_the_table():
    row, actor = opened(1)
    client, here = browser(actor), at("manage_heat", row, 1, 1)
    page = client.get(here)
    assert "Player 06" in text(page)
    assert "The hidden time" not in text(page)
    told = {"do": "replace", "seat": "1", "reason": "is ill"}
    assert post(client, here, **told, who="entrant:P06").status_code == 302
    assert seated(row, 1) == "P01P06P03P04P05"
    assert post(client, here, **{**told, "seat": "2"}, who="new", name="Nuova", club="").status_code == 302
    assert seated(row, 1) == "P01P06P07P04P05"
    assert "sits at a table of this stage already" in text(post(client, here, **told, who="entrant:P04"))
    assert post(client, here, **told, who="person:x").status_code == 422
    assert post(client, here, **told).status_code == 422
    clock.start_match(actor, heat_row(row, 1).sheet_id, key=key())
    assert "The hidden time" in text(client.get(here))
    assert post(client, here, do="cancel", reason="the wrong table").status_code == 302
    assert client.get(at("manage_heat", row, 1, 9)).status_code == 404


def test_the_referee_changes_while_the_match_is_played():
    row, actor = opened(1)
    client, here = browser(actor), at("manage_heat", row, 1, 1)
    clock.start_match(actor, heat_row(row, 1).sheet_id, key=key())
    assert post(client, here, do="referee", person=str(actor.person)).status_code == 302
    assert heat_row(row, 1).referee_id == actor.person
    assert post(client, here, do="referee", person="").status_code == 302
    assert heat_row(row, 1).referee_id is None


def test_a_match_to_be_played_again_is_the_next_step():
    row, actor = opened(1)
    sheet = heat_row(row, 1).sheet_id
    clock.start_match(actor, sheet, key=key())
    clock.interrupt_match(actor, sheet, follow="replay", reason="ill", key=key())
    client, here = browser(actor), at("manage_heat", row, 1, 1)
    assert "set the table up again" in text(client.get(at("day", row)))
    assert post(client, here, do="replay", reason="five again").status_code == 302
    assert heat_row(row, 1).sheet_id != sheet


def test_a_withdrawal_names_the_lawful_substitute_before_it_is_confirmed():
    row = live()
    actor = organiser(row)
    client, here = browser(actor), at("qualified", row)
    page = text(client.get(here))
    assert "Qualified for: Final" in page
    asked = text(client.get(here, {"player": "a", "target": "final"}))
    assert "Player a renounces?" in asked
    for words in ("Player c", "Player x", "S8", "D14"):
        assert words in asked
    assert "not_qualified" not in text(client.get(here, {"player": "e", "target": "final"}))
    assert "has not qualified" in text(client.get(here, {"player": "e", "target": "final"}))
    assert client.get(here, {"player": "?", "target": "final"}).status_code == 200
    assert post(client, here, do="withdraw", player="a", target="final").status_code == 302
    assert "The last withdrawal: Player a, from Final." in text(client.get(here))
    assert post(client, here, do="back", number="2").status_code == 422
    assert post(client, here, do="back", number="1").status_code == 302
    assert "The last withdrawal" not in text(client.get(here))
    assert post(client, here, do="withdraw", player="a", target="final").status_code == 302
    assert post(client, here, do="open_finals", final="Finale", second_final="Seconda").status_code == 302
    assert seated(row, 2) == "bcvwx"
    assert post(client, here, do="withdraw", player="a", target="final").status_code == 422


def test_the_length_of_the_second_final_is_agreed_on_the_page():
    row = live()
    client, here = browser(organiser(row)), at("qualified", row)
    assert "The five may agree on 60 to 120 minutes" in text(client.get(here))
    assert "too short" in text(post(client, here, do="length", minutes="30"))
    assert post(client, here, do="length", minutes="90").status_code == 302
    assert Tournament.objects.get(pk=row.pk).rules == {"second_final_minutes": 90}
    assert post(client, here, do="length", minutes="").status_code == 422
    assert post(client, here, do="nothing").status_code == 422


def test_before_any_stage_is_over_the_page_says_so():
    row, actor = opened(1)
    assert "No stage is over yet" in text(browser(actor).get(at("qualified", row)))


def test_a_correction_shows_what_would_change_and_then_changes_it():
    row = live()
    actor = organiser(row)
    client, here = browser(actor), at("correct_heat", row, 1, 1)
    finals.open_finals(actor, row.pk, names=("Finale", "Seconda"), key=key())
    page = client.get(here)
    assert text(page).count("Player c") >= 1
    form = client.get(here, {"line": "3"})
    assert 'value="80"' in form.content.decode()
    told = {"line": "3", "what": "played", "caller": "2", "called": "2", "bid": "80", "made": "0", "reason": "misread"}
    shown = post(client, here, **told, do="preview")
    assert shown.status_code == 200
    assert "Player d takes the seat of Player c" in text(shown)
    assert seated(row, 2) == "abvwc"
    version = re.search(r'name="version" value="(\d+)"', shown.content.decode())[1]
    assert post(client, here, **told, do="save", version="1").status_code == 409
    assert post(client, here, **told, do="save", version=version).status_code == 302
    assert seated(row, 2) == "abvwd"


def test_an_award_is_added_to_a_closed_sheet_and_taken_back():
    row = live()
    client, here = browser(organiser(row)), at("correct_heat", row, 1, 1)
    told = {"line": "new", "what": "award", "seat": "0", "points": "-30", "article": "S16", "reason": "a phone rang"}

    def saved(**fields):
        version = Tournament.objects.get(pk=row.pk).version
        return post(client, here, **fields, do="save", version=str(version)).status_code

    assert "170 instead of 200" in text(post(client, here, **told, do="preview"))
    assert saved(**told) == 302
    assert saved(line="6", what="voided", reason="it did not") == 302
    assert post(client, here, **{**told, "points": "0"}, do="preview").status_code == 422
    assert post(client, here, line="new", what="voided", reason="x", do="preview").status_code == 422
    assert post(client, here, line="99", what="voided", reason="x", do="preview").status_code == 422
    assert post(client, here, line="1", what="voided", do="preview").status_code == 422
    assert post(client, here, line="1", what="danced", reason="x", do="preview").status_code == 422


def test_a_closed_result_is_for_its_organisers():
    row = live()
    stranger = browser(actor_for(create_people(["Ugo"])[0].pk))
    told = {"line": "1", "what": "voided", "reason": "mine", "version": str(row.version), "do": "save"}
    assert stranger.get(at("correct_heat", row, 1, 1)).status_code == 403
    assert post(stranger, at("correct_heat", row, 1, 1), **told).status_code == 403
    assert Client(**HOME).get(at("correct_heat", row, 1, 1)).status_code == 403
    assert browser(organiser(row)).get(at("correct_heat", row, 2, 1)).status_code == 404


def test_what_is_published_is_shown_before_with_its_hash():
    row = live()
    actor = organiser(row)
    client, here = browser(actor), at("publish", row)
    finals.open_finals(actor, row.pk, names=("Finale", "Seconda"), key=key())
    assert "A stage is not closed yet" in text(post(client, here))
    for number in (2, 3):
        play(actor, heat_row(row, number).sheet_id)
    running.close_stage(actor, row.pk, key=key())
    page = text(client.get(here))
    assert re.search(r"Content hash [0-9a-f]{64}", page)
    assert "A.G.P. before and after" in page
    shown = re.search(r"[0-9a-f]{64}", page)[0]
    assert post(client, here).status_code == 302
    assert Tournament.objects.get(pk=row.pk).publications.get().content_hash == shown


def test_who_runs_a_tournament_finds_it_on_the_first_page():
    row, actor = opened(1)
    home = reverse("home")
    assert at("day", row) in browser(actor).get(home).content.decode()
    assert at("day", row) not in Client(**HOME).get(home).content.decode()
