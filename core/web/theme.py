"""Light, dark, or as the device has it: one cookie, chosen by a plain form."""

from __future__ import annotations

from django.conf import settings
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.utils.http import url_has_allowed_host_and_scheme
from django.views.decorators.http import require_POST

COOKIE = "theme"
CHOICES = frozenset({"light", "dark"})
ONE_YEAR = 365 * 24 * 3600


@require_POST
def set_theme(request: HttpRequest) -> HttpResponse:
    """POST theme=light|dark|auto, next=path: sets or drops the cookie and goes back. Anything else means auto."""
    back = request.POST.get("next", "/")
    if not url_has_allowed_host_and_scheme(back, allowed_hosts={request.get_host()}, require_https=request.is_secure()):
        back = "/"
    response = HttpResponseRedirect(back)
    theme = request.POST.get("theme", "")
    if theme in CHOICES:
        response.set_cookie(COOKIE, theme, max_age=ONE_YEAR, samesite="Lax", secure=settings.SESSION_COOKIE_SECURE)
    else:
        response.delete_cookie(COOKIE, samesite="Lax")
    return response
