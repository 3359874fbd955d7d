"""Stages while they are played: start, suspend, replace, cancel, play again, close (UX-06, 10, 50, 51; S9, S10, D8)."""

import json
from concurrent.futures import ThreadPoolExecutor

import pytest
from django.db import connection

from core.lots import Lots
from core.models import AuditRow
from core.refusal import Refusal
from gameplay.models import ClockEvent, Match
from gameplay.services import clock, matches, recording
from players.actor import SYSTEM, actor_for
from players.models import SeatPass, User
from players.rules.rights import ORGANISER, REFEREE
from players.services import grant_role
from players.services.passes import make_pass
from scoring.models import Entry, Seat, Sheet
from scoring.rules.hands import HandOutcome
from scoring.rules.scoresheet import Played
from tests.tournaments.days import heat_row, key, opened, play, seated
from tournaments.models import Entrant, Heat, Tournament
from tournaments.queries.board import board_for_page
from tournaments.services import running
from tournaments.services.drawing import assign_referee
from tournaments.services.lots import PURPOSE, draw_lots

pytestmark = pytest.mark.django_db


def start(row, actor, *heats):
    return running.start_heats(actor, row.pk, stage=1, heats=heats, key=key())


def states(row, actor):
    return [table.state for table in board_for_page(actor, row.slug).tables]


def hand(actor, row, heat=1, number=1):
    sheet = heat_row(row, 1, heat).sheet_id
    return recording.record_hand(actor, sheet, hand=number, content=Played(HandOutcome(0, 1, 75, 80)), key=key())


def test_several_heats_start_at_once_and_those_that_play_go_on():
    row, actor = opened(3)
    assert start(row, actor, 1)["started"] == [1]
    first = ClockEvent.objects.get(match=heat_row(row, 1).sheet_id)
    assert start(row, actor, 1, 2, 3)["started"] == [2, 3]
    assert list(ClockEvent.objects.filter(match=heat_row(row, 1).sheet_id)) == [first]
    both = ClockEvent.objects.filter(match__in=[heat_row(row, 1, heat).sheet_id for heat in (2, 3)])
    assert len(set(both.values_list("at", flat=True))) == 1
    assert states(row, actor) == ["running"] * 3
    with pytest.raises(Refusal, match="already_started"):
        start(row, actor, 1, 2)


@pytest.mark.django_db(transaction=True)
def test_a_double_click_starts_once():
    """The same form sent twice at once, and two organisers who press it together: one start."""
    row, actor = opened(1)

    def press(at):
        try:
            running.start_heats(actor, row.pk, stage=1, heats=[1], key="same" if at < 4 else f"other-{at}")
            return "started"
        except Refusal as refusal:
            return refusal.code
        finally:
            connection.close()

    with ThreadPoolExecutor(6) as threads:
        said = list(threads.map(press, range(6)))
    assert set(said) <= {"started", "already_started"}
    assert ClockEvent.objects.filter(kind="started").count() == 1


def test_what_cannot_be_started():
    row, actor = opened(1)
    with pytest.raises(Refusal, match="no_heats"):
        start(row, actor)
    with pytest.raises(Refusal, match="heat_unknown"):
        start(row, actor, 1, 7)
    with pytest.raises(Refusal, match="stage_unknown"):
        running.start_heats(actor, row.pk, stage=2, heats=[1], key=key())
    play(actor, heat_row(row, 1).sheet_id)
    running.close_stage(actor, row.pk, key=key())
    with pytest.raises(Refusal, match="stage_not_open"):
        start(row, actor, 1)


def test_who_sits_in_the_stage_does_not_run_it():
    row, _ = opened(2)
    player = Entrant.objects.get(tournament=row, code="P07").person_id
    grant_role(SYSTEM, person=player, scope=row.scope_id, role=ORGANISER)
    for verb in (
        lambda actor: start(row, actor, 1),
        lambda actor: running.close_stage(actor, row.pk, key=key()),
    ):
        with pytest.raises(Refusal, match="plays_here"):
            verb(actor_for(player))
    assert board_for_page(actor_for(player), row.slug).plays


