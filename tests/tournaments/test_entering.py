"""A tournament before its draw: made and described, filled, checked in; codes, doubles, and what comes too late."""

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from uuid import uuid4

import pytest
from django.db import connections

from core.models import AuditRow
from core.refusal import Refusal
from players.actor import SYSTEM, actor_for
from players.models import User
from players.queries import above
from players.rules.rights import ADMIN, CLUB_ORGANISER, ORGANISER, REFEREE
from players.services import create_club, create_people, erase, grant_role, house_scope
from tests.tournaments.day_rows import Day
from tests.tournaments.days import topics
from tests.tournaments.files import by_place, stage, tournament_file
from tests.tournaments.rows import CUP, WORLD_2001, imported
from tournaments.models import EditionBefore, Entrant, Stage, Tournament
from tournaments.queries.editions_before import ranks_before
from tournaments.queries.entries import entries_for_page, namesakes, people_to_enter, places_to_run, series_known
from tournaments.services import entering

pytestmark = pytest.mark.django_db

FACTS = {"name": "Coppa", "series": "coppa", "edition": 3, "date": None, "venue": "", "rules": {}}


def key():
    return uuid4().hex


def made(actor=SYSTEM, club=None, **told):
    answer = entering.create_tournament(actor, club=club, key=key(), **{**FACTS, **told})
    return Tournament.objects.get(slug=answer["slug"])


def enter(tournament, *people, club=""):
    return [
        entering.enter_player(SYSTEM, tournament.pk, person=person, club=club, key=key())["code"] for person in people
    ]


def row_of(name, nth=1, person=None, club=""):
    return {"name": name, "club": club, "person": str(person) if person else None, "nth": nth}


def enter_list(tournament, *rows):
    return entering.enter_players(SYSTEM, tournament.pk, rows=rows, key=key())


def refused(work, *args, **told):
    with pytest.raises(Refusal) as told_so:
        work(*args, **told)
    return told_so.value


def somebody(*grants):
    person = User.objects.create_user(f"u{uuid4().hex[:8]}", "Rita")
    for scope, role in grants:
        grant_role(SYSTEM, person=person.pk, scope=scope, role=role)
    return actor_for(person.pk)


@pytest.fixture
def club():
    return create_club(SYSTEM, slug="ancora", name="Ancora")


def listed(tournament):
    return list(Entrant.objects.filter(tournament=tournament).order_by("entry").values_list("code", "name"))


# Made and described


def test_a_new_tournament_is_live_unseen_and_keeps_only_rules_of_its_own(club):
    rules = {"match_minutes": 90, "seeds_per_heat": 1, "tie_chain": ("agp", "lot"), "second_final_minutes": None}
    row = made(club="ancora", name=" Coppa ", venue=" Rimini ", rules=rules)
    assert (row.live, row.announced, row.published, row.slug, row.name, row.venue) == (
        *(True, False, 0),
        *("coppa", "Coppa", "Rimini"),
    )
    assert row.rules == {"match_minutes": 90, "tie_chain": ["agp", "lot"]}
    assert (row.scope.kind, row.scope.parent_id, row.scope.audit_count) == ("tournament", club.scope_id, 1)
    assert made(name="New").slug == "new-2"  # `new` is the page on which tournaments are made
    assert refused(entries_for_page, somebody(), row.slug).code == "tournament_unknown"


@pytest.mark.parametrize(
    ("grants", "place", "may"),
    [
        ([("club", CLUB_ORGANISER)], "ancora", True),
        ([("club", ORGANISER)], "ancora", True),
        ([("house", ADMIN)], "ancora", True),
        ([("house", ADMIN)], None, True),
        ([("club", REFEREE)], "ancora", False),
        ([("club", CLUB_ORGANISER)], None, False),
        ([("other", CLUB_ORGANISER)], "ancora", False),
        ([], "ancora", False),
    ],
)
def test_who_may_make_one(club, grants, place, may):
    other = create_club(SYSTEM, slug="bussola", name="Bussola")
    scopes = {"club": club.scope_id, "house": house_scope().pk, "other": other.scope_id}
    actor = somebody(*((scopes[scope], role) for scope, role in grants))
    if may:
        assert made(actor, place).scope.parent_id == (club.scope_id if place else house_scope().pk)
    else:
        assert refused(made, actor, place).code == "not_allowed"
        assert not Tournament.objects.exists()
    assert ((place or "") in {one.slug for one in places_to_run(actor)}) == may


