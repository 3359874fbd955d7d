"""Files sent to the pages of import, and read as the heavy worker reads them."""

import json
import re

from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection, transaction
from django.test import Client
from django.urls import reverse

from players.actor import SYSTEM
from players.models import User
from players.rules.rights import CLUB_ORGANISER
from players.services import create_club, grant_role
from tests.tournaments.files import by_place, stage, tournament_file
from tournaments import tasks

NAMES = {"a": "Ada", "b": "Bea", "c": "Cem", "d": "Dora", "e": "Ezio"}
HOME = {"HTTP_HOST": "localhost", "HTTP_ACCEPT_LANGUAGE": "en"}


def small_file(name="Coppa", **told):
    file = tournament_file(stage(by_place("A", "abcde")), name=name, series="coppa", **told)
    for player in file["players"]:
        player["name"] = NAMES[player["id"]]
    return file


def staff(role=CLUB_ORGANISER, slug="circolo", name="Oreste"):
    """A browser in which an organiser of a (new) club is signed in, and he."""
    with transaction.atomic():
        scope = create_club(SYSTEM, slug=slug, name=slug.title()).scope_id
        person = User.objects.create_user(name.lower(), name)
        grant_role(SYSTEM, person=person.pk, scope=scope, role=role)
    browser = Client(**HOME)
    browser.force_login(person)
    return browser, person


def upload(browser, file, name="file.json"):
    """Posts a file (a value or bytes); the answer."""
    data = file if isinstance(file, bytes) else json.dumps(file).encode()
    return browser.post(reverse("import_file"), {"file": SimpleUploadedFile(name, data)})


def read(browser, file):
    """Uploads a file and has it read; the address of its preview."""
    answer = upload(browser, file)
    assert answer.status_code == 302, answer.content.decode()
    tasks.preview_tournament(answer.url.split("/")[-2])
    return answer.url


def form_of(page):
    """What the form of the preview would send if nobody touched it."""
    html = page.content.decode()
    fields = dict(re.findall(r'<input type="hidden" name="(key|shown)" value="([^"]*)"', html))
    fields |= {"club": re.search(r'<option value="([^"]*)" selected', html)[1]}
    return fields | dict(re.findall(r'<input type="radio" name="([^"]+)" value="([^"]+)" checked', html))


def everything():
    """Rows of every table that pages could write to."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT c.oid::regclass::text FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace"
            " WHERE c.relkind = 'r' AND n.nspname = 'public'"
        )
        tables = [name for (name,) in cursor.fetchall()]
        rows = {}
        for name in tables:
            cursor.execute(f"SELECT count(*) FROM {name}")
            rows[name] = cursor.fetchone()[0]
        return rows
