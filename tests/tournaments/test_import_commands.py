"""Files in and out by command: what is printed, the exit codes, and that an export equals its import."""

import io
import json

import pytest
from django.core.management import call_command

from players.actor import SYSTEM
from players.models import User
from players.services import create_club
from tests.tournaments.files import by_place, stage, tournament_file
from tests.tournaments.rows import CUP, WORLD_2007
from tournaments.exchange.writing import text_of
from tournaments.models import Entrant, Tournament

pytestmark = pytest.mark.django_db


class Output(io.TextIOWrapper):
    """Standard output as a process has it: text over bytes."""

    def __init__(self):
        super().__init__(io.BytesIO(), encoding="utf-8", write_through=True)

    def text(self):
        return self.buffer.getvalue().decode()


@pytest.fixture
def run(monkeypatch, capsys):
    """run(command, *words) -> (exit status, standard output, standard error)."""

    def run(*words):
        output = Output()
        monkeypatch.setattr("sys.stdout", output)
        status = 0
        try:
            call_command(*words)
        except SystemExit as ended:
            status = ended.code
        return status, output.text(), capsys.readouterr().err

    return run


@pytest.fixture
def files(tmp_path):
    good = tournament_file(stage(by_place("A", "abcde"), by_place("B", "vwxyz", step=60)), name="Coppa d'autunno")
    refused = {**good, "withdrawals": [{"player": "z", "from": "final"}]}
    broken = {**good, "entries": ["a", "a", "nobody"]}
    for name, file in (("good", good), ("refused", refused), ("broken", broken)):
        (tmp_path / f"{name}.json").write_text(json.dumps(file))
    return {path.stem: str(path) for path in tmp_path.iterdir()}


def test_every_file_is_tried_each_as_a_whole_and_the_highest_code_counts(run, files, tmp_path):
    names = [files["broken"], files["good"], str(tmp_path / "missing.json"), str(WORLD_2007)]
    status, out, err = run("import_tournament", *names)
    assert status == 2
    assert out.splitlines() == [
        "coppa-dautunno: imported, no edition of a series here",
        "xxvi-world-championship-2007: imported, an edition of its series",
    ]
    assert err.startswith(f"{names[0]}:\n")
    assert "double - /entries/1: " in err
    assert "stranger - /entries/2: " in err
    assert f"{names[2]}:\nunreadable - /: " in err
    assert set(Tournament.objects.values_list("slug", flat=True)) == {line.split(":")[0] for line in out.splitlines()}


def test_the_same_file_again_says_so_and_changes_nothing(run, files):
    assert run("import_tournament", files["good"])[1] == "coppa-dautunno: imported, no edition of a series here\n"
    before = Tournament.objects.count(), User.objects.count()
    assert run("import_tournament", files["good"]) == (0, "coppa-dautunno: was here already\n", "")
    assert (Tournament.objects.count(), User.objects.count()) == before


def test_what_the_rules_or_the_house_refuse_exits_with_3_and_leaves_nothing(run, files):
    status, out, err = run("import_tournament", files["refused"])
    assert (status, out) == (3, "")
    assert err.startswith("not_qualified S8 /withdrawals/0/player: ")
    status, _, err = run("import_tournament", files["good"], "--club", "nowhere", "--language", "it")
    assert status == 3
    assert err.startswith("club_unknown - /club: ")
    assert not Tournament.objects.exists()
    assert not User.objects.exists()


def test_known_people_come_by_map_and_by_map_file(run, files, tmp_path):
    create_club(SYSTEM, slug="circolo", name="Circolo")
    ada, bea = (User.objects.create_user(None, name) for name in ("Ada", "Bea"))
    (tmp_path / "who.json").write_text(json.dumps({"b": str(bea.pk)}))
    words = ["--map", f"a={ada.pk}", "--map-file", str(tmp_path / "who.json"), "--club", "circolo", "--draft"]
    assert run("import_tournament", files["good"], *words)[0] == 0
    tournament = Tournament.objects.get()
    assert (tournament.published, tournament.club.slug) == (0, "circolo")
    people = dict(Entrant.objects.filter(code__in=("a", "b")).values_list("code", "person"))
    assert people == {"a": ada.pk, "b": bea.pk}
    assert User.objects.count() == 10


def test_a_code_that_no_file_has_is_refused_before_anything_is_imported(run, files):
    ada = User.objects.create_user(None, "Ada")
    status, out, err = run("import_tournament", files["good"], str(WORLD_2007), "--map", f"nobody={ada.pk}")
    assert (status, out) == (3, "")
    assert err.startswith("code_unknown - /people: ")
    assert not Tournament.objects.exists()


def test_each_of_several_files_takes_the_codes_that_it_has(run, files):
    ada = User.objects.create_user(None, "Ada")
    assert run("import_tournament", files["good"], str(WORLD_2007), "--map", f"P07={ada.pk}")[0] == 0
    assert Entrant.objects.get(person=ada).tournament.slug.startswith("xxvi")


@pytest.mark.parametrize("words", [["--map", "a"], ["--map", "a=nobody"], ["--map-file", "/nonexistent"]])
def test_a_map_that_cannot_be_read_is_said_at_once(run, files, words):
    from django.core.management.base import CommandError

    with pytest.raises(CommandError):
        run("import_tournament", files["good"], *words)


@pytest.mark.parametrize("path", [CUP, WORLD_2007], ids=lambda path: path.stem)
def test_an_export_equals_its_import(run, path, tmp_path):
    _, out, _ = run("import_tournament", str(path))
    slug = out.split(":")[0]
    status, printed, _ = run("export_tournament", slug)
    assert status == 0
    assert json.loads(printed) == json.loads(path.read_bytes())
    target = tmp_path / "out.json"
    assert run("export_tournament", slug, "-o", str(target)) == (0, "", "")
    assert target.read_text() == printed
    # and in again: the same file
    assert run("import_tournament", str(target))[1].startswith(f"{slug}: was here already")


def test_an_export_has_one_hand_a_line(run):
    run("import_tournament", str(CUP))
    _, printed, _ = run("export_tournament", Tournament.objects.get().slug)
    hands = [hand for part in json.loads(printed)["stages"] for heat in part["heats"] for hand in heat.get("hands", [])]
    lines = [line.strip().rstrip(",") for line in printed.splitlines()]
    assert hands
    assert all(json.dumps(hand, ensure_ascii=False) in lines for hand in hands)


@pytest.mark.parametrize(
    "file",
    [
        {},
        {"a": [], "b": {}},
        {"long": ["with, a comma", 'and "quotes"', "and spaces " * 20, 7, None] * 9},
        {"deep": [[[1, 2, [3] * 90]], {"x": {"y": ["z" * 200, {"à": "ı"}]}}]},
    ],
)
def test_text_of_anything_is_that_thing_again(file):
    assert json.loads(text_of(file)) == file


def test_an_unknown_address_or_a_folder_is_told(run, files):
    status, out, err = run("export_tournament", "nothing")
    assert (status, out) == (3, "")
    assert err.startswith("tournament_unknown - /: ")
    slug = run("import_tournament", files["good"])[1].split(":")[0]
    status, _, err = run("export_tournament", slug, "-o", "/nonexistent/file.json")
    assert status == 1
    assert "No such file" in err
