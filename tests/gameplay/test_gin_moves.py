"""What comes in as a move of gin rummy, hands played at random, and the options with their page."""

from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.lots import Lots
from core.refusal import Refusal
from gameplay.rules import gin
from gameplay.rules.deals import deal_from
from gameplay.rules.moves import Move
from scoring.rules.gin import FIELDS as SCORING_FIELDS
from scoring.rules.gin import gin_points
from tests.gameplay.gin_tables import after, all_cards, held, knocked, lawful_walk, refused, start

RULES_PAGE = Path(__file__).parents[2] / "docs/rules/gin-rummy.md"


def test_a_move_has_its_seat_its_phase_and_its_turn():
    state = start(["", ""])
    assert refused(state, 2, "pass")[0] == "no_such_seat"
    assert refused(state, -1, "pass")[0] == "no_such_seat"
    assert refused(state, 1, "pass")[0] == "not_your_turn"
    assert refused(state, 0, "draw")[0] == "wrong_phase"
    assert refused(state, 0, "bid")[0] == "wrong_phase"
    assert refused(state, 3, "bid")[0] == "wrong_phase"


@pytest.mark.parametrize(
    "move", [(0, "draw"), (0, "bid", 70), (-1, "knock"), (-1, "bid"), (7, "lay"), (0, "discard", 3)]
)
def test_after_the_end_every_move_is_one_too_many(move):
    over = after(start(["", ""], turn_cap=1), "take")
    over = gin.apply(over, gin.legal_moves(over)[0])
    assert refused(over, *move) == ("hand_over", "")


def test_out_of_turn_is_told_with_the_article_of_what_goes_on():
    first = start(["", "9s"])
    dealt = after(first, "pass", "pass")
    taken = after(first, "take")
    thrown = gin.apply(taken, gin.legal_moves(taken)[0])
    down = knocked("4h5h6hAsAc2d3s", ["", ""], "Kd")
    for state, article in ((first, "R3"), (dealt, "R3"), (taken, "R4"), (thrown, "R4"), (down, "R7")):
        verb = {"upcard": "take", "discard": "discard"}.get(state.phase, state.phase)
        assert refused(state, (state.turn + 1) % 2, verb) == ("not_your_turn", article)
        assert refused(state, state.turn, "bid") == refused(state, 5, "bid") == ("wrong_phase", article)


@pytest.mark.parametrize("verb", ["discard", "knock"])
@pytest.mark.parametrize("value", [-1, 52, 60, 999])
def test_a_card_of_no_deck_is_told(verb, value):
    over = after(start(["", ""], turn_cap=1), "take")
    for state in (start(["", ""]), gin.apply(over, gin.legal_moves(over)[0])):
        with pytest.raises(Refusal) as caught:
            gin.apply(state, Move(0, verb, value))
        refusal = caught.value
        assert (refusal.code, refusal.params, refusal.pointer) == ("no_such_card", {"card": str(value)}, "/value")


@pytest.mark.parametrize(
    "move",
    [
        (0, "take", 1),
        (0, "take", 0, (7,)),
        (True, "take"),
        (0, b"take"),
        (0, "take", 0.0),
        (0, "take", 0, []),
        (0, "take", 0, ("7",)),
        (0, "bid", 70, (7,)),
        (0, "bid", 1000),
        (0, "discard", 1000),
        (0, "discard", -1000),
        (0, "knock", 10**5000),
        (0, "big_gin", 1),
        (0, "discard", 3, (7,)),
    ],
)
def test_a_move_carries_nothing_that_its_verb_does_not_take(move):
    assert refused(start(["", ""]), *move)[0] == "move_malformed"


anything = st.one_of(
    st.none(), st.booleans(), st.integers(), st.floats(), st.text(max_size=5), st.binary(max_size=3), st.lists(st.integers(), max_size=3)
)  # fmt: skip
verbs_and_worse = st.sampled_from(["take", "pass", "draw", "pick", "discard", "knock", "big_gin", "lay", "bid"])
odd_moves = st.builds(
    Move,
    st.integers(-2, 5) | anything,
    verbs_and_worse | anything,
    st.integers(-1, 52) | st.integers() | anything,
    st.lists(st.integers() | st.just(held("AsAcAd")) | anything, max_size=3).map(tuple) | anything,
)