@pytest.mark.parametrize(
    ("told", "code", "article", "pointer"),
    [
        ({"rules": {"second_final_minutes": 59}}, "second_final_too_short", "S9", "/rules/second_final_minutes"),
        ({"rules": {"second_final_minutes": 121}}, "second_final_too_long", "S9", "/rules/second_final_minutes"),
        ({"rules": {"match_minutes": 9}}, "rule_out_of_range", "S9", "/rules/match_minutes"),
        ({"rules": {"min_bid": 0}}, "rule_out_of_range", "S12", "/rules/min_bid"),
        ({"rules": {"seeds_per_heat": 6}}, "rule_out_of_range", "S6", "/rules/seeds_per_heat"),
        ({"rules": {"jokers": 2}}, "unexpected", "", "/rules/jokers"),
        ({"name": " "}, "bad_field", "", "/name"),
        ({"series": ""}, "bad_field", "", "/series"),
        ({"venue": "x" * 121}, "bad_field", "", "/venue"),
        ({"club": "nowhere"}, "club_unknown", "", "/club"),
    ],
)
def test_what_is_wrong_is_refused_with_its_place(told, code, article, pointer):
    refusal = refused(made, **told)
    assert (refusal.code, refusal.article, refusal.pointer) == (code, article, pointer)
    assert not Tournament.objects.exists()


def test_half_the_time_is_enough_for_a_second_final():
    assert made(rules={"match_minutes": 91, "second_final_minutes": 46}).rules["second_final_minutes"] == 46
    assert refused(made, rules={"match_minutes": 91, "second_final_minutes": 45}).params["half"] == 46


def test_an_edition_that_is_in_the_books_is_taken(club):
    imported(CUP, club="ancora")  # edition 12 of its series
    cup = Tournament.objects.get()
    told = {"series": cup.series, "edition": cup.edition}
    assert refused(made, club="ancora", **told).pointer == "/edition"
    assert made(club="ancora", series=cup.series, edition=cup.edition + 1).pk
    assert made(**told).pk  # the house's own series of that name is another one
    assert series_known(["ancora"]) == (cup.series,)


def test_it_is_described_anew_until_the_draw_is_published():
    row = made(rules={"match_minutes": 90})
    Stage.objects.create(tournament=row, number=1, kind="heats", state="draft", plan={})
    facts = {**FACTS, "name": "Coppa nuova", "venue": "Riccione"}
    entering.change_tournament(SYSTEM, row.pk, key=key(), **{**facts, "rules": {"match_minutes": 90}})
    row.refresh_from_db()
    assert (row.name, row.search_key, row.slug, row.version) == ("Coppa nuova", "coppa nuova", "coppa", 2)
    assert Stage.objects.count() == 1
    entering.change_tournament(SYSTEM, row.pk, key=key(), **facts)
    row.refresh_from_db()
    assert row.rules is None
    assert not Stage.objects.exists()  # it was drawn by other rules
    Stage.objects.create(tournament=row, number=1, kind="heats", state="open")
    refusal = refused(entering.change_tournament, SYSTEM, row.pk, key=key(), **facts)
    assert (refusal.code, refusal.article) == ("draw_published", "S6")


# Entered


def test_codes_are_given_in_order_and_never_again():
    row = made()
    assert enter(row, "Ada", "Bea", "Cem") == ["P01", "P02", "P03"]
    entering.remove_entry(SYSTEM, row.pk, code="P03", key=key())
    entering.remove_entry(SYSTEM, row.pk, code="P01", key=key())
    assert enter(row, "Dora") == ["P04"]
    assert enter_list(row, *(row_of(f"N{at}") for at in range(97)))["codes"][-1] == "P101"
    assert listed(row)[:2] == [("P02", "Bea"), ("P04", "Dora")]
    assert refused(entering.remove_entry, SYSTEM, row.pk, code="P01", key=key()).code == "entrant_unknown"


def test_somebody_known_comes_in_once_and_who_is_gone_not_at_all():
    row = made()
    ada, zoe = create_people(["Ada", "Zoe"])
    assert enter(row, ada.pk, club=" Ancora ") == ["P01"]
    assert Entrant.objects.get().club == "Ancora"
    refusal = refused(enter, row, ada.pk)
    assert (refusal.code, refusal.params) == ("entered_already", {"name": "Ada", "code": "P01"})
    erase(zoe)
    assert refused(enter, row, zoe.pk).code == "person_gone"
    assert refused(enter, row, uuid4()).code == "person_unknown"
    assert refused(enter, row, "  ").pointer == "/name"
    assert refused(enter, row, "Bea", club="c" * 121).pointer == "/club"
    assert enter(row, "Ada") == ["P02"]  # a namesake; the refused took no code
    assert User.objects.filter(display_name="Bea").count() == 0


