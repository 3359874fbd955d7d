"""A table as the articles tell it, in plain Python: what was said and written there, and what it all comes to.

Written from the regulation and apart from the rules of the house: nothing of them is imported. What may be done at a
table is in articles.py.

Contents: ("played", caller, called, bid, made, ruling or None), ("admitted", caller, bid), ("award", seat, points),
("voided", repeated). Hands, lines, claims and proposals count from 1, entries and rulings from 0.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, NamedTuple

Codes = set[str]
Content = tuple[Any, ...]


class Who(NamedTuple):
    """Somebody near a table: referee, player or guarantor, or none of them."""

    name: str
    staff: bool = False
    seat: int | None = None
    council: bool = False


@dataclass
class Rules:
    """What an organiser may change."""

    min_bid: int = 61
    above: int = 72
    amounts: tuple[int, ...] = (50, 70, 100)
    suicidal: int = 200
    ledger: int = -1
    judge_mode: str = "players"
    confirm: bool = False
    recorders: str = "both"


@dataclass
class Figures:
    """What the lines of a sheet come to; `wrong`: why they cannot be."""

    points: list[int] = field(default_factory=lambda: [0] * 5)
    won: list[int] = field(default_factory=lambda: [0] * 5)
    best: list[int] = field(default_factory=lambda: [0] * 5)
    offences: list[int] = field(default_factory=lambda: [0] * 5)
    ledger: dict[int, int] = field(default_factory=dict)
    golden: tuple[int, int, bool] | None = None
    scored: int = 0
    voided: int = 0
    hands: int = 0
    dealer: int = 0
    wrong: Codes = field(default_factory=set)


@dataclass
class Table:
    """Everything that was said and written at one table."""

    rules: Rules
    entries: list[tuple[Content, int | None]] = field(default_factory=list)
    lines: list[list[int]] = field(default_factory=list)
    dealt: int = 0
    closed: bool = False
    reopened: int = 0
    signed: set[tuple[int, int, int | None]] = field(default_factory=set)
    proposals: list[dict[str, Any]] = field(default_factory=list)
    claims: list[dict[str, Any]] = field(default_factory=list)
    rulings: list[dict[str, Any]] = field(default_factory=list)
    appeals: list[dict[str, Any]] = field(default_factory=list)

    # What stands

    def contents(self) -> list[tuple[Content, Content]]:
        """The first and the present content of each line."""
        return [(self.entries[line[0]][0], self.entries[line[-1]][0]) for line in self.lines]

    def figures(self, *, line: int | None = None, content: Content | None = None) -> Figures:
        """What the sheet comes to; with another content in a line, or in a new one."""
        told = self.contents()
        if content is not None and line is None:
            told.append((content, content))
        elif content is not None and line is not None:
            told[line - 1] = (told[line - 1][0], content)
        found = Figures()
        for first, now in told:
            self._line(found, first[0] != "award", now)
        return found

    def _line(self, told: Figures, is_hand: bool, content: Content) -> None:
        again = scored = False
        match content:
            case ("played", caller, called, bid, made, None):
                scored = True
                for seat in range(5):
                    if made >= bid:  # S15
                        told.points[seat] += bid * (1 + (caller == called)) if seat in (caller, called) else 0
                    else:
                        told.points[seat] += made - bid if seat in (caller, called) else 120 - made
                if made >= bid:
                    for seat in {caller, called}:
                        told.won[seat] += 1
                    told.best[caller] = max(told.best[caller], bid)
                    if told.golden is None or bid > told.golden[1]:  # D4
                        told.golden = (caller, bid, caller == called)
            case ("played", caller, _, bid, made, "suicidal_call"):
                if made >= bid:
                    told.wrong.add("suicidal_needs_lost_hand")
                told.points[caller] -= self.rules.suicidal + bid - made  # S17
                told.ledger[caller] = told.ledger.get(caller, 0) + self.rules.ledger  # D18
            case ("played", caller, _, bid, made, "disloyal_raise"):
                again = True
                self._disloyal(told, caller, bid, max(bid - made, 0))
            case ("admitted", caller, bid):
                again = True
                self._disloyal(told, caller, bid, 0)
            case ("award", seat, points):
                told.points[seat] += points
            case ("voided", repeated):
                again = repeated
        if is_hand:
            told.hands += 1
            told.scored += scored
            told.voided += not scored
            told.dealer = told.dealer if again else (told.dealer + 1) % 5  # S5

    def _disloyal(self, told: Figures, caller: int, bid: int, lost: int) -> None:
        """S18, D10: by offence of this player, the last amount for all that follow."""
        if bid <= self.rules.above:
            told.wrong.add("disloyal_needs_higher_bid")
        amounts = self.rules.amounts
        told.points[caller] -= amounts[min(told.offences[caller], len(amounts) - 1)] + lost
        told.offences[caller] += 1

    @property
    def hands(self) -> int:
        return self.figures().hands

    @property
    def waiting(self) -> dict[str, Any] | None:
        return next((one for one in self.proposals if one["state"] == "pending"), None)

    @property
    def open_claim(self) -> dict[str, Any] | None:
        return next((one for one in self.claims if one["state"] == "open"), None)

    def ruled(self, line: int) -> bool:
        """Something on this line was ever ruled."""
        return any(one["entry"] in self.lines[line - 1] for one in self.rulings)

    def wrote(self, entry: int) -> bool:
        """A ruling wrote this entry."""
        return any(one["entry"] == entry for one in self.rulings)

    def line_of(self, entry: int) -> int:
        """The line, from 1, that an entry is on."""
        return next(number for number, line in enumerate(self.lines, start=1) if entry in line)

    # What is said

    def write(self, content: Content, replaces: int | None = None) -> int:
        """One more entry; its number."""
        number = len(self.entries)
        self.entries.append((content, replaces))
        if replaces is None:
            self.lines.append([number])
        else:
            self.lines[self.line_of(replaces) - 1].append(number)
        return number

    def propose(self, who: Who, content: Content, *, hand: int | None = None, replaces: int | None = None) -> None:
        told = {"state": "pending", "by": who.name, "content": content, "hand": hand, "replaces": replaces}
        self.proposals.append(told)

    def rule(self, kind: str, by: str, *, entry: int | None = None, refused: Any = None) -> None:
        """`refused`: the claim that this ruling rejected."""
        self.rulings.append({"kind": kind, "by": by, "entry": entry, "revoked": False, "refused": refused})
