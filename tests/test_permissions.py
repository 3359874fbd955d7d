"""Who may ask for what: every address of the house, by method and by role, in one table.

Each line is asked for with the things of one club and then with those of the other, where the roles of the two clubs
change places; every request in a transaction that is taken back.
"""

import json
from copy import deepcopy
from dataclasses import dataclass, field
from uuid import UUID, uuid4

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import transaction
from django.test import Client
from django.urls import URLResolver, get_resolver, reverse

from core.valkey import client as valkey
from gameplay.services import calls, claims, matches, recording, rulings
from gameplay.services.matches import open_match
from players.actor import SYSTEM, actor_for
from players.models import User
from players.rules.rights import ADMIN, CLUB_ORGANISER, ORGANISER, REFEREE
from players.services import create_club, create_people, grant_role, house_scope
from scoring.models import Seat
from scoring.rules.hands import HandOutcome
from scoring.rules.scoresheet import Played
from tests.tournaments.files import by_place, stage, tournament_file
from tests.tournaments.rows import imported
from tests.tournaments.uploading import HOME, read
from tournaments.models import Entrant, Tournament
from tournaments.services import drawing, entering

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
NO_TABLE = {"live": NOT_THERE, "open": NOT_THERE, "nowhere": NOT_THERE}
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
NO_CLUBS = ("", "world", "nowhere", "nobody", "house", "no ruling")  # things that are the same in both
FEW = ("anonymous", "club organiser", "administrator")
NO_CLUB_ROLES = ("anonymous", "person", "administrator")
FURTHER = {
    "stage": [1],
    "heat": [1, 1],
    "repechage": [1],
    "version": [1],
    "print": ["ranking", "csv"],
    "club_series": ["coppa"],
    "claim": [1],
    "answer_call": [1],
    "seat_draw": [1, 1],
    "manage_heat": [1, 1],
    "correct_heat": [1, 1],
    "correct_hand": [1],
}
HAND = {"caller": "0", "called": "1", "bid": "75", "made": "80"}


@dataclass
class ClubHouse:
    """A club with what is in it: by what the table calls it, the arguments of an address; and browsers by role."""

    slug: str
    things: dict[str, list] = field(default_factory=dict)
    browsers: dict[str, Client] = field(default_factory=dict)


def file(name, **told):
    first = stage(by_place("A", "abcde"), by_place("B", "vwxyz", step=60))
    return tournament_file(first, stage(by_place("F", "avbwc"), kind="final"), name=name, **told)


def signed_in(name, *grants):
    person = User.objects.create_user(f"u{uuid4().hex[:8]}", name)
    for scope, role in grants:
        grant_role(SYSTEM, person=person.pk, scope=scope, role=role)
    browser = Client(**HOME)
    browser.force_login(person)
    return browser


def match_at_a_table(club, minutes=None):
    """A friendly match of a club."""
    people = [row.pk for row in create_people(("Primo", "Secondo", "Terzo", "Quarto", "Quinto"))]
    told = {"table_name": "Centrale", "people": people, "minutes": minutes}
    return open_match(SYSTEM, scope=club.scope_id, **told, key=uuid4().hex)["match"]


def judged_at_a_table(club):
    """By name: a match with a claim, a call, a ruling and an appeal, and one that is over."""
    match, closed = (UUID(match_at_a_table(club)) for _ in range(2))
    hand = Played(HandOutcome(0, 1, 90, 50))
    for at in (match, closed):
        recording.record_hand(SYSTEM, at, hand=1, content=hand, key=uuid4().hex)
    matches.sign(SYSTEM, closed, entries=1, key=uuid4().hex)
    told = {"article": "D8", "question": "", "reason": "replayed"}
    first, second = (rulings.rule(SYSTEM, match, **told, key=uuid4().hex)["ruling"] for _ in range(2))
    appeal = rulings.appeal(SYSTEM, match, ruling=second, reason="no", key=uuid4().hex)["appeal"]
    claims.claim(SYSTEM, match, line=1, kind="suicidal_call", reason="he laughed", key=uuid4().hex)
    player = Seat.objects.get(sheet=match, number=0).person_id
    calls.call_referee(actor_for(player), match, words="", key=uuid4().hex)
    return {"judged": [match], "closed": [closed], "ruling": [match, first], "appeal": [appeal]}


def live_tournament(club):
    """A tournament of a club that is run here, before its draw: one player is entered."""
    told = {"name": f"{club} live", "series": "coppa", "edition": None, "date": None, "venue": "", "rules": {}}
    made = entering.create_tournament(SYSTEM, club=club, **told, key=uuid4().hex)
    row = Tournament.objects.get(slug=made["slug"])
    entering.enter_player(SYSTEM, row.pk, person="Zoe", club="", key=uuid4().hex)
    return row


