#!/usr/bin/env python3
"""Checks a hand of cards with nothing but Python: this one file, and none of the programs that dealt it.

    python3 verify_deal.py FILE [--commitment HEX]
    python3 verify_deal.py --seed HEX --game gin --dealer 2 [--players 3] [--commitment HEX]

FILE is the record of a hand. HEX is the commitment that was published before the first move: note it down then. Printed
are the commitment of the seed and the cards that each seat was dealt. Then the cards are followed through the moves:
whether each was held by who played it, in his turn. (Auctions, melds and points are not.) Exit status 0: all agrees.

From a seed to a deck: SHA-256 of: length of the purpose (4 bytes, big-endian), purpose, seed, number of the block (8
bytes, from 0 on). A digest is four 64-bit numbers. For a number below n, those that are not below the greatest multiple
of n are skipped, then the remainder counts. Fisher-Yates from the last card to the second.
"""

import argparse
import hashlib
import json
import sys

ITALIAN = ("italian", "coins cups swords batons", "2 4 5 6 7 j c k 3 a")  # ranks from the weakest to the strongest
FRENCH = ("french", "spades clubs diamonds hearts", "a 2 3 4 5 6 7 8 9 10 j q k")
DECKS = {"gingo": ITALIAN, "briscola": ITALIAN, "gin": FRENCH}
FOLLOWS = dict.fromkeys(("take", "draw", "pick"), ("discard", "knock", "big_gin")) | {"pass": ("take", "pass")}
FOLLOWS |= {"discard": ("draw", "pick"), "knock": ("lay",), "lay": ("lay",), "big_gin": ()}


class Wrong(Exception):
    """What does not agree, in a sentence."""


def check(holds, sentence):
    if not holds:
        raise Wrong(sentence)


def shuffled(cards, seed, purpose):
    start = len(purpose).to_bytes(4, "big") + purpose.encode() + seed
    cards, numbers, block = list(cards), [], 0
    for last in range(len(cards) - 1, 0, -1):
        number = 2**64
        while number >= 2**64 // (last + 1) * (last + 1):
            if not numbers:
                digest = hashlib.sha256(start + block.to_bytes(8, "big")).digest()
                numbers = [int.from_bytes(digest[at : at + 8], "big") for at in (0, 8, 16, 24)]
                block += 1
            number = numbers.pop(0)
        other = number % (last + 1)
        cards[last], cards[other] = cards[other], cards[last]
    return cards


def dealt(game, seed, dealer, players):
    """The hands by seat, and the rest of the deck, its top first: one card at a time, the dealer gets the last."""
    name, suits, ranks = DECKS[game]
    deck = [f"{suit}-{rank}" for suit in suits.split() for rank in ranks.split()]
    deck = shuffled(deck, seed, f"deal of the {name} deck")
    count = 8 if game != "gin" else 10 if players == 2 else 7
    hands = [deck[(seat - dealer - 1) % players : players * count : players] for seat in range(players)]
    return hands, deck[players * count :]


def put_down(number, seat, card, hand):
    check(card in hand, f"Move {number}: seat {seat} does not hold {card}.")
    hand.remove(card)


def follow_tricks(moves, hands, turn, caller_leads):
    """The winner of a trick leads to the next: the highest trump, else the highest card of the suit that was led."""
    trump, table, ranks = None, [], ITALIAN[2].split()
    for number, (seat, verb, *value) in enumerate(moves):
        check(verb == "play" if trump else verb in ("bid", "knock", "pass", "call"), f"Move {number}: no {verb} now.")
        if verb == "call":
            check(seat in range(5) and any(value[0] in hand for hand in hands), f"Move {number}: no such call.")
            trump, turn = value[0].split("-")[0], seat if caller_leads else turn
        elif verb == "play":
            check(seat == turn, f"Move {number}: it is not the turn of seat {seat}.")
            put_down(number, seat, value[0], hands[seat])
            suit, rank = value[0].split("-")
            led = table[0][4] if table else suit
            table.append((suit == trump, suit == led, ranks.index(rank), seat, suit))
            turn = (seat + 1) % 5
            if len(table) == 5:
                turn, table = max(table)[3], []


def follow_gin(moves, hands, stock, turn, seed):
    """A stock of two gets the discards but the last on its top, shuffled."""
    stock, shuffles = stock[::-1], 0
    discards, lawful, end = [stock.pop()], FOLLOWS["pass"], len(moves)
    for number, (seat, verb, *value) in enumerate(moves):
        check(seat == turn, f"Move {number}: it is not the turn of seat {seat}.")
        check(verb in lawful and number < end, f"Move {number}: no {verb} now.")
        takes = verb in ("take", "pick", "draw")
        lawful = ("draw",) if (verb, number + 1) == ("pass", len(hands)) else FOLLOWS[verb]  # all have passed
        if takes:
            hands[seat].append((stock if verb == "draw" else discards).pop())
        elif verb in ("discard", "knock"):
            put_down(number, seat, value[0], hands[seat])
            discards.append(value[0])
            if verb == "discard" and len(stock) <= 2:
                shuffles += 1
                stock += shuffled(discards[:-1], seed, f"shuffle {shuffles}")
                del discards[:-1]
            end = number + len(hands) if verb == "knock" else end  # the others lay once
        turn = turn if takes else (turn + 1) % len(hands)


def main():
    parser = argparse.ArgumentParser(description="Checks the deal of a hand.")
    parser.add_argument("file", nargs="?", help="the record of a hand")
    parser.add_argument("--seed", help="64 hexadecimal digits")
    parser.add_argument("--game", choices=DECKS, default="gingo")
    parser.add_argument("--dealer", type=int, default=0)
    parser.add_argument("--players", type=int, default=2, help="of gin")
    parser.add_argument("--commitment", help="what was published before the first move")
    given = parser.parse_args()
    record = vars(given) | {"seed": given.seed or "", "options": {"players": given.players}, "moves": []}
    if given.file:
        with open(given.file, encoding="utf-8") as opened:
            record = json.load(opened)
    game, dealer, moves = record["game"], record["dealer"], record["moves"]
    check(game in DECKS, f"This program knows {', '.join(DECKS)}.")
    players = record["options"].get("players", 2) if game == "gin" else 5
    check(players in ((2, 3, 4) if game == "gin" else (5,)) and dealer in range(players), "There is no such seat.")
    seed = bytes.fromhex(record["seed"])
    check(len(seed) == 32, "A seed has 64 hexadecimal digits.")
    found = hashlib.sha256(seed).hexdigest()
    print(f"commitment {found}")
    published = {record["commitment"], given.commitment and given.commitment.strip().lower()}
    check(published <= {found, None}, "Another commitment was published: this is another deal.")
    hands, stock = dealt(game, seed, dealer, players)
    for seat, hand in enumerate(hands):
        print(f"seat {seat}: {' '.join(hand)}")
    if game == "gin":
        print(f"face up: {stock[0]}")
        follow_gin(moves, hands, stock, (dealer + 1) % players, seed)
    else:
        follow_tricks(moves, hands, (dealer + 1) % 5, caller_leads=game == "gingo")
    print(f"{len(moves)} moves: every card was held by who played it")


if __name__ == "__main__":
    try:
        main()
    except Wrong as wrong:
        sys.exit(str(wrong))
    except (OSError, ValueError, LookupError, TypeError, AttributeError, RecursionError) as error:
        sys.exit(f"This is no record that can be followed: {error!r}")
