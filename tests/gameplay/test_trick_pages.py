"""The pages that tell the rules name every option as the programs have it."""

from pathlib import Path

import pytest

from gameplay.rules.ruleset import FIELDS as GAME
from scoring.rules.briscola import FIELDS as BRISCOLA
from scoring.rules.ruleset import FIELDS as SCORING
from tournaments.rules.ruleset import FIELDS as PLACING

PAGES = Path(__file__).parents[2] / "docs/rules"
WORDS = {True: "yes", False: "no", None: "as match_minutes"}


def told(value):
    if isinstance(value, tuple):
        return ", ".join(map(str, value))
    return WORDS[value] if value is None or isinstance(value, bool) else str(value)


def values(field):
    if field.name == "second_final_minutes":  # its limits hang on another field
        return "half of match_minutes to match_minutes"
    if field.kind == "int":
        return (
            f"{field.low} or more"
            if field.high is None
            else f"{field.high} or less"
            if field.low is None
            else f"{field.low} to {field.high}"
        )
    return {
        "bool": "yes, no",
        "choice": ", ".join(field.choices),
        "ints": f"a list, each {field.low} or more",
        "chain": f"a list of {', '.join(field.choices)}; {field.last} is last",
    }[field.kind]


@pytest.mark.parametrize(
    ("page", "fields"), [("gingo.md", (*SCORING, *GAME, *PLACING)), ("briscola-a-cinque.md", BRISCOLA)]
)
def test_every_option_is_a_row(page, fields):
    lines = (PAGES / page).read_text(encoding="utf-8").splitlines()
    rows = [
        [cell.strip().strip("`") for cell in line.strip("|").split("|")] for line in lines if line.startswith("| `")
    ]
    assert all(row[4] for row in rows)
    assert [row[:4] for row in rows] == [
        [field.name, values(field), told(field.default), field.article] for field in fields
    ]
