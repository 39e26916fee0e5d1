"""Rights to write and confirm at a table: by its card, a seat there, or a role in the club.

In a league, which has no tables with cards, the people of the club may write as well. The
public pages of a tournament are read-only. A card shows a secret derived from the server's
secret key, the club, the table's number, and how often the club has renewed its cards.
"""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any, NamedTuple

from allauth.usersessions.models import UserSession
from django.conf import settings
from django.db import transaction
from django.db.models import F, Max, Q
from django.http import HttpRequest
from django.utils import timezone
from django.utils.crypto import constant_time_compare, salted_hmac
from django.utils.translation import gettext as _

from scoring.matchlog.commands import CommandAuthor
from scoring.matchlog.starting import send_notices_changed
from scoring.models import Match, Seat
from scoring.models.matches import SECRET_LENGTH, new_address
from scoring.phone_memory import known_secrets
from scoring.rules.names import same_name_key
from scoring.sync.rights import find_taken_seat
from tournaments.changes import mark_changed
from tournaments.models import (
    Club,
    Entry,
    Place,
    Role,
    Round,
    Table,
    Tournament,
    User,
)
from tournaments.names import name_key
from tournaments.people.profiles import (
    player_ids_with_confirmed_claim,
    with_merged_player_ids,
)

SALT = "tournaments.card"
ACCOUNT_PRESENCE = timedelta(hours=12)
"""How long an account counts as present after its last use, which is stored every few minutes.
Longer than any night."""

Writing = Tournament.Writing


def card_secret(club: Club, number: int, *, key: str | bytes | None = None) -> str:
    signed_text = f"{club.pk} {club.cards_renewed} {number}"
    digest = salted_hmac(SALT, signed_text, secret=key, algorithm="sha256")
    return digest.hexdigest()[:SECRET_LENGTH]


def is_card_secret(club: Club, number: int, secret: str) -> bool:
    """Return whether a secret is on the current card of a club's table."""
    keys = [settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS]
    return any(
        constant_time_compare(secret, card_secret(club, number, key=key))
        for key in keys
    )


def make_match_secret(tournament: Tournament, number: int) -> str:
    """Return the secret of a match that begins at a table; empty if anyone may write."""
    match writing_rule(tournament):
        case Writing.OPEN:
            return ""
        case Writing.CARD:
            return card_secret(tournament.club, number)
        case Writing.OWN_PHONES:
            # A secret that is never shown to anyone.
            return new_address()


def writing_rule(tournament: Tournament) -> Tournament.Writing:
    """Return the rule for writing, apart from directors; a league has no cards to scan."""
    uses_cards = tournament.writing == Writing.CARD
    if tournament.is_league and uses_cards:
        return Writing.OWN_PHONES
    return Writing(tournament.writing)


@transaction.atomic
def renew_cards(*, club_id: int) -> Club:
    """Renew the cards of a club, so that earlier ones no longer open a table.

    Phones that scanned those no longer write at tables that are being played.
    """
    club = Club.objects.select_for_update().get(pk=club_id)
    club.cards_renewed += 1
    club.save(update_fields=["cards_renewed"])
    tournaments = Tournament.objects.filter(club=club, writing=Writing.CARD)
    for tournament in tournaments.select_related("club"):
        apply_writing_rule(tournament)
    return club


def apply_writing_rule(tournament: Tournament) -> None:
    """Set the secrets of open matches by the tournament's current writing rule."""
    for table in Table.objects.filter(
        round__tournament=tournament, match__closed=False
    ):
        secret = make_match_secret(tournament, table.number)
        matches = Match.objects.filter(table=table)
        matches.update(secret=secret)
        for match in matches:
            send_notices_changed(match)


def current_table(club: Club, number: int) -> Table | None:
    """Return the table of this number that is being played, or else published; None without one."""
    tables = Table.objects.filter(
        round__tournament__club=club,
        round__state__in=(Round.State.RUNNING, Round.State.PUBLISHED),
        number=number,
    )
    tables = tables.exclude(round__tournament__phase=Tournament.Phase.FINISHED).exclude(
        round__tournament__format=Tournament.Format.LEAGUE
    )
    latest = tables.select_related("round__tournament", "match").order_by("-pk")
    running = [table for table in latest if table.round.state == Round.State.RUNNING]
    return next(iter([*running, *latest]), None)


