"""The pure rules have no untested branch."""

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
ROOMS = sorted(package.parents[1].name for package in ROOT.glob("*/rules/__init__.py"))
PACKAGES = (*(f"{room}.rules" for room in ROOMS), "core.refusal", "core.rulefields", "core.lots")
TESTS = (
    "tests/core/test_lots.py",
    "tests/players/test_names.py",
    "tests/players/test_rights.py",
    "tests/gameplay/test_clock_rules.py",
    "tests/gameplay/test_cards.py",
    "tests/gameplay/test_deals.py",
    "tests/gameplay/test_tricks.py",
    "tests/gameplay/test_gingo_rules.py",
    "tests/gameplay/test_briscola_rules.py",
    "tests/gameplay/test_gin_melds.py",
    "tests/gameplay/test_gin_layoffs.py",
    "tests/gameplay/test_gin_rules.py",
    "tests/gameplay/test_gin_moves.py",
    "tests/gameplay/test_records.py",
    "tests/gameplay/test_fourth_game.py",
    "tests/gameplay/test_trick_bots.py",
    "tests/gameplay/test_gin_bots.py",
    "tests/scoring",
    "tests/tournaments/test_oracles.py",
    "tests/tournaments/test_placing.py",
    "tests/tournaments/test_series.py",
    "tests/tournaments/test_ties.py",
    "tests/tournaments/test_seat_draw.py",
    "tests/tournaments/test_differences.py",
    "tests/tournaments/test_content.py",
    "tests/tournaments/test_broken_files.py",
    "tests/tournaments/test_schema.py",
)


def test_the_rooms_with_rules_are_known():
    assert ROOMS == ["gameplay", "players", "scoring", "tournaments"]


def test_every_branch_of_the_rules_is_covered(tmp_path):
    done = subprocess.run(
        [
            *(sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *TESTS),
            *(
                "-k",
                "not Machine and not three_languages",
                "--cov-branch",
                "--cov-fail-under=100",
                "--cov-report=term-missing",
            ),
            *(f"--cov={package}" for package in PACKAGES),
        ],
        cwd=ROOT,
        env={**os.environ, "COVERAGE_FILE": str(tmp_path / "coverage")},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout[-4000:] + done.stderr[-2000:]
