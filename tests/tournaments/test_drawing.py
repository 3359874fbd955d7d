"""The draw and the seats as services: who is drawn, what is frozen, what is written, who may not."""

import pytest
from django.core.management import call_command

from core import entropy
from core.refusal import Refusal
from gameplay.models import Match
from gameplay.services import clock, recording
from gameplay.services.passes import show_pass
from players.actor import SYSTEM, actor_for
from players.models import SeatPass
from players.rules.rights import CLOCK_KEEPER, ORGANISER, REFEREE
from players.services import create_people, grant_role
from scoring.models import Seat
from scoring.rules.hands import HandOutcome
from scoring.rules.scoresheet import Played
from tests.tournaments.day_rows import Day
from tests.tournaments.days import heat_row, key, live, organiser, seated
from tests.tournaments.files import by_place, hands_heat, stage, tournament_file
from tests.tournaments.rows import imported
from tournaments.models import EditionBefore, Entrant, Heat, Stage
from tournaments.queries.drawing import draw_of, field_of, referees_for, seats_of
from tournaments.queries.tournament import tournament_for_page
from tournaments.rules.draw import draw_heats
from tournaments.rules.draw_moves import lists_of
from tournaments.rules.series import ranks
from tournaments.services import drawing, entering

pytestmark = pytest.mark.django_db


def refused(code, work, *args, **told):
    with pytest.raises(Refusal) as refusal:
        work(*args, **told)
    assert refusal.value.code == code
    return refusal.value


def codes_of(day):
    entrants = Entrant.objects.filter(tournament=day.id).order_by("entry")
    return list(entrants.values_list("code", flat=True))


def check_in(day, codes):
    for code in codes:
        day.do(entering.check_in, code=code, present=True)


def draft_of(day):
    return Stage.objects.get(tournament=day.id, state=Stage.State.DRAFT)


def edition(number, day, order):
    """A published edition of the world championship that these entrants of the day played; "-" is somebody else."""
    people = dict(Entrant.objects.filter(tournament=day.id).values_list("code", "person"))
    names = [f"x{number}{at}" if code == "-" else code for at, code in enumerate(order)]
    file = tournament_file(
        stage(by_place("A", names)), stage(by_place("F", names), kind="final"), edition=number, name=f"World {number}"
    )
    return imported(file, people={code: people[code] for code in names if code in people})


# Who is drawn


def test_drawn_is_who_is_checked_in_and_everybody_where_nobody_was():
    day = Day(12, phase="entered")
    codes = codes_of(day)
    assert day.do(drawing.draft_draw)["heats"] == 2
    assert draft_of(day).plan["players"] == codes
    check_in(day, codes[1:8])
    told = day.do(drawing.draft_draw)
    assert (told["stage"], told["heats"]) == (1, 1)
    plan = draft_of(day).plan
    assert (plan["players"], len(plan["reserves"]), plan["drafts"]) == (codes[1:8], 2, 2)
    assert [heat["name"] for heat in plan["heats"]] == ["Centrale"]
    check_in(day, codes[:1])
    assert draw_of(day.organiser, day.slug).late == ("Player 00",)
    assert refused("draw_outdated", day.do, drawing.publish_draw).params == {"players": (codes[0],)}
    assert not day.row.announced


def test_too_few_are_refused_and_leave_the_draft_as_it_was():
    day = Day(10, phase="drafted")
    seed = draft_of(day).seed
    check_in(day, codes_of(day)[:4])
    refused("too_few_entrants", day.do, drawing.draft_draw)
    assert draft_of(day).seed == seed


def test_each_draw_has_a_new_seed_and_is_that_of_the_rule():
    day = Day(15, phase="entered")
    seeds = set()
    for _ in range(3):
        seeds.add(day.do(drawing.draft_draw)["seed"])
        stage_ = draft_of(day)
        plan = stage_.plan
        lists = lists_of(draw_heats(plan["players"], plan["agp"], 1, bytes.fromhex(stage_.seed)))
        assert [tuple(heat["players"]) for heat in plan["heats"]] == list(lists.heats)
    assert len(seeds) == 3
    assert [heat["name"] for heat in plan["heats"]] == ["Centrale", "Centralino", "Table 3"]
    with entropy.injected(lambda count: bytes(range(count))):
        assert day.do(drawing.draft_draw)["seed"] == bytes(range(32)).hex()


