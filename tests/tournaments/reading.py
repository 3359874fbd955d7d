"""Pages of a tournament taken apart: words, tables, and which pages there are."""

import re
from html import unescape

from players.actor import SYSTEM
from tournaments.queries.tournament import tournament_for_page

LARGEST = 100 * 1024  # bytes of a page
PARTS = ("tournament", "ranking", "agp", "tournament_rules", "rulings", "versions")


def words(fragment):
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", fragment)).split())


def table(page, name):
    """Cells of the rows of a table, and beside each row its reason."""
    body = re.search(rf'<table class="table" id="{name}".*?<tbody>(.*?)</tbody>', page, re.DOTALL)[1]
    rows = []
    for css, row in re.findall(r'<tr class="([^"]*)"[^>]*>(.*?)</tr>', body, re.DOTALL):
        if css.startswith("why"):
            rows[-1].append(words(row))
        else:
            rows.append([words(cell) for cell in re.findall(r"<t[hd][^>]*>(.*?)</t[hd]>", row, re.DOTALL)])
    return rows


def percent(text):
    return "∞" if text == "inf" else f"{text}%"


def number(value):
    return str(value).replace("-", "−")


def pages_of(slug):
    """Every page of a tournament but those of FILES, as arguments of `html`."""
    view = tournament_for_page(SYSTEM, slug)
    found = [(part, slug) for part in PARTS] + [("version", slug, 1)]
    for outcome in view.outcome.stages:
        found.append(("stage", slug, outcome.number))
        if outcome.qualification:
            found.append(("repechage", slug, outcome.number))
        found += [("heat", slug, outcome.number, heat) for heat in range(1, len(outcome.matches) + 1)]
    return found
