"""The theme switch without script: a cookie, and back to where one was."""

from __future__ import annotations

import pytest
from django.test import Client


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_a_theme_is_kept_in_a_cookie(client: Client, theme):
    answer = client.post("/i18n/theme/", {"theme": theme, "next": "/rules/?a=1"})
    assert (answer.status_code, answer.headers["Location"]) == (302, "/rules/?a=1")
    assert answer.cookies["theme"].value == theme
    assert answer.cookies["theme"]["samesite"] == "Lax"


@pytest.mark.parametrize("theme", ["auto", "", 'dark"><script>', "DARK"])
def test_anything_else_goes_back_to_the_device(client: Client, theme):
    client.cookies["theme"] = "dark"
    answer = client.post("/i18n/theme/", {"theme": theme})
    assert answer.headers["Location"] == "/"
    assert answer.cookies["theme"]["max-age"] == 0


@pytest.mark.parametrize(
    "elsewhere", ["https://example.org/", "//example.org", "javascript:alert(1)", "\\\\example.org"]
)
def test_it_never_leads_elsewhere(client: Client, elsewhere):
    assert client.post("/i18n/theme/", {"theme": "dark", "next": elsewhere}).headers["Location"] == "/"


def test_it_is_a_post_with_a_token():
    strict = Client(enforce_csrf_checks=True)
    assert strict.post("/i18n/theme/", {"theme": "dark"}).status_code == 403
    assert strict.get("/i18n/theme/").status_code == 405