def drawn_tournament(club):
    """Another one, of five players, whose draw is published."""
    told = {"name": f"{club} drawn", "series": "coppa", "edition": None, "date": None, "venue": "", "rules": {}}
    made = entering.create_tournament(SYSTEM, club=club, **told, key=uuid4().hex)
    row = Tournament.objects.get(slug=made["slug"])
    for name in ("Ada", "Bea", "Cem", "Dora", "Ezio"):
        entering.enter_player(SYSTEM, row.pk, person=name, club="", key=uuid4().hex)
    drawing.draft_draw(SYSTEM, row.pk, key=uuid4().hex)
    drawing.publish_draw(SYSTEM, row.pk, key=uuid4().hex)
    return row


def furnished(slug, both):
    """A club with two tournaments of its own; `both` (if there is somebody) plays in the first."""
    club = create_club(SYSTEM, slug=slug, name=slug.title())
    here = ClubHouse(slug)
    published = imported(file(f"{slug} open", series="coppa"), club=slug, people={"b": both} if both else {})
    draft = imported(file(f"{slug} draft", series="coppa", edition=27), club=slug, publish=False)
    live, drawn = live_tournament(slug), drawn_tournament(slug)
    people = dict(Entrant.objects.filter(tournament=published).values_list("code", "person"))
    User.objects.filter(pk=people["c"]).update(username=f"carla-{slug}")
    grant_role(SYSTEM, person=people["d"], scope=published.scope_id, role=REFEREE)
    here.things = {
        "": [],
        "club": [slug],
        "open": [published.slug],
        "draft": [draft.slug],
        "live": [live.slug],
        "drawn": [drawn.slug],
        "world": ["world"],
        "nowhere": ["nowhere"],
        "of the club": [people["a"]],
        "of both clubs": [people["b"]],
        "with a user name": [people["c"]],
        "with a grant": [people["d"]],
        "of a draft": [Entrant.objects.get(tournament=draft, code="a").person_id],
        "into": [Entrant.objects.get(tournament=draft, code="e").person_id],
        "into one of both clubs": [Entrant.objects.get(tournament=draft, code="x").person_id],
        "nobody": [uuid4()],
        "house": [house_scope().pk],
        "scope of the club": [club.scope_id],
        "scope of the draft": [draft.scope_id],
        "match": [match_at_a_table(club)],
        "ready": [match_at_a_table(club, minutes=60)],
        "no ruling": [uuid4(), uuid4()],
        **judged_at_a_table(club),
    }
    scopes = (published.scope_id, draft.scope_id, live.scope_id, drawn.scope_id)
    here.browsers = {
        "anonymous": Client(**HOME),
        "person": signed_in("person"),
        "referee": signed_in("referee", *((scope, REFEREE) for scope in scopes)),
        "organiser": signed_in("organiser", *((scope, ORGANISER) for scope in scopes)),
        "club organiser": signed_in("club organiser", (club.scope_id, CLUB_ORGANISER)),
        "administrator": signed_in("administrator", (house_scope().pk, ADMIN)),
    }
    return here


@pytest.fixture
def clubs(db):
    """Two clubs; each has the other's organisers as strangers."""
    valkey().flushdb()
    with transaction.atomic():
        imported(file("World", series="world"))
        first = furnished("ancora", None)
        second = furnished("bussola", first.things["of both clubs"][0])
    for here, there in ((first, second), (second, first)):
        here.browsers["of another club"] = there.browsers["club organiser"]
        here.browsers[STRANGER] = there.browsers["organiser"]
        for thing, browser in (("kept", "club organiser"), ("of a stranger", "anonymous")):
            here.things[thing] = [read(here.browsers[browser], file(f"{here.slug} {thing}")).split("/")[-2]]
    return first, second


