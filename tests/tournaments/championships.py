"""Small championships in the database, and what may become of them."""

from uuid import uuid4

from django.urls import reverse

from players.actor import SYSTEM
from tests.tournaments.files import by_place, stage, tournament_file
from tests.tournaments.rows import imported
from tournaments.models import Entrant
from tournaments.services.people import correct_person
from tournaments.services.publishing import lock_tournament, publish_version, settle

FIVE = ("p1", "p2", "p3", "p4", "p5")


def championship(edition, order=FIVE, **tournament):
    """The file of a championship of five, who end their heat and their final in this order."""
    told = {"name": f"Championship {edition}", "date": f"{1980 + edition}-10-12"} | tournament
    return tournament_file(
        stage(by_place("Centrale", order)), stage(by_place("Finale", order), kind="final"), edition=edition, **told
    )


def in_turn(*orders, first=41, **options):
    """Championships one after the other, in which the same code is the same person."""
    people, rows = {}, []
    for number, order in enumerate(orders, start=first):
        known = {code: person for code, person in people.items() if code in order}
        rows.append(imported(championship(number, order), people=known, **options))
        people |= dict(Entrant.objects.filter(tournament=rows[-1]).values_list("code", "person"))
    return rows


def person(tournament, code):
    return Entrant.objects.get(tournament=tournament, code=code).person


def page_of(row):
    return reverse("player", args=[row.pk])


def rename(row, name, *, hidden=False):
    row.refresh_from_db()
    correct_person(SYSTEM, row.pk, name=name, hidden=hidden, version=row.version, key=str(uuid4()))


def publish(tournament):
    row = lock_tournament(tournament.pk)
    publish_version(SYSTEM, row, settle(row))