def test_seeds_come_from_the_last_three_editions_and_are_frozen_with_the_draw():
    day = Day(11, phase="entered")
    codes = codes_of(day)
    edition(26, day, (codes[9], "-", "-", "-", "-"))  # counts no more
    edition(27, day, ("-", codes[8], "-", "-", codes[2]))
    edition(28, day, ("-", codes[8], "-", "-", "-"))
    edition(29, day, (codes[5], "-", "-", "-", "-"))
    edition(31, day, (codes[7], "-", "-", "-", "-"))  # later than this one
    day.do(drawing.draft_draw)
    plan = draft_of(day).plan
    # 12 + 12, then the winners (15 each; a newer best place is ahead), of whom some play elsewhere.
    assert [player for player in plan["agp"] if plan["agp"][player] <= 2] == [codes[5], codes[8]]
    assert (plan["agp"][codes[8]], plan["agp"][codes[5]]) == (1, 2)
    assert [heat["players"][0] for heat in plan["heats"]] == [codes[8], codes[5]]
    assert EditionBefore.objects.filter(tournament=day.id).count() == 0
    day.do(drawing.publish_draw)
    kept = list(EditionBefore.objects.filter(tournament=day.id).order_by("position"))
    assert [row.number for row in kept] == [27, 28, 29]
    assert kept[0].ranking == ["E27-1", codes[8], "E27-3", "E27-4", codes[2]]
    before = ranks(tournament_for_page(SYSTEM, day.slug).outcome.agp_before)
    assert {code: rank for code, rank in before.items() if code in codes} == plan["agp"]
    edition(30, Day(5, phase="entered", name="Other"), "-----")
    assert EditionBefore.objects.filter(tournament=day.id).count() == 3


def test_strangers_of_earlier_editions_keep_one_code_that_nobody_has():
    day = Day(10, phase="entered")
    person = create_people(["Zoe"])[0].pk
    Entrant.objects.filter(tournament=day.id, code=codes_of(day)[0]).update(code="E28-2")
    for number in (28, 29):
        file = tournament_file(
            stage(by_place("A", "abcde")),
            stage(by_place("F", "abcde"), kind="final"),
            edition=number,
            name=f"W{number}",
        )
        imported(file, people={"b": person})
    day.reach("announced")
    first, second = EditionBefore.objects.filter(tournament=day.id).order_by("position")
    assert first.ranking == ["E28-1", "E28-2'", "E28-3", "E28-4", "E28-5"]
    assert second.ranking[:2] == ["E29-1", "E28-2'"]


def test_a_draft_of_another_ranking_is_not_published():
    day = Day(10, phase="drafted")
    edition(29, day, codes_of(day)[:5])
    refused("agp_changed", day.do, drawing.publish_draw)
    day.do(drawing.draft_draw)
    assert day.do(drawing.publish_draw)["heats"] == 2


# Moves and names


def test_moves_are_listed_with_their_reason_and_drawn_again():
    day = Day(12, phase="drafted")
    plan = draft_of(day).plan
    one, other, reserve = plan["heats"][0]["players"][2], plan["heats"][1]["players"][4], plan["reserves"][0]
    day.do(drawing.move_player, player=one, to=1, swap_with=other, reason=" brothers ")
    day.do(drawing.move_player, player=other, to=None, swap_with=reserve, reason="came late")
    seed = plan["heats"][1]["players"][0]
    day.do(drawing.move_player, player=seed, to=0, swap_with=None, reason="a request")
    plan = draft_of(day).plan
    assert plan["moves"] == [
        {"player": one, "with": other, "to": 1, "reason": "brothers"},
        {"player": reserve, "with": other, "to": 0, "reason": "came late"},
        {"player": seed, "with": plan["heats"][1]["players"][0], "to": 0, "reason": "a request"},
    ]
    assert plan["heats"][0]["players"][2] == reserve
    assert plan["heats"][1]["players"][4] == one
    assert plan["reserves"][0] == other
    draw = draw_of(day.organiser, day.slug).draft
    assert draw.repeats
    moved = {player.code: [move.reason for move in player.moved] for heat in draw.heats for player in heat}
    assert (moved[one], moved[reserve], moved[seed]) == (["brothers"], ["came late"], ["a request"])
    assert [move.reason for move in draw.reserves[0].moved] == ["brothers", "came late"]
    day.do(drawing.publish_draw)
    assert seated(day.row, 1, 1) == "".join(plan["heats"][0]["players"])


