"""Who sits at a match: somebody else from now on, or all of them put right."""

from collections.abc import Mapping
from uuid import UUID, uuid5

from django.db import IntegrityError, transaction
from django.utils.translation import gettext_noop as _

from scoring.judging import Draft
from scoring.models import LogEntry, Match, Player, Seat
from scoring.models.log import FROM_HAND
from scoring.operations import (
    Author,
    Entered,
    KeyReusedError,
    store_entry,
    tell_change,
)
from scoring.rules import Fault, Refusal
from scoring.rules.results import FORMAT
from scoring.rules.wording import say
from scoring.signals import seat_taken
from scoring.starting import check_names


@transaction.atomic
def reseat(
    *,
    match_id: int,
    key: UUID,
    index: int,
    name: str,
    author: Author,
    player: Player | None = None,
) -> Entered:
    """Return the entry by which another person sits at a seat from now on.

    The seat keeps its points. Without a `player`, the name is that of a new one. Raises
    Refusal where that person, or the name, is seated already, KeyReusedError.
    """
    match = Match.objects.select_for_update().get(pk=match_id)
    earlier = match.log.filter(key=key).first()
    if earlier is not None:
        body = earlier.body or {}
        if (body.get("seat"), body.get("name")) != (index, name):
            raise KeyReusedError(str(key))
        return Entered(match=match, entry=earlier, repeated=True)
    check_names([name])
    seat = match.seats.get(index=index)
    seat.player = player or Player.objects.create(name=name, created_at=author.now)
    seat.name = name
    try:
        with transaction.atomic():
            seat.save(update_fields=["player", "name"])
    except IntegrityError:
        message = say(_("“%(name)s” is seated already."), name=name)
        raise Refusal([Fault(f"players[{index}]", FORMAT, message)]) from None
    body = {"seat": index, "player": seat.player.pk, "name": name}
    draft = Draft(kind=LogEntry.Kind.RESEAT, hand_number=None, body=body)
    before = _change_before(match, index)
    entry = store_entry(match, key, draft, author, supersedes=before)
    match.save(update_fields=["version"])
    seat_taken.send(Match, match=match, seat=index)
    tell_change(match)
    return Entered(match=match, entry=entry)


def _seat(change: LogEntry) -> int | None:
    """Return the seat that a change of seats was about."""
    seat: int | None = (change.body or {}).get("seat")
    return seat


@transaction.atomic
def rearrange(
    *,
    match_id: int,
    key: UUID,
    players: Mapping[int, Player],
    from_hand: int,
    author: Author,
) -> Match:
    """Return the match, at whose seats these people sit and sat since a hand.

    Seats that are not named keep theirs, all keep their points; the log holds an entry
    for each seat that changed, with the hand from which on it holds. The same key
    changes nothing more. Raises Refusal where somebody would sit twice.
    """
    match = Match.objects.select_for_update().get(pk=match_id)
    seats = {seat.index: seat for seat in match.seats.select_related("player")}
    wrong = {
        index: player
        for index, player in players.items()
        if seats[index].player_id != player.pk
    }
    if not wrong or match.log.filter(key=_key_of(key, min(wrong))).exists():
        return match
    _check_once(seats, wrong)
    _exchange(seats, wrong, author)
    for index, player in sorted(wrong.items()):
        person = {"player": player.pk, "name": player.name}
        body = {"seat": index, **person, FROM_HAND: from_hand}
        draft = Draft(kind=LogEntry.Kind.RESEAT, hand_number=None, body=body)
        before = _change_before(match, index)
        store_entry(match, _key_of(key, index), draft, author, supersedes=before)
    match.save(update_fields=["version"])
    tell_change(match)
    return match


def _key_of(key: UUID, index: int) -> UUID:
    return uuid5(key, str(index))


def _check_once(seats: Mapping[int, Seat], wrong: Mapping[int, Player]) -> None:
    staying = {
        seat.player_id: seat.name for index, seat in seats.items() if index not in wrong
    }
    coming = [player.pk for player in wrong.values()]
    for index, player in wrong.items():
        if player.pk in staying or coming.count(player.pk) > 1:
            message = say(_("“%(name)s” is seated already."), name=player.name)
            raise Refusal([Fault(f"players[{index}]", FORMAT, message)])


def _exchange(
    seats: Mapping[int, Seat], wrong: Mapping[int, Player], author: Author
) -> None:
    """Write the people at their seats; nobody may sit at two, not even for a moment."""
    nobody = [
        Player.objects.create(name=f"– {index}", created_at=author.now)
        for index in wrong
    ]
    for index, held in zip(wrong, nobody, strict=True):
        _sit(seats[index], held)
    for index, player in wrong.items():
        _sit(seats[index], player)
    for held in nobody:
        held.delete()


def _sit(seat: Seat, player: Player) -> None:
    seat.player, seat.name = player, player.name
    seat.save(update_fields=["player", "name"])


def _change_before(match: Match, index: int) -> LogEntry | None:
    """Return the last entry by which somebody sat down at a seat."""
    changes = [one for one in match.log.seat_changes() if _seat(one) == index]
    return changes[-1] if changes else None
