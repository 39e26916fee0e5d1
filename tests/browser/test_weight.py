"""Pages are light: a first visit in a pub stays under 100 kB."""

import gzip
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, Response

from tests.factories import entered_match
from tests.scoring.matchlog.test_append import HAND
from tricky_site.statics import without_comments

pytestmark = pytest.mark.django_db(transaction=True)


def sent(answer: Response) -> bytes:
    """Return what a host sends: of our own scripts no comments."""
    if "/static/scoring/js/" not in answer.url:
        return answer.body()
    return without_comments(answer.text()).encode()


@pytest.mark.parametrize("page", ["", "hands/new/", "hands/1/correct/"])
def test_a_first_visit_takes_less_than_100_kb_as_it_is_sent(
    new_phone: Callable[..., Page], page: str
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
    weight = sum(len(gzip.compress(sent(answer))) for answer in shown)
    assert 10_000 < weight < 100_000
