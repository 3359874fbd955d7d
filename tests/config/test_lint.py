"""Every check of our own catches the fault it was written for, and lets the lawful neighbour pass."""

from __future__ import annotations

import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from django.db import models

from config import lint
from config.lint_rules import (
    Fault,
    faults,
    missing_migrations,
    python_faults,
    script_faults,
    template_faults,
    template_room_faults,
    url_rooms,
)
from tests.missing import missing

ROOT = Path(__file__).resolve().parent.parent.parent
URLS = {"healthz": "core", "set_language": "", "heat": "tournaments", "table:view": "gameplay"}
TAGS = {"look": "core", "cards": "gameplay"}


def said(found: object) -> str:
    return "\n".join(str(fault) for fault in found)  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("template", "word"),
    [
        ("<script>let a = 1;</script>", "inline <script>"),
        ('<script nonce="x">a</script>', "inline <script>"),
        ('<script src="a.js">let a;</script>', "with a content"),
        ("<style>a {}</style>", "inline <style>"),
        ('<p style="color: red">', "inline style"),
        ('<p class="a"\n   style="color: red">', "inline style"),
        ('<p {% if a > b %}class="c"{% endif %} style="x">', "inline style"),
        ('<button onclick="go()">', "inline handler onclick"),
        ("<button onclick=go()>", "inline handler onclick"),
        ('<BODY ONLOAD="go()">', "inline handler onload"),
        ('<p hx-on:click="go()">', "hx-on"),
        ('<p hx-on="click: go()">', "hx-on"),
        ('<p data-hx-on-click="go()">', "hx-on"),
        ('<p hx-trigger="click[ctrlKey]">', "hx-trigger"),
        ("<p hx-trigger='keyup[key==\"a\"] from:body'>", "hx-trigger"),
        ("<p hx-vals='js:{a: 1}'>", "js:"),
        ('<a href="javascript:go()">', "js:"),
        ('<a href=" JavaScript:go()">', "js:"),
        ('<img src="https://cdn.example/a.png">', "cdn.example"),
        ('<script src="//cdn.example/a.js"></script>', "cdn.example"),
        ('<a href="http://example.org/">', "example.org"),
    ],
)
def test_templates_keep_the_content_security_policy(template: str, word: str) -> None:
    found = list(template_faults("templates/a.html", f"\n\n{template}"))
    assert word in said(found)
    assert found[0].line >= 3


@pytest.mark.parametrize(
    "template",
    [
        '<script src="{% static "js/app.js" %}" type="module"></script>',
        '<svg xmlns="http://www.w3.org/2000/svg"><path d="M0 0"/></svg>',
        '<p hx-trigger="live:public from:body, live:resync from:body" hx-get="{% url "heat" %}">',
        '<p hx-trigger="{% if a[0] %}click{% endif %}">',
        '<p class="on-time" data-style="x" title="never on Sunday = onclick">text style="x"</p>',
        '{# <p style="x"> #}{% comment %}<script>a</script>{% endcomment %}<!-- <style> -->',
        '<meta name="description" content="java // script">',
        "<p>1 // 2, a/b//c</p>",
    ],
)
def test_lawful_templates_pass(template: str) -> None:
    assert not list(template_faults("templates/a.html", template))


@pytest.mark.parametrize(
    ("name", "template", "word"),
    [
        ("templates/base.html", '{% url "heat" %}', "points up to tournaments"),
        ("templates/gameplay/a.html", '{% url "heat" id=1 %}', "points up to tournaments"),
        ("templates/scoring/a.html", "{% url 'table:view' %}", "points up to gameplay"),
        ("players/templates/players/a.html", '{% include "scoring/b.html" %}', "points up to scoring"),
        ("templates/components/a.html", '{% include "gameplay/b.html" with x=1 %}', "points up to gameplay"),
        ("templates/gameplay/a.html", '{% extends "tournaments/base.html" %}', "points up to tournaments"),
        ("templates/components/a.html", "{% load i18n cards %}", "loads tags of gameplay"),
        ("templates/components/a.html", "{% load card from cards %}", "loads tags of gameplay"),
        ("templates/tournaments/a.html", '{% url "nowhere" %}', "no address is called"),
        ("templates/gameplay/a.html", '{% include "styleguide/b.html" %}', "points up to tournaments"),
    ],
)
def test_templates_point_down_only(name: str, template: str, word: str) -> None:
    assert word in said(template_room_faults(name, template, URLS, TAGS))


@pytest.mark.parametrize(
    ("name", "template"),
    [
        ("templates/tournaments/a.html", '{% extends "base.html" %}{% load look cards %}{% url "table:view" %}'),
        ("templates/tournaments/a.html", '{% url "heat" %}{% url "healthz" %}{% include "tournaments/b.html" %}'),
        ("templates/base.html", '{% url "set_language" %}{% include "components/b.html" %}{% load i18n %}'),
        ("templates/styleguide/a.html", '{% include "gameplay/b.html" %}{% load cards %}{% url "heat" %}'),
        ("templates/base.html", '{# {% url "heat" %} #}'),
    ],
)
def test_templates_may_point_down(name: str, template: str) -> None:
    assert not list(template_room_faults(name, template, URLS, TAGS))


