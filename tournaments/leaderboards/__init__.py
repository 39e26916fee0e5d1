"""Leaderboards over many tournaments: season points and ratings, without a database."""

from tournaments.leaderboards.ratings import (
    NEWCOMER,
    PROVISIONAL_TABLES,
    Rating,
    rate_table,
    shown_rating,
    shown_spread,
    softened,
)
from tournaments.leaderboards.season_points import (
    PARTS,
    TablePart,
    hundredths_of,
    parts_of_table,
    place_hundredths,
)
from tournaments.leaderboards.seasons import HalfYear, half_year_of

__all__ = [
    "NEWCOMER",
    "PARTS",
    "PROVISIONAL_TABLES",
    "HalfYear",
    "Rating",
    "TablePart",
    "half_year_of",
    "hundredths_of",
    "parts_of_table",
    "place_hundredths",
    "rate_table",
    "shown_rating",
    "shown_spread",
    "softened",
]
