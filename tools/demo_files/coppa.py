"""The Coppa Adriatica: sixty players, and once everything that the rules know how to decide."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from scoring.rules.hands import HandOutcome
from scoring.rules.scoresheet import Admitted, Award, Content, Played
from tools.demo_files.making import Making, Match
from tools.demo_files.people import EVERYBODY
from tools.demo_files.wishes import all_of, at_place, gap_of_second, leaders, tie
from tournaments.rules.replay import FINAL, SECOND_FINAL

WINDS = (
    *("Bora", "Borino", "Brezza", "Garbino", "Grecale", "Levante"),
    *("Libeccio", "Maestrale", "Ostro", "Ponente", "Scirocco", "Tramontana"),
)
SEMIFINALS = ("Semifinale del Molo", "Semifinale del Faro", "Semifinale della Darsena")
HEAD = {
    "name": "VII Coppa Adriatica",
    "game": "gingo",
    "series": "Coppa Adriatica",
    "edition": 7,
    "date": "2026-05-16",
    "venue": "Sala del Molo Vecchio, Cervia",
    "rules": {"second_final_minutes": 90},
}
LATE = "Arrivo al tavolo sette minuti dopo l'inizio della batteria"
GESTURE = "Gesto di stizza verso i compagni durante l'asta, dopo un richiamo dell'arbitro"
BOTHERED = "Disturbo del pubblico durante la mano 9: indennizzo deliberato dal Consiglio dei Garanti"
EXPOSED = "Una sua carta è stata scoperta dal mazziere nel distribuire: ristoro deciso dall'arbitro"
FAR_BEHIND = gap_of_second(8, 30)
"""Too far behind for the repechage."""


def coppa(editions: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """The file; `editions` are the world editions that count for the A.G.P."""
    making = Making(HEAD, [person.code for person in EVERYBODY if person.coppa], editions, "Coppa Adriatica")
    tables = making.draw(making.file["entries"])
    at = _cast(tables, making.agp)
    special = _special({role: tables[table] for role, table in at.items()}, making.agp)
    making.play_heats(WINDS, tables, {WINDS[table]: special[role] for role, table in at.items()})

    # One goes home and leaves his place to the second of his heat; a repeched one to who had missed it by a hair.
    heats = making.replayed().stages[-1].matches
    making.withdraw(heats[at["suicidal"]].ranking[0].player, "heats:2")
    making.withdraw(heats[at["repeched"]].ranking[1].player, "heats:2")

    making.play_heats(SEMIFINALS, making.draw(making.qualification().qualified), {})
    reached = making.qualification()
    best_second = reached.candidates[0].item
    making.withdraw(reached.direct[best_second.heat], FINAL)  # his heir was repeched already: D14
    making.withdraw(making.qualification().second_final[1], SECOND_FINAL)

    reached = making.qualification()
    award = Award(2, 30, "S19", EXPOSED)
    making.play(FINAL, "Finale", making.lots.shuffled(reached.qualified), Match(fixed={15: award}))
    making.play(SECOND_FINAL, "Finale dei secondi", making.lots.shuffled(reached.second_final), Match(hands=18))
    return making.finished()


ROLES = (
    *("first_by_agp", "hands_won", "golden_call", "repeched", "hair_in", "hair_out"),
    *("many_hands", "few_hands", "totals", "offences", "suicidal"),
)


def _cast(tables: Sequence[list[str]], agp: Mapping[str, int]) -> dict[str, int]:
    """Which table plays which part. Only two whom the A.G.P. does not know can end up at a lot."""
    by_lot = next(at for at, seats in enumerate(tables) if sum(code not in agp for code in seats) > 1)
    others = [at for at in range(len(tables)) if at != by_lot]
    return {"lot": by_lot, **dict(zip(ROLES, others, strict=True))}


def _special(seats: Mapping[str, list[str]], agp: Mapping[str, int]) -> dict[str, Match]:
    """What each part asks of its match; `seats` of the table by part."""
    suicidal = Played(HandOutcome(3, 0, 91, 17), "suicidal_call")
    solo_won, solo_lost = Played(HandOutcome(1, 1, 72, 88)), Played(HandOutcome(4, 4, 79, 61))
    offences: dict[int, Content] = {
        4: Admitted(1, 78),
        11: Played(HandOutcome(1, 3, 84, 71), "disloyal_raise"),
        17: Admitted(1, 81),
    }
    disturbed: dict[int, Content] = {8: solo_won, 9: Award(1, 20, "S19", BOTHERED)}
    return {
        "lot": Match(all_of(FAR_BEHIND, tie(2, "lot", seats["lot"], agp))),
        "first_by_agp": Match(tie(1, "agp", seats["first_by_agp"], agp)),
        "hands_won": Match(all_of(FAR_BEHIND, tie(2, "hands_won", seats["hands_won"], agp))),
        "golden_call": Match(
            all_of(FAR_BEHIND, tie(3, "golden_call", seats["golden_call"], agp)),
            fixed={9: Award(0, -30, "S3", GESTURE)},
        ),
        "repeched": Match(gap_of_second(2, 4), fixed=disturbed),
        # 51/841 and 49/808: both 6.06 percent on paper, and the first is smaller by one part in 679,528.
        "hair_in": Match(leaders(841, 790), hands=25),
        "hair_out": Match(all_of(leaders(808, 759), at_place(2, 2)), hands=25, fixed={0: Award(2, -20, "S19", LATE)}),
        # An eighth behind, both of them: whose points come from fewer hands stands before.
        "many_hands": Match(leaders(800, 700), hands=26, fixed={14: solo_lost}),
        "few_hands": Match(leaders(720, 630), hands=22),
        "totals": Match(FAR_BEHIND, fixed={10: suicidal}, totals_only=True),
        "offences": Match(FAR_BEHIND, hands=26, fixed=offences),
        "suicidal": Match(
            FAR_BEHIND,
            hands=25,
            fixed={7: suicidal, 16: Played(HandOutcome(2, 4, 76, 83), "disloyal_raise")},
        ),
    }
