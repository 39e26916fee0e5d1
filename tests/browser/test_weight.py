"""Pages are light: a first visit in a pub stays under 100 kB."""

import pytest
from playwright.sync_api import Page, Response

from tests.factories import entered_match
from tests.scoring.test_operations import HAND

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.mark.parametrize("page", ["", "hands/new/", "hands/1/correct/"])
def test_a_first_visit_takes_less_than_100_kb_even_uncompressed(
    phone: Page, page: str
) -> None:
    answers: list[Response] = []
    phone.on("response", lambda answer: answers.append(answer))
    match = entered_match([HAND])
    phone.goto(f"{match.get_absolute_url()}{page}")
    phone.wait_for_timeout(300)
    weight = sum(len(answer.body()) for answer in answers if answer.status == 200)
    assert 10_000 < weight < 100_000
