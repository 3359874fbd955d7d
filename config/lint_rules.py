"""Checks of our own that no tool has: what a template, a script or a module of this house must not do.

Each check takes the text of one file and yields faults; `faults` runs them all over a checkout. Standard library only,
except `url_rooms` and `missing_migrations`, which ask Django.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

ROOMS = ("core", "players", "scoring", "gameplay", "tournaments")  # lower rooms know nothing of higher ones
WIRING = "config"  # stands outside of the rooms and may name all of them
LONGEST = 420  # lines: about 400, and a person still reads it in one sitting
SKIPPED = frozenset({"node_modules", "__pycache__", "migrations", "vendor"})
RANDOM_PLACES = ("core/entropy.py", "config/", "tests/", "tools/")

_COMMENT = re.compile(r"{#.*?#}|{%-?\s*comment\b.*?endcomment\s*-?%}|<!--.*?-->", re.DOTALL)
_DJANGO = re.compile(r"{%.*?%}|{{.*?}}", re.DOTALL)
_TAG = re.compile(r"<[a-zA-Z][^<>]*>", re.DOTALL)
_ATTRIBUTE = re.compile(r"(?<=[\s\"'])([@:\w.-]+)\s*=\s*(\"[^\"]*\"|'[^']*'|[^\s>]+)", re.DOTALL)
_NAMED = re.compile(r"{%-?\s*(url|include|extends)\s+[\"']([^\"']+)[\"']")
_LOADED = re.compile(r"{%-?\s*load\s+(.*?)-?%}")
_FOREIGN_URL = re.compile(r"(?:https?:)?//(?!www\.w3\.org/)[\w-]+(?:\.[\w-]+)+")
_UP_PATH = re.compile(r"(\w+)[.:/]\w")


@dataclass(frozen=True, slots=True, order=True)
class Fault:
    """One line that must change: `path:line: why`."""

    path: str
    line: int
    why: str

    def __str__(self) -> str:
        return f"{self.path}:{self.line}: {self.why}"


def faults(root: Path, url_rooms: Mapping[str, str]) -> list[Fault]:
    """Everything our own checks find below `root`, sorted. `url_rooms`: name of an address -> room of its view."""
    tag_rooms = {path.stem: path.parts[-3] for path in root.glob("*/templatetags/*.py")}
    found: list[Fault] = []
    for path in sorted(root.rglob("*")):
        name = path.relative_to(root).as_posix()
        parts = name.split("/")
        if SKIPPED & set(parts) or parts[0].startswith(".") or not path.is_file():
            continue
        if path.suffix == ".html" and "templates" in parts and parts[0] != "tests":
            text = path.read_text()
            found += template_faults(name, text)
            found += template_room_faults(name, text, url_rooms, tag_rooms)
        elif parts[0] == "static" and path.suffix in (".css", ".js"):
            found += script_faults(name, path.read_text())
        elif path.suffix == ".py":
            found += python_faults(name, path.read_text())
    return sorted(found)


def template_faults(name: str, text: str) -> Iterator[Fault]:
    """What the content security policy would break, and what would leave this origin."""
    text = _blank(_DJANGO, _blank(_COMMENT, text))
    for tag in _TAG.finditer(text):
        line = _line(text, tag.start())
        element = re.match(r"<([a-zA-Z][\w-]*)", tag[0])
        kind = element[1].lower() if element else ""
        attributes = {key.lower(): value.strip("\"'") for key, value in _ATTRIBUTE.findall(tag[0])}
        if kind == "style":
            yield Fault(name, line, "inline <style>: put it into static/css")
        if kind == "script":
            if "src" not in attributes:
                yield Fault(name, line, "inline <script>: put it into static/js")
            elif text[tag.end() : text.find("</script", tag.end())].strip():
                yield Fault(name, line, "<script src> with a content")
        for key, value in attributes.items():
            if key == "style":
                yield Fault(name, line, "inline style attribute: use a class")
            elif re.fullmatch(r"on[a-z]+", key):
                yield Fault(name, line, f"inline handler {key}: listen in static/js")
            elif key.startswith(("hx-on", "data-hx-on")):
                yield Fault(name, line, "hx-on needs eval: listen in static/js")
            elif key.startswith(("hx-trigger", "data-hx-trigger")) and "[" in value:
                yield Fault(name, line, "a filter in hx-trigger needs eval")
            if re.match(r"\s*(js|javascript)\s*:", value, re.IGNORECASE):
                yield Fault(name, line, f"{key} with js: or javascript: needs eval")
    for url in _FOREIGN_URL.finditer(text):
        yield Fault(name, _line(text, url.start()), f"a page asks nobody else: {url[0]}")


def template_room_faults(
    name: str, text: str, url_rooms: Mapping[str, str], tag_rooms: Mapping[str, str]
) -> Iterator[Fault]:
    """{% url %}, {% include %}, {% extends %} and {% load %} that point to a higher room, or nowhere."""
    text = _blank(_COMMENT, text)
    room = template_room(name)
    for match in _NAMED.finditer(text):
        tag, target = match.groups()
        line = _line(text, match.start())
        if tag == "url" and target not in url_rooms:
            yield Fault(name, line, f"no address is called {target!r}")
            continue
        other = url_rooms[target] if tag == "url" else template_room(f"templates/{target}")
        if _above(other, room):
            yield Fault(name, line, f"{{% {tag} %}} of {room} points up to {other}: {target}")
    for match in _LOADED.finditer(text):
        for library in match[1].partition(" from ")[2].split() or match[1].split():
            if _above(other := tag_rooms.get(library, ""), room):
                yield Fault(name, _line(text, match.start()), f"{room} loads tags of {other}: {library}")


def template_room(name: str) -> str:
    """The room of a template: its app's folder; the style guide is the highest's, what all share the lowest's."""
    parts = name.split("/")
    if "templates" not in parts[:-1]:
        return ROOMS[0]
    folder = parts[parts.index("templates") + 1]
    if folder == "styleguide":
        return ROOMS[-1]
    return folder if folder in ROOMS else parts[0] if parts[0] in ROOMS else ROOMS[0]


