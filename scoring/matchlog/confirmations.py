"""Confirming a result: a player saw the same words as the table, and says so.

A confirmation names the checksum words that were seen. It holds as long as the match comes to
these words; after a correction or a dispute everybody looks again. The log is its only truth:
`Seat.confirmed_at` is projected from it.
"""

from collections.abc import Sequence
from datetime import datetime

from django.utils.translation import gettext_noop as _

from scoring.matchlog.checksum_words import checksum_words
from scoring.matchlog.commands import Change, Command, LoggedMatch, Status
from scoring.matchlog.hands import CORRECTIONS
from scoring.matchlog.replay import ReplayedMatch
from scoring.models import LogEntry
from scoring.models.log import FROM_HAND
from scoring.rules import Fault, Refusal
from scoring.rules.results import FORMAT
from scoring.rules.wording import say

BETWEEN = " · "
"""What stands between the words where they are written in one line."""
LOOK_AGAIN = (*CORRECTIONS, LogEntry.Kind.DISPUTE)
"""After which nobody has confirmed any more."""


def words_of(replayed: ReplayedMatch) -> str:
    """Return what two phones compare to see that they have the same scores."""
    hands = (
        (hand.number, hand.state, hand.scored.scores if hand.scored else ())
        for hand in replayed.hands
    )
    return BETWEEN.join(checksum_words(replayed.state, hands))


def confirmed_seats(log: Sequence[LogEntry], words: str) -> dict[int, datetime]:
    """Return since when which seats have confirmed these words, and sit there still.

    Whoever confirmed before a correction or a dispute looks again, also where it came to
    nothing; so does everybody where seats were put right, and who takes one over.
    """
    confirmed: dict[int, datetime] = {}
    for entry in log:
        body = entry.body or {}
        if entry.kind == LogEntry.Kind.RESEAT:
            if FROM_HAND in body:
                confirmed.clear()
            confirmed.pop(body["seat"], None)
        elif entry.kind in LOOK_AGAIN:
            confirmed.clear()
        elif entry.kind == LogEntry.Kind.CONFIRM and body.get("words") == words:
            confirmed.setdefault(body["seat"], entry.made_at)
    return confirmed


def confirm(logged: LoggedMatch, command: Command) -> Change:
    """Return what it comes to that a seat confirms the words in the command's body.

    Raises Refusal where the match goes on, has no such seat, or comes to other words.
    """
    body = dict(command.body or {})
    seat, words = body.get("seat"), words_of(logged.replayed)
    is_seat = type(seat) is int and 0 <= seat < len(logged.seats)
    if set(body) != {"seat", "words"} or not is_seat:
        raise Refusal([Fault("seat", FORMAT, say(_("There is no such seat.")))])
    if not logged.match.is_settled:
        message = say(_("The match goes on; agree when it is over."))
        raise Refusal([Fault("words", FORMAT, message)])
    if body["words"] != words:
        message = say(
            _(
                "Here the scores come to “%(words)s”: look at the sheet together, and "
                "wait until every phone has sent what it keeps."
            ),
            words=words,
        )
        raise Refusal([Fault("words", FORMAT, message)])
    return _noted(logged, command, body)


def dispute(logged: LoggedMatch, command: Command) -> Change:
    """Return what it comes to that somebody finds the result wrong."""
    return _noted(logged, command, None)


def take_pen(logged: LoggedMatch, command: Command) -> Change:
    """Return what it comes to that a phone writes from now on; the others are told."""
    return _noted(logged, command, None)


def _noted(logged: LoggedMatch, command: Command, body: object) -> Change:
    entry = LogEntry(key=command.key, kind=command.kind, body=body)
    return Change(status=Status.STORED, entries=[entry], replayed=logged.replayed)
