"""Who sits at a match: somebody else from now on, or all of them put right."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from uuid import UUID, uuid5

from django.db import transaction
from django.utils.translation import gettext_noop as _

from scoring.competition import competition
from scoring.matchlog.commands import Change, Command, LoggedMatch, Status
from scoring.matchlog.starting import check_names
from scoring.models import LogEntry, Match, Player, Seat
from scoring.models.log import FREES_PHONE, FROM_HAND
from scoring.rules import Fault, Refusal
from scoring.rules.names import lookalike_key
from scoring.rules.results import FORMAT
from scoring.rules.wording import SeatIndex, say


def change_seats(logged: LoggedMatch, command: Command) -> Change:
    """Return what it comes to that other people sit at a match; seats keep their points.

    The body names one `seat` and who sits there from now on, by `name` and, where that
    person is known, by number as `player`; or it puts several right, `players` by seat,
    as they sat `from_hand` on. Raises Refusal where there is no such seat, or somebody
    would sit twice.
    """
    body = dict(command.body or {})
    if FROM_HAND in body:
        return _put_right(logged, command, body["players"], body[FROM_HAND])
    index, name = body.get("seat"), str(body.get("name", ""))
    if type(index) is not int or index not in range(len(logged.seats)):
        raise Refusal([Fault("seat", FORMAT, say(_("There is no such seat.")))])
    if body.get(FREES_PHONE):
        return _free_phone(logged, command, logged.seats[index])
    check_names([name])
    known = Player.objects.filter(pk=body.get("player", 0)).first()
    others = [seat for seat in logged.seats if seat.index != index]
    if any(
        lookalike_key(seat.name) == lookalike_key(name)
        or (known and seat.player_id == known.pk)
        for seat in others
    ):
        raise _seated_already(index, name)
    newcomer = Player(pk=known.pk if known else None, name=name)
    return Change(
        status=Status.STORED,
        entries=[_entry(logged, command.key, index, newcomer)],
        replayed=logged.replayed,
        new_players={index: newcomer},
    )


def _put_right(
    logged: LoggedMatch, command: Command, numbers: Mapping[str, int], from_hand: int
) -> Change:
    """Return what it comes to that these people sit, and sat, at these seats.

    Seats that are not named keep theirs; where all sit so already nothing is stored.
    """
    people = Player.objects.in_bulk(list(numbers.values()))
    wrong = {
        seat.index: people[numbers[str(seat.index)]]
        for seat in logged.seats
        if numbers.get(str(seat.index), seat.player_id) != seat.player_id
    }
    staying = {seat.player_id for seat in logged.seats if seat.index not in wrong}
    coming = [player.pk for player in wrong.values()]
    for index, player in wrong.items():
        if player.pk in staying or coming.count(player.pk) > 1:
            raise _seated_already(index, player.name)
    keys = [command.key, *(uuid5(command.key, str(index)) for index in wrong)]
    entries = [
        _entry(logged, key, index, player, from_hand)
        for key, (index, player) in zip(keys, wrong.items(), strict=False)
    ]
    return Change(
        status=Status.STORED if wrong else Status.SUPERSEDED,
        entries=entries,
        replayed=logged.replayed,
        new_players=wrong,
    )


def _free_phone(logged: LoggedMatch, command: Command, seat: Seat) -> Change:
    """Return the change that takes a seat from the phone that holds it; its player stays.

    Raises Refusal if no phone took it, and at a tournament's table, where a director decides.
    """
    if competition().agreement(logged.match) is not None:
        message = say(_("The director can confirm for the table."))
        raise Refusal([Fault("seat", FORMAT, message)])
    if not seat.holder:
        message = say(_("No phone holds this seat. Nothing was changed."))
        raise Refusal([Fault("seat", FORMAT, message)])
    player = Player(pk=seat.player_id, name=seat.name)
    entry = _entry(logged, command.key, seat.index, player)
    entry.body = {**(entry.body or {}), FREES_PHONE: True}
    return Change(
        status=Status.STORED,
        entries=[entry],
        replayed=logged.replayed,
        new_players={seat.index: player},
    )


def _entry(
    logged: LoggedMatch,
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


def _seated_already(index: int, name: str) -> Refusal:
    message = say(_("“%(name)s” is seated already."), name=name)
    return Refusal([Fault(f"players[{index}]", FORMAT, message)])


def sit_down(
    seats: Sequence[Seat], new_players: Mapping[int, Player], now: datetime
) -> None:
    """Write who sits at these seats of a match that is locked; new people are stored.

    Nobody may sit at two seats, not even for a moment, so whoever exchanges seats gets
    up first, for a stand-in who goes away again.
    """
    for player in new_players.values():
        if not Player.objects.filter(pk=player.pk).exists():
            player.created_at = now
            player.save(force_insert=True)
    changing = [seat for seat in seats if seat.index in new_players]
    getting_up = changing if len(changing) > 1 else []
    stand_ins = [
        Player.objects.create(name=f"– {seat.index}", created_at=now)
        for seat in getting_up
    ]
    for seat, stand_in in zip(getting_up, stand_ins, strict=True):
        seat.player, seat.name = stand_in, stand_in.name
        seat.save(update_fields=["player", "name"])
    for seat in changing:
        seat.player = new_players[seat.index]
        seat.name, seat.holder = seat.player.name, ""
        seat.save(update_fields=["player", "name", "holder"])
    for stand_in in stand_ins:
        stand_in.delete()


@transaction.atomic
def take_seat(*, address: str, index: int | None, holder: str) -> None:
    """Let the phone that knows `holder` be the own phone of who sits at a seat, and at no other.

    With None it is nobody's. Raises Refusal if somebody holds the seat on another phone.
    """
    locked = Match.objects.lock(address=address)
    if locked is None:
        return
    match, seats = locked
    for seat in seats:
        is_chosen = seat.index == index
        if is_chosen and seat.holder not in ("", holder):
            raise _held_elsewhere(seat.index)
        if is_chosen != (seat.holder == holder):
            if is_chosen and seat.index in competition().seats_on_phones(match):
                raise _held_elsewhere(seat.index)
            seat.holder = holder if is_chosen else ""
            seat.save(update_fields=["holder"])


def _held_elsewhere(index: int) -> Refusal:
    message = say(
        _("%(who)s has this seat on another phone. They can leave it there."),
        who=SeatIndex(index),
    )
    return Refusal([Fault("seat", FORMAT, message)])
