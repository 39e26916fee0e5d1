"""The order of the seeds of round 1: by rating or by hand, all others by lot."""

from collections.abc import Collection, Mapping
from typing import Any, NamedTuple

from django.db import transaction
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from tournaments.changes import RefusedError, mark_changed
from tournaments.models import Entry, Result, Tournament
from tournaments.people.identities import direct_merge_targets, root_player
from tournaments.ratings import Rating
from tournaments.seating import order_seeds


class SeedingOrder(NamedTuple):
    """Entries in the order of their seeds."""

    entry_ids: list[int]
    """The best first; at the end, by lot, those without a rating or a number."""
    unranked_count: int


def read_club_ratings(
    tournament: Tournament, entries: Collection[Entry]
) -> dict[int, Rating]:
    """Return by entry the rating after the player's last tournament; none for unrated players."""
    merged_into = direct_merge_targets(tournament.club)
    players = {entry.pk: root_player(entry.player_id, merged_into) for entry in entries}
    results = Result.objects.current().filter(
        club=tournament.club_id, rated__gt=0, player__in=set(players.values())
    )
    latest = results.latest_by("player").values_list("player", "mu", "sigma", "rated")
    ratings = {player: Rating(mu, sigma, rated) for player, mu, sigma, rated in latest}
    return {pk: ratings[player] for pk, player in players.items() if player in ratings}


def read_seeding_order(
    tournament: Tournament, entries: Collection[Entry], *, seed: int
) -> SeedingOrder:
    """Return the entries in the order of the tournament's seeding; `seed` draws the lots."""
    keys: Mapping[int, Any] = {}
    if tournament.seeding == Tournament.Seeding.RATING:
        ratings = read_club_ratings(tournament, entries)
        keys = {pk: rating.ranking_key for pk, rating in ratings.items()}
    elif tournament.seeding == Tournament.Seeding.HAND:
        keys = {
            entry.pk: entry.seed_rank
            for entry in entries
            if entry.seed_rank is not None
        }
    order = order_seeds([entry.pk for entry in entries], keys, seed=seed)
    return SeedingOrder(order, len(order) - len(keys))


def seeding_label(tournament: Tournament) -> str:
    """Return how round 1 of a tournament is seeded, in a few words."""
    label = tournament.get_seeding_display()
    if tournament.seeding == Tournament.Seeding.LOT:
        return label
    return f"{label}, {tournament.get_seed_pattern_display()}"


def is_first_round_fixed(tournament: Tournament) -> bool:
    """Return whether the seeds decide the tables of round 1, whatever lots are drawn.

    Only byes, unranked players and equal ranks are still drawn by lot.
    """
    return (
        tournament.is_first_round_seedable
        and tournament.seeding != Tournament.Seeding.LOT
        and tournament.seed_pattern != Tournament.SeedPattern.POTS
    )


def describe_seeding(*, by: str, pattern: str, unranked: int) -> str:
    """Return how a round was seeded, as sentences."""
    if by == Tournament.Seeding.RATING:
        text = _("Seeded by club rating, %(pattern)s.")
        rest = ngettext(
            "%(n)s player without a rating was ordered by lot.",
            "%(n)s players without a rating were ordered by lot.",
            unranked,
        )
    else:
        text = _("Seeded by hand, %(pattern)s.")
        rest = ngettext(
            "%(n)s player without a number was ordered by lot.",
            "%(n)s players without a number were ordered by lot.",
            unranked,
        )
    sentence = text % {"pattern": Tournament.SeedPattern(pattern).label}
    return f"{sentence} {rest % {'n': unranked}}" if unranked else sentence


@transaction.atomic
def save_seeding(
    *,
    tournament_id: int,
    seeding: str,
    pattern: str,
    ranks: Mapping[int, int | None],
) -> Tournament:
    """Store how round 1 is seeded, and by entry the director's own ranks; return the tournament.

    Raises RefusedError for a format without a draw of round 1.
    """
    tournament = Tournament.objects.lock(pk=tournament_id)
    if not tournament.is_first_round_seedable:
        raise RefusedError("seeding", _("In this format, round 1 can’t be seeded."))
    tournament.seeding, tournament.seed_pattern = seeding, pattern
    tournament.save(update_fields=["seeding", "seed_pattern"])
    entries = list(tournament.entries.filter(pk__in=ranks))
    for entry in entries:
        entry.seed_rank = ranks[entry.pk]
    Entry.objects.bulk_update(entries, ["seed_rank"])
    mark_changed(tournament.pk)
    return tournament
