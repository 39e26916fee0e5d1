"""Who may write at a table: whoever was there to scan its card, sits there, or directs.

The public pages of a tournament are for reading. A card shows a secret that follows from the
site's secret key, the club, the table's number, and how often the club has renewed its cards.
"""

from django.conf import settings
from django.db import transaction
from django.db.models import Max
from django.http import HttpRequest
from django.utils.crypto import constant_time_compare, salted_hmac

from scoring.models import Match
from scoring.models.matches import SECRET_LENGTH, new_address
from tournaments.models import Club, Entry, Role, Round, Table, Tournament
from tournaments.people.profiles import own_players

SALT = "tournaments.card"

Writing = Tournament.Writing


def card_secret(club: Club, number: int, *, key: str | bytes | None = None) -> str:
    """Return what the card of a club's table shows to whoever scans it."""
    signed = f"{club.pk} {club.cards_renewed} {number}"
    made = salted_hmac(SALT, signed, secret=key, algorithm="sha256")
    return made.hexdigest()[:SECRET_LENGTH]


def is_card(club: Club, number: int, secret: str) -> bool:
    """Tell whether a secret stands on the card that a club's table has now."""
    keys = [settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS]
    return any(
        constant_time_compare(secret, card_secret(club, number, key=key))
        for key in keys
    )


def secret_at(tournament: Tournament, number: int) -> str:
    """Return the secret of a match that begins at a table; empty where anybody may write."""
    match Writing(tournament.writing):
        case Writing.OPEN:
            return ""
        case Writing.CARD:
            return card_secret(tournament.club, number)
        case Writing.OWN_PHONES:
            # Which nobody is ever shown.
            return new_address()


@transaction.atomic
def renew_cards(*, club_id: int) -> Club:
    """Return the club, whose cards of before open no table any more.

    The phones that scanned them write no longer at the tables that are played now either.
    """
    club = Club.objects.select_for_update().get(pk=club_id)
    club.cards_renewed += 1
    club.save(update_fields=["cards_renewed"])
    by_card = Tournament.objects.filter(club=club, writing=Writing.CARD)
    for tournament in by_card.select_related("club"):
        renew_secrets(tournament)
    return club


def renew_secrets(tournament: Tournament) -> None:
    """Let the matches that are not closed be written as the tournament says now."""
    if tournament.is_league:
        # Without tables that have cards: whoever has the link of a match writes there.
        return
    for table in Table.objects.filter(
        round__tournament=tournament, match__closed=False
    ):
        secret = secret_at(tournament, table.number)
        Match.objects.filter(table=table).update(secret=secret)


def table_on(club: Club, number: int) -> Table | None:
    """Return the table of this number where something is played now, or will be next."""
    tables = Table.objects.filter(
        round__tournament__club=club,
        round__tournament__phase=Tournament.Phase.RUNNING,
        round__state__in=(Round.State.RUNNING, Round.State.PUBLISHED),
        number=number,
    ).exclude(round__tournament__format=Tournament.Format.LEAGUE)
    latest = tables.select_related("round__tournament", "match").order_by("-pk")
    running = [table for table in latest if table.round.state == Round.State.RUNNING]
    return next(iter([*running, *latest]), None)


def most_tables(club: Club) -> int:
    """Return how many tables the largest of a club's rounds had; 0 for none yet."""
    rounds = Table.objects.filter(round__tournament__club=club).exclude(
        round__tournament__format__in=(
            Tournament.Format.LEAGUE,
            Tournament.Format.PAST,
        )
    )
    most: int | None = rounds.aggregate(most=Max("number"))["most"]
    return most or 0


def own_entries(request: HttpRequest, tournament: Tournament) -> list[int]:
    """Return the entries that this phone made, then those that are the account's own.

    One phone may hold several people of a family.
    """
    joined = entries_on_phone(request, tournament)
    if not request.user.is_authenticated:
        return joined
    own = own_players(tournament.club, request.user)
    mine = tournament.entries.filter(player__in=own) if own else Entry.objects.none()
    claimed = mine.by_number().values_list("pk", flat=True)
    return [*joined, *(pk for pk in claimed if pk not in joined)]


def own_entry(request: HttpRequest, tournament: Tournament) -> int | None:
    """Return the first of the entries that are this phone's or the account's own."""
    return next(iter(own_entries(request, tournament)), None)


def entries_on_phone(request: HttpRequest, tournament: Tournament) -> list[int]:
    """Return the entries that this phone made, in that order."""
    joined = request.session.get("joined", {}).get(tournament.address, [])
    # A session of an earlier release holds one alone.
    return [joined] if isinstance(joined, int) else list(joined)


def keep_on_phone(
    request: HttpRequest, tournament: Tournament, entries: list[int]
) -> None:
    """Let the phone hold these entries of a tournament from now on, and no others."""
    joined = dict(request.session.get("joined", {}))
    joined.pop(tournament.address, None)
    if entries:
        joined[tournament.address] = entries
    request.session["joined"] = joined


def may_write_at(table: Table, tournament: Tournament, request: HttpRequest) -> bool:
    """Tell whether who asks may enter, confirm and call at a table of a tournament."""
    if tournament.writing == Writing.OPEN or may_settle(tournament.club, request.user):
        return True
    if tournament.writing == Writing.CARD:
        known: list[str] = request.session.get("secrets", [])
        if any(is_card(tournament.club, table.number, secret) for secret in known):
            return True
    own = own_entries(request, tournament)
    return bool(own) and table.places.filter(entry__in=own).exists()


def may_settle(club: Club, user: object) -> bool:
    """Tell whether somebody may settle the tables of a club."""
    role = club.role_of(user)
    return role is not None and role >= Role.SCORER