def test_several_tables_rest_for_one_reason_and_go_on():
    row, actor = opened(2)
    start(row, actor, 1, 2)
    told = {"stage": 1, "heats": [1, 2], "clock_stopped": True}
    with pytest.raises(Refusal, match="reason_required"):
        running.suspend_heats(actor, row.pk, **told, reason=" ", key=key())
    running.suspend_heats(actor, row.pk, **told, reason="the lamp", key=key())
    assert states(row, actor) == ["suspended"] * 2
    running.resume_heats(actor, row.pk, stage=1, heats=[1, 2], key=key())
    assert states(row, actor) == ["running"] * 2
    with pytest.raises(Refusal, match="not_suspended"):
        running.resume_heats(actor, row.pk, stage=1, heats=[1], key=key())


def test_a_start_by_mistake_is_taken_back_before_the_first_hand():
    row, actor = opened(1)
    start(row, actor, 1)
    running.cancel_heat(actor, row.pk, stage=1, heat=1, reason="the wrong table", key=key())
    assert states(row, actor) == ["ready"]
    start(row, actor, 1)
    hand(actor, row)
    with pytest.raises(Refusal, match="hands_on_sheet"):
        running.cancel_heat(actor, row.pk, stage=1, heat=1, reason="too late", key=key())


def replace(row, actor, seat=0, heat=1, reason="is ill", **who):
    return running.replace_in_heat(actor, row.pk, stage=1, heat=heat, seat=seat, reason=reason, **who, key=key())


def test_a_reserve_takes_a_seat_before_the_first_hand_and_the_phone_is_out():
    row, actor = opened(1)
    sheet = heat_row(row, 1).sheet_id
    gone = Entrant.objects.get(tournament=row, code="P02").person_id
    make_pass(actor, place=sheet, number=1, person=gone)
    start(row, actor, 1)  # also while the clock runs
    assert replace(row, actor, seat=1, player="P06")["in"] == "P06"
    assert seated(row, 1) == "P01P06P03P04P05"
    assert not SeatPass.objects.filter(place=sheet, revoked=False).exists()
    hand(actor, row)
    with pytest.raises(Refusal, match="hands_on_sheet"):
        replace(row, actor, seat=1, player="P02")


def test_somebody_who_comes_late_is_entered_and_seated_at_once():
    row, actor = opened(1, free=0)
    assert replace(row, actor, seat=4, person="Nuova Venuta", club="Ancona")["in"] == "P06"
    new = Entrant.objects.get(tournament=row, code="P06")
    assert (new.name, new.club, new.entry, new.present) == ("Nuova Venuta", "Ancona", 5, True)
    known = User.objects.create(display_name="Già Nota")
    assert replace(row, actor, seat=3, person=known.pk)["in"] == "P07"
    assert seated(row, 1) == "P01P02P03P07P06"


def test_an_awarded_hand_is_a_hand_begun():
    row, actor = opened(1)
    start(row, actor, 1)
    clock.award_auction(actor, heat_row(row, 1).sheet_id, hand=1, key=key())
    with pytest.raises(Refusal, match="hands_on_sheet"):
        replace(row, actor, player="P06")


def test_who_cannot_come_and_where_nobody_is_replaced():
    row, actor = opened(2)
    with pytest.raises(Refusal, match="sits_already"):
        replace(row, actor, player="P07")
    with pytest.raises(Refusal, match="entrant_unknown"):
        replace(row, actor, player="P99")
    with pytest.raises(Refusal, match="seat_unknown"):
        replace(row, actor, seat=5, player="P11")
    with pytest.raises(Refusal, match="reason_required"):
        replace(row, actor, player="P11", reason="")
    with pytest.raises(Refusal, match="withdraw_instead"):
        running.replace_in_heat(actor, row.pk, stage=2, heat=1, seat=0, player="P11", reason="no", key=key())
    assert seated(row, 1) == "P01P02P03P04P05"


