"""Who is in front, and since when: one definition for every sentence about a lead.

Somebody leads who is alone in front. A lead that is shared is nobody's.
"""

from collections.abc import Hashable, Sequence
from itertools import takewhile


def sole_leader(ranks: Sequence[int]) -> int | None:
    """Return the index of the only rank 1; None if the lead is shared, or there are no ranks."""
    first = [index for index, rank in enumerate(ranks) if rank == 1]
    return first[0] if len(first) == 1 else None


def led_since(leaders: Sequence[Hashable], who: Hashable) -> int | None:
    """Return from which place on `who` leads without a break; None who does not at the end.

    `leaders` are those who led one after another, None where nobody did.
    """
    kept = len(list(takewhile(lambda leader: leader == who, reversed(leaders))))
    return len(leaders) - kept if kept else None
