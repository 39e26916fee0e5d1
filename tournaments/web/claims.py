"""Something that is settled, or still open, as a page lists it."""

from typing import NamedTuple


class Claim(NamedTuple):
    """Something that is settled, or still open."""

    tone: str
    """`ok` or `wait`."""
    icon: str
    words: str
    because: str
