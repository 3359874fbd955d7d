"""The pages of an organiser's day, as tabs above each of them."""

from __future__ import annotations

from typing import Any

from django.urls import reverse
from django.utils.translation import gettext as _


def day_tabs(slug: str, current: str) -> list[dict[str, Any]]:
    """In the order in which a day goes. `current`: the name of the address of the page that shows them."""
    tabs = (
        ("tournament_settings", _("Settings")),
        ("entries", _("Entries")),
        ("check_in", _("Check-in")),
        ("draw", _("Draw")),
        ("day", _("The day")),
        ("qualified", _("Who goes on")),
    )
    return [{"label": label, "href": reverse(name, args=[slug]), "current": name == current} for name, label in tabs]
