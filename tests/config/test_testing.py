"""The servers of a test run: its own, fast, thrown away, and swept after a crash."""

from __future__ import annotations

import subprocess
import sys
import tempfile
import textwrap
from pathlib import Path

import psycopg
import pytest

from config import house, testing
from tests.config.house import until
from tests.e2e.house import clean_environ, running_in

PROBE = """
    import os, time, psycopg, redis, pytest

    def test_servers():
        with psycopg.connect(os.environ["DATABASE_URL"]) as connection:
            assert connection.execute("SHOW fsync").fetchone() == ("off",)
        assert redis.Redis.from_url(os.environ["REDIS_URL"]).ping()
        print("URL", os.environ["DATABASE_URL"])
        if "HANG" in os.environ:
            open(os.environ["HANG"], "w").write(os.environ["REDIS_URL"])
            time.sleep(60)
"""


@pytest.fixture
def probe(tmp_path: Path) -> tuple[list[str], dict[str, str]]:
    """A run of pytest with our plugin and without Django, on one test; its temporary folder is `tmp_path`/t."""
    (tmp_path / "t").mkdir(mode=0o711)
    for path in (tmp_path, *tmp_path.parents[:2]):
        path.chmod(path.stat().st_mode | 0o011)
    (tmp_path / "test_probe.py").write_text(textwrap.dedent(PROBE))
    (tmp_path / "pytest.ini").write_text("[pytest]\naddopts = -p config.testing -p no:cacheprovider\n")
    words = [
        sys.executable,
        "-m",
        "pytest",
        "-q",
        "-s",
        str(tmp_path / "test_probe.py"),
        "-c",
        str(tmp_path / "pytest.ini"),
    ]
    alone = {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", "PYTHONPATH": str(house.ROOT)}
    return words, clean_environ() | alone | {"TMPDIR": str(tmp_path / "t")}


def test_a_test_run_has_servers_of_its_own_and_leaves_nothing(
    probe: tuple[list[str], dict[str, str]], tmp_path: Path
) -> None:
    words, environ = probe
    done = subprocess.run(words, env=environ, capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stdout + done.stderr
    assert str(house.data_folder()) not in done.stdout
    assert not list((tmp_path / "t").iterdir())
    assert not running_in(tmp_path)


def test_a_killed_test_run_leaves_no_process_and_the_next_one_sweeps_its_folder(
    probe: tuple[list[str], dict[str, str]], tmp_path: Path
) -> None:
    words, environ = probe
    hang = tmp_path / "hanging"
    run = subprocess.Popen(words, env=environ | {"HANG": str(hang)}, stdout=subprocess.DEVNULL)
    until(hang.exists)
    run.kill()
    run.wait()
    until(lambda: not [pid for pid in running_in(tmp_path / "t") if pid != run.pid])
    left = list((tmp_path / "t").iterdir())
    assert len(left) >= 1
    subprocess.run(words, env=environ, check=True, capture_output=True, timeout=60)
    assert not list((tmp_path / "t").iterdir())


def test_given_urls_are_used_and_nothing_is_started(probe: tuple[list[str], dict[str, str]]) -> None:
    words, environ = probe
    given = {"DATABASE_URL": "postgresql:///none?host=/nonexistent", "REDIS_URL": "unix:///nonexistent"}
    done = subprocess.run(words, env=environ | given, capture_output=True, text=True, timeout=60)
    assert done.returncode == 1
    assert "/nonexistent" in done.stdout


def test_sweeping_leaves_running_test_runs_alone(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    servers = testing.ThrowawayServers()
    servers.start()
    testing.sweep()
    with psycopg.connect(servers.environment["DATABASE_URL"]) as connection:
        assert connection.execute("SELECT 1").fetchone() == (1,)
    servers.stop()
    assert not list(folder.iterdir())
