"""Create, change, close and remove seasons."""

from datetime import date, datetime, timedelta

from django.db import transaction
from django.utils.formats import date_format
from django.utils.translation import gettext as _

from tournaments.changes import RefusedError, signal_history_outdated
from tournaments.history.leaderboard import (
    BoardQuery,
    compute_leaderboard,
    select_results,
)
from tournaments.models import Club, FinalRow, Revision, Season, Tournament
from tournaments.models.seasons import half_year_days, half_year_name
from tournaments.models.tournaments import starts_in_range

DAY = timedelta(days=1)

COUNTING = (
    *("starts_on", "ends_on", "counts"),
    *("best_of", "least_attendance", "lasts_days"),
)
"""The fields of a season that affect its leaderboard."""
ON_CERTIFICATES = 3
"""The number of players of a closed season with a certificate."""


def ensure_season(club: Club, day: date) -> Season:
    """Return the season that contains a day; create a half year if there is none.

    The half year, from January to June or from July to December, does not overlap existing
    seasons: it begins after the previous one and ends before the next.
    """
    existing = club.seasons.covering(day).first()
    if existing is not None:
        return existing
    slug = f"{day.year}-{'spring' if day.month <= 6 else 'autumn'}"
    days = half_year_days(slug)
    assert days is not None
    starts_on, ends_on = days
    previous = club.seasons.filter(ends_on__lt=day).order_by("-ends_on").first()
    following = club.seasons.filter(starts_on__gt=day).order_by("starts_on").first()
    return Season.objects.create(
        club=club,
        name=half_year_name(slug),
        slug=free_season_slug(club, slug),
        starts_on=max(starts_on, previous.ends_on + DAY if previous else date.min),
        ends_on=min(ends_on, following.starts_on - DAY if following else date.max),
    )


def free_season_slug(club: Club, base: str) -> str:
    """Return a slug that no season of the club has: the wanted one, with a number if needed."""
    used_slugs = set(club.seasons.values_list("slug", flat=True))
    slug, number = base, 1
    while slug in used_slugs:
        number += 1
        slug = f"{base}-{number}"
    return slug


@transaction.atomic
def save_season(*, season: Season, now: datetime) -> Season:
    """Save the season and return it.

    Automatic half-years give way: they keep only the days that the season leaves them. Raises RefusedError
    if it overlaps any other season, or if it is closed and a field in `COUNTING` changed. If the season now
    softens ratings differently, they are computed again from its start on.
    """
    club = Club.objects.select_for_update(no_key=True).get(pk=season.club_id)
    other_seasons = club.seasons.exclude(pk=season.pk)
    overlapping_seasons = other_seasons.filter(
        starts_on__lte=season.ends_on, ends_on__gte=season.starts_on
    )
    automatic_seasons = []
    for overlapping in overlapping_seasons:
        if overlapping.is_automatic:
            automatic_seasons.append(overlapping)
            continue
        raise RefusedError(
            "starts_on",
            _(
                "“%(name)s” already covers %(first)s to %(last)s. Choose other dates, "
                "or change or remove that season."
            )
            % {
                "name": overlapping.shown_name,
                "first": date_format(overlapping.starts_on, "DATE_FORMAT"),
                "last": date_format(overlapping.ends_on, "DATE_FORMAT"),
            },
        )
    stored = club.seasons.filter(pk=season.pk).first()
    if stored is not None and stored.closed_at is not None:
        for field in COUNTING:
            if getattr(stored, field) != getattr(season, field):
                message = _("“%(name)s” is closed. Reopen it first.")
                raise RefusedError(field, message % {"name": stored.shown_name})
    freed_days: set[date] = set()
    for automatic in automatic_seasons:
        freed_days |= _days_with_results(automatic)
        automatic.delete()
    season.save()
    for day in sorted(freed_days):
        ensure_season(club, day)
    if _reset_day_and_keep_percent(stored) != _reset_day_and_keep_percent(season):
        days = [
            version.starts_on for version in (stored, season) if version is not None
        ]
        _request_new_ratings(club, min(days), season, now)
    return season


def _reset_day_and_keep_percent(season: Season | None) -> tuple[date, int] | None:
    """Return the first day of a season and the percentage of ratings it keeps.

    None if it keeps them all.
    """
    if season is None or season.keep_percent == 100:
        return None
    return season.starts_on, season.keep_percent