@pytest.mark.parametrize(
    ("name", "script", "word"),
    [
        ("static/css/a.css", "a { background: url(https://cdn.example/a.png) }", "cdn.example"),
        ("static/css/a.css", '@import "//fonts.example/a.css";', "fonts.example"),
        ("static/js/a.js", 'fetch("https://api.example/x");', "api.example"),
        ("static/js/a.js", "/* why */ eval(text)", "out of a string"),
        ("static/js/a.js", "new Function('return 1')", "out of a string"),
    ],
)
def test_scripts_and_styles_ask_nobody_else(name: str, script: str, word: str) -> None:
    found = list(script_faults(name, f"/*\n*/\n{script}\n"))
    assert word in said(found)
    assert found[0].line == 3


def test_lawful_scripts_pass() -> None:
    text = "/* see https://example.org */\n// a note // of b\nconst a = 4 / 2; // half\nconst x = 'http://www.w3.org/2000/svg';"
    assert not list(script_faults("static/js/a.js", text))


@pytest.mark.parametrize(
    ("name", "code", "word"),
    [
        ("scoring/services.py", "import random", "core.entropy"),
        ("config/a.py", "from random import choice", "core.entropy"),
        ("gameplay/services.py", "import secrets", "core.entropy alone"),
        ("gameplay/services.py", "from uuid import uuid4", "core.entropy alone"),
        ("gameplay/services.py", "import uuid\nx = uuid.uuid4()", "core.entropy alone"),
        ("core/audit.py", "import os\nx = os.urandom(8)", "core.entropy alone"),
        ("gameplay/rules/deals.py", "import random", "core.entropy"),
        ("gameplay/rules/bots/gin.py", "from random import Random", "core.entropy"),
        ("gameplay/management/playing.py", "def f():\n    import random as chance", "core.entropy"),
        ("tools/verify_deal.py", "import random", "core.entropy"),
        ("gameplay/rules/deals.py", "import secrets", "core.entropy alone"),
        ("gameplay/rules/bots/gin.py", "x = __import__('random')", "does not call __import__"),
        ("scoring/rules/a.py", "def f(date):\n    return date.today()", "no clock"),
        ("scoring/rules/a.py", "x = open('a')", "does not call open"),
        ("scoring/rules/a.py", "print(1)", "does not call print"),
        ("players/models.py", "x = ForeignKey('tournaments.Heat')", "higher room tournaments"),
        ("players/models.py", "x = apps.get_model('gameplay.Table')", "higher room gameplay"),
        ("gameplay/web/views.py", "reverse('tournaments:heat')", "higher room tournaments"),
        ("gameplay/web/views.py", "render(r, 'tournaments/heat.html')", "higher room tournaments"),
        ("core/a.py", "from django.dispatch import receiver", "signals"),
        ("players/a.py", "from django.db.models.signals import post_save", "signals"),
        ("core/a.py", "x = 1\n" * 421, "sitting"),
    ],
)
def test_python_faults_are_found(name: str, code: str, word: str) -> None:
    assert word in said(python_faults(name, code))


@pytest.mark.parametrize(
    ("name", "code"),
    [
        ("tests/a.py", "import random, secrets"),
        ("core/entropy.py", "import secrets"),
        ("config/house.py", "import secrets"),
        ("scoring/rules/a.py", "import datetime\ndef f(now):\n    return now.date()"),
        ("scoring/services.py", "x = open('a'); y = datetime.now()"),
        ("tournaments/models.py", "x = ForeignKey('gameplay.Table')\ny = ForeignKey('players.User')"),
        ("config/urls.py", "include('tournaments.web.urls')"),
        ("core/a.py", "'tournaments come later'\nx = 'gameplay'\n"),
    ],
)
def test_lawful_python_passes(name: str, code: str) -> None:
    assert not list(python_faults(name, code))


