"""The message pipeline on small sources: everything marked is found, and every kind of fault is named."""

from __future__ import annotations

import gettext
from io import BytesIO
from pathlib import Path

import pytest

from core import i18n

PYTHON = """
from django.utils.translation import gettext_lazy as _, ngettext, pgettext
a = _("Hand")
b = ngettext("%(n)s hand", "%(n)s hands", 2)
c = pgettext("suit", "cups")
"""
HTML = """{% load i18n %}{% trans "Seat 100%" %}{{ x|default:_("none") }}
{% blocktrans count n=n %}{{ n }} seat{% plural %}{{ n }} seats{% endblocktrans %}
{% trans "cups" context "suit" %}{# {% trans "hidden" %} #}"""


@pytest.fixture
def root(tmp_path: Path) -> Path:
    (tmp_path / "app").mkdir()
    (tmp_path / "app" / "views.py").write_text(PYTHON)
    (tmp_path / "templates").mkdir()
    (tmp_path / "templates" / "page.html").write_text(HTML)
    (tmp_path / "tests").mkdir()
    (tmp_path / "tests" / "test_x.py").write_text('_("not for people")')
    i18n.update(tmp_path)
    return tmp_path


TRANSLATED = {
    "Hand": "Mano",
    "cups": "coppe",
    "none": "nessuno",
    "Seat 100%%": "Posto 100%%",
    "%(n)s hand": ("%(n)s mano", "%(n)s mani"),
    "%(n)s seat": ("un posto", "%(n)s posti"),
}


def translate(root: Path, changes: dict[str, object] | None = None, flags: tuple[str, ...] = ()) -> None:
    for language in i18n.TRANSLATIONS:
        catalog = i18n.read(language, root)
        for message in catalog:
            if message.id:
                key = message.id if isinstance(message.id, str) else message.id[0]
                message.string = ({**TRANSLATED, **(changes or {})})[key]
                message.flags |= set(flags)
        path = i18n.po_path(language, root)
        path.write_bytes(i18n.po_bytes(catalog, language))
        path.with_suffix(".mo").write_bytes(i18n.mo_bytes(i18n.read(language, root)))


def test_everything_marked_is_found_and_nothing_else(root):
    found = {(m.id if isinstance(m.id, str) else m.id[0], m.context) for m in i18n.template_of(root) if m.id}
    assert found == {(text, "suit" if text == "cups" else None) for text in TRANSLATED}


def test_a_complete_catalogue_has_no_problem_and_an_update_changes_nothing(root):
    translate(root)
    assert i18n.problems(root) == []
    before = {path: path.read_bytes() for path in root.rglob("django.*")}
    i18n.update(root)
    assert {path: path.read_bytes() for path in root.rglob("django.*")} == before


def test_the_compiled_catalogue_speaks(root):
    translate(root)
    spoken = gettext.GNUTranslations(BytesIO((root / "locale/it/LC_MESSAGES/django.mo").read_bytes()))
    assert spoken.gettext("Hand") == "Mano"
    assert spoken.pgettext("suit", "cups") == "coppe"
    assert [spoken.ngettext("%(n)s seat", "%(n)s seats", n) for n in (0, 1, 2)] == [
        "%(n)s posti",
        "un posto",
        "%(n)s posti",
    ]


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"Hand": ""}, "'Hand' is not translated"),
        ({"%(n)s hand": ("%(n)s mano", "")}, "'%(n)s hand' is not translated"),
        ({"%(n)s hand": ("%(n)s mano", "mani")}, "has other placeholders in 'mani'"),
        ({"%(n)s hand": ("%(m)s mano", "%(n)s mani")}, "has other placeholders in '%(m)s mano'"),
        ({"Hand": "Mano %s"}, "has other placeholders"),
        ({"Hand": " Mano"}, "has blanks around"),
        ({"Hand": "Mano!"}, "has an exclamation mark"),
    ],
)
def test_a_faulty_translation_is_named(root, changes, words):
    translate(root, changes)
    found = i18n.problems(root)
    assert any(words in problem and problem.startswith("it:") for problem in found)
    assert any(words in problem and problem.startswith("tr:") for problem in found)


def test_a_fuzzy_translation_is_named_and_not_compiled(root):
    translate(root, flags=("fuzzy",))
    assert any("is marked fuzzy" in problem for problem in i18n.problems(root))
    spoken = gettext.GNUTranslations(BytesIO((root / "locale/it/LC_MESSAGES/django.mo").read_bytes()))
    assert spoken.gettext("Hand") == "Hand"


def test_sources_that_moved_on_are_noticed(root):
    translate(root)
    (root / "app" / "views.py").write_text(PYTHON.replace("Hand", "Trick"))
    found = i18n.problems(root)
    assert "it: 'Trick' is not in the catalogue" in found
    assert "it: 'Hand' is in no source" in found


def test_a_stale_compiled_catalogue_is_noticed(root):
    translate(root)
    (root / "locale/tr/LC_MESSAGES/django.mo").write_bytes(b"")
    assert i18n.problems(root) == ["tr: django.mo does not follow from django.po; run manage.py messages"]


def test_an_exclamation_mark_in_a_source_is_noticed(root):
    translate(root)
    (root / "app" / "more.py").write_text('_("Won!")')
    assert "source: 'Won!' has an exclamation mark" in i18n.problems(root)
