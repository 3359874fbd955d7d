"""From a clean checkout to a house that serves: the set-up, and each way in which it can go wrong."""

from __future__ import annotations

import ast
import json
import os
import pwd
import re
import shutil
import subprocess
import sys
import tempfile
import textwrap
import zipfile
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from config import bootstrap, dropped, house
from config.house import ROOT
from tests.e2e.house import BASE_PYTHON, clean_environ, python_for
from tests.missing import missing

NO_NETWORK = {
    "http_proxy": "http://127.0.0.1:9",
    "https_proxy": "http://127.0.0.1:9",
    "HTTPS_PROXY": "http://127.0.0.1:9",
    "PIP_NO_INDEX": "1",
    "PIP_FIND_LINKS": "/nonexistent",
    "PIP_RETRIES": "0",
    "UV_OFFLINE": "1",
}
slow = pytest.mark.slow


@pytest.fixture(scope="session")
def wheels() -> Iterator[Path]:
    """The wheelhouse of the run lock, made once by the command that people use."""
    with tempfile.TemporaryDirectory(prefix="gd-wheels-") as folder:
        Path(folder).chmod(0o755)
        # From another folder, which the name of the wheelhouse is seen from.
        done = run([sys.executable, ROOT / "manage.py", "wheelhouse", "wheels"], cwd=folder)
        assert done.returncode == 0, done.stdout + done.stderr
        yield Path(folder) / "wheels"


@pytest.fixture(scope="session")
def quick(wheels: Path) -> dict[str, str]:
    """The environment of a set-up that finds uv on its PATH and the wheels beside it: no download, no pip."""
    target = wheels.parent / "uv"
    with zipfile.ZipFile(next(wheels.glob("uv-*.whl"))) as wheel:
        program = next(name for name in wheel.namelist() if name.endswith("/scripts/uv"))
        target.write_bytes(wheel.read(program))
    target.chmod(0o755)
    return NO_NETWORK | {"PATH": f"{target.parent}:/usr/bin:/bin"}


@pytest.fixture
def place() -> Iterator[Path]:
    """A folder that every account can enter, outside of the checkout."""
    with tempfile.TemporaryDirectory(prefix="gd-") as folder:
        Path(folder).chmod(0o755)
        yield Path(folder)


@pytest.fixture
def tiny(place: Path) -> Path:
    """A checkout whose locks ask for one small package only: its set-up takes seconds."""
    target = checkout(place / "tiny")
    for lock in bootstrap.LOCKS.values():
        pinned = re.search(r"^a2wsgi==.*\n(?:[ \t].*\n)*", (ROOT / lock).read_text(), re.MULTILINE)
        assert pinned
        (target / lock).write_text(pinned[0])
    return target


def checkout(target: Path) -> Path:
    """What git would give, but for the tests."""
    shutil.copytree(ROOT, target, ignore=shutil.ignore_patterns(".*", "__pycache__", "tests", "node_modules"))
    return target


def run(
    words: Sequence[object], *, user: int | None = None, cwd: str | Path = "/", **env: str
) -> subprocess.CompletedProcess[str]:
    group = {"user": user, "group": pwd.getpwuid(user).pw_gid, "extra_groups": []} if user else {}
    return subprocess.run(  # type: ignore[call-overload,no-any-return]
        [str(word) for word in words],
        env=clean_environ() | env,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=240,
        cwd=cwd,
        **group,
    )


CUT = """
import fcntl, os, socket, struct, sys
line = socket.socket()
fcntl.ioctl(line, 0x8914, struct.pack("16sh", b"lo", 1))  # SIOCSIFFLAGS, IFF_UP: a house talks to itself
line.close()
os.setgroups([])
os.setgid(int(sys.argv[2]))
os.setuid(int(sys.argv[1]))
os.execvp(sys.argv[3], sys.argv[3:])
"""


def run_without_network(words: Sequence[object], user: int, **env: str) -> subprocess.CompletedProcess[str]:
    """`run` where nothing but this machine can be reached: in a network of its own if root may make one."""
    unshare = shutil.which("unshare")
    if os.geteuid() == 0 and unshare and run([unshare, "-n", "true"]).returncode == 0:
        alone = [unshare, "-n", "--", sys.executable, "-c", CUT, user, pwd.getpwuid(user).pw_gid]
        reach = "import socket; socket.create_connection(('192.0.2.1', 443), 5)"
        assert "unreachable" in run([*alone, words[0], "-c", reach]).stderr
        return run([*alone, *words], **env)
    return run(words, user=user, **NO_NETWORK, **env)


