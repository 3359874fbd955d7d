"""Whole evenings through the services: what is run here is what a file of it replays to."""

import json

import pytest

from core.refusal import Refusal
from gameplay.services import clock
from players.actor import SYSTEM
from tests.checker.replay import replay as checked
from tests.tournaments.evening import Evening
from tournaments.exchange.reading import read_tournament
from tournaments.exchange.records import record_from_file
from tournaments.exchange.result import result_of
from tournaments.models import Entrant, Publication, Stage
from tournaments.queries.tournament import file_for_export, tournament_for_page
from tournaments.rules.replay import replay
from tournaments.services import finals, publishing
from tournaments.services.rebuilding import drifted

pytestmark = pytest.mark.django_db


def result_on_pages(evening):
    return result_of(tournament_for_page(evening.organiser, evening.slug).outcome)


def result_of_export(evening):
    file = file_for_export(evening.organiser, evening.slug)
    return result_of(replay(record_from_file(read_tournament(json.dumps(file).encode()))))


def test_an_evening_of_twenty_five_players():
    evening = Evening(25)
    evening.enter()
    evening.draw()
    first = evening.sheets(1)
    assert len(first) == 5
    evening.seats(1)
    evening.start(1)
    evening.play(first[0], 3)
    evening.at(first[1], clock.suspend_match, clock_stopped=True, reason="light")
    evening.at(first[1], clock.resume_match)
    assert evening.suicidal(first[2])["state"] == "upheld"
    for sheet in first:
        evening.play(sheet, 4, 3)
    assert set(evening.bell(1)) == set(first)
    for sheet in first[:-1]:
        evening.end(sheet)
    with pytest.raises(Refusal, match="heat_open"):
        evening.close()
    evening.end(first[-1])
    evening.close()
    assert list(drifted()) == []

    view = tournament_for_page(evening.organiser, evening.slug)
    qualified = view.outcome.stages[0].qualification.qualified
    evening.do(finals.withdraw, player=qualified[0], target="final")
    evening.finals()
    late = tournament_for_page(evening.organiser, evening.slug).outcome.stages[0].qualification.qualified[1]
    evening.do(finals.withdraw, player=late, target="final")  # a no-show: the table is set already
    evening.do(finals.agree_second_final, minutes=60)
    evening.stage(2)
    evening.stage(3)
    evening.close()
    evening.publish()

    assert list(drifted()) == []
    assert Publication.objects.get(tournament=evening.id).version == 1
    assert result_on_pages(evening) == result_of_export(evening)
    file = file_for_export(evening.organiser, evening.slug)
    assert checked(file) == result_on_pages(evening)
    assert set(result_on_pages(evening)["excluded"]) == {qualified[0], late}
    assert Entrant.objects.filter(tournament=evening.id, place__isnull=False).count() == 23
    assert not Stage.objects.filter(tournament=evening.id).exclude(state="closed").exists()


def test_an_evening_of_ten_players_with_repechage_and_both_substitutions():
    evening = Evening(10)
    evening.enter()
    evening.draw()
    evening.stage(1)
    evening.close()
    stage = tournament_for_page(evening.organiser, evening.slug).outcome.stages[0].qualification
    (repeched,) = [row.item.player for row in stage.candidates[:1]]
    evening.do(finals.withdraw, player=repeched, target="final")
    evening.do(finals.withdraw, player=stage.direct[0], target="final")
    after = tournament_for_page(evening.organiser, evening.slug).outcome.stages[0].qualification
    assert {row.article for row in after.substitutions} >= {"S8"}
    assert {row.role for row in after.substitutions} == {"direct", "repechage"}
    evening.finals()
    evening.stage(2)
    evening.close()
    publishing.publish_tournament(SYSTEM, evening.id, key="publish")
    assert list(drifted()) == []
    assert result_on_pages(evening) == result_of_export(evening)
    assert checked(file_for_export(evening.organiser, evening.slug)) == result_on_pages(evening)