def highest_table_number(club: Club) -> int:
    """Return the highest number of tables in the club's rounds; 0 for none yet."""
    rounds = Table.objects.filter(round__tournament__club=club).exclude(
        round__tournament__format__in=(
            Tournament.Format.LEAGUE,
            Tournament.Format.PAST,
        )
    )
    most: int | None = rounds.aggregate(most=Max("number"))["most"]
    return most or 0


def attach_phone(request: HttpRequest, entry: Entry) -> None:
    """Make this also the phone of an entry and its present player, in the session and the entry."""
    other_ids = _other_remembered_ids(request, entry)
    _store_or_delete_in_session(
        request, "joined", entry.tournament.address, [*other_ids, entry.pk]
    )
    _remember_player(request, entry)
    # A phone with several entries is shared: for the added ones any phone at their table
    # confirms.
    _set_on_phone(entry, is_there=entry.on_phone or not other_ids)


def detach_phone(request: HttpRequest, entry: Entry) -> None:
    """Make this no longer the phone of an entry, in the session and the entry; other entries stay."""
    other_ids = _other_remembered_ids(request, entry)
    _store_or_delete_in_session(request, "joined", entry.tournament.address, other_ids)
    _set_on_phone(entry, is_there=False)


def _set_on_phone(entry: Entry, *, is_there: bool) -> None:
    entry.on_phone = is_there
    entry.save(update_fields=["on_phone"])


@transaction.atomic
def release_phone(*, entry_id: int) -> Entry:
    """Release an entry from its phones, which can no longer show or enter anything for it."""
    Tournament.objects.lock(entries=entry_id)
    entry = Entry.objects.select_for_update().get(pk=entry_id)
    entry.on_phone, entry.waited_as = False, None
    entry.phones_released += 1
    entry.save(update_fields=["on_phone", "waited_as", "phones_released"])
    entry.subscriptions.all().delete()
    seats = Seat.objects.filter(
        match__closed=False,
        match__table__places__entry=entry,
        match__table__places__index=F("index"),
    )
    Seat.objects.filter(pk__in=seats.values("pk")).update(holder="")
    mark_changed(entry.tournament_id)
    return entry


def seat_indexes_with_phone(table: Table) -> set[int]:
    """Return the indexes of the seats at a table with a present phone of the player's own.

    Either the player registered on that phone, or an account that has claimed the player's name
    was used within `ACCOUNT_PRESENCE`.
    """
    club = table.round.tournament.club
    used_after = timezone.now() - ACCOUNT_PRESENCE
    active_sessions = UserSession.objects.filter(last_seen_at__gt=used_after)
    claims = club.claims.confirmed().filter(user__in=active_sessions.values("user"))
    players = with_merged_player_ids(club, claims.values_list("player", flat=True))
    places = table.places.filter(Q(entry__on_phone=True) | Q(entry__player__in=players))
    return set(places.values_list("index", flat=True))


def _remembered_entry_ids(request: HttpRequest, tournament: Tournament) -> list[int]:
    stored_ids: int | list[int] = request.session.get("joined", {}).get(
        tournament.address, []
    )
    # Sessions of earlier releases hold a single one.
    return [stored_ids] if isinstance(stored_ids, int) else list(stored_ids)


def _other_remembered_ids(request: HttpRequest, entry: Entry) -> list[int]:
    own_ids = (entry.pk, entry.waited_as)
    return [
        pk
        for pk in _remembered_entry_ids(request, entry.tournament)
        if pk not in own_ids
    ]


def _store_or_delete_in_session(
    request: HttpRequest, kind: str, key: str, value: Any
) -> None:
    """Store a value in the session under a kind and key; an empty value deletes it."""
    stored_values = {**request.session.get(kind, {}), key: value}
    request.session[kind] = {
        key: value for key, value in stored_values.items() if value
    }


def remember_or_forget_dispute(
    request: HttpRequest, table: Table, called_at: datetime | None
) -> None:
    """Remember on the phone when it disputed the result of a table; None to forget it."""
    moment = called_at.isoformat() if called_at else ""
    _store_or_delete_in_session(request, "disputes", str(table.pk), moment)


