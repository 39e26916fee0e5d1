"""Agreeing to a result: a player saw the same words as the table, and says so.

An agreement names the words that were seen. It holds as long as the match comes to these
words; after a correction everybody looks again.
"""

from collections.abc import Sequence
from typing import Any
from uuid import UUID

from django.db import transaction
from django.utils.translation import gettext_noop as _

from scoring.agreement import agreement_words
from scoring.folding import FoldedMatch
from scoring.judging import Draft
from scoring.models import LogEntry, Match
from scoring.models.log import FROM_HAND
from scoring.operations import (
    CORRECTIONS,
    Author,
    Entered,
    KeyReusedError,
    Seen,
    seen_of,
    store_entry,
    tell_change,
)
from scoring.rules import Fault, Refusal
from scoring.rules.results import FORMAT
from scoring.rules.wording import say
from scoring.signals import match_agreed

BETWEEN = " · "
"""What stands between the words where they are written in one line."""


LOOK_AGAIN = (*CORRECTIONS, LogEntry.Kind.DISPUTE, LogEntry.Kind.RESEAT)
"""After which nobody has agreed any more."""


def words_of(folded: FoldedMatch) -> str:
    """Return what two phones compare to see that they have the same scores."""
    hands = (
        (hand.number, hand.state, hand.scored.scores if hand.scored else ())
        for hand in folded.hands
    )
    return BETWEEN.join(agreement_words(folded.state, hands))


def agreed_seats(log: Sequence[LogEntry], words: str) -> frozenset[int]:
    """Return the seats whose players agreed to these words, and sit there still.

    Whoever agreed before a correction or a dispute looks again, also where it came to
    nothing; so does everybody where seats were put right, and who takes one over.
    """
    agreed: set[int] = set()
    for entry in log:
        body = entry.body or {}
        if entry.kind == LogEntry.Kind.RESEAT and FROM_HAND not in body:
            agreed.discard(body["seat"])
        elif entry.kind in LOOK_AGAIN:
            agreed.clear()
        elif entry.kind == LogEntry.Kind.AGREE and body.get("words") == words:
            agreed.add(body["seat"])
    return frozenset(agreed)


@transaction.atomic
def agree(
    *, match_id: int, key: UUID, seat: int, words: str, author: Author
) -> Entered:
    """Return the entry by which a seat agrees to what the match came to.

    Raises Refusal where the match goes on, has no such seat, or comes to other words;
    KeyReusedError.
    """
    match = Match.objects.select_for_update().get(pk=match_id)
    seen = seen_of(match)
    earlier = next((entry for entry in seen.log if entry.key == key), None)
    if earlier is not None:
        if earlier.kind != LogEntry.Kind.AGREE:
            raise KeyReusedError(str(key))
        return Entered(match=match, entry=earlier, repeated=True)
    body = {"seat": seat, "words": words}
    return Entered(match=match, entry=add_agreement(match, seen, key, body, author))


def add_agreement(
    match: Match, seen: Seen, key: UUID, body: Any, author: Author
) -> LogEntry:
    """Return the entry, added to a match that is locked; raises Refusal as `agree`."""
    check_agreement(match, seen, body)
    draft = Draft(kind=LogEntry.Kind.AGREE, hand_number=None, body=body)
    entry = store_entry(match, key, draft, author, supersedes=None)
    match.save(update_fields=["version", "kept"])
    match_agreed.send(Match, match=match, seat=body["seat"], now=author.now)
    tell_change(match, settled=False)
    return entry


@transaction.atomic
def dispute(*, match_id: int, key: UUID, author: Author) -> Entered:
    """Return the entry by which nobody has agreed any more: somebody found it wrong."""
    match = Match.objects.select_for_update().get(pk=match_id)
    draft = Draft(kind=LogEntry.Kind.DISPUTE, hand_number=None)
    entry = store_entry(match, key, draft, author, supersedes=None)
    match.save(update_fields=["version"])
    tell_change(match)
    return Entered(match=match, entry=entry)


def check_agreement(match: Match, seen: Seen, body: Any) -> None:
    """Raise Refusal where nobody can agree to this."""
    told = body if isinstance(body, dict) else {}
    seat, words = told.get("seat"), words_of(seen.folded)
    if set(told) != {"seat", "words"} or not _is_seat(seat, len(seen.seats)):
        raise Refusal([Fault("seat", FORMAT, say(_("There is no such seat.")))])
    if not match.is_settled:
        message = say(_("The match goes on; agree when it is over."))
        raise Refusal([Fault("words", FORMAT, message)])
    if told["words"] != words:
        message = say(
            _(
                "Here the scores come to “%(words)s”: look at the sheet together, and "
                "wait until every phone has sent what it keeps."
            ),
            words=words,
        )
        raise Refusal([Fault("words", FORMAT, message)])


def _is_seat(seat: object, seats: int) -> bool:
    return type(seat) is int and 0 <= seat < seats
