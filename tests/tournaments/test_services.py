"""Imports, corrections and publications as a house keeps them."""

import json
from uuid import uuid4

import pytest
from django.test import Client

from core.canonical import digest
from core.models import AuditRow
from core.refusal import Refusal
from players.actor import SYSTEM, Actor, Right
from players.models import User
from players.services import create_club
from scoring.models import Entry as EntryRow
from scoring.models import Seat, Sheet
from scoring.rules.scoresheet import Award, Entry, SeatTotals, Voided
from tests.tournaments.files import by_place, hands_heat, stage, tournament_file
from tests.tournaments.rows import CUP, WORLD_2007, first_hand, generated, heat_for_page, imported, other_hand
from tournaments.exchange.generator import generate_tournament
from tournaments.exchange.result import result_of
from tournaments.exchange.strict_json import BadFileError
from tournaments.models import Edition, Entrant, Publication, Snapshot, Tournament
from tournaments.queries.publications import rulings_for_page, versions_for_page
from tournaments.queries.tournament import file_for_export, tournament_for_page
from tournaments.services.importing import import_tournament
from tournaments.services.publishing import publish_tournament
from tournaments.services.results import correct_heat_totals, correct_result

pytestmark = pytest.mark.django_db
ALL = (Tournament, Entrant, User, Sheet, Seat, EntryRow, Publication, Edition, Snapshot, AuditRow)


def counts():
    return [model.objects.count() for model in ALL]


def correct(tournament, entry, stage=1, heat=1, key="k", version=None):
    tournament.refresh_from_db()
    at = tournament.version if version is None else version
    return correct_result(SYSTEM, tournament.pk, stage=stage, heat=heat, entry=entry, version=at, key=key)


# Import


def test_the_same_file_again_changes_nothing():
    first = generated(1, 2)
    before = counts()
    file = generate_tournament(1, 2, hands=6)
    for key in ("another", "", ""):
        again = import_tournament(SYSTEM, json.dumps(file, indent=2).encode(), key=key)
        assert (again.slug, again.created) == (first.slug, False)
    assert counts() == before


def test_another_club_may_have_the_same_file():
    create_club(SYSTEM, slug="a", name="A")
    file = generate_tournament(1, 2, hands=6)
    assert imported(file).pk != imported(file, club="a").pk


@pytest.mark.parametrize(
    ("data", "error"), [(b"{", BadFileError), (b"[]", BadFileError), (WORLD_2007.read_bytes()[:-9], BadFileError)]
)
def test_a_bad_file_leaves_nothing(data, error):
    before = counts()
    with pytest.raises(error):
        import_tournament(SYSTEM, data)
    assert counts() == before


def test_a_file_that_the_rules_refuse_leaves_nothing():
    file = json.loads(WORLD_2007.read_bytes())
    file["stages"][0]["heats"][0]["hands"][0]["bid"] = 121
    before = counts()
    with pytest.raises(Refusal) as refused:
        import_tournament(SYSTEM, json.dumps(file).encode())
    assert (refused.value.code, refused.value.pointer) == ("bid_out_of_range", "/stages/0/heats/0/hands/0/bid")
    assert counts() == before


def test_only_who_may_imports():
    with pytest.raises(Refusal, match="not_allowed"):
        import_tournament(Actor(None, "session"), WORLD_2007.read_bytes())


def test_a_code_can_be_a_known_person_and_nobody_is_known_by_name_alone():
    first = imported(WORLD_2007)
    known = first.entrants.get(code="P07").person_id
    other = json.loads(WORLD_2007.read_bytes()) | {"record": {"copy": True}}
    second = imported(other, people={"P07": known})
    assert second.entrants.get(code="P07").person_id == known
    assert second.entrants.get(code="P09").person_id != first.entrants.get(code="P09").person_id


@pytest.mark.parametrize(
    ("people", "code"),
    [
        ({"P99": 0}, "code_unknown"),
        ({"P07": 0, "P09": 0}, "person_twice"),
        ({"P07": None}, "person_unknown"),
    ],
)
def test_a_wrong_mapping_is_refused(people, code):
    known = User.objects.create_user(None, "Somebody").pk
    mapping = {key: known if value == 0 else uuid4() for key, value in people.items()}
    before = counts()
    with pytest.raises(Refusal, match=code):
        imported(WORLD_2007, people=mapping)
    assert counts() == before