class Lying(Move):
    """It is all things to all men, and none of them when looked at again."""

    def __iter__(self):
        return iter((0, "take", 0, ()))

    def __eq__(self, other):
        return True

    def __hash__(self):
        return hash(_TAKE)

    def __len__(self):
        return 4


class Disguised:
    """Nothing, under the name of a move."""

    __class__ = Move
    seat, verb, value, melds = 0, "take", 0, ()

    def __iter__(self):
        return iter((self.seat, self.verb, self.value, self.melds))

    def __len__(self):
        return 4


_TAKE = Move(0, "take")
FORGED = (
    Lying(0, "take"),
    Lying(1, "pass", 7, (7,)),
    Disguised(),
    type("Named", (Move,), {"__module__": Move.__module__})(0, "take"),
    tuple.__new__(Move, ()),
    tuple.__new__(Move, (0, "take", 0)),
    tuple.__new__(Move, (0, "take", 0, (), 0)),
    tuple(_TAKE),
    list(_TAKE),
)
WALKS = [
    [
        state
        for state, _ in lawful_walk(
            gin.options({"players": players}), deal_from(bytes([players]) * 32, gin.DECK), Lots(b"fuzz", "walk")
        )
    ]
    for players in (2, 3, 4)
]


@pytest.mark.parametrize("forged", FORGED, ids=lambda forged: type(forged).__name__)
def test_what_only_looks_like_a_move_is_none(forged):
    """Each would take the first card, if it were what it says."""
    with pytest.raises(Refusal, match="move_malformed"):
        gin.apply(start(["", ""]), forged)
    assert gin.apply(start(["", ""]), _TAKE).phase == "discard"


@given(
    st.sampled_from(WALKS).flatmap(st.sampled_from),
    odd_moves | anything | st.sampled_from(FORGED) | st.tuples(anything, anything),
)
def test_whatever_is_no_lawful_move_is_refused_and_nothing_else_happens(state, move):
    before = tuple(state)
    try:
        found = gin.apply(state, move)
    except Refusal:
        found = state
    else:
        assert type(move) is Move
        assert len(move) == 4
    assert sorted(all_cards(found)) == list(range(52))
    assert tuple(state) == before


@pytest.mark.parametrize("given_", [{}, {"stock_end": "void"}, {"big_gin_bonus": 31, "may_return_upcard": True}])
@pytest.mark.parametrize("players", [2, 3, 4])
def test_hands_played_at_random_keep_every_card_and_settle_to_nothing(players, given_):
    options = gin.options({"players": players, "knock_limit": 10, **given_})
    lots = Lots(bytes([players]), "hands")
    kinds = set()
    for seed in range(20):
        walk = list(lawful_walk(options, deal_from(seed.to_bytes(32, "big"), gin.DECK), lots))
        for state, _ in walk:
            assert sorted(all_cards(state)) == list(range(52))
            assert all(known & hand == known for known, hand in zip(state.known, state.hands, strict=True))
        replayed = walk[0][0]
        for (_, move), (following, _) in pairwise(walk):
            assert gin.outcome(replayed) is None
            replayed = gin.apply(replayed, Move(*move))  # an equal move, not the same object
            assert replayed == following
        found = gin.outcome(replayed)
        kinds.add(found.kind)
        assert sum(gin_points(found, options)) == 0
    assert "knock" in kinds


# Options


def test_options_that_are_off_by_default_can_be_said_to_be():
    assert gin.options({"big_gin_bonus": None, "target_score": None}) == gin.options({})
    assert gin.options(gin.options({"target_score": 100})._asdict()).target_score == 100
    with pytest.raises(Refusal, match="rule_wrong_type"):
        gin.options({"gin_bonus": None})


def test_the_page_of_the_rules_has_a_row_for_every_option():
    rows = {}
    for line in RULES_PAGE.read_text().splitlines():
        cells = [cell.strip().strip("`") for cell in line.strip("|").split("|")]
        if line.startswith("| `"):
            rows[cells[0]] = cells[1:]
    fields = {field.name: field for field in (*gin.FIELDS, *SCORING_FIELDS)}
    assert set(rows) == set(fields) == set(gin.GinOptions._fields)
    for name, field in fields.items():
        values, default, article = rows[name][:3]
        assert article == field.article
        assert default == {None: "none", False: "no"}.get(field.default, str(field.default))
        if field.kind == "int":
            assert values == f"{field.low} to {field.high}" + (", or none" if field.default is None else "")
        if field.kind == "choice":
            assert values == ", ".join(field.choices)
