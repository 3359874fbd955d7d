"""Sentences of refusals that belong to the clock and to an organiser's day."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

DAY = {
    # The clock
    "no_clock": _("This match is played without a clock."),
    "already_started": _("This match has been started already."),
    "not_started": _("This match has not been started yet."),
    "hands_on_sheet": _("A hand of this match is under way or on the scoresheet already."),
    "already_suspended": _("This match is suspended already."),
    "not_running": _("The clock of this match does not run."),
    "not_suspended": _("This match is not suspended."),
    "match_suspended": _("This match is suspended: it goes on when it is resumed."),
    "bell_rang": _("The bell has rung."),
    "already_awarded": _("The auction of hand %(hand)s was marked as awarded already."),
    "no_question": _("There is no question about the bell here."),
    "already_answered": _("This was answered already. A referee can still change the answer."),
    "bell_unanswered": _("The bell has rung: say first whether the auction of hand %(hand)s was awarded."),
    "match_over": _("The match is over: after the bell no other hand counts."),
    "match_not_over": _("The match is not over yet: it is signed when the bell has rung and the last hand is written."),
    "bad_answer": _("That is no answer to this question."),
    "already_granted": _("This match has its recovery hand already: there is one at most."),
    "no_unstopped_suspension": _("There was no suspension in which the clock ran on: no recovery hand is due."),
    "bad_credit": _("A credit is more than nothing and at most %(high)s seconds."),
    "already_interrupted": _("This match was interrupted already."),
    "not_due": _("The bell is not due."),
    "hand_written": _("Hand %(hand)s is on the sheet already and would no longer count: void it first."),
    "clock_moves": _("The clock of this machine is being set. Send it again."),
    # After a stop
    "outage_unknown": _("There was no such stop here."),
    "outage_answered": _("Somebody answered for this match in the meantime."),
    # The day
    "not_live": _("This tournament is not run here: it came from a file."),
    "stage_unknown": _("There is no stage %(number)s in this tournament."),
    "plays_here": _("You play in this stage: as long as it is open, somebody else runs it."),
    # The draw
    "stage_open": _("A stage is not closed yet: close it first."),
    "no_heats_due": _("No stage of heats comes next: there is nothing to draw."),
    "no_draft": _("There is no draft of a draw: draw first."),
    "not_in_draw": _("%(player)s is not in this draw."),
    "same_heat": _("Both are in the same place: there is nothing to exchange."),
    "swap_unclear": _("Say with whom %(player)s changes places."),
    "heat_name_taken": _("Another table of this stage is called “%(name)s”."),
    "stage_closed": _("This stage is closed."),
    "draw_outdated": _("The draft does not fit any more: draw again. It is about %(players)s."),
    "agp_changed": _("The A.G.P. ranking has changed since this was drawn: draw again."),
    "stage_not_open": _("This stage is not open."),
    "match_begun": _("This match has begun: its seats stay as they are."),
    "seats_drawn": _("The seats of this table are drawn already. Cards that were typed wrong can be typed again."),
    "still_tied": _("Level cards: %(players)s draw again, nobody else."),
    "wrong_drawers": _("One card each, no more: it is these who draw: %(players)s."),
    "too_many_of_a_card": _("A deck has %(most)s cards of the height %(card)s: it cannot be drawn more often."),
    "referee_without_right": _("This person may not keep matches of this tournament: give the role of referee first."),
    "referee_plays": _("This person plays in the stage and cannot be a referee there."),
    # Before the draw
    "draw_published": _("The draw is published: this can no longer be changed."),
    "edition_taken": _("Edition %(edition)s of this series is in the books already."),
    "entries_closed": _("The first stage is over: nobody can be entered any more."),
    "entered_already": _("%(name)s is entered already, as %(code)s."),
    "entrant_unknown": _("Nobody is entered with this code."),
    "who_is_it": _("Say who it is: somebody known, or somebody new."),
    "name_missing": _("There is no name in this row."),
    "bad_club": _("The club has at most %(length)s characters, and none that nobody sees."),
    "letters_unreadable": _("Letters in this row cannot be read: read the list as another kind of text."),
    "list_empty": _("There is no player in this list."),
    "list_too_long": _("The list has more than %(limit)s rows: split it."),
    "not_a_list": _("This is neither a CSV list nor an Excel workbook."),
    "not_a_workbook": _("The workbook cannot be read. Save it once more as .xlsx, or as CSV."),
    "old_workbook": _(
        "This is a workbook of the old kind (.xls), or one with a password. Save it as .xlsx, or as CSV."
    ),
    "workbook_too_large": _("The workbook is too large when it is unpacked. Save only the list of players."),
    # Tables that are run, stages that are closed, results that are corrected
    "stage_not_closed": _("This stage is not closed: what is on the sheet is corrected at the table."),
    "no_open_stage": _("No stage is being played."),
    "no_heats": _("Choose a table first."),
    "heat_open": _("The sheets of these tables are not signed yet: %(tables)s."),
    "stage_played": _("This stage has been played: nobody renounces it any more."),
    "match_running": _("The match at %(tables)s has begun: its five stay. Who cannot go on interrupts it."),
    "dependent_live": _("What would change is being played just now, at %(tables)s. Correct it when that is over."),
    "withdraw_instead": _(
        "In a later stage nobody is replaced by choice: who does not play renounces, and the rules say who comes."
    ),
    "sits_already": _("%(name)s sits at a table of this stage already."),
    "not_interrupted": _("This match was not interrupted to be played again."),
    "lots_drawn": _("Everybody has a lot already."),
    "not_the_last": _("Only the last withdrawal can be taken back, and this is not the last one any more."),
    "second_final_gone": _("The second final fell away with this withdrawal: it cannot be taken back any more."),
    "results_published": _("The results are published: no lots are drawn any more."),
    "final_missing": _("The final has not been played yet: results are published after it."),
}
