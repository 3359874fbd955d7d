"""The table of permissions: every address of the house, by method and by role. It is tested by test_permissions."""

METHODS = ("GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS")
ROLES = ("anonymous", "person", "referee", "organiser", "club organiser", "of another club", "administrator")
STRANGER = "organiser of another tournament"  # may here what any person may
DEBUG_ONLY = {"styleguide"}

# A line of the table: a status for everybody, or one for each of ROLES, by method. HEAD is as GET; a method that is
# not named is refused (405).
SEEN = {"GET": 200}
NOWHERE = {"GET": 404}
DRAFT = {"GET": (404, 404, 404, 200, 200, 404, 200)}
HIS_CLUB = {"GET": (403, 403, 403, 403, 200, 403, 200), "POST": (403, 403, 403, 403, 302, 403, 302)}
ADMIN_ONLY = {"GET": (403, 403, 403, 403, 403, 403, 200), "POST": (403, 403, 403, 403, 403, 403, 302)}
PEOPLE = {
    "of the club": HIS_CLUB,
    "of a draft": HIS_CLUB,
    "of both clubs": ADMIN_ONLY,
    "with a user name": ADMIN_ONLY,
    "with a grant": ADMIN_ONLY,
}
OPEN_OR_DRAFT = {"open": SEEN, "draft": DRAFT, "nowhere": NOWHERE}
WAITS = (403, 403, 403, 403, 422, 403, 422)
# Of a tournament that is run here and not announced yet; of one that came from a file there is no such page.
RUN_HERE = {
    "live": {**DRAFT, "POST": (404, 404, 404, 302, 302, 404, 302)},
    "open": {"GET": 404, "POST": 404},
    "nowhere": {"GET": 404, "POST": 404},
}
NOT_DRAWN = {thing: {"GET": 404, "POST": 404} for thing in ("live", "open", "nowhere")}
NOT_THERE = {"GET": 404, "POST": 404}
ANY_METHOD = dict.fromkeys(METHODS, 302)

