"""One match with everything that its page shows."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from uuid import UUID

from core.refusal import Refusal
from gameplay.models import Match
from gameplay.queries.clock import ClockView, clocks_of, view_of
from gameplay.queries.powers import Powers, powers_of
from gameplay.queries.rulings import CallView, RulingView, call_views, ruling_views
from players.actor import Actor
from scoring.models import Appeal, Claim, Proposal, RefereeCall, Ruling, Seat, Sheet, Signature
from scoring.queries import content_of, entries_of, rules_of
from scoring.rules.procedure import hands_on
from scoring.rules.ruleset import ScoringRules
from scoring.rules.scoresheet import Content, Entry, Scoresheet, fold


@dataclass(frozen=True)
class ProposalView:
    """An entry that waits for a second person. `mine`: this viewer proposed it; `answers`: he may answer it."""

    number: int
    by: str
    content: Content
    hand: int | None
    replaces: int | None
    reason: str
    mine: bool
    answers: bool


@dataclass(frozen=True)
class ClaimView:
    """A claim. `line` (from 1) and `entry` (from 0): the hand as it was claimed. `votes` by seat, None before all have
    voted; `voted`: how many have.

    `judge`: this viewer has a vote; `vote`: what he voted, None if he has not.
    """

    number: int
    line: int
    entry: int
    kind: str
    by: str
    mine: bool
    reason: str
    state: str
    judges: tuple[int, ...]
    voted: int
    votes: dict[int, bool] | None
    passes: dict[int, str]
    judge: bool
    vote: bool | None
    withdrawn_because: str


@dataclass(frozen=True)
class MatchView:
    """A match and what this viewer is there. `players`: five names; `line_entries`: present entry of each line.

    `signed`: seats that signed the sheet as it stands, each with the mark of its seat pass ("" without one).
    `sub_iudice`: a ruling of this match is before the council. `clock`: None where it is played without one.
    """

    id: UUID
    scope: UUID
    table_name: str
    state: str
    version: int
    people: tuple[UUID, ...]
    players: tuple[str, ...]
    rules: ScoringRules
    entries: tuple[Entry, ...]
    sheet: Scoresheet
    offences_before: tuple[int, ...]
    line_entries: tuple[int, ...]
    dealt: int
    powers: Powers
    proposal: ProposalView | None
    claims: tuple[ClaimView, ...]
    rulings: tuple[RulingView, ...]
    calls: tuple[CallView, ...]
    signed: dict[int, str]
    clock: ClockView | None

    @property
    def next_hand(self) -> int:
        """Number of the hand that will be recorded next."""
        return hands_on(self.sheet) + 1

    @property
    def claim(self) -> ClaimView | None:
        """The claim that waits for its judges, if any."""
        return next((claim for claim in self.claims if claim.state == Claim.State.OPEN), None)

    @property
    def has_called(self) -> bool:
        """This viewer's seat has called the referee, who has not come yet."""
        return any(call.seat == self.powers.seat for call in self.calls)

    @property
    def sub_iudice(self) -> bool:
        """A ruling of this match is before the council."""
        return any(ruling.appeal_state == Appeal.State.OPEN for ruling in self.rulings)


def match_for_page(actor: Actor, match: UUID) -> MatchView:
    """A match as its page shows it. Sixteen queries for any number of hands. Refusal: `match_unknown`."""
    row = Match.objects.select_related("sheet").filter(pk=match).first()
    if row is None:
        raise Refusal("match_unknown")
    sheet = row.sheet
    seats = list(Seat.objects.filter(sheet=sheet).select_related("person").order_by("number"))
    entries = entries_of(sheet.pk).entries
    before = tuple(seat.offences_before for seat in seats)
    powers = powers_of(actor, sheet)
    folded = fold(entries, rules_of(sheet), before)
    clock = clocks_of([row])[row.pk]
    return MatchView(
        id=sheet.pk,
        scope=sheet.scope_id,
        table_name=row.table_name,
        state=sheet.state,
        version=sheet.version,
        people=tuple(seat.person_id for seat in seats),
        players=tuple(seat.person.display_name for seat in seats),
        rules=rules_of(sheet),
        entries=entries,
        sheet=folded,
        offences_before=before,
        line_entries=_present(entries),
        dealt=sheet.dealt,
        powers=powers,
        proposal=_proposal(actor, sheet, powers),
        claims=_claims(actor, sheet, entries, powers),
        rulings=tuple(ruling_views(Ruling.objects.filter(sheet=sheet).order_by("number"))),
        calls=tuple(call_views(RefereeCall.objects.filter(sheet=sheet, answered=False))),
        signed=_signed(sheet, len(entries)),
        clock=None if clock is None else view_of(*clock, folded),
    )


def _signed(sheet: Sheet, entries: int) -> dict[int, str]:
    rows = Signature.objects.filter(sheet=sheet, entries=entries, reopened=sheet.reopened, seat__isnull=False)
    return {
        seat: pass_mark(made_by)
        for seat, made_by in rows.order_by("seat").values_list("seat", "pass_id")
        if seat is not None
    }


def pass_mark(made_by: UUID | None) -> str:
    """How a seat pass is told from another of the same seat: four hex digits; "" for who signed in otherwise."""
    return made_by.hex[:4] if made_by else ""


def lines_by_entry(entries: Iterable[Entry]) -> list[int]:
    """The line (from 1) that each entry writes."""
    lines: list[int] = []
    last = 0
    for entry in entries:
        if entry.replaces is None:
            last += 1
            lines.append(last)
        else:
            lines.append(lines[entry.replaces])
    return lines


def _present(entries: tuple[Entry, ...]) -> tuple[int, ...]:
    found = {line: number for number, line in enumerate(lines_by_entry(entries))}
    return tuple(found[line] for line in sorted(found))


def _proposal(actor: Actor, sheet: Sheet, powers: Powers) -> ProposalView | None:
    row = Proposal.objects.filter(sheet=sheet, state="pending").select_related("person").first()
    if row is None:
        return None
    mine = row.person_id == actor.person
    return ProposalView(
        row.number,
        row.person.display_name,
        content_of(row.content),
        row.hand,
        row.replaces,
        row.reason,
        mine,
        not mine and (powers.staff or powers.seat is not None),
    )


def _claims(actor: Actor, sheet: Sheet, entries: tuple[Entry, ...], powers: Powers) -> tuple[ClaimView, ...]:
    lines = lines_by_entry(entries)
    found = []
    rows = Claim.objects.filter(sheet=sheet).select_related("person", "entry").prefetch_related("votes")
    for row in rows.order_by("number"):
        votes = {vote.seat: vote.uphold for vote in row.votes.all()}
        decided = row.state in (Claim.State.UPHELD, Claim.State.REJECTED)
        found.append(
            ClaimView(
                number=row.number,
                line=lines[row.entry.number],
                entry=row.entry.number,
                kind=row.kind,
                by=row.person.display_name if row.person else "",
                mine=row.person_id is not None and row.person_id == actor.person,
                reason=row.reason,
                state=row.state,
                judges=tuple(row.judges),
                voted=len(votes),
                votes=votes if decided else None,
                passes={vote.seat: pass_mark(vote.pass_id) for vote in row.votes.all()} if decided else {},
                judge=powers.seat is not None and powers.seat in row.judges,
                vote=votes.get(powers.seat) if powers.seat is not None else None,
                withdrawn_because=row.withdrawn_because,
            )
        )
    return tuple(found)
