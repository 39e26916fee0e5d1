"""Snapshots: every season's leaderboards as they stood at the end of each day."""

from collections.abc import Collection, Iterator
from datetime import date, datetime

from django.db import transaction
from django.db.models.functions import TruncDate

from tournaments.leaderboard import Asked, compute_leaderboard, end_of, results_for
from tournaments.models import Club, Season, Snapshot

Rows = list[list[int | None]]


@transaction.atomic
def take_snapshots(
    *, club_id: int, now: datetime, seasons: Collection[int] | None = None
) -> int:
    """Return how many leaderboards were kept, of every day that brought something new.

    Days that were missed are caught up; a day that is over and kept is not looked at
    again. All seasons are looked at where none are named.
    """
    club = Club.objects.get(pk=club_id)
    wanted = club.seasons.all()
    taken = 0
    for season in wanted if seasons is None else wanted.filter(pk__in=seasons):
        season.club = club
        for day in sorted(_days_to_take(season, now)):
            taken += _take(season, day, now)
    return taken


def _days_to_take(season: Season, now: datetime) -> set[date]:
    kept = dict(season.snapshots.filter(game="").values_list("day", "made_at"))
    final = {day for day, made_at in kept.items() if made_at > end_of(day)}
    return set(_days_with_news(season)) - final


def _days_with_news(season: Season) -> Iterator[date]:
    """Return the days on which something became known of a season."""
    results = season.club.results.filter(
        held_on__gte=season.starts_on, held_on__lte=season.ends_on
    )
    for moment in ("known_from", "known_until"):
        known = results.exclude(**{moment: None})
        days = known.annotate(day=TruncDate(moment)).values_list("day", flat=True)
        yield from days.order_by().distinct()


def _take(season: Season, day: date, now: datetime) -> int:
    games = games_of(season, day)
    for game in games:
        Snapshot.objects.update_or_create(
            season=season,
            game=game,
            day=day,
            defaults={"made_at": now, "rows": rows_of(season, game, day)},
        )
    return len(games)


def games_of(season: Season, day: date) -> list[str]:
    """Return what a season had played by a day, before it none for all games."""
    results = results_for(Asked(club=season.club, season=season, as_of=day))
    played = results.order_by().values_list("game", flat=True).distinct()
    return ["", *sorted(filter(None, played))]


def rows_of(season: Season, game: str, day: date) -> Rows:
    """Return the lines of a snapshot as they follow from the results."""
    asked = Asked(club=season.club, season=season, game=game, as_of=day)
    return [
        [line.player, line.rank, line.hundredths, line.attended]
        for line in compute_leaderboard(asked, today=day)
    ]


def snapshot_differences(season: Season) -> list[str]:
    """Return how the snapshots of a season differ from what follows from the results."""
    return [
        f"snapshot of {season.slug}, {kept.game or 'all games'}, {kept.day}"
        for kept in season.snapshots.order_by("day", "game")
        if kept.rows != rows_of(season, kept.game, kept.day)
    ]


def drop_snapshots(*, club: Club, since: date) -> None:
    """Let the snapshots since a day be taken anew."""
    Snapshot.objects.filter(season__club=club, day__gte=since).delete()
