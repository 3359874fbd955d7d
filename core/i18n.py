"""The languages of the house: messages out of the sources, catalogues up to date, compiled, and proved so.

English is the source. `locale/<language>/LC_MESSAGES/django.po` holds the translations, and the compiled `.mo`
lies beside it in the repository: a checkout that its user cannot write into needs nothing built, and `problems`
proves that both follow from the sources. Needs no settings and no gettext tools.
"""

from __future__ import annotations

import ast
import os
import re
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path
from typing import Final

from babel.messages.catalog import Catalog, Message
from babel.messages.extract import extract
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po
from django.utils.translation.template import templatize

ROOT: Final = Path(__file__).resolve().parent.parent
TRANSLATIONS: Final = ("it", "tr")
# A Turkish noun stays singular after a number, but a sentence may not: two forms in each language.
PLURAL_FORMS: Final = "nplurals=2; plural=(n != 1);"
SKIPPED: Final = frozenset({"tests", "tools", "migrations", "node_modules", "static", "locale", "docs", "deploy"})

_PLAIN = (1,)
_PLURAL = (1, 2)
_CONTEXT = ((1, "c"), 2)
_CONTEXT_PLURAL = ((1, "c"), 2, 3)
KEYWORDS: Final = {
    "_": _PLAIN,
    "gettext": _PLAIN,
    "gettext_lazy": _PLAIN,
    "gettext_noop": _PLAIN,
    "ngettext": _PLURAL,
    "ngettext_lazy": _PLURAL,
    "pgettext": _CONTEXT,
    "pgettext_lazy": _CONTEXT,
    "npgettext": _CONTEXT_PLURAL,
    "npgettext_lazy": _CONTEXT_PLURAL,
}
_STRING = r"u?(?:'(?:[^'\\]|\\.)*'|\"(?:[^\"\\]|\\.)*\")"
_CALL = re.compile(rf"(?<!\w)(_|n?p?gettext)\(\s*({_STRING}(?:\s*,\s*{_STRING})*)")
_PLACEHOLDER = re.compile(r"%\(\w+\)[sdif]|%[sd]|\{\w*\}|<[^<>]+>")
_VOLATILE = re.compile(r'^"(?:POT-Creation-Date|PO-Revision-Date|Last-Translator|Generated-By):.*\n', re.M)

Found = tuple[str, "str | tuple[str, ...]", "str | None"]  # file, msgid or (singular, plural), context


def source_files(root: Path = ROOT) -> Iterator[Path]:
    """Python files and templates that may hold words for people, in a stable order."""
    for folder, below, names in os.walk(root):
        below[:] = sorted(name for name in below if name not in SKIPPED and not name.startswith("."))
        for name in sorted(names):
            if name.endswith((".py", ".html")):
                yield Path(folder, name)


def messages_in(path: Path, root: Path = ROOT) -> Iterator[Found]:
    """Messages of one file. Raises SyntaxError or TemplateSyntaxError, as the file itself would."""
    name = path.relative_to(root).as_posix()
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".html":
        for call, arguments in _CALL.findall(templatize(text, origin=name)):
            strings = ast.literal_eval(f"({arguments},)")
            context = strings[0] if "p" in call else None
            strings = strings[1:] if context is not None else strings
            yield name, strings if call.startswith("n") else strings[0], context
        return
    found = extract("python", BytesIO(text.encode()), keywords=KEYWORDS, options={"encoding": "utf-8"})
    for _line, msgid, _comments, context in found:
        yield name, msgid, context


def template_of(root: Path = ROOT) -> Catalog:
    """Every message of the sources, untranslated."""
    catalog = Catalog(charset="utf-8")
    for path in source_files(root):
        for name, msgid, context in messages_in(path, root):
            catalog.add(msgid, locations=[(name, 0)], context=context)
    return catalog


def po_path(language: str, root: Path = ROOT) -> Path:
    return root / "locale" / language / "LC_MESSAGES" / "django.po"


def read(language: str, root: Path = ROOT) -> Catalog:
    """The catalogue of a language; an empty one with the right header if there is none yet."""
    path = po_path(language, root)
    text = path.read_bytes() if path.exists() else _header(language).encode()
    return read_po(BytesIO(text), locale=language, charset="utf-8")


def update(root: Path = ROOT) -> None:
    """Bring the catalogues up to the sources and compile them. What the sources dropped goes; nothing is guessed."""
    template = template_of(root)
    for language in TRANSLATIONS:
        catalog = read(language, root)
        catalog.update(template, no_fuzzy_matching=True, update_creation_date=False)
        catalog.obsolete.clear()
        path = po_path(language, root)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(po_bytes(catalog, language))
        path.with_suffix(".mo").write_bytes(mo_bytes(catalog))


