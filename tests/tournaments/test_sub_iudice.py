"""A tournament of which a ruling is before the council says so wherever it is shown (S19); and who ruled."""

from datetime import timedelta

import pytest
from django.urls import reverse

from core.clock import database_now
from players.actor import SYSTEM
from scoring.models import Appeal, Entry, Ruling
from tests.tournaments.files import by_place, hands_heat, stage, tournament_file
from tests.tournaments.reading import PARTS
from tests.tournaments.rows import imported
from tournaments.queries.tournament import tournament_for_page
from tournaments.web.printing import Lines
from tournaments.web.prints import document_of, prints_of

pytestmark = pytest.mark.django_db
HAND = {"caller": "a", "called": "b", "bid": 80, "made": 70}


@pytest.fixture
def row():
    """A tournament with a suicidal call that the table judged."""
    penalty = HAND | {"ruling": {"kind": "suicidal_call"}}
    return imported(tournament_file(stage(hands_heat("A", "abcde", [HAND, penalty])), name="Coppa"))


def ruled(row, decided_by="table"):
    entry = Entry.objects.get(sheet__heat__stage__tournament=row, line=1)
    return Ruling.objects.create(
        scope=row.scope,
        number=1,
        sheet=entry.sheet,
        kind="suicidal_call",
        decided_by=decided_by,
        article="S17",
        reason="he laughed",
        entry=entry,
    )


def appealed(ruling, days=7):
    return Appeal.objects.create(ruling=ruling, reason="no", deadline=database_now() + timedelta(days=days))


def pages(client, row):
    addresses = [reverse(part, args=[row.slug]) for part in PARTS]
    addresses += [reverse("heat", args=[row.slug, 1, 1]), reverse("stage", args=[row.slug, 1])]
    return [client.get(address).content.decode() for address in addresses]


WORDS = "A ruling of this tournament is before the Council of Guarantors"


def test_every_page_of_it_says_so_until_the_council_decided(client, row):
    client.cookies["language"] = "en"
    assert not any(WORDS in page for page in pages(client, row))
    appeal = appealed(ruled(row, "referee"))
    assert all(WORDS in page and "sub iudice" in page for page in pages(client, row))
    Appeal.objects.filter(pk=appeal.pk).update(state="rejected")
    assert not any(WORDS in page for page in pages(client, row))


def test_an_appeal_that_lapsed_is_over(client, row):
    client.cookies["language"] = "en"
    appealed(ruled(row, "referee"), days=-1)
    assert not any(WORDS in page for page in pages(client, row))


def test_another_tournament_says_nothing(client, row):
    client.cookies["language"] = "en"
    appealed(ruled(row, "referee"))
    other = imported(tournament_file(stage(by_place("A", "abcde")), name="Altra"))
    assert not any(WORDS in page for page in pages(client, other))


def sentences(row):
    """Every sentence of every print, by its word."""
    view = tournament_for_page(SYSTEM, row.slug)
    documents = {asked.word: document_of(view, asked, "en") for asked in prints_of(view)}
    return {
        word: [text for block in document.blocks if isinstance(block, Lines) for text, _ in block.sentences]
        for word, document in documents.items()
    }


def test_its_prints_say_so_too_and_an_older_one_is_not_shown(client, row):
    address = reverse("print", args=[row.slug, "heat-1-1", "csv"])
    before = client.get(address)
    assert not any(text.startswith("Sub iudice") for told in sentences(row).values() for text in told)
    appealed(ruled(row, "referee"))
    assert len(sentences(row)) > 2
    assert all(any(text.startswith("Sub iudice") for text in told) for told in sentences(row).values())
    assert client.get(address, headers={"if-none-match": before["ETag"]}).status_code == 200


def test_the_list_of_rulings_says_who_decided_where_the_book_knows(client, row):
    client.cookies["language"] = "en"
    address = reverse("rulings", args=[row.slug])
    assert "decided by" not in client.get(address).content.decode()
    ruled(row)
    row.version += 1  # who rules on a sheet makes another state of its tournament
    row.save(update_fields=["version"])
    assert "decided by the table, by vote" in client.get(address).content.decode()
