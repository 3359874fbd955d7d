"""The rules of Gingo as they are implemented, article by article: what the tags of the reason lines open.

S articles follow the official regulation in its order, D articles are decisions where it is silent.
"""

from __future__ import annotations

from typing import NamedTuple

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _


class Article(NamedTuple):
    """An article: its id, what it is about, and what holds."""

    id: str
    title: str | Promise
    text: str | Promise


class Chapter(NamedTuple):
    """Articles that belong together, under one of the four suits."""

    title: str | Promise
    suit: str
    articles: tuple[Article, ...]


CHAPTERS = (
    Chapter(
        _("The match"),
        "coins",
        (
            Article(
                "S1",
                _("Players and cards"),
                _(
                    "Exactly five play, with eight cards each of the Italian deck of forty and the values of briscola: 120 points in all."
                ),
            ),
            Article(
                "S2",
                _("Arbiters"),
                _("The players are arbiters too; outside judges are possible. Every ruling says who decided it."),
            ),
            Article(
                "S3",
                _("Silence"),
                _("Nobody speaks or makes a gesture from which the partner could be guessed, even wrongly."),
            ),
            Article(
                "S4",
                _("Drawing the seats"),
                _(
                    "Each draws a card; king is highest, then knight, knave, 7 to 2, and the ace last. The highest keeps the place, the others sit to its right in descending order."
                ),
            ),
            Article("D1", _("Equal cards in the seat draw"), _("Only those who are level draw again.")),
            Article("S5", _("The deal"), _("Who wins the seat draw deals first; the deal moves to the right.")),
            Article(
                "S11",
                _("The scoresheet"),
                _(
                    "The verbale is what counts. Nothing on it is erased: a correction is a new line with its reason, and the old value stays in sight."
                ),
            ),
            Article(
                "S12",
                _("The auction"),
                _(
                    "Anybody may bid at any moment, from 61 to 120, each bid above the last; nobody raises himself. After three knocks the auction is awarded; 120 ends it at once."
                ),
            ),
            Article("D2", _("Nobody bids"), _("The same dealer deals again and nothing is scored.")),
            Article(
                "D17",
                _("Limits of the auction"),
                _("The lowest bid is a value of the rule set, 61 unless changed; a player cannot raise his own bid."),
            ),
            Article(
                "S13",
                _("The call"),
                _(
                    "The caller chooses trumps, calls the highest trump he does not hold, or one he holds and plays alone, and leads the first trick."
                ),
            ),
            Article(
                "S14",
                _("The called player"),
                _("He helps the caller and shows himself only by playing the called card."),
            ),
        ),
    ),
    Chapter(
        _("The score"),
        "cups",
        (
            Article(
                "S15",
                _("Points of a hand"),
                _(
                    "Won: caller and called get the bid, alone twice the bid. Lost: both lose what is missing, each opponent gets the points his side took."
                ),
            ),
            Article("D3", _("Alone and lost"), _("Only what is won alone is doubled, not what is lost.")),
            Article("S16", _("Points of a match"), _("The sum of its hands, penalties included.")),
            Article(
                "D4",
                _("Golden call"),
                _("The highest bid won in the match, the earliest of equals; a call made alone is marked."),
            ),
            Article(
                "S17",
                _("Suicidal call"),
                _(
                    "A call meant to lose and to drag the partner down: 200 points and the points lost, and one point in the standings of the tournament. The hand is voided."
                ),
            ),
            Article(
                "D18",
                _("Suicidal call in detail"),
                _(
                    "Only a lost hand can be one. It is not repeated and the deal moves on; the point in the standings has no floor."
                ),
            ),
            Article(
                "D9",
                _("Who judges"),
                _(
                    "Those who neither called nor were called; a majority decides, a tie rejects, and votes stay secret until all are in."
                ),
            ),
            Article(
                "S18",
                _("Disloyal raise"),
                _(
                    "Raising above 72 without meaning it and getting the auction: 50, 70, 100 points for the first, second and third time, and the points lost if it is judged afterwards. The hand is voided and repeated."
                ),
            ),
            Article("D19", _("Until when it can be admitted"), _("Until the first card is led.")),
            Article(
                "D10",
                _("Counting offences"),
                _(
                    "By player and match unless the rule set says otherwise; an admission counts, and the fourth costs as much as the third."
                ),
            ),
        ),
    ),
    Chapter(
        _("The clock"),
        "swords",
        (
            Article(
                "S9",
                _("Two hours, hidden"),
                _(
                    "A match lasts two hours and nobody at the table knows the time; a bell ends it. A second final may be shorter by agreement, never by more than half. A hand whose auction is awarded is finished."
                ),
            ),
            Article(
                "D5",
                _("A hand called at 120"),
                _(
                    "It counts as in progress from the call, since nobody can raise it, unless the rule set says otherwise."
                ),
            ),
            Article(
                "D6",
                _("Repeats after the bell"),
                _("A voided hand that must be repeated is played even after the bell."),
            ),
            Article(
                "D21",
                _("Awarded or not"),
                _(
                    "At a paper table the award is tapped, or asked for after the bell; the answer is a ruling with its author."
                ),
            ),
            Article(
                "S10",
                _("Suspensions"),
                _(
                    "They are logged with a reason. If the clock stopped the bell moves; if it could not be stopped a recovery hand may be asked for."
                ),
            ),
            Article("D7", _("Recovery hand"), _("One a match at the most, asked for before signing.")),
            Article(
                "D8",
                _("Somebody retires"),
                _("Five play or nobody does: the match stops and a ruling says what follows."),
            ),
        ),
    ),
    Chapter(
        _("The tournament"),
        "batons",
        (
            Article(
                "S6",
                _("Heats and seeds"),
                _(
                    "Heats of five. The best of the A.G.P. ranking are seeds, one a heat; the others are drawn by lot from a published seed."
                ),
            ),
            Article(
                "D12",
                _("Reserves"),
                _("Who is too many for full tables waits as a reserve, by A.G.P. ranking and then by order of entry."),
            ),
            Article(
                "S7",
                _("Percentage gap"),
                _(
                    "How far behind the winner of the heat, as a share of his points: (W − S) / W, compared exactly. Only players of the same position in different heats are compared."
                ),
            ),
            Article(
                "D13",
                _("A winner without points"),
                _(
                    "If the winner has no positive score, the gap is 0 for his equals and infinite for the others; then fewer points behind comes first."
                ),
            ),
            Article(
                "D20",
                _("Seats of the next stage"),
                _(
                    "Five up to five heats, else the smallest multiple of five that seats every winner. Each heat sends equally many; the seats left over are repechage."
                ),
            ),
            Article(
                "S8",
                _("Substitutions and rankings"),
                _(
                    "A direct qualifier is replaced from his own heat, a repeched one by the best excluded of another heat. Who renounces is not ranked. Final, second final, then the eliminated by position and gap."
                ),
            ),
            Article(
                "D14",
                _("A repeched player moves up"),
                _("He becomes direct, and his repechage place goes to the best excluded of another heat."),
            ),
            Article(
                "D16",
                _("Renouncing other stages"),
                _(
                    "Who renounces a second final or an intermediate stage is not ranked either; the next in order comes in."
                ),
            ),
            Article(
                "D15",
                _("Ties"),
                _(
                    "Equal points share the place. The strict order comes from hands won, golden call, A.G.P. rank and lot; between heats from points per hand, A.G.P. rank and lot."
                ),
            ),
            Article(
                "AGP",
                _("A.G.P. points"),
                _(
                    "The last three world championships count; places 1 to 10 give 15, 12, 10, 8, 6, 5, 4, 3, 2 and 1. At equal points the better best place comes first, then the later one."
                ),
            ),
            Article(
                "S19",
                _("Gaps in the rules"),
                _(
                    "General principles, organisers' rules, customs and precedents; the Council of Guarantors, seven with four votes deciding, hears appeals."
                ),
            ),
            Article(
                "D11",
                _("No change under way"),
                _("After the first published draw the rules change only with the recorded consent of every entrant."),
            ),
        ),
    ),
)
