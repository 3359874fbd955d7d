"""Sessions in our own table, each with its person: what Django keeps there cannot be searched."""

from __future__ import annotations

from typing import Any, cast

from django.contrib.auth import SESSION_KEY
from django.contrib.sessions.backends.db import SessionStore as DatabaseStore

from players.models import Session

AGENT = "agent"  # the key in a session under which the browser's kind stands


class SessionStore(DatabaseStore):
    """Django's, with the person and the kind of browser beside the data."""

    @classmethod
    def get_model_class(cls) -> type[Session]:
        return Session

    def create_model_instance(self, data: dict[str, Any]) -> Session:
        row = cast(Session, super().create_model_instance(data))
        row.person_id = data.get(SESSION_KEY)
        row.agent = data.get(AGENT, "")
        return row
