"""Rows of points: scoresheets, and what is judged on them."""

from scoring.models.judging import (
    Appeal,
    AppealVote,
    Claim,
    Proposal,
    RefereeCall,
    Ruling,
    Signature,
    Vote,
)
from scoring.models.sheets import Entry, Seat, Sheet

__all__ = [
    "Appeal",
    "AppealVote",
    "Claim",
    "Entry",
    "Proposal",
    "RefereeCall",
    "Ruling",
    "Seat",
    "Sheet",
    "Signature",
    "Vote",
]
