"""Log lines: one event per line, and no secret in it."""

from __future__ import annotations

import logging
import sys

from config.logs import KeyValueFormatter, logging_config


def line(message: str, **extra: object) -> str:
    record = logging.LogRecord("a.b", logging.WARNING, __file__, 1, message, None, None)
    record.__dict__.update(extra)
    return KeyValueFormatter().format(record)


def test_an_event_is_one_line_of_keys_and_values() -> None:
    told = line('two "words"\nand more', streams=3, who="Çelik Ada")
    assert "\n" not in told
    assert 'level=warning log=a.b event="two \\"words\\"\\nand more" streams=3 who="Çelik Ada"' in told
    assert told.startswith("at=20")


def test_no_secret_gets_through() -> None:
    told = line(
        "cannot reach postgresql://ada:hunter2@db/house nor redis://:sesame@h/0",
        password="hunter2",
        session_key="sesame",
        csrftoken="sesame",
        url="unix://u:hunter2@/run/v.sock",
    )
    assert "hunter2" not in told
    assert "sesame" not in told
    assert "postgresql://ada:***@db/house" in told


def test_a_traceback_stays_on_the_line_of_its_event() -> None:
    try:
        raise ValueError("postgresql://ada:hunter2@db/house")
    except ValueError:
        told = line("failed", exc_info=sys.exc_info())
    assert "\n" not in told
    assert "ValueError" in told
    assert "hunter2" not in told


def test_every_logger_ends_in_the_one_handler() -> None:
    config = logging_config(debug=False)
    assert config["root"]["handlers"] == ["stderr"]
    assert all(not logger.get("handlers") for logger in config["loggers"].values())
