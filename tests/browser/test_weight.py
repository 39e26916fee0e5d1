"""Pages are light: a first visit in a pub stays under 100 kB."""

import gzip
from collections import Counter
from collections.abc import Callable

import brotli
import pytest
from playwright.sync_api import Page, Response

from tests.browser.first_visit import (
    IS_NEVER_IDLE,
    SCRIPTS,
    STYLES,
    WHOLE,
)
from tests.factories import entered_match
from tests.scoring.matchlog.test_append import HAND

pytestmark = pytest.mark.django_db(transaction=True)


def compressed(answer: Response) -> bytes:
    """Return an answer as it is sent over https: static files by brotli, pages by gzip."""
    if answer.request.resource_type == "font":
        return answer.body()
    if "/static/" in answer.url:
        return bytes(brotli.compress(answer.body()))
    return gzip.compress(answer.body())


@pytest.mark.parametrize("page", ["", "hands/new/", "hands/1/correct/"])
def test_a_first_visit_takes_less_than_100_kb_as_it_is_sent(
    new_phone: Callable[..., Page], page: str
) -> None:
    phone = new_phone(service_workers="allow")
    phone.add_init_script(IS_NEVER_IDLE)
    answers: list[Response] = []
    phone.on("response", lambda answer: answers.append(answer))
    match = entered_match([HAND])
    phone.goto(f"{match.get_absolute_url()}{page}")
    phone.wait_for_load_state("networkidle")
    # What is kept for later is fetched by the page once it is there.
    shown = [
        one
        for one in answers
        if one.status == 200
        and not one.from_service_worker
        and one.request.resource_type != "fetch"
    ]
    weights: Counter[str] = Counter()
    for answer in shown:
        weights[answer.request.resource_type] += len(compressed(answer))
    assert 10_000 < weights.total() < WHOLE
    assert weights["stylesheet"] <= STYLES
    assert weights["script"] <= SCRIPTS
