"""Bots of Gingo and briscola a cinque in many hands: every move is lawful, and no sure win is missed."""

from gameplay.rules.bots import trick_games
from gameplay.rules.bots.trick_games import choose
from gameplay.rules.cards import cards_in
from gameplay.rules.tricks import POINTS, SEATS, winner_of
from scoring.rules.hands import Redeal
from tests.gameplay.trick_tables import ALL_ALONE, EACH_GAME, at_the_end, called, deal, dealt, lots


@EACH_GAME
def test_whole_hands_with_bots_of_all_levels_are_lawful(game, monkeypatch):
    monkeypatch.setattr(trick_games, "CARD_PLAYS", (0, 1, 40))  # the same code in fewer worlds
    redealt = alone = 0
    for number in range(300):
        levels = [(3, 1, 2, 1, 1)[(seat + number) % SEATS] for seat in range(SEATS)]
        options = game.options({"min_bid": (75, 90, 118)[number % 3]})
        cut = dealt(ALL_ALONE, lots=lots(str(number))) if number % 5 == 0 else deal(number)
        state = at_the_end(game, game.new_hand(cut, 4, options), levels, lots(str(number)))
        outcome = game.outcome(state)
        redealt += isinstance(outcome, Redeal)
        alone += not isinstance(outcome, Redeal) and outcome.caller == outcome.called
    assert redealt > 10
    assert alone


def decided(view):
    """The view at a bid that this trick decides, and the cards with which the last player wins the hand, if any."""
    side = {view.caller, view.partner}
    if len(view.trick) < 4 or view.partner is None or len(view.tricks) < 5:
        return None
    has, left = sum(view.points[seat] for seat in side), 120 - sum(view.points)
    made = {}  # the least and the most that the callers can still make with each card
    for held in cards_in(view.hand):
        trick = (*view.trick, held)
        on_it = sum(POINTS[one] for one in trick)
        taken = winner_of(trick, view.leader, view.trump) in side
        made[held] = (has + on_it, has + left) if taken else (has, has + left - on_it)
    bid = max(least for least, _most in made.values())
    sure = [held for held, (least, _most) in made.items() if least >= bid]
    rest = [held for held, (_least, most) in made.items() if most < bid]
    if not rest or len(sure) + len(rest) < len(made):
        return None
    return view._replace(bid=bid), sure if view.seat in side else rest


@EACH_GAME
def test_a_card_that_decides_the_hand_is_found(game):
    found, drawn = [], lots()
    for _ in range(200):
        state = called(game, dealt("coins-3", lots=drawn), "coins-a")
        while game.outcome(state) is None:
            view = game.view_for(state, game.view_for(state, None).turn)
            if position := decided(view):
                found.append(view.seat in (view.caller, view.partner))
                for level in (2, 3):
                    assert choose(position[0], level, drawn).value in position[1]
            state = game.apply(state, drawn.choice(view.moves))
    assert found.count(True) >= 5
    assert found.count(False) >= 5