def door(root: Path, *args: object, **env: str) -> subprocess.CompletedProcess[str]:
    """manage.py with a Python that has no packages. Its PATH has no uv, unless a test gives another."""
    words = [BASE_PYTHON, root / "manage.py", *args]
    return run(words, **{"PATH": "/usr/bin:/bin", **env})


def stranger_who_can_python() -> tuple[int, str]:
    """An ordinary user, and a Python that he can read and make environments with."""
    if os.geteuid() != 0:
        return os.geteuid(), BASE_PYTHON
    account = house.unprivileged_account()
    assert account
    python = python_for(account)
    if not python:
        missing("needs a Python 3.11 with venv that an ordinary user can read: only root's own was found")
    return account.uid, python


@pytest.mark.parametrize("file", ["manage.py", "config/__init__.py", "config/bootstrap.py"])
def test_the_way_to_the_version_check_parses_on_python_3_6(file: str) -> None:
    ast.parse((ROOT / file).read_text(), feature_version=(3, 6))


def test_an_old_python_gets_a_sentence_and_nothing_else() -> None:
    script = f"""
        import runpy, sys
        sys.version_info = (3, 9, 2, "final", 0)
        sys.path.insert(0, {str(ROOT)!r})
        sys.argv = ["manage.py", "up"]
        runpy.run_path({str(ROOT / "manage.py")!r}, run_name="__main__")
    """
    done = run([BASE_PYTHON, "-c", textwrap.dedent(script)])
    assert done.returncode == 1
    assert done.stdout == ""
    assert done.stderr.startswith("Gingodrome needs Python 3.11 or newer, and this is 3.")
    assert done.stderr.count("\n") == 1


def test_until_the_house_has_its_python_only_the_standard_library_is_imported(tiny: Path) -> None:
    """Looked at in the moment in which manage.py becomes the Python of `.venv`."""
    assert run([BASE_PYTHON, "-m", "venv", "--without-pip", tiny / ".venv"]).returncode == 0
    ready = (
        f"import sys; sys.path[:0] = [{str(tiny)!r}]; from config import bootstrap as b; b._write_stamp('run', b.VENV)"
    )
    assert run([BASE_PYTHON, "-c", ready]).returncode == 0
    script = f"""
        import runpy, sys
        start = set(sys.modules)
        def look(event, args):
            if event == "os.exec":
                new = {{name for name in set(sys.modules) - start if name.split(".")[0] not in sys.stdlib_module_names}}
                print(args[0], *sorted(new), flush=True)
        sys.addaudithook(look)
        sys.path.insert(0, {str(tiny)!r})
        sys.argv = ["manage.py", "--help"]
        runpy.run_path({str(tiny / "manage.py")!r}, run_name="__main__")
    """
    done = run([BASE_PYTHON, "-E", "-s", "-S", "-c", textwrap.dedent(script)])
    assert done.stdout.split("\n")[0].split() == [str(tiny / ".venv/bin/python"), "config", "config.bootstrap"], done


def test_the_dev_lock_holds_the_run_lock() -> None:
    run_lock, dev_lock = set(bootstrap.pins("run")), set(bootstrap.pins("dev"))
    assert run_lock < dev_lock
    assert len(run_lock) > 40
    assert ("tzdata", True) in {(name, bool(version)) for name, version, _limited in run_lock}


def test_every_pin_has_a_hash() -> None:
    for lock in (*bootstrap.LOCKS.values(), bootstrap.SETUP_LOCK):
        text = (ROOT / lock).read_text()
        pinned = len(re.findall(r"^[\w.-]+==", text, re.MULTILINE))
        assert pinned == len(re.findall(r"^[\w.-]+==[^\n]*\\\n[ \t]+--hash=sha256:", text, re.MULTILINE)) > 0


