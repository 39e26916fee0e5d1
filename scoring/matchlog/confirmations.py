"""Confirming a result: a player sees the same words as the table and agrees.

A confirmation names the checksum words that were seen. It is valid while the match has these
words; after a correction or a dispute everybody has to confirm again. The log is the source:
`Seat.confirmed_at` and `confirmed_by` are projected from it.

A confirmation is given on the player's own phone, with a tap of theirs on a shared phone, or by
the director. A player with a seat on their own phone confirms only there. Until the match is
closed a confirmation can be withdrawn.
"""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import NamedTuple

from django.utils.translation import gettext_noop as _

from scoring.competition import competition
from scoring.matchlog.checksum_words import checksum_words
from scoring.matchlog.commands import Command, CommandStatus, LogChange, MatchSnapshot
from scoring.matchlog.replay import ReplayedMatch
from scoring.matchlog.tokens import is_match_write_token, seat_indexes_held_by_token
from scoring.models import ConfirmationWay, LogEntry, Match, Seat
from scoring.models.log import CORRECTIONS, FREES_PHONE, FROM_HAND
from scoring.rules import Refusal
from scoring.rules.wording import SeatIndex

WORD_SEPARATOR = " · "
"""Separator of the words on one line."""
INVALIDATING_KINDS = (*CORRECTIONS, LogEntry.Kind.DISPUTE)
"""Kinds of entries that end all confirmations."""
WAY_KEY = "by"
"""Key for the `ConfirmationWay` in the body of a confirmation."""
CONFIRMATION_KEY = "confirmation"
"""Key for the withdrawn confirmation's key in the body of a withdrawal."""
DISPUTE_KEY = "dispute"
"""Key for the withdrawn dispute's key in the body of a withdrawal."""


class Confirmation(NamedTuple):
    """The confirmation of one seat."""

    since: datetime
    way: str
    """A `ConfirmationWay`; empty if the entry has none."""
    entry: LogEntry
    """The entry that counts: one from the player's own phone, if any, else the first."""


def checksum_words_line(replayed: ReplayedMatch) -> str:
    """Return the checksum words that two phones compare, on one line."""
    hands = (
        (hand.number, hand.state, hand.scored.scores if hand.scored else ())
        for hand in replayed.hands
    )
    return WORD_SEPARATOR.join(checksum_words(replayed.state, hands))


def confirmations_by_seat(
    log: Sequence[LogEntry], words: str
) -> dict[int, Confirmation]:
    """Return the confirmations of these words that still count, by seat.

    A correction or a dispute ends all confirmations, even if it changes nothing; so does a new
    player of a seat from some hand on.
    """
    confirmed: dict[int, Confirmation] = {}
    for entry in log:
        body = entry.body or {}
        if entry.kind == LogEntry.Kind.RESEAT:
            if FROM_HAND in body:
                confirmed.clear()
            if FREES_PHONE not in body:
                confirmed.pop(body["seat"], None)
        elif entry.kind in INVALIDATING_KINDS:
            confirmed.clear()
        elif entry.kind == LogEntry.Kind.WITHDRAW:
            if has_confirmation(
                confirmed, body.get("seat"), body.get(CONFIRMATION_KEY)
            ):
                del confirmed[body["seat"]]
        elif entry.kind == LogEntry.Kind.CONFIRM and body.get("words") == words:
            way, first = body.get(WAY_KEY, ""), confirmed.get(body["seat"])
            # The first one counts, but one from the player's own phone replaces
            # another.
            if first is None or way == ConfirmationWay.OWN != first.way:
                since = entry.made_at if first is None else first.since
                confirmed[body["seat"]] = Confirmation(since, way, entry)
    return confirmed


def has_confirmation(
    confirmed: Mapping[int, Confirmation], seat: object, entry_key: object
) -> bool:
    confirmation = confirmed.get(seat) if type(seat) is int else None
    return confirmation is not None and str(confirmation.entry.key) == entry_key


def build_confirmation_change(logged: MatchSnapshot, command: Command) -> LogChange:
    """Return the change by which a seat confirms the words in the command's body.

    Raises Refusal if the match goes on, has no such seat, or has other words; if the player has
    the seat on another phone; and, at a competition that requires confirmations, if the phone
    is neither the player's nor the table's.
    """
    body = dict(command.body or {})
    requested_way = body.pop(WAY_KEY, "")
    seat, words = body.get("seat"), checksum_words_line(logged.replayed)
    if (
        set(body) != {"seat", "words"}
        or not _is_seat(logged, seat)
        or requested_way not in ("", *ConfirmationWay)
    ):
        raise _unknown_seat_refusal()
    if not logged.match.has_counting_result:
        raise Refusal.for_field("words", _("The match isn’t over yet."))
    if body["words"] != words:
        raise Refusal.for_field(
            "words",
            _(
                "The check words for this match are “%(words)s”. Compare the sheets "
                "and wait until every phone has synced."
            ),
            words=words,
        )
    way = _allowed_confirmation_way(logged, command, body["seat"], requested_way)
    author_name = (
        "" if way == ConfirmationWay.DIRECTOR else logged.seats[body["seat"]].name
    )
    return _build_entry_change(
        logged, command, {**body, WAY_KEY: way.value}, author_name
    )


