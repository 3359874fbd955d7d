"""A file becomes rows and comes out equal; pages, tables and prints show the places that the file gives, every one."""

import csv
import io
import json
import re
from fractions import Fraction
from html.parser import HTMLParser

import pytest
from django.urls import reverse
from django.utils.translation import override

from core.refusal import Refusal
from core.templatetags.look import MINUS, figure, percent
from players.actor import SYSTEM
from tests.tournaments.prints import assert_in_order, read, text_of
from tournaments.exchange.generator import generate_tournament
from tournaments.exchange.records import record_from_file
from tournaments.exchange.result import result_of
from tournaments.queries.tournament import file_for_export, tournament_for_page
from tournaments.rules.replay import replay
from tournaments.services.importing import import_tournament
from tournaments.web import presenting, presenting_series
from tournaments.web.printing import Gaps, Ranking, csv_of
from tournaments.web.prints import document_of, print_of

pytestmark = pytest.mark.django_db
LANGUAGES = ("it", "tr", "en")
GONE_ON = {"repechage", "substitute", "excluded"}


def imported(seed):
    """A random tournament that has gone in and out: its view, what its exported file gives, and its names."""
    file = generate_tournament(seed, 1 + seed % 9, hands=12)
    done = import_tournament(SYSTEM, json.dumps(file).encode())
    assert done.created
    exported = file_for_export(SYSTEM, done.slug)
    assert exported == file, seed
    given = result_of(replay(record_from_file(exported)))
    return tournament_for_page(SYSTEM, done.slug), given, {player["id"]: player["name"] for player in file["players"]}


class Given:
    """What a replayed file says, as plain values that rows of every kind can be compared with."""

    def __init__(self, result, names):
        self.result, self.name = result, lambda code: names.get(code, code)

    def heat(self, stage, heat):
        of_stage = [match for match in self.result["heats"] if match["stage"] == stage]
        return [
            (row["place"], self.name(row["player"]), row["points"], gap_of(row["gap"]))
            for row in of_stage[heat - 1]["ranking"]
        ]

    def repechage(self, stage):
        told = next((each for each in self.result["qualification"] if each["stage"] == stage), {"repechage": ()})
        return [
            (at, self.name(row["player"]), row["heat"], gap_of(row["gap"]), row["player"] in told["qualified"])
            for at, row in enumerate(told["repechage"], start=1)
        ]

    def final(self):
        points = self.result["tournament_points"]
        return [
            (row["place"], self.name(row["player"]), points.get(row["player"], 0))
            for row in self.result["final_ranking"]
        ]

    def excluded(self):
        return [("", self.name(player)) for player in self.result["excluded"]]

    def agp(self):
        return [(row["rank"], self.name(row["player"]), row["points"]) for row in self.result["agp"]]


def gap_of(text):
    return None if "/" not in text and text.startswith("inf") else Fraction(text)


def numbers(view):
    """Stage and heat of every match, and every stage with a repechage."""
    heats = [(stage.number, heat) for stage in view.outcome.stages for heat in range(1, len(stage.matches) + 1)]
    return heats, [stage.number for stage in view.outcome.stages if stage.qualification]


def assert_rows(view, given):
    """(b) The rows that the pages are made of."""
    heats, stages = numbers(view)
    for stage, heat in heats:
        rows = presenting.heat_ranking_rows(view, stage, heat)
        assert [(row["place"], row["name"], *row["cells"]) for row in rows] == given.heat(stage, heat)
    for stage in stages:
        rows = presenting.repechage_rows(view, stage)
        assert [
            (row["order"], row["name"], row["heat"], row["gap"], row["decision"] in ("repechage", "substitute"))
            for row in rows
        ] == given.repechage(stage)
    rows = presenting.final_ranking_rows(view)
    assert [(row["place"], row["name"], *row["cells"]) for row in rows] == given.final()
    assert [(row["place"], row["name"]) for row in presenting.excluded_rows(view)] == given.excluded()
    rows = presenting_series.agp_rows(view)
    assert [(row["place"], row["name"], row["cells"][0]) for row in rows] == given.agp()
