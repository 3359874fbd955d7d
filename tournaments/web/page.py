"""What every page of tournaments has in common."""

from __future__ import annotations

from typing import Any

from django.urls import reverse
from django.utils.translation import gettext as _


def page(*crumbs: tuple[str, str], **context: Any) -> dict[str, Any]:
    """The context of a page: navigation, address of the rules, and breadcrumbs as pairs of label and address.

    The last crumb is the page itself; its address is not shown.
    """
    nav = [
        {"href": reverse("home"), "label": _("Tournaments")},
        {"href": reverse("rankings"), "label": _("Rankings")},
        {"href": reverse("players"), "label": _("Players")},
        {"href": reverse("rules"), "label": _("Rules")},
    ]
    trail = [{"label": label, "href": href} for label, href in crumbs]
    return {"nav": nav, "rules": reverse("rules"), "crumbs": trail, **context}
