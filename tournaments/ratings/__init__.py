"""Season points and ratings for leaderboards over many tournaments, without a database."""

from tournaments.ratings.ratings import (
    NEWCOMER,
    PROVISIONAL_TABLES,
    Rating,
    rate_table,
    shown_rating,
    shown_spread,
    soften_rating,
)
from tournaments.ratings.season_points import (
    PARTS,
    LeaderboardTableShare,
    leaderboard_table_shares,
    season_points,
)

__all__ = [
    "NEWCOMER",
    "PARTS",
    "PROVISIONAL_TABLES",
    "LeaderboardTableShare",
    "Rating",
    "leaderboard_table_shares",
    "rate_table",
    "season_points",
    "shown_rating",
    "shown_spread",
    "soften_rating",
]
