"""The draw of seats (S4, D1) and moves in a draw, without a database."""

from itertools import permutations

import pytest

from core.refusal import Refusal
from tournaments.rules.draw import draw_heats
from tournaments.rules.draw_moves import Lists, draw_again, lists_of
from tournaments.rules.seat_draw import DECK, RANKS, draw_cards, ranks_of, seat_order

FIVE = tuple("abcde")


def dealt(cards, players=FIVE):
    return dict(zip(players, cards, strict=True))


def refused(code, work, *args):
    with pytest.raises(Refusal) as refusal:
        work(*args)
    assert refusal.value.code == code
    return refusal.value


def test_the_order_of_the_cards_is_that_of_the_pips():
    assert "".join(RANKS) == "KCJ765432A"
    assert seat_order(FIVE, [dealt("A3KJ7")]) == (("c", "d", "e", "b", "a"), ())
    for cards in permutations("KJ72A"):
        order, tied = seat_order(FIVE, [dealt(cards)])
        assert [cards[FIVE.index(player)] for player in order] == list("KJ72A")
        assert tied == ()


def test_before_the_first_round_everybody_draws():
    assert seat_order(FIVE, []) == (FIVE, FIVE)


def test_only_who_is_level_draws_again_and_keeps_his_group():
    first = dealt("7K7KA")
    assert seat_order(FIVE, [first]).tied == ("b", "d", "a", "c")
    # The first round still decides between the groups, however high a later card is.
    second = {"b": "2", "d": "3", "a": "K", "c": "K"}
    assert seat_order(FIVE, [first, second]) == (("d", "b", "a", "c", "e"), ("a", "c"))
    third = {"a": "A", "c": "2"}
    assert seat_order(FIVE, [first, second, third]) == (("d", "b", "c", "a", "e"), ())


def test_four_of_a_card_can_be_drawn_and_five_cannot():
    assert seat_order(FIVE, [dealt("KKKKC")]).tied == ("a", "b", "c", "d")
    refusal = refused("too_many_of_a_card", seat_order, FIVE, [dealt("KKKKK")])
    assert (refusal.params, refusal.article, refusal.pointer) == ({"card": "K", "most": 4}, "S4", "/rounds/0")


def test_cards_of_others_and_no_cards_are_refused():
    late = refused("wrong_drawers", seat_order, FIVE, [dealt("KCJ76"), {"a": "K"}])
    assert (late.params, late.article, late.pointer) == ({"players": ()}, "D1", "/rounds/1")
    assert refused("wrong_drawers", seat_order, FIVE, [dealt("KKJ76"), dealt("KC", "ac")]).params["players"] == (
        "a",
        "b",
    )
    refused("wrong_drawers", seat_order, FIVE, [dealt("KCJ7", "abcd")])
    assert refused("no_such_card", seat_order, FIVE, [dealt(["K", "C", "J", "7", "8"])]).pointer == "/rounds/0/e"


def test_the_house_draws_cards_of_one_deck_until_nobody_is_level():
    assert len(set(DECK)) == 40
    longer = 0
    first = dict.fromkeys(FIVE, 0)
    for number in range(600):
        rounds = draw_cards(FIVE, number.to_bytes(32, "big"))
        order, tied = seat_order(FIVE, [ranks_of(cards) for cards in rounds])
        assert tied == ()
        assert all(len(set(cards.values())) == len(cards) and set(cards.values()) <= set(DECK) for cards in rounds)
        first[order[0]] += 1
        longer += len(rounds) > 1
    # Five of forty cards have a pair in 61 of 100 cases; each player wins one of five.
    assert 310 < longer < 420
    assert all(85 < times < 160 for times in first.values())


def test_the_same_seed_gives_the_same_cards():
    seed = bytes(range(32))
    assert draw_cards(FIVE, seed) == draw_cards(FIVE, seed)
    assert draw_cards(FIVE, seed) != draw_cards(FIVE, bytes(32))


# Moves

LISTS = Lists((tuple("abcde"), tuple("fghij")), ("k", "l"))


def test_two_players_change_places():
    assert LISTS.swapped("a", "g") == Lists((tuple("gbcde"), tuple("fahij")), ("k", "l"))
    assert LISTS.swapped("l", "c") == Lists((tuple("ablde"), tuple("fghij")), ("k", "c"))
    assert LISTS.swapped("l", "c").swapped("c", "l") == LISTS
    assert (LISTS.heat_of("b"), LISTS.heat_of("j"), LISTS.heat_of("k")) == (0, 1, None)


def test_a_move_needs_two_places_of_this_draw():
    assert refused("same_heat", LISTS.swapped, "a", "b").pointer == "/with"
    refused("same_heat", LISTS.swapped, "k", "l")
    assert refused("not_in_draw", LISTS.swapped, "z", "a").params == {"player": "z"}
    refused("not_in_draw", LISTS.swapped, "a", "z")


def test_a_published_draw_comes_out_again_with_its_moves():
    players, seed = [f"p{number}" for number in range(12)], bytes(range(32))
    agp = {"p7": 1, "p3": 2}
    draw = draw_heats(players, agp, 1, seed)
    lists = lists_of(draw)
    assert [heat[0] for heat in lists.heats] == ["p7", "p3"]
    assert len(lists.reserves) == 2
    one, other, reserve = lists.heats[0][3], lists.heats[1][3], lists.reserves[0]
    again, moved = draw_again(players, agp, 1, seed, [(one, other), (reserve, one)])
    assert again == draw
    assert moved == lists.swapped(one, other).swapped(reserve, one)
    assert moved.heats[0][3] == other
    assert moved.heats[1][3] == reserve
    assert moved.reserves[0] == one
