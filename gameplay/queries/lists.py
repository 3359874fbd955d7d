"""Matches, calls, appeals and cases in lists."""

from __future__ import annotations

from dataclasses import dataclass
from uuid import UUID

from django.db.models import Q

from core.clock import database_now
from gameplay.models import Match
from gameplay.queries.rulings import CallView, RulingView, appeal_state, call_views, ruling_views
from players.actor import Actor
from players.queries import scopes_below
from players.rules.names import search_key
from players.rules.rights import DECIDE_APPEALS, RECORD_MATCHES
from scoring.models import Appeal, Claim, Proposal, RefereeCall, Ruling, Seat, Sheet


@dataclass(frozen=True)
class MatchLine:
    """A match in a list. `waits`: a hand, a claim or a call there waits for an answer."""

    id: UUID
    table_name: str
    players: tuple[str, ...]
    hands: int
    state: str
    waits: bool
    plays: bool


def matches_for_person(actor: Actor, *, rows: int = 100) -> list[MatchLine]:
    """Open matches that he keeps as staff, or where he sits; by table name. Three queries for any number."""
    if actor.person is None:
        return []
    mine = Q(sheet__seats__person=actor.person)
    if actor.came == "seat_pass":
        mine &= Q(sheet=actor.place.sheet if actor.place else None)
    scopes = scopes_below(actor.scopes_of(RECORD_MATCHES))
    found = Match.objects.filter(mine | Q(sheet__scope__in=scopes), sheet__state=Sheet.State.OPEN).distinct()
    matches = list(found.select_related("sheet").order_by("table_name", "pk")[:rows])
    sheets = [match.sheet_id for match in matches]
    waiting = {
        sheet
        for rows_ in (
            Proposal.objects.filter(state="pending"),
            Claim.objects.filter(state="open"),
            RefereeCall.objects.filter(answered=False),
        )
        for sheet in rows_.filter(sheet__in=sheets).values_list("sheet", flat=True)
    }
    players: dict[UUID, list[Seat]] = {sheet: [] for sheet in sheets}
    for seat in Seat.objects.filter(sheet__in=sheets).select_related("person").order_by("sheet", "number"):
        players[seat.sheet_id].append(seat)
    return [
        MatchLine(
            match.sheet_id,
            match.table_name,
            tuple(seat.person.display_name for seat in players[match.sheet_id]),
            match.sheet.hands_played,
            match.sheet.state,
            match.sheet_id in waiting,
            any(seat.person_id == actor.person for seat in players[match.sheet_id]),
        )
        for match in matches
    ]


def calls_for_staff(actor: Actor) -> list[CallView]:
    """Tables that wait for a referee, the first who called first; only those where he is staff and does not play."""
    scopes = scopes_below(actor.scopes_of(RECORD_MATCHES))
    calls = RefereeCall.objects.filter(answered=False, sheet__scope__in=scopes)
    return call_views(calls.exclude(sheet__in=played_by(actor)))


def played_by(actor: Actor) -> list[UUID]:
    """Sheets over which he has a player's rights only: his own, and those of open stages and tournaments in which he
    sits."""
    own = Seat.objects.filter(person=actor.person)
    rounds = own.filter(round__isnull=False).values("round")
    now = own.filter(sheet__state=Sheet.State.OPEN).values("sheet__scope")
    here = Q(round__in=rounds) | Q(sheet__in=own.values("sheet")) | Q(sheet__scope__in=now)
    return list(Seat.objects.filter(here).values_list("sheet", flat=True))


@dataclass(frozen=True)
class AppealView:
    """An appeal before the council. `votes`: how many for and against; `voted`, `sat`: this viewer voted, or played;
    `party`: he ruled or appealed.

    `state`: open, upheld, rejected or lapsed. `days`: whole days that are left to decide it, at least 0.
    """

    id: UUID
    ruling: RulingView
    by: str
    reason: str
    state: str
    days: int
    votes: tuple[int, int]
    voted: bool
    sat: bool
    party: bool
    may_vote: bool


def appeals_for_council(actor: Actor, appeal: UUID | None = None) -> list[AppealView]:
    """Appeals that this guarantor decides or decided, open ones first; only one of them if `appeal` is given."""
    now = database_now()
    scopes = scopes_below(actor.scopes_of(DECIDE_APPEALS))
    rows = Appeal.objects.filter(ruling__sheet__scope__in=scopes)
    if appeal is not None:
        rows = rows.filter(pk=appeal)
    found = list(rows.select_related("person").prefetch_related("votes", "ruling__sheet__seats").order_by("-deadline"))
    rulings = {row.id: row for row in ruling_views(Ruling.objects.filter(pk__in=[row.ruling_id for row in found]))}
    views = []
    for row in found:
        votes = list(row.votes.all())
        state = appeal_state(row, now)
        voted = any(vote.person_id == actor.person for vote in votes)
        party = actor.person in (row.person_id, row.ruling.person_id)
        sat = any(seat.person_id == actor.person for seat in row.ruling.sheet.seats.all())
        views.append(
            AppealView(
                row.pk,
                rulings[row.ruling_id],
                row.person.display_name if row.person else "",
                row.reason,
                state,
                rulings[row.ruling_id].days,
                (sum(vote.uphold for vote in votes), sum(not vote.uphold for vote in votes)),
                voted,
                sat,
                party,
                state == Appeal.State.OPEN and not (voted or sat or party),
            )
        )
    return sorted(views, key=lambda view: view.state != Appeal.State.OPEN)


CASES = 50
"""Cases on a page of the case book."""


def cases(text: str = "", kind: str = "", page: int = 1) -> tuple[list[RulingView], int]:
    """The case book: rulings of matches that are over, by article, and how many there are. Three queries.

    `text`: words that must all be there, accents and the wrong i forgiven; `kind`: of ruling, "" for all.
    """
    rows = Ruling.objects.exclude(sheet__state=Sheet.State.OPEN)
    for word in search_key(text).split():
        rows = rows.filter(search_key__contains=word)
    if kind:
        rows = rows.filter(kind=kind)
    start = (page - 1) * CASES
    return ruling_views(rows.order_by("article", "scope", "-number")[start : start + CASES]), rows.count()
