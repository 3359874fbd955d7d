"""What a correction would change is told before anybody confirms it, and is what it then changes (UX-14)."""

from dataclasses import replace

import pytest
from django.template.loader import render_to_string
from django.urls import reverse

from core.refusal import Refusal
from gameplay.services import clock, rulings
from players.models import Scope
from players.queries import above
from players.rules.rights import COUNCIL, REFEREE
from scoring.models import Appeal, Ruling, Sheet
from scoring.models import Entry as EntryRow
from scoring.rules.hands import HandOutcome
from scoring.rules.scoresheet import Award, Entry, Played, Voided
from tests.gameplay.rows import actor as actor_of_person
from tests.gameplay.rows import person
from tests.tournaments.days import heat_row, key, live, opened, organiser, play, seated, topics, won_heat
from tournaments.models import Entrant, Publication, Stage, Tournament
from tournaments.queries.board import board_for_page
from tournaments.queries.impact import correction_impact
from tournaments.queries.tournament import tournament_for_page
from tournaments.rules.differences import LineChanged, ListChanged
from tournaments.services import finals, running
from tournaments.services.lots import draw_lots
from tournaments.services.publishing import publish_tournament
from tournaments.services.results import correct_result
from tournaments.web.presenting_board import step_row

pytestmark = pytest.mark.django_db
# In the first heat c won her hand alone with 80 bid. Had she made nothing, she would have -80 and the others 120 more:
# d would be third, and nearer to the winner than x.
LOST = Entry(Played(HandOutcome(2, 2, 80, 0)), 2, "read wrongly")


def impact(row, entry=LOST, heat=1):
    return correction_impact(row, stage=1, heat=heat, entry=entry)


def correct(row, actor, entry=LOST, heat=1):
    version = Tournament.objects.get(pk=row.pk).version
    return correct_result(actor, row.pk, stage=1, heat=heat, entry=entry, version=version, key=key())


def opened_finals(row, actor):
    finals.open_finals(actor, row.pk, names=("Finale", "Seconda"), key=key())


def test_the_impact_tells_points_order_and_who_goes_on_and_writes_nothing():
    row = live()
    before = EntryRow.objects.count()
    found = impact(row)
    lines = {(change.table, change.player): change for change in found.changes if isinstance(change, LineChanged)}
    assert lines["ranking", "c"].after["points"] == -80
    lists = {change.part: change for change in found.changes if isinstance(change, ListChanged)}
    assert lists["qualified"].added == ("d",)
    assert lists["qualified"].removed == ("c",)
    assert found.follows == ()
    assert EntryRow.objects.count() == before
    assert impact(row, Entry(Played(HandOutcome(2, 2, 81, 120)), 2, "one more")).changes  # points alone


def test_what_was_told_is_what_happens_to_the_finals_that_wait():
    row = live()
    actor = organiser(row)
    opened_finals(row, actor)
    told = impact(row)
    assert [(step.kind, step.moves) for step in told.follows] == [
        ("final", ((1, "c", "d"),)),
        ("second_final", ((1, "d", "c"),)),
    ]
    correct(row, actor)
    assert (seated(row, 2), sorted(seated(row, 3))) == ("abvwd", sorted("cexyz"))
    qualification = tournament_for_page(actor, row.slug).outcome.stages[0].qualification
    assert qualification.qualified == tuple("abvwd")
    assert Sheet.objects.get(pk=heat_row(row, 1).sheet_id).entries.count() == 6


def test_nothing_is_corrected_while_a_match_that_depends_on_it_is_live():
    row = live()
    actor = organiser(row)
    opened_finals(row, actor)
    clock.start_match(actor, heat_row(row, 3).sheet_id, key=key())
    with pytest.raises(Refusal) as refused:
        impact(row)
    assert (refused.value.code, refused.value.params["tables"]) == ("dependent_live", ("Seconda",))
    with pytest.raises(Refusal, match="dependent_live"):
        correct(row, actor)
    clock.cancel_start(actor, heat_row(row, 3).sheet_id, reason="by mistake", key=key())
    correct(row, actor)


def test_a_correction_against_who_was_seated_later_is_refused_as_told():
    row = live()
    actor = organiser(row)
    opened_finals(row, actor)
    for number in (2, 3):
        play(actor, heat_row(row, number).sheet_id)
    running.close_stage(actor, row.pk, key=key())
    for attempt in (lambda: impact(row), lambda: correct(row, actor)):
        with pytest.raises(Refusal, match="wrong_qualifiers"):
            attempt()
    # Points that seat nobody else are corrected, and move the final ranking of those who stayed out.
    entry = Entry(Played(HandOutcome(3, 3, 70, 60)), 3, "ten fewer")
    assert impact(row, entry).changes
    correct(row, actor, entry)


def test_a_match_that_is_played_is_corrected_at_its_table():
    row, actor = opened(1)
    with pytest.raises(Refusal, match="stage_not_closed"):
        correct(row, actor)
    with pytest.raises(Refusal, match="heat_unknown"):
        impact(row)


