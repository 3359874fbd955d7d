"""Addresses that leave a page: on paper, in a code for a phone, in a message."""

from __future__ import annotations

from django.conf import settings
from django.http import HttpRequest


def absolute(request: HttpRequest, path: str) -> str:
    """A path of this house with the address under which phones find it.

    Where the house serves a hall that is its address there: an organiser who looks at it on the laptop itself, as
    localhost, must not print a code that leads every phone to itself.
    """
    return f"{settings.PUBLIC_ADDRESS}{path}" if settings.PUBLIC_ADDRESS else request.build_absolute_uri(path)
