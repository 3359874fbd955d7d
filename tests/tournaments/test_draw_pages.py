"""The pages of the draw and of the seats, as organisers, players and strangers get them."""

import re
from html import unescape

import pytest
from django.urls import reverse

from gameplay.services import clock
from tests.gameplay.browsing import browser
from tests.gameplay.rows import key
from tests.tournaments.day_rows import Day
from tournaments.models import Entrant, Heat, Stage
from tournaments.services import drawing, entering, running

pytestmark = pytest.mark.django_db


def at(day, *heat):
    return reverse("seat_draw", args=[day.slug, *heat]) if heat else reverse("draw", args=[day.slug])


def words(answer):
    """What stands on a page."""
    main = re.search(r"<main.*</main>", answer.content.decode(), re.DOTALL)[0]
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", main)).split())


def look(who, path):
    answer = browser(who).get(path)
    assert answer.status_code == 200
    return words(answer)


def send(who, path, **told):
    return browser(who).post(path, {"key": key(), **told}, follow=True)


def plan_of(day):
    return Stage.objects.get(tournament=day.id, number=1).plan


def name_of(day, code):
    return Entrant.objects.get(tournament=day.id, code=code).name


def test_nobody_else_knows_of_a_draft():
    day = Day(10, phase="entered")
    player = Entrant.objects.filter(tournament=day.id).first().person
    for who in (None, player):
        before = browser(who).get(at(day))
        send(day.organiser, at(day), do="draft")
        after = browser(who).get(at(day))
        assert before.status_code == after.status_code == 404
        csrf = re.compile(rb'(csrfmiddlewaretoken" value=)"[^"]+"')
        assert csrf.sub(b"", before.content) == csrf.sub(b"", after.content)
    assert browser(player).post(at(day), {"do": "publish", "key": key()}).status_code == 404
    assert "only the organisers see it" in look(day.organiser, at(day))


def test_the_whole_draw_with_forms():
    day = Day(12, phase="entered")
    page = look(day.organiser, at(day))
    assert "12 players are no multiple of five: 2 sit out." in page
    assert "Nobody was checked in, so everybody who is entered is drawn." in page
    answer = send(day.organiser, at(day), do="draft")
    plan = plan_of(day)
    reserves = ", ".join(name_of(day, code) for code in plan["reserves"])
    assert f"Reserves, in this order: {reserves}. D12" in words(answer).replace("Article ", "")
    assert "By lot: drawn as number 1." in words(answer)
    assert "Seed 1: not ranked, next in the order of entry." in words(answer)
    one, other = plan["heats"][0]["players"][1], plan["heats"][1]["players"][1]
    form = browser(day.organiser).get(f"{at(day)}?move={one}")
    assert f"Move {name_of(day, one)}" in words(form)
    assert form.content.decode().count("<optgroup") == 2  # the other table, and the reserves
    refused = send(day.organiser, at(day), do="move", player=one, **{"with": other}, reason=" ")
    assert refused.status_code == 422
    assert "a reason is needed" in words(refused)
    assert f'value="{other}" selected' in refused.content.decode()
    moved = send(day.organiser, at(day), do="move", player=one, **{"with": other}, reason="sisters")
    assert f"Moved, in exchange with {name_of(day, other)}: sisters" in words(moved)
    named = send(day.organiser, at(day), do="rename", stage=1, heat=2, name="Finestra")
    assert "Finestra" in words(named)
    assert send(day.organiser, at(day), do="rename", stage="2", heat="1", name="y").status_code == 404
    assert send(day.organiser, at(day), do="dance").status_code == 422
    published = send(day.organiser, at(day), do="publish")
    assert "everybody sees it now" in words(published)
    seen = look(None, at(day))
    assert "Moved by the organisers" in seen
    assert f"{name_of(day, one)} to Finestra in exchange with {name_of(day, other)}: sisters" in seen
    assert Stage.objects.get(tournament=day.id).seed in seen
    assert "the same tables" in seen
    assert "Drawn 1 time before it was published." in seen
    for forbidden in ("Rename", "Draw again", "Place cards"):
        assert forbidden not in seen.replace("Draw it again yourself", "")
    assert "Place cards" in look(day.organiser, at(day))
    assert send(None, at(day), do="draft").status_code == 403
    again = send(day.organiser, at(day), do="draft")
    assert again.status_code == 422
    assert "A stage is not closed yet" in words(again)


def test_what_does_not_fit_is_named_before_it_is_published():
    day = Day(11, phase="entered", seeds_per_heat=5)
    codes = list(Entrant.objects.filter(tournament=day.id).order_by("entry").values_list("code", flat=True))
    for code in codes[:6]:
        day.do(entering.check_in, code=code, present=True)
    send(day.organiser, at(day), do="draft")
    day.do(entering.check_in, code=codes[0], present=False)
    day.do(entering.check_in, code=codes[8], present=True)
    page = look(day.organiser, at(day))
    assert f"Drawn, but not checked in: {name_of(day, codes[0])}." in page
    assert f"Checked in after this draft was drawn: {name_of(day, codes[8])}. Draw again." in page
    answer = send(day.organiser, at(day), do="publish")
    assert answer.status_code == 422
    assert "The draft does not fit any more" in words(answer)


