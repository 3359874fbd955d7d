"""Friendly matches of the demonstration: one that is being played, one that is over and had its rulings."""

from __future__ import annotations

from uuid import UUID

from core.entropy import new_token
from gameplay.services import calls, claims, matches, recording, rulings
from players.actor import Actor, actor_for
from players.models import Club
from players.services import create_people
from scoring.models import Appeal, Ruling
from scoring.rules.hands import HandOutcome
from scoring.rules.scoresheet import Admitted, Played

# Caller, called, bid, made; the same seat twice: alone.
PLAYED = ((0, 2, 75, 81), (3, 1, 80, 66), (4, 4, 90, 95), (1, 0, 70, 72), (2, 3, 85, 85), (0, 4, 78, 60))
OVER = ((1, 3, 72, 80), (2, 0, 95, 40), (4, 1, 81, 90))


def load_matches(club: Club, referee: Actor, players: list[UUID], council: list[UUID]) -> None:
    """`players`: five people of the demonstration; `council`: guarantors who did not play."""
    _running(club, referee, players)
    _finished(club, referee, council)


def _running(club: Club, referee: Actor, players: list[UUID]) -> None:
    """A table in the middle of its evening: a hand waits for a second person, and the table calls the referee."""
    match = _open(club, referee, "Tavolo del martedì", players)
    _hands(referee, match, PLAYED)
    third, fourth = (actor_for(players[seat]) for seat in (2, 3))
    hand = Played(HandOutcome(3, 4, 76, 79))
    recording.record_hand(third, match, hand=len(PLAYED) + 1, content=hand, key=new_token())
    calls.call_referee(fourth, match, words="Una carta è caduta sul tavolo.", key=new_token())


def _finished(club: Club, referee: Actor, council: list[UUID]) -> None:
    """A match with a suicidal call that its table upheld, an admission, and a ruling that the council took back."""
    five = [row.pk for row in create_people(("Gina Sala", "Ivo Monti", "Lea Rossi", "Nino Verdi", "Pia Galli"))]
    match = _open(club, referee, "Tavolo d'angolo", five)
    _hands(referee, match, OVER[:2])
    reason = "Ha chiamato a 95 con due sole briscole, per trascinare il compagno."
    told = claims.claim(actor_for(five[3]), match, line=2, kind="suicidal_call", reason=reason, key=new_token())
    for seat in (1, 3, 4):
        claims.cast_vote(actor_for(five[seat]), match, claim=told["claim"], uphold=seat != 1, key=new_token())
    recording.record_hand(referee, match, hand=3, content=Admitted(4, 90), key=new_token())
    recording.record_hand(referee, match, hand=4, content=_played(OVER[2]), key=new_token())
    late = "Si è seduto dieci minuti dopo l'inizio."
    rulings.award(referee, match, seat=1, points=-50, article="S19", reason=late, key=new_token())
    ruling = Ruling.objects.get(sheet=match, kind=Ruling.Kind.AWARD)
    why = "Il treno aveva un'ora di ritardo e il circolo lo sapeva."
    rulings.appeal(actor_for(five[1]), match, ruling=ruling.pk, reason=why, key=new_token())
    appeal = Appeal.objects.get(ruling=ruling)
    for person in council:
        rulings.vote_appeal(actor_for(person), appeal.pk, uphold=True, key=new_token())
    entries = Ruling.objects.get(revokes=ruling).entry
    assert entries is not None  # taking an award back writes on the sheet
    matches.sign(referee, match, entries=entries.number + 1, key=new_token())


def _open(club: Club, referee: Actor, table_name: str, people: list[UUID]) -> UUID:
    told = matches.open_match(referee, scope=club.scope_id, table_name=table_name, people=people, key=new_token())
    return UUID(told["match"])


def _hands(referee: Actor, match: UUID, outcomes: tuple[tuple[int, int, int, int], ...]) -> None:
    for hand, outcome in enumerate(outcomes, start=1):
        recording.record_hand(referee, match, hand=hand, content=_played(outcome), key=new_token())


def _played(outcome: tuple[int, int, int, int]) -> Played:
    return Played(HandOutcome(*outcome))
