"""Log lines as `key=value`: one event per line, readable by people and by machines, without secrets."""

from __future__ import annotations

import json
import logging
import re
from datetime import UTC, datetime
from typing import Any

_OWN = frozenset(logging.makeLogRecord({}).__dict__) | {"message", "asctime", "taskName", "request", "response"}
_PASSWORD = re.compile(r"(\w://[^\s/:@]*):[^\s/@]+@")
_SECRET_NAME = re.compile(r"pass|secret|token|cookie|session|authorization|csrf", re.IGNORECASE)
_PLAIN = re.compile(r"[\w.,:/+@%-]+")


class KeyValueFormatter(logging.Formatter):
    """`at=... level=... log=... event="..."` and the `extra` of the call; a traceback follows as one value."""

    def format(self, record: logging.LogRecord) -> str:
        fields: dict[str, Any] = {
            "at": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "log": record.name,
            "event": record.getMessage(),
        }
        for key, value in record.__dict__.items():
            if key not in _OWN and not key.startswith("_"):
                fields[key] = "***" if _SECRET_NAME.search(key) else value
        if record.exc_info:
            fields["trace"] = self.formatException(record.exc_info)
        return " ".join(f"{key}={_quoted(value)}" for key, value in fields.items())


def _quoted(value: Any) -> str:
    text = _PASSWORD.sub(r"\1:***@", str(value))
    return text if _PLAIN.fullmatch(text) else json.dumps(text, ensure_ascii=False)


def logging_config(debug: bool) -> dict[str, Any]:
    """The value of Django's LOGGING: everything goes to standard error, once."""
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {"line": {"()": KeyValueFormatter}},
        "handlers": {"stderr": {"class": "logging.StreamHandler", "formatter": "line"}},
        "root": {"handlers": ["stderr"], "level": "INFO"},
        "loggers": {
            # Django ships handlers of its own for these two; the root one is enough.
            "django": {"handlers": [], "propagate": True, "level": "INFO"},
            "django.server": {"handlers": [], "propagate": True},
            "django.db.backends": {"level": "INFO"},
            "uvicorn": {"handlers": [], "propagate": True, "level": "INFO" if debug else "WARNING"},
            "celery": {"level": "INFO" if debug else "WARNING"},
            "psycopg.pool": {"level": "ERROR"},
            "axes": {"level": "WARNING"},  # when somebody signed in is nobody's business
        },
    }
