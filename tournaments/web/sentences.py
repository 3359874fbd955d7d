"""What a refusal says to people. The rules give a code and values; here it becomes a sentence."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

from core.refusal import Refusal
from gameplay.web.sentences_cards import CARDS
from tournaments.web.sentences_day import DAY

SENTENCES = {
    # The file cannot be read
    "unreadable": _("The file cannot be opened: %(why)s."),
    "not_utf8": _("The file is not UTF-8 text: byte %(byte)s cannot be read."),
    "not_json": _("This is not JSON: the text breaks off or goes wrong at line %(line)s, column %(column)s."),
    "too_deep": _("The file is nested deeper than %(levels)s levels."),
    "duplicate_key": _("The key “%(key)s” stands here more than once."),
    "not_a_number": _("NaN and Infinity are not numbers here."),
    "number_too_large": _("This number does not fit into 64 bits."),
    "unfit_text": _("The text holds a character that no name can have (U+0000 or half of a surrogate pair)."),
    # The file has the wrong shape
    "wrong_type": _("The value must be %(type)s."),
    "missing": _("“%(key)s” is missing."),
    "unexpected": _("“%(key)s” does not belong here."),
    "wrong_value": _("Allowed here: %(allowed)s."),
    "wrong_count": _("There must be %(count)s of them here."),
    "empty_text": _("The text must not be empty."),
    "wrong_date": _("This is no day of the calendar (YYYY-MM-DD)."),
    "too_small": _("The number must be at least %(least)s."),
    # The file contradicts itself
    "stranger": _("“%(name)s” does not belong here: nobody of that code is among those who may stand in this place."),
    "double": _("“%(name)s” stands here twice."),
    "missing_total": _("The total of “%(name)s” is missing."),
    "stage_order": _("A stage “%(kind)s” cannot come here; possible: %(allowed)s."),
    # Rule values
    "rule_wrong_type": _("The rule “%(field)s” must be %(type)s."),
    "rule_out_of_range": _("The rule “%(field)s” must be from %(low)s to %(high)s."),
    "rule_too_small": _("The rule “%(field)s” must be at least %(low)s."),
    "rule_too_large": _("The rule “%(field)s” must be at most %(high)s."),
    "rule_bad_amounts": _("The rule “%(field)s” needs one amount at least, and none below %(low)s."),
    "rule_not_a_choice": _("The rule “%(field)s” must be one of these: %(choices)s."),
    "rule_bad_chain": _("The rule “%(field)s” lists steps out of %(choices)s, none twice, with %(last)s at the end."),
    "second_final_too_short": _(
        "A second final of %(minutes)s minutes is too short: half of a match, %(half)s minutes, is the least."
    ),
    "second_final_too_long": _("A second final of %(minutes)s minutes is longer than a match of %(full)s."),
    # The scoresheet
    "bid_out_of_range": _("A bid of %(bid)s is not possible: bids go from %(low)s to %(high)s."),
    "made_out_of_range": _("%(made)s points cannot be made: there are 0 to %(high)s in the deck."),
    "seat_unknown": _("There is no seat %(seat)s: the five seats are 0 to 4."),
    "suicidal_needs_lost_hand": _(
        "Only a lost hand can be a suicidal call: %(made)s points were made for a bid of %(bid)s."
    ),
    "disloyal_needs_higher_bid": _("A disloyal raise needs a bid above %(above)s; this one is %(bid)s."),
    "admission_too_late": _("A disloyal raise is admitted before the first card is led, not after."),
    "reason_required": _("Say why: a reason is needed here."),
    "entry_unknown": _("The entry to correct does not exist."),
    "entry_already_replaced": _("The entry has been corrected already: correct the newer one."),
    "correction_changes_kind": _("A hand cannot become an award, nor an award a hand."),
    # The tournament
    "lot_missing": _("Nothing decides between %(players)s, and no lot was drawn for all of them."),
    "wrong_stage": _("The next stage has %(seats)s seats: it must be of kind “%(due)s”."),
    "wrong_qualifiers": _("The seats are not those of the qualifiers. Qualified: %(expected)s. Seated: %(seated)s."),
    "second_final_not_held": _("No second final can be held: fewer than five remain, or the rules exclude it."),
    "not_qualified": _("%(player)s has not qualified for this stage and cannot renounce it."),
    "not_called": _("%(player)s was not called to the second final and cannot renounce it."),
    "no_substitute": _("Nobody is left to move up for %(player)s."),
    "too_few_entrants": _("%(entrants)s entrants are too few: a table needs five."),
    "entered_twice": _("Somebody is entered twice."),
    # The house and its books
    "not_allowed": _("You may not do this here."),
    "key_reused": _("This form was sent before with other contents. Load the page again and fill it in once more."),
    "bad_key": _("This form did not come from a page of this house. Load the page again and fill it in once more."),
    "stale_version": _("Somebody changed this in the meantime: it is at version %(version)s now."),
    "club_unknown": _("No club here has the address “%(slug)s”."),
    "club_exists": _("A club with the address “%(slug)s” is here already."),
    "bad_field": _("The field “%(field)s” is not filled in as it must be."),
    "tournament_unknown": _("No tournament here has this address."),
    "heat_unknown": _("This tournament has no such heat."),
    "version_unknown": _("There is no version %(version)s of this tournament."),
    "series_unknown": _("No series here is called “%(name)s”."),
    "edition_unknown": _("There is no edition %(edition)s of this series here."),
    "sheet_unknown": _("There is no such scoresheet."),
    "sheet_frozen": _("The scoresheet is frozen: nothing can be written on it."),
    "nothing_left": _("A match needs one line on its sheet at least."),
    "totals_only": _("Only the totals of this match survive: there is no hand to correct."),
    "points_too_large": _("These points are larger than any match could give."),
    # People
    "bad_name": _(
        "A name has 1 to %(length)s characters, at least one letter or digit, and no characters that nobody sees."
    ),
    "person_unknown": _("There is no such person here."),
    "person_gone": _("This person was merged into another or erased: nothing can be changed any more."),
    "person_twice": _("Two players of the file cannot be one person."),
    "code_unknown": _("The file has no player with the code “%(name)s”."),
    "same_person": _("A person cannot be merged into himself."),
    "sat_together": _("Both took part in one tournament: they cannot be the same person."),
    # Files that wait to be read
    "file_missing": _("No file was chosen."),
    "upload_too_large": _("The file is too large: at most %(limit)s MB are accepted."),
    "too_many_uploads": _("Too many files in one minute from here: %(limit)s are accepted. Wait a minute."),
    "upload_unknown": _(
        "This upload is not here any more: 15 minutes have passed, or the address is wrong. Upload the file again."
    ),
    "line_full": _("Many files wait to be read just now. Try again in a minute."),
    "house_away": _(
        "Files cannot be taken in just now: a part of the house is being restarted. Try again in a minute."
    ),
    "too_slow": _("Reading the file took longer than %(seconds)s seconds and was given up."),
    "upload_failed": _("Reading the file was broken off. Upload it once more."),
    "import_failed": _("The import was broken off, and nothing of it was kept. Upload the file once more."),
    # Doors
    "link_over": _(
        "This one-time link is not good any more: it was used, withdrawn, or is older than a day. Ask for a new one."
    ),
    "pass_over": _(
        "This seat pass is not good any more: it was used, replaced, or is older than ten minutes. Ask for a new one."
    ),
    "bad_user_name": _("A user name has 2 to 40 small letters a-z, digits, dots, dashes or underscores."),
    "user_name_taken": _("Somebody else has the user name “%(name)s”."),
    "bad_password": _("This password will not do. %(why)s"),
    "no_user_name": _("This person has no user name: give a role, then a one-time link lets choose one."),
    "last_administrator": _("This is the last administrator who can sign in: make another one first."),
    # Matches and their hands
    "match_unknown": _("There is no such match here."),
    "line_unknown": _("The sheet has no such line."),
    "scope_unknown": _("There is no such club here."),
    "field_missing": _("Something is missing here: choose it or type it."),
    "not_whole": _("This must be a whole number."),
    "player_unclear": _("“%(text)s” is not exactly one of the five: give the number from 1 to 5, or more of the name."),
    "hand_taken": _("Hand %(hand)s was written by somebody else in the meantime."),
    "wrong_hand": _("Hand %(hand)s cannot be next: hand %(due)s is."),
    "no_hands": _("There is nothing to save: no row is filled in."),
    "already_dealt": _("Hand %(hand)s was dealt already."),
    "already_voided": _("The hand is voided already."),
    "proposal_pending": _("A hand waits for a second person: it must be accepted or rejected first."),
    "proposal_unknown": _("Nothing of that kind waits here."),
    "proposal_answered": _("This was answered or taken back in the meantime."),
    "own_proposal": _("Somebody else must accept what you wrote."),
    "claim_open": _("A penalty is being judged: it must be decided first."),
    "ruling_by_claim": _("A penalty is claimed and judged, and taken back by a ruling; it cannot just be written."),
    "recorders_referee": _("At this table the referee writes the sheet."),
    "recorders_table": _("At this table the players write the sheet."),
    "sheet_closed": _("The match is closed: nothing can be written on its sheet."),
    "stale_entry": _("Somebody corrected this line in the meantime."),
    "stale_sheet": _("Something was written in the meantime: look at the totals again before you sign."),
    "nothing_written": _("Nothing is on the sheet yet: there is nothing to sign."),
    "already_signed": _("You have signed already."),
    "not_closed": _("The match is open."),
    "table_name_missing": _("The table needs a name of at most %(length)s characters."),
    "five_players": _("A table needs five players; there are %(count)s."),
    # Penalties, claims, rulings, appeals
    "claim_unknown": _("There is no such claim here."),
    "claim_too_late": _("Hand %(hand)s can no longer be claimed: the next one was dealt."),
    "claim_decided": _("This claim is decided already."),
    "already_judged": _("This was judged already for that hand, without appeal."),
    "not_a_played_hand": _("There is no played hand to claim it for."),
    "not_a_judge": _("Only who was neither caller nor called has a vote."),
    "already_voted": _("You have voted already."),
    "judged_by_referee": _("At this table the referee judges."),
    "judged_by_players": _("The players judge this, without appeal."),
    "ruling_unknown": _("There is no such ruling here."),
    "article_required": _("A ruling names its article, in at most %(length)s characters."),
    "words_too_long": _("This is too long: at most %(length)s characters."),
    "points_out_of_range": _("A ruling gives or takes 1 to %(high)s points."),
    "already_revoked": _("This ruling was taken back already."),
    "nothing_to_revoke": _("This ruling cannot be taken back: it is answered by a new one."),
    "no_appeal": _("Against this there is no appeal: only what a referee ruled goes before the Council of Guarantors."),
    "appeal_unknown": _("There is no such appeal here."),
    "appeal_open": _("This ruling is before the Council of Guarantors."),
    "appeal_decided": _("There was an appeal against this ruling already."),
    "appeal_closed": _("This appeal is over: nobody votes on it any more."),
    "call_unknown": _("There is no such call here."),
    # At the table
    "void_by_ruling": _("A hand is voided by a ruling, with its own button, not by a correction."),
    "caller_deals": _("Who called the last hand cannot end the time in which it can be claimed. Let another say it."),
    "confirm_each_hand": _("Here each hand waits for a second person: record them one by one."),
    "party_to_appeal": _("You ruled or appealed in this case: you have no vote in it."),
    "sits_now": _("One of the two sits at a match that is open. Merge them when it is over."),
    **DAY,
    **CARDS,
}


TYPES = {
    "integer": _("a whole number"),
    "string": _("text"),
    "boolean": _("true or false"),
    "array": _("a list"),
    "object": _("an object with keys"),
}


def sentence_for(refusal: Refusal) -> str:
    """The refusal in the language that is active."""
    values: dict[str, object] = {
        name: ", ".join(value) if isinstance(value, tuple) else value for name, value in refusal.params.items()
    }
    if "type" in values:
        values["type"] = TYPES[str(values["type"])]
    return str(SENTENCES[refusal.code] % values)
