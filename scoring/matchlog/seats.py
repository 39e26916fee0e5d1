"""Commands about seats: a new player from some hand on, or corrections of several seats."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from uuid import UUID, uuid5

from django.db import transaction
from django.utils.translation import gettext_noop as _

from scoring.competition import competition
from scoring.matchlog.commands import Command, CommandStatus, LogChange, MatchSnapshot
from scoring.matchlog.seat_occupants import SeatOccupant, occupants_by_changed_seat
from scoring.matchlog.starting import check_seat_names
from scoring.models import LogEntry, Match, Player, Seat
from scoring.models.log import ASKS_WHO, FREES_PHONE, FROM_HAND, PLAYERS
from scoring.rules import Refusal
from scoring.rules.names import lookalike_key
from scoring.rules.wording import SeatIndex


def build_seats_change(logged: MatchSnapshot, command: Command) -> LogChange:
    """Return the change that seats other people at a match; seats keep their points.

    The body has one `seat` and its player's `name` and, if known, primary key as `player`; or
    `players` by seat to correct several seats. Once a hand is in, `from_hand` is the first hand
    of the new player: earlier hands stay with the earlier player. A name from a phone or a
    program means the person that the competition knows by it; if it only resembles a known
    name, the entry is marked to ask the director. Raises Refusal if there is no such seat, a
    person would sit twice, or `from_hand` is missing.
    """
    body = dict(command.body or {})
    if PLAYERS in body:
        return _build_seat_corrections_change(
            logged, command, body[PLAYERS], body[FROM_HAND]
        )
    index, name = body.get("seat"), str(body.get("name", ""))
    if type(index) is not int or index not in range(len(logged.seats)):
        raise Refusal.for_field("seat", _("This seat doesn’t exist."))
    if body.get(FREES_PHONE):
        return _build_phone_release_change(logged, command, logged.seats[index])
    check_seat_names([name])
    next_number, since = logged.replayed.next_number, None
    if next_number > 1:
        from_hand = body.get(FROM_HAND)
        if type(from_hand) is not int or from_hand < 1:
            raise Refusal.for_field(
                FROM_HAND,
                _(
                    "A hand has already been entered. Choose the first hand this applies "
                    "to."
                ),
            )
        since = min(from_hand, next_number)
    known_player = Player.objects.filter(pk=body.get("player", 0)).first()
    is_doubtful = False
    if known_player is None and command.is_raw_input:
        known_player = competition().find_player(logged.match, name)
        is_doubtful = bool(competition().find_similar_people(logged.match, name))
    other_seats = [seat for seat in logged.seats if seat.index != index]
    if any(
        lookalike_key(seat.name) == lookalike_key(name)
        or (known_player and seat.player_id == known_player.pk)
        for seat in other_seats
    ):
        raise _already_seated_refusal(index, name)
    newcomer = Player(pk=known_player.pk if known_player else None, name=name)
    entry = _build_seat_entry(logged, command.key, index, newcomer, since)
    if is_doubtful:
        entry.body = {**(entry.body or {}), ASKS_WHO: True}
    return LogChange(
        status=CommandStatus.STORED,
        entries=[
            *_build_entries_for_leavers(logged, command.key, [index], since),
            entry,
        ],
        replayed=logged.replayed,
        new_players={index: newcomer},
    )


def _build_entries_for_leavers(
    logged: MatchSnapshot, key: UUID, indices: Iterable[int], before_hand: int | None
) -> list[LogEntry]:
    """Return entries that credit the hands before `before_hand` to the players who leave.

    Seats with a known first player in the log need none.
    """
    if before_hand is None or before_hand == 1:
        return []
    occupants = occupants_by_changed_seat(logged.log)
    seats = [logged.seats[index] for index in indices if index not in occupants]
    return [
        _build_seat_entry(
            logged,
            uuid5(key, f"{seat.index} before"),
            seat.index,
            Player(pk=seat.player_id, name=seat.name),
            1,
        )
        for seat in seats
    ]


def _build_seat_corrections_change(
    logged: MatchSnapshot,
    command: Command,
    player_ids: Mapping[str, int],
    from_hand: int,
) -> LogChange:
    """Return the change that corrects the players of seats, by primary key, from a hand on.

    Other seats keep their players; if all are right already, nothing is stored. A player who
    took over their seat at another hand gets it from `from_hand` on.
    """
    from_hand = min(from_hand, logged.replayed.next_number)
    people = Player.objects.in_bulk(list(player_ids.values()))
    corrections = {
        seat.index: people[player_ids[str(seat.index)]]
        for seat in logged.seats
        if player_ids.get(str(seat.index), seat.player_id) != seat.player_id
    }
    unchanged_players = {
        seat.player_id for seat in logged.seats if seat.index not in corrections
    }
    new_player_ids = [player.pk for player in corrections.values()]
    for index, player in corrections.items():
        if player.pk in unchanged_players or new_player_ids.count(player.pk) > 1:
            raise _already_seated_refusal(index, player.name)
    keys = [command.key, *(uuid5(command.key, str(index)) for index in corrections)]
    entries = [
        _build_seat_entry(logged, key, index, player, from_hand)
        for key, (index, player) in zip(keys, corrections.items(), strict=False)
    ]
    first = _build_entries_for_leavers(logged, command.key, corrections, from_hand)
    occupants = occupants_by_changed_seat(logged.log)
    moved_entries: list[LogEntry] = []
    for index in (int(seat) for seat in player_ids if int(seat) not in corrections):
        *earlier, last = occupants.get(index, [SeatOccupant(from_hand, 0, "")])
        if last.from_hand == from_hand:
            continue
        # The right person took this seat over at another hand: the earlier player stays
        # until `from_hand`.
        previous = [occupant for occupant in earlier if occupant.from_hand < from_hand][
            -1:
        ]
        for since, player_id, name in (*previous, last._replace(from_hand=from_hand)):
            entry_key = uuid5(command.key, f"{index} {name} since {since}")
            person = Player(pk=player_id, name=name)
            moved_entries.append(
                _build_seat_entry(logged, entry_key, index, person, since)
            )
    if moved_entries:
        moved_entries[-1].key = command.key
    entries += moved_entries
    return LogChange(
        status=CommandStatus.STORED if entries else CommandStatus.SUPERSEDED,
        entries=[*first, *entries],
        replayed=logged.replayed,
        new_players=corrections,
    )


def _build_phone_release_change(
    logged: MatchSnapshot, command: Command, seat: Seat
) -> LogChange:
    """Return the change that releases a seat from the phone that took it; its player stays.

    Raises Refusal if no phone took it, and at a tournament's table, where a director decides.
    """
    if competition().confirmation_rules(logged.match) is not None:
        raise Refusal.for_field("seat", _("The director can confirm for the table."))
    if not seat.holder:
        raise Refusal.for_field(
            "seat", _("No phone has this seat, so nothing changed.")
        )
    player = Player(pk=seat.player_id, name=seat.name)
    entry = _build_seat_entry(logged, command.key, seat.index, player)
    entry.body = {**(entry.body or {}), FREES_PHONE: True}
    return LogChange(
        status=CommandStatus.STORED,
        entries=[entry],
        replayed=logged.replayed,
        new_players={seat.index: player},
    )


def _build_seat_entry(
    logged: MatchSnapshot,
    key: UUID,
    index: int,
    player: Player,
    from_hand: int | None = None,
) -> LogEntry:
    since = {} if from_hand is None else {FROM_HAND: from_hand}
    changes = [
        entry
        for entry in logged.log
        if entry.kind == LogEntry.Kind.RESEAT and (entry.body or {})["seat"] == index
    ]
    return LogEntry(
        key=key,
        kind=LogEntry.Kind.RESEAT,
        body={"seat": index, "player": player.pk, "name": player.name, **since},
        supersedes=changes[-1] if changes else None,
    )


def _already_seated_refusal(index: int, name: str) -> Refusal:
    return Refusal.for_field(
        f"players[{index}]", _("“%(name)s” already has a seat."), name=name
    )


def seat_players_and_release_phones(
    seats: Sequence[Seat], new_players: Mapping[int, Player], now: datetime
) -> None:
    """Write the players of these seats of a locked match; new people are stored.

    The database allows nobody at two seats, not even for a moment. If several seats change,
    temporary players take them first and are deleted afterwards.
    """
    for player in new_players.values():
        if not Player.objects.filter(pk=player.pk).exists():
            player.created_at = now
            player.save(force_insert=True)
    changed_seats = [seat for seat in seats if seat.index in new_players]
    vacated_seats = changed_seats if len(changed_seats) > 1 else []
    stand_ins = [
        Player.objects.create(name=f"– {seat.index}", created_at=now)
        for seat in vacated_seats
    ]
    for seat, stand_in in zip(vacated_seats, stand_ins, strict=True):
        seat.player, seat.name = stand_in, stand_in.name
        seat.save(update_fields=["player", "name"])
    for seat in changed_seats:
        seat.player = new_players[seat.index]
        seat.name, seat.holder = seat.player.name, ""
        seat.save(update_fields=["player", "name", "holder"])
    for stand_in in stand_ins:
        stand_in.delete()


@transaction.atomic
def assign_seat_to_phone(*, address: str, index: int | None, holder: str) -> None:
    """Make the phone with the secret `holder` the own phone of one seat, and of no other.

    With None it has no seat. Raises Refusal if the seat belongs to another phone.
    """
    locked = Match.objects.lock(address=address)
    if locked is None:
        return
    match, seats = locked
    for seat in seats:
        is_chosen = seat.index == index
        if is_chosen and seat.holder not in ("", holder):
            raise _held_elsewhere_refusal(seat.index)
        if is_chosen != (seat.holder == holder):
            if is_chosen and seat.index in competition().seat_indexes_with_phone(match):
                raise _held_elsewhere_refusal(seat.index)
            seat.holder = holder if is_chosen else ""
            seat.save(update_fields=["holder"])


def _held_elsewhere_refusal(index: int) -> Refusal:
    return Refusal.for_field(
        "seat",
        _("%(who)s has this seat on another phone and can give it up there."),
        who=SeatIndex(index),
    )