def po_bytes(catalog: Catalog, language: str) -> bytes:
    """The text of a .po file: sorted, with file names but no lines and no dates, so that a change is a change."""
    buffer = BytesIO()
    write_po(buffer, catalog, width=100, sort_output=True, include_lineno=False, omit_header=True)
    body = buffer.getvalue().decode()
    return f"{_header(language)}\n{_VOLATILE.sub('', body).strip()}\n".encode()


def mo_bytes(catalog: Catalog) -> bytes:
    """The compiled catalogue, the same bytes for the same translations on every machine."""
    clean = _Compiled(charset="utf-8")
    for message in catalog:
        if message.id and not message.fuzzy:
            clean.add(message.id, message.string, context=message.context)
    buffer = BytesIO()
    write_mo(buffer, clean)
    return buffer.getvalue()


class _Compiled(Catalog):
    """A catalogue whose header says the two things that gettext reads, and no date."""

    def _get_mime_headers(self) -> list[tuple[str, str]]:
        return [("Content-Type", "text/plain; charset=utf-8"), ("Plural-Forms", PLURAL_FORMS)]

    mime_headers = property(_get_mime_headers, Catalog._set_mime_headers)


def problems(root: Path = ROOT) -> list[str]:
    """Sentences that say what is missing, doubtful or stale; an empty list means complete."""
    template = template_of(root)
    wanted = {_key(message) for message in template if message.id}
    found = [f"source: {text!r} has an exclamation mark" for text in _shouted(template, source=True)]
    for language in TRANSLATIONS:
        catalog = read(language, root)
        present = {_key(message) for message in catalog if message.id}
        found += [f"{language}: {_show(key)} is not in the catalogue" for key in sorted(wanted - present, key=str)]
        found += [f"{language}: {_show(key)} is in no source" for key in sorted(present - wanted, key=str)]
        found += [f"{language}: {_show(_key(m))} is obsolete" for m in catalog.obsolete.values()]
        for message in catalog:
            if message.id and _key(message) in wanted:
                found += [f"{language}: {_show(_key(message))} {fault}" for fault in faults(message)]
        found += [f"{language}: {text!r} has an exclamation mark" for text in _shouted(catalog, source=False)]
        compiled = po_path(language, root).with_suffix(".mo")
        if not compiled.exists() or compiled.read_bytes() != mo_bytes(catalog):
            found.append(f"{language}: django.mo does not follow from django.po; run manage.py messages")
    return found


def faults(message: Message) -> list[str]:
    """What is wrong with one translation."""
    sources = [message.id] if isinstance(message.id, str) else list(message.id)
    strings = [message.string] if isinstance(message.string, str) else list(message.string or ())
    if not strings or not all(strings) or len(strings) != len(sources):
        return ["is not translated"]
    found = ["is marked fuzzy"] if message.fuzzy else []
    allowed = {mark for source in sources for mark in _PLACEHOLDER.findall(source)}
    needed = set(_PLACEHOLDER.findall(sources[-1]))
    for index, text in enumerate(strings):
        marks = set(_PLACEHOLDER.findall(text))
        # the form for one may say the number in words
        if marks - allowed or (index == len(strings) - 1 and needed - marks):
            found.append(f"has other placeholders in {text!r}")
        if text.strip() != text or sources[0].strip() != sources[0]:
            found.append(f"has blanks around {text!r}")
    return found


def _key(message: Message) -> tuple[str, str]:
    """Context and msgid (the singular): what makes a message itself."""
    return message.context or "", message.id if isinstance(message.id, str) else message.id[0]


def _show(key: tuple[str, str]) -> str:
    context, text = key
    return f"{text!r} ({context})" if context else repr(text)


def _shouted(catalog: Catalog, *, source: bool) -> Iterator[str]:
    for message in catalog:
        texts = message.id if source else message.string
        for text in (texts,) if isinstance(texts, str) else texts or ():
            if message.id and "!" in text:
                yield text


def _header(language: str) -> str:
    return (
        'msgid ""\nmsgstr ""\n'
        '"Project-Id-Version: Gingodrome\\n"\n'
        f'"Language: {language}\\n"\n'
        '"MIME-Version: 1.0\\n"\n'
        '"Content-Type: text/plain; charset=utf-8\\n"\n'
        '"Content-Transfer-Encoding: 8bit\\n"\n'
        f'"Plural-Forms: {PLURAL_FORMS}\\n"\n'
    )