def test_the_same_key_enters_once_and_the_trail_tells_no_names():
    row = made()
    told = {"person": "Ada", "club": "", "key": key()}
    answers = [entering.enter_player(SYSTEM, row.pk, **told) for _ in range(2)]
    assert answers[0] == answers[1] == {"code": "P01", "version": 2}
    assert refused(entering.enter_player, SYSTEM, row.pk, **{**told, "person": "Bea"}).code == "key_reused"
    last = AuditRow.objects.filter(scope=row.scope_id).order_by("number").last()
    assert (last.verb, last.payload) == ("enter_player", {"code": "P01", "version": 2})


def test_a_list_comes_in_whole_or_not_at_all_and_a_second_time_nobody():
    row = made()
    (ada,) = create_people(["Ada"])
    enter(row, "Bea")
    rows = [row_of("Ada", person=ada.pk), row_of("Bea"), row_of("Cem", club="x"), row_of("CEM", 2)]
    assert enter_list(row, *rows) == {"codes": ["P02", "P03", "P04"], "there": 1, "version": 3}
    assert enter_list(row, *rows)["codes"] == []
    assert enter_list(row, row_of("Cem", 3), row_of("Ada Bis", person=ada.pk))["codes"] == ["P05"]
    before = listed(row)
    for bad, code, pointer in (
        (row_of(""), "bad_name", "/rows/1/name"),
        (row_of("Eva", club="c" * 121), "bad_club", "/rows/1/club"),
        (row_of("Eva", person=uuid4()), "person_unknown", ""),
    ):
        refusal = refused(enter_list, row, row_of("Dora"), bad)
        assert (refusal.code, refusal.pointer) == (code, pointer)
    twice = create_people(["Eva"])[0].pk
    assert refused(enter_list, row, row_of("Eva", person=twice), row_of("Eva", 2, twice)).code == "person_twice"
    assert listed(row) == before


@pytest.mark.django_db(transaction=True)
def test_two_desks_that_send_one_list_at_once_enter_everybody_once():
    row = made()
    rows = [row_of(f"Player {at}") for at in range(20)]
    start = Barrier(2)

    def send(_):
        try:
            start.wait()
            return len(enter_list(row, *rows)["codes"])
        finally:
            connections.close_all()

    with ThreadPoolExecutor(2) as desks:
        assert sorted(desks.map(send, range(2))) == [0, 20]
    assert [code for code, _ in listed(row)] == [f"P{at:02}" for at in range(1, 21)]


def test_late_players_come_in_while_the_first_stage_is_open_and_nobody_leaves_the_list():
    row = made()
    enter(row, "Ada", "Bea")
    draft = Stage.objects.create(tournament=row, number=1, kind="heats", state="draft", plan={"players": ["P01"]})
    assert enter(row, "Cem") == ["P03"]
    entering.remove_entry(SYSTEM, row.pk, code="P01", key=key())
    assert not Stage.objects.exists()  # the draft had somebody who is not here any more
    draft.state = "open"
    draft.save(force_insert=True)
    assert enter(row, "Dora") == ["P04"]
    assert enter_list(row, row_of("Eva"))["codes"] == ["P05"]
    assert refused(entering.remove_entry, SYSTEM, row.pk, code="P04", key=key()).code == "draw_published"
    Stage.objects.update(state="closed")
    assert refused(enter, row, "Fay").code == "entries_closed"
    assert refused(enter_list, row, row_of("Fay")).code == "entries_closed"


def test_who_comes_late_has_his_place_in_the_editions_that_are_frozen():
    """With the draw they became strangers there, and now they play: their A.G.P. counts, nobody is listed twice."""
    day = Day(10, phase="entered")
    late, adjusted, other = (row.pk for row in create_people(["Late", "Fined", "Other"]))
    final = stage(by_place("F", "abcde"), kind="final")
    for number in (28, 29):
        told = tournament_file(stage(by_place("A", "abcde")), final, edition=number, name=f"W{number}")
        imported(told, people={"b": late, "c": adjusted})
    day.reach("announced")
    frozen = EditionBefore.objects.filter(tournament=day.id).order_by("position")
    assert frozen[0].ranking[:3] == ["E28-1", "E28-2", "E28-3"]
    EditionBefore.objects.filter(pk=frozen[0].pk).update(adjustments={"E28-3": -5})
    codes = [day.do(entering.enter_player, person=one, club="")["code"] for one in (late, adjusted, other)]
    assert frozen[0].ranking == ["E28-1", *codes[:2], "E28-4", "E28-5"]
    assert frozen[0].adjustments == {codes[1]: -5}
    assert frozen[1].ranking[1:3] == codes[:2]
    # Second twice, and third twice less five points: behind the two winners.
    assert [ranks_before(day.row)[code] for code in codes[:2]] == [1, 4]
    assert codes[2] not in ranks_before(day.row)


