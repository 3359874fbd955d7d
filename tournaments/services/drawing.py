"""The draw of a stage of heats: drafted, changed with reasons, published (S6, D12, D20)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any
from uuid import UUID

from core.entropy import new_seed
from core.live import HALL, PUBLIC, publish
from core.refusal import Refusal
from gameplay.models import Match
from gameplay.rules.ruleset import game_rules
from gameplay.services.acting import checked_reason, checked_text
from gameplay.services.matches import TABLE_NAME
from players.actor import Actor
from players.models import Grant
from players.queries import above
from players.rules.rights import RECORD_MATCHES
from players.services import check_present, lock_people
from players.services.passes import revoke_pass
from scoring.models import Seat, Sheet
from scoring.rules.hands import SEATS
from scoring.services.sheets import lock_sheet, reseat
from tournaments.models import EditionBefore, Entrant, Heat, Stage, Tournament
from tournaments.queries.drawing import Field, field_of
from tournaments.queries.editions_before import editions_before
from tournaments.queries.impact import started
from tournaments.rules.draw import draw_heats
from tournaments.rules.draw_moves import Lists, lists_of
from tournaments.rules.replay import HEATS
from tournaments.rules.ruleset import placing_rules
from tournaments.rules.seat_draw import draw_cards, ranks_of, seat_order
from tournaments.services import day
from tournaments.services.following import NewTable, open_heats, people_of

Answer = dict[str, Any]
Plan = dict[str, Any]
FIRST_TABLES = ("Centrale", "Centralino")
BY_SYSTEM, BY_HAND = "system", "hand"


def draft_draw(actor: Actor, tournament: UUID, *, key: str, table: str = "Table {number}") -> Answer:
    """Draws the next stage of heats from a new seed, as a draft; an older draft of that stage is gone.

    Drawn are, in order of entry, who is checked in (everybody, if nobody is), later those who qualified. `table`: how
    tables are called after the first two. Answer: `{"stage", "heats", "seed"}`. Refusals besides those of `day.run`:
    `stage_open` (one is being played), `no_heats_due` (the next stage is no stage of heats), those of `draw_heats`.
    """

    def work(row: Tournament) -> Answer:
        due = field_of(row)
        seeds = placing_rules(row.rules or {}).seeds_per_heat
        seed = new_seed()
        draw = draw_heats(due.players, due.agp, seeds, seed)
        lists = lists_of(draw)
        plan = {
            "players": list(due.players),
            "agp": {player: due.agp[player] for player in due.players if player in due.agp},
            "seeds_per_heat": seeds,
            "heats": [
                {"name": name, "players": list(heat)}
                for name, heat in zip(_names(len(lists.heats), table), lists.heats, strict=True)
            ],
            "reserves": list(lists.reserves),
            "moves": [],
            "drafts": _drafts(row) + 1,
        }
        Stage.objects.filter(tournament=row, state=Stage.State.DRAFT).delete()
        Stage.objects.create(
            tournament=row, number=due.stage, kind=HEATS, state=Stage.State.DRAFT, seed=seed.hex(), plan=plan
        )
        return {"stage": due.stage, "heats": len(lists.heats), "seed": seed.hex()}

    return day.run(actor, tournament, "draft_draw", key, {"table": table}, work, quiet=True)


def move_player(
    actor: Actor, tournament: UUID, *, player: str, to: int | None, swap_with: str | None, reason: str, key: str
) -> Answer:
    """Two players of the draft change places; it stays listed, with its reason, for everybody to read.

    `to`: the heat (from 0) into which `player` goes, None to make him a reserve. `swap_with`: who leaves it; without
    one who stands at the same place of its list. Answer: `{"stage", "to"}`. Refusals: `no_draft`, `not_in_draw`,
    `same_heat`, `swap_unclear` (nobody stands there, or `swap_with` stands elsewhere), `reason_required`.
    """
    told = {"player": player, "to": to, "with": swap_with, "reason": reason}

    def work(row: Tournament) -> Answer:
        stage = _draft(row)
        plan = plan_of(stage)
        lists = _lists(plan)
        other = swap_with or _opposite(lists, player, to)
        if lists.heat_of(other) != to:
            raise Refusal("swap_unclear", {"player": other}, article="S6", pointer="/with")
        _set_lists(plan, lists.swapped(player, other))
        why = checked_reason(reason)
        # Told of the one who comes to a table: of a reserve it is he who moves.
        move = {"player": player, "with": other, "to": to}
        if to is None:
            move = {"player": other, "with": player, "to": lists.heat_of(player)}
        plan["moves"].append({**move, "reason": why})
        stage.save(update_fields=["plan"])
        return {"stage": stage.number, "to": move["to"]}

    return day.run(actor, tournament, "move_player", key, told, work, quiet=True)


def rename_heat(actor: Actor, tournament: UUID, *, stage: int, heat: int, name: str, key: str) -> Answer:
    """Another name for a table (numbers from 1), in a draft or where it is played, until its stage is closed.

    Answer: `{"stage", "heat"}`. Refusals: `stage_unknown`, `heat_unknown`, `stage_closed`, `plays_here`,
    `table_name_missing`, `heat_name_taken`.
    """

    def work(row: Tournament) -> Answer:
        found = day.stage_of(row, stage)
        if found.state == Stage.State.CLOSED:
            raise Refusal("stage_closed", article="S11")
        bare = checked_text(name, length=TABLE_NAME, code="table_name_missing", pointer="/name")
        if found.plan is not None:
            _rename_in_plan(found, heat, bare)
        if found.state == Stage.State.OPEN:
            day.require_not_playing(actor, found)
            _rename_table(found, heat, bare)
        return {"stage": stage, "heat": heat}

    # Where the table is set up already, it is told with it.
    told = {"stage": stage, "heat": heat, "name": name}
    return day.run(actor, tournament, "rename_heat", key, told, work, quiet=True)


def _rename_in_plan(stage: Stage, heat: int, name: str) -> None:
    heats = plan_of(stage)["heats"]
    if not 1 <= heat <= len(heats):
        raise Refusal("heat_unknown")
    if any(other["name"] == name for at, other in enumerate(heats, start=1) if at != heat):
        raise Refusal("heat_name_taken", {"name": name}, pointer="/name")
    heats[heat - 1]["name"] = name
    stage.save(update_fields=["plan"])


def _rename_table(stage: Stage, heat: int, name: str) -> None:
    row = Heat.objects.filter(stage=stage, number=heat).first()
    if row is None:
        raise Refusal("heat_unknown")
    if Heat.objects.filter(stage=stage, name=name).exclude(pk=row.pk).exists():
        raise Refusal("heat_name_taken", {"name": name}, pointer="/name")
    row.name = name
    row.save(update_fields=["name"])
    Match.objects.filter(sheet=row.sheet_id).update(table_name=name)
    publish(f"sheet:{row.sheet_id}", PUBLIC, HALL)


def publish_draw(actor: Actor, tournament: UUID, *, key: str) -> Answer:
    """Everybody sees the draft from now on: its tables, sheets and matches are there, nothing started.

    With the first draw the A.G.P. of before this tournament and its rules are frozen (D11). Answer: `{"stage",
    "heats"}`. Refusals: `no_draft`; `draw_outdated` with `players` who are no longer entered, or who are checked in
    and were not drawn; `agp_changed`: the ranking moved since it was drafted.
    """

    def work(row: Tournament) -> Answer:
        stage = _draft(row)
        plan = plan_of(stage)
        due = field_of(row)
        _check_fresh(due, plan)
        if stage.number == 1:
            _freeze(row)
        people = people_of(row)
        tables = [NewTable(heat["name"], tuple(people[code] for code in heat["players"])) for heat in plan["heats"]]
        open_heats(row, stage, tables, game_rules(row.rules or {}).match_minutes)
        stage.state = Stage.State.OPEN
        stage.save(update_fields=["state"])
        row.announced = True
        row.save(update_fields=["announced"])
        publish(PUBLIC, HALL)
        return {"stage": stage.number, "heats": len(tables)}

    return day.run(actor, tournament, "publish_draw", key, {}, work)


def _check_fresh(due: Field, plan: Plan) -> None:
    """The draft still has those whom it must have. Refusals: `draw_outdated`, `agp_changed`."""
    drawn = set(plan["players"])
    gone = [player for player in plan["players"] if player not in due.entered]
    new = [player for player in due.must_play if player not in drawn]
    if gone or new:
        raise Refusal("draw_outdated", {"players": (*gone, *new)}, article="S6")
    if plan["agp"] != {player: due.agp[player] for player in plan["players"] if player in due.agp}:
        raise Refusal("agp_changed", article="S6")


def _freeze(row: Tournament) -> None:
    """Keeps the editions before this one as they stand in the books, unless they are kept already."""
    if not EditionBefore.objects.filter(tournament=row).exists():
        EditionBefore.objects.bulk_create(editions_before(row))


# At the tables


def draw_seats(
    actor: Actor, tournament: UUID, *, stage: int, heat: int, cards: Sequence[Mapping[str, str]] | None, key: str
) -> Answer:
    """The five of a table get their seats by cards, before their match begins (S4, D1); who wins deals first.

    `cards`: round by round the card (K C J 7 6 5 4 3 2 A) of each player's code, as they drew them at the table; None
    has the house draw. What was typed wrong can be typed again; what the house drew stays. Answer: `{"stage", "heat"}`.
    Refusals: `heat_unknown`, `plays_here`, `stage_not_open`, `match_begun`, `hands_on_sheet`, `seats_drawn`, those of
    `seat_order`, and `still_tied` with `players` who must draw again.
    """
    told = {"stage": stage, "heat": heat, "cards": None if cards is None else [dict(one) for one in cards]}

    def work(row: Tournament) -> Answer:
        table = _open_table(actor, row, stage, heat)
        sheet = lock_sheet(table.sheet_id)
        if sheet.state != Sheet.State.OPEN or started([sheet.pk]):
            raise Refusal("match_begun", article="S4")
        people = dict(_seated(row, table))
        before = table.seat_draw
        if before is not None and (cards is None or before["by"] == BY_SYSTEM):
            raise Refusal("seats_drawn", article="S4")
        if cards is None:
            seed = new_seed()
            drawn = draw_cards(list(people), seed)
            rounds = [ranks_of(one) for one in drawn]
            kept = {"by": BY_SYSTEM, "seed": seed.hex(), "cards": list(drawn)}
        else:
            rounds, kept = [dict(one) for one in cards], {"by": BY_HAND}
        order, tied = seat_order(list(people), rounds)
        if tied:
            raise Refusal("still_tied", {"players": tied}, article="D1", pointer=f"/rounds/{len(rounds)}")
        reseat(sheet, [people[player] for player in order])
        for number in range(SEATS):
            revoke_pass(place=sheet.pk, number=number)  # a phone is a seat: it would be another's now
        table.seat_draw = {**kept, "rounds": rounds}
        table.save(update_fields=["seat_draw"])
        publish(f"sheet:{sheet.pk}", PUBLIC, HALL)
        return {"stage": stage, "heat": heat}

    return day.run(actor, tournament, "draw_seats", key, told, work)


def assign_referee(actor: Actor, tournament: UUID, *, stage: int, heat: int, person: UUID | None, key: str) -> Answer:
    """Who is the referee of a table, also while it plays; None for nobody. Answer: `{"stage", "heat", "person"}`.

    Refusals: `heat_unknown`, `plays_here`, `stage_not_open`, `person_unknown`, `referee_without_right` (he may not
    record here), `referee_plays` (he sits in this stage himself, S2).
    """
    told = {"stage": stage, "heat": heat, "person": str(person) if person else None}

    def work(row: Tournament) -> Answer:
        table = _open_table(actor, row, stage, heat)
        if person is not None:
            check_present(lock_people(person)[person])
            if not Grant.objects.filter(person=person, scope__in=above(row.scope_id), role__in=RECORD_MATCHES).exists():
                raise Refusal("referee_without_right", article="S2")
            if Seat.objects.filter(round=table.stage_id, person=person).exists():
                raise Refusal("referee_plays", article="S2")
        table.referee_id = person
        table.save(update_fields=["referee"])
        publish(f"sheet:{table.sheet_id}", HALL)
        return told

    return day.run(actor, tournament, "assign_referee", key, told, work)


def _open_table(actor: Actor, row: Tournament, stage: int, heat: int) -> Heat:
    """A table of an open stage. Refusals: `heat_unknown`, `stage_not_open`, `plays_here`."""
    table = Heat.objects.filter(stage__tournament=row, stage__number=stage, number=heat).select_related("stage").first()
    if table is None:
        raise Refusal("heat_unknown")
    if table.stage.state != Stage.State.OPEN:
        raise Refusal("stage_not_open", article="S4")
    day.require_not_playing(actor, table.stage)
    return table


def _seated(row: Tournament, table: Heat) -> list[tuple[str, UUID]]:
    """Codes and people of a table in the order of their seats."""
    people = list(Seat.objects.filter(sheet=table.sheet_id).order_by("number").values_list("person", flat=True))
    codes = dict(Entrant.objects.filter(tournament=row, person__in=people).values_list("person", "code"))
    return [(codes[person], person) for person in people]


# What is drafted


def _draft(row: Tournament) -> Stage:
    """The draft of a locked tournament. Refusal: `no_draft`."""
    stage = Stage.objects.filter(tournament=row, state=Stage.State.DRAFT).first()
    if stage is None:
        raise Refusal("no_draft", article="S6")
    return stage


def _drafts(row: Tournament) -> int:
    """How often the stage was drawn that is a draft now: everybody may know it."""
    stage = Stage.objects.filter(tournament=row, state=Stage.State.DRAFT).first()
    return plan_of(stage).get("drafts", 0) if stage else 0


def plan_of(stage: Stage) -> Plan:
    """What was drawn. A stage without a plan was not drawn here."""
    plan: Plan = stage.plan or {}
    return plan


def _lists(plan: Plan) -> Lists:
    return Lists(tuple(tuple(heat["players"]) for heat in plan["heats"]), tuple(plan["reserves"]))


def _set_lists(plan: Plan, lists: Lists) -> None:
    for heat, players in zip(plan["heats"], lists.heats, strict=True):
        heat["players"] = list(players)
    plan["reserves"] = list(lists.reserves)


def _opposite(lists: Lists, player: str, to: int | None) -> str:
    """Who stands at the same place of the list of heat `to`. Refusal `swap_unclear`: a reserve has no such place."""
    own = lists.heat_of(player)
    if own is None or to is None or not 0 <= to < len(lists.heats):
        raise Refusal("swap_unclear", {"player": player}, article="S6", pointer="/with")
    return lists.heats[to][lists.heats[own].index(player)]


def _names(count: int, table: str) -> list[str]:
    """Centrale, Centralino, and further tables by number."""
    return [*FIRST_TABLES[:count], *(table.replace("{number}", str(number)) for number in range(3, count + 1))]
