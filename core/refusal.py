"""The one way a rule says no."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

Param = str | int | tuple[str, ...]
_NOTHING: Mapping[str, Param] = MappingProxyType({})


class Refusal(Exception):
    """A rule refuses: a code, the values a sentence needs, and the article that says so.

    `code` is a stable snake_case name; pages turn it into a sentence in three languages.
    `article` is the id of the rule (`S17`, `D3`, ...), empty where no article is behind it.
    `pointer` is a JSON Pointer into the thing that was refused, empty for the whole of it.
    """

    def __init__(
        self,
        code: str,
        params: Mapping[str, Param] = _NOTHING,
        *,
        article: str = "",
        pointer: str = "",
    ) -> None:
        super().__init__(code, dict(params), article, pointer)
        self.code = code
        self.params = params
        self.article = article
        self.pointer = pointer

    def at(self, pointer: str) -> Refusal:
        """The same refusal, seen from further out: `pointer` is put in front of its own."""
        return Refusal(self.code, self.params, article=self.article, pointer=pointer + self.pointer)
