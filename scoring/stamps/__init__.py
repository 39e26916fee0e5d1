"""Stamps: what tells without a query that nothing was written since somebody asked.

Each topic has a mark in a memory that all web processes share (`memories`). What is committed
about it gives it another one (`writes`). An answer that goes with the marks of some topics may
be given again while they still have those, and for some seconds at most: so long may a mark be
wrong that nobody could renew.
"""

import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import wraps
from typing import Any, NamedTuple, TypeVar, cast

from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase

from scoring.stamps.memories import memory

HOLDS_FOR = 5
"""Seconds; what changes by the clock alone is seen as late."""
LOG_HOLDS_FOR = 60
"""Seconds for what is asked of one match; what stands above its sheet by the clock alone is seen as late."""
ANYTHING = "anything"
"""The topic of whatever the site keeps."""
EVERYTHING_ELSE = "everything else"
"""The topic of what is written without saying that it is about other topics only."""
NOTHING_NEW = 204
GOES_WITH = "_goes_with_stamp"
"""Where an answer keeps its stamp."""
IS_ALIKE = "_is_alike_for_all"
"""Where it keeps that it is the same for everybody who knows as much."""
VERSION = "_version_that_it_shows"
"""Where an answer that shows something new keeps what it is asked with from then on."""
Response = TypeVar("Response", bound=HttpResponseBase)
View = TypeVar("View", bound=Callable[..., HttpResponse])


class Stamp(NamedTuple):
    """What topics were marked with at some moment."""

    topics: Sequence[str]
    marks: Sequence[str]
    """Empty for one that had none yet."""

    def holds(self) -> bool:
        """Tell whether nothing was committed about any of the topics since."""
        return memory().read(*self.topics) == tuple(self.marks)


def of_match(address: str) -> Sequence[str]:
    """Return the topic of what stands in the log of a match."""
    return (f"match {address}",)


def of_site(address: str) -> Sequence[str]:
    """Return the topic for what depends on more than one could name."""
    return (ANYTHING,)


def stays(
    topics: Callable[[str], Sequence[str]],
    *,
    whatever: bool = False,
    alike: bool = False,
) -> Callable[[View], View]:
    """Say of a view that its “nothing new” stays true until something is committed.

    `topics` tells about what, by the address that the view is asked for. With `whatever`
    each of its answers stays. With `alike` nothing is new to anybody who has seen what the
    parameter `v` names, whoever they are, for `LOG_HOLDS_FOR`. What is new (`shows`) leaves
    nothing new to who asks with that. To be put around everything that reads.
    """

    def decorate(view: View) -> View:
        @wraps(view)
        def inner(
            request: HttpRequest, address: str, *args: Any, **kwargs: Any
        ) -> HttpResponse:
            # Before anything is read: what is committed later leaves another one.
            since = _stamp(topics(address))
            response = view(request, address, *args, **kwargs)
            is_nothing_new = response.status_code == NOTHING_NEW
            if is_nothing_new or whatever or version_shown(response):
                setattr(response, GOES_WITH, _kept(since))
                setattr(response, IS_ALIKE, alike)
            return response

        return cast("View", inner)

    return decorate


def shows(version: str, response: Response) -> Response:
    """Return an answer, marked with the version `v` that whoever gets it asks with next."""
    setattr(response, VERSION, version)
    return response


def version_shown(response: HttpResponseBase) -> str:
    """Return the version with which whoever gets an answer asks next; empty where it is the same."""
    version: str = getattr(response, VERSION, "")
    return version


def stamp_of(response: HttpResponseBase) -> Stamp | None:
    """Return the stamp that an answer goes with; None where it is to be given once."""
    stamp: Stamp | None = getattr(response, GOES_WITH, None)
    return stamp


def is_alike(response: HttpResponseBase) -> bool:
    """Tell whether an answer that goes with a stamp is the same for everybody."""
    return bool(getattr(response, IS_ALIKE, False))


def renew(*topics: str) -> None:
    """Give topics other marks, once something about them is committed."""
    memory().renew(*topics)


class _Written(threading.local):
    topics: Sequence[str] = (EVERYTHING_ELSE,)


_written = _Written()


@contextmanager
def only_about(*topics: str) -> Iterator[None]:
    """Let what is written meanwhile renew these topics, and `ANYTHING`, but not everything else.

    Whose pages show it, and go with a stamp of everything else, name these topics as well.
    """
    before, _written.topics = _written.topics, topics
    try:
        yield
    finally:
        _written.topics = before


def written_about() -> Sequence[str]:
    """Return about which topics it is that is written now."""
    return _written.topics


def _stamp(topics: Sequence[str]) -> Stamp | None:
    """Return the stamp of some topics; None where no memory is there."""
    marks = memory().read(*topics)
    return None if marks is None else Stamp(topics, marks)


def stamps_of_each(about: Iterable[Sequence[str]]) -> Sequence[Stamp | None]:
    """Return a stamp for each of several things, asked for in one go; None where nobody can rely on it."""
    each = list(about)
    topics = list(dict.fromkeys(topic for topics in each for topic in topics))
    marks = memory().read(*topics) if topics else None
    if marks is None:
        return [None] * len(each)
    marked = dict(zip(topics, marks, strict=True))
    return [
        _kept(Stamp(topics, tuple(marked[topic] for topic in topics)))
        for topics in each
    ]


def _kept(since: Stamp | None) -> Stamp | None:
    """Return the stamp, its first topic marked now where it was not; None where nobody can rely on it.

    Where another marked that topic meanwhile, the answer may not know of what was committed then.
    By the first topic is seen that a memory forgot everything; that it has no other ones says that
    nothing was committed about those for a while.
    """
    if since is None or since.marks[0]:
        return since
    mark = memory().give(since.topics[0])
    return None if mark is None else Stamp(since.topics, (mark, *since.marks[1:]))