TABLE = {
    "healthz": {"": SEEN},
    "set_language": {"": ANY_METHOD},
    "set_theme": {"": {"POST": 302, "GET": 405}},
    "home": {"": SEEN},
    "calendar": {"": SEEN},
    "players": {"": SEEN},
    "player": {
        "of the club": SEEN,
        "of both clubs": SEEN,
        "with a user name": SEEN,
        "with a grant": SEEN,
        "of a draft": {"GET": (404, 404, 404, 404, 200, 404, 200)},
        "nobody": NOWHERE,
    },
    "clubs": {"": SEEN},
    "club": {"club": SEEN, "nowhere": NOWHERE},
    "rankings": {"": SEEN},
    "series": {"world": SEEN, "nowhere": NOWHERE},
    "club_series": {"club": SEEN, "nowhere": NOWHERE},
    "rules": {"": SEEN},
    "tournament": OPEN_OR_DRAFT,
    "stage": OPEN_OR_DRAFT,
    "heat": OPEN_OR_DRAFT,
    "repechage": OPEN_OR_DRAFT,
    "ranking": OPEN_OR_DRAFT,
    "agp": OPEN_OR_DRAFT,
    "tournament_rules": OPEN_OR_DRAFT,
    "rulings": OPEN_OR_DRAFT,
    "versions": OPEN_OR_DRAFT,
    "version": {"open": SEEN, "draft": NOWHERE, "nowhere": NOWHERE},
    "tournament_file": OPEN_OR_DRAFT,
    "prints": OPEN_OR_DRAFT,
    "hall": OPEN_OR_DRAFT,
    "print": OPEN_OR_DRAFT,
    "import_file": {"": {"GET": 200, "POST": 302}},
    # Whoever has the token may look; only the file of somebody who may import is kept to be imported.
    "import_preview": {
        "kept": {"GET": 200, "POST": (403, 403, 403, 403, 302, 403, 302)},
        "of a stranger": {"GET": 200, "POST": (403, 403, 403, 403, 404, 404, 404)},
        "nowhere": {"GET": 404, "POST": 404},
    },
    "edit_person": {**PEOPLE, "nobody": {"GET": 404, "POST": 404}},
    "merge_person": {
        **PEOPLE,
        "nobody": {"GET": 404, "POST": 404},
        "into one of both clubs": {**HIS_CLUB, "POST": ADMIN_ONLY["POST"]},
    },
    "erase_person": {**PEOPLE, "nobody": {"GET": 404, "POST": (403, 403, 403, 403, 403, 403, 404)}},
    "publish": {
        "open": {"GET": (403, 403, 403, 200, 200, 403, 200), "POST": (403, 403, 403, 302, 302, 403, 302)},
        "draft": {**DRAFT, "POST": (404, 404, 404, 302, 302, 404, 302)},
        "nowhere": {"GET": 404, "POST": 404},
    },
    "new_tournament": {"": {"GET": (403, 403, 403, 403, 200, 200, 200), "POST": HIS_CLUB["POST"]}},
    "tournament_settings": RUN_HERE,
    "entries": RUN_HERE,
    "entries_import": RUN_HERE,
    "check_in": RUN_HERE,
    # One player is too few to be drawn; where a draw is published its stage is open.
    "draw": {
        **RUN_HERE,
        "live": {**DRAFT, "POST": (404, 404, 404, 422, 422, 404, 422)},
        "drawn": {"GET": 200, "POST": (403, 403, 403, 422, 422, 403, 422)},
    },
    "seat_draw": {
        **NOT_DRAWN,
        "drawn": {"GET": 200, "POST": (403, 403, 403, 302, 302, 403, 302)},
    },
    # No stage of the one is played; in the other nothing has begun, and nothing is closed that could be corrected.
    "day": {
        **RUN_HERE,
        "live": {**DRAFT, "POST": 404},
        "drawn": {"GET": (403, 403, 403, 200, 200, 403, 200), "POST": (403, 403, 403, 302, 302, 403, 302)},
    },
    "qualified": {
        **RUN_HERE,
        "live": {**DRAFT, "POST": (404, 404, 404, 422, 422, 404, 422)},
        "drawn": {"GET": (403, 403, 403, 200, 200, 403, 200), "POST": (403, 403, 403, 422, 422, 403, 422)},
    },
    "manage_heat": {
        **NOT_DRAWN,
        "drawn": {"GET": (403, 403, 403, 200, 200, 403, 200), "POST": (403, 403, 403, 302, 302, 403, 302)},
    },
    "correct_heat": {
        **NOT_DRAWN,
        "drawn": dict.fromkeys(("GET", "POST"), (403, 403, 403, 404, 404, 403, 404)),
    },
    # Doors: anybody may stand before them. What opens them, and whose they are, is in tests/players.
    "sign_in": {"": {"GET": 200, "POST": 422}},
    "join": {"": {"GET": 200, "POST": 422}},
    "take_seat": {"": {"GET": 200, "POST": 422}},
    "account": {"": {"GET": (302, *(200,) * 6), "POST": (302, *(422,) * 6)}},
    "scope_staff": {
        "house": {"GET": ADMIN_ONLY["GET"], "POST": ADMIN_ONLY["GET"]},
        "scope of the club": {"GET": HIS_CLUB["GET"], "POST": HIS_CLUB["GET"]},
        "scope of the draft": dict.fromkeys(("GET", "POST"), (403, 403, 403, 200, 200, 403, 200)),
        "nobody": {"GET": 404, "POST": 404},
    },
    "seat_passes": {
        "match": {"GET": HIS_CLUB["GET"], "POST": HIS_CLUB["GET"]},
        "nobody": {"GET": 404, "POST": 404},
    },
    # Matches and their hands. What players may is in tests/gameplay.
    "matches": {"": SEEN},
    "new_match": {"": {"GET": (403, 403, 403, 403, 200, 200, 200), "POST": HIS_CLUB["POST"]}},
    "match": {"match": SEEN, "nobody": NOWHERE},
    "record_hand": {"match": HIS_CLUB, "nobody": {"GET": 404, "POST": 404}},
    # A claim is open there: whoever may correct is told to wait.
    "correct_hand": {"judged": {"GET": HIS_CLUB["GET"], "POST": WAITS}, "nobody": {"GET": 404, "POST": 404}},
    "record_grid": {"match": HIS_CLUB, "nobody": {"GET": 404, "POST": 404}},
    "deal_hand": {"match": {"POST": HIS_CLUB["POST"]}, "nobody": {"POST": 404}},
    "answer_proposal": {"match": {"POST": (403, 403, 403, 403, 404, 403, 404)}, "nobody": {"POST": 404}},
    # Nothing is on the sheet yet, and nothing can be signed.
    "sign_match": {"match": {"GET": HIS_CLUB["GET"], "POST": WAITS}, "nobody": {"GET": 404, "POST": 404}},
    # Penalties, rulings, calls: the table is a friendly one of the club. What players, judges and guarantors may is in
    # tests/gameplay.
    "penalty": {"judged": HIS_CLUB, "nobody": {"GET": 404, "POST": 404}},
    "claim": {"judged": {"GET": 200, "POST": HIS_CLUB["POST"]}, "nobody": {"GET": 404, "POST": 404}},
    "ruling": {"ruling": {"GET": 200, "POST": HIS_CLUB["POST"]}, "no ruling": {"GET": 404, "POST": 404}},
    "reopen_match": {"closed": HIS_CLUB, "nobody": {"GET": 404, "POST": 404}},
    "call_referee": {"judged": {"POST": 403}, "nobody": {"POST": 404}},
    "answer_call": {"judged": {"POST": HIS_CLUB["POST"]}, "nobody": {"POST": 404}},
    "calls": {"": {"GET": (403, 403, *(200,) * 5, 200)}},
    # Who keeps a clock anywhere; what he finds there is in tests/gameplay.
    "recovery": {"": {"GET": (403, 403, *(200,) * 5, 200), "POST": (403, 403, *(302,) * 5, 302)}},
    # A match with a clock that was not started.
    "match_clock": {"ready": HIS_CLUB, "nobody": {"GET": 404, "POST": 404}},
    "reveal_time": {"ready": {"POST": WAITS}, "nobody": {"POST": 404}},
    "award_auction": {"ready": {"POST": WAITS}, "nobody": {"POST": 404}},
    "match_bell": {"ready": {"GET": 200, "POST": WAITS}, "nobody": {"GET": 404, "POST": 404}},
    "table": {"match": SEEN, "nobody": NOWHERE},
    "bell_device": {"": {"GET": (403, 403, *(200,) * 5, 200)}},
    "bell_armed": {"": {"POST": (403, 403, *(200,) * 5, 200)}},
    "appeals": {"": {"GET": 403}},
    "appeal": {"appeal": {"GET": 403, "POST": 403}, "nobody": {"GET": 403, "POST": 403}},
    "cases": {"": SEEN},
    # These are for browsers on this machine, and for people of the demonstration: see tests/players.
    "demo": {"": {"GET": 200, "POST": 302}},
    "sign_out": {"": {"POST": 302, "GET": 405}},
    # There is no live tournament of the demonstration in this house.
    "demo_again": {"": {"POST": 404, "GET": 405}},
}
