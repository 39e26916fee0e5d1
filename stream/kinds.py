"""What there is to listen to: known to who announces and to who listens."""

from enum import StrEnum


class Kind(StrEnum):
    """What a topic is about."""

    MATCH = "match"
    TOURNAMENT = "tournament"
    CLUB = "club"
    SHEET = "sheet"
    """What the site's own page of a match shows: its log, and what stands above it."""