def build_withdrawal_change(logged: MatchSnapshot, command: Command) -> LogChange:
    """Return the change by which a seat's confirmation is withdrawn.

    The body has the `seat` and the key of its `confirmation`; one that no longer counts changes
    nothing. Raises Refusal unless the phone is the player's own, the one that confirmed for
    them, or the director's.
    """
    body = dict(command.body or {})
    if set(body) == {DISPUTE_KEY} and command.author.directs:
        # Only tables of competitions have disputes; the competition sends this command.
        return _build_entry_change(logged, command, body)
    seat, key = body.get("seat"), body.get(CONFIRMATION_KEY)
    if set(body) != {"seat", CONFIRMATION_KEY} or not _is_seat(logged, seat):
        raise _unknown_seat_refusal()
    confirmed = confirmations_by_seat(logged.log, checksum_words_line(logged.replayed))
    if not has_confirmation(confirmed, seat, key):
        entry = LogEntry(
            key=command.key, kind=LogEntry.Kind.SUPERSEDED, body=command.body
        )
        return LogChange(
            status=CommandStatus.SUPERSEDED, entries=[entry], replayed=logged.replayed
        )
    author, confirmation = command.author, confirmed[body["seat"]]
    # The phone's name is no secret, so it only withdraws confirmations given on a
    # shared phone.
    is_same_phone = (
        confirmation.way != ConfirmationWay.OWN
        and confirmation.entry.phone == author.phone != ""
    )
    is_own = body["seat"] in seat_indexes_held_by_token(
        author.token, logged.match, logged.seats
    )
    if not (is_same_phone or is_own or author.directs):
        raise Refusal.for_field(
            "seat",
            _(
                "Only %(who)s’s own phone or the phone that confirmed can withdraw "
                "this confirmation."
            ),
            who=SeatIndex(body["seat"]),
        )
    return _build_entry_change(logged, command, body)


def _is_seat(logged: MatchSnapshot, seat: object) -> bool:
    return type(seat) is int and 0 <= seat < len(logged.seats)


def _unknown_seat_refusal() -> Refusal:
    return Refusal.for_field("seat", _("This seat doesn’t exist."))


def seat_indexes_with_phone(
    match: Match, seats: Iterable[Seat] | None = None
) -> set[int]:
    """Return the seats whose players have them on their own phones; pass `seats` to save a query."""
    held_seats = {
        seat.index
        for seat in (match.seats.all() if seats is None else seats)
        if seat.holder
    }
    return held_seats | {*competition().seat_indexes_with_phone(match)}


def _allowed_confirmation_way(
    logged: MatchSnapshot, command: Command, seat: int, requested_way: object
) -> ConfirmationWay:
    """Return the way in which a seat confirms. Raises Refusal if this phone may not."""
    match, author = logged.match, command.author
    phone_seats = seat_indexes_held_by_token(author.token, match, logged.seats)
    if seat in phone_seats:
        return ConfirmationWay.OWN
    if author.directs and requested_way != ConfirmationWay.TABLE:
        return ConfirmationWay.DIRECTOR
    agreement = competition().confirmation_rules(match)
    if seat in seat_indexes_with_phone(match, logged.seats):
        template = _("%(who)s needs to confirm on their own phone.")
        if agreement is not None:
            template = _(
                "%(who)s needs to confirm on their own phone. The director can confirm "
                "for the table."
            )
        raise Refusal.for_field(WAY_KEY, template, who=SeatIndex(seat))
    if agreement is None:
        return ConfirmationWay.TABLE
    has_table_token = (
        bool(match.secret)
        and author.token is not None
        and is_match_write_token(author.token, match)
    )
    is_at_table = (
        bool(phone_seats) or author.directs or has_table_token or agreement.at_table
    )
    if requested_way == ConfirmationWay.TABLE and is_at_table:
        return ConfirmationWay.TABLE
    raise Refusal.for_field(
        WAY_KEY,
        _(
            "%(who)s can confirm on their own phone or on the table’s phone. The "
            "director can confirm for the table."
        ),
        who=SeatIndex(seat),
    )


def build_bodyless_change(logged: MatchSnapshot, command: Command) -> LogChange:
    """Return the change of a dispute, or of a phone that becomes the scorer."""
    return _build_entry_change(logged, command, None)


def find_withdrawal_of_last_dispute(log: Sequence[LogEntry]) -> LogEntry | None:
    """Return the withdrawal of the latest dispute; None if there is a newer dispute or correction."""
    for entry in reversed(log):
        if entry.kind in INVALIDATING_KINDS:
            return None
        if entry.kind == LogEntry.Kind.WITHDRAW and DISPUTE_KEY in (entry.body or {}):
            return entry
    return None


def _build_entry_change(
    logged: MatchSnapshot, command: Command, body: object, author_name: str = ""
) -> LogChange:
    entry = LogEntry(key=command.key, kind=command.kind, body=body, made_by=author_name)
    return LogChange(
        status=CommandStatus.STORED, entries=[entry], replayed=logged.replayed
    )
