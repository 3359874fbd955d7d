"""From the heats to the finals: renouncing and moving up, opening the finals, the length of the second (S8, S9)."""

import pytest

from core.refusal import Refusal
from gameplay.models import Match
from gameplay.services import clock
from players.actor import SYSTEM, actor_for
from players.models import SeatPass
from players.rules.rights import ORGANISER
from players.services import grant_role
from players.services.passes import make_pass
from scoring.models import Sheet
from tests.tournaments.days import heat_row, key, live, organiser, play, seated, won_heat
from tournaments.models import Entrant, Stage, Tournament, Withdrawal
from tournaments.queries.impact import withdrawal_impact
from tournaments.rules.qualification import Substitution
from tournaments.services import finals, running
from tournaments.services.lots import draw_lots

pytestmark = pytest.mark.django_db
NAMES = ("Finale", "Finale dei secondi")

# Two heats: a b and v w go on directly, of c (160 of 200) and x (154 of 198) c is the nearer one and is repeched.


def opened(row, actor):
    return finals.open_finals(actor, row.pk, names=NAMES, key=key())


def withdraw(row, actor, player, target="final"):
    return finals.withdraw(actor, row.pk, player=player, target=target, key=key())


def test_the_finals_are_opened_for_those_who_qualified():
    row = live()
    actor = organiser(row)
    assert opened(row, actor)["second_final"] == 3
    assert (seated(row, 2), seated(row, 3)) == ("abvwc", "xdyze")
    stages = Stage.objects.filter(tournament=row).order_by("number")
    assert [(stage.kind, stage.state) for stage in stages] == [
        ("heats", "closed"),
        ("final", "open"),
        ("second_final", "open"),
    ]
    assert [Match.objects.get(pk=heat_row(row, number).sheet_id).table_name for number in (2, 3)] == list(NAMES)
    with pytest.raises(Refusal, match="stage_open"):
        opened(row, actor)


def test_no_final_is_opened_while_an_intermediate_stage_is_due():
    heats = [won_heat(f"H{at}", [f"{at}{seat}" for seat in range(5)], (120 - at, 90, 80, 70, 61)) for at in range(6)]
    row = live(*heats)
    with pytest.raises(Refusal, match="wrong_stage"):
        opened(row, organiser(row))


def test_a_direct_qualifier_is_replaced_out_of_his_heat_and_the_repechage_place_goes_on():
    """S8, then D14: c was repeched, moves up for a, and x of the other heat gets his place."""
    row = live()
    actor = organiser(row)
    told = withdrawal_impact(row, player="a", target="final")
    assert told.substitutions == (Substitution("a", "c", "direct", "S8"), Substitution("c", "x", "repechage", "D14"))
    assert not Withdrawal.objects.exists()  # nothing was written by asking
    withdraw(row, actor, "a")
    opened(row, actor)
    assert seated(row, 2) == "bcvwx"
    assert not Stage.objects.filter(tournament=row, kind="second_final").exists()  # four remain


def test_who_moves_up_takes_the_seat_the_card_and_nobody_elses_phone():
    row = live()
    actor = organiser(row)
    opened(row, actor)
    heat = heat_row(row, 2)
    heat.seat_draw = {"by": "hand", "rounds": [{"a": "K", "b": "J", "v": "C", "w": "7", "c": "6"}]}
    heat.save()
    gone = Entrant.objects.get(tournament=row, code="a").person_id
    make_pass(actor, place=heat.sheet_id, number=0, person=gone)
    told = withdrawal_impact(row, player="a", target="final")
    assert [(step.stage, step.moves) for step in told.follows] == [(2, ((1, "a", "x"),)), (3, ())]
    assert told.follows[1].dropped  # four remain: no second final
    second = heat_row(row, 3).sheet_id
    withdraw(row, actor, "a")
    assert seated(row, 2) == "xbvwc"
    assert heat_row(row, 2).seat_draw["rounds"] == [{"x": "K", "b": "J", "v": "C", "w": "7", "c": "6"}]
    assert not SeatPass.objects.filter(place=heat.sheet_id, revoked=False).exists()
    # The second final is no more; its sheet is kept, and nobody writes on it.
    assert not Stage.objects.filter(tournament=row, number=3).exists()
    assert Sheet.objects.get(pk=second).state == "frozen"


