"""Which role may do what. A role on a scope holds for everything below it."""

from __future__ import annotations

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