def test_a_sheet_keeps_a_line_that_counts_and_stale_entries_are_refused():
    row = live(won_heat("Sola", "abcde"))
    for at in range(4):
        correct(row, organiser(row), Entry(Voided(), at, "no"))
    with pytest.raises(Refusal, match="nothing_left"):
        impact(row, Entry(Voided(), 4, "no"))
    with pytest.raises(Refusal, match="entry_already_replaced"):
        impact(row, Entry(Voided(), 0, "again"))


def test_a_draft_that_has_other_players_then_is_dropped():
    heats = [won_heat(f"H{at}", [f"{at}{seat}" for seat in range(5)], (120 - at, 90, 80, 70, 61)) for at in range(6)]
    row = live(*heats)
    actor = organiser(row)
    drawn = list(tournament_for_page(actor, row.slug).outcome.stages[0].qualification.qualified)
    draft = Stage.objects.create(
        tournament=row, number=2, kind="heats", state="draft", plan={"players": drawn, "heats": [], "reserves": []}
    )
    entry = Entry(Award(0, 1, "S16", "one point"))  # the winner stays what he is
    assert impact(row, entry).follows == ()
    correct(row, actor, entry)
    assert Stage.objects.filter(pk=draft.pk).exists()
    lost = Entry(Played(HandOutcome(0, 0, 120, 0)), 0, "lost")
    assert [(step.state, step.dropped) for step in impact(row, lost).follows] == [("draft", True)]
    correct(row, actor, lost)
    assert not Stage.objects.filter(pk=draft.pk).exists()


def test_a_published_result_that_is_corrected_is_a_second_version():
    row = live(won_heat("Sola", "abcde"))
    actor = organiser(row)
    with pytest.raises(Refusal, match="final_missing"):
        publish_tournament(actor, row.pk, key=key())
    finals.open_finals(actor, row.pk, names=("Finale", "Seconda"), key=key())
    with pytest.raises(Refusal, match="stage_open"):
        publish_tournament(actor, row.pk, key=key())
    play(actor, heat_row(row, 2).sheet_id)
    running.close_stage(actor, row.pk, key=key())
    publish_tournament(actor, row.pk, key=key())
    correct(row, actor, Entry(Award(1, -5, "S16", "a phone rang")))
    assert [one.reason for one in Publication.objects.filter(tournament=row)] == ["", "a phone rang"]
    with pytest.raises(Refusal, match="results_published"):
        draw_lots(actor, row.pk, key=key())
    Entrant.objects.filter(tournament=row).update(lot=None)
    assert draw_lots(actor, row.pk, key=key(), correcting=True)["drawn"] == 5


def test_everybody_hears_of_a_correction_once_the_draw_was_announced(django_capture_on_commit_callbacks):
    row = live()
    actor = organiser(row)
    with django_capture_on_commit_callbacks() as told:
        correct(row, actor)
    assert {"public", "hall", *(f"scope:{scope}" for scope in above(row.scope_id))} <= topics(told)
    Tournament.objects.filter(pk=row.pk).update(announced=False)
    with django_capture_on_commit_callbacks() as told:
        correct(row, actor, Entry(Award(0, 1, "S16", "one point")))
    assert not {"public", "hall"} & topics(told)


def test_what_the_council_decides_after_the_stage_is_closed_waits_on_the_board_until_it_is_written():
    row, actor = opened(1)
    sheet = heat_row(row, 1).sheet_id
    house = Scope.objects.get(kind=Scope.Kind.HOUSE).pk
    referee = actor_of_person(person("Rita", REFEREE, scope=row.scope_id))
    council = [actor_of_person(person(f"G{at}", COUNCIL, scope=house)) for at in range(4)]
    ruled = rulings.award(referee, sheet, seat=0, points=-50, article="S16", reason="a phone", key=key())
    appealed = rulings.appeal(
        actor, sheet, ruling=Ruling.objects.get(pk=ruled["ruling"]).pk, reason="no phone", key=key()
    )
    play(actor, sheet, written=1)
    running.close_stage(actor, row.pk, key=key())
    appeal = Appeal.objects.get(pk=appealed["appeal"])
    for guarantor in council:
        rulings.vote_appeal(guarantor, appeal.pk, uphold=True, key=key())
    (decision,) = board_for_page(actor, row.slug).decisions
    assert (decision.stage, decision.heat, decision.line, decision.reason) == (1, 1, 1, "no phone")
    # After the finals it is the next step, and keeps nobody from publishing.
    over = replace(board_for_page(actor, row.slug), called=None)
    assert over.step.code == "decision"
    part = render_to_string("tournaments/day/board_live.html", {"step": step_row(over, over.step)})
    assert reverse("publish", args=[row.slug]) in part
    over.day.tournament.published = 1
    assert step_row(over, over.step)["also"] == ""
    correct(row, actor, Entry(Voided(), 0, "as the council decided"))
    assert board_for_page(actor, row.slug).decisions == ()
