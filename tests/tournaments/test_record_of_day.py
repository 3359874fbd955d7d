"""The file of a tournament that was run here: what its `record` tells, and that it comes back equal."""

import json
import re
from datetime import timedelta

import jsonschema_rs
import pytest
from django.db.models import F

from core.refusal import Refusal
from gameplay.models import ClockEvent
from gameplay.services import rulings
from players.actor import SYSTEM, Actor
from scoring.models import Ruling
from tests.tournaments.day_rows import HANDS, SUSPENDED, Day
from tests.tournaments.days import key
from tests.tournaments.rows import imported, unlock
from tournaments.exchange.reading import SCHEMA_FILE, read_tournament
from tournaments.exchange.records import record_from_file
from tournaments.exchange.result import result_of
from tournaments.models import Tournament
from tournaments.queries.tournament import file_for_export, tournament_for_page
from tournaments.rules.draw import draw_heats
from tournaments.rules.replay import replay
from tournaments.services import drawing, finals, running

pytestmark = pytest.mark.django_db
STRANGER = Actor(person=None, came="session")


def exported(day, actor=SYSTEM):
    return file_for_export(actor, day.slug)


def valid(record):
    """By the schema that is published for it."""
    schema = json.loads(SCHEMA_FILE.read_text())
    own = {"$schema": schema["$schema"], "$defs": schema["$defs"], "$ref": "#/$defs/record_of_day"}
    jsonschema_rs.validator_for(own).validate(record)
    return record


@pytest.fixture
def evening():
    """A whole day with a withdrawal, one that was suspended for five minutes, and a ruling."""
    day = Day(15, phase="running")
    rulings.rule(
        day.organiser,
        day.heats()[0].sheet_id,
        article="S3",
        question="Did he look?",
        reason="He looked.",
        key=key(),
    )
    day.do(drawing.draw_seats, stage=1, heat=3, cards=by_hand(day))
    day.reach("heats closed")
    leaves = day.code_of(day.row.stages.get(number=1).heats.get(number=2).sheet.seats.get(number=0).person_id)
    day.do(finals.withdraw, player=leaves, target="final")
    return day.reach("published")


def by_hand(day):
    codes = [day.code_of(seat.person_id) for seat in day.heats()[2].sheet.seats.order_by("number")]
    return [dict(zip(codes, "KKJ76", strict=True)), {codes[0]: "3", codes[1]: "4"}]


def test_an_evening_goes_out_and_in_and_out_again_with_the_places_of_the_pages(evening):
    file = exported(evening)
    assert read_tournament(json.dumps(file).encode()) == file
    outcome = replay(record_from_file(file))
    assert result_of(outcome) == result_of(tournament_for_page(SYSTEM, evening.slug).outcome)
    assert len(outcome.final_ranking) == 14  # one renounced
    again = imported(file)
    assert file_for_export(SYSTEM, again.slug) == file
    assert not again.live
    told = json.dumps(file["record"])
    assert not re.search(r"[0-9]{2}:[0-9]{2}|20[0-9]{2}-[0-9]{2}", told)  # no time of day


def test_the_record_tells_an_evening_so_that_anybody_can_draw_again(evening):
    stages = valid(exported(evening)["record"])["stages"]
    assert [stage["stage"] for stage in stages] == [1, 2, 3]
    draw = stages[0]["draw"]
    drawn = draw_heats(draw["players"], draw["agp"], draw["seeds_per_heat"], bytes.fromhex(draw["seed"]))
    assert [[seat.player for seat in heat] for heat in drawn.heats] == [heat["players"] for heat in draw["heats"]]
    assert draw["reserves"] == []
    assert draw["moves"] == []
    assert set(draw["reasons"]) == set(draw["players"])
    assert sorted(reason for reason, number in draw["reasons"].values()) == ["lot"] * 12 + ["seed"] * 3
    assert "draw" not in stages[1]
    told_at_the_tables(*stages[0]["heats"])


