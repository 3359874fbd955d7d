"""The adjustable values of a rule set, as data: one table gives their defaults and checks them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Literal, NamedTuple

from core.refusal import Param, Refusal

Kind = Literal["int", "bool", "choice", "ints", "chain"]
_JSON_TYPES = {"int": "integer", "bool": "boolean", "choice": "string", "ints": "array", "chain": "array"}
_UNLAWFUL = {"ints": "rule_bad_amounts", "choice": "rule_not_a_choice", "chain": "rule_bad_chain"}


class RuleField(NamedTuple):
    """One adjustable value.

    `int` lies in `low..high` (either may be open), `ints` is a non-empty tuple of such integers, `choice`
    is one of `choices`, `chain` is a non-empty tuple of distinct `choices` that ends in `last`.
    `article` names the rule that the value adjusts.
    """

    name: str
    kind: Kind
    default: Any
    article: str
    low: int | None = None
    high: int | None = None
    choices: tuple[str, ...] = ()
    last: str = ""

    def json_schema(self) -> dict[str, Any]:
        """The type that the published schema must give this value; ranges are refused by `check`, with the article."""
        schema: dict[str, Any] = {"type": _JSON_TYPES[self.kind]}
        if self.kind in ("ints", "chain"):
            schema["items"] = {"type": "integer" if self.kind == "ints" else "string"}
        return schema

    def check(self, value: Any) -> Any:
        """The value in its immutable form. Refusals at `/<name>`: `rule_wrong_type`; for an int `rule_out_of_range`,
        `rule_too_small`, `rule_too_large`, for `ints` `rule_bad_amounts`, for a choice `rule_not_a_choice`, for a
        chain `rule_bad_chain`."""
        if not self._is_typed(value):
            raise self._refusal("rule_wrong_type", type=_JSON_TYPES[self.kind])
        if self.kind in ("ints", "chain"):
            value = tuple(value)
        if not self._is_lawful(value):
            if self.kind == "int":
                raise self._out_of_range()
            raise self._refusal(_UNLAWFUL[self.kind], choices=self.choices, last=self.last, low=self.low or 0)
        return value

    def _out_of_range(self) -> Refusal:
        if self.low is None:
            return self._refusal("rule_too_large", high=self.high or 0)
        if self.high is None:
            return self._refusal("rule_too_small", low=self.low)
        return self._refusal("rule_out_of_range", low=self.low, high=self.high)

    def _refusal(self, code: str, **params: Param) -> Refusal:
        return Refusal(code, {"field": self.name, **params}, article=self.article, pointer=f"/{self.name}")

    def _is_typed(self, value: Any) -> bool:
        if self.kind == "bool":
            return isinstance(value, bool)
        if self.kind == "choice":
            return isinstance(value, str)
        if self.kind == "int":
            return _is_int(value)
        if not isinstance(value, (list, tuple)):
            return False
        return all(_is_int(item) if self.kind == "ints" else isinstance(item, str) for item in value)

    def _is_lawful(self, value: Any) -> bool:
        if self.kind == "int":
            return self._in_range(value)
        if self.kind == "ints":
            return bool(value) and all(map(self._in_range, value))
        if self.kind == "choice":
            return value in self.choices
        if self.kind == "chain":
            distinct = set(value)
            return distinct <= set(self.choices) and len(distinct) == len(value) and value[-1:] == (self.last,)
        return True

    def _in_range(self, value: int) -> bool:
        return (self.low is None or value >= self.low) and (self.high is None or value <= self.high)


def _is_int(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def read_rules(fields: Iterable[RuleField], given: Mapping[str, Any]) -> dict[str, Any]:
    """Every field with its given, checked value or its default. Names of other tables are passed over."""
    return {field.name: field.check(given[field.name]) if field.name in given else field.default for field in fields}
