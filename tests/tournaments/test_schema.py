"""The published schema is the one that is used, and it knows every adjustable rule."""

import json

from gameplay.rules import ruleset as game
from scoring.rules import ruleset as scoring
from tournaments.exchange.reading import SCHEMA_FILE
from tournaments.rules import ruleset as placing


def test_the_schema_holds_every_rule_with_its_type():
    schema = json.loads(SCHEMA_FILE.read_text("utf-8"))
    published = schema["$defs"]["rules"]["properties"]
    fields = (*game.FIELDS, *scoring.FIELDS, *placing.FIELDS)
    assert published == {field.name: field.json_schema() for field in fields}
