"""Stamps: what tells without a query that nothing was written since somebody asked.

Each topic has a stamp in a memory that all web processes share (`memories`). What is committed
about it gives it another one (`writes`). An answer that goes with a stamp may be given again
while the topic still has that, and for some seconds at most: so long may a stamp be wrong that
nobody could renew.
"""

from collections.abc import Callable
from functools import wraps
from typing import Any, NamedTuple, TypeVar, cast

from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase

from scoring.stamps.memories import memory

HOLDS_FOR = 5
"""Seconds; what changes by the clock alone is seen as late."""
LOG_HOLDS_FOR = 15
"""Seconds for what is asked of one match; what stands above its sheet by the clock alone is seen as late."""
ANYTHING = "anything"
"""The topic of whatever the site keeps."""
NOTHING_NEW = 204
GOES_WITH = "_goes_with_stamp"
"""Where an answer keeps its stamp."""
IS_ALIKE = "_is_alike_for_all"
"""Where it keeps that it is the same for everybody who knows as much."""
View = TypeVar("View", bound=Callable[..., HttpResponse])


class Stamp(NamedTuple):
    """What a topic was marked with at some moment."""

    topic: str
    mark: str
    """Empty where it had none yet."""

    def holds(self) -> bool:
        """Tell whether nothing was committed about the topic since."""
        return memory().read(self.topic) == self.mark


def of_match(address: str) -> str:
    """Return the topic of what stands in the log of a match."""
    return f"match {address}"


def of_site(address: str) -> str:
    """Return the topic for what depends on more than one could name."""
    return ANYTHING


def stays(
    topic: Callable[[str], str], *, whatever: bool = False, alike: bool = False
) -> Callable[[View], View]:
    """Say of a view that its “nothing new” stays true until something is committed.

    `topic` tells about what, by the address that the view is asked for. With `whatever`
    each of its answers stays. With `alike` nothing is new to anybody who has seen what the
    parameter `v` names, whoever they are, for `LOG_HOLDS_FOR`. To be put around
    everything that reads.
    """

    def decorate(view: View) -> View:
        @wraps(view)
        def inner(
            request: HttpRequest, address: str, *args: Any, **kwargs: Any
        ) -> HttpResponse:
            # Before anything is read: what is committed later leaves another one.
            since = _stamp(topic(address))
            response = view(request, address, *args, **kwargs)
            if response.status_code == NOTHING_NEW or whatever:
                setattr(response, GOES_WITH, _kept(since))
                setattr(response, IS_ALIKE, alike)
            return response

        return cast("View", inner)

    return decorate


def stamp_of(response: HttpResponseBase) -> Stamp | None:
    """Return the stamp that an answer goes with; None where it is to be given once."""
    stamp: Stamp | None = getattr(response, GOES_WITH, None)
    return stamp


def is_alike(response: HttpResponseBase) -> bool:
    """Tell whether an answer that goes with a stamp is the same for everybody."""
    return bool(getattr(response, IS_ALIKE, False))


def renew(topic: str) -> None:
    """Give a topic another stamp, once something about it is committed."""
    memory().renew(topic)


def _stamp(topic: str) -> Stamp | None:
    """Return the stamp that a topic has; None where no memory is there."""
    mark = memory().read(topic)
    return None if mark is None else Stamp(topic, mark)


def _kept(since: Stamp | None) -> Stamp | None:
    """Return the stamp, given now where there was none; None where nobody can rely on one.

    Where another was given meanwhile, the answer may not know of what was committed then.
    """
    if since is None or since.mark:
        return since
    mark = memory().give(since.topic)
    return None if mark is None else Stamp(since.topic, mark)