def test_a_match_that_is_played_again_gets_a_new_sheet_and_keeps_the_old_one():
    row, actor = opened(1)
    start(row, actor, 1)
    hand(actor, row)
    old = heat_row(row, 1).sheet_id
    with pytest.raises(Refusal, match="not_interrupted"):
        running.replay_heat(actor, row.pk, stage=1, heat=1, reason="no reason", key=key())
    clock.interrupt_match(actor, old, follow="replay", reason="he fell ill", key=key())
    assert states(row, actor) == ["replay"]
    told = running.replay_heat(actor, row.pk, stage=1, heat=1, reason="five again", key=key())
    new = heat_row(row, 1).sheet_id
    assert (told["match"], told["instead_of"]) == (str(new), str(old))
    assert seated(row, 1) == "P01P02P03P04P05"
    assert states(row, actor) == ["ready"]
    assert (Sheet.objects.get(pk=old).state, Sheet.objects.get(pk=old).hands_played) == ("frozen", 1)
    assert Match.objects.get(pk=new).length == Match.objects.get(pk=old).length
    play(actor, new)
    running.close_stage(actor, row.pk, key=key())
    assert Seat.objects.get(sheet=new, number=0).points == 200


def test_a_stage_that_ends_level_draws_lots_that_anybody_can_draw_again():
    """D15: nobody won a hand, all five stand at nothing, nobody is ranked."""
    row, actor = opened(1)
    sheet = heat_row(row, 1).sheet_id
    clock.start_match(actor, sheet, key=key())
    for number in (1, 2):
        hand(actor, row, number=number)
        recording.void_hand(actor, sheet, line=number, entry=2 * number - 2, repeated=False, reason="no", key=key())
    clock.interrupt_match(actor, sheet, follow="standings", reason="late", key=key())
    matches.sign(actor, sheet, entries=Entry.objects.filter(sheet=sheet).count(), key=key())
    assert running.close_stage(actor, row.pk, key=key())["lots"] == 6
    (draw,) = json.loads(Tournament.objects.get(pk=row.pk).record)["draws"]
    order = list(Entrant.objects.filter(tournament=row).order_by("lot").values_list("code", flat=True))
    assert order == draw["order"] == Lots(bytes.fromhex(draw["seed"]), PURPOSE).shuffled(draw["players"])
    with pytest.raises(Refusal, match="lots_drawn"):
        draw_lots(actor, row.pk, key=key())


def test_the_trail_tells_at_which_tables():
    row, actor = opened(2)
    start(row, actor, 2)
    running.suspend_heats(actor, row.pk, stage=1, heats=[2], clock_stopped=True, reason="the lamp", key=key())
    running.resume_heats(actor, row.pk, stage=1, heats=[2], key=key())
    running.cancel_heat(actor, row.pk, stage=1, heat=2, reason="the wrong table", key=key())
    replace(row, actor, seat=3, heat=2, player="P11")
    trail = dict(AuditRow.objects.filter(scope=row.scope_id).values_list("verb", "payload"))
    tables = {"start_heats": "started", "suspend_heats": "suspended", "resume_heats": "resumed"}
    for verb, word in {**tables, "cancel_heat": "cancelled"}.items():
        assert (trail[verb]["stage"], trail[verb][word]) == (1, [2])
    told = trail["replace_in_heat"]
    assert [told[word] for word in ("stage", "heat", "seat", "out", "in")] == [1, 2, 3, "P09", "P11"]


def test_a_referee_who_sits_down_to_play_is_no_referee_of_the_stage():
    row, actor = opened(2)
    rita = Entrant.objects.get(tournament=row, code="P11").person_id
    grant_role(SYSTEM, person=rita, scope=row.scope_id, role=REFEREE)
    assign_referee(actor, row.pk, stage=1, heat=1, person=rita, key=key())
    replace(row, actor, heat=2, player="P11")
    assert heat_row(row, 1).referee_id is None


def test_a_tournament_out_of_a_file_is_not_run():
    row, actor = opened(1)
    Tournament.objects.filter(pk=row.pk).update(live=False)
    with pytest.raises(Refusal, match="not_live"):
        start(row, actor, 1)
    assert not Heat.objects.filter(stage__tournament=row, sheet__match__clock_events__isnull=False).exists()