def test_what_is_no_move():
    day = Day(12, phase="drafted")
    plan = draft_of(day).plan
    (one, mate), other = plan["heats"][0]["players"][:2], plan["heats"][1]["players"][0]
    move = {"player": one, "to": 1, "swap_with": other, "reason": "why"}
    refused("reason_required", day.do, drawing.move_player, **{**move, "reason": "  "})
    refused("swap_unclear", day.do, drawing.move_player, **{**move, "swap_with": mate})
    refused("swap_unclear", day.do, drawing.move_player, **{**move, "to": 7, "swap_with": None})
    refused("swap_unclear", day.do, drawing.move_player, **{**move, "to": None, "swap_with": None})
    refused("swap_unclear", day.do, drawing.move_player, **{**move, "player": plan["reserves"][0], "swap_with": None})
    refused("same_heat", day.do, drawing.move_player, **{**move, "to": 0, "swap_with": mate})
    refused("not_in_draw", day.do, drawing.move_player, **{**move, "player": "nobody"})
    assert draft_of(day).plan == plan
    day.do(drawing.publish_draw)
    refused("no_draft", day.do, drawing.move_player, **move)


def test_tables_are_renamed_in_the_draft_and_where_they_are_played():
    day = Day(10, phase="drafted")
    day.do(drawing.rename_heat, stage=1, heat=2, name=" Finestra ")
    refused("heat_name_taken", day.do, drawing.rename_heat, stage=1, heat=1, name="Finestra")
    refused("table_name_missing", day.do, drawing.rename_heat, stage=1, heat=1, name="")
    refused("heat_unknown", day.do, drawing.rename_heat, stage=1, heat=3, name="x")
    refused("stage_unknown", day.do, drawing.rename_heat, stage=2, heat=1, name="x")
    day.do(drawing.publish_draw)
    day.do(drawing.rename_heat, stage=1, heat=1, name="Porta")
    assert list(Heat.objects.values_list("name", flat=True).order_by("number")) == ["Porta", "Finestra"]
    assert set(Match.objects.values_list("table_name", flat=True)) == {"Porta", "Finestra"}
    assert draw_of(SYSTEM, day.slug).draws[0].names == ("Porta", "Finestra")
    Stage.objects.update(state=Stage.State.CLOSED)
    refused("stage_closed", day.do, drawing.rename_heat, stage=1, heat=1, name="Tardi")


# Publishing


def test_a_published_draw_is_tables_with_matches_that_have_not_begun():
    day = Day(11, phase="drafted", match_minutes=90, min_bid=65)
    stage_ = draft_of(day)
    assert not Heat.objects.exists()
    asked = key()
    told = drawing.publish_draw(day.organiser, day.id, key=asked)
    assert drawing.publish_draw(day.organiser, day.id, key=asked) == told
    refused("no_draft", day.do, drawing.publish_draw)
    refused("stage_open", day.do, drawing.draft_draw)
    assert day.row.announced
    heats = list(Heat.objects.filter(stage=stage_).order_by("number").select_related("sheet__match", "stage"))
    assert [heat.name for heat in heats] == ["Centrale", "Centralino"]
    for heat, planned in zip(heats, stage_.plan["heats"], strict=True):
        match = heat.sheet.match
        assert (heat.stage.state, match.length, match.table_name) == (Stage.State.OPEN, 90 * 60, heat.name)
        assert heat.sheet.scope_id == day.row.scope_id
        assert heat.sheet.rules["min_bid"] == 65
        assert match.rules["match_minutes"] == 90
        assert set(Seat.objects.filter(sheet=heat.sheet).values_list("round", flat=True)) == {stage_.pk}
        assert seated(day.row, 1, heat.number) == "".join(planned["players"])


def test_only_its_staff_know_of_a_draft():
    day = Day(10, phase="entered")
    referee = organiser(day.row)
    stranger = actor_for(create_people(["Nobody"])[0].pk)
    player = actor_for(Entrant.objects.filter(tournament=day.id).first().person_id)
    grant_role(SYSTEM, person=player.person, scope=day.row.scope_id, role=REFEREE)
    player = actor_for(player.person)
    day.reach("drafted")
    for nobody in (stranger, player):
        refused("tournament_unknown", draw_of, nobody, day.slug)
        for verb in (drawing.draft_draw, drawing.publish_draw):
            refused("not_allowed", verb, nobody, day.id, key=key())
    assert draw_of(referee, day.slug).draft
    day.reach("announced")
    assert draw_of(stranger, day.slug).draws == draw_of(referee, day.slug).draws