def told_at_the_tables(first, second, third):
    assert [heat["name"] for heat in (first, second, third)] == ["Centrale", "Centralino", "Table 3"]
    assert first["length"] == 7200
    assert first["seat_draw"]["by"] == "system"
    assert third["seat_draw"] == {"by": "hand", "rounds": third["seat_draw"]["rounds"]}
    assert "seat_draw" not in second
    assert [event["kind"] for event in first["clock"]] == ["started", "suspended", "resumed", "interrupted"]
    suspended = first["clock"][1]
    assert (suspended["reason"], suspended["stopped"]) == (SUSPENDED, True)
    assert suspended["by"]["name"].startswith("Olga")
    assert [event["kind"] for event in third["clock"]] == ["started", "cancelled", "started", "interrupted"]
    assert third["clock"][1]["reason"] == "the wrong table"
    ruled = next(ruling for ruling in first["rulings"] if ruling["article"] == "S3")
    assert ruled["question"] == "Did he look?"
    assert (ruled["kind"], ruled["decided_by"], ruled["upheld"]) == (Ruling.Kind.DECISION, "referee", True)
    assert [set(signed) for signed in first["signatures"]] == [{"referee", "entries"}]
    assert first["signatures"][0]["entries"] == HANDS


def test_a_move_and_a_reserve_are_in_the_record():
    day = Day(11, phase="drafted")
    plan = day.row.stages.get().plan
    first, second = (heat["players"][1] for heat in plan["heats"])
    moved = {"player": first, "to": 1, "swap_with": second, "reason": "they are brothers"}
    day.do(drawing.move_player, **moved)
    day.reach("announced")
    day.do(running.replace_in_heat, stage=1, heat=1, seat=0, person="Nuova Venuta", reason="ill")
    draw = valid(exported(day)["record"])["stages"][0]["draw"]
    assert draw["replaced"] == [{"out": draw["heats"][0]["players"][0], "in": "P12", "heat": 0}]
    assert draw["moves"] == [{"player": first, "with": second, "to": 1, "reason": "they are brothers"}]
    assert draw["reasons"][draw["reserves"][0]] == ["reserve", 1]


def test_how_long_something_lasted_is_told_when_nothing_is_open():
    day = Day(phase="heats closed")
    unlock("gameplay_clockevent")
    ClockEvent.objects.filter(kind=ClockEvent.Kind.RESUMED).update(at=F("at") + timedelta(minutes=5))
    suspended = exported(day)["record"]["stages"][0]["heats"][0]["clock"][1]
    assert 300 <= suspended["seconds"] <= 360
    day.reach("finals open")
    assert "seconds" not in json.dumps(exported(day)["record"])


def test_while_a_stage_is_open_its_staff_alone_has_the_file():
    day = Day()
    stages = {"announced": 0, "running": 0, "heats closed": 1, "finals open": 1, "finals closed": 3}
    for phase, closed in stages.items():
        day.reach(phase)
        file = exported(day, day.organiser)
        assert file == exported(day)
        assert len(file["stages"]) == closed
        if phase.endswith("closed"):
            assert exported(day, STRANGER) == file
        else:
            with pytest.raises(Refusal, match="not_allowed"):
                exported(day, STRANGER)


def test_a_draft_is_in_no_file():
    day = Day(phase="drafted")
    assert "record" not in exported(day)
    with pytest.raises(Refusal, match="tournament_unknown"):
        exported(day, STRANGER)


def test_what_an_imported_record_said_stays_beside_it():
    day = Day(phase="announced")
    Tournament.objects.filter(slug=day.slug).update(record='{"origin": "paper", "stages": "old"}')
    record = exported(day)["record"]
    assert record["origin"] == "paper"
    assert record["stages"][0]["stage"] == 1


def test_a_player_who_rules_is_told_by_his_code():
    day = Day(phase="running")
    match = day.heats()[0].sheet_id
    rulings.rule(day.organiser, match, article="S3", question="", reason="He looked.", key=key())
    unlock("scoring_ruling")
    player = day.person_at(match)
    Ruling.objects.update(person=player)
    told = exported(day)["record"]["stages"][0]["heats"][0]["rulings"]
    assert {"player": day.code_of(player)} in [ruling["by"] for ruling in told]
