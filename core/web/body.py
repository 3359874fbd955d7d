"""How large a request body a view accepts. The ASGI root reads the mark and refuses a larger one with 413."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, TypeVar

DEFAULT_LIMIT = 256 * 1024  # bytes
View = TypeVar("View", bound=Callable[..., Any])


def body_limit(size: int) -> Callable[[View], View]:
    """Marks a view: its request body has at most `size` bytes. Unmarked views have `DEFAULT_LIMIT`."""

    def mark(view: View) -> View:
        @wraps(view)
        def limited(*args: Any, **kwargs: Any) -> Any:
            return view(*args, **kwargs)

        limited.body_limit = size  # type: ignore[attr-defined]
        return limited  # type: ignore[return-value]

    return mark
