"""Tables of a round: their games, their matches (in a league begun by members), and undecided hands."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from uuid import UUID

from django.db import transaction
from django.db.models import Count
from django.utils.translation import gettext as _

from scoring.games.registry import table_game
from scoring.locales.sentences import translate
from scoring.matchlog.append import replay_match
from scoring.matchlog.settling import lock_matches
from scoring.matchlog.starting import start_match
from scoring.models import LogEntry, Match
from scoring.rules import GAMES, Refusal, start
from scoring.versions import match_topic
from scoring.versions.cache import VersionedCache
from tournaments.changes import RefusedError, mark_changed
from tournaments.event.draw import draw
from tournaments.event.rights import make_match_secret
from tournaments.models import (
    Entry,
    NightEvent,
    Place,
    Round,
    Table,
    Tournament,
    User,
)

UNDECIDED = VersionedCache[str, int](lambda address: [match_topic(address)])
"""By match address, the number of its first hand with two versions; 0 for none."""
MOST_LISTED = 3
"""Most tables that are named when they stopped early; more are only counted."""


def lock_round_and_matches(round_id: int) -> Round:
    """Lock a round and its tournament, after its matches, until the transaction ends; return it."""
    lock_matches(Table.objects.filter(round=round_id).matches())
    tournament = Tournament.objects.lock(rounds=round_id)
    round_ = Round.objects.select_for_update().get(pk=round_id)
    round_.tournament = tournament
    return round_


def start_table(table: Table, tournament: Tournament, now: datetime) -> None:
    """Begin the table's match, unless the table still has to choose its game.

    A match without entries begins again if its players or its game have changed. The caller has
    locked the table, so a second call does not start a second match.
    """
    if tournament.game_choice == Tournament.GameChoice.TABLE and not table.game:
        return
    places = sorted(table.places.all(), key=lambda place: place.index)
    game = game_of_table(table, tournament)
    old_match = table.match
    if old_match is not None:
        seats = list(old_match.seats.order_by("index").values_list("player", "name"))
        drawn_seats = [(place.entry.player_id, place.entry.name) for place in places]
        is_same = old_match.game == game and seats == drawn_seats
        if is_same or has_logged_or_unsent_entries(old_match):
            return
        table.match = None
        table.save(update_fields=["match"])
        old_match.delete()
    table.match = start_match(
        game=game,
        options=tournament.options if game == tournament.game else {},
        names=[place.entry.name for place in places],
        players={place.entry.name: place.entry.player for place in places},
        now=now,
        secret=make_match_secret(tournament, table.number),
    )
    table.save(update_fields=["match"])


def has_logged_or_unsent_entries(match: Match) -> bool:
    """Return whether a match has entries, here or waiting on a phone."""
    return bool(match.version or match.unsent_entry_count)


def has_begun(match: Match) -> bool:
    """Return whether a match has entries other than changes of seats, here or waiting on a phone."""
    if match.hands_played or match.unsent_entry_count:
        return True
    hand_entries = match.log.exclude(kind=LogEntry.Kind.RESEAT)
    return match.version > 0 and hand_entries.exists()


def open_pads(round_: Round, now: datetime) -> None:
    """Begin the matches of a round with published seats.

    The caller has locked the existing matches.
    """
    tables = round_.tables.filter(void=False).select_related("match")
    for table in tables.prefetch_related("places__entry__player"):
        table.round = round_
        start_table(table, round_.tournament, now)


def game_of_table(table: Table, tournament: Tournament) -> str:
    """Return the game of a table: its own choice, the round's, or the tournament's."""
    round_ = table.round
    return table.game or round_.game or tournament.default_round_game(round_.number)


def list_playable_games(table: Table, tournament: Tournament) -> list[str]:
    seats = len(table.places.all())
    offered = tournament.games or list(GAMES)
    return [game for game in offered if seats in GAMES[game].seats]


def same_player_error(field: str) -> RefusedError:
    """Return the refusal of seats of which two have the same player."""
    message = _(
        "The same player is chosen for two seats. Choose someone else for one of them."
    )
    return RefusedError(field, message)


@transaction.atomic
def choose_game_and_start_match(*, table_id: int, game: str, now: datetime) -> Table:
    """Start the table's match with the game that it has chosen, and return the table.

    Another game can be chosen until the first hand is in. Raises RefusedError then, if another
    phone chooses at the same time, and for a game that is not offered to so many players.
    """
    old_match = Table.objects.filter(pk=table_id).matches().first()
    lock_matches(Table.objects.filter(pk=table_id).matches())
    tournament = Tournament.objects.lock(rounds__tables=table_id)
    table = Table.objects.select_for_update(of=["self"]).get(pk=table_id)
    if tournament.game_choice != Tournament.GameChoice.TABLE:
        raise RefusedError(
            "game", _("In this tournament, the director chooses the game.")
        )
    if table.match is not None and table.game == game:
        return table
    if table.round.state != Round.State.RUNNING:
        raise RefusedError(
            "game", _("You can choose a game once the round has started.")
        )
    if table.match is not None and table.match.version:
        raise RefusedError(
            "game", _("A hand has been entered, so you can’t change the game.")
        )
    if table.match != old_match:
        # It is not locked: a hand may be entered there right now.
        raise RefusedError(
            "game",
            _(
                "Another phone just chose a game for this table. Check which one, then "
                "try again."
            ),
        )
    if game not in list_playable_games(table, tournament):
        raise RefusedError(
            "game",
            _("Your table is too big or too small for this game. Choose another."),
        )
    table.match = None
    table.game = game
    table.save(update_fields=["game", "match"])
    if old_match is not None:
        old_match.delete()
    start_table(table, tournament, now)
    return table


@transaction.atomic
def set_game_and_redraw_if_needed(
    *, round_id: int, game: str, user: User | None = None
) -> None:
    """Set the game of a round that has not begun; draw it again if its tables do not fit.

    Raises RefusedError once the round has begun, and if its seating is published and its tables
    are too small or too large.
    """
    round_ = lock_round_and_matches(round_id)
    if round_.state not in (Round.State.DRAWN, Round.State.PUBLISHED):
        raise RefusedError(
            "game", _("This round has started, so you can’t change its game.")
        )
    if any(map(has_logged_or_unsent_entries, round_.tables.matches())):
        raise RefusedError(
            "game", _("A hand has been entered, so you can’t change the game.")
        )
    sizes = set(
        round_.tables.annotate(size=Count("places")).values_list("size", flat=True)
    )
    fits = sizes <= set(GAMES[game].seats)
    if not fits and round_.state == Round.State.PUBLISHED:
        raise RefusedError(
            "game",
            _("%(game)s can’t be played at tables of this size. Undo the draw first.")
            % {"game": table_game(game).name},
        )
    if round_.game != game:
        NightEvent.objects.record_rounds(
            NightEvent.Kind.GAME_CHANGED,
            [round_],
            by=user,
            reason=game,
        )
    round_.game = game
    round_.save(update_fields=["game"])
    if not fits:
        draw(tournament_id=round_.tournament_id, seed=round_.seed, user=user)
    elif open_match := round_.tables.matches().first():
        open_pads(round_, open_match.started_at)


def first_undecided_hand_by_table(tables: Iterable[Table]) -> Mapping[int, int]:
    """Return the first hand with two versions by table; tables without one are left out.

    A log is replayed only if it has a conflict, and then only once until it changes.
    """
    table_by_address = {
        table.match.address: table.pk
        for table in tables
        if table.match is not None and not (table.match.finished or table.void)
    }

    def read_first_undecided(addresses: Sequence[str]) -> dict[str, int]:
        conflicts = LogEntry.objects.filter(
            kind=LogEntry.Kind.CONFLICT, match__address__in=addresses
        )
        numbers = dict.fromkeys(addresses, 0)
        for match in Match.objects.filter(pk__in=conflicts.values("match")):
            for hand in replay_match(match).conflicting_hands[:1]:
                numbers[match.address] = hand.number
        return numbers

    if not table_by_address:
        return {}
    numbers = UNDECIDED.get_or_load_many(list(table_by_address), read_first_undecided)
    return {
        table_by_address[address]: number
        for address, number in numbers.items()
        if number
    }


def early_stop_phrases(tables: Sequence[Table]) -> list[str]:
    """Return a phrase with the last hand of each stopped table, or their number if there are many."""
    if len(tables) > MOST_LISTED:
        return [_("%(n)s tables stopped early") % {"n": len(tables)}]
    sentences = []
    for table in tables:
        match = table.match
        assert match is not None
        seats = len(match.seats.all())
        options = {**GAMES[match.game].option_defaults(seats), **match.options}
        hands = table_game(match.game).fixed_hand_count(seats, options)
        sentence = _("table %(table)s stopped after hand %(hand)s")
        if not match.hands_played:
            sentence = _("table %(table)s stopped before its first hand")
        elif hands is not None:
            sentence = _("table %(table)s stopped after hand %(hand)s of %(hands)s")
        values = {"table": table.number, "hand": match.hands_played, "hands": hands}
        sentences.append(sentence % values)
    return sentences


@transaction.atomic
def begin_league_match(
    *,
    tournament_id: int,
    key: UUID,
    entry_ids: Sequence[int],
    game: str,
    now: datetime,
    required_entry_id: int | None = None,
) -> Table:
    """Begin a match between members, seated in this order, and return its table.

    The same key gives the same table again. Raises RefusedError if the tournament is not an
    open league, for an entry that is not in it or is seated twice, for a game that is not
    offered or not played by so many, and if the entry `required_entry_id` is not among the players.
    """
    tournament = Tournament.objects.select_for_update().get(pk=tournament_id)
    existing_table = Table.objects.filter(
        match__key=key, round__tournament=tournament
    ).first()
    if existing_table is not None:
        return existing_table
    if not tournament.is_league:
        raise RefusedError(
            "players", _("In this tournament, the director draws who plays whom.")
        )
    round_, created = Round.objects.get_or_create(
        tournament=tournament,
        number=1,
        defaults={"state": Round.State.RUNNING, "seed": tournament.seed},
    )
    if round_.state == Round.State.CLOSED:
        raise RefusedError(
            "players",
            _("The league is over. Ask the director if you still want to play."),
        )
    if created:
        tournament.phase = Tournament.Phase.RUNNING
        tournament.save(update_fields=["phase"])
    entries_by_id = tournament.entries.select_related("player").in_bulk(entry_ids)
    if len(entries_by_id) < len(set(entry_ids)):
        raise RefusedError("players", _("Choose from the members of this league."))
    if len(entries_by_id) < len(entry_ids):
        raise same_player_error("players")
    members = [entries_by_id[entry_id] for entry_id in entry_ids]
    if required_entry_id is not None and required_entry_id not in entry_ids:
        raise RefusedError(
            "players",
            _("Take a seat yourself. You can only start matches you play in."),
        )
    if game not in list_choosable_league_games(tournament):
        raise RefusedError(
            "game", _("This league doesn’t play that game. Choose another.")
        )
    try:
        start(game, len(members))
    except Refusal as refusal:
        (fault,) = refusal.faults
        message = translate(fault.message)
        raise RefusedError("players", message) from refusal
    number = round_.tables.count() + 1
    match = start_match(
        key=key,
        game=game,
        options=tournament.options if game == tournament.game else {},
        names=[member.name for member in members],
        players={member.name: member.player for member in members},
        now=now,
        secret=make_match_secret(tournament, number),
    )
    table = Table.objects.create(round=round_, number=number, game=game, match=match)
    Place.objects.bulk_create(
        Place(round=round_, table=table, index=index, entry=member, again=True)
        for index, member in enumerate(members)
    )
    # A league has no check-in, and its final is only for players that are present.
    expected = tournament.entries.filter(state=Entry.State.EXPECTED)
    expected.filter(pk__in=entry_ids).update(state=Entry.State.PRESENT)
    mark_changed(tournament.pk)
    return table


def find_unfinished_league_table(
    tournament: Tournament, entry_ids: Sequence[int], game: str
) -> Table | None:
    """Return the latest table with an unfinished match of this game between exactly these members."""
    tables = Table.objects.filter(
        round__tournament=tournament, game=game, void=False, match__finished=False
    ).select_related("match", "round")
    members = set(entry_ids)
    return next(
        (
            table
            for table in tables.prefetch_related("places").order_by("-number")
            if {place.entry_id for place in table.places.all()} == members
        ),
        None,
    )


def list_choosable_league_games(tournament: Tournament) -> list[str]:
    if tournament.game_choice == Tournament.GameChoice.TOURNAMENT:
        return [tournament.game]
    return tournament.games or list(GAMES)
