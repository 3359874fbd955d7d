"""Settings: everything from outside in one place, every fault named at once, and nothing started by importing them."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from kombu.utils.url import url_to_parts

from config import env
from config.env import EnvError, broker_url_for, parse_database_url, read

ROOT = Path(__file__).resolve().parent.parent.parent
GOOD = {
    "DATABASE_URL": "postgresql://ada:p%40ss@/house?host=/run/pg",
    "REDIS_URL": "unix:///run/valkey.sock",
    "SECRET_KEY": "abcdefghij" * 6,
}


def python(code: str, **environ: str) -> subprocess.CompletedProcess[str]:
    clean = {key: value for key, value in os.environ.items() if key not in GOOD and not key.startswith("GINGODROME")}
    clean["DJANGO_SETTINGS_MODULE"] = "config.settings"
    return subprocess.run(
        [sys.executable, "-W", "error", *code.split()] if code.startswith("-m") else [sys.executable, "-c", code],
        cwd=ROOT,
        env={**clean, **environ},
        capture_output=True,
        text=True,
    )


def test_a_whole_environment_is_typed() -> None:
    found = read({**GOOD, "GINGODROME_HOSTS": "a.example, b.example", "GINGODROME_HTTPS": "1", "GINGODROME_DEBUG": "0"})
    assert found.database == env.Database("house", "ada", "p@ss", "/run/pg", "", {})
    assert found.hosts == ("localhost", "127.0.0.1", "[::1]", "a.example", "b.example")
    assert (found.https, found.debug, found.embedded, found.testing) == (True, False, False, False)
    assert (found.threads, found.static) == (8, None)
    assert read({**GOOD, "PYTEST_VERSION": "9"}).testing


def test_every_fault_is_named_at_once() -> None:
    with pytest.raises(EnvError) as caught:
        read(
            {
                "DATABASE_URL": "mysql://x",
                "REDIS_URL": "redis://",
                "SECRET_KEY": "short",
                "GINGODROME_DEBUG": "yes",
                "GINGODROME_HTTPS": "true",
                "GINGODROME_HOSTS": "*,https://a.example,a.example:80",
                "GINGODROME_THREADS": "0",
                "GINGODROME_STATIC": "relative",
            }
        )
    assert [fault.partition(":")[0] for fault in caught.value.faults] == [
        "DATABASE_URL",
        "REDIS_URL",
        "SECRET_KEY",
        "GINGODROME_DEBUG",
        "GINGODROME_HTTPS",
        "GINGODROME_HOSTS",
        "GINGODROME_THREADS",
        "GINGODROME_STATIC",
    ]


def test_nothing_at_all_names_the_three_that_are_needed() -> None:
    with pytest.raises(EnvError) as caught:
        read({"SECRET_KEY": "  "})
    assert caught.value.faults == ("DATABASE_URL is not set", "REDIS_URL is not set", "SECRET_KEY is not set")


@pytest.mark.parametrize(
    "url",
    [
        "",
        "postgresql://",
        "postgresql://h",
        "postgresql://h/",
        "postgresql:///name",
        "postgresql://h/a/b",
        "postgresql://h:0/a",
        "postgresql://h:x/a",
        "postgresql://h:65536/a",
        "postgresql://[::1/a",
        "postgresql://h/a?colour=red",
        "postgresql://h/a?host",
        "sqlite:///a",
    ],
)
def test_a_database_url_that_cannot_be_used_is_refused_without_repeating_it(url: str) -> None:
    secret = url.replace("//", "//ada:hunter2@", 1)
    with pytest.raises(ValueError, match=r"\w") as caught:
        parse_database_url(secret)
    assert "hunter2" not in str(caught.value)


@pytest.mark.parametrize(
    ("url", "database"),
    [
        ("postgres://h/a", env.Database("a", "", "", "h", "", {})),
        ("postgresql://u@h:5433/a", env.Database("a", "u", "", "h", "5433", {})),
        ("postgresql://u:p%2F@[::1]:5/a", env.Database("a", "u", "p/", "::1", "5", {})),
        ("postgresql://u@/a?host=%2Ftmp%2Fx%20y", env.Database("a", "u", "", "/tmp/x y", "", {})),
        ("postgresql://h/a?sslmode=require", env.Database("a", "", "", "h", "", {"sslmode": "require"})),
    ],
)
def test_database_urls(url: str, database: env.Database) -> None:
    assert parse_database_url(url) == database


@pytest.mark.parametrize(
    "url", ["http://h", "redis://", "redis://h:x/0", "redis://h/a", "unix://valkey.sock", "h:6379"]
)
def test_a_redis_url_that_cannot_be_used_is_refused(url: str) -> None:
    with pytest.raises(EnvError, match="REDIS_URL"):
        read({**GOOD, "REDIS_URL": url})


def test_celery_gets_the_same_server_in_its_own_words() -> None:
    assert broker_url_for("redis://:p@h:1/2") == "redis://:p@h:1/2"
    parts = url_to_parts(broker_url_for("unix:///run/v.sock?db=3"))
    assert (parts.scheme, parts.path, parts.query) == ("redis+socket", "run/v.sock", {"virtual_host": "3"})
    parts = url_to_parts(broker_url_for("unix://ada:p%2Fq@/run/v.sock"))
    assert (parts.username, parts.password, parts.query) == ("ada", "p/q", {"virtual_host": "0"})


def test_no_secret_shows_in_a_representation() -> None:
    shown = repr(read({**GOOD, "REDIS_URL": "redis://:sesame@h/0"}))
    assert "p@ss" not in shown
    assert "sesame" not in shown
    assert "abcdefghij" not in shown


def test_importing_the_settings_fails_loudly_without_the_urls() -> None:
    done = python("import config.settings")
    assert done.returncode == 1
    for name in GOOD:
        assert f"{name} is not set" in done.stderr


def test_importing_the_settings_starts_nothing_and_needs_no_server() -> None:
    done = python(
        "import threading, sys, subprocess, socket\n"
        "def no(*a, **k): raise SystemExit('started something')\n"
        "subprocess.Popen.__init__ = no; socket.socket.connect = no\n"
        "import django; django.setup()\n"
        "import config.asgi\n"
        "assert threading.active_count() == 1, threading.enumerate()\n"
        "print('quiet')",
        **GOOD,
    )
    assert done.stdout == "quiet\n", done.stderr


def test_the_deployment_check_is_clean() -> None:
    """With https, as a federation runs it."""
    done = python("-m django check --deploy --fail-level WARNING", **GOOD, GINGODROME_HTTPS="1")
    assert done.returncode == 0, done.stderr


def test_a_club_laptop_without_https_keeps_its_visitors_signed_in() -> None:
    code = (
        "from config import settings as s; print(s.SESSION_COOKIE_SECURE, s.SECURE_SSL_REDIRECT, s.SECURE_HSTS_SECONDS)"
    )
    assert python(code, **GOOD).stdout.split() == ["False", "False", "0"]
    assert python(code, **GOOD, GINGODROME_HTTPS="1").stdout.split() == ["True", "True", "31536000"]


def test_the_pool_has_a_place_for_every_thread_and_two_more() -> None:
    code = (
        "from config.settings import DATABASES as d; o = d['default']; print(o['OPTIONS']['pool']['max_size'],"
        "o['OPTIONS']['pool']['timeout'], o['CONN_HEALTH_CHECKS'], o['CONN_MAX_AGE'])"
    )
    assert python(code, **GOOD, GINGODROME_THREADS="5").stdout.split() == ["7", "5", "True", "0"]


def test_collected_static_files_get_hashed_names(tmp_path: Path) -> None:
    collected = {**GOOD, "GINGODROME_STATIC": str(tmp_path / "static")}
    done = python("-m django collectstatic --noinput --verbosity 0", **collected)
    assert done.returncode == 0, done.stderr
    code = (
        "import django; django.setup(); from django.templatetags.static import static; print(static('js/live.js'));"
        "from config.settings import WHITENOISE_USE_FINDERS; print(WHITENOISE_USE_FINDERS)"
    )
    name, finders = python(code, **collected).stdout.split()
    assert name.startswith("/static/js/live.")
    assert len(name) > len("/static/js/live.js")
    assert (tmp_path / name.lstrip("/")).exists()
    assert (tmp_path / f"{name.lstrip('/')}.gz").exists()
    assert finders == "False"
    assert python(code, **GOOD).stdout.split() == ["/static/js/live.js", "True"]