def test_a_name_without_a_letter_is_refused_where_it_stands():
    file = json.loads(WORLD_2007.read_bytes())
    file["players"][3]["name"] = "???"
    with pytest.raises(Refusal) as refused:
        imported(file)
    assert (refused.value.code, refused.value.pointer) == ("bad_name", "/players/3/name")


def test_points_beyond_every_column_are_refused():
    heat = by_place("A", "abcde")
    heat["totals"]["a"] = (1 << 63) - 1
    with pytest.raises(Refusal, match="points_too_large"):
        imported(tournament_file(stage(heat)))


def test_an_edition_that_is_taken_does_not_count():
    first = imported(WORLD_2007)
    other = json.loads(WORLD_2007.read_bytes()) | {"record": {"copy": True}}
    again = import_tournament(SYSTEM, json.dumps(other).encode())
    assert (again.created, again.counts) == (True, False)
    assert Edition.objects.get().tournament == first


def test_a_draft_is_not_for_strangers():
    draft = generated(1, 2, publish=False)
    with pytest.raises(Refusal, match="tournament_unknown"):
        tournament_for_page(Actor(None, "session"), draft.slug)
    assert tournament_for_page(SYSTEM, draft.slug).published == 0


def test_a_draft_counts_for_nothing_until_it_is_published():
    draft = imported(WORLD_2007, publish=False)
    assert not Edition.objects.exists()
    other = json.loads(WORLD_2007.read_bytes()) | {"record": {"copy": True}}
    assert import_tournament(SYSTEM, json.dumps(other).encode(), publish=False).counts is False
    answers = [publish_tournament(SYSTEM, draft.pk, key=key) for key in ("a", "a", "b")]
    assert answers == [{"slug": draft.slug, "published": 1, "counts": True}] * 3
    assert Publication.objects.get().tournament == draft
    assert Snapshot.objects.count() == 1
    with pytest.raises(Refusal, match="not_allowed"):
        publish_tournament(Actor(None, "session"), draft.pk, key="c")


def test_the_same_key_for_a_draft_and_for_a_published_one_is_two_commands():
    imported(WORLD_2007, publish=False, key="k")
    with pytest.raises(Refusal, match="key_reused"):
        imported(WORLD_2007, publish=True, key="k")


def test_a_club_enters_no_edition_into_the_world_series_of_the_house():
    club = create_club(SYSTEM, slug="a", name="A")
    organiser = Actor(uuid4(), "session", frozenset({Right(club.scope_id, "club_organiser")}))
    done = import_tournament(organiser, WORLD_2007.read_bytes(), club="a")
    assert (done.created, done.counts) == (True, False)
    own = tournament_file(stage(by_place("A", "abcde")), stage(by_place("F", "abcde"), kind="final"), series="cup")
    assert import_tournament(organiser, json.dumps(own).encode(), club="a").counts
    assert Edition.objects.get().series.club == club
    with pytest.raises(Refusal, match="not_allowed"):
        import_tournament(organiser, json.dumps(own | {"record": {}}).encode())


def test_namesakes_get_addresses_of_their_own():
    slugs = [
        imported(tournament_file(stage(by_place("A", "abcde")), name="Coppa d'Inverno: Işıl", venue=str(number))).slug
        for number in range(3)
    ]
    assert slugs == ["coppa-dinverno-isil", "coppa-dinverno-isil-2", "coppa-dinverno-isil-3"]


# Corrections


