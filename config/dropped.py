"""Root hands the house to an unprivileged account; where that account cannot read, it gets a copy that it can.

A checkout in /root, a `.venv` in it and even the interpreter itself may be closed to every other account. Then the
packages of the run lock, the interpreter with its standard library, and (at each start) the code are copied to a
folder of root's that everybody can read.
"""

from __future__ import annotations

import contextlib
import hashlib
import importlib.metadata
import importlib.util
import os
import shutil
import subprocess
import sys
import sysconfig
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from config import bootstrap, house
from config.house import ROOT, Account, HouseError

CODE_LEFT_OUT = shutil.ignore_patterns(".*", "__pycache__", "tests", "node_modules")
STDLIB_LEFT_OUT = shutil.ignore_patterns(
    "__pycache__", "site-packages", "dist-packages", "test", "idlelib", "tkinter", "turtledemo", "lib2to3", "config-*"
)


@dataclass(frozen=True, slots=True)
class Foothold:
    """A Python and a folder of code that the account can run, and the environment which they need."""

    python: str
    root: Path
    environ: dict[str, str] = field(default_factory=dict)


def foothold(account: Account, data: Path) -> Foothold:
    """Prepare the data folder for `account`, and a place to run from: the checkout if it can be read, or a copy."""
    home = house.own_folder(data.parent, 0o755)
    house.own_folder(data, 0o700, account.uid)
    if not readable(account, [data]):
        raise HouseError(f"The account {account.name} cannot reach {data}: set GINGODROME_DATA to another folder.")
    bytecode = house.own_folder(house.own_folder(house.root_home(), 0o755) / "pycache", 0o700, account.uid)
    environ = {
        "HOME": str(data),
        "USER": account.name,
        "LOGNAME": account.name,
        "PYTHONPYCACHEPREFIX": str(bytecode),
    }
    django = importlib.util.find_spec("django")
    needed = [ROOT / "manage.py", Path(sys.executable), Path(os.__file__), *_libpython()]
    if django and django.origin and readable(account, [*needed, Path(django.origin)]):
        return Foothold(sys.executable, ROOT, environ)
    runtime = _runtime(account)
    code = _code(home, data)
    return Foothold(str(runtime / "python/bin/python"), code, environ | _environ(runtime, code))


def become(account: Account) -> None:
    """Turn this process into one of `account`, for good."""
    os.setgroups([])
    os.setgid(account.gid)
    os.setuid(account.uid)
    os.umask(0o077)


def readable(account: Account, paths: Sequence[Path], how: int = os.R_OK) -> bool:
    """Whether `account` can read all of `paths` (or `how` else); asked of the kernel by a child that becomes it."""
    pid = os.fork()
    if pid == 0:
        answer = 1
        try:
            become(account)
            answer = 0 if all(os.access(path, how) for path in paths) else 1
        finally:
            os._exit(answer)
    return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == 0


def copy_readable(
    source: Path, target: Path, left_out: Callable[..., set[str]] | None = None, *, link: bool = True
) -> None:
    """Copy a file or a tree so that every account can read it (and run what its owner can run).

    `left_out` is what `shutil.ignore_patterns` makes. Links to files become files. With `link`, a file that is
    readable already costs no copy; that is for files which nobody edits in place.
    """
    before = os.umask(0o022)
    copy = _link if link else _copy
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        if source.is_dir():
            shutil.copytree(source, target, ignore=left_out, ignore_dangling_symlinks=True, copy_function=copy)
            for folder, _names, _files in os.walk(target):
                os.chmod(folder, 0o755)  # noqa: S103 - to be read by everybody is what it is for
        else:
            copy(source, target)
    finally:
        os.umask(before)


def _link(source: str | Path, target: str | Path) -> None:
    real = os.path.realpath(source)
    mode = os.stat(real).st_mode
    if mode & 0o004 and bool(mode & 0o100) == bool(mode & 0o001):
        with contextlib.suppress(OSError):  # another file system
            os.link(real, target)
            return
    _copy(source, target)


def _copy(source: str | Path, target: str | Path) -> None:
    """With its time, so that bytecode made from it stays good."""
    shutil.copy2(source, target)
    os.chmod(target, 0o755 if os.stat(target).st_mode & 0o100 else 0o644)


