"""The ranks of a season over time, each day with the results known then."""

from collections.abc import Mapping
from datetime import date, timedelta

from django.core.cache import caches
from django.db.models import Min
from django.db.models.functions import TruncDate

from tournaments.exact import in_common_parts
from tournaments.history.leaderboard import (
    A_DAY,
    BoardQuery,
    best,
    cache_key,
    day_end,
    result_versions,
)

MOST_DAYS = 40
"""The most days that a chart can show."""
Ranks = dict[int, int]
"""By player."""


def rank_history(asked: BoardQuery) -> list[tuple[date, Ranks]]:
    """Return the ranks by season points on the days on which results changed.

    At most `MOST_DAYS` days of the season, evenly spread, up to the day of the query.
    Corrections after the end of the season, such as merges, are shown on its last day. Three
    queries, or four if results changed after the end; cached until the club's history changes.
    """
    whole = asked.at(None)
    key = cache_key("season-ranks", whole)
    kept: tuple[list[tuple[date, Ranks]], set[date]] | None = caches["drawn"].get(key)
    if kept is None:
        course = compute_rank_history(whole)
        # Days after the end of the season on which no tournament was counted first.
        ends_on = whole.season.ends_on if whole.season else date.max
        late = {day for day, _ranks in course if day > ends_on}
        if late:
            by_tournament = result_versions(whole).order_by().values("tournament")
            first = by_tournament.annotate(first=Min("known_from"))
            zone = whole.club.zone
            late -= {row["first"].astimezone(zone).date() for row in first}
        kept = course, late
        caches["drawn"].set(key, kept, A_DAY)
    course, afterwards = kept
    last = asked.as_of or date.max
    shown: list[tuple[date, Ranks]] = []
    for day, ranks in course:
        if day <= last and shown and day in afterwards:
            shown[-1] = shown[-1][0], ranks
        elif day <= last:
            shown.append((day, ranks))
    return shown


def compute_rank_history(asked: BoardQuery) -> list[tuple[date, Ranks]]:
    """Return the ranks of a whole season, computed from the results without the cache.

    Empty if the query has no season.
    """
    season = asked.season
    results = result_versions(asked).order_by()
    news: set[date] = set()
    for column in ("known_from", "known_until"):
        of_club = TruncDate(column, tzinfo=asked.club.zone)
        known = results.exclude(**{column: None}).annotate(on_day=of_club)
        news.update(known.values_list("on_day", flat=True).distinct())
    if season is None or not news:
        return []
    # As many as a chart can show, including the last.
    days = sorted(news)[:: -max(1, -(-len(news) // MOST_DAYS))][::-1]
    rows = list(
        results.values_list(
            "player", "tournament", "held_on", "known_from", "known_until", asked.counts
        )
    )
    common = in_common_parts(row[-1] for row in rows)
    lasts = timedelta(days=season.lasts_days)
    course = []
    for day in days:
        moment, dropped = (
            day_end(day, asked.club.zone),
            day - lasts if lasts else date.min,
        )
        tournaments: dict[int, set[int]] = {}
        worths: dict[int, list[int]] = {}
        for player, tournament, held_on, known_from, known_until, worth in rows:
            if known_from > moment or (known_until and known_until <= moment):
                continue
            tournaments.setdefault(player, set()).add(tournament)
            if worth and held_on > dropped:
                worths.setdefault(player, []).append(common.parts[worth])
        points = {
            player: sum(best(worths.get(player, ()), asked.best_of))
            for player, attended in tournaments.items()
            if len(attended) >= asked.least_attendance
        }
        course.append((day, _ranks(points)))
    return course


def _ranks(points: Mapping[int, int]) -> Ranks:
    """Return the ranks by points, the most first; level players share a rank."""
    first = {
        worth: rank
        for rank, worth in reversed(
            list(enumerate(sorted(points.values(), reverse=True), start=1))
        )
    }
    return {player: first[worth] for player, worth in points.items()}
