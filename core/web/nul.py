"""U+0000 has no place in any text of this house, and PostgreSQL takes none: it never gets there from an address."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.conf import settings
from django.http import Http404, HttpRequest
from django.http.response import HttpResponseBase

NUL = "\0"


class NoNul:
    """Middleware, before the session's: nothing is at an address with NUL (404); no session has it in its key.

    What a form brings is the business of its view: fields of forms refuse NUL, and so do the keys of commands.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        # Inside quotes a cookie can spell any byte.
        if NUL in request.COOKIES.get(settings.SESSION_COOKIE_NAME, ""):
            del request.COOKIES[settings.SESSION_COOKIE_NAME]
        return self.get_response(request)

    def process_view(self, request: HttpRequest, *_view: Any) -> None:
        """After all other middleware, so that the page that says so is like any other."""
        asked = (value for _, values in request.GET.lists() for value in values)
        if NUL in request.path_info or any(NUL in value for value in asked):
            raise Http404