def test_a_corrected_hand_stays_visible_and_changes_what_follows():
    tournament = imported(WORLD_2007)
    hand = first_hand(tournament)
    before = heat_for_page(SYSTEM, tournament.slug, 1, 1)
    answer = correct(tournament, other_hand(hand, made=hand.made + 1))
    after = heat_for_page(SYSTEM, tournament.slug, 1, 1)
    assert answer["published"] == 2
    line = after.sheet.lines[hand.line]
    assert line.content.outcome.made == hand.made + 1
    assert line.replaced[0].content.outcome.made == hand.made
    assert line.reason == "misread"
    assert before.sheet.lines[hand.line].replaced == ()
    exported = file_for_export(SYSTEM, tournament.slug)
    assert exported["stages"][0]["heats"][0]["hands"][hand.line]["made"] == hand.made + 1
    assert exported["record"]["corrections"] == [
        {
            "stage": 1,
            "heat": 1,
            "line": hand.line + 1,
            "before": {"caller": hand.caller, "called": hand.called, "bid": hand.bid, "made": hand.made},
            "after": {"caller": hand.caller, "called": hand.called, "bid": hand.bid, "made": hand.made + 1},
            "reason": "misread",
        }
    ]
    assert [ruling.line.number for ruling in rulings_for_page(after.tournament)] == [hand.line + 1]


def test_a_correction_that_contradicts_the_final_is_refused_and_leaves_nothing():
    tournament = imported(WORLD_2007)
    hand = first_hand(tournament)
    before, state = counts(), result_of(tournament_for_page(SYSTEM, tournament.slug).outcome)
    with pytest.raises(Refusal, match="wrong_qualifiers"):
        correct(tournament, Entry(Award(4, 100_000, "S19", "gift")))
    assert counts() == before
    assert result_of(tournament_for_page(SYSTEM, tournament.slug).outcome) == state
    assert first_hand(tournament) == hand


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"reason": ""}, "reason_required"),
        ({"replaces": 99}, "entry_unknown"),
        ({"content": Award(0, 5, "S19", "x")}, "correction_changes_kind"),
    ],
)
def test_a_wrong_correction_is_refused(change, code):
    tournament = imported(WORLD_2007)
    entry = other_hand(first_hand(tournament))._replace(**change)
    with pytest.raises(Refusal, match=code):
        correct(tournament, entry)


def test_an_entry_is_corrected_once_and_then_its_successor():
    tournament = imported(WORLD_2007)
    hand = first_hand(tournament)
    correct(tournament, other_hand(hand, made=hand.made + 1), key="1")
    with pytest.raises(Refusal, match="entry_already_replaced"):
        correct(tournament, other_hand(hand, made=hand.made + 2), key="2")
    last = EntryRow.objects.filter(sheet=hand.sheet).order_by("-number").first()
    correct(tournament, other_hand(last, made=hand.made, reason="it was right"), key="3")
    line = heat_for_page(SYSTEM, tournament.slug, 1, 1).sheet.lines[hand.line]
    assert [entry.content.outcome.made for entry in line.replaced] == [hand.made, hand.made + 1]


def test_who_saw_an_older_state_is_told_so():
    tournament = imported(WORLD_2007)
    hand = first_hand(tournament)
    with pytest.raises(Refusal, match="stale_version"):
        correct(tournament, other_hand(hand), version=tournament.version - 1)


def test_the_same_key_is_one_correction():
    tournament = imported(WORLD_2007)
    version, entry = tournament.version, other_hand(first_hand(tournament))
    answers = [correct(tournament, entry, version=version) for _ in range(3)]
    assert answers[0] == answers[1] == answers[2]
    assert Publication.objects.filter(tournament=tournament).count() == 2
    with pytest.raises(Refusal, match="key_reused"):
        correct(tournament, entry._replace(reason="another"), version=version)


def test_totals_are_corrected_as_totals():
    file = tournament_file(stage(by_place("A", "abcde"), by_place("B", "fghij")))
    tournament = imported(file)
    seats = heat_for_page(SYSTEM, tournament.slug, 1, 1).match.seats
    assert seats == tuple("abcde")
    totals = SeatTotals((850, 901, 800, 750, 700), 21, (None, -1, None, None, None))
    with pytest.raises(Refusal, match="totals_only"):
        correct(tournament, Entry(Award(0, 5, "S19", "x")))
    tournament.refresh_from_db()
    correct_heat_totals(
        SYSTEM, tournament.pk, stage=1, heat=1, totals=totals, reason="sum", version=tournament.version, key="t"
    )
    heat = heat_for_page(SYSTEM, tournament.slug, 1, 1)
    assert [placed.player for placed in heat.match.ranking] == list("bacde")
    assert heat.match.hands_played == 21
    exported = file_for_export(SYSTEM, tournament.slug)["stages"][0]["heats"][0]
    assert exported["totals"]["b"] == 901
    assert exported["adjustments"] == {"b": -1}
    assert heat.replaced[0][0].points == (900, 850, 800, 750, 700)
    assert file_for_export(SYSTEM, tournament.slug)["record"]["corrections"] == [
        {
            "stage": 1,
            "heat": 1,
            "before": {"totals": [900, 850, 800, 750, 700], "hands_played": 20},
            "after": {"totals": [850, 901, 800, 750, 700], "hands_played": 21},
            "reason": "sum",
        }
    ]
    assert (
        "Corrected: “sum”"
        in Client(headers={"accept-language": "en"})
        .get(f"/tournaments/{tournament.slug}/stages/1/heats/1/")
        .content.decode()
    )


