"""Invented tournaments that obey every rule, for tests, benchmarks and demonstrations."""

from __future__ import annotations

from typing import Any

from core.lots import Lots
from core.refusal import Refusal
from scoring.rules.hands import CARD_POINTS
from tournaments.exchange.records import record_from_file
from tournaments.rules.draw import draw_heats
from tournaments.rules.qualification import Qualification
from tournaments.rules.replay import FINAL, HEATS, SECOND_FINAL, replay
from tournaments.rules.series import ranks

FIRST_NAMES = (
    *("Anna", "Bruno", "Carla", "Dario", "Elena", "Franco", "Gino", "Luca", "Marta", "Pia", "Rino", "Sara", "Ugo"),
    *("İpek", "Işıl", "Nihat", "Özge", "Şule"),
)
LAST_NAMES = (
    *("Bassi", "Donati", "Esposito", "Ferri", "Gallo", "Leone", "Moretti", "Pace", "Riva", "Toso", "Vitali"),
    *("Aksoy", "Çelik", "Irmak", "Öztürk", "Şahin", "Ünal"),
)
CLUBS = ("Circolo di Porta Rossa", "Gingo Club Adalar", "Bocciofila Centrale", "The Sunday Table")


def generate_tournament(seed: int, heats: int, hands: int = 20) -> dict[str, Any]:
    """A tournament file of `heats` qualifying heats with about `hands` hands each; the same numbers, the same file.

    Ties inside heats and between them, penalties, awards, withdrawals, reserves, intermediate stages, heats of which
    only totals survive and files that end early all occur. Needs 1 heat at least.
    """
    return _Generator(seed, heats, hands).run()