def test_what_only_the_desk_sees_is_told_to_staff_only(django_capture_on_commit_callbacks):
    day = Day(11, phase="announced")
    staff = {f"scope:{scope}" for scope in above(day.row.scope_id)}
    with django_capture_on_commit_callbacks() as told:
        day.do(entering.check_in, code="P00", present=True)
    assert topics(told) == staff
    with django_capture_on_commit_callbacks() as told:
        day.do(entering.enter_player, person="Eva", club="")
    assert topics(told) == {*staff, "public", "hall"}


def test_check_in_and_who_may(club):
    row = made(club="ancora")
    enter(row, "Ada")
    mine = somebody((row.scope_id, ORGANISER))
    told = {"code": "P01", "present": True, "key": key()}
    assert entering.check_in(mine, row.pk, **told)["present"]
    assert Entrant.objects.get().present
    entering.check_in(mine, row.pk, code="P01", present=False, key=key())
    assert not Entrant.objects.get().present
    assert refused(entering.check_in, mine, row.pk, code="P09", present=True, key=key()).code == "entrant_unknown"
    for stranger in (somebody(), somebody((row.scope_id, REFEREE))):
        assert refused(entering.check_in, stranger, row.pk, **told).code == "not_allowed"
        assert refused(entries_for_page, stranger, row.slug).code == "tournament_unknown"
    file = imported(CUP)
    assert refused(entering.check_in, SYSTEM, file.pk, **told).code == "not_live"
    assert refused(entries_for_page, SYSTEM, file.slug).code == "tournament_unknown"


# Seeds, and who may be meant by a name


def test_absent_seeds_are_the_best_of_the_agp_as_many_as_full_tables_have_seeds():
    world = imported(WORLD_2001)
    best = list(
        Entrant.objects.filter(tournament=world, place__lte=6).order_by("place").values_list("person", flat=True)
    )
    row = made(series="world", edition=None)
    enter(row, "Unranked", *best[2:6], *(f"N{at}" for at in range(9)))
    view = entries_for_page(SYSTEM, row.slug)
    assert [line.agp for line in view.lines[:2]] == [None, 3]
    assert [line.person for line in view.absent_seeds] == best[2:4]  # fourteen entrants: two tables, two seeds
    seed = view.absent_seeds[0]
    entering.check_in(SYSTEM, row.pk, code=seed.code, present=True, key=key())
    view = entries_for_page(SYSTEM, row.slug)
    assert [line.person for line in view.absent_seeds] == best[3:4]
    assert (view.present, view.line(seed.code).present) == (1, True)
    Stage.objects.create(tournament=row, number=1, kind="heats", state="open")
    assert entries_for_page(SYSTEM, row.slug).absent_seeds == ()


def test_people_of_a_name_are_those_who_did_something_here(club):
    row = made(club="ancora")
    enter(row, "Ada Rossi")
    (orphan,) = create_people(["Ada Rossi"])
    member = User.objects.create_user("ada", "Ada ROSSI")
    here = Entrant.objects.get().person_id
    found = namesakes(["ada rossi", "Zoe"], "ancora")
    assert [(known.person.person, known.at_home) for known in found["ada rossi"]] == [(here, True), (member.pk, False)]
    assert namesakes(["Ada Rossi"], None)["ada rossi"][0].at_home is False
    assert orphan.pk not in {known.person.person for known in people_to_enter(SYSTEM, "Ada Rossi", "ancora")}
    assert people_to_enter(SYSTEM, " - ", "ancora") == ()


def test_the_list_takes_the_same_number_of_queries_for_any_length(django_assert_num_queries):
    row = made()
    for count in (1, 30):
        enter_list(row, *(row_of(f"N{count} {at}") for at in range(count)))
        with django_assert_num_queries(7):
            assert len(entries_for_page(SYSTEM, row.slug).lines) == Entrant.objects.count()
