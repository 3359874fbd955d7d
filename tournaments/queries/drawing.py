"""Draws: who is to be drawn, what was drawn and why, how the seats of a table were drawn."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.db.models import Count

from core.refusal import Refusal
from players.actor import Actor
from players.models import Grant, User
from players.queries import above
from players.rules.rights import RECORD_MATCHES, RUN_TOURNAMENT
from scoring.models import Seat, Sheet
from scoring.rules.hands import SEATS
from tournaments.exchange.rows import read_rows, record_of
from tournaments.models import Entrant, Heat, Stage, Tournament
from tournaments.queries.editions_before import ranks_before
from tournaments.queries.impact import started
from tournaments.rules.draw_moves import Lists, draw_again
from tournaments.rules.replay import replay
from tournaments.rules.ruleset import placing_rules
from tournaments.rules.series import ranks
from tournaments.rules.ties import UNPLACED


@dataclass(frozen=True)
class Field:
    """Who plays the next stage of heats. `players`: codes in order of entry; `agp`: ranks before this tournament.

    `entered`: who may be drawn, `must_play`: who must be (checked in, or qualified); without either everybody is drawn.
    """

    stage: int
    players: tuple[str, ...]
    agp: Mapping[str, int]
    entered: frozenset[str]
    must_play: frozenset[str]


def field_of(row: Tournament) -> Field:
    """Who is drawn now. Refusals: `stage_open`, `no_heats_due` (a final comes next, or nothing any more)."""
    stages = list(Stage.objects.filter(tournament=row).exclude(state=Stage.State.DRAFT).order_by("number"))
    if any(stage.state == Stage.State.OPEN for stage in stages):
        raise Refusal("stage_open", article="D20")
    entries = Entrant.objects.filter(tournament=row, entry__isnull=False).order_by("entry")
    everybody = list(entries.values_list("code", "present"))
    if not stages:
        codes = tuple(code for code, _ in everybody)
        here = tuple(code for code, present in everybody if present)
        return Field(1, here or codes, ranks_before(row), frozenset(codes), frozenset(here))
    outcome = replay(record_of(read_rows(row)))
    qualification = outcome.stages[-1].qualification
    if qualification is None or qualification.plan.final:
        raise Refusal("no_heats_due", article="D20")
    order = {code: number for number, (code, _) in enumerate(everybody)}
    qualified = tuple(sorted(qualification.qualified, key=lambda code: order.get(code, UNPLACED)))
    due = frozenset(qualified)
    return Field(stages[-1].number + 1, qualified, ranks(outcome.agp_before), due, due)


# A draw as it was made


@dataclass(frozen=True)
class Moved:
    """Two who changed places: `player` came to table `to` (None: both names say all), `other` took his place."""

    player: str
    other: str
    to: str
    reason: str


@dataclass(frozen=True)
class Replaced:
    """Somebody took the seat of another after the draw was published; names."""

    out: str
    into: str
    table: str


@dataclass(frozen=True)
class DrawnPlayer:
    """Somebody in a draw. `reason` and `number` as in tournaments.rules.draw; `moved`: why he is elsewhere now.

    `heat` is where he sits in the end, from 0, None for a reserve; `here`: he is checked in.
    """

    code: str
    name: str
    person: UUID | None
    agp: int | None
    heat: int | None
    reason: str
    number: int
    moved: tuple[Moved, ...]
    here: bool


@dataclass(frozen=True)
class StageDraw:
    """The draw of a stage. `ranked`: its players in A.G.P. order; `repeats`: its seed gives the same once more.

    `again`, `again_reserves`: names as seed and moves give them now. `drafts`: how often it was drawn before it was
    published; `seed` in hex.
    """

    number: int
    state: str
    seed: str
    seeds_per_heat: int
    drafts: int
    names: tuple[str, ...]
    heats: tuple[tuple[DrawnPlayer, ...], ...]
    reserves: tuple[DrawnPlayer, ...]
    ranked: tuple[DrawnPlayer, ...]
    moves: tuple[Moved, ...]
    replaced: tuple[Replaced, ...]
    repeats: bool
    again: tuple[tuple[str, ...], ...]
    again_reserves: tuple[str, ...]


@dataclass(frozen=True)
class DrawView:
    """The draws of a tournament, the last first; who may not run it sees published ones only.

    For staff: `draft`, `due` (who would be drawn now) or `why_not` (a refusal's code), `absent`: names of seeds who
    are not checked in, `missing`: drawn but not checked in, `late`: checked in but not drawn, `nobody_here`.
    """

    id: UUID
    slug: str
    name: str
    staff: bool
    draws: tuple[StageDraw, ...]
    due: Field | None = None
    why_not: str = ""
    absent: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()
    late: tuple[str, ...] = ()
    nobody_here: bool = False

    @property
    def draft(self) -> StageDraw | None:
        """The draw that only staff see."""
        return next((draw for draw in self.draws if draw.state == Stage.State.DRAFT), None)


def draw_of(actor: Actor, slug: str) -> DrawView:
    """The draws of a tournament for this viewer. Refusal `tournament_unknown`, also where he may see none."""
    row = Tournament.objects.filter(slug=slug).first()
    if row is None:
        raise Refusal("tournament_unknown")
    staff = row.live and actor.may(RUN_TOURNAMENT, above(row.scope_id))
    stages = list(Stage.objects.filter(tournament=row, plan__isnull=False).order_by("-number"))
    if not staff:
        stages = [stage for stage in stages if stage.state != Stage.State.DRAFT]
        if not (row.announced or row.published) or not stages:
            raise Refusal("tournament_unknown")
    entrants = {entrant.code: entrant for entrant in Entrant.objects.filter(tournament=row).order_by("position")}
    draws = tuple(stage_draw(stage, entrants) for stage in stages)
    told = DrawView(row.pk, row.slug, row.name, staff, draws)
    return _for_staff(row, told, entrants) if staff else told


def _for_staff(row: Tournament, told: DrawView, entrants: Mapping[str, Entrant]) -> DrawView:
    try:
        due = field_of(row)
    except Refusal as refusal:
        return DrawView(told.id, told.slug, told.name, told.staff, told.draws, why_not=refusal.code)
    draft = told.draft
    drawn = [player.code for heat in (*draft.heats, draft.reserves) for player in heat] if draft else due.players

    def names(codes: Iterable[str]) -> tuple[str, ...]:
        return tuple(entrants[code].name for code in codes)

    absent: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()
    if due.stage == 1 and due.must_play:
        seeds = placing_rules(row.rules or {}).seeds_per_heat * (len(due.entered) // SEATS)
        ranked = sorted(due.entered & due.agp.keys(), key=lambda code: due.agp[code])
        absent = names(code for code in ranked[:seeds] if code not in drawn)
        missing = names(code for code in drawn if code in entrants and code not in due.must_play)
    return DrawView(
        told.id,
        told.slug,
        told.name,
        told.staff,
        told.draws,
        due=due,
        absent=absent,
        missing=missing,
        late=names(code for code in due.players if code in due.must_play and code not in drawn),
        nobody_here=due.stage == 1 and not due.must_play,
    )


def stage_draw(stage: Stage, entrants: Mapping[str, Entrant]) -> StageDraw:
    """The draw of a stage with the reason of each place; `entrants` by code."""
    plan: Mapping[str, Any] = stage.plan or {}
    kept = Lists(tuple(tuple(heat["players"]) for heat in plan["heats"]), tuple(plan["reserves"]))
    pairs = [(move["player"], move["with"]) for move in plan["moves"]]
    draw, again = draw_again(plan["players"], plan["agp"], plan["seeds_per_heat"], bytes.fromhex(stage.seed), pairs)
    tables = tuple(heat["name"] for heat in plan["heats"])

    def name(code: str) -> str:
        return entrants[code].name if code in entrants else code

    moves = tuple(
        Moved(name(move["player"]), name(move["with"]), tables[move["to"]], move["reason"]) for move in plan["moves"]
    )
    of: dict[str, list[Moved]] = {}
    for pair, move in zip(pairs, moves, strict=True):
        for code in pair:
            of.setdefault(code, []).append(move)
    players = {}
    for seat in (*(seat for heat in draw.heats for seat in heat), *draw.reserves):
        entrant = entrants.get(seat.player)
        players[seat.player] = DrawnPlayer(
            code=seat.player,
            name=name(seat.player),
            person=entrant.person_id if entrant else None,
            agp=seat.agp,
            heat=kept.heat_of(seat.player),
            reason=seat.reason,
            number=seat.number,
            moved=tuple(of.get(seat.player, ())),
            here=entrant is not None and entrant.present,
        )
    ranked = sorted((each for each in players.values() if each.agp is not None), key=lambda each: each.agp or 0)
    return StageDraw(
        number=stage.number,
        state=stage.state,
        seed=stage.seed,
        seeds_per_heat=plan["seeds_per_heat"],
        drafts=plan.get("drafts", 1),
        names=tables,
        heats=tuple(tuple(players[code] for code in heat) for heat in kept.heats),
        reserves=tuple(players[code] for code in kept.reserves),
        ranked=tuple(ranked),
        moves=moves,
        replaced=tuple(
            Replaced(name(one["out"]), name(one["in"]), tables[one["heat"]]) for one in plan.get("replaced", ())
        ),
        repeats=again == kept,
        again=tuple(tuple(map(name, heat)) for heat in again.heats),
        again_reserves=tuple(map(name, again.reserves)),
    )


# The seats of a table


@dataclass(frozen=True)
class SeatsView:
    """A table and how its seats were drawn. `players`: code and name, seat 0 first; `by`: system, hand or "".

    `rounds`: the card of each code, round by round; `cards`: the same as codes of a deck, where the house drew them.
    `may_draw`: this viewer may draw now; `why_not`: else a code, "" for who is no staff.
    """

    id: UUID
    slug: str
    tournament: str
    stage: int
    kind: str
    heat: int
    name: str
    match: UUID
    players: tuple[tuple[str, str], ...]
    by: str
    seed: str
    rounds: tuple[Mapping[str, str], ...]
    cards: tuple[Mapping[str, str], ...]
    staff: bool
    why_not: str

    @property
    def may_draw(self) -> bool:
        """This viewer may draw the seats now."""
        return self.staff and not self.why_not


def seats_of(actor: Actor, slug: str, stage: int, heat: int) -> SeatsView:
    """A table of a published stage that is played here. Refusals: `tournament_unknown`, `heat_unknown`."""
    row = Tournament.objects.filter(slug=slug, live=True).first()
    if row is None:
        raise Refusal("tournament_unknown")
    staff = actor.may(RUN_TOURNAMENT, above(row.scope_id))
    if not staff and not (row.announced or row.published):
        raise Refusal("tournament_unknown")
    heats = Heat.objects.filter(stage__tournament=row, stage__number=stage, number=heat)
    table = heats.select_related("stage", "sheet").first()
    if table is None:
        raise Refusal("heat_unknown")
    seats = list(Seat.objects.filter(sheet=table.sheet_id).order_by("number").values_list("person", flat=True))
    known = Entrant.objects.filter(tournament=row, person__in=seats).values_list("person", "code", "name")
    people = {person: (code, name) for person, code, name in known}
    drawn = table.seat_draw or {}
    plays = Seat.objects.filter(round=table.stage_id, person=actor.person).exists() if actor.person else False
    why_not = ""
    if plays:
        why_not = "plays_here"
    elif table.stage.state != Stage.State.OPEN:
        why_not = "stage_not_open"
    elif table.sheet.state != Sheet.State.OPEN or started([table.sheet_id]):
        why_not = "match_begun"
    elif drawn.get("by") == "system":
        why_not = "seats_drawn"
    return SeatsView(
        id=row.pk,
        slug=row.slug,
        tournament=row.name,
        stage=stage,
        kind=table.stage.kind,
        heat=heat,
        name=table.name,
        match=table.sheet_id,
        players=tuple(people[person] for person in seats),
        by=drawn.get("by", ""),
        seed=drawn.get("seed", ""),
        rounds=tuple(drawn.get("rounds", ())),
        cards=tuple(drawn.get("cards", ())),
        staff=staff,
        why_not=why_not,
    )


@dataclass(frozen=True)
class Candidate:
    """Who may be the referee of a table, and how many tables of the stage he has already."""

    person: UUID
    name: str
    tables: int


def referees_for(stage: Stage) -> list[Candidate]:
    """Who may record matches of this tournament and does not play in the stage, by name. Two queries."""
    scopes = above(stage.tournament.scope_id)
    held = Grant.objects.filter(scope__in=scopes, role__in=RECORD_MATCHES).values("person")
    playing = Seat.objects.filter(round=stage.pk).values("person")
    people = User.objects.filter(pk__in=held, is_active=True).exclude(pk__in=playing).order_by("sort_key", "pk")
    tables = dict(
        Heat.objects.filter(stage=stage, referee__isnull=False).order_by().values_list("referee").annotate(Count("pk"))
    )
    return [Candidate(row.pk, row.display_name, tables.get(row.pk, 0)) for row in people]