def test_the_checkout_is_walked_without_what_is_not_ours(tmp_path: Path) -> None:
    for name in (
        "templates/a.html",
        "node_modules/x/templates/a.html",
        ".venv/templates/a.html",
        "tests/templates/a.html",
    ):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("<style></style>")
    for name in ("static/js/a.js", "static/vendor/a.js"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("eval('1')")
    (tmp_path / "core/migrations").mkdir(parents=True)
    (tmp_path / "core/a.py").write_text("import random")
    (tmp_path / "core/migrations/0001.py").write_text("import random")
    assert [fault.path for fault in faults(tmp_path, {})] == ["core/a.py", "static/js/a.js", "templates/a.html"]


def test_the_room_of_an_address_is_the_room_of_its_view() -> None:
    rooms = url_rooms()
    assert rooms["healthz"] == "core"
    assert rooms["set_language"] == ""


def test_a_missing_migration_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    from players.models import User

    assert not list(missing_migrations())
    monkeypatch.setattr(User._meta.get_field("display_name"), "max_length", 121)
    assert "players: a migration is missing" in said(missing_migrations())
    assert isinstance(User._meta.get_field("display_name"), models.CharField)


PLANTED = {
    "rooms": [("core/a.py", "import players.models"), ("scoring/models.py", "from config import settings")],
    "inside": [
        ("players/models.py", "import players.web"),
        ("players/stray.py", "x = 'in no layer'"),
        ("tournaments/rules/a.py", "import tournaments.queries"),
        ("tournaments/rules/a.py", "import tournaments.exchange"),
        ("tournaments/models.py", "import tournaments.exchange"),
        ("tournaments/exchange.py", "import tournaments.queries"),
        ("tournaments/exchange.py", "import tournaments.web"),
        ("tournaments/web/a.py", "import tournaments.management"),
    ],
    "pure": [
        ("scoring/rules/a.py", "import random"),
        ("scoring/rules/a.py", "from time import time"),
        ("gameplay/rules/a.py", "from django.conf import settings"),
        ("gameplay/rules/deals.py", "import random"),
        ("gameplay/rules/bots/a.py", "from random import Random"),
        ("gameplay/rules/bots/a.py", "import importlib"),
        ("players/rules/a.py", "import os.path"),
        ("tournaments/rules/a.py", "from secrets import token_bytes"),
        ("tournaments/rules/a.py", "from datetime import date"),
        ("scoring/rules/a.py", "import urllib.request"),
        ("scoring/rules/a.py", "from http.client import HTTPConnection"),
        ("gameplay/rules/a.py", "import socket, subprocess"),
        ("players/rules/a.py", "from pathlib import Path"),
    ],
}


@pytest.mark.parametrize(
    ("contract", "name", "code"), [(c, *planted) for c, planted_ones in PLANTED.items() for planted in planted_ones]
)
def test_the_import_contracts_catch_a_planted_import(tmp_path: Path, contract: str, name: str, code: str) -> None:
    """A house of empty rooms with the contracts of this one, and one import too many."""
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["importlinter"]
    for room in contracts["root_packages"]:
        for folder in (room, f"{room}/rules", f"{room}/rules/bots", f"{room}/web", f"{room}/management"):
            (tmp_path / folder).mkdir()
            (tmp_path / folder / "__init__.py").touch()
        for module in ("models", "exchange", "queries", "services"):
            (tmp_path / room / f"{module}.py").touch()
    (tmp_path / "config/settings.py").touch()
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    (tmp_path / name).write_text(code)
    done = subprocess.run(
        [sys.executable, "-c", lint.IMPORT_LINTER],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        env={"PYTHONPATH": "."},
    )
    assert done.returncode == 1
    broken = {
        c["id"] for c in contracts["contracts"] if f"{c['name'][:40]}" in done.stdout.split("Broken contracts")[-1]
    }
    assert broken == {contract}, done.stdout


def test_a_failing_part_shows_its_output_and_fails_the_run(capsys: pytest.CaptureFixture[str]) -> None:
    parts = [
        lint.Part("good", lambda: lint.Outcome(True, "quiet")),
        lint.Part("bad", lambda: lint.Outcome(False, "the reason")),
        lint.Part("gone", lambda: lint.Outcome(True, skipped="no tool here")),
        lint.Part("torn", lambda: lint.Outcome(bool(1 / 0))),
    ]
    assert lint.run(parts) == 1
    told = capsys.readouterr().out
    assert "quiet" not in told
    assert "== bad\nthe reason" in told
    assert "skipped  (no tool here)" in told
    assert "ZeroDivisionError" in told
    assert lint.run(parts[:1]) == 0


def test_what_the_machine_lacks_is_forgiven_at_home_and_never_in_ci(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    monkeypatch.delenv("CI", raising=False)
    assert lint.types_of_scripts() == lint.Outcome(True, skipped="no node and npm here")
    with pytest.raises(pytest.skip.Exception, match="no browser"):
        missing("no browser")
    for word in ("true", "1"):
        monkeypatch.setenv("CI", word)
        assert not lint.types_of_scripts().ok
        with pytest.raises(pytest.fail.Exception, match="no browser"):
            missing("no browser")


def test_ci_forgives_nothing_that_is_missing() -> None:
    assert "\nexport CI=true" in (ROOT / ".ci/run").read_text()


def test_checks_get_settings_that_lead_to_no_server() -> None:
    code = "from config import settings as s; print(s.DATABASES['default']['HOST'], s.REDIS_URL, s.STYLEGUIDE)"
    told = lint.python("-c", code)
    assert told.output.split() == ["/nonexistent", "unix:///nonexistent/valkey.sock", "True"]


def test_an_unknown_part_is_refused() -> None:
    assert lint.main(["spelling"]) == 2


def test_faults_sort_by_place() -> None:
    assert str(min(Fault("b", 1, "x"), Fault("a", 2, "y"))) == "a:2: y"