@pytest.mark.parametrize(
    ("there", "right"),
    [
        ({"a-b": "1.0", "c": "2"}, True),
        ({"A_B": "1.0", "c": "2", "more": "9"}, True),
        ({"a-b": "1.0", "c": "2", "marked": "3"}, True),
        ({"a-b": "1.1", "c": "2"}, False),
        ({"a-b": "1.0"}, False),
        ({"a-b": "1.0", "c": "2", "marked": "4"}, False),
    ],
)
def test_having_the_dependencies_means_the_versions_of_the_lock(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, there: dict[str, str], right: bool
) -> None:
    (tmp_path / "requirements.lock").write_text(
        "a.b==1.0 \\\n    --hash=x\nc==2\nmarked==3 ; sys_platform == 'win32' \\\n    --hash=y\n"
    )
    monkeypatch.setattr(bootstrap, "ROOT", str(tmp_path))
    for name, version in there.items():
        info = tmp_path / f"{name}-{version}.dist-info"
        info.mkdir()
        (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n")
    assert bootstrap.installed("run", [str(tmp_path)]) is right


def test_a_python_that_has_the_dependencies_is_used_as_it_is(place: Path) -> None:
    root = checkout(place / "here")
    done = run([sys.executable, root / "manage.py", "--help"], PYTHONPATH=os.pathsep.join(filter(None, sys.path)))
    assert done.returncode == 0, done.stderr
    assert "wheelhouse DIR" in done.stdout
    assert not (root / ".venv").exists()


def test_a_python_without_venv_is_told_what_to_install(tiny: Path) -> None:
    script = f"""
        import importlib.util, runpy, sys
        find = importlib.util.find_spec
        importlib.util.find_spec = lambda name, *rest: None if name == "ensurepip" else find(name, *rest)
        sys.path.insert(0, {str(tiny)!r})
        sys.argv = ["manage.py", "--help"]
        runpy.run_path({str(tiny / "manage.py")!r}, run_name="__main__")
    """
    done = run([BASE_PYTHON, "-c", textwrap.dedent(script)])
    assert done.returncode == 1
    assert "apt install python3-venv" in done.stderr


def test_a_file_is_looked_for_where_the_command_was_given(tmp_path: Path) -> None:
    shutil.copy(ROOT / "tournaments/championships/world-2007.json", tmp_path / "a.json")
    done = run([sys.executable, ROOT / "manage.py", "replay_tournament", "a.json"], cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)


def test_a_wheelhouse_that_is_not_there_is_named(tiny: Path) -> None:
    done = door(tiny, "--help", "--wheels", "/nonexistent")
    assert done.returncode == 1
    assert "manage.py wheelhouse /nonexistent" in done.stderr
    assert "needs a folder" in door(tiny, "up", "--wheels").stderr


@slow
def test_two_set_ups_at_once_make_one_environment_that_knows_its_place(
    tiny: Path, wheels: Path, quick: dict[str, str]
) -> None:
    words = [BASE_PYTHON, str(tiny / "manage.py"), "--help", "--wheels", str(wheels)]
    twins = [subprocess.Popen(words, env=clean_environ() | quick, stderr=subprocess.PIPE, text=True) for _ in "ab"]
    said = [twin.communicate(timeout=120)[1] for twin in twins]
    assert [twin.returncode for twin in twins] == [0, 0]
    assert "".join(said).count("Setting up .venv") == 1
    assert "".join(said).count("Another set-up is at work here") == 1
    activate = (tiny / ".venv/bin/activate").read_text()
    assert str(tiny / ".venv") in activate
    assert ".venv.new" not in activate
    assert not (tiny / ".venv.new").exists()

    # It fits: no set-up, no network. It is somebody's by hand: adopted. A lock changes: made anew.
    assert "Setting up" not in door(tiny, "--help", **NO_NETWORK).stderr
    stamp = tiny / ".venv/.stamp"
    before = json.loads(stamp.read_text())
    assert before.keys() == {"path", "python", "version", "run"}
    stamp.unlink()
    assert "Setting up" not in door(tiny, "--help", **NO_NETWORK).stderr
    # Both locks ask for the same here, so what was adopted is right for developers, too, and is never made anew.
    adopted = json.loads(stamp.read_text())
    assert adopted == before | {"dev": adopted["dev"]}
    with (tiny / "requirements.lock").open("a") as lock:
        lock.write("# changed\n")
    assert "Setting up" in door(tiny, "--help", "--wheels", wheels, **quick).stderr
    assert json.loads(stamp.read_text())["run"] != before["run"]


@slow
def test_an_environment_that_was_moved_or_interrupted_is_made_anew(
    tiny: Path, wheels: Path, quick: dict[str, str]
) -> None:
    (tiny / ".venv.new/bin").mkdir(parents=True)
    (tiny / ".venv.new/bin/python").write_text("half of an interrupted set-up")
    assert door(tiny, "--help", "--wheels", wheels, **quick).returncode == 0
    moved = tiny.rename(tiny.with_name("moved"))
    done = door(moved, "--help", "--wheels", wheels, **quick)
    assert "Setting up" in done.stderr
    assert json.loads((moved / ".venv/.stamp").read_text())["path"] == str(moved)


@slow
def test_an_environment_for_developers_serves_as_well(tiny: Path, wheels: Path, quick: dict[str, str]) -> None:
    first = door(tiny, "wheelhouse", "--dev", "--wheels", wheels, **quick)
    assert "Setting up .venv (once; requirements-dev.lock)" in first.stderr
    assert "Setting up" not in door(tiny, "--help", **NO_NETWORK).stderr


@slow
def test_where_uv_fails_pip_does_it(tiny: Path, wheels: Path, place: Path) -> None:
    broken = place / "bin/uv"
    broken.parent.mkdir()
    broken.write_text("#!/bin/sh\necho 'invalid peer certificate: UnknownIssuer' >&2\nexit 2\n")
    broken.chmod(0o755)
    env = NO_NETWORK | {"PIP_FIND_LINKS": str(wheels), "PATH": f"{broken.parent}:/usr/bin:/bin"}
    done = door(tiny, "--help", **env)
    assert done.returncode == 0, done.stderr
    assert "trying pip" in done.stderr
    assert "UnknownIssuer" in done.stderr


@slow
def test_without_uv_on_the_path_one_of_our_own_is_fetched_used_and_thrown_away(tiny: Path) -> None:
    done = door(tiny, "--help", UV_CACHE_DIR=str(tiny.parent / "cache"))
    assert done.returncode == 0, done.stderr
    assert "trying pip" not in done.stderr
    assert (tiny.parent / "cache").exists()
    assert not (tiny / ".venv/setup").exists()


@slow
def test_without_a_network_the_way_out_is_named_and_nothing_half_is_left(tiny: Path) -> None:
    done = door(tiny, "--help", **NO_NETWORK)
    assert done.returncode == 1
    assert "manage.py wheelhouse DIR" in done.stderr
    assert not (tiny / ".venv").exists()


def test_a_checkout_that_cannot_be_written_is_said_in_a_sentence(tiny: Path) -> None:
    user, python = stranger_who_can_python()
    tiny.chmod(0o555)
    done = run([python, tiny / "manage.py", "--help"], user=user)
    tiny.chmod(0o755)
    assert done.returncode == 1
    assert f"cannot write to {tiny}" in done.stderr
    assert "Traceback" not in done.stderr


@slow
def test_an_ordinary_user_with_python_git_and_sh_only(place: Path, wheels: Path) -> None:
    user, python = stranger_who_can_python()
    root = checkout(place / "ours")
    path = place / "bin"
    path.mkdir()
    for name, program in (("python3", python), ("git", shutil.which("git")), ("sh", "/bin/sh")):
        (path / name).symlink_to(str(program))
    for folder in (place, root, *root.rglob("*")):
        os.chown(folder, user, -1)
    env = {"PATH": str(path), "HOME": str(place), "LANG": "tr_TR.UTF-9"}
    words = [path / "python3", root / "manage.py", "up", "--once", "--port", "0"]
    first = run_without_network([*words, "--wheels", wheels], user, **env)
    assert first.returncode == 0, first.stdout + first.stderr
    assert "Gingodrome is ready" in first.stdout
    assert (root / ".venv/bin/django-admin").read_text().startswith(f"#!{root}/.venv/bin/python\n")
    assert (root / ".run").stat().st_mode & 0o777 == 0o700
    second = run_without_network(words, user, **env)
    assert second.returncode == 0, second.stdout + second.stderr
    assert "Setting up" not in second.stderr


@slow
@pytest.mark.skipif(os.geteuid() != 0, reason="needs root: it hands the house to another account")
def test_root_in_a_place_that_no_other_account_can_read(
    place: Path, wheels: Path, quick: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    (place / "closed").mkdir(mode=0o700)
    root = checkout(place / "closed/ours")
    monkeypatch.setattr(house, "ROOT", root)
    home = house.root_home()
    try:
        done = door(root, "up", "--once", "--port", "0", "--wheels", wheels, **quick)
        assert done.returncode == 0, done.stdout + done.stderr
        assert "Gingodrome is ready" in done.stdout
        account = house.unprivileged_account()
        assert account
        assert (home / "data").stat().st_uid == account.uid
        assert not dropped.readable(account, [root / "manage.py"])
        assert not list(home.glob("runtime-*/site/playwright"))
        assert not (root / ".run").exists()
    finally:
        shutil.rmtree(home, ignore_errors=True)


def test_scripts_learn_their_place_without_touching_what_somebody_else_runs(tmp_path: Path) -> None:
    scripts = tmp_path / "aside" / "bin"
    scripts.mkdir(parents=True)
    shared = tmp_path / "cache-of-uv"
    shared.write_text(f"#!/bin/sh\n# {tmp_path}/aside/bin/python\n")
    shared.chmod(0o755)
    os.link(shared, scripts / "tool")
    before = shared.read_text()
    program = scripts / "sleep"
    shutil.copy("/bin/sleep", program)
    running = subprocess.Popen([program, "60"])
    try:
        bootstrap._move_paths(str(tmp_path / "aside"))
    finally:
        running.kill()
        running.wait()
    assert bootstrap.VENV in (scripts / "tool").read_text()
    assert os.access(scripts / "tool", os.X_OK)
    assert shared.read_text() == before
