"""Starting a match: its seats, players and address."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any
from uuid import UUID, uuid4

from django.db import IntegrityError, transaction

from scoring.models import Match, Player, Seat
from scoring.models.matches import new_address
from scoring.rules import Fault, Refusal, start
from scoring.rules.match_record import LONGEST_NAME
from scoring.rules.names import find_name_fault, lookalike_key, same_name_key
from scoring.rules.results import FORMAT
from scoring.rules.wording import gettext_noop as _
from scoring.rules.wording import say
from scoring.signals import notices_changed, send_after_commit


class AddressTakenError(Exception):
    """Another match has the address."""


@transaction.atomic
def start_match(
    *,
    game: str,
    names: Sequence[str],
    now: datetime,
    key: UUID | None = None,
    options: Mapping[str, Any] | None = None,
    players: Mapping[str, Player] | None = None,
    rematch_of: Match | None = None,
    address: str = "",
    secret: str = "",
) -> Match:
    """Return a new match with a seat for each name, clockwise.

    Names that are keys of `players` are those people, others are new. The same `key` again
    returns the same match; it must come from `derive_key_for_owner`, never directly from a client. Without
    a key the match is always new. `address` is for a match that a phone started offline.
    `secret`, if set, is required to write to the match. Raises Refusal if the game cannot be
    played this way, AddressTakenError if another match has the address.
    """
    if rematch_of is not None:
        # Two phones may ask at once, and one of the rematches must be the first.
        Match.objects.lock(pk=rematch_of.pk)
    existing = Match.objects.filter(key=key).first() if key else None
    if existing is not None:
        return existing
    known_players = players or {}
    check_seat_names(names)
    _check_distinct_players(names, known_players)
    start(game, len(names), options)
    match = Match(
        key=key or uuid4(),
        address=address or new_address(),
        game=game,
        options=options or {},
        started_at=now,
        rematch_of=rematch_of,
        secret=secret,
    )
    try:
        with transaction.atomic():
            match.save(force_insert=True)
    except IntegrityError:
        # The same request may have come twice at the same time.
        existing = Match.objects.filter(key=match.key).first()
        if existing is None:
            raise AddressTakenError(match.address) from None
        return existing
    people = [
        known_players.get(name) or Player.objects.create(name=name, created_at=now)
        for name in names
    ]
    Seat.objects.bulk_create(
        Seat(match=match, index=index, player=player, name=name)
        for index, (name, player) in enumerate(zip(names, people, strict=True))
    )
    if rematch_of is not None:
        send_notices_changed(rematch_of)
    return match


@transaction.atomic
def get_or_start_rematch(match: Match, *, is_rotated: bool, now: datetime) -> Match:
    """Return the table's rematch, started now unless there is one.

    People and options are those of the match; `is_rotated` moves everybody one seat on.
    """
    Match.objects.lock(pk=match.pk)
    if match.current_rematch is not None:
        return match.current_rematch
    seats = list(match.seats.select_related("player").order_by("index"))
    if is_rotated:
        seats = [*seats[1:], seats[0]]
    return start_match(
        game=match.game,
        names=[seat.name for seat in seats],
        players={seat.name: seat.player for seat in seats},
        options=match.options,
        now=now,
        rematch_of=match,
    )


def has_same_game_and_people(
    match: Match, *, game: str, names: Sequence[str], options: Mapping[str, Any]
) -> bool:
    """Return whether a match with these values has the game, options and people of `match`."""
    seated = match.seats.values_list("name", flat=True)
    return (
        match.game == game
        and match.options == dict(options)
        and sorted(seated) == sorted(names)
    )


def send_notices_changed(match: Match) -> None:
    """Make phones that show a match fetch its sheet and notices again."""
    send_after_commit(notices_changed, Match, match_id=match.pk, address=match.address)


def was_started_with(
    match: Match, *, game: str, names: Sequence[str], options: Mapping[str, Any]
) -> bool:
    """Return whether a match began as this game, with these options and people.

    Seats that have changed players since are not compared: they no longer have the first name.
    """
    seats = list(match.seats.order_by("index").values_list("name", flat=True))
    changed = {(entry.body or {})["seat"] for entry in match.log.seat_changes()}
    return (
        match.game == game
        and match.options == dict(options)
        and len(seats) == len(names)
        and all(
            seats[index] == name
            for index, name in enumerate(names)
            if index not in changed
        )
    )


def check_seat_names(names: Sequence[str]) -> None:
    """Raise Refusal for names that cannot be stored, or that two seats share.

    “Anna” and “anna” count as the same name, also with a Cyrillic A: they look alike.
    """
    faults = []
    keys = [lookalike_key(name) for name in names]
    for seat, name in enumerate(names):
        if not 1 <= len(name) <= LONGEST_NAME:
            message = say(_("Enter a name of 1 to 40 characters."))
            faults.append(Fault(f"players[{seat}]", FORMAT, message))
        elif fault := find_name_fault(name):
            faults.append(Fault(f"players[{seat}]", FORMAT, fault))
        elif keys[seat] in keys[:seat]:
            message = say(
                _("“%(name)s” already has a seat. Change one of the names."),
                name=name,
            )
            faults.append(Fault(f"players[{seat}]", FORMAT, message))
    if faults:
        raise Refusal(faults)


def _check_distinct_players(
    names: Sequence[str], known_players: Mapping[str, Player]
) -> None:
    seated: dict[int, str] = {}
    faults = []
    for seat, name in enumerate(names):
        player = known_players.get(name)
        if player is None:
            continue
        if player.pk in seated:
            message = say(
                _(
                    "“%(name)s” is the same person as “%(other)s”, who already has a "
                    "seat."
                ),
                name=name,
                other=seated[player.pk],
            )
            faults.append(Fault(f"players[{seat}]", FORMAT, message))
        seated.setdefault(player.pk, name)
    if faults:
        raise Refusal(faults)


def find_player_by_name(name: str, offered: Sequence[Player]) -> Player | None:
    """Return the first of the offered players with this name, in any capitalisation."""
    wanted = same_name_key(name)
    return next(
        (player for player in offered if same_name_key(player.name) == wanted), None
    )