def own_dispute_time(request: HttpRequest, table: Table) -> datetime | None:
    """Return when this phone disputed the result of a table; None if it did not."""
    text = request.session.get("disputes", {}).get(str(table.pk))
    return None if text is None else datetime.fromisoformat(text)


def can_withdraw_unanswered_dispute(request: HttpRequest, table: Table) -> bool:
    """Return whether this phone can withdraw its dispute: nobody has reacted to it yet."""
    return (
        table.disputed
        and table.coming_at is None
        and own_dispute_time(request, table) == table.called_at
    )


class _RememberedPlayer(NamedTuple):
    """The player of an entry at the time when a phone remembered it."""

    player: int
    released: int = 0
    name: str = ""


def own_phone_entries(request: HttpRequest) -> list[Entry]:
    """Return the phone's entries in all tournaments, the latest first.

    Without entries that someone else plays now; one query, none for a phone without entries.
    """
    players_by_entry = {
        int(pk): fields[0] if isinstance(fields, list) else fields
        for remembered_players in request.session.get("joined_players", {}).values()
        for pk, fields in remembered_players.items()
    }
    if not players_by_entry:
        return []
    entries = Entry.objects.filter(pk__in=players_by_entry)
    return [
        entry
        for entry in entries.select_related("tournament__club", "player").order_by(
            "-tournament__starts_at", "number"
        )
        if entry.player_id == players_by_entry[entry.pk]
    ]


def _remember_player(request: HttpRequest, entry: Entry) -> None:
    # Sessions are JSON, so their keys are text.
    address = entry.tournament.address
    players = request.session.get("joined_players", {}).get(address, {})
    remembered = _RememberedPlayer(entry.player_id, entry.phones_released, entry.name)
    remembered_players = {**players, str(entry.pk): list(remembered)}
    _store_or_delete_in_session(request, "joined_players", address, remembered_players)


def _remembered_players_by_entry(
    request: HttpRequest, tournament: Tournament
) -> dict[str, _RememberedPlayer]:
    players = request.session.get("joined_players", {}).get(tournament.address, {})
    # Sessions of earlier releases hold only the player.
    return {
        pk: _RememberedPlayer(*fields)
        if isinstance(fields, list)
        else _RememberedPlayer(fields)
        for pk, fields in players.items()
    }


def own_entry_ids(request: HttpRequest, tournament: Tournament) -> list[int]:
    """Return the entries made on this phone, then the other entries of the account's players.

    A phone may be shared by several people of a family. An entry that a substitute plays no
    longer belongs to the earlier player.
    """
    phone_entries = refresh_own_phone_entry_ids(request, tournament)
    account_players = player_ids_with_confirmed_claim(tournament.club, request.user)
    account_entries = (
        tournament.entries.filter(player__in=account_players)
        if account_players
        else Entry.objects.none()
    )
    account_entry_ids = account_entries.by_number().values_list("pk", flat=True)
    return [
        *phone_entries,
        *(pk for pk in account_entry_ids if pk not in phone_entries),
    ]


def first_own_entry_id(request: HttpRequest, tournament: Tournament) -> int | None:
    """Return the first of `own_entry_ids`; None for none."""
    return next(iter(own_entry_ids(request, tournament)), None)


def refresh_own_phone_entry_ids(
    request: HttpRequest, tournament: Tournament
) -> list[int]:
    """Return the entries made on this phone, in order, without those that someone else plays now.

    A phone that remembers an entry without its player belongs to the player of the entry at the
    time of the first request that is not GET or HEAD: reading stores nothing.
    """
    phone_entries = _refresh_phone_entries(request, tournament)
    remembered_players = _remembered_players_by_entry(request, tournament)
    own_ids = []
    for entry in phone_entries:
        # A substitute is known by the entry they waited with, unless this entry was always
        # theirs.
        remembered = remembered_players.get(
            str(entry.waited_as), remembered_players.get(str(entry.pk))
        )
        if remembered is None and request.method not in ("GET", "HEAD"):
            _remember_player(request, entry)
        if remembered is None or remembered.player == entry.player_id:
            own_ids.append(entry.pk)
    return own_ids