def test_a_voided_hand_leaves_the_file_and_the_last_one_cannot_be_voided():
    hand = {"caller": "a", "called": "b", "bid": 70, "made": 80}
    tournament = imported(tournament_file(stage(hands_heat("A", "abcde", [hand, hand]))))
    correct(tournament, Entry(Voided(), 0, "cards were missing"), key="1")
    exported = file_for_export(SYSTEM, tournament.slug)
    assert exported["stages"][0]["heats"][0]["hands"] == [hand]
    assert exported["record"]["corrections"][0]["after"] == {"voided": True}
    with pytest.raises(Refusal, match="nothing_left"):
        correct(tournament, Entry(Voided(), 1, "these too"), key="2")


def test_offences_are_carried_into_later_stages_when_they_count_there():
    """D10 with `offence_scope` tournament: a correction in a heat changes what a raise in the final costs."""
    raise_ = {"caller": "a", "bid": 90, "ruling": {"kind": "disloyal_raise", "admitted": True}}
    plain = {"caller": "a", "called": "b", "bid": 70, "made": 80}
    heats = stage(hands_heat("A", "abcde", [plain, raise_, plain, plain]))
    final = stage(hands_heat("F", "abcde", [raise_, plain, plain]), kind="final")
    tournament = imported(tournament_file(heats, final, rules={"offence_scope": "tournament", "second_final": False}))
    assert heat_for_page(SYSTEM, tournament.slug, 2, 1).sheet.lines[0].points[0] == -70
    correct(tournament, Entry(Voided(), 1, "not proven"))
    final = heat_for_page(SYSTEM, tournament.slug, 2, 1)
    assert final.sheet.lines[0].points[0] == -50
    assert {placed.player: placed.points for placed in final.match.ranking}["a"] == final.sheet.totals[0] == 90


# Publications


def test_the_hash_is_that_of_the_published_facts_and_does_not_know_names():
    tournament = imported(CUP)
    published = Publication.objects.get(tournament=tournament)
    assert digest(json.loads(published.facts)) == published.content_hash
    names = tournament.entrants.values_list("name", flat=True)
    assert not any(name in published.facts or name in published.result for name in names)
    assert versions_for_page(tournament_for_page(SYSTEM, tournament.slug))[0].sound


def test_a_later_version_says_what_changed_and_why():
    tournament = imported(WORLD_2007)
    hand = first_hand(tournament)
    correct(tournament, other_hand(hand, made=hand.made + 1))
    latest, first = versions_for_page(tournament_for_page(SYSTEM, tournament.slug))
    assert (latest.version, first.version) == (2, 1)
    assert latest.reason == "misread"
    assert latest.changes
    assert first.changes == ()
    assert latest.content_hash != first.content_hash


def test_a_corrected_edition_gives_a_new_snapshot_where_the_ranking_changes():
    tournament = imported(WORLD_2007)
    hand = first_hand(tournament, stage=2)
    correct(tournament, other_hand(hand, made=hand.made), stage=2, key="nothing changes")
    assert Snapshot.objects.count() == 1
    view = tournament_for_page(SYSTEM, tournament.slug)
    second = view.outcome.final_ranking[1].player
    seat = view.outcome.stages[1].matches[0].seats.index(second)
    correct(tournament, Entry(Award(seat, 5000, "S19", "appeal")), stage=2, key="all changes")
    assert Snapshot.objects.count() == 2
    now = Snapshot.objects.order_by("version").last()
    assert now.table.get(rank=1).person_id == view.people[second].id
