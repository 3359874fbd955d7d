"""A tournament file in the making: drawn, played and qualified by the product's own rules."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any, NamedTuple

from core.lots import Lots
from scoring.rules.scoresheet import Content
from tools.demo_files import hands
from tools.demo_files.people import BY_CODE, Person
from tools.demo_files.wishes import anything
from tournaments.exchange.records import record_from_file
from tournaments.rules.draw import draw_heats
from tournaments.rules.qualification import Qualification
from tournaments.rules.replay import HEATS, Tournament, replay
from tournaments.rules.series import ranks

FEWEST_HANDS, MOST_HANDS = 18, 27
SOURCE = "Torneo inventato per la dimostrazione: persone, circoli, sedi, mani e risultati sono tutti di fantasia."


class Match(NamedTuple):
    """What is special about a match. `hands` counts the lines of its sheet (0: as the lots fall), `fixed` are lines
    by position. `totals_only`: the sheet is lost, totals and adjustments survive."""

    wish: hands.Wish = anything
    hands: int = 0
    fixed: Mapping[int, Content] = MappingProxyType({})
    totals_only: bool = False


ORDINARY = Match()


class Making:
    """Grows `file`, stage by stage. The same arguments and calls give the same file."""

    def __init__(
        self, tournament: dict[str, Any], entries: Sequence[str], editions: Sequence[dict[str, Any]], seed: str
    ) -> None:
        self.lots = Lots(seed.encode(), "demonstration file")
        named = {*entries, *(code for edition in editions for code in edition["ranking"])}
        self.file: dict[str, Any] = {
            "format": "gingodrome-tournament",
            "version": 1,
            "tournament": tournament,
            "players": [person.in_file() for code, person in BY_CODE.items() if code in named],
            "editions_before": list(editions),
            "entries": self.lots.shuffled(entries),
            "lots": self.lots.shuffled(entries),
            "stages": [],
            "withdrawals": [],
            "record": {"source": SOURCE, "invented": [""]},
        }
        self.agp = ranks(self.replayed().agp_before)

    def replayed(self) -> Tournament:
        """What the rules make of the file so far."""
        return replay(record_from_file(self.file))

    def qualification(self) -> Qualification:
        """What the last stage of heats decided, after those who withdrew."""
        found = self.replayed().stages[-1].qualification
        assert found is not None
        return found

    def draw(self, field: Sequence[str]) -> list[list[str]]:
        """Heats by A.G.P. and lot, each in playing order."""
        seed = self.lots.below(1 << 62).to_bytes(8, "big")
        drawn = draw_heats(field, self.agp, 1, seed).heats
        return [self.lots.shuffled([seat.player for seat in heat]) for heat in drawn]

    def play_heats(self, names: Sequence[str], tables: Sequence[list[str]], special: Mapping[str, Match]) -> None:
        """A stage of heats at these tables."""
        played = [
            self._heat(name, seats, special.get(name, ORDINARY)) for name, seats in zip(names, tables, strict=True)
        ]
        self.file["stages"].append({"kind": HEATS, "heats": played})

    def play(self, kind: str, name: str, field: Sequence[str], special: Match = ORDINARY) -> None:
        """A final or second final, in the order of `field`."""
        self.file["stages"].append({"kind": kind, "heats": [self._heat(name, list(field), special)]})

    def withdraw(self, player: str, target: str) -> None:
        """The player renounces a stage: `final`, `second_final` or `heats:K`."""
        self.file["withdrawals"].append({"player": player, "from": target})

    def finished(self) -> dict[str, Any]:
        """The file; keys that hold nothing are left out."""
        return {key: value for key, value in self.file.items() if value != []}

    def edition(self) -> dict[str, Any]:
        """This tournament as a later one remembers it in `editions_before`."""
        out = self.replayed()
        remembered: dict[str, Any] = {
            "edition": self.file["tournament"]["edition"],
            "ranking": [entry.player for entry in out.final_ranking],
        }
        return remembered | ({"adjustments": dict(out.ledger)} if out.ledger else {})

    def _heat(self, name: str, seats: list[str], special: Match) -> dict[str, Any]:
        count = special.hands or FEWEST_HANDS + self.lots.below(MOST_HANDS - FEWEST_HANDS + 1)
        skill = [_skill(BY_CODE[code]) for code in seats]
        sheet = hands.match(self.lots, count, skill, special.fixed, special.wish)
        if not special.totals_only:
            return {"name": name, "seats": seats, "hands": [hands.in_file(content, seats) for content in sheet]}
        scored = hands.scored(sheet)
        return {
            "name": name,
            "seats": seats,
            "totals": dict(zip(seats, scored.totals, strict=True)),
            "hands_played": scored.hands_played,
            "adjustments": {seats[seat]: points for seat, points in scored.ledger},
        }


def _skill(person: Person) -> int:
    """0..2, the same in every file, so that some names come back at the top; who plays the world has practice."""
    return Lots(person.code.encode(), "skill of the demonstration").below(3 if person.editions else 2)