def _refresh_phone_entries(request: HttpRequest, tournament: Tournament) -> list[Entry]:
    """Return the entries made on this phone, also those that other people play now.

    For a substitute from the waiting list this is the entry that they play, and for a player
    that was removed and entered again the new entry. Entries released by a director are left
    out. A request that is not GET or HEAD also attaches the phone to new entries.
    """
    stored_ids = _remembered_entry_ids(request, tournament)
    if not stored_ids:
        return []
    entries = tournament.entries.filter(
        Q(pk__in=stored_ids) | Q(waited_as__in=stored_ids)
    )
    remembered_players = _remembered_players_by_entry(request, tournament)
    by_number = {entry.waited_as: entry for entry in entries}
    by_number |= {
        entry.pk: entry
        for entry in entries
        if entry.waited_as in stored_ids
        or entry.phones_released
        <= remembered_players.get(str(entry.pk), _RememberedPlayer(0)).released
    }
    listed_ids = {entry.pk for entry in entries}
    for pk in stored_ids:
        if (
            pk not in listed_ids
            and pk not in by_number
            and str(pk) in remembered_players
        ):
            new_entry = _find_reentered_entry(tournament, remembered_players[str(pk)])
            if new_entry is None:
                continue
            by_number[pk] = new_entry
            if request.method not in ("GET", "HEAD"):
                other_ids = [
                    other_id
                    for other_id in _remembered_entry_ids(request, tournament)
                    if other_id != pk
                ]
                _store_or_delete_in_session(
                    request, "joined", tournament.address, other_ids
                )
                attach_phone(request, new_entry)
    phone_entries = (by_number[pk] for pk in stored_ids if pk in by_number)
    return list(dict.fromkeys(phone_entries))


def _find_reentered_entry(
    tournament: Tournament, remembered: _RememberedPlayer
) -> Entry | None:
    """Return the new entry of a removed person; None without one, or if another phone has it."""
    same_person = Q(player=remembered.player)
    if remembered.name:
        same_person |= Q(name_key=name_key(remembered.name))
    candidates = tournament.entries.filter(
        same_person, on_phone=False, phones_released__lte=remembered.released
    )
    return next(
        (
            entry
            for entry in candidates
            if entry.player_id == remembered.player
            or same_name_key(entry.name) == same_name_key(remembered.name)
        ),
        None,
    )


def find_substituted_entry(
    request: HttpRequest, tournament: Tournament
) -> Entry | None:
    """Return the entry that a substitute now plays for the requester; None without one."""
    if first_own_entry_id(request, tournament) is not None:
        return None
    if phone_entries := _refresh_phone_entries(request, tournament):
        return phone_entries[0]
    account_players = player_ids_with_confirmed_claim(tournament.club, request.user)
    if not account_players:
        return None
    places = Place.objects.filter(
        round__tournament=tournament,
        table__match__seats__index=F("index"),
        table__match__seats__player__in=account_players,
    )
    place = places.select_related("entry").order_by("-round__number", "-pk").first()
    return place.entry if place else None


def may_write_at_table(
    table: Table, tournament: Tournament, request: HttpRequest
) -> bool:
    """Return whether the requester may enter hands, dispute and call at a table."""
    return writing_rule(tournament) == Writing.OPEN or is_trusted_at_table(
        table, tournament, request
    )


def is_trusted_at_table(
    table: Table, tournament: Tournament, request: HttpRequest
) -> bool:
    """Return whether the requester is known to be at a table or may settle it.

    Independent of how many may write there. On such a phone players confirm with a tap each.
    """
    if may_settle(tournament.club, request.user):
        return True
    if own_place(table, tournament, request) is not None:
        return True
    if tournament.is_league:
        return is_member_or_player(tournament.club, request.user)
    if writing_rule(tournament) != Writing.CARD:
        return False
    return _has_scanned_card(table, tournament, request) and (
        find_substituted_entry(request, tournament) is None
    )


def _has_scanned_card(
    table: Table, tournament: Tournament, request: HttpRequest
) -> bool:
    return any(
        is_card_secret(tournament.club, table.number, secret)
        for secret in known_secrets(request)
    )


