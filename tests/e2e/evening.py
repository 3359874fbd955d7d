"""The people of an evening and their screens: what each of them sees and touches, by the names that stand there."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import TypeVar

from playwright.sync_api import Locator, Response, expect

from scoring.rules.hands import HandOutcome
from tests.e2e.conftest import Visit, Visitor
from tests.e2e.house import RunningHouse
from tests.e2e.phones import SENT, thumb

PHONE = {"width": 360, "height": 740}
PASSWORD = "seven of cups 7"
# Headless tabs are all visible; the page is told otherwise, as a browser would tell it.
HIDE = """() => {
  Object.defineProperty(document, "visibilityState", { configurable: true, get: () => "hidden" });
  document.dispatchEvent(new Event("visibilitychange"));
}"""


class Screen:
    """One browser of somebody, at whatever page he is."""

    def __init__(self, seen: Visit, house: RunningHouse) -> None:
        self.seen, self.page, self.house = seen, seen.page, house
        self._refused: list[str] = []
        self.page.on("response", self._look)

    def _look(self, answer: Response) -> None:
        if answer.status >= 400:
            self._refused.append(f"{answer.status} {answer.url}")

    def go(self, path: str) -> None:
        self.page.goto(f"{self.house.url}{path}")
        self.page.wait_for_load_state("load")

    def press(self, name: str | re.Pattern[str], *, exact: bool = True) -> None:
        """A button, and the page that answers."""
        with self.page.expect_navigation(timeout=SENT):
            self.page.get_by_role("button", name=name, exact=exact).click()

    def follow(self, name: str | re.Pattern[str], *, exact: bool = True) -> None:
        """A link, and the page behind it."""
        link = self.page.get_by_role("link", name=name, exact=exact)
        expect(link).to_have_attribute("href", re.compile("."))
        with self.page.expect_navigation(timeout=SENT):
            link.click()

    def reads(self, words: str | re.Pattern[str]) -> None:
        """That stands on the page, or soon will."""
        expect(self.page.locator("main")).to_contain_text(words, timeout=SENT, use_inner_text=True)

    def part(self, heading: str | re.Pattern[str]) -> Locator:
        """The part of the page below a heading."""
        return self.page.get_by_role("region").filter(has=self.page.get_by_role("heading", name=heading))

    # The bell

    def panel(self) -> Locator:
        return self.page.get_by_role("alertdialog")

    def arm(self) -> None:
        """Unlocks the sound: the test ring is the first."""
        self.page.get_by_role("button", name="Arm the bell").click()
        expect(self.page.locator("html")).to_have_attribute("data-sound", "armed")
        expect(self.page.locator("html")).to_have_attribute("data-live", "own", timeout=SENT)
        assert self.rang() == 1

    def hide(self) -> None:
        """Another tab is in front of this one."""
        self.page.evaluate(HIDE)

    def rang(self) -> int:
        return int(self.page.evaluate("document.documentElement.dataset.rang ?? 0"))

    def rings(self, table: str, *, times: int) -> None:
        """The panel of a table stands over the page, and it has rung so often in all; then somebody goes on."""
        expect(self.panel()).to_contain_text(table, timeout=SENT)
        assert self.rang() == times
        self.go_on()

    def go_on(self) -> None:
        self.panel().get_by_role("button", name="Go on").click()
        expect(self.panel()).to_have_count(0)

    def calm(self) -> None:
        """From now on this person goes on by himself whenever a bell is in the way."""
        button = self.panel().get_by_role("button", name="Go on").last
        self.page.add_locator_handler(button, lambda one: one.click())

    def is_quiet(self, *, times: int = 1) -> None:
        """No bell is over this page, and none was heard since it was armed."""
        expect(self.panel()).to_have_count(0)
        assert self.rang() == times

    def faults(self) -> list[str]:
        """What its browser complained of, what the house refused, and what left the house.

        The browser's own reader of PDF is no stranger, and asks for an icon that the house does not have: answers are
        looked at by their address, which the complaint does not tell.
        """
        told = [fault for fault in self.seen.faults if "the server responded with a status of" not in fault]
        ours = ("chrome:", "chrome-extension:")
        return [*told, *self._refused, *(url for url in self.seen.strangers() if not url.startswith(ours))]


Person = TypeVar("Person", bound=Screen)


def named(words: str, of: str = "") -> re.Pattern[str]:
    """The name of a link or button that says of whom it is: `Manage: Centrale`."""
    return re.compile(rf"^{words}\s*: {re.escape(of)}{'$' if of else ''}")


class Organiser(Screen):
    """Who runs the tournament, at a desk."""

    address = ""

    def make(self, name: str, **facts: str) -> None:
        """From the first page to a tournament. `facts`: other fields of the form by their labels."""
        self.go("/")
        self.follow("New tournament")
        for label, value in {"Name": name, **facts}.items():
            self.page.get_by_label(label, exact=True).fill(value)
        self.press("Make the tournament")
        self.address = self.page.url.partition("?")[0].removesuffix("entries/").removeprefix(self.house.url)

    def at(self, path: str) -> None:
        """A page of the tournament, wherever the browser was."""
        self.go(f"{self.address}{path}")

    def tab(self, name: str) -> None:
        """A tab of the day."""
        with self.page.expect_navigation(timeout=SENT):
            self.page.locator("nav.tabs").get_by_role("link", name=name, exact=True).click()

    def upload(self, list_of_players: str) -> None:
        """A list of players, as far as its preview."""
        self.follow("Import a list")
        self.page.get_by_label("List of players").set_input_files(list_of_players)
        self.press("Upload and look")

    def check_in(self, count: int) -> None:
        """Everybody of a list of so many, one after the other."""
        self.tab("Check-in")
        for here in range(1, count + 1):
            self.page.get_by_role("button", name=re.compile("^Is here")).first.click()
            expect(self.page.locator(".counter")).to_contain_text(f"{here} / {count}", timeout=SENT)

    def draw(self, first: str = "") -> None:
        """Draws and publishes. `first`: another name for the first table."""
        self.tab("Draw")
        self.press("Draw")
        self.reads("Only the organisers see it")
        if first:
            self.follow(named("Rename", "Centrale"))
            self.page.get_by_label("Name of the table").fill(first)
            self.press("Save")
        self.press("Publish the draw")

    def seats(self) -> None:
        """As long as the board asks for seats, the house draws them."""
        self.at("day/")
        while (link := self.page.get_by_role("link", name="Draw the seats", exact=True)).count():
            with self.page.expect_navigation(timeout=SENT):
                link.click()
            self.press("Let the house draw")
            self.follow("Back to the day")

    def bell_device(self) -> Organiser:
        """A second tab of this browser that lies in the hall to ring."""
        page = self.seen.context.new_page()
        device = Organiser(Visit(page, self.seen.context, self.seen.origin), self.house)
        device.seen.watch()
        device.go("/")
        device.follow("Bell of the hall")
        device.arm()
        expect(page.locator("[data-ringer]")).to_have_attribute("data-armed", "on", timeout=SENT)
        return device

    def tables(self) -> dict[str, str]:
        """The path of each match on the board, by the name of its table."""
        self.at("day/")
        links = self.page.get_by_role("link", name=named("Scoresheet"))
        pairs = links.evaluate_all("all => all.map((one) => [one.textContent, one.getAttribute('href')])")
        return {words.partition(": ")[2]: href for words, href in pairs}

    def assign(self, table: str, referee: str) -> None:
        self.follow(named("Manage", table))
        choice = self.page.get_by_label("Who is the referee of this table")
        choice.select_option(choice.locator("option", has_text=referee).get_attribute("value"))
        self.press("Save")
        self.follow("Back to the day")

    def start(self) -> None:
        """All tables that are ready, if nothing is missing on the list."""
        expect(self.page.locator(".checks li")).not_to_have_count(0)
        expect(self.page.locator(".checks .is-missing")).to_have_count(0)
        self.press("Start the chosen tables")

    def suspend(self, table: str, reason: str) -> None:
        """Of the tables that are playing, only this one."""
        self.at("day/")
        self.page.get_by_text("Suspend tables").click()
        choice = self.page.locator("#suspend-tables")
        for box in choice.get_by_role("checkbox").all():
            box.uncheck()
        choice.get_by_role("checkbox", name=table, exact=True).check()
        choice.get_by_label("Reason").fill(reason)
        self.press("Suspend")

    def resume(self) -> None:
        self.page.get_by_text("Go on with suspended tables").click()
        self.press("Go on")

    def close(self) -> None:
        self.at("day/")
        self.press("Close the stage")
        self.reads("The stage is closed.")

    def going_on(self, heading: str = "Qualified for: ") -> list[str]:
        """Who goes on, as the page that is open says."""
        return self.part(heading).locator("ol").first.locator(".who-name").all_inner_texts()

    def withdraw(self, name: str) -> Locator:
        """What would follow if he renounced; `confirm` writes it down."""
        with self.page.expect_navigation(timeout=SENT):
            self.page.get_by_role("link", name=named("Renounces", name)).first.click()
        return self.part(f"{name} renounces?")

    def confirm(self) -> None:
        self.press("Write down the withdrawal")
        self.reads("The withdrawal is written down.")

    def roles(self, club: str) -> None:
        """Where the roles in a club are given, from the first page."""
        self.go("/")
        with self.page.expect_navigation(timeout=SENT):
            self.page.get_by_text("You give the roles here:").get_by_role("link", name=club).click()

    def invite(self, name: str) -> str:
        """A referee; the link that his phone reads from this screen."""
        self.page.get_by_label("Somebody new: name").fill(name)
        self.page.locator("#role-new").select_option(label="referee")
        self.press("Invite by link")
        self.reads(f"An invitation for {name}")
        return self.page.get_by_label("The same as a link").input_value()


class Referee(Screen):
    """Who keeps tables, with a phone."""

    def join(self, username: str) -> None:
        """Chooses a user name and a password behind an invitation."""
        self.page.get_by_label("User name").fill(username)
        self.page.get_by_label("Password").fill(PASSWORD)
        self.press("Save and sign in")

    def paper(self, match: str, hands: Sequence[HandOutcome]) -> None:
        """Types the next hands in from the paper sheet, and saves them all."""
        self.go(f"{match}grid/")
        for at, (caller, called, bid, made) in enumerate(hands):
            row = self.page.get_by_role("row").nth(at + 1).get_by_role("textbox")
            for cell, value in enumerate((caller + 1, called + 1, bid, made)):
                row.nth(cell).fill(str(value))
        self.press("Save all hands")
        self.reads(re.compile(rf"{len(hands)} hands? (is|are) saved"))

    def record(self, match: str, hand: HandOutcome) -> None:
        """The next hand, by touch."""
        self.go(match)
        self.follow(re.compile(r"^Record hand \d+$"))
        thumb(self.page, *hand)
        expect(self.page.locator("[data-line]")).to_contain_text(re.compile("is saved|over|closed"), timeout=SENT)

    def award(self, match: str, hand: int) -> None:
        """The tap at the third knock: then the bell asks nobody."""
        self.go(match)
        self.press(f"Hand {hand} awarded")
        self.reads("It is in progress")

    def answer(self, match: str, how: str | re.Pattern[str]) -> None:
        """What there was when the bell rang (D21)."""
        self.go(match)
        self.press(how)

    def sign(self, match: str) -> None:
        self.go(match)
        self.follow("To the signatures")
        self.press("Sign and close the match")
        self.reads("The match is closed: the sheet was signed.")

    def seats(self, match: str) -> list[str]:
        """Who sits there, in order."""
        self.go(f"{match}passes/")
        return self.page.locator(".listing .who-name").all_inner_texts()

    def give_seat(self, match: str, name: str) -> str:
        """The link of a seat pass, as a phone reads it from this one."""
        self.seats(match)
        self.press(named("Show pass", name))
        return self.page.get_by_label("The same as a link").input_value()


class Player(Screen):
    """Who sits at a table, with a phone and no account."""

    def sit(self, name: str) -> None:
        self.press(re.compile(f"^I am {re.escape(name)}, seat "), exact=False)

    def claim(self, kind: str, reason: str) -> None:
        self.follow("Penalty or ruling")
        self.follow(re.compile(f"^{kind}"), exact=False)
        self.page.get_by_label("Why do you claim it?").fill(reason)
        self.page.get_by_role("button", name="Claim it").click()
        self.page.wait_for_url("**/matches/*/", timeout=SENT)

    def vote(self, word: str) -> None:
        self.follow("Go to the claim")
        self.press(word)


def organiser(visit: Visitor, house: RunningHouse) -> Organiser:
    """The organiser of the demonstration, at a desk."""
    return _demo(visit, house, "Oreste Organizzatore", Organiser)


def demo_referee(visit: Visitor, house: RunningHouse) -> Referee:
    """The referee of the demonstration, with a phone."""
    return _demo(visit, house, "Rita Arbitra", Referee, **PHONE, has_touch=True)


def _demo(visit: Visitor, house: RunningHouse, name: str, kind: type[Person], **options: object) -> Person:
    seen = kind(visit(f"{house.url}/demo/", language="en", **options), house)
    seen.press(f"Sign in as {name}")
    expect(seen.page.locator(".hall-who")).to_contain_text(name)
    return seen


def phone(visit: Visitor, house: RunningHouse, link: str, kind: type[Person]) -> Person:
    """A phone that reads a link from another screen."""
    return kind(visit(link, language="en", has_touch=True, **PHONE), house)


def faults_of(people: Iterable[Screen]) -> list[str]:
    return [fault for one in people for fault in one.faults()]
