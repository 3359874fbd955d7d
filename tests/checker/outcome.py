"""What a check ends in, and the two ways a file can fail."""

from dataclasses import dataclass, field


class BadFileError(Exception):
    """Exit 2: the file itself is wrong. `faults` maps each JSON Pointer at fault to a sentence."""

    def __init__(self, faults: dict[str, str]) -> None:
        super().__init__(f"{len(faults)} faults")
        self.faults = faults


class RefusedError(Exception):
    """Exit 3: the rules refuse what the file says, by an article of the regulation."""

    def __init__(self, article: str, pointer: str, sentence: str) -> None:
        super().__init__(sentence)
        self.article = article
        self.pointer = pointer
        self.sentence = sentence


@dataclass(frozen=True)
class Outcome:
    """`exit` 0 with `result`; 2 with `faults`; 3 with `article`, `pointer` and `sentence`."""

    exit: int
    result: dict | None = None
    faults: dict[str, str] = field(default_factory=dict)
    article: str | None = None
    pointer: str | None = None
    sentence: str | None = None

    @property
    def pointers(self) -> frozenset[str]:
        """Every JSON Pointer the outcome complains about."""
        if self.exit == 3:
            return frozenset([self.pointer or ""])
        return frozenset(self.faults)


def pointer(parent: str, token: str | int) -> str:
    """JSON Pointer of a member (RFC 6901 escapes)."""
    return parent + "/" + str(token).replace("~", "~0").replace("/", "~1")
