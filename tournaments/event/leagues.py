"""Leagues: matches that members begin at any time, in one long round."""

from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

from django.db import transaction
from django.utils.translation import gettext as _

from scoring.locales.sentences import translate
from scoring.matchlog.starting import start_match
from scoring.rules import GAMES, Refusal, start
from tournaments.changes import RefusedError, mark_changed
from tournaments.event.rights import make_match_secret
from tournaments.event.tables import same_player_error
from tournaments.models import Entry, Place, Round, Table, Tournament


@transaction.atomic
def begin_match(
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
    if game not in list_league_games(tournament):
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


def find_open_table(
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


def list_league_games(tournament: Tournament) -> list[str]:
    if tournament.game_choice == Tournament.GameChoice.TOURNAMENT:
        return [tournament.game]
    return tournament.games or list(GAMES)
