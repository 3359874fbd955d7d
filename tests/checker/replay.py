"""From a file to its outcome: parse, shape, references, then every consequence the rules draw from it."""

from collections import Counter

from .agp import Edition, Table, place_points
from .match import Match, play
from .order import Lots
from .outcome import BadFileError, Outcome, RefusedError
from .parsing import parse
from .qualification import Qualification
from .references import reference_faults
from .ruleset import rules_of
from .shape import shape_faults


def check(data: str | bytes) -> Outcome:
    """Replay one tournament file."""
    try:
        value, faults = parse(data)
        faults = shape_faults(value) | faults
        if not faults:
            faults = reference_faults(value)
        if faults:
            raise BadFileError(faults)
        return Outcome(0, result=replay(value))
    except BadFileError as bad:
        return Outcome(2, faults=bad.faults)
    except RefusedError as no:
        return Outcome(3, article=no.article, pointer=no.pointer, sentence=no.sentence)


def replay(file: dict) -> dict:
    """The result of a well-formed file; RefusedError when the rules do not allow it."""
    tournament = file["tournament"]
    rules = rules_of(tournament.get("rules", {}))
    lots = Lots(file.get("lots", []))
    past = [
        Edition(edition["edition"], edition["ranking"], edition.get("adjustments", {}))
        for edition in file.get("editions_before", [])
        if edition.get("series", "world") == "world"
    ]
    before = Table(past, lots)
    withdrawals = list(enumerate(file.get("withdrawals", [])))
    matches, rows = _stages(file["stages"], withdrawals, rules, before.ranks(), lots)
    for index, withdrawal in withdrawals:
        if withdrawal["from"] != "second_final" and withdrawal["from"] not in [row.to for row in rows]:
            raise RefusedError("S8", f"/withdrawals/{index}", f"nobody qualified for {withdrawal['from']}")
        if withdrawal["from"] == "second_final" and rows[-1].to != "final":
            raise RefusedError("D16", f"/withdrawals/{index}", "nobody was called to a second final yet")
    excluded = [withdrawal["player"] for _, withdrawal in withdrawals]
    kinds = [stage["kind"] for stage in file["stages"]]
    ranking = _final_ranking(kinds, matches, rows, excluded)
    adjustments: dict[str, int] = {}
    for match in matches:
        for player, value in match.ledger.items():
            adjustments[player] = adjustments.get(player, 0) + value
    counts = tournament.get("series", "world") == "world" and "final" in kinds
    after = Table([*past, Edition(tournament["edition"], ranking, adjustments)], lots) if counts else before
    return {
        "heats": [match.report() for match in matches],
        "qualification": [row.report() for row in rows],
        "final_ranking": [{"place": place, "player": player} for place, player in enumerate(ranking, start=1)],
        "excluded": excluded,
        "tournament_points": _tournament_points(ranking, adjustments),
        "agp": after.report(),
    }


def _stages(
    stages: list[dict], withdrawals: list[tuple[int, dict]], rules: dict, rank: dict[str, int], lots: Lots
) -> tuple[list[Match], list[Qualification]]:
    """Every match, and the row of every stage of heats with its withdrawals applied."""
    matches: list[Match] = []
    rows: list[Qualification] = []
    for index, stage in enumerate(stages):
        if rows:
            _same_people(stage, f"/stages/{index}", rows[-1])
        # D10: with offence_scope tournament the raises of earlier stages count, those of neighbours do not.
        earlier: Counter = Counter()
        if rules["offence_scope"] == "tournament":
            for match in matches:
                earlier.update(match.offences)
        played = [
            play(heat, index + 1, f"/stages/{index}/heats/{number}", rules, earlier, rank, lots)
            for number, heat in enumerate(stage["heats"])
        ]
        matches += played
        if stage["kind"] == "heats":
            row = Qualification(index + 1, played, rules, rank, lots)
            for number, withdrawal in withdrawals:
                if withdrawal["from"] == row.to:
                    row.withdraw(withdrawal["player"], f"/withdrawals/{number}")
                elif withdrawal["from"] == "second_final" and row.to == "final":
                    row.withdraw_from_second_final(withdrawal["player"], f"/withdrawals/{number}")
            rows.append(row)
    return matches, rows


def _same_people(stage: dict, where: str, row: Qualification) -> None:
    """The seats of a later stage are those the rules gave, whoever sits where."""
    if stage["kind"] == "second_final":
        due, article = row.second_final(), "S8"
    else:
        due, article = row.qualified(), "D20"
        if stage["kind"] != row.to.partition(":")[0]:
            raise RefusedError(article, f"{where}/kind", f"these heats lead to {row.to}, not to {stage['kind']}")
    seated = [player for heat in stage["heats"] for player in heat["seats"]]
    if set(seated) != set(due):
        raise RefusedError(article, f"{where}/heats", f"seated {', '.join(seated)}; qualified {', '.join(due)}")


def _final_ranking(kinds: list[str], matches: list[Match], rows: list[Qualification], excluded: list[str]) -> list[str]:
    """Final, second final, the rest of the stage before them, then earlier stages, latest first."""
    if "final" not in kinds:
        return []
    ranking: list[str] = []
    for match in matches:
        if kinds[match.stage - 1] != "heats":
            ranking += match.ranking
    for row in reversed(rows):
        ranking += row.order.sequence(
            player for player in row.players if player not in ranking and player not in excluded
        )
    return ranking


def _tournament_points(ranking: list[str], adjustments: dict[str, int]) -> dict[str, int]:
    """By final place, plus adjustments; nothing at all is not written down."""
    people = ranking + [player for player in adjustments if player not in ranking]
    points = {player: place_points(ranking, player) + adjustments.get(player, 0) for player in people}
    return {player: value for player, value in points.items() if value or player in adjustments}
