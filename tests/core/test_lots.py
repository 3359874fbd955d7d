"""Lots that anyone can draw again."""

from collections import Counter
from hashlib import sha256

from core.lots import Lots


def test_the_stream_is_what_its_description_says():
    digest = sha256((4).to_bytes(4, "big") + b"draw" + b"\x01\x02" + (0).to_bytes(8, "big")).digest()
    words = [int.from_bytes(digest[at : at + 8], "big") for at in (0, 8, 16, 24)]
    lots = Lots(b"\x01\x02", "draw")
    assert [lots.below(1 << 64) for _ in range(4)] == words
    again = Lots(b"\x01\x02", "draw")
    assert [again.below(1000) for _ in range(4)] == [word % 1000 for word in words]


def test_a_word_that_would_favour_somebody_is_thrown_away():
    limit = (1 << 63) + 1  # nearly half of all words are unfair
    lots, words = Lots(b"x", "y"), Lots(b"x", "y")
    fair = [word for word in (words.below(1 << 64) for _ in range(50)) if word < limit]
    assert [lots.below(limit) for _ in range(len(fair))] == fair


def test_purpose_and_seed_do_not_run_into_each_other():
    assert Lots(b"bc", "a").below(1 << 64) != Lots(b"c", "ab").below(1 << 64)


def test_every_order_is_equally_likely():
    orders = Counter("".join(Lots(seed.to_bytes(2, "big"), "t").shuffled("abc")) for seed in range(6000))
    assert len(orders) == 6
    assert all(abs(count - 1000) < 150 for count in orders.values())  # five standard deviations of 28.9


def test_a_shuffle_throws_away_what_would_favour_somebody():
    first, last = (1 << 64) - 1, (1 << 64) - 2  # 2**64 leaves 1 when it is divided by three: one word too many
    lots = Lots(b"", "t")
    lots._words = iter([first, last, 0])
    assert lots.shuffled("abc") == ["b", "a", "c"]  # c is changed with itself (last % 3 is 2), then b with a


def test_a_shuffle_leaves_its_argument_alone():
    items = list(range(9))
    assert sorted(Lots(b"", "t").shuffled(items)) == items == list(range(9))
    assert Lots(b"", "t").shuffled([]) == []
    assert Lots(b"", "t").choice(["only"]) == "only"
