"""The ranks of a season over time, each day with the results known then."""

from collections.abc import Mapping
from datetime import date, timedelta

from django.core.cache import caches
from django.db.models import Min
from django.db.models.functions import TruncDate

from tournaments.exact import to_common_denominator
from tournaments.history.leaderboard import (
    CACHE_SECONDS,
    BoardQuery,
    all_result_versions,
    cache_key,
    highest_values,
    last_moment_of_day,
)

MOST_DAYS = 40
"""The most days that a chart can show."""
Ranks = dict[int, int]
"""By player."""


def rank_history(query: BoardQuery) -> list[tuple[date, Ranks]]:
    """Return the ranks by season points on the days on which results changed.

    At most `MOST_DAYS` days of the season, evenly spread, up to the day of the query.
    Corrections after the end of the season, such as merges, are shown on its last day. Three
    queries, or four if results changed after the end; cached until the club's history changes.
    """
    season_query = query.as_of_day(None)
    key = cache_key("season-ranks", season_query)
    cached: tuple[list[tuple[date, Ranks]], set[date]] | None = caches["drawn"].get(key)
    if cached is None:
        course = compute_rank_history(season_query)
        # Days after the end of the season on which no tournament was counted first.
        ends_on = season_query.season.ends_on if season_query.season else date.max
        late_days = {day for day, _ranks in course if day > ends_on}
        if late_days:
            by_tournament = (
                all_result_versions(season_query).order_by().values("tournament")
            )
            first = by_tournament.annotate(first=Min("known_from"))
            zone = season_query.club.zone
            late_days -= {row["first"].astimezone(zone).date() for row in first}
        cached = course, late_days
        caches["drawn"].set(key, cached, CACHE_SECONDS)
    course, late_days = cached
    last = query.as_of or date.max
    visible_ranks: list[tuple[date, Ranks]] = []
    for day, ranks in course:
        if day <= last and visible_ranks and day in late_days:
            visible_ranks[-1] = visible_ranks[-1][0], ranks
        elif day <= last:
            visible_ranks.append((day, ranks))
    return visible_ranks


def compute_rank_history(query: BoardQuery) -> list[tuple[date, Ranks]]:
    """Return the ranks of a whole season, computed from the results without the cache.

    Empty if the query has no season.
    """
    season = query.season
    results = all_result_versions(query).order_by()
    changed_days: set[date] = set()
    for column in ("known_from", "known_until"):
        local_day = TruncDate(column, tzinfo=query.club.zone)
        dated_results = results.exclude(**{column: None}).annotate(on_day=local_day)
        changed_days.update(dated_results.values_list("on_day", flat=True).distinct())
    if season is None or not changed_days:
        return []
    # As many as a chart can show, including the last.
    days = sorted(changed_days)[:: -max(1, -(-len(changed_days) // MOST_DAYS))][::-1]
    rows = list(
        results.values_list(
            "player",
            "tournament",
            "held_on",
            "known_from",
            "known_until",
            query.counted_points_column,
        )
    )
    common = to_common_denominator(row[-1] for row in rows)
    lasts = timedelta(days=season.lasts_days)
    course = []
    for day in days:
        moment = last_moment_of_day(day, query.club.zone)
        dropped = day - lasts if lasts else date.min
        tournaments: dict[int, set[int]] = {}
        worths: dict[int, list[int]] = {}
        for player, tournament, held_on, known_from, known_until, worth in rows:
            if known_from > moment or (known_until and known_until <= moment):
                continue
            tournaments.setdefault(player, set()).add(tournament)
            if worth and held_on > dropped:
                worths.setdefault(player, []).append(common.parts[worth])
        points = {
            player: sum(highest_values(worths.get(player, ()), query.best_of))
            for player, attended in tournaments.items()
            if len(attended) >= query.least_attendance
        }
        course.append((day, _ranks_by_player(points)))
    return course


def _ranks_by_player(points: Mapping[int, int]) -> Ranks:
    """Return the ranks by points, the most first; level players share a rank."""
    first = {
        worth: rank
        for rank, worth in reversed(
            list(enumerate(sorted(points.values(), reverse=True), start=1))
        )
    }
    return {player: first[worth] for player, worth in points.items()}
