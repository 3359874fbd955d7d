"""Names in search and in lists: Italian, Turkish and everybody else, without a locale."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from players.rules.names import fold_letters, search_key, sort_key


@pytest.mark.parametrize(
    ("name", "key"),
    [
        ("IŞIK", "isik"),
        ("ışık", "isik"),
        ("İpek", "ipek"),
        ("ipek", "ipek"),
        ("I\u0307pek", "ipek"),  # a dotted capital i of two characters
        ("Çağrı Öztürk", "cagri ozturk"),
        ("ŞÜKRÜ", "sukru"),
        ("Nicolò D'Angelo", "nicolo dangelo"),
        ("Nicolo\u0300 D\u2019Angelo", "nicolo dangelo"),
        ("  Anna-Maria   Rossi ", "anna maria rossi"),
        ("Straße", "strasse"),
        ("Łukasz Ørsted", "lukasz orsted"),
        ("Æon", "aeon"),
        ("ﬁne", "fine"),
        ("Ⅳ", "iv"),
        ("Ada 2", "ada 2"),
        ("Dall’Olio", "dallolio"),
        ("Dall'Olio", "dallolio"),
        ("Đorđe Šćepanović", "dorde scepanovic"),
        ("GÖKÇE YAĞIZOĞLU", "gokce yagizoglu"),
        ("ÀÉÎÕÜ àéîõü", "aeiou aeiou"),
        ("P-4K2\u00a0(ritirata)", "p 4k2 ritirata"),
        ("李雷", "李雷"),
        ("!?", ""),
        ("", ""),
    ],
)
def test_search_keys(name: str, key: str) -> None:
    assert search_key(name) == key


@pytest.mark.parametrize("first", ["i", "ı", "I", "İ", "i\u0307", "I\u0307", "í", "Î"])
@pytest.mark.parametrize("second", ["i", "ı", "I", "İ", "ì"])
def test_whoever_writes_whichever_i_finds_the_same_person(first: str, second: str) -> None:
    for s in "şŞsS":
        assert search_key(f"{first}{s}{second}l") == search_key("Işıl") == "isil"


def test_lists_are_ordered_by_letters_then_accents_then_capitals() -> None:
    ordered = [
        "Aba",
        "Celik",
        "Çelik",
        "Cem",
        "Ilgaz",
        "Ipek",
        "İpek",
        "Işık",
        "rossi",
        "Rossi",
        "Rossi Anna",
        "Rossini",
        "Zeki",
    ]
    wanted = sorted(ordered, key=sort_key)
    assert [search_key(name) for name in wanted] == sorted(search_key(name) for name in ordered)
    assert wanted.index("Celik") + 1 == wanted.index("Çelik")
    assert wanted.index("Rossi") < wanted.index("Rossi Anna") < wanted.index("Rossini")


@given(st.text(max_size=40))
def test_a_key_is_its_own_key(name: str) -> None:
    assert search_key(search_key(name)) == search_key(name)
    assert fold_letters(fold_letters(name)) == fold_letters(name)


@given(st.text(alphabet="aAbBçÇğĞıIiİöÖşŞüÜàÀèÈ' -", max_size=20))
def test_capitals_do_not_matter_to_a_search(name: str) -> None:
    assert search_key(name.upper()) == search_key(name.lower()) == search_key(name)


@given(st.text(max_size=20), st.text(max_size=20))
def test_different_names_have_different_places(one: str, other: str) -> None:
    assert (sort_key(one) == sort_key(other)) == (one == other)


@given(st.lists(st.text(max_size=8), max_size=12))
def test_bytes_sort_as_the_keys_do(names: list[str]) -> None:
    """What COLLATE "C" does with the stored key is what Python does with it."""
    keys = [sort_key(name) for name in names if "\x00" not in name]
    assert sorted(keys) == sorted(keys, key=lambda key: key.encode("utf-8", "surrogatepass"))