def test_who_renounces_a_second_final_is_followed_by_the_next_if_there_is_one():
    heats = [won_heat(name, seats, (bid, 90, 80, 70, 61)) for name, seats, bid in _three()]
    row = live(*heats)
    actor = organiser(row)
    opened(row, actor)
    called = seated(row, 3)
    out = called[0]
    told = withdrawal_impact(row, player=out, target="second_final")
    assert [(swap.out, swap.role, swap.article) for swap in told.substitutions] == [(out, "second_final", "D16")]
    withdraw(row, actor, out, "second_final")
    now = seated(row, 3)
    assert now[1:] == called[1:]
    assert now[0] == told.substitutions[0].into
    with pytest.raises(Refusal, match="not_called"):
        withdraw(row, actor, out, "second_final")


def _three():
    return (("A", "abcde", 100), ("B", "fghij", 99), ("C", "klmno", 98))


def test_nobody_renounces_a_match_that_has_begun():
    """D8 is what is for that."""
    row = live()
    actor = organiser(row)
    opened(row, actor)
    clock.start_match(actor, heat_row(row, 2).sheet_id, key=key())
    with pytest.raises(Refusal, match="match_running"):
        withdraw(row, actor, "a")
    assert seated(row, 2) == "abvwc"
    assert not Withdrawal.objects.filter(tournament=row).exists()


def test_a_second_final_that_has_begun_keeps_its_players():
    """Who would come into the final plays in the second one already."""
    row = live()
    actor = organiser(row)
    opened(row, actor)
    clock.start_match(actor, heat_row(row, 3).sheet_id, key=key())
    with pytest.raises(Refusal, match="match_running"):
        withdraw(row, actor, "a")
    assert seated(row, 2) == "abvwc"


def test_a_final_that_was_played_is_not_renounced():
    row = live()
    actor = organiser(row)
    opened(row, actor)
    for number in (2, 3):
        play(actor, heat_row(row, number).sheet_id)
    assert running.close_stage(actor, row.pk, key=key())["stages"] == [2, 3]
    with pytest.raises(Refusal, match="stage_played"):
        withdraw(row, actor, "a")
    with pytest.raises(Refusal, match="stage_played"):
        finals.agree_second_final(actor, row.pk, minutes=90, key=key())
    row.refresh_from_db()
    assert "".join(Entrant.objects.filter(tournament=row).order_by("place").values_list("code", flat=True)) == (
        "abvwcxdyze"
    )


def test_strangers_and_those_who_did_not_qualify_renounce_nothing():
    row = live()
    actor = organiser(row)
    with pytest.raises(Refusal, match="entrant_unknown"):
        withdraw(row, actor, "nobody")
    with pytest.raises(Refusal, match="not_qualified"):
        withdraw(row, actor, "e")
    for target in ("heats:2", "heats:²", f"heats:{'9' * 5000}", "supper"):
        with pytest.raises(Refusal, match="not_qualified"):
            withdraw(row, actor, "a", target)


def test_a_draft_with_other_players_is_dropped():
    heats = [won_heat(f"H{at}", [f"{at}{seat}" for seat in range(5)], (120 - at, 90, 80, 70, 61)) for at in range(6)]
    row = live(*heats)
    actor = organiser(row)
    qualified = withdrawal_impact(row, player="00", target="heats:2")
    drawn = [f"{at}{seat}" for at in range(6) for seat in range(5)][:10]
    Stage.objects.create(tournament=row, number=2, kind="heats", state="draft", plan={"players": drawn, "heats": []})
    assert qualified.substitutions[0].out == "00"
    withdraw(row, actor, "00", "heats:2")
    assert not Stage.objects.filter(tournament=row, state="draft").exists()


