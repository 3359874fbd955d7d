"""Badges, place cards and empty scoresheets, read back as PDF. The heavy worker's task is called as it calls it."""

import io
import re

import pytest
from pypdf import PdfReader

from core import valkey
from tests.gameplay.browsing import browser
from tests.tournaments.day_rows import Day
from tests.tournaments.days import live
from tests.tournaments.printed import address, ordered, without_times, work
from tournaments.models import Entrant, Tournament
from tournaments.queries.tournament import tournament_for_page
from tournaments.services import drawing, entering
from tournaments.web import files_views, prints_day
from tournaments.web.printing import Blank, Card, Cards, Document, Part, pdf_of

pytestmark = pytest.mark.django_db
HOUSE = {"headers": {"host": "localhost:8123"}}


@pytest.fixture(autouse=True)
def _nobody_waits(monkeypatch):
    valkey.client().flushdb()
    monkeypatch.setattr(files_views, "PATIENCE", 0)


@pytest.fixture
def day():
    """Eleven entered; two tables are published, the seats of the first are drawn."""
    found = Day(11, phase="announced")
    found.do(drawing.draw_seats, stage=1, heat=1, cards=None)
    return found


def printed(day, word):
    """The pages of a print, as its organiser gets it."""
    client = browser(day.organiser)
    path = address(day.row, f"print/{word}.pdf")
    assert client.get(path, **HOUSE).status_code == 202
    work()
    answer = client.get(path, **HOUSE)
    assert answer.status_code == 200
    assert without_times(answer)
    reader = PdfReader(io.BytesIO(b"".join(answer)))
    assert not {"/CreationDate", "/ModDate"} & set(reader.metadata)
    assert not re.search(r"\d{1,2}:\d\d", "".join(page.extract_text() for page in reader.pages))
    return reader


def view_of(day):
    return tournament_for_page(day.organiser, day.slug)


def texts(reader):
    return [" ".join(page.extract_text().split()) for page in reader.pages]


def seated_names(heat):
    names = dict(Entrant.objects.values_list("person", "name"))
    return [names[person] for person in heat.sheet.seats.order_by("number").values_list("person", flat=True)]


def test_place_cards_name_table_and_seat_four_to_a_page(day):
    pages = texts(printed(day, "places-1"))
    assert len(pages) == 3
    first, second = day.heats()
    for at, name in enumerate(seated_names(first)):
        assert f"{name} Centrale Seat {at + 1} Coppa del Molo" in pages[at // 4]
    # The seats of the second are not drawn yet: no number is made up.
    for at, name in enumerate(seated_names(second), start=5):
        assert f"{name} Centralino Coppa del Molo" in pages[at // 4]


def test_an_empty_scoresheet_has_names_turns_and_lines_to_sign(day):
    reader = printed(day, "blank-1")
    pages = texts(reader)
    assert len(pages) == 2
    first, second = day.heats()
    for at, name in enumerate(seated_names(first), start=1):
        assert f"{at}. {name}" in pages[0]
        assert pages[0].count(name) == 2  # at the head of a column, and where he signs
    assert "Qualifying heats · Centrale" in pages[0]
    assert "whose turn it is to deal" in pages[0]
    assert "the referee" in pages[0]
    assert all(str(number) in pages[0] for number in range(1, prints_day.HANDS + 1))
    assert "The seats are not drawn yet" in pages[1]
    assert len(texts(printed(day, "blank-1-2"))) == 1
    assert all(name in pages[1] for name in seated_names(second))


def test_a_badge_opens_the_check_in_of_its_house(day):
    code = Entrant.objects.filter(tournament=day.id).order_by("entry").values_list("code", flat=True)[0]
    reader = printed(day, "badges")
    pages = texts(reader)
    assert len(pages) == 2
    assert "Player 00" in pages[0]
    assert code in pages[0]
    (cards,) = prints_day.blocks_of(view_of(day), "badges", 0, 0, "http://localhost:8123")
    address_of = f"http://localhost:8123/tournaments/{day.slug}/check-in/?badge={code}"
    assert cards.cards[0].qr == prints_day._square(address_of)
    assert len({card.qr for card in cards.cards}) == 11


def test_an_order_names_the_house_under_which_it_was_asked_for(day):
    client = browser(day.organiser)
    path = address(day.row, "print/badges.pdf")
    for host in ("localhost:8123", "127.0.0.1:8123"):
        assert client.get(path, headers={"host": host}).status_code == 202
    assert [args[5:] for args in ordered()] == [["http://localhost:8123"], ["http://127.0.0.1:8123"]]


def test_who_comes_later_has_a_badge_on_the_next_print(day):
    assert "Zita" not in " ".join(texts(printed(day, "badges")))
    Tournament.objects.filter(pk=day.id).update(codes_given=day.players)
    day.do(entering.enter_player, person="Zita", club="Circolo del Porto")
    # What was kept is of another state.
    assert browser(day.organiser).get(address(day.row, "print/badges.pdf"), **HOUSE).status_code == 202
    (cards,) = prints_day.blocks_of(view_of(day), "badges", 0, 0, "http://localhost:8123")
    assert (cards.cards[-1].name, cards.cards[-1].lines[0]) == ("Zita", "Circolo del Porto")


@pytest.mark.parametrize("word", ["badges", "places-1", "blank-1", "blank-1-1"])
def test_only_staff_print_them_and_only_on_paper(day, word):
    path = address(day.row, f"print/{word}.pdf")
    assert browser().get(path).status_code == 404
    player = Entrant.objects.filter(tournament=day.id).first().person
    assert browser(player).get(path).status_code == 404
    assert browser(day.organiser).get(path.replace(".pdf", ".csv")).status_code == 404
    assert browser(day.organiser).get(path).status_code == 202


def test_what_is_not_there_is_not_printed(day):
    client = browser(day.organiser)
    for word in ("places-2", "blank-1-3", "blank-2", "places", "places-1-1", "badges-1"):
        assert client.get(address(day.row, f"print/{word}.pdf")).status_code == 404, word


def test_a_tournament_out_of_a_file_has_no_day(client):
    row = live()
    row.live = False
    row.published = 1
    row.save()
    assert client.get(address(row, "print/badges.pdf")).status_code == 404


def test_long_names_stay_on_their_cards_and_sheets():
    endless = "Wolfeschlegelsteinhausenbergerdorff-Kraków Maria Immacolata della Santissima Trinità"
    long = "Elif Özgür-Montefiori di Castelfranco Veneto"
    card = Card(endless, ("Centrale", "Seat 3"), "Coppa del Molo", prints_day._square("http://x/"), "code")
    blocks = (
        Cards("place", (card,) * 4),
        Part("Badges"),
        Cards("badge", (card,) * 8),
        Part("Centrale"),
        Blank((long,) * 5, drawn=True, hands=prints_day.HANDS, note="The mark", signatures=(endless,) * 6),
    )
    made = pdf_of(Document("Cards", "", "Coppa del Molo", "en", blocks))
    pages = texts(PdfReader(io.BytesIO(made)))
    assert len(pages) == 3
    assert pages[2].count("Elif") == 5
