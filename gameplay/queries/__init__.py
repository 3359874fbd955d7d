"""Reads of matches: who may do what at a table, and everything that its pages show."""

from gameplay.queries.lists import (
    AppealView,
    MatchLine,
    appeals_for_council,
    calls_for_staff,
    cases,
    matches_for_person,
)
from gameplay.queries.match import ClaimView, MatchView, ProposalView, lines_by_entry, match_for_page
from gameplay.queries.powers import Powers, powers_of
from gameplay.queries.rulings import CallView, RulingView

__all__ = [
    "AppealView",
    "CallView",
    "ClaimView",
    "MatchLine",
    "MatchView",
    "Powers",
    "ProposalView",
    "RulingView",
    "appeals_for_council",
    "calls_for_staff",
    "cases",
    "lines_by_entry",
    "match_for_page",
    "matches_for_person",
    "powers_of",
]
