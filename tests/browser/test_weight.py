"""Pages are light: a first visit in a pub stays under 100 kB."""

import gzip
from collections.abc import Callable

import brotli
import pytest
from playwright.sync_api import Page, Response

from tests.factories import entered_match
from tests.scoring.matchlog.test_append import HAND
from tricky_site.statics import without_comments

STYLES, WHOLE = 22_000, 100_000
"""Bytes that a first visit may take, compressed."""
pytestmark = pytest.mark.django_db(transaction=True)


def sent(answer: Response) -> bytes:
    """Return what a host sends: of our own scripts no comments."""
    if "/static/scoring/js/" not in answer.url:
        return answer.body()
    return without_comments(answer.text()).encode()


def weighed(answer: Response) -> int:
    """Return how many bytes a host sends over https: static files by brotli, pages by gzip."""
    if answer.request.resource_type == "font":
        return len(answer.body())
    if "/static/" in answer.url:
        return len(brotli.compress(sent(answer)))
    return len(gzip.compress(sent(answer)))


@pytest.mark.parametrize(
    ("page", "scripts"),
    [("", 45_000), ("hands/new/", 50_000), ("hands/1/correct/", 50_000)],
)
def test_a_first_visit_takes_less_than_100_kb_as_it_is_sent(
    new_phone: Callable[..., Page], page: str, scripts: int
) -> None:
    phone = new_phone(service_workers="allow")
    answers: list[Response] = []
    phone.on("response", lambda answer: answers.append(answer))
    match = entered_match([HAND])
    phone.goto(f"{match.get_absolute_url()}{page}")
    phone.wait_for_timeout(300)
    # What is kept for later is fetched by the page once it is there.
    shown = [
        one
        for one in answers
        if one.status == 200
        and not one.from_service_worker
        and one.request.resource_type != "fetch"
    ]
    weights = [(one.request.resource_type, weighed(one)) for one in shown]
    assert 10_000 < sum(weight for _kind, weight in weights) < WHOLE
    assert sum(weight for kind, weight in weights if kind == "stylesheet") <= STYLES
    assert sum(weight for kind, weight in weights if kind == "script") <= scripts
