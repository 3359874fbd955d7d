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
from tests.permissions import DEBUG_ONLY, METHODS, ROLES, STRANGER, TABLE
from tests.tournaments.files import by_place, stage, tournament_file
from tests.tournaments.rows import imported
from tests.tournaments.uploading import HOME, read
from tournaments.models import Entrant, Tournament
from tournaments.services import drawing, entering

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
