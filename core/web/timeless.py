"""No answer tells the time: beside a clock that the players must not see, the server's own would be one."""

from __future__ import annotations

from collections.abc import Callable

from django.http import HttpRequest
from django.http.response import HttpResponseBase

GetResponse = Callable[[HttpRequest], HttpResponseBase]


def timeless(get_response: GetResponse) -> GetResponse:
    """Middleware, the outermost: cookies keep their Max-Age and lose the date of their end; Expires goes, too."""

    def answer(request: HttpRequest) -> HttpResponseBase:
        response = get_response(request)
        for cookie in response.cookies.values():
            cookie["expires"] = ""
        if response.has_header("Expires"):
            del response.headers["Expires"]
        return response

    return answer
