"""From a bare Python to one that has every dependency: makes `.venv` on first use, and nothing after that.

Standard library only. This file must *parse* on Python 3.6, so that an old Python is told in a sentence what is
missing: no newer syntax, and nothing of this house is imported before the version is known.
"""

import contextlib
import glob
import hashlib
import importlib.util
import json
import os
import re
import shutil
import subprocess
import sys
import sysconfig
import zipfile

OLDEST = (3, 11)
HERE = ".".join(map(str, sys.version_info[:2]))
ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
VENV = os.path.join(ROOT, ".venv")
STAMP = os.path.join(VENV, ".stamp")
LOCKS = {"run": "requirements.lock", "dev": "requirements-dev.lock"}
SETUP_LOCK = "requirements-setup.lock"
DEV_VERBS = ("test", "lint", "bench")
NO_VENV = "This Python has no venv module. On Debian and Ubuntu:  apt install python3-venv"


class SetupError(Exception):
    """The set-up cannot go on; the text is for the person at the keyboard."""


def main(args: list) -> int:
    """Run one command of manage.py with a Python that has the dependencies it needs."""
    if sys.version_info < OLDEST:
        print(_too_old(), file=sys.stderr)
        return 1
    try:
        args, wheels = take_option(args, "--wheels")
        kind = "dev" if args and (args[0] in DEV_VERBS or "--dev" in args) else "run"
        python = provide(kind, wheels)
    except SetupError as error:
        print(error, file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("\nStopped; the next start begins the set-up anew.", file=sys.stderr)
        return 130
    if python:
        os.execv(python, [python, os.path.join(ROOT, "manage.py")] + args)  # noqa: S606, RUF005
    from config import door

    return door.main(args)


def provide(kind: str, wheels: str = "") -> str:
    """The path of a Python with all that the lock `kind` asks for; empty where the running one has it.

    `wheels` is a folder made by `manage.py wheelhouse`: with it, a set-up needs no network.
    """
    ours = os.path.realpath(sys.prefix) == os.path.realpath(VENV)
    if not _stamp_fits(kind):
        if not ours and installed(kind, sys.path):
            return ""
        with _only_one():
            if not _stamp_fits(kind):  # somebody else may have built it while we waited
                if _adoptable(kind):
                    _write_stamp("dev" if _adoptable("dev") else "run", VENV)
                else:
                    _build(kind, wheels)
                    ours = False
    return "" if ours else _python_of(VENV)


def installed(kind: str, path: list) -> bool:
    """Whether the packages along the import path `path` are exactly those of the lock `kind`."""
    from importlib.metadata import distributions

    found: dict = {}
    for package in distributions(path=path):
        found.setdefault(_plain(package.metadata["Name"]), package.version)
    for name, version, marker in pins(kind):
        # A marker may excuse a package from this platform, but never another version of it.
        if found.get(name) != version and (name in found or not marker):
            return False
    return True


def pins(kind: str) -> list:
    """(name, version, whether a marker limits it) for each package of the lock `kind`."""
    with open(os.path.join(ROOT, LOCKS[kind]), encoding="utf-8") as lock:
        found = re.findall(r"^([A-Za-z0-9._-]+)==([^\s;\\]+)[ \t]*(;?)", lock.read(), re.MULTILINE)
    return [(_plain(name), version, bool(marker)) for name, version, marker in found]


def _plain(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def _build(kind: str, wheels: str) -> None:
    """Build the environment beside its place and move it in, so that `.venv` is whole or not there."""
    if wheels and not os.path.isdir(wheels):
        raise SetupError(f"There is no folder {wheels}: make it with  manage.py wheelhouse {wheels}")
    _tell(f"Setting up .venv (once; {LOCKS[kind]}) ...")
    aside, old = VENV + ".new", VENV + ".old"
    shutil.rmtree(aside, ignore_errors=True)
    base = getattr(sys, "_base_executable", None) or sys.executable
    # Without pip: installing it takes longer than all the rest, and it runs without being installed.
    if importlib.util.find_spec("venv") is None or subprocess.call(
        [base, "-m", "venv", "--without-pip", "--prompt", "gingodrome", aside]
    ):
        raise SetupError(NO_VENV)
    _install(kind, aside, os.path.abspath(wheels) if wheels else "")
    shutil.rmtree(os.path.join(aside, "setup"), ignore_errors=True)
    _move_paths(aside)
    _write_stamp(kind, aside)
    shutil.rmtree(old, ignore_errors=True)
    if os.path.lexists(VENV):
        os.rename(VENV, old)
    os.rename(aside, VENV)
    shutil.rmtree(old, ignore_errors=True)


def _install(kind: str, venv: str, wheels: str) -> None:
    python = _python_of(venv)
    source = ["--no-index", "--find-links", wheels] if wheels else []
    exact = [*source, "--require-hashes", "--only-binary", ":all:", "-r"]
    lock = os.path.join(ROOT, LOCKS[kind])
    pip = [*pip_for(python, os.path.join(venv, "setup")), "install", "-q", "--no-compile"]
    env = dict(os.environ, PIP_USER="0", PIP_REQUIRE_VIRTUALENV="0")
    uv = shutil.which("uv")
    if not uv:
        # Many times as fast as pip, and here for the set-up only.
        target = os.path.join(venv, "setup", "uv")
        words = [*pip, "--target", target, *exact, os.path.join(ROOT, SETUP_LOCK)]
        if not subprocess.call(words, env=env, stderr=subprocess.DEVNULL):
            uv = os.path.join(target, "bin", "uv")
    if uv:
        # uv has its own list of certificates and its own settings: where it fails (a TLS proxy), pip may not.
        if not subprocess.call([uv, "pip", "install", "-q", "--python", python, *exact, lock], env=env):
            return
        _tell("uv could not install the packages; trying pip ...")
    if subprocess.call([*pip, *exact, lock], env=env):
        if wheels:
            raise SetupError(f"The wheels in {wheels} do not fit {LOCKS[kind]} and this machine: make them anew.")
        raise SetupError(
            "The packages could not be installed. Without a network: `manage.py wheelhouse DIR` on a machine "
            "that has one, then `manage.py up --wheels DIR` here."
        )


def pip_for(python: str, folder: str) -> list:
    """The words that run pip with `python`: out of the wheel that every Python carries, unpacked into `folder`."""
    spec = importlib.util.find_spec("ensurepip")
    beside = os.path.join(os.path.dirname(spec.origin), "_bundled") if spec and spec.origin else ""
    for place in (sysconfig.get_config_var("WHEEL_PKG_DIR"), beside):
        wheels = sorted(glob.glob(os.path.join(place, "pip-*.whl"))) if spec and place else []
        if wheels:
            with zipfile.ZipFile(wheels[-1]) as wheel:
                wheel.extractall(folder)
            return [python, os.path.join(folder, "pip"), "--disable-pip-version-check"]
    raise SetupError(NO_VENV)


def _move_paths(aside: str) -> None:
    """Let the scripts of an environment that is about to move name its last place."""
    scripts = os.path.join(aside, "bin")
    for name in os.listdir(scripts):
        path = os.path.join(scripts, name)
        if os.path.islink(path):
            continue
        with open(path, "rb") as script:
            text = script.read()
        if os.fsencode(aside) in text and b"\0" not in text:
            # Never written in place: uv links what it installs, and another checkout may run that very file.
            with open(path + ".new", "wb") as script:
                script.write(text.replace(os.fsencode(aside), os.fsencode(VENV)))
            shutil.copymode(path, path + ".new")
            os.replace(path + ".new", path)


def _adoptable(kind: str) -> bool:
    """Whether a `.venv` without our stamp (made by hand or by an editor) has the right packages already."""
    packages = os.path.join(VENV, "lib", f"python{HERE}", "site-packages")
    if os.path.exists(STAMP) or not os.path.exists(_python_of(VENV)):
        return False
    return os.path.isdir(packages) and installed(kind, [packages])


def _stamp(kind: str, venv: str) -> dict:
    """What must stay the same for `.venv` to be right: its place, its Python, the locks it was built from."""
    stamp = {
        "path": ROOT,
        "python": os.path.realpath(_python_of(venv)),
        "version": HERE,
        "run": _digest("run"),
    }
    if kind == "dev":
        stamp["dev"] = _digest("dev")
    return stamp


def _write_stamp(kind: str, venv: str) -> None:
    aside = os.path.join(venv, ".stamp.new")
    with open(aside, "w", encoding="utf-8") as file:
        json.dump(_stamp(kind, venv), file)
    os.rename(aside, os.path.join(venv, ".stamp"))


def _stamp_fits(kind: str) -> bool:
    """Whether `.venv` is right for `kind`. One of the dev lock holds the run lock too, and serves both."""
    try:
        with open(STAMP, encoding="utf-8") as file:
            found = json.load(file)
        version = found["version"]
    except (OSError, ValueError, KeyError, TypeError):
        return False
    python = os.path.realpath(_python_of(VENV))
    same_python = python == found["python"] and os.path.exists(python)
    if python == os.path.realpath(sys.executable):
        same_python = same_python and version == HERE
    return same_python and found["path"] == ROOT and found.get(kind) == _digest(kind)


def _digest(kind: str) -> str:
    with open(os.path.join(ROOT, LOCKS[kind]), "rb") as lock:
        return hashlib.sha256(lock.read()).hexdigest()


def _python_of(venv: str) -> str:
    return os.path.join(venv, "bin", "python")


@contextlib.contextmanager
def _only_one():
    """One set-up at a time; the kernel frees the lock of a process that dies."""
    try:
        import fcntl
    except ImportError:
        raise SetupError("Gingodrome runs on Linux and macOS; on Windows use WSL2.") from None
    try:
        lock = open(VENV + ".lock", "w")  # noqa: SIM115 - closed below, by hand, to free the lock
    except OSError as error:
        raise SetupError(f"The set-up cannot write to {ROOT}: {error.strerror}.") from error
    try:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            _tell("Another set-up is at work here; waiting for it ...")
            fcntl.flock(lock, fcntl.LOCK_EX)
        yield
    finally:
        lock.close()


def _tell(text: str) -> None:
    """To standard error: standard output belongs to the command, and may be read by a program."""
    print(text, file=sys.stderr, flush=True)


def take_option(args: list, name: str) -> tuple:
    """The arguments without `name VALUE` or `name=VALUE`, and the value (empty where it is not given)."""
    joined = [word for word in args if word.startswith(name + "=")]
    if joined:
        return [word for word in args if word not in joined], joined[-1][len(name) + 1 :]
    if name not in args:
        return args, ""
    at = args.index(name)
    if at + 1 == len(args):
        raise SetupError(f"{name} needs a folder.")
    return args[:at] + args[at + 2 :], args[at + 1]


def _too_old() -> str:
    text = f"Gingodrome needs Python {OLDEST[0]}.{OLDEST[1]} or newer, and this is {HERE}."
    newer = [shutil.which(f"python3.{minor}") for minor in range(19, OLDEST[1] - 1, -1)]
    found = [path for path in newer if path]
    return text + (f"  Try:  {found[0]} manage.py" if found else "")
