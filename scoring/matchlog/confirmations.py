"""Confirming a result: a player saw the same words as the table, and says so.

A confirmation names the checksum words that were seen. It holds as long as the match comes to
these words; after a correction or a dispute everybody looks again. The log is its only truth:
`Seat.confirmed_at` and `confirmed_by` are projected from it.

Where a competition asks who agrees, it says by which way: from the player's own phone, with a tap of
theirs on the table's phone after it was handed to them, or by the director. A friendly match asks nobody.
"""

from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple

from django.utils.translation import gettext_noop as _

from scoring.competition import competition
from scoring.matchlog.checksum_words import checksum_words
from scoring.matchlog.commands import Change, Command, LoggedMatch, Status
from scoring.matchlog.hands import CORRECTIONS
from scoring.matchlog.replay import ReplayedMatch
from scoring.matchlog.tokens import is_seat_token, own_seats
from scoring.models import LogEntry, Way
from scoring.models.log import FROM_HAND
from scoring.rules import Fault, Refusal
from scoring.rules.results import FORMAT
from scoring.rules.wording import SeatIndex, say

BETWEEN = " · "
"""What stands between the words where they are written in one line."""
LOOK_AGAIN = (*CORRECTIONS, LogEntry.Kind.DISPUTE)
"""After which nobody has confirmed any more."""
BY = "by"
"""Under which a confirmation says by which way somebody agreed."""


class Confirmed(NamedTuple):
    """That somebody has confirmed."""

    since: datetime
    by: str
    """A `Way`; empty where nobody asked."""


def words_of(replayed: ReplayedMatch) -> str:
    """Return what two phones compare to see that they have the same scores."""
    hands = (
        (hand.number, hand.state, hand.scored.scores if hand.scored else ())
        for hand in replayed.hands
    )
    return BETWEEN.join(checksum_words(replayed.state, hands))


def confirmed_seats(log: Sequence[LogEntry], words: str) -> dict[int, Confirmed]:
    """Return since when and how which seats have confirmed these words, and sit there still.

    Whoever confirmed before a correction or a dispute looks again, also where it came to
    nothing; so does everybody where seats were put right, and who takes one over.
    """
    confirmed: dict[int, Confirmed] = {}
    for entry in log:
        body = entry.body or {}
        if entry.kind == LogEntry.Kind.RESEAT:
            if FROM_HAND in body:
                confirmed.clear()
            confirmed.pop(body["seat"], None)
        elif entry.kind in LOOK_AGAIN:
            confirmed.clear()
        elif entry.kind == LogEntry.Kind.CONFIRM and body.get("words") == words:
            said = Confirmed(entry.made_at, body.get(BY, ""))
            confirmed.setdefault(body["seat"], said)
    return confirmed


def confirm(logged: LoggedMatch, command: Command) -> Change:
    """Return what it comes to that a seat confirms the words in the command's body.

    Raises Refusal where the match goes on, has no such seat, or comes to other words, and where
    a competition asks who agrees and the phone shows neither that it is theirs nor the table's.
    """
    body = dict(command.body or {})
    said = body.pop(BY, "")
    seat, words = body.get("seat"), words_of(logged.replayed)
    is_seat = type(seat) is int and 0 <= seat < len(logged.seats)
    if set(body) != {"seat", "words"} or not is_seat or said not in ("", *Way):
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
    way = _way(logged, command, body["seat"], said)
    if not way:
        return _noted(logged, command, body)
    made_by = "" if way == Way.DIRECTOR else logged.seats[body["seat"]].name
    return _noted(logged, command, {**body, BY: way.value}, made_by)


def _way(logged: LoggedMatch, command: Command, seat: int, said: object) -> Way | None:
    """Return by which way a seat agrees; None where no competition asks."""
    match, author = logged.match, command.author
    agreement = competition().agreement(match)
    if agreement is None:
        return None
    own = own_seats(author.token, match)
    if seat in own:
        return Way.OWN
    if author.directs and said != Way.TABLE:
        return Way.DIRECTOR
    shows_table = (
        bool(match.secret)
        and author.token is not None
        and is_seat_token(author.token, match)
    )
    is_at_table = bool(own) or author.directs or shows_table or agreement.at_table
    if said == Way.TABLE and is_at_table:
        return Way.TABLE
    message = say(
        _(
            "%(who)s agrees on their own phone, or here with a tap of their own once the table’s "
            "phone was given to them; the director can agree for the table."
        ),
        who=SeatIndex(seat),
    )
    raise Refusal([Fault(BY, FORMAT, message)])


def dispute(logged: LoggedMatch, command: Command) -> Change:
    """Return what it comes to that somebody finds the result wrong."""
    return _noted(logged, command, None)


def take_pen(logged: LoggedMatch, command: Command) -> Change:
    """Return what it comes to that a phone writes from now on; the others are told."""
    return _noted(logged, command, None)


def _noted(
    logged: LoggedMatch, command: Command, body: object, made_by: str = ""
) -> Change:
    entry = LogEntry(key=command.key, kind=command.kind, body=body, made_by=made_by)
    return Change(status=Status.STORED, entries=[entry], replayed=logged.replayed)