def test_a_long_draw_has_pages_and_links_that_stay_in_it():
    day = Day(205, phase="drafted")
    first = browser(day.organiser).get(at(day)).content.decode()
    assert first.count('class="draw-heat"') == 40
    assert 'href="?page=2&amp;stage=1"' in first
    last = browser(day.organiser).get(f"{at(day)}?page=99&stage=1").content.decode()
    assert last.count('class="draw-heat"') == 1
    assert "Page 2 of 2" in last


@pytest.mark.parametrize("players", [10, 205])
def test_pages_cost_the_same_for_any_number(players, django_assert_max_num_queries):
    day = Day(players, phase="announced")
    client = browser()
    with django_assert_max_num_queries(4):
        assert client.get(at(day)).status_code == 200


# Seats


@pytest.fixture
def day():
    return Day(10, phase="announced")


def five_of(day):
    """The codes at the first table, in order of the seats."""
    heat = Heat.objects.get(stage__tournament=day.id, number=1)
    return [day.code_of(person) for person in heat.sheet.seats.order_by("number").values_list("person", flat=True)]


def test_the_house_draws_and_everybody_sees_the_cards(day):
    assert "The seats are not drawn yet" in look(None, at(day, 1, 1))
    answer = send(day.organiser, at(day, 1, 1), do="system")
    assert "The seats are drawn." in words(answer)
    seen = browser().get(at(day, 1, 1)).content.decode()
    assert len(re.findall(r"cards/italian/\w+-\w+[.\w]*\.svg", seen)) >= 5
    assert "deals first" in seen
    assert "Let the house draw" not in look(day.organiser, at(day, 1, 1))
    assert 'name="do"' not in seen
    assert send(None, at(day, 1, 1), do="system").status_code == 403
    assert "Type the cards again" not in look(day.organiser, at(day, 1, 1))
    five = five_of(day)
    typed = {f"card-0-{code}": rank for code, rank in zip(five, "23456", strict=True)}
    again = send(day.organiser, at(day, 1, 1), do="hand", **typed)
    assert again.status_code == 422
    assert "are drawn already" in words(again)
    assert five_of(day) == five


def test_cards_are_typed_and_level_ones_are_asked_for_again(day):
    five = five_of(day)
    typed = {f"card-0-{code}": rank for code, rank in zip(five, "KK72A", strict=True)}
    some = send(day.organiser, at(day, 1, 1), do="hand", **dict(list(typed.items())[:3]))
    assert some.status_code == 422
    assert "One card each" in words(some)
    level = send(day.organiser, at(day, 1, 1), do="hand", **typed)
    assert level.status_code == 422
    assert f"Level cards: {name_of(day, five[0])}, {name_of(day, five[1])} draw again" in words(level)
    page = level.content.decode()
    assert page.count('name="card-0-') == 5
    assert page.count('name="card-1-') == 2
    again = {f"card-1-{five[0]}": "3", f"card-1-{five[1]}": "4"}
    done = send(day.organiser, at(day, 1, 1), do="hand", **typed, **again)
    assert done.status_code == 200
    assert "Who is level draws again, nobody else." in words(done)
    assert five_of(day) == [five[1], five[0], *five[2:]]
    assert "Drawn with cards at the table and typed in." in look(None, at(day, 1, 1))


def test_who_took_a_seat_later_stands_beside_the_draw(day):
    out = five_of(day)[0]
    day.do(running.replace_in_heat, stage=1, heat=1, seat=0, person="Nuova Venuta", reason="ill at home")
    seen = look(None, at(day))
    assert "Replaced before play began" in seen
    assert f"Nuova Venuta for {name_of(day, out)}, at Centrale" in seen
    assert "ill at home" not in seen
    assert plan_of(day)["replaced"] == [{"out": out, "in": "P11", "heat": 0}]


def test_a_number_that_is_none_is_refused_in_place(day):
    for number in ("9" * 5000, "²", ""):
        assert send(day.organiser, at(day), do="rename", stage="1", heat=number, name="x").status_code == 422


@pytest.mark.parametrize("ranks", [["K"] * 5, ["K", "C", "J", "7", "Joker"]])
def test_impossible_cards_are_refused_with_words(day, ranks):
    typed = {f"card-0-{code}": rank for code, rank in zip(five_of(day), ranks, strict=True)}
    answer = send(day.organiser, at(day, 1, 1), do="hand", **typed)
    assert answer.status_code == 422
    assert "deck" in words(answer)


def test_a_begun_match_keeps_its_seats_and_shows_no_form(day):
    heat = Heat.objects.get(stage__tournament=day.id, number=1)
    clock.start_match(day.organiser, heat.sheet_id, key=key())
    assert "This match has begun" in look(day.organiser, at(day, 1, 1))
    assert send(day.organiser, at(day, 1, 1), do="system").status_code == 422
    assert browser().get(at(day, 1, 3)).status_code == 404
    assert browser().get(at(day, 2, 1)).status_code == 404


def test_a_table_of_a_final_is_drawn_too(day):
    day.do(drawing.draw_seats, stage=1, heat=1, cards=None)
    Stage.objects.filter(tournament=day.id).update(number=2)
    Stage.objects.filter(tournament=day.id).update(kind=Stage.Kind.FINAL)
    seen = look(None, at(day, 2, 1))
    assert "Final" in seen
    assert reverse("draw", args=[day.slug]) not in browser().get(at(day, 2, 1)).content.decode().split("<main")[1]