def body_of(name, thing, here, demo):
    """A form that is right, so that only rights decide."""
    person = User.objects.filter(pk=here.things[thing][0]).first() if name == "edit_person" else None
    into = {"into one of both clubs": "of both clubs", "of a draft": "of the club"}.get(thing, "into")
    return {
        "import_file": {"file": SimpleUploadedFile("f.json", json.dumps(file("Sent")).encode())},
        "import_preview": {"key": "k", "club": here.slug, "shown": here.slug},
        "edit_person": {"name": "Adele", "key": "k", "version": person.version if person else 1},
        "merge_person": {"into": str(here.things[into][0]), "key": "k"},
        "erase_person": {"word": "erase", "key": "k"},
        "publish": {"key": "k"},
        "new_tournament": {"place": here.slug, "name": "N", "series": "s", "key": "k"},
        "tournament_settings": {"name": "N", "series": "s", "key": "k"},
        "entries": {"do": "enter", "q": "Zoe", "who": "new", "key": "k"},
        "entries_import": {"file": SimpleUploadedFile("l.csv", b"Zoe\n")},
        "check_in": {"code": "P01", "here": "1", "key": "k"},
        "draw": {"do": "draft", "key": "k"},
        "seat_draw": {"do": "system", "key": "k"},
        "day": {"do": "start", "table": "1-1", "key": "k"},
        "qualified": {"do": "open_finals", "final": "F", "second_final": "S", "key": "k"},
        "manage_heat": {"do": "referee", "person": "", "key": "k"},
        "demo": {"person": str(demo)},
        "scope_staff": {"do": "new", "name": "Rita", "role": REFEREE},
        "seat_passes": {"seat": "0"},
        "new_match": {
            **{f"name-{seat}": name for seat, name in enumerate("ABCDE")},
            "scope": str(here.things["scope of the club"][0]),
            "table_name": "T",
            "action": "open",
            "key": "k",
        },
        "record_hand": {**HAND, "hand": "1", "key": "k"},
        "correct_hand": {**HAND, "entry": "0", "action": "correct", "reason": "misread", "key": "k"},
        "record_grid": {
            **{f"{column}-0": value for column, value in HAND.items()},
            "caller-0": "3",
            "first": "1",
            "key": "k",
        },
        "deal_hand": {"hand": "1", "key": "k"},
        "answer_proposal": {"proposal": "1", "action": "accept", "key": "k"},
        "sign_match": {"entries": "0", "key": "k"},
        "penalty": {"kind": "decision", "article": "D8", "reason": "replayed", "key": "k"},
        "claim": {"do": "withdraw", "reason": "a joke", "key": "k"},
        "ruling": {"do": "appeal", "reason": "no", "key": "k"},
        "reopen_match": {"reason": "a hand is missing", "key": "k"},
        "call_referee": {"words": "", "key": "k"},
        "answer_call": {"key": "k"},
        "match_clock": {"do": "start", "key": "k"},
        "reveal_time": {"key": "k"},
        "award_auction": {"hand": "1", "at_120": "0", "key": "k"},
        "match_bell": {"how": "awarded", "key": "k"},
        "bell_armed": {"device": "device-one", "armed": "1"},
    }.get(name, {})


def asked(own, browser, method, address, body):
    """The status that `own` gets with the cookies of `browser`; nothing of what it did stays."""
    own.cookies = deepcopy(browser.cookies)
    with transaction.atomic():
        status = getattr(own, method.lower())(address, *([body] if method == "POST" else [])).status_code
        transaction.set_rollback(True)
    return status


def questions(thing, line, *, once):
    """Method and role. In the second club (not `once`) only what has to do with a club, asked by who has one.

    HEAD, methods that no address has, and what is not there, few ask for: views have one way for that.
    """
    for method in METHODS:
        many = (method in line or method == "POST") and thing not in ("nowhere", "nobody", "no ruling")
        again = method in line and thing not in NO_CLUBS
        for role in (*ROLES, STRANGER):
            if (many or role in FEW) if once else (again and role not in NO_CLUB_ROLES):
                yield method, role


def expected(line, method, role):
    told = line.get("GET" if method == "HEAD" else method, 405)
    if isinstance(told, int):
        return told
    if len(told) > len(ROLES):  # a line that has its own answer for the stranger
        return told[(*ROLES, STRANGER).index(role)]
    return told[ROLES.index("person" if role == STRANGER else role)]


def test_every_address_answers_each_role_as_the_table_says(clubs):
    demo = User.objects.create_user("demo", "Demo")
    User.objects.filter(pk=demo.pk).update(is_demo=True)
    own = Client(raise_request_exception=False, **HOME)  # one for all: a new one reads all static files
    wrong = []
    for here in clubs:
        for name, lines in TABLE.items():
            for thing, line in lines.items():
                address = reverse(name, args=[*here.things[thing], *FURTHER.get(name, ())])
                for method, role in questions(thing, line, once=here is clubs[0]):
                    got = asked(own, here.browsers[role], method, address, body_of(name, thing, here, demo.pk))
                    want = expected(line, method, role)
                    if got != want:
                        wrong.append(f"{here.slug}: {name} {thing!r} {method} {role}: {got}, not {want}")
    assert not wrong, "\n".join(wrong)


def test_every_address_is_in_the_table():
    """And none without a name."""

    def names(resolver):
        for entry in resolver.url_patterns:
            yield from names(entry) if isinstance(entry, URLResolver) else [entry.name]

    assert set(names(get_resolver())) - DEBUG_ONLY == set(TABLE)
