"""A link that is shown once: as an address to copy and as a square that a phone reads."""

from __future__ import annotations

import segno
from django.http import HttpRequest
from django.utils.safestring import SafeString, mark_safe

from core.web.address import absolute


def shown(request: HttpRequest, address: str, token: str) -> dict[str, SafeString | str]:
    """{link, qr}: `address` (a path of this house) with the token behind it, where no server sees it, no log keeps it.

    `qr` is an <svg> without any style of its own.
    """
    link = f"{absolute(request, address)}#{token}"
    drawn = segno.make(link, micro=False, error="m").svg_inline(omitsize=True, border=4, light="#fff")
    return {"link": link, "qr": mark_safe(drawn)}  # noqa: S308 - drawn by segno, with no word of ours in it