def many_heats():
    """Six closed heats in one of which somebody admitted a disloyal raise."""
    heats = [by_place(name, [f"{name}{n}" for n in range(5)], step=20 + at) for at, name in enumerate("ABCDEF")]
    admitted = {"caller": "A0", "bid": 80, "ruling": {"kind": "disloyal_raise", "admitted": True}}
    won = [{"caller": f"A{n}", "called": f"A{n}", "bid": 110 - n, "made": 120} for n in (0, 0, 1, 2, 3, 4)]
    heats[0] = hands_heat("A", [f"A{n}" for n in range(5)], [admitted, *won])
    return heats


def test_a_later_stage_is_drawn_from_who_qualified_with_the_offences_of_before():
    row = live(*many_heats(), rules={"offence_scope": "tournament"})
    who = organiser(row)
    due = field_of(row)
    assert (due.stage, len(due.players)) == (2, 10)
    drawing.draft_draw(who, row.pk, key=key())
    drawing.publish_draw(who, row.pk, key=key())
    stage_ = Stage.objects.get(tournament=row, number=2)
    assert (stage_.kind, stage_.state, len(stage_.plan["reserves"])) == ("heats", "open", 0)
    assert sorted(stage_.plan["players"]) == sorted(due.players)
    before = dict(Seat.objects.filter(round=stage_.pk).values_list("person__entrants__code", "offences_before"))
    assert {code for code, offences in before.items() if offences} == {"A0"}
    # Seats change places, and what counts against somebody goes with him.
    heat = next(number for number in (1, 2) if "A0" in seated(row, 2, number))
    drawing.draw_seats(who, row.pk, stage=2, heat=heat, cards=None, key=key())
    offender = Seat.objects.get(round=stage_.pk, offences_before=1)
    assert offender.person.entrants.get().code == "A0"


def test_before_a_final_nothing_is_drawn():
    row = live()
    refused("no_heats_due", drawing.draft_draw, organiser(row), row.pk, key=key())


def test_the_command_draws_again_and_finds_what_was_changed(capsys):
    day = Day(12, phase="drafted")
    with pytest.raises(SystemExit) as nothing:
        call_command("draw_again", day.slug, "1")
    assert nothing.value.code == 3
    assert "no_draft S6" in capsys.readouterr().err
    plan = draft_of(day).plan
    one, other = plan["heats"][0]["players"][0], plan["heats"][1]["players"][0]
    day.do(drawing.move_player, player=one, to=1, swap_with=other, reason="brothers")
    day.do(drawing.publish_draw)
    call_command("draw_again", day.slug, "1")
    said = capsys.readouterr().out.splitlines()
    assert said[-1] == "The draw that is kept is the same."
    name = Entrant.objects.get(tournament=day.id, code=other).name
    assert said[1].startswith(f"Centrale: {name}, ")
    stage_ = Stage.objects.get(tournament=day.id)
    stage_.plan["heats"][0]["players"].reverse()
    stage_.save()
    with pytest.raises(SystemExit) as another:
        call_command("draw_again", day.slug, "1")
    assert another.value.code == 1


# Seats


def cards(five, ranks):
    return dict(zip(five, ranks, strict=True))


@pytest.fixture
def table():
    """A day with published tables, and the five codes of its first."""
    day = Day(10, phase="announced")
    heat = heat_row(day.row, 1)
    people = Seat.objects.filter(sheet=heat.sheet_id).order_by("number").values_list("person", flat=True)
    return day, heat.sheet_id, [day.code_of(person) for person in people]


def test_the_house_draws_seats_once_from_a_seed_that_is_kept(table):
    day, match, five = table
    day.do(drawing.draw_seats, stage=1, heat=1, cards=None)
    view = seats_of(SYSTEM, day.slug, 1, 1)
    assert (view.by, len(view.seed), view.why_not) == ("system", 64, "seats_drawn")
    first = view.rounds[0]
    heights = ["KCJ765432A".index(first[code]) for code, _name in view.players]
    assert heights == sorted(heights)
    assert sorted(code for code, _name in view.players) == sorted(five)
    assert {code: card[-1].upper() for code, card in view.cards[0].items()} == first
    refused("seats_drawn", day.do, drawing.draw_seats, stage=1, heat=1, cards=None)
    assert set(Seat.objects.filter(sheet=match).values_list("round", flat=True)) == {heat_row(day.row, 1).stage_id}