class _Generator:
    def __init__(self, seed: int, heats: int, hands: int) -> None:
        self.lots = Lots(str(seed).encode(), "generated tournament")
        self.heats = heats
        self.hands = hands
        self.templates: list[list[dict[str, Any]]] = []
        reserves = self.lots.below(4) if self.chance(20) else 0
        self.codes = [f"P{number:03d}" for number in range(1, heats * 5 + reserves + 1)]
        self.file: dict[str, Any] = {
            "format": "gingodrome-tournament",
            "version": 1,
            "tournament": self.tournament(seed),
            "players": [self.player(code) for code in self.codes],
            "editions_before": self.editions(),
            "entries": self.lots.shuffled(self.codes),
            "lots": self.lots.shuffled(self.codes),
            "stages": [],
            "withdrawals": [],
        }

    def chance(self, percent: int) -> bool:
        return self.lots.below(100) < percent

    def between(self, low: int, high: int) -> int:
        return low + self.lots.below(high - low + 1)

    def tournament(self, seed: int) -> dict[str, Any]:
        rules: dict[str, Any] = {}
        if self.chance(20):
            rules["second_final"] = False
        if self.chance(20):
            rules["offence_scope"] = "tournament"
        if self.chance(15):
            rules["tie_chain"] = self.lots.choice([["lot"], ["agp", "lot"], ["golden_call", "hands_won", "lot"]])
        if self.chance(10):
            rules |= {"min_bid": 51, "disloyal_above": 60, "disloyal_points": [40, 80], "suicidal_points": 150}
        tournament: dict[str, Any] = {"name": f"Generated {seed}", "game": "gingo", "edition": 30, "date": "2026-11-28"}
        if self.chance(25):
            tournament["series"] = "trophy"
        if rules:
            tournament["rules"] = rules
        return tournament

    def player(self, code: str) -> dict[str, Any]:
        name = f"{self.lots.choice(FIRST_NAMES)} {self.lots.choice(LAST_NAMES)}"
        player = {"id": code, "name": name}
        if self.chance(80):
            player["club"] = self.lots.choice(CLUBS)
        return player

    def editions(self) -> list[dict[str, Any]]:
        known = [*self.codes, *(f"old{number}" for number in range(1, 9))]
        editions = []
        for number in range(30 - self.lots.below(5), 30):
            edition: dict[str, Any] = {"edition": number, "ranking": self.lots.shuffled(known)[: self.between(0, 15)]}
            if self.chance(20):
                edition["series"] = "trophy"
            if edition["ranking"] and self.chance(30):
                edition["adjustments"] = {self.lots.choice(edition["ranking"]): -1}
            editions.append(edition)
        return editions

    def run(self) -> dict[str, Any]:
        agp = ranks(replay(record_from_file(self.file)).agp_before)
        field = self.file["entries"]
        seeds = record_from_file(self.file).placing.seeds_per_heat
        while True:
            self.play_heats(field, agp, seeds)
            qualification = self.settle()
            if self.chance(6):
                return self.file
            if qualification.plan.final:
                break
            field = qualification.qualified
        self.play(FINAL, [("Finale", qualification.qualified)])
        if len(qualification.second_final) == 5 and not self.chance(15):
            self.play(SECOND_FINAL, [("Finale dei secondi", qualification.second_final)])
        return self.file

    def play_heats(self, field: list[str], agp: dict[str, int], seeds: int) -> None:
        seed = self.lots.below(1 << 62).to_bytes(8, "big")
        drawn = draw_heats(field, agp, seeds, seed).heats
        self.play(
            HEATS,
            [
                (f"Heat {number}", self.lots.shuffled([seat.player for seat in heat]))
                for number, heat in enumerate(drawn, start=1)
            ],
        )

    def play(self, kind: str, tables: list[tuple[str, Any]]) -> None:
        heats = [self.heat(name, list(seats), plain=kind != HEATS) for name, seats in tables]
        self.file["stages"].append({"kind": kind, "heats": heats})

    def settle(self) -> Qualification:
        """The qualifiers of the last stage after some of them have renounced."""
        qualification = self.qualification()
        leads_to = FINAL if qualification.plan.final else f"heats:{len(self.file['stages']) + 1}"
        for _ in range(self.lots.below(4) if self.chance(45) else 0):
            target, leavers = leads_to, qualification.qualified
            if qualification.second_final and self.chance(30):
                target, leavers = SECOND_FINAL, qualification.second_final
            self.file["withdrawals"].append({"player": self.lots.choice(leavers), "from": target})
            try:
                qualification = self.qualification()
            except Refusal:  # nobody is left to move up: he plays after all
                self.file["withdrawals"].pop()
        return qualification

    def qualification(self) -> Qualification:
        last = replay(record_from_file(self.file)).stages[-1].qualification
        assert last is not None
        return last

    # Heats and hands

    def heat(self, name: str, seats: list[str], *, plain: bool) -> dict[str, Any]:
        if not plain and self.chance(12):
            return self.totals(name, seats)
        if self.templates and self.chance(25):
            # The same hands at another table: equal points, equal gaps, a tie that goes far down the chain.
            template = self.lots.choice(self.templates)
        else:
            count = self.between(1, 4) if self.chance(15) else self.between(max(1, self.hands - 5), self.hands + 5)
            template = [self.hand() for _ in range(count)]
            self.templates.append(template)
        hands = [self.seated(hand, seats) for hand in template]
        return {"name": name, "seats": seats, "hands": hands}

    def totals(self, name: str, seats: list[str]) -> dict[str, Any]:
        low, high = self.lots.choice([(400, 900), (-60, -1), (100, 103)])
        heat: dict[str, Any] = {
            "name": name,
            "seats": seats,
            "totals": {player: self.between(low, high) for player in seats},
            "hands_played": self.between(10, 30),
        }
        if self.chance(20):
            heat["adjustments"] = {self.lots.choice(seats): -1}
        return heat

    def hand(self) -> dict[str, Any]:
        """One hand by seat numbers."""
        rules = self.file["tournament"].get("rules", {})
        if self.chance(2):
            award = {"kind": "award", "points": self.between(-60, 60), "article": "S19", "reason": "late"}
            return {"ruling": {**award, "player": self.lots.below(5)}}
        hand = {
            "caller": self.lots.below(5),
            "called": self.lots.below(5),
            "bid": min(self.between(rules.get("min_bid", 61), 100) + self.lots.below(21), CARD_POINTS),
            "made": self.between(20, CARD_POINTS),
        }
        lost = hand["made"] < hand["bid"]
        if lost and self.chance(4):
            return {**hand, "ruling": {"kind": "suicidal_call"}}
        if hand["bid"] > rules.get("disloyal_above", 72) and self.chance(5):
            if self.chance(50):
                admission = {"kind": "disloyal_raise", "admitted": True}
                return {"caller": hand["caller"], "bid": hand["bid"], "ruling": admission}
            return {**hand, "ruling": {"kind": "disloyal_raise", "admitted": False}}
        return hand

    @staticmethod
    def seated(hand: dict[str, Any], seats: list[str]) -> dict[str, Any]:
        """The hand with the players of these seats."""
        seated = {key: seats[value] if key in ("caller", "called") else value for key, value in hand.items()}
        if "player" in hand.get("ruling", {}):
            seated["ruling"] = {**hand["ruling"], "player": seats[hand["ruling"]["player"]]}
        return seated
