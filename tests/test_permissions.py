"""Who may ask for what: every address of the house, by method and by role, in one table.

Each line is asked for with the things of one club and then with those of the other, where the roles of the two clubs
change places; every request in a transaction that is taken back.
"""

import json
from copy import deepcopy
from dataclasses import dataclass, field
from uuid import uuid4

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import transaction
from django.test import Client
from django.urls import URLResolver, get_resolver, reverse

from core.valkey import client as valkey
from players.actor import SYSTEM
from players.models import User
from players.rules.rights import ADMIN, CLUB_ORGANISER, ORGANISER, REFEREE
from players.services import create_club, grant_role, house_scope
from tests.tournaments.files import by_place, stage, tournament_file
from tests.tournaments.rows import imported
from tests.tournaments.uploading import HOME, read
from tournaments.models import Entrant

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
    # These are for browsers on this machine, and for people of the demonstration: see tests/players.
    "demo": {"": {"GET": 200, "POST": 302}},
    "sign_out": {"": {"POST": 302, "GET": 405}},
}
NO_CLUBS = ("", "world", "nowhere", "nobody")  # things that are the same in both
FEW = ("anonymous", "club organiser", "administrator")
NO_CLUB_ROLES = ("anonymous", "person", "administrator")
FURTHER = {
    "stage": [1],
    "heat": [1, 1],
    "repechage": [1],
    "version": [1],
    "print": ["ranking", "csv"],
    "club_series": ["coppa"],
}


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


def furnished(slug, both):
    """A club with two tournaments of its own; `both` (if there is somebody) plays in the first."""
    club = create_club(SYSTEM, slug=slug, name=slug.title())
    here = ClubHouse(slug)
    published = imported(file(f"{slug} open", series="coppa"), club=slug, people={"b": both} if both else {})
    draft = imported(file(f"{slug} draft", series="coppa", edition=27), club=slug, publish=False)
    people = dict(Entrant.objects.filter(tournament=published).values_list("code", "person"))
    User.objects.filter(pk=people["c"]).update(username=f"carla-{slug}")
    grant_role(SYSTEM, person=people["d"], scope=published.scope_id, role=REFEREE)
    here.things = {
        "": [],
        "club": [slug],
        "open": [published.slug],
        "draft": [draft.slug],
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
    }
    scopes = (published.scope_id, draft.scope_id)
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
        "demo": {"person": str(demo)},
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

    HEAD, and what is not there, few ask for: views have one way for that.
    """
    for method in METHODS:
        many = method != "HEAD" and thing not in ("nowhere", "nobody")
        again = method in line and thing not in NO_CLUBS
        for role in (*ROLES, STRANGER):
            if (many or role in FEW) if once else (again and role not in NO_CLUB_ROLES):
                yield method, role


def expected(line, method, role):
    told = line.get("GET" if method == "HEAD" else method, 405)
    return told if isinstance(told, int) else told[ROLES.index("person" if role == STRANGER else role)]


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