def test_cards_are_typed_and_who_is_level_draws_again(table):
    day, _match, five = table
    first = cards(five, "2K7KA")
    still = refused("still_tied", day.do, drawing.draw_seats, stage=1, heat=1, cards=[first])
    assert still.params == {"players": (five[1], five[3])}
    assert seats_of(SYSTEM, day.slug, 1, 1).by == ""
    second = {five[1]: "5", five[3]: "6"}
    day.do(drawing.draw_seats, stage=1, heat=1, cards=[first, second])
    assert seated(day.row, 1) == "".join((five[3], five[1], five[2], five[0], five[4]))
    assert heat_row(day.row, 1).seat_draw == {"by": "hand", "rounds": [first, second]}
    # Typed wrong: once more.
    day.do(drawing.draw_seats, stage=1, heat=1, cards=[cards(five, "KCJ76")])
    assert seated(day.row, 1) == "".join(five)
    for code, typed in (("wrong_drawers", cards(five[:4], "KCJ7")), ("no_such_card", cards(five, "KCJ78"))):
        refused(code, day.do, drawing.draw_seats, stage=1, heat=1, cards=[typed])


def test_phones_of_the_seats_of_before_are_out(table):
    day, match, five = table
    show_pass(day.organiser, match, seat=0)
    day.do(drawing.draw_seats, stage=1, heat=1, cards=[cards(five, "A2345")])
    assert not SeatPass.objects.filter(place=match, revoked=False).exists()


def test_seats_stay_once_the_match_has_begun(table):
    day, match, five = table
    typed = [cards(five, "KCJ76")]
    clock.start_match(day.organiser, match, key=key())
    refused("match_begun", day.do, drawing.draw_seats, stage=1, heat=1, cards=typed)
    assert seats_of(day.organiser, day.slug, 1, 1).why_not == "match_begun"
    clock.cancel_start(day.organiser, match, reason="too early", key=key())
    day.do(drawing.draw_seats, stage=1, heat=1, cards=typed)
    clock.start_match(day.organiser, match, key=key())
    recording.record_hand(day.organiser, match, hand=1, content=Played(HandOutcome(0, 1, 75, 80)), key=key())
    refused("match_begun", day.do, drawing.draw_seats, stage=1, heat=1, cards=typed)
    refused("heat_unknown", day.do, drawing.draw_seats, stage=1, heat=3, cards=typed)
    Stage.objects.update(state=Stage.State.CLOSED)
    refused("stage_not_open", day.do, drawing.draw_seats, stage=1, heat=1, cards=typed)


def test_who_plays_runs_nothing_there():
    day = Day(10, phase="drafted")
    person = Entrant.objects.filter(tournament=day.id).first().person_id
    grant_role(SYSTEM, person=person, scope=day.row.scope_id, role=ORGANISER)
    player = actor_for(person)
    drawing.publish_draw(player, day.id, key=key())
    refused("plays_here", drawing.draw_seats, player, day.id, stage=1, heat=1, cards=None, key=key())
    refused("plays_here", drawing.assign_referee, player, day.id, stage=1, heat=1, person=None, key=key())
    refused("plays_here", drawing.rename_heat, player, day.id, stage=1, heat=1, name="Mio", key=key())
    assert seats_of(player, day.slug, 1, 1).why_not == "plays_here"


# Referees


def test_a_referee_may_record_here_and_does_not_play(table):
    day, _match, five = table
    scope = day.row.scope_id
    rita, carlo = (row.pk for row in create_people(("Rita", "Carlo")))
    grant_role(SYSTEM, person=rita, scope=scope, role=REFEREE)
    grant_role(SYSTEM, person=carlo, scope=scope, role=CLOCK_KEEPER)
    player = Entrant.objects.get(tournament=day.id, code=five[0]).person_id
    grant_role(SYSTEM, person=player, scope=scope, role=REFEREE)
    day.do(drawing.assign_referee, stage=1, heat=1, person=rita)
    assert heat_row(day.row, 1).referee_id == rita
    refused("referee_without_right", day.do, drawing.assign_referee, stage=1, heat=1, person=carlo)
    refused("referee_plays", day.do, drawing.assign_referee, stage=1, heat=2, person=player)
    assert {(row.person, row.tables) for row in referees_for(heat_row(day.row, 1).stage)} == {
        (rita, 1),
        (day.organiser.person, 0),
    }
    day.do(drawing.assign_referee, stage=1, heat=1, person=None)
    assert heat_row(day.row, 1).referee_id is None