def _request_new_ratings(
    club: Club, since: date, season: Season, now: datetime
) -> None:
    later_results = (
        club.results.current().filter(held_on__gte=since).values("tournament")
    )
    tournaments = Tournament.objects.filter(pk__in=later_results)
    if tournaments.update(counted_version=0):
        Revision.objects.create(
            club=club,
            kind=Revision.Kind.RATINGS,
            made_at=now,
            details={"season": season.name, "keep": season.keep_percent},
        )
        signal_history_outdated(club.pk)


@transaction.atomic
def close_season(*, season_id: int, now: datetime) -> Season:
    """Close the season, store its current leaderboards, and return it.

    Closing it again changes nothing. Archived tournaments that were never finished are left out.
    Raises RefusedError while another of its tournaments is running or not counted yet, or has a
    result that is disputed or confirmed by too few players.
    """
    season = Season.objects.select_for_update().select_related("club").get(pk=season_id)
    if season.closed_at is not None:
        return season
    club = season.club
    tournaments = club.tournaments.filter(
        starts_in_range(season.starts_on, season.ends_on, club.zone)
    ).exclude(pk__in=club.tournaments.all().archived_unfinished().values("pk"))
    running = tournaments.filter(phase=Tournament.Phase.RUNNING)
    unfinished = running.first() or tournaments.with_outdated_history().first()
    if unfinished is not None:
        raise RefusedError(
            "season",
            _("“%(name)s” isn’t finished yet. Finish or archive it first.")
            % {"name": unfinished.name},
        )
    unconfirmed = tournaments.filter(
        standings__frozen_as="", standings__rows__unconfirmed__gt=0
    ).first()
    if unconfirmed is not None:
        message = _(
            "“%(name)s” has open results. Confirm or settle them on the "
            "tournament’s desk."
        )
        raise RefusedError("season", message % {"name": unconfirmed.name})
    season.final_rows.all().delete()
    results = select_results(
        BoardQuery(club=club, season=season, as_of=club.local_day(now))
    )
    games = results.order_by().values_list("game", flat=True).distinct()
    for game in ["", *sorted(filter(None, games))]:
        query = BoardQuery(club=club, season=season, game=game)
        lines = compute_leaderboard(query, season.ends_on)
        FinalRow.objects.bulk_create(
            FinalRow(
                season=season,
                game=game,
                place=place,
                rank=line.rank,
                player_id=line.player,
                points=str(line.points),
                attended=line.attended,
            )
            for place, line in enumerate(lines, start=1)
            if line.rank is not None
        )
    season.closed_at = now
    season.save(update_fields=["closed_at"])
    return season


@transaction.atomic
def reopen_season(*, season_id: int) -> Season:
    """Reopen the season and return it; its final rows stay until it is closed again."""
    season = Season.objects.select_for_update().get(pk=season_id)
    season.closed_at = None
    season.save(update_fields=["closed_at"])
    return season


@transaction.atomic
def remove_season(*, season_id: int, now: datetime) -> None:
    """Remove a season that was set up by mistake; its tournaments stay.

    They count for half years from then on. Raises RefusedError if the season is closed, because its champions
    are in the hall of fame, or if it is a half-year with results, which would come back at once.
    """
    season = Season.objects.select_for_update().select_related("club").get(pk=season_id)
    if season.closed_at is not None:
        raise RefusedError(
            "season",
            _("“%(name)s” is closed. Reopen it first.") % {"name": season.shown_name},
        )
    club, days = season.club, _days_with_results(season)
    if season.is_automatic and days:
        message = _(
            "“%(name)s” is the half-year of its tournaments. Add a season with the dates that "
            "you want, and it replaces this one."
        )
        raise RefusedError("season", message % {"name": season.shown_name})
    if _reset_day_and_keep_percent(season) is not None:
        _request_new_ratings(club, season.starts_on, season, now)
    season.delete()
    for day in sorted(days):
        ensure_season(club, day)


def _days_with_results(season: Season) -> set[date]:
    results = season.club.results.current().filter(
        held_on__gte=season.starts_on, held_on__lte=season.ends_on
    )
    return set(results.values_list("held_on", flat=True))
