"""Two whole evenings as their people do them, each in a browser of his own, on the real house (issue 5)."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import expect

from config.house import ROOT
from scoring.rules.hands import HandOutcome
from tests.e2e.conftest import Visitor
from tests.e2e.evening import (
    PHONE,
    Organiser,
    Player,
    Referee,
    Screen,
    demo_referee,
    faults_of,
    named,
    organiser,
    phone,
)
from tests.e2e.house import RunningHouse
from tests.e2e.matches import Table, Tables
from tests.e2e.phones import SENT, hand_of
from tests.e2e.test_files import pdf_behind, saved, words_of

pytestmark = [pytest.mark.browser, pytest.mark.slow]
WALL = {"width": 1920, "height": 1080}
REFEREES = ("Remo Ravelli", "Rina Rossetti", "Rocco Rubini")
# Letters that Windows-1252 has and Latin-1 or UTF-8 spell otherwise.
TWENTY_FIVE = (
    "Niccolò Abà", "Zoë Brandt", "José Nuñez", "Agnès Œhmichen", "Jürgen Groß", "Nina D’Este", "Ante Šimic",
    "Loïc Dupré", "Björn Åkesson", "Amélie Lefèvre", "Mirò Gallò", "Ada Perù", "Bea Virtù", "Cloe Città", "Duilio Rè",
    "Elio Tafà", "Fosca Mistò", "Gino Zarrù", "Ines Cantù", "Lia Salò", "Mara Forlì", "Nico Mondovì", "Olga Nardò",
    "Pia Cefalù", "Rino Soverà",
)  # fmt: skip
TEN = (
    "Alda Uno", "Berta Due", "Ciro Tre", "Delia Quattro", "Enea Cinque", "Febo Sei", "Gaia Sette", "Igor Otto",
    "Luca Nove", "Moira Dieci",
)  # fmt: skip
LOST = HandOutcome(0, 1, 90, 40)
# Seat 1 wins by four points, until the last hand was bid at 72.
FINAL = (HandOutcome(0, 1, 75, 80), HandOutcome(0, 2, 70, 75), HandOutcome(1, 3, 66, 75))


def hands(salt: int, count: int, first: int = 1) -> list[HandOutcome]:
    """Hands of a table, the same for the same salt."""
    return [HandOutcome(*hand_of(7 * salt + number)) for number in range(first, first + count)]


def ring(tables: Tables, match: str) -> None:
    """The time of a match is over: its bell is due, and the ringers of the house ring it."""
    tables.ring(Table(match=match.strip("/").rpartition("/")[2], referee="", sessions={}))


def replayed(file: Path) -> dict[str, Any]:
    """What `manage.py replay_tournament` makes of a file."""
    words = [sys.executable, str(ROOT / "manage.py"), "replay_tournament", str(file)]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def file_is_what_pages_say(desk: Organiser, folder: Path) -> dict[str, Any]:
    """The file that the browser saves replays to the names of the final ranking, in order; its result."""
    desk.at("ranking/")
    rows = desk.page.locator("#ranking tbody")
    shown = list(
        zip(rows.locator(".place").all_inner_texts(), rows.locator(".who-name").all_inner_texts(), strict=True)
    )
    data, name = saved(desk.seen, desk.page.get_by_role("link", name="File", exact=True))
    assert name.endswith(".json")
    kept = folder / "tournament.json"
    kept.write_bytes(data)
    names = {player["id"]: player["name"] for player in json.loads(data)["players"]}
    result = replayed(kept)
    assert [(str(one["place"]), names[one["player"]]) for one in result["final_ranking"]] == shown
    return result


def finish(referee: Referee, match: str, last: HandOutcome) -> None:
    """After the bell: the auction was awarded, its hand is played, the referee signs."""
    referee.answer(match, "Yes, hand 6 was awarded")
    referee.paper(match, [last])
    referee.sign(match)


def test_an_evening_of_twenty_five_players(visit: Visitor, hall: RunningHouse, tables: Tables, tmp_path: Path):
    desk = organiser(visit, hall)
    desk.make("Serata d'inverno", Series="serate", Edition="1", Venue="Sala grande")
    csv = tmp_path / "players.csv"
    csv.write_bytes("\r\n".join(["Nome;Circolo", *(f"{name};Serata" for name in TWENTY_FIVE)]).encode("windows-1252"))
    desk.upload(str(csv))
    desk.reads("25 are new")
    desk.reads("Windows, western Europe (1252)")
    for name in TWENTY_FIVE:
        desk.reads(name)
    desk.press("Enter them")
    desk.reads("25 players are entered.")
    desk.check_in(25)
    desk.draw("Camino")
    desk.reads("Nobody who plays is ranked")
    cards, _ = pdf_behind(desk.seen, desk.page.get_by_role("link", name="Place cards"))
    assert all(name in words_of(cards) for name in TWENTY_FIVE[:5])

    wall = Screen(visit(f"{hall.url}{desk.address}hall/", language="en", **WALL), hall)
    wall.reads("Niccolò Abà")
    desk.roles("Circolo della Briscola")
    links = [desk.invite(name) for name in REFEREES]
    referees = [phone(visit, hall, link, Referee) for link in links]
    for name, referee in zip(REFEREES, referees, strict=True):
        referee.join(name.partition(" ")[0].lower())
    desk.seats()
    matches = desk.tables()
    names = list(matches)
    assert len(names) == 5
    keeper = dict(zip(names, (0, 0, 1, 1, 2), strict=True))
    for table, number in keeper.items():
        desk.assign(table, REFEREES[number])
    kept = {table: referees[number] for table, number in keeper.items()}
    desk.reads("no device is armed to ring")
    device = desk.bell_device()
    desk.at("day/")
    desk.start()
    desk.reads("5 tables are playing.")
    expect(wall.page.get_by_text("being played").first).to_be_attached(timeout=SENT)

    # Hands, a table that is suspended, a claim that its judges uphold.
    one, dark, judged, tapped, idle = (matches[name] for name in names)
    for salt, table in enumerate(names):
        written = hands(salt, 5) if matches[table] != judged else [*hands(salt, 4), LOST]
        kept[table].paper(matches[table], written)
    kept[names[1]].go(dark)
    desk.suspend(names[1], "The light went out.")
    kept[names[1]].reads("Suspended: The light went out.")
    expect(kept[names[1]].page.get_by_role("button", name="Hand 6 awarded")).to_have_count(0)
    desk.resume()
    kept[names[1]].reads("The clock runs")

    seated = kept[names[2]].seats(judged)
    judges = [phone(visit, hall, kept[names[2]].give_seat(judged, name), Player) for name in seated[2:]]
    for judge, name in zip(judges, seated[2:], strict=True):
        judge.sit(name)
    judges[0].claim("Suicidal call", "He kept the ace.")
    for judge, word in zip(judges, ("Uphold", "Reject", "Uphold"), strict=True):
        judge.vote(word)
    for judge in judges:
        judge.reads("Upheld by the table, 2 to 1.")

    # The bell of one table: on its pages, also on one in the background, and on no other.
    away_name = kept[names[0]].seats(one)[1]
    away = phone(visit, hall, kept[names[0]].give_seat(one, away_name), Player)
    away.sit(away_name)
    guest = Screen(visit(f"{hall.url}{one}table/", language="en", **PHONE), hall)
    kept[names[0]].go(f"{one}record/")
    kept[names[3]].go(tapped)
    judges[0].go(judged)
    quiet = [kept[names[3]], judges[0]]
    for seen in (kept[names[0]], away, *quiet):
        seen.arm()
    away.hide()
    desk.at("day/")
    if device.panel().count():
        device.go_on()
    heard = device.rang()  # it may have rung for the demonstration, too, which is of the same club
    ring(tables, one)
    for seen in (kept[names[0]], away):
        seen.rings("Camino", times=2)
    expect(device.panel()).to_contain_text("Camino", timeout=SENT)
    assert device.rang() > heard
    guest.rings("Camino", times=0)  # who armed no sound sees it
    expect(desk.panel()).to_contain_text("Camino", timeout=SENT)
    desk.go_on()
    for seen in quiet:
        seen.is_quiet()
    expect(wall.page.get_by_text("the bell has rung").first).to_be_attached(timeout=SENT)

    kept[names[3]].award(tapped, 6)
    for match in (dark, judged, tapped, idle):
        ring(tables, match)
    judges[0].rings(names[2], times=2)
    for name in names[1:]:  # one panel names them all, and one tap goes on
        expect(desk.panel()).to_contain_text(name, timeout=SENT)
    desk.go_on()
    for seen in (*referees, *judges, desk, device):
        seen.calm()
    kept[names[0]].answer(one, "Yes, hand 6 was awarded")
    kept[names[0]].record(one, hands(0, 1, 6)[0])
    kept[names[0]].sign(one)
    for at in (1, 2):
        finish(kept[names[at]], matches[names[at]], hands(at, 1, 6)[0])
    kept[names[3]].paper(tapped, hands(3, 1, 6))
    kept[names[3]].sign(tapped)
    kept[names[4]].answer(idle, "No: it was still being bid, or not even dealt")
    kept[names[4]].sign(idle)
    desk.close()

    # One withdraws, another does not come.
    desk.follow("See who goes on")
    before = desk.going_on()
    gone, stays = before[:2]
    asked = desk.withdraw(gone)
    heir = asked.locator(".chain li").first.inner_text()
    desk.confirm()
    (comes,) = {*desk.going_on()} - {*before}
    assert comes in heir
    assert gone not in desk.going_on()
    desk.press("Open the finals")
    desk.tab("Who goes on")
    desk.withdraw(stays)
    desk.confirm()
    finalists = desk.going_on()
    assert len(finalists) == 5
    assert not {gone, stays} & {*finalists}
    desk.page.get_by_label("Minutes").fill("60")
    desk.press("Agree")
    desk.reads("The length of the second final is agreed.")

    desk.seats()
    finals = desk.tables()
    final, second = finals.values()
    for table, name in zip(finals, REFEREES, strict=False):
        desk.assign(table, name)
    desk.start()
    assert sorted(referees[0].seats(final)) == sorted(finalists)
    champions = referees[0].seats(final)
    referees[0].paper(final, FINAL)
    referees[1].paper(second, hands(8, 5))
    for match in (final, second):
        ring(tables, match)
    referees[0].answer(final, "No: it was still being bid, or not even dealt")
    referees[0].sign(final)
    finish(referees[1], second, hands(8, 1, 6)[0])
    desk.close()
    desk.follow("Publish the results")
    desk.reads(champions[0])
    desk.press("Publish")
    expect(wall.page.get_by_role("heading", name="Final ranking")).to_be_attached(timeout=SENT)

    # A bid of the final was misread: first what follows, then a new version.
    desk.at("stages/2/heats/1/")
    desk.follow("Correct the result")
    desk.follow(named("Correct", "line 3"))
    desk.page.get_by_label("Bid").fill("72")
    desk.page.get_by_label("Reason").fill("Misread on the paper.")
    desk.press("Show what would change")
    impact = desk.part("If this is written")
    expect(impact).to_contain_text(champions[1])
    wall.go(f"{desk.address}ranking/")
    assert wall.page.locator("#ranking .who-name").first.inner_text() == champions[0]
    desk.press("Write it, and publish a new version")
    desk.at("versions/")
    desk.reads("Version 2")
    desk.at("ranking/")
    assert desk.page.locator("#ranking .who-name").first.inner_text() == champions[1]

    desk.at("print/")
    ranking, _ = pdf_behind(desk.seen, desk.page.get_by_role("link", name=named("PDF", "Final ranking")))
    assert champions[1] in words_of(ranking)
    file_is_what_pages_say(desk, tmp_path)
    assert faults_of([desk, device, wall, away, guest, *referees, *judges]) == []


def test_an_evening_of_ten_with_repechage_and_both_substitutions(
    visit: Visitor, hall: RunningHouse, tables: Tables, tmp_path: Path
):
    desk, referee = organiser(visit, hall), demo_referee(visit, hall)
    desk.make("Serata breve", Series="serate brevi", Edition="1")
    csv = tmp_path / "players.csv"
    csv.write_text("\n".join(TEN), "utf-8")
    desk.upload(str(csv))
    desk.press("Enter them")
    desk.reads("10 players are entered.")
    desk.draw()
    played(desk, referee, tables)

    desk.follow("See who goes on")
    # Two go on from each heat, one by the smaller gap; his substitute comes by gap, a direct one's from his heat.
    direct, repeched = desk.going_on()[0], desk.going_on()[4]
    candidates = desk.part("Candidates by percentage gap").locator(".who-name").all_inner_texts()
    assert candidates[0] == repeched
    desk.withdraw(repeched)
    desk.reads("S8")
    desk.confirm()
    assert desk.going_on()[4] == candidates[1]
    desk.withdraw(direct)
    desk.confirm()
    finalists = desk.going_on()
    assert not {direct, repeched} & {*finalists}
    assert len({*finalists}) == 5
    desk.press("Open the finals")
    played(desk, referee, tables)

    desk.follow("Publish the results")
    desk.press("Publish")
    result = file_is_what_pages_say(desk, tmp_path)
    assert {one["as"] for one in result["qualification"][0]["substitutions"]} == {"direct", "repechage"}
    assert faults_of([desk, referee]) == []


def played(desk: Organiser, referee: Referee, tables: Tables) -> None:
    """A stage of tables that were set up: seats, start, hands, bell, last hands, signatures, close."""
    desk.seats()
    matches = list(desk.tables().values())
    desk.page.get_by_role("button", name="Start the chosen tables").click()
    desk.reads("playing")
    for seen in (desk, referee):
        seen.calm()
    for salt, match in enumerate(matches):
        referee.paper(match, hands(salt + 3, 5))
        ring(tables, match)
        finish(referee, match, hands(salt + 3, 1, 6)[0])
    desk.close()
