"""Single corrections of a tournament file, drawn by lot."""

from itertools import pairwise

from tournaments.rules.replay import FINAL


def heats_with(file, part):
    return [heat for stage in file["stages"] for heat in stage["heats"] if part in heat]


def some_heat(lots, file, part="seats"):
    heats = heats_with(file, part)
    return lots.choice(heats) if heats else None


def some_hand(lots, file, *keys):
    hands = [hand for heat in heats_with(file, "hands") for hand in heat["hands"] if set(keys) <= hand.keys()]
    return lots.choice(hands) if hands else None


def swap(lots, items):
    """Two different places of a list change their contents."""
    if len(items) < 2:
        return False
    first, second = lots.shuffled(range(len(items)))[:2]
    items[first], items[second] = items[second], items[first]
    return items[first] != items[second]


def other(lots, items, than):
    return lots.choice([item for item in items if item != than])


def made(lots, file):
    if hand := some_hand(lots, file, "made"):
        hand["made"] = other(lots, range(121), hand["made"])
    return bool(hand)


def bid(lots, file):
    if hand := some_hand(lots, file, "bid"):
        hand["bid"] = other(lots, range(61, 121), hand["bid"])
    return bool(hand)


def caller(lots, file):
    if heat := some_heat(lots, file, "hands"):
        hands = [hand for hand in heat["hands"] if "caller" in hand]
        key = lots.choice(["caller", "called"])
        if hands and key in (hand := lots.choice(hands)):
            hand[key] = other(lots, heat["seats"], hand[key])
            return True
    return False


def award(lots, file):
    if heat := some_heat(lots, file, "hands"):
        ruling = {"kind": "award", "player": lots.choice(heat["seats"]), "points": lots.below(99) - 49}
        heat["hands"].insert(
            lots.below(len(heat["hands"]) + 1), {"ruling": {**ruling, "article": "S19", "reason": "new"}}
        )
    return bool(heat)


def change_award(lots, file):
    awards = [
        (heat, hand["ruling"])
        for heat in heats_with(file, "hands")
        for hand in heat["hands"]
        if hand.get("ruling", {}).get("kind") == "award"
    ]
    if awards:
        heat, ruling = lots.choice(awards)
        key = lots.choice(["player", "points", "article", "reason"])
        values = {"player": heat["seats"], "points": range(-60, 61), "article": ["S2", "S16"], "reason": ["a", "b"]}
        ruling[key] = other(lots, values[key], ruling[key])
    return bool(awards)


def ruling(lots, file):
    hand = some_hand(lots, file, "made", "ruling") or some_hand(lots, file, "made")
    if hand and hand.pop("ruling", None) is None:
        hand["ruling"] = {"kind": "suicidal_call"}
    return bool(hand)


def drop_hand(lots, file):
    heat = some_heat(lots, file, "hands")
    if heat and len(heat["hands"]) > 1:
        del heat["hands"][lots.below(len(heat["hands"]))]
        return True
    return False


def seats(lots, file):
    return swap(lots, some_heat(lots, file)["seats"])


def heat_name(lots, file):
    some_heat(lots, file)["name"] += " bis"
    return True


def heat_order(lots, file):
    return swap(lots, lots.choice(file["stages"])["heats"])


def totals(lots, file):
    if heat := some_heat(lots, file, "totals"):
        heat["totals"][lots.choice(heat["seats"])] += 1 + lots.below(40)
    return bool(heat)


def hands_played(lots, file):
    if heat := some_heat(lots, file, "totals"):
        heat["hands_played"] += 1
    return bool(heat)


def adjustments(lots, file):
    if heat := some_heat(lots, file, "totals"):
        ledger = heat.setdefault("adjustments", {})
        player = lots.choice(heat["seats"])
        ledger[player] = ledger.get(player, 0) - 1
    return bool(heat)


def last_stage(lots, file):
    return len(file["stages"]) > 1 and bool(file["stages"].pop())


def lot_order(lots, file):
    return swap(lots, file["lots"])


def drop_lot(lots, file):
    return bool(file["lots"].pop(lots.below(len(file["lots"]))))


def entries(lots, file):
    return swap(lots, file["entries"])


def withdrawal(lots, file):
    if not file["withdrawals"]:
        file["withdrawals"].append({"player": lots.choice(file["stages"][0]["heats"][0]["seats"]), "from": FINAL})
    elif lots.below(2):
        file["withdrawals"].pop(lots.below(len(file["withdrawals"])))
    else:
        item = lots.choice(file["withdrawals"])
        item["player"] = other(lots, file["entries"], item["player"])
    return True


def edition_ranking(lots, file):
    """An entrant changes places with the next; of two who are known from nowhere else nobody could tell."""
    known = set(file["entries"])
    pairs = [
        (edition["ranking"], at)
        for edition in file["editions_before"]
        for at, pair in enumerate(pairwise(edition["ranking"]))
        if known.intersection(pair)
    ]
    if pairs:
        ranking, at = lots.choice(pairs)
        ranking[at], ranking[at + 1] = ranking[at + 1], ranking[at]
    return bool(pairs)


def edition_adjustment(lots, file):
    ranked = [edition for edition in file["editions_before"] if edition["ranking"]]
    if ranked:
        edition = lots.choice(ranked)
        edition.setdefault("adjustments", {}).update({lots.choice(edition["ranking"]): -2 - lots.below(9)})
    return bool(ranked)


def edition_number(lots, file):
    if file["editions_before"]:
        lots.choice(file["editions_before"])["edition"] -= 100
    return bool(file["editions_before"])


def edition_order(lots, file):
    return swap(lots, file["editions_before"])


def fact(lots, file):
    changes = {"name": "Other", "date": "2027-01-02", "venue": "Elsewhere", "edition": 99, "series": "cup"}
    key = lots.choice(list(changes))
    file["tournament"][key] = changes[key]
    return True


def rule(lots, file):
    changes = {"knock_ms": 700, "second_final": False, "tie_chain": ["hands_won", "lot"], "suicidal_points": 210}
    key = lots.choice(list(changes))
    rules = file["tournament"].setdefault("rules", {})
    changed = rules.get(key) != changes[key]
    rules[key] = changes[key]
    return changed


CHANGES = (
    *(made, bid, caller, award, change_award, ruling, drop_hand, seats, heat_name, heat_order, totals, hands_played),
    *(adjustments, last_stage, lot_order, drop_lot, entries, withdrawal, edition_ranking, edition_adjustment),
    *(edition_number, edition_order, fact, rule),
)


def changed_once(lots, file):
    """Applies one change in place and says which; every file allows some."""
    while True:
        change = lots.choice(CHANGES)
        if change(lots, file):
            return change.__name__
