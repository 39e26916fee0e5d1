"""How many calls a token, and an address without one, may make in a minute."""

from typing import NamedTuple

from django.core.cache import caches

from scoring.api.problems import ProblemError

WINDOW = 60
"""Seconds."""


class Spent(NamedTuple):
    """How much of a limit is used."""

    most: int
    used: int
    resets_in: int
    """Seconds."""

    @property
    def headers(self) -> dict[str, str]:
        """Return what every answer tells of it."""
        return {
            "RateLimit-Limit": str(self.most),
            "RateLimit-Remaining": str(max(0, self.most - self.used)),
            "RateLimit-Reset": str(self.resets_in),
            "RateLimit-Policy": f"{self.most};w={WINDOW}",
        }

    @property
    def problem(self) -> ProblemError | None:
        """Return what is answered beyond the limit; None within it."""
        if self.used <= self.most:
            return None
        return ProblemError("too-often", headers={"Retry-After": str(self.resets_in)})


def count_call(who: str, *, most: int, now: float) -> Spent:
    """Return what is spent with one call more, counted for all processes together.

    Two calls at the very same moment may count as one where the cache cannot count by
    itself: a limit against floods needs no more than that.
    """
    cache, window = caches["default"], int(now // WINDOW)
    key = f"api:{who}:{window}"
    used = 1
    if not cache.add(key, used, timeout=WINDOW):
        try:
            used = cache.incr(key)
        except ValueError:  # It was forgotten between the two.
            cache.set(key, used, timeout=WINDOW)
    return Spent(most=most, used=used, resets_in=int((window + 1) * WINDOW - now) or 1)
