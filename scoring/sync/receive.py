"""Receiving queued entries from phones: one command each, and an answer.

A phone sends its entries in the order in which they were entered. Sent again, an entry gets the
same answer as before.
"""

from datetime import datetime
from uuid import uuid5

from scoring.competition import competition
from scoring.matchlog.append import MatchNotFoundError, append
from scoring.matchlog.client_keys import derive_key_for_owner
from scoring.matchlog.commands import Command, CommandAuthor
from scoring.matchlog.starting import (
    find_player_by_name,
    has_same_game_and_people,
    start_match,
)
from scoring.models import LogEntry, Match
from scoring.models.log import FROM_HAND
from scoring.models.matches import is_address
from scoring.rules import Fault, Refusal, read_record
from scoring.rules.results import FORMAT
from scoring.rules.wording import gettext_noop as _
from scoring.rules.wording import say
from scoring.sync.protocol import (
    REFUSED,
    SAVED,
    START,
    EntryAnswer,
    QueuedEntry,
    outcome_answer,
    serialize_faults,
)

REMATCH_REFUSED = _(
    "There’s no rematch in a tournament. To play another match, start one from the "
    "home page."
)


def receive_entry(
    *,
    address: str,
    entry: QueuedEntry,
    token: str | None,
    now: datetime,
    official: str = "",
    account: int | None = None,
    may_change_closed: bool = False,
) -> EntryAnswer:
    """Append an entry and return the answer; the same key gets the same answer each time.

    `token` is the phone's seat token; None if this runs on that phone itself. An entry without
    a seat that an `official` sends has their name, and each of theirs has their `account`.

    Raises MatchNotFoundError, and AddressTakenError for a new match with the address of
    another.
    """
    if entry.kind == START:
        return _receive_started_match(address, entry, now)
    body = entry.body
    if entry.kind == LogEntry.Kind.RESEAT and body:
        # A phone sends a name; the director identifies the person in the club's
        # history.
        body = {key: body[key] for key in ("seat", "name", FROM_HAND) if key in body}
    command = Command(
        key=entry.key,
        kind=LogEntry.Kind(entry.kind),
        author=CommandAuthor(
            name=entry.made_by or official,
            account=account,
            phone=entry.phone,
            is_self_named=bool(entry.made_by or not official),
            directs=bool(official),
            token=token,
            may_change_closed=may_change_closed,
        ),
        number=entry.number,
        body=body,
        is_raw_input=True,
        base_version=entry.base,
        reason=entry.reason,
        note=entry.note,
        entered_at=entry.entered_at,
        waiting_count=entry.waiting,
        instead_of_board=entry.instead_of_board,
    )
    return outcome_answer(append(command, address=address, now=now))


def _receive_started_match(
    address: str, entry: QueuedEntry, now: datetime
) -> EntryAnswer:
    """Store a match that a phone started by itself; sent again, it changes nothing.

    The body is a match record without hands, and for a rematch the address of its match.
    """
    # Addresses that can be guessed are not accepted.
    if not is_address(address):
        raise MatchNotFoundError(address)
    head = dict(entry.body or {})
    rematch = Match.objects.filter(address=head.pop("rematch_of", "")).first()
    existing_key = (
        Match.objects.filter(address=address).values_list("key", flat=True).first()
    )
    if (
        rematch is not None
        and existing_key is None
        and competition().table_url(rematch)
    ):
        # Phones with pages of a release that still had rematches at a tournament's
        # table.
        fault = Fault("rematch_of", FORMAT, say(REMATCH_REFUSED))
        return EntryAnswer(status=REFUSED, faults=serialize_faults([fault], []))
    if existing_key in (entry.key, uuid5(entry.key, address)):
        # It began before keys were bound to their address, and still has its own.
        key = existing_key
    else:
        key = derive_key_for_owner(entry.key, "phone", address)
    try:
        record = read_record(head)
        people = [seat.player for seat in rematch.seats.all()] if rematch else []
        known_players = {
            name: find_player_by_name(name, people) for name in record.players
        }
        is_same_table = rematch is not None and has_same_game_and_people(
            rematch, game=record.game, names=record.players, options=record.options
        )
        start_match(
            key=key,
            address=address,
            game=record.game,
            names=record.players,
            options=record.options,
            players={name: player for name, player in known_players.items() if player},
            rematch_of=rematch if is_same_table else None,
            now=now,
        )
    except Refusal as refusal:
        players = head.get("players")
        names = [str(name) for name in players] if isinstance(players, list) else []
        return EntryAnswer(
            status=REFUSED, faults=serialize_faults(refusal.faults, names)
        )
    return EntryAnswer(status=SAVED)
