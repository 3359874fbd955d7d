"""Which role may do what. A role on a scope holds for everything below it."""

from __future__ import annotations

from collections.abc import Collection

ADMIN = "admin"
CLUB_ORGANISER = "club_organiser"
ORGANISER = "organiser"
REFEREE = "referee"
CLOCK_KEEPER = "clock_keeper"
COUNCIL = "council"
ROLES = (ADMIN, CLUB_ORGANISER, ORGANISER, REFEREE, CLOCK_KEEPER, COUNCIL)

# What may be done, and by whom. Playing gives no right here: who plays is a player.
IMPORT_TOURNAMENT = frozenset({ADMIN, CLUB_ORGANISER})
RUN_TOURNAMENT = frozenset({ADMIN, CLUB_ORGANISER, ORGANISER})
MANAGE_PEOPLE = frozenset({ADMIN, CLUB_ORGANISER})
MANAGE_CLUBS = frozenset({ADMIN})
RECORD_MATCHES = frozenset({ADMIN, CLUB_ORGANISER, ORGANISER, REFEREE})
KEEP_CLOCK = RECORD_MATCHES | {CLOCK_KEEPER}
DECIDE_APPEALS = frozenset({COUNCIL})

# Who gives roles, from the highest down. A role may be given and taken by whoever has one that gives it, on the scope
# or above it; nobody gives what is above his own.
_GIVES = {
    ADMIN: frozenset(ROLES),
    CLUB_ORGANISER: frozenset({CLUB_ORGANISER, ORGANISER, REFEREE, CLOCK_KEEPER}),
    ORGANISER: frozenset({ORGANISER, REFEREE, CLOCK_KEEPER}),
}
# On which kinds of scope a role makes sense; what is not named here makes sense on all.
_BELONGS = {ADMIN: {"house"}, COUNCIL: {"house"}, CLUB_ORGANISER: {"club"}, ORGANISER: {"club", "tournament"}}
GIVE_ROLES = frozenset(_GIVES)


def given_by(held: Collection[str], kind: str) -> tuple[str, ...]:
    """The roles that somebody who holds `held` (on a scope of this kind or above it) may give and take there."""
    may = frozenset[str]().union(*(_GIVES.get(role, frozenset()) for role in held))
    return tuple(role for role in ROLES if role in may and kind in _BELONGS.get(role, {kind}))