def script_faults(name: str, text: str) -> Iterator[Fault]:
    """Addresses of others in our own stylesheets and scripts, and code out of strings."""
    bare = _blank(re.compile(r"/\*.*?\*/", re.DOTALL), text)
    for number, line in enumerate(bare.splitlines(), 1):
        code = re.sub(r"(^|\s)//(?!\S*\.\w).*", "", line)
        if url := _FOREIGN_URL.search(code):
            yield Fault(name, number, f"a page asks nobody else: {url[0]}")
        if name.endswith(".js") and re.search(r"\beval\s*\(|new\s+Function\s*\(", code):
            yield Fault(name, number, "code out of a string: the content security policy forbids it")


def python_faults(name: str, text: str) -> list[Fault]:
    """Length, randomness, clocks, signals and names of higher rooms in a Python file."""
    found = []
    if (length := text.count("\n")) > LONGEST:
        found.append(Fault(name, length, f"longer than {LONGEST} lines: nobody reads that in one sitting"))
    tree = ast.parse(text, name)
    parts = name.split("/")
    room = parts[0]
    for node in ast.walk(tree):
        line = getattr(node, "lineno", 0)
        found += [Fault(name, line, why) for why in _randomness(node, name)]
        if room not in ROOMS:
            continue
        if "rules" in parts:
            found += [Fault(name, line, why) for why in _impurity(node)]
        for module in _imported(node):
            if module.startswith(("django.dispatch", "django.db.models.signals")):
                found.append(Fault(name, line, "signals hide who calls whom: call a service"))
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            other = _UP_PATH.match(node.value)
            if other and _above(other[1], room) and " " not in node.value:
                found.append(Fault(name, line, f"{room} names the higher room {other[1]}: {node.value!r}"))
    return found


def url_rooms() -> dict[str, str]:
    """Every named address -> the room of its view ("" for a view that is none of ours). Needs Django set up."""
    from django.urls import URLPattern, URLResolver, get_resolver

    rooms: dict[str, str] = {}

    def walk(resolver: URLResolver, prefix: str) -> None:
        for entry in resolver.url_patterns:
            if isinstance(entry, URLResolver):
                walk(entry, f"{prefix}{entry.namespace}:" if entry.namespace else prefix)
            elif isinstance(entry, URLPattern) and entry.name:
                view = getattr(entry.callback, "view_class", entry.callback)
                room = view.__module__.partition(".")[0]
                rooms[f"{prefix}{entry.name}"] = room if room in ROOMS else ""

    walk(get_resolver(), "")
    return rooms


def missing_migrations() -> Iterator[str]:
    """What `makemigrations --check` says, without asking a database. Needs Django set up."""
    from django.apps import apps
    from django.db.migrations.autodetector import MigrationAutodetector
    from django.db.migrations.loader import MigrationLoader
    from django.db.migrations.state import ProjectState
    from django.utils.translation import override

    loader = MigrationLoader(None)
    for app, names in loader.detect_conflicts().items():
        yield f"{app}: two last migrations: {', '.join(sorted(names))}"
    detector = MigrationAutodetector(loader.project_state(), ProjectState.from_apps(apps))
    with override(None):  # migrations hold the English words
        changes = detector.changes(graph=loader.graph)
    for app, migrations in changes.items():
        for migration in migrations:
            for operation in migration.operations:
                yield f"{app}: a migration is missing: {operation.describe()}"


def _randomness(node: ast.AST, name: str) -> Iterator[str]:
    if name.startswith("tests/"):
        return
    modules = set(_imported(node))
    if "random" in modules:
        yield "the module random decides nothing here: core.entropy"
    if name.startswith(RANDOM_PLACES):
        return
    if modules & {"secrets", "uuid.uuid1", "uuid.uuid4", "os.urandom"}:
        yield "randomness and ids come from core.entropy alone"
    if isinstance(node, ast.Attribute) and ast.unparse(node) in {"uuid.uuid1", "uuid.uuid4", "os.urandom"}:
        yield "randomness and ids come from core.entropy alone"


def _impurity(node: ast.AST) -> Iterator[str]:
    """What no rule does: look at a clock, at a file, at a screen. (Imports are import-linter's.)"""
    if not isinstance(node, ast.Call):
        return
    if isinstance(node.func, ast.Attribute) and node.func.attr in {"now", "utcnow", "today"}:
        yield "a rule has no clock: `now` comes in as an argument"
    if isinstance(node.func, ast.Name) and node.func.id in {"open", "print", "input", "eval", "exec", "__import__"}:
        yield f"a rule does not call {node.func.id}"


def _imported(node: ast.AST) -> Iterator[str]:
    """Names a node imports: `a.b` for a module, and `a.b.c` for a name from it as well."""
    if isinstance(node, ast.Import):
        yield from (alias.name for alias in node.names)
    elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
        yield node.module
        yield from (f"{node.module}.{alias.name}" for alias in node.names)


def _above(other: str, room: str) -> bool:
    return other == WIRING or (other in ROOMS and ROOMS.index(other) > ROOMS.index(room))


def _blank(pattern: re.Pattern[str], text: str) -> str:
    """`text` with spaces where `pattern` matches; line breaks stay, so that the numbers of the lines do."""
    return pattern.sub(lambda found: re.sub(r"[^\n]", " ", found[0]), text)


def _line(text: str, position: int) -> int:
    return text.count("\n", 0, position) + 1
