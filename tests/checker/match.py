"""One match: hand scores, penalties, who won what, the ranking inside it (S7, S11, S15-S18, D3, D4, D10, D13, D15)."""

from collections import Counter
from dataclasses import dataclass, field
from fractions import Fraction

from .order import Lots, Order, with_predecessor
from .outcome import RefusedError

LAST = float("inf")


@dataclass
class Match:
    """A match as played. `points`, `hands_won`, `best_bid` and `ledger` are by player."""

    stage: int
    name: str
    seats: list[str]
    points: dict[str, int]
    hands_played: int = 0
    known: bool = True  # hands are known; False when only totals survive
    hands_won: Counter = field(default_factory=Counter)
    best_bid: Counter = field(default_factory=Counter)
    golden_call: dict | None = None
    ledger: dict[str, int] = field(default_factory=dict)
    offences: Counter = field(default_factory=Counter)
    ranking: list[str] = field(default_factory=list)
    order: Order | None = None

    def gap(self, player: str) -> tuple[int, Fraction]:
        """Sortable gap: (0, (W-S)/W), or (1, W-S) where the gap is infinite (S7, D13)."""
        best = self.points[self.ranking[0]]
        behind = best - self.points[player]
        if behind == 0:
            return (0, Fraction(0))
        if best <= 0:
            return (1, Fraction(behind))
        return (0, Fraction(behind, best))

    def per_hand(self, player: str) -> Fraction:
        """Points per scored hand, exact; nothing was made per hand where no hand was scored."""
        return Fraction(self.points[player], self.hands_played) if self.hands_played else Fraction(0)

    def adjust(self, player: str, value: int) -> None:
        """Enter an adjustment in the tournament's general standings."""
        self.ledger[player] = self.ledger.get(player, 0) + value

    def report(self) -> dict:
        """The match in the result."""
        lines = []
        for number, (before, player) in enumerate(with_predecessor(self.ranking), start=1):
            shares = before is not None and self.points[before] == self.points[player]
            lines.append(
                {
                    "player": player,
                    "order": number,
                    "place": lines[-1]["place"] if shares else number,
                    "points": self.points[player],
                    "gap": gap_text(self.gap(player)),
                    "gap_percent": gap_percent(self.gap(player)),
                    "decided_by": self.order.decided_by(before, player),
                }
            )
        return {
            "stage": self.stage,
            "name": self.name,
            "hands_played": self.hands_played,
            "golden_call": self.golden_call,
            "ranking": lines,
        }


def gap_text(gap: tuple[int, Fraction]) -> str:
    """Lowest terms: "0", "41/887", "2", or "inf"."""
    return "inf" if gap[0] else str(gap[1])


def gap_percent(gap: tuple[int, Fraction]) -> str:
    """Per cent with two decimals, half up, or "inf". A gap is never negative."""
    if gap[0]:
        return "inf"
    hundredths = (gap[1] * 10000 + Fraction(1, 2)) // 1
    return f"{hundredths // 100}.{hundredths % 100:02d}"


def hand_scores(seats: list[str], caller: str, called: str, bid: int, made: int) -> dict[str, int]:
    """S15: what each seat gets from a hand that stands."""
    alone = caller == called
    if made >= bid:
        return {seat: (2 * bid if alone else bid) if seat in (caller, called) else 0 for seat in seats}
    return {seat: -(bid - made) if seat in (caller, called) else 120 - made for seat in seats}


def play(heat: dict, stage: int, where: str, rules: dict, before: Counter, rank: dict[str, int], lots: Lots) -> Match:
    """The match of a heat of the file.

    `before`: disloyal raises of earlier stages that count here; `rank`: A.G.P. ranks before this edition.
    """
    match = Match(stage, heat["name"], heat["seats"], dict.fromkeys(heat["seats"], 0))
    if "totals" in heat:
        match.known = False
        match.points = dict(heat["totals"])
        match.hands_played = heat["hands_played"]
        match.ledger = dict(heat.get("adjustments", {}))
    else:
        for index, hand in enumerate(heat["hands"]):
            _enter(match, hand, f"{where}/hands/{index}", rules, before)
    _rank(match, rules["tie_chain"], rank, lots)
    return match


def _enter(match: Match, hand: dict, where: str, rules: dict, before: Counter) -> None:
    """One entry of the sheet."""
    ruling = hand.get("ruling", {"kind": None})
    if ruling["kind"] == "award":
        match.points[ruling["player"]] += ruling["points"]
        return
    caller, bid, made = hand["caller"], hand["bid"], hand.get("made")
    if not rules["min_bid"] <= bid <= 120:
        raise RefusedError("S12", f"{where}/bid", f"bids go from {rules['min_bid']} to 120")
    if made is not None and not 0 <= made <= 120:
        raise RefusedError("S15", f"{where}/made", "a hand has 120 points")
    lost = max(bid - made, 0) if made is not None else 0  # points lost in the hand
    if ruling["kind"] == "suicidal_call":
        if lost == 0:
            raise RefusedError("S17", f"{where}/ruling", "only a lost hand can be suicidal")
        match.points[caller] -= rules["suicidal_points"] + lost
        match.adjust(caller, rules["suicidal_ledger"])
    elif ruling["kind"] == "disloyal_raise":
        if bid <= rules["disloyal_above"]:
            raise RefusedError("S18", f"{where}/ruling", f"only a bid above {rules['disloyal_above']} can be disloyal")
        match.offences[caller] += 1
        count = match.offences[caller] + before[caller]
        scale = rules["disloyal_points"]
        match.points[caller] -= scale[min(count, len(scale)) - 1] + lost
    else:
        _score(match, caller, hand["called"], bid, made)


def _score(match: Match, caller: str, called: str, bid: int, made: int) -> None:
    """A hand that stands: its scores, and who won it."""
    match.hands_played += 1
    for seat, points in hand_scores(match.seats, caller, called, bid, made).items():
        match.points[seat] += points
    if made < bid:
        return
    for winner in {caller, called}:
        match.hands_won[winner] += 1
    match.best_bid[caller] = max(match.best_bid[caller], bid)
    if match.golden_call is None or bid > match.golden_call["bid"]:
        match.golden_call = {"player": caller, "bid": bid, "solo": caller == called}


def _rank(match: Match, chain: list[str], rank: dict[str, int], lots: Lots) -> None:
    """The strict order inside the match, by points and then by the tie chain."""
    steps = {
        "hands_won": lambda player: -match.hands_won[player],
        "golden_call": lambda player: -match.best_bid[player],
        "agp": lambda player: rank.get(player, LAST),
    }
    unknown = set() if match.known else {"hands_won", "golden_call"}
    used = [step for step in chain if step != "lot" and step not in unknown]
    keys = {seat: (-match.points[seat], *(steps[step](seat) for step in used)) for seat in match.seats}
    match.order = Order(keys, 1, used, lots, "lot")
    match.ranking = match.order.sequence(match.seats)
