"""Leagues: matches that members begin whenever they meet, in one long round."""

from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

from django.db import transaction
from django.utils.translation import gettext as _

from scoring.locales.sentences import translate
from scoring.matchlog.starting import start_match
from scoring.rules import GAMES, Refusal, start
from tournaments.changes import RefusedError, changed
from tournaments.event.rights import secret_at
from tournaments.models import Entry, Place, Round, Table, Tournament


@transaction.atomic
def begin_match(
    *,
    tournament_id: int,
    key: UUID,
    entry_ids: Sequence[int],
    game: str,
    now: datetime,
    only_with: int | None = None,
) -> Table:
    """Return the table of a new match between members, who sit in this order.

    The same key gives the same table again. Raises RefusedError outside a league that
    is open, for somebody who does not play in it or sits twice, for a game that is
    not played by so many, and where the entry `only_with` does not sit there.
    """
    tournament = Tournament.objects.select_for_update().get(pk=tournament_id)
    begun = Table.objects.filter(match__key=key, round__tournament=tournament).first()
    if begun is not None:
        return begun
    if not tournament.is_league:
        raise RefusedError("players", _("Here the director draws who plays whom."))
    round_, created = Round.objects.get_or_create(
        tournament=tournament,
        number=1,
        defaults={"state": Round.State.RUNNING, "seed": tournament.seed},
    )
    if round_.state == Round.State.CLOSED:
        raise RefusedError("players", _("The league is over; ask its director."))
    if created:
        tournament.phase = Tournament.Phase.RUNNING
        tournament.save(update_fields=["phase"])
    known = tournament.entries.select_related("player").in_bulk(entry_ids)
    if len(known) < len(set(entry_ids)):
        raise RefusedError("players", _("Choose from the members of this league."))
    if len(known) < len(entry_ids):
        raise RefusedError("players", _("Somebody is chosen for two seats."))
    members = [known[entry_id] for entry_id in entry_ids]
    if only_with is not None and only_with not in entry_ids:
        raise RefusedError(
            "players", _("Take a seat yourself: the others begin their own matches.")
        )
    if game not in list_league_games(tournament):
        raise RefusedError("game", _("This league does not play that game."))
    try:
        start(game, len(members))
    except Refusal as refusal:
        (fault,) = refusal.faults
        words = translate(fault.message)
        raise RefusedError("players", words) from refusal
    number = round_.tables.count() + 1
    match = start_match(
        key=key,
        game=game,
        options=tournament.options if game == tournament.game else {},
        names=[member.name for member in members],
        players={member.name: member.player for member in members},
        now=now,
        secret=secret_at(tournament, number),
    )
    table = Table.objects.create(round=round_, number=number, game=game, match=match)
    Place.objects.bulk_create(
        Place(round=round_, table=table, index=index, entry=member, again=True)
        for index, member in enumerate(members)
    )
    # No league has an hour at which its members check in, and only who is here is in its final.
    expected = tournament.entries.filter(state=Entry.State.EXPECTED)
    expected.filter(pk__in=entry_ids).update(state=Entry.State.PRESENT)
    changed(tournament.pk)
    return table


def find_open_table(
    tournament: Tournament, entry_ids: Sequence[int], game: str
) -> Table | None:
    """Return the table where just these members play a match of a game that is not finished."""
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