def claimable_places(
    table: Table, tournament: Tournament, request: HttpRequest
) -> list[Place]:
    """Return the places that this phone can claim: it has no entry and scanned the table's card.

    Places held by another phone are left out. If the phone took a seat at the table, only that
    one.
    """
    is_finished = tournament.phase == Tournament.Phase.FINISHED
    if (
        tournament.is_league
        or is_finished
        or not _has_scanned_card(table, tournament, request)
    ):
        return []
    if (
        _refresh_phone_entries(request, tournament)
        or first_own_entry_id(request, tournament) is not None
    ):
        return []
    match = table.match
    taken_index = find_taken_seat(request, match) if match else None
    held_indexes = seat_indexes_with_phone(table)
    if match is not None:
        seats = match.seats.exclude(holder="")
        held_indexes |= {*seats.values_list("index", flat=True)} - {taken_index}
    return [
        place
        for place in table.places.select_related("entry").order_by("index")
        if place.index not in held_indexes and taken_index in (None, place.index)
    ]


@transaction.atomic
def claim_place(
    request: HttpRequest, table: Table, tournament: Tournament, place_id: str
) -> Entry | None:
    """Make this the phone of a place's entry; return the entry, None if another phone was quicker."""
    Tournament.objects.lock(pk=tournament.pk)
    places = claimable_places(table, tournament, request)
    place = next((place for place in places if str(place.pk) == place_id), None)
    if place is None:
        return None
    attach_phone(request, place.entry)
    return place.entry


def own_place(
    table: Table, tournament: Tournament, request: HttpRequest
) -> Place | None:
    """Return the place of the requesting phone or account at a table; None for none.

    For a family at one table it is the lowest entry number; the others confirm in their turn.
    """
    return next(iter(own_places(table, tournament, request).at_table), None)


class OwnPlaces(NamedTuple):
    """The places of one phone or account at a table."""

    at_table: Sequence[Place] = ()
    """By entry number."""
    is_of_several: bool = False
    """Whether the phone or account belongs to several people, at any tables."""


def own_places(table: Table, tournament: Tournament, request: HttpRequest) -> OwnPlaces:
    """Return the places of the requesting phone or account at a table."""
    own_ids = own_entry_ids(request, tournament)
    if not own_ids:
        return OwnPlaces()
    places = table.places.filter(entry__in=own_ids).select_related("entry")
    return OwnPlaces(list(places.order_by("entry__number")), len(own_ids) > 1)


def is_member_or_player(club: Club, user: object) -> bool:
    """Return whether an account has a role in the club or is one of its players."""
    return club.get_role(user) is not None or bool(
        player_ids_with_confirmed_claim(club, user)
    )


def may_begin_match(tournament: Tournament, request: HttpRequest) -> bool:
    return (
        writing_rule(tournament) == Writing.OPEN
        or first_own_entry_id(request, tournament) is not None
        or is_member_or_player(tournament.club, request.user)
    )


def entry_id_required_in_match(
    tournament: Tournament, request: HttpRequest
) -> int | None:
    """Return the entry that must sit at a match begun by the requester; None if any may.

    Accounts of the club also begin matches for players without a phone at hand.
    """
    if writing_rule(tournament) == Writing.OPEN or is_member_or_player(
        tournament.club, request.user
    ):
        return None
    return first_own_entry_id(request, tournament)


def table_read_only_hint(tournament: Tournament, request: HttpRequest) -> str:
    """Return a hint for requesters that may not write at tables; the caller decides whether they may.

    Empty outside leagues, unless a substitute plays for the requester.
    """
    if substitute_entry := find_substituted_entry(request, tournament):
        reason = _(
            "%(name)s is playing for you now, so this phone can only "
            "watch. You keep your results."
        )
        return reason % {"name": substitute_entry.name}
    if tournament.is_league:
        return _(
            "You’re watching this league. To score a match, use the "
            "phone you registered with, or your player’s account."
        )
    return ""


def director_author(user: User) -> CommandAuthor:
    """Return an account of the team as an author of changes for others, also in closed matches."""
    name = user.public_name[:80]
    return CommandAuthor(name=name, account=user.pk, may_change_closed=True)


def may_settle(club: Club, user: object) -> bool:
    role = club.get_role(user)
    return role is not None and role >= Role.SCORER
