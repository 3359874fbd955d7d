"""What of a tournament can be printed, and the documents: the rows of its pages under their titles.

A print has a word that its address is made of: `ranking`, `agp`, `heats-1` (a stage), `heat-1-2` (a match with its
scoresheet), `repechage-1`, `everything`. Stages and heats are numbers from 1.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import NamedTuple

from django.utils.translation import gettext as _
from django.utils.translation import ngettext, override

from core.refusal import Refusal
from core.templatetags.look import day, signed
from tournaments.queries.tournament import HeatView, TournamentView, heat_of, heats_of
from tournaments.rules.replay import HEATS
from tournaments.web import presenting, presenting_series, presenting_sheet, presenting_sources, prints_day, reasons
from tournaments.web.presenting import match_of, match_title, stage_of, stage_title
from tournaments.web.printing import Block, Document, Facts, Lines, Part, gaps_of, ranking_of, sheet_of

_WORD = re.compile(r"(ranking|agp|everything|heats|heat|repechage)((?:-[1-9][0-9]{0,5}){0,2})", re.ASCII)
_NUMBERS = {"heats": 1, "repechage": 1, "heat": 2}


class Print(NamedTuple):
    """One print: what it is of, 0 for no stage and no heat."""

    kind: str
    stage: int = 0
    heat: int = 0

    @property
    def word(self) -> str:
        """Its word in addresses and orders."""
        return "-".join(str(part) for part in self if part)


def print_of(view: TournamentView, word: str) -> Print:
    """The print that a word means. Refusals: `print_unknown`, `stage_unknown`, `heat_unknown`.

    Before there is a final ranking there is no print of it; likewise the A.G.P. and a repechage without candidates.
    """
    if of_day := prints_day.numbers_of(view, word):
        return Print(*of_day)
    match = _WORD.fullmatch(word)
    numbers = [int(number) for number in match[2].split("-")[1:]] if match else []
    if match is None or len(numbers) != _NUMBERS.get(match[1], 0):
        raise Refusal("print_unknown")
    found = Print(match[1], *numbers)
    if found.stage:
        stage_of(view, found.stage)
    if found.heat:
        match_of(view, found.stage, found.heat)
    there = {
        "ranking": bool(view.outcome.final_ranking),
        "agp": bool(view.outcome.agp_after),
        "repechage": found.kind == "repechage" and has_repechage(view, found.stage),
    }
    if not there.get(found.kind, True):
        raise Refusal("print_unknown")
    return found


def has_repechage(view: TournamentView, stage: int) -> bool:
    """Somebody was a candidate of the repechage of this stage, or moved up after it."""
    qualification = stage_of(view, stage).qualification
    return bool(qualification and (qualification.candidates or qualification.substitutions))


def prints_of(view: TournamentView) -> Iterator[Print]:
    """Every print of a tournament: of all of it, then stage by stage. A final is printed as the match that it is."""
    yield Print("everything")
    if view.outcome.final_ranking:
        yield Print("ranking")
    if view.outcome.agp_after:
        yield Print("agp")
    for stage in view.outcome.stages:
        if stage.kind == HEATS:
            yield Print("heats", stage.number)
            if has_repechage(view, stage.number):
                yield Print("repechage", stage.number)
        for heat in range(1, len(stage.matches) + 1):
            yield Print("heat", stage.number, heat)


def title_of(view: TournamentView, asked: Print) -> str:
    """What a print is called, in the active language."""
    if asked.kind in prints_day.KINDS:
        return prints_day.title_of(asked.kind)
    if asked.kind == "heat":
        return match_title(view, asked.stage, asked.heat)
    if asked.kind == "heats":
        return stage_title(view, asked.stage)
    if asked.kind == "repechage":
        return f"{_('Repechage')} · {stage_title(view, asked.stage)}"
    agp = _("A.G.P. before and after") if presenting_series.moves(view) else _("A.G.P. ranking")
    return {"ranking": _("Final ranking"), "agp": agp}.get(asked.kind) or _("All scoresheets and rankings")


def weight(view: TournamentView, asked: Print) -> int:
    """About how many rows a print has; the line of a hand counts twice."""
    if asked.kind == "ranking":
        return len(view.outcome.final_ranking)
    if asked.kind == "agp":
        return len(view.outcome.agp_after)
    if asked.kind == "heat":
        return 5 + 2 * match_of(view, asked.stage, asked.heat).hands_played
    if asked.kind == "everything":
        played = sum(match.hands_played for stage in view.outcome.stages for match in stage.matches)
        return 2 * played + 4 * len(view.people)
    stage = stage_of(view, asked.stage)
    return 5 * len(stage.matches) + (len(stage.qualification.candidates) if stage.qualification else 0)


def document_of(view: TournamentView, asked: Print, language: str, origin: str = "") -> Document:
    """A print in a language. At most one query: the entries of the sheets on it; three for a print of the day.

    `origin`: scheme and name of the house, where it stands on the print.
    """
    of_day = asked.kind in prints_day.KINDS
    with override(language):
        title = title_of(view, asked)
        about = [view.name]
        if asked.kind == "heat" and stage_of(view, asked.stage).kind == HEATS:
            about.append(stage_title(view, asked.stage))
        return Document(
            title=title,
            subtitle=" · ".join(about),
            footer=" · ".join((*about, title) if of_day else (*about, title, version_in_words(view))),
            language=language,
            blocks=tuple(prints_day.blocks_of(view, *asked, origin) if of_day else _blocks(view, asked)),
        )


def version_in_words(view: TournamentView) -> str:
    """Which published version this is."""
    if not view.published:
        return _("not published yet")
    return _("published, version %(number)s") % {"number": view.published}


def _blocks(view: TournamentView, asked: Print) -> Iterator[Block]:
    yield from _facts(view, asked)
    if view.stamp.sub_iudice:
        text = _(
            "Sub iudice: a ruling of this tournament is before the Council of Guarantors; until it decides, the ruling "
            "stands."
        )
        yield Lines(((text, "S19"),))
    yield from _origin(view)
    if asked.kind == "ranking":
        yield from _ranking(view)
    elif asked.kind == "agp":
        yield from _agp(view)
    elif asked.kind == "heats":
        yield from _stage(view, asked.stage)
    elif asked.kind == "repechage":
        yield from _plan(view, asked.stage)
        yield from _repechage(view, asked.stage)
    elif asked.kind == "heat":
        yield from _match(heat_of(view, asked.stage, asked.heat))
    else:
        yield from _everything(view)


def _facts(view: TournamentView, asked: Print) -> Iterator[Block]:
    facts = [
        (_("Date"), day(view.date) if view.date else ""),
        (_("Venue"), view.venue),
        (_("Club"), view.club),
    ]
    champion = presenting.champion_of(view)
    if champion and asked.kind in ("ranking", "everything"):
        facts.append((_("Champion"), champion["name"]))
    if pairs := tuple(pair for pair in facts if pair[1]):
        yield Facts(pairs)


def _origin(view: TournamentView) -> Iterator[Block]:
    """What the page of the tournament says of its source: paper is carried further than a page."""
    origin = presenting_sources.origin_of(view)
    if origin is None:
        return
    told = {"source": origin["source"]}
    if origin["kind"] == "invented":
        yield Lines(((f"{_('Everything in this tournament is invented')}. {origin['source']}", ""),))
    elif origin["kind"] == "mixed":
        text = _(
            "Published in %(source)s; players appear by code. What the source does not tell is invented so that the "
            "published results come out, and is marked so."
        )
        yield Lines(((text % told, ""),))
    else:
        yield Lines(((_("Source: %(source)s") % told, ""),))


def _ranking(view: TournamentView) -> Iterator[Block]:
    if tags := presenting_sources.ranking_tags(view):
        yield Lines(((" · ".join(tag["text"] for tag in tags), ""),))
    rows = presenting.final_ranking_rows(view)
    yield ranking_of(_("Places and points of this edition"), presenting.final_columns(view), rows)
    if excluded := presenting.excluded_rows(view):
        yield ranking_of(_("Players who renounced"), (), excluded)


def _agp(view: TournamentView) -> Iterator[Block]:
    caption = _("After this edition") if presenting_series.moves(view) else _("Before this tournament")
    yield ranking_of(caption, presenting_series.agp_columns(view), presenting_series.agp_rows(view))
    if left := presenting_series.left_rows(view):
        yield ranking_of(_("No longer in the ranking"), presenting_series.PLAIN_COLUMNS, left)


def _plan(view: TournamentView, stage: int) -> Iterator[Block]:
    outcome = stage_of(view, stage)
    if outcome.qualification:
        yield Lines((reasons.plan_reason(len(outcome.matches), outcome.qualification.plan),))


def _repechage(view: TournamentView, stage: int) -> Iterator[Block]:
    qualification = stage_of(view, stage).qualification
    if qualification is None:
        return
    if rows := presenting.repechage_rows(view, stage):
        whom = reasons.POSITIONS[qualification.plan.direct_per_heat + 1]
        yield gaps_of(_("Repechage: %(whom)s") % {"whom": whom}, rows)
    if swaps := presenting.substitution_reasons(view, stage):
        yield Lines(tuple(swaps), _("Substitutions, in order"))


def _stage(view: TournamentView, stage: int) -> Iterator[Block]:
    yield from _plan(view, stage)
    for heat in range(1, len(stage_of(view, stage).matches) + 1):
        yield from _heat_ranking(view, stage, heat, match_title(view, stage, heat))
    yield from _repechage(view, stage)


def _heat_ranking(view: TournamentView, stage: int, heat: int, caption: str) -> Iterator[Block]:
    match = match_of(view, stage, heat)
    rows = presenting.heat_ranking_rows(view, stage, heat)
    yield ranking_of(caption, presenting.HEAT_COLUMNS, rows)
    count = match.hands_played
    facts = [ngettext("%(hands)s hand", "%(hands)s hands", count) % {"hands": count}]
    origin = presenting_sources.match_origin(view, stage, heat)
    golden = presenting_sheet.golden_call(view, stage, heat)
    if golden and origin == presenting_sources.TOTALS:
        golden = None
    if golden:
        alone = f" {_('(alone)')}" if golden["solo"] else ""
        facts.append(_("golden call %(bid)s, %(name)s") % golden + alone)
    if tag := presenting_sources.origin_tag(origin):
        facts.append(tag["text"])
    yield Lines(((" · ".join(facts), "D4" if golden else ""),))


def _match(heat: HeatView) -> Iterator[Block]:
    """A match: its ranking and its verbale to sign, or what is known where only totals survive."""
    view, stage, number = heat.tournament, heat.stage.number, heat.number
    heading = {"heading": match_title(view, stage, number)}
    yield from _heat_ranking(view, stage, number, _("Ranking of %(heading)s") % heading)
    sheet = presenting_sheet.sheet_for_page(heat)
    if sheet is None:
        yield Lines(tuple(_totals_only(heat)), _("Only the totals of this match survive"))
        return
    if told := tuple(_about_sheet(heat)):
        yield Lines(told)
    block = sheet_of(sheet)
    yield replace(
        block,
        title=_("Scoresheet of %(heading)s") % heading,
        signatures=(*block.signatures, _("the referee")),
    )


def _about_sheet(heat: HeatView) -> Iterator[tuple[str, str]]:
    """What has to be known of a sheet that is there."""
    view = heat.tournament
    origin = presenting_sources.match_origin(view, heat.stage.number, heat.number)
    if origin == presenting_sources.TOTALS:
        yield _("The hands are invented; they add up to the totals that were published."), ""
    elif origin == presenting_sources.ORDER:
        # Where all of the match is invented, its ranking says so.
        yield _("The hands of this sheet are invented."), ""
    if voided := heat.sheet.hands_voided if heat.sheet else 0:
        text = ngettext(
            "%(hands)s voided hand counts for nobody; it stays on the sheet, struck through.",
            "%(hands)s voided hands count for nobody; they stay on the sheet, struck through.",
            voided,
        )
        yield text % {"hands": voided}, "S11"


def _totals_only(heat: HeatView) -> Iterator[tuple[str, str]]:
    view = heat.tournament
    yield (
        _("There is no scoresheet. Hands won and golden call are unknown, and no tie is decided by them."),
        "",
    )
    yield from presenting_sheet.totals_corrected(heat)
    record = view.given.stages[heat.stage.number - 1].matches[heat.number - 1].record
    adjustments: Mapping[str, int] = getattr(record, "adjustments", {})
    for code, points in adjustments.items():
        told = {"name": view.name_of(code), "points": signed(points)}
        yield _("%(name)s: %(points)s in the standings of the tournament.") % told, "D18"


def _everything(view: TournamentView) -> Iterator[Block]:
    """The book: rankings, then every stage with every verbale, each on a page of its own. One query."""
    heats = heats_of(view)
    if view.outcome.final_ranking:
        yield Part(_("Final ranking"))
        yield from _ranking(view)
    for stage in view.outcome.stages:
        if stage.kind == HEATS:
            yield Part(stage_title(view, stage.number))
            yield from _stage(view, stage.number)
        for number in range(1, len(stage.matches) + 1):
            yield from _page(heats[stage.number, number])
    if view.outcome.agp_after:
        yield Part(title_of(view, Print("agp")))
        yield from _agp(view)


def _page(heat: HeatView) -> Iterator[Block]:
    """A match in the book. One of the heats without a sheet has none where its ranking, with its stage, says all."""
    view, stage = heat.tournament, heat.stage
    names = [match_title(view, stage.number, heat.number)]
    if stage.kind == HEATS:
        if heat.sheet is None and len(list(_totals_only(heat))) == 1:
            return
        names.insert(0, stage_title(view, stage.number))
    yield Part(" · ".join(names))
    yield from _match(heat)
