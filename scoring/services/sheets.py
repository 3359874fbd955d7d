"""Writes of points. Every write folds the whole sheet anew, so that no projection can drift."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any, NamedTuple
from uuid import UUID

from django.db.models import Q

from core.refusal import Refusal
from players.models import User
from scoring.models import Entry as EntryRow
from scoring.models import Seat, Sheet
from scoring.queries import SheetEntries, rules_of, written
from scoring.rules.hands import Points
from scoring.rules.scoresheet import Admitted, Award, Content, Entry, Played, SeatTotals, Voided, append_entry, fold

LARGEST = 1 << 62
"""Points that a column holds: no tournament comes near."""


class NewSheet(NamedTuple):
    """A sheet to be written as a whole: people by seat, and its entries or its totals."""

    sheet: Sheet
    people: tuple[UUID, ...]
    round: UUID | None
    offences_before: Points
    content: tuple[Entry, ...] | SeatTotals


def open_sheets(new: Sequence[NewSheet]) -> None:
    """Writes whole sheets at once, projections included. Four statements for any number of sheets.

    Refusals: those of `fold`, `points_too_large`. Entries must stand in the order of their lines.
    """
    seats: list[Seat] = []
    rows: list[EntryRow] = []
    for sheet, people, round_, before, content in new:
        own = [
            Seat(sheet=sheet, number=number, person_id=person, round=round_, offences_before=before[number])
            for number, person in enumerate(people)
        ]
        if isinstance(content, SeatTotals):
            rows.append(EntryRow(sheet=sheet, number=0, line=0, **totals_columns(content)))
            project(sheet, own, SheetEntries((), content))
        else:
            rows += [
                EntryRow(sheet=sheet, number=number, line=number, **columns(entry.content))
                for number, entry in enumerate(content)
            ]
            project(sheet, own, SheetEntries(content, None))
        seats += own
    Sheet.objects.bulk_create([one.sheet for one in new], batch_size=2000)
    Seat.objects.bulk_create(seats, batch_size=2000)
    EntryRow.objects.bulk_create(rows, batch_size=2000)


def lock_sheet(sheet: UUID) -> Sheet:
    """The row of a sheet, locked. Refusal: `sheet_unknown`."""
    row = Sheet.objects.select_for_update(no_key=True).filter(pk=sheet).first()
    if row is None:
        raise Refusal("sheet_unknown")
    return row


def append(sheet: Sheet, entry: Entry, *, frozen: bool = False) -> None:
    """Writes one entry on a locked sheet. `entry.replaces` is a position among the sheet's entries.

    `frozen`: also on a frozen one, by whoever sees to what follows from it. Refusals: those of `append_entry` and of
    `fold`, `sheet_frozen`, `totals_only`.
    """
    if sheet.state == Sheet.State.FROZEN and not frozen:
        raise Refusal("sheet_frozen", article="S11")
    rows = list(EntryRow.objects.filter(sheet=sheet).order_by("number"))
    known = written(rows)
    if known.totals:
        raise Refusal("totals_only", article="S11")
    append_entry(known.entries, entry, rules_of(sheet))
    old = None if entry.replaces is None else rows[entry.replaces]
    line = old.line if old else 1 + max((row.line for row in rows), default=-1)
    EntryRow.objects.create(
        sheet=sheet, number=len(rows), line=line, replaces=old, reason=entry.reason, **columns(entry.content)
    )
    sheet.version += 1
    refresh(sheet)


def correct_totals(sheet: Sheet, totals: SeatTotals, reason: str) -> None:
    """Other totals for a locked sheet of which only totals survive. Refusals: `totals_only`, `reason_required`."""
    rows = list(EntryRow.objects.filter(sheet=sheet).order_by("number"))
    if not rows or rows[-1].kind != EntryRow.Kind.TOTALS:
        raise Refusal("totals_only", article="S11")
    if not reason:
        raise Refusal("reason_required", article="S11", pointer="/reason")
    EntryRow.objects.create(
        sheet=sheet, number=len(rows), line=0, replaces=rows[-1], reason=reason, **totals_columns(totals)
    )
    sheet.version += 1
    refresh(sheet)


def refresh(sheet: Sheet) -> None:
    """Folds all entries of a locked sheet into its figures and those of its seats."""
    seats = list(Seat.objects.filter(sheet=sheet).order_by("number"))
    project(sheet, seats, written(EntryRow.objects.filter(sheet=sheet).order_by("number")))
    sheet.save()
    Seat.objects.bulk_update(seats, ["points", "hands_won", "best_call", "offences", "ledger"])


def set_offences_before(sheet: UUID, before: Points) -> bool:
    """Offences that count from earlier matches (D10); folds the sheet anew where they changed. True if they did."""
    row = lock_sheet(sheet)
    seats = list(Seat.objects.filter(sheet=sheet).order_by("number"))
    if tuple(seat.offences_before for seat in seats) == before:
        return False
    for seat in seats:
        seat.offences_before = before[seat.number]
    Seat.objects.bulk_update(seats, ["offences_before"])
    row.version += 1
    refresh(row)
    return True


def set_seat(sheet: Sheet, number: int, person: UUID) -> UUID:
    """Somebody else sits down on a seat of a locked sheet on which nothing is written; who sat there before.

    Refusals: `seat_unknown`; `person_twice`: he sits here, or elsewhere in the same round.
    """
    seat = Seat.objects.filter(sheet=sheet, number=number).first()
    if seat is None:
        raise Refusal("seat_unknown", {"seat": number}, article="S1", pointer="/seat")
    here = Q(sheet=sheet) if seat.round is None else Q(sheet=sheet) | Q(round=seat.round)
    if Seat.objects.filter(here, person=person).exists():
        raise Refusal("person_twice", article="S1", pointer="/person")
    gone, seat.person_id = seat.person_id, person
    seat.save(update_fields=["person"])
    return gone


def reseat(sheet: Sheet, order: Sequence[UUID]) -> None:
    """The five of a locked sheet take their seats anew, in this order; their offences from before stay theirs (S4).

    Refusal `hands_on_sheet`: something is written there already.
    """
    if EntryRow.objects.filter(sheet=sheet).exists():
        raise Refusal("hands_on_sheet", article="S4")
    seats = {seat.person_id: seat for seat in Seat.objects.filter(sheet=sheet)}
    # A seat number is taken by one at any moment, also while they change: so the rows are written anew.
    Seat.objects.filter(sheet=sheet).delete()
    for number, person in enumerate(order):
        seat = seats[person]
        seat.pk, seat.number = None, number
    Seat.objects.bulk_create(seats[person] for person in order)
    sheet.version += 1
    sheet.save(update_fields=["version"])


def move_seats(gone: User, stays: User) -> list[UUID]:
    """The seats of a person become those of another; the sheets they are in.

    Refusals: `sat_together`; `sits_now`, as long as one of the two sits at an open match.
    """
    if Seat.objects.filter(person__in=[gone, stays], sheet__state=Sheet.State.OPEN).exists():
        raise Refusal("sits_now")
    sheets = list(Seat.objects.filter(person=gone).order_by("sheet").values_list("sheet", flat=True))
    rounds = Seat.objects.filter(person=gone, round__isnull=False).values("round")
    met = Seat.objects.filter(person=stays)
    if met.filter(sheet__in=sheets).exists() or met.filter(round__in=rounds).exists():
        raise Refusal("sat_together")
    Seat.objects.filter(person=gone).update(person=stays)
    return sheets


def offences_before(sheet: Sheet) -> Points:
    """Disloyal raises by seat that count from earlier matches (D10)."""
    return tuple(Seat.objects.filter(sheet=sheet).order_by("number").values_list("offences_before", flat=True))


def project(sheet: Sheet, seats: Sequence[Seat], content: SheetEntries) -> None:
    """Sets the projected figures of a sheet and its five seats, without saving them. Refusal: `points_too_large`."""
    totals = content.totals
    if totals:
        sheet.hands_played, sheet.hands_voided = totals.hands_played, 0
        sheet.golden_seat = sheet.golden_bid = sheet.golden_solo = None
        for seat in seats:
            seat.points, seat.ledger = totals.points[seat.number], totals.adjustments[seat.number]
            seat.hands_won = seat.best_call = None
            seat.offences = 0
    else:
        before = tuple(seat.offences_before for seat in seats)
        folded = fold(content.entries, rules_of(sheet), before)
        golden = folded.golden_call
        sheet.hands_played, sheet.hands_voided = folded.hands_played, folded.hands_voided
        sheet.golden_seat, sheet.golden_bid, sheet.golden_solo = golden or (None, None, None)
        ledger: Counter[int] = Counter()
        for number, points in folded.ledger:
            ledger[number] += points
        for seat in seats:
            number = seat.number
            seat.points, seat.hands_won = folded.totals[number], folded.hands_won[number]
            seat.best_call, seat.offences = folded.best_calls[number], folded.offences[number]
            seat.ledger = ledger.get(number)
    if any(abs(seat.points) > LARGEST or abs(seat.ledger or 0) > LARGEST for seat in seats):
        raise Refusal("points_too_large")


def columns(content: Content) -> dict[str, Any]:
    """The columns of an entry row."""
    kinds = EntryRow.Kind
    match content:
        case Played((caller, called, bid, made), ruling):
            return {
                "kind": kinds.PLAYED,
                "caller": caller,
                "called": called,
                "bid": bid,
                "made": made,
                "ruling": ruling,
            }
        case Admitted(caller, bid):
            return {"kind": kinds.ADMITTED, "caller": caller, "bid": bid, "ruling": "disloyal_raise"}
        case Award(seat, points, article, why):
            return {"kind": kinds.AWARD, "seat": seat, "points": points, "article": article, "why": why}
        case Voided(repeated):
            return {"kind": kinds.VOIDED, "repeated": repeated}


def totals_columns(totals: SeatTotals) -> dict[str, Any]:
    """The columns of an entry row of totals."""
    return {
        "kind": EntryRow.Kind.TOTALS,
        "totals": list(totals.points),
        "hands_played": totals.hands_played,
        "adjustments": list(totals.adjustments),
    }
