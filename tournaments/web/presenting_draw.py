"""Draws in the shapes that their pages take: each place with its reason, tables, cards."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from core.refusal import Param, Refusal
from gameplay.web.cards import ITALIAN, Face, face, rank_name
from scoring.rules.hands import SEATS
from scoring.web.reasons import Reason
from tournaments.queries.drawing import DrawnPlayer, DrawView, Moved, Replaced, SeatsView, StageDraw
from tournaments.rules.replay import FINAL, HEATS
from tournaments.rules.seat_draw import RANKS, seat_order
from tournaments.web.sentences import sentence_for

Row = dict[str, Any]
TURN = {0: "bottom", 1: "right-low", 2: "right-high", 3: "left-high", 4: "left-low"}
"""Where a seat stands on the drawn table: to the right of who sits at the bottom sits the next (S5)."""


def stage_title(kind: str, number: int) -> str:
    """What a stage is called that no result tells of yet."""
    if kind != HEATS:
        return _("Final") if kind == FINAL else _("Second final")
    return _("Qualifying heats") if number == 1 else _("Stage %(number)s") % {"number": number}


def named(refusal: Refusal, names: Mapping[str, str]) -> str:
    """The sentence of a refusal, with names where it has codes of players."""
    params: dict[str, Param] = {}
    for key, value in refusal.params.items():
        if key == "player" and isinstance(value, str):
            params[key] = names.get(value, value)
        elif key == "players" and isinstance(value, tuple):
            params[key] = tuple(names.get(code, code) for code in value)
        else:
            params[key] = value
    return sentence_for(Refusal(refusal.code, params, article=refusal.article, pointer=refusal.pointer))


# The draw


def reason_of(player: DrawnPlayer) -> Reason:
    """Why somebody sits where he sits (S6, D12)."""
    told = {"number": player.number, "rank": player.agp}
    if player.reason == "seed" and player.agp is None:
        text, article = _("Seed %(number)s: not ranked, next in the order of entry."), "S6"
    elif player.reason == "seed":
        text, article = _("Seed %(number)s: number %(rank)s of the A.G.P. ranking."), "S6"
    elif player.reason == "lot":
        text, article = _("By lot: drawn as number %(number)s."), "S6"
    else:
        text, article = _("Reserve %(number)s: the tables before are full."), "D12"
    return Reason(" ".join((text % told, *(_move_of(player, move) for move in player.moved))), article)


def _move_of(player: DrawnPlayer, move: Moved) -> str:
    other = move.other if player.name == move.player else move.player
    return _("Moved, in exchange with %(other)s: %(reason)s") % {"other": other, "reason": move.reason}


def move_in_words(move: Moved) -> str:
    """One move, as the list of all tells it."""
    told = {"player": move.player, "other": move.other, "table": move.to, "reason": move.reason}
    return _("%(player)s to %(table)s in exchange with %(other)s: %(reason)s") % told


def replaced_in_words(one: Replaced) -> str:
    """Who came for whom after the draw was published."""
    return _("%(player)s for %(other)s, at %(table)s") % {"player": one.into, "other": one.out, "table": one.table}


def draw_rows(draw: StageDraw, first: int, last: int) -> list[Row]:
    """Tables `first` + 1 to `last` of a draw."""
    return [
        {"number": at + 1, "name": draw.names[at], "players": [_player(player) for player in draw.heats[at]]}
        for at in range(first, last)
    ]


def reserve_rows(draw: StageDraw) -> list[Row]:
    """Who sits out, in the order in which they would come in."""
    return [_player(player) for player in draw.reserves]


def _player(player: DrawnPlayer) -> Row:
    reason = reason_of(player)
    return {
        "code": player.code,
        "name": player.name,
        "href": reverse("player", args=[player.person]) if player.person else "",
        "seed": player.reason == "seed",
        "moved": bool(player.moved),
        "agp": player.agp,
        "here": player.here,
        "reason": reason.text,
        "article": reason.article,
    }


def ranked_rows(draw: StageDraw) -> list[Row]:
    """The A.G.P. list beside the tables: who of it plays, and where."""
    return [
        {
            "rank": player.agp,
            "name": player.name,
            "table": _("reserve") if player.heat is None else draw.names[player.heat],
            "seed": player.reason == "seed",
        }
        for player in draw.ranked
    ]


def others_of(draw: StageDraw, code: str) -> tuple[Row | None, list[Row]]:
    """A player of a draft, and everybody with whom he can change places, by table."""
    groups = [(name, heat) for name, heat in zip(draw.names, draw.heats, strict=True)]
    groups.append((_("Reserves"), draw.reserves))
    here = next((heat for _name, heat in groups if any(player.code == code for player in heat)), None)
    if here is None:
        return None, []
    moved = next(player for player in here if player.code == code)
    others = [
        {"name": name, "players": [(player.code, player.name) for player in heat]}
        for name, heat in groups
        if heat is not here and heat
    ]
    return {"code": code, "name": moved.name}, others


def warnings_of(view: DrawView, *, count: int) -> list[Row]:
    """What staff must know before they publish; `count`: players of the draft, or who would be drawn."""
    rows = []
    draft = view.draft
    left = count % SEATS
    if left:
        text = ngettext(
            "%(count)s players are no multiple of five: %(left)s sits out.",
            "%(count)s players are no multiple of five: %(left)s sit out.",
            left,
        ) % {"count": count, "left": left}
        if draft:
            names = ", ".join(player.name for player in draft.reserves)
            text = f"{text} {_('Reserves, in this order: %(names)s.') % {'names': names}}"
        rows.append({"text": text, "article": "D12"})
    told = (
        (view.absent, _("Seeds by the A.G.P. ranking who are not checked in: %(names)s."), "S6"),
        (view.missing, _("Drawn, but not checked in: %(names)s."), ""),
        (view.late if draft else (), _("Checked in after this draft was drawn: %(names)s. Draw again."), ""),
    )
    rows += [{"text": text % {"names": ", ".join(names)}, "article": article} for names, text, article in told if names]
    if view.nobody_here:
        rows.append({"text": _("Nobody was checked in, so everybody who is entered is drawn."), "article": ""})
    return rows


# The seats of a table


def seat_rows(view: SeatsView) -> list[Row]:
    """The five in the order of play, seat 1 first."""
    return [
        {"number": number + 1, "name": name, "code": code, "at": TURN[number], "dealer": number == 0}
        for number, (code, name) in enumerate(view.players)
    ]


def card_rounds(view: SeatsView) -> list[list[Row]]:
    """Round by round who drew which card, highest first; `face` where the house drew it."""
    names = dict(view.players)
    rounds = []
    for number, cards in enumerate(view.rounds):
        faces: Mapping[str, Face] = {}
        if number < len(view.cards):
            faces = {code: face(ITALIAN, card) for code, card in view.cards[number].items()}
        rows = [
            {
                "name": names.get(code, code),
                "rank": rank,
                "word": rank_name(rank.lower()),
                "face": faces.get(code),
                "level": sum(other == rank for other in cards.values()) > 1,
            }
            for code, rank in cards.items()
        ]
        rounds.append(sorted(rows, key=lambda row: (RANKS.index(row["rank"]), row["name"])))
    return rounds


def hand_rounds(view: SeatsView, given: Sequence[Mapping[str, str]]) -> list[list[Row]]:
    """The selects of the form in which drawn cards are typed: rounds that are told, and the one that is due."""
    codes = [code for code, _name in view.players]
    names = dict(view.players)
    rounds = []
    told: list[Mapping[str, str]] = []
    for number in range(len(given) + 1):
        due = _due(codes, told)
        if not due:
            break
        cards = given[number] if number < len(given) else {}
        rows = [{"code": code, "name": names[code], "field": f"card-{number}-{code}"} for code in due]
        rounds.append([{**row, "options": _options(cards.get(row["code"], ""))} for row in rows])
        if set(cards) != set(due):
            break
        told.append(cards)
    return rounds


def _options(chosen: str) -> list[tuple[str, str, bool]]:
    return [(rank, rank_name(rank.lower()), rank == chosen) for rank in RANKS]


def typed_rounds(view: SeatsView, fields: Mapping[str, str]) -> list[dict[str, str]]:
    """The cards that a form brings, round by round, up to the first that is not in order."""
    codes = [code for code, _name in view.players]
    rounds: list[dict[str, str]] = []
    while due := _due(codes, rounds):
        cards = _typed(fields, len(rounds), due)
        if not cards:
            break
        rounds.append(cards)
    return rounds


def _due(codes: Sequence[str], rounds: Sequence[Mapping[str, str]]) -> tuple[str, ...]:
    """Who draws next; nobody where a round before is not in order: that is refused when it is written."""
    try:
        return seat_order(codes, rounds).tied
    except Refusal:
        return ()


def _typed(fields: Mapping[str, str], number: int, due: Iterable[str]) -> dict[str, str]:
    found = ((code, fields.get(f"card-{number}-{code}", "")) for code in due)
    return {code: card for code, card in found if card}