def _code(home: Path, data: Path) -> Path:
    """The code as it is now, copied once per change; a house that runs keeps the copy that it runs from."""
    found = hashlib.sha256()
    for folder, names, files in os.walk(ROOT):
        left_out = CODE_LEFT_OUT(folder, names + files)
        names[:] = sorted(set(names) - left_out)
        for name in sorted(set(files) - left_out):
            file = Path(folder, name).stat()
            found.update(f"{folder}/{name}|{file.st_mtime_ns}|{file.st_size}\n".encode())
    code = home / f"code-{found.hexdigest()[:16]}"
    with house.locked(home / "copies.lock"):
        if not code.exists():
            if not house.is_locked(data / "lock"):
                for old in home.glob("code-*"):
                    shutil.rmtree(old, ignore_errors=True)
            aside = home / "code.new"
            shutil.rmtree(aside, ignore_errors=True)
            copy_readable(ROOT, aside, CODE_LEFT_OUT, link=False)
            aside.rename(code)
    return code


def _runtime(account: Account) -> Path:
    """The interpreter and the packages, copied once per Python and lock."""
    lock = (ROOT / bootstrap.LOCKS["run"]).read_bytes()
    key = hashlib.sha256(f"{sys.version}|{os.path.realpath(sys.executable)}|".encode() + lock).hexdigest()[:16]
    home = house.own_folder(house.root_home(), 0o755)
    runtime = home / f"runtime-{key}"
    with house.locked(home / "copies.lock"):
        if not runtime.exists():
            told = f"Copying Python and the packages to {home}, which the account {account.name} can read ..."
            print(told, file=sys.stderr, flush=True)
            aside = home / "runtime.new"
            shutil.rmtree(aside, ignore_errors=True)
            _copy_python(aside / "python")
            _copy_packages(aside / "site")
            _try_out(account, aside)
            aside.rename(runtime)
    return runtime


def _copy_python(target: Path) -> None:
    copy_readable(Path(os.path.realpath(sys.executable)), target / "bin/python")
    for library in _libpython():
        copy_readable(library, target / "lib" / library.name)
    for kind in ("stdlib", "platstdlib"):
        source = Path(sysconfig.get_path(kind, vars={"base": sys.base_prefix, "platbase": sys.base_prefix}))
        inside = target / source.relative_to(sys.base_prefix)
        if not inside.exists():
            copy_readable(source, inside, STDLIB_LEFT_OUT)


def _libpython() -> list[Path]:
    """The shared library of an interpreter that was built with one."""
    if not sysconfig.get_config_var("Py_ENABLE_SHARED"):
        return []
    folder, name = sysconfig.get_config_var("LIBDIR"), sysconfig.get_config_var("INSTSONAME")
    library = Path(folder or "/") / (name or "")
    return [library] if library.is_file() else []


def _copy_packages(target: Path) -> None:
    """Only the packages of the run lock, file by file as they were installed: no test tools, no stray packages."""
    for name, _version, limited in bootstrap.pins("run"):
        try:
            package = importlib.metadata.distribution(name)
        except importlib.metadata.PackageNotFoundError:
            if limited:
                continue
            raise
        for file in package.files or ():
            if ".." not in file.parts and file.suffix != ".pyc":
                copy_readable(Path(str(file.locate())), target / file)


def _environ(runtime: Path, code: Path) -> dict[str, str]:
    environ = {"PYTHONHOME": str(runtime / "python"), "PYTHONPATH": f"{code}{os.pathsep}{runtime / 'site'}"}
    if _libpython():
        environ["LD_LIBRARY_PATH"] = str(runtime / "python/lib")
    return environ


def _try_out(account: Account, runtime: Path) -> None:
    words = [str(runtime / "python/bin/python"), "-B", "-c", "import ssl, ctypes, psycopg, django, celery, uvicorn"]
    environ = _environ(runtime, Path("/"))
    tried = subprocess.run(words, env=environ, cwd="/", capture_output=True, text=True, **account.popen())
    if tried.returncode:
        raise HouseError(
            f"The account {account.name} can read neither this checkout with its Python nor a copy of them: "
            f"move the checkout to a folder like /opt and use /usr/bin/python3. {tried.stderr.strip()}"
        )