def test_the_second_final_may_be_agreed_to_be_shorter_until_it_starts():
    row = live()
    actor = organiser(row)
    with pytest.raises(Refusal, match="second_final_too_short"):
        finals.agree_second_final(actor, row.pk, minutes=59, key=key())
    finals.agree_second_final(actor, row.pk, minutes=90, key=key())
    opened(row, actor)
    second = heat_row(row, 3).sheet_id
    assert Match.objects.get(pk=second).length == 90 * 60
    finals.agree_second_final(actor, row.pk, minutes=60, key=key())
    assert Match.objects.get(pk=second).length == 60 * 60
    assert Match.objects.get(pk=heat_row(row, 2).sheet_id).length == 120 * 60
    assert Tournament.objects.get(pk=row.pk).rules == {"second_final_minutes": 60}
    clock.start_match(actor, second, key=key())
    with pytest.raises(Refusal, match="match_running"):
        finals.agree_second_final(actor, row.pk, minutes=120, key=key())


def test_a_finalist_does_not_run_his_final():
    row = live()
    opened(row, organiser(row))
    player = Entrant.objects.get(tournament=row, code="b").person_id
    grant_role(SYSTEM, person=player, scope=row.scope_id, role=ORGANISER)
    with pytest.raises(Refusal, match="plays_here"):
        withdraw(row, actor_for(player), "a")


def test_who_sits_in_the_second_final_does_not_choose_the_final():
    """x would come into the final if a renounced it; nor does he draw lots, or take a withdrawal back."""
    row = live()
    opened(row, organiser(row))
    player = Entrant.objects.get(tournament=row, code="x").person_id
    grant_role(SYSTEM, person=player, scope=row.scope_id, role=ORGANISER)
    for verb in (
        lambda actor: withdraw(row, actor, "a"),
        lambda actor: draw_lots(actor, row.pk, key=key()),
        lambda actor: finals.revoke_withdrawal(actor, row.pk, number=1, key=key()),
    ):
        with pytest.raises(Refusal, match="plays_here"):
            verb(actor_for(player))
    assert seated(row, 2) == "abvwc"


def test_a_withdrawal_by_mistake_is_taken_back_and_the_seat_given_back():
    heats = [won_heat(name, seats, (bid, 90, 80, 70, 61)) for name, seats, bid in _three()]
    row = live(*heats)
    actor = organiser(row)
    opened(row, actor)
    before = (seated(row, 2), seated(row, 3))
    withdraw(row, actor, before[1][0], "second_final")
    withdraw(row, actor, before[0][0])
    assert before[0] != seated(row, 2)

    def back(number):
        return finals.revoke_withdrawal(actor, row.pk, number=number, key=key())

    with pytest.raises(Refusal, match="not_the_last"):
        back(1)
    assert back(2)["player"] == before[0][0]
    assert seated(row, 2) == before[0]
    clock.start_match(actor, heat_row(row, 3).sheet_id, key=key())
    with pytest.raises(Refusal, match="match_running"):
        back(1)
    clock.cancel_start(actor, heat_row(row, 3).sheet_id, reason="by mistake", key=key())
    back(1)
    assert (seated(row, 2), seated(row, 3)) == before
    assert not Entrant.objects.filter(tournament=row, excluded=True).exists()
    with pytest.raises(Refusal, match="not_the_last"):
        back(0)


def test_a_withdrawal_that_ended_the_second_final_stays():
    row = live()
    actor = organiser(row)
    opened(row, actor)
    withdraw(row, actor, "a")
    with pytest.raises(Refusal, match="second_final_gone"):
        finals.revoke_withdrawal(actor, row.pk, number=1, key=key())
    assert seated(row, 2) == "xbvwc"
    assert Withdrawal.objects.filter(tournament=row).count() == 1


def test_a_stage_is_closed_when_all_of_it_is_signed():
    row = live()
    actor = organiser(row)
    with pytest.raises(Refusal, match="no_open_stage"):
        running.close_stage(actor, row.pk, key=key())
    opened(row, actor)
    play(actor, heat_row(row, 2).sheet_id)
    with pytest.raises(Refusal) as refused:
        running.close_stage(actor, row.pk, key=key())
    assert (refused.value.code, refused.value.params["tables"]) == ("heat_open", (NAMES[1],))
    assert Entrant.objects.get(tournament=row, code="a").place is None
    play(actor, heat_row(row, 3).sheet_id)
    running.close_stage(actor, row.pk, key=key())
    assert set(
        Sheet.objects.filter(heat__stage__tournament=row, heat__stage__number__gt=1).values_list("state", flat=True)
    ) == {"frozen"}
    assert Entrant.objects.get(tournament=row, code="a").place == 1
