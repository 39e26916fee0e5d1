"""Pages are light: a first visit in a pub stays under 100 kB."""

import gzip
import re
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import brotli
import pytest
from django.test import Client
from django.urls import reverse
from playwright.sync_api import Page, Response

from tests.browser.every_page import Examples, patterns
from tests.browser.first_visit import (
    FONTS,
    IS_NEVER_IDLE,
    SCRIPTS,
    STYLES,
    WHOLE,
)
from tests.browser.test_every_page import director_of, names_of_no_pages
from tests.browser.test_my_night import night_on
from tests.factories import HAND, entered_match
from tests.factories.tournaments import (
    running_round,
    tournament_with,
)

pytestmark = pytest.mark.django_db(transaction=True)


STYLED = re.compile(r'<link rel="stylesheet" href="/static/([^"]+)">')
"""The style sheets that a page names; a club's cloth is a line that the site makes."""


def compressed(answer: Response) -> bytes:
    """Return an answer as it is sent over https: static files by brotli, pages by gzip."""
    if answer.request.resource_type == "font":
        return answer.body()
    if "/static/" in answer.url:
        return bytes(brotli.compress(answer.body()))
    return gzip.compress(answer.body())


def weights_of(phone: Page, address: str) -> Counter[str]:
    answers: list[Response] = []
    phone.on("response", lambda answer: answers.append(answer))
    phone.goto(address)
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
    return weights


def test_first_visit_transfers_less_than_100_kb(
    new_phone: Callable[..., Page],
) -> None:
    phone = new_phone(service_workers="allow")
    phone.add_init_script(IS_NEVER_IDLE)
    match = entered_match([HAND])
    at = f"{match.get_absolute_url()}hands/new/"
    weights = weights_of(phone, at)
    assert 10_000 < weights.total() < WHOLE
    assert 10_000 < weights["font"] <= FONTS
    assert weights["stylesheet"] <= STYLES
    assert weights["script"] <= SCRIPTS


def test_my_night_transfers_less_than_100_kb(new_phone: Callable[..., Page]) -> None:
    phone = new_phone(service_workers="allow")
    phone.add_init_script(IS_NEVER_IDLE)
    tournament = tournament_with(12)
    running_round(tournament)
    family = list(tournament.entries.by_number()[:2])
    at = night_on(phone, *family)
    weights = weights_of(phone, at)
    assert 10_000 < weights.total() < WHOLE
    assert 10_000 < weights["font"] <= FONTS
    assert weights["stylesheet"] <= STYLES
    assert weights["script"] <= SCRIPTS


@pytest.mark.long(22)
@pytest.mark.rare
def test_style_sheets_of_every_page_stay_within_budget(statics: Path) -> None:
    sizes = {
        sheet: len(brotli.compress(sheet.read_bytes()))
        for sheet in statics.rglob("*.css")
    }
    examples = Examples()
    director = director_of(examples)
    weights: dict[str, int] = {}
    for client in (director, Client()):
        for pattern in patterns():
            try:
                address = reverse(pattern.name, kwargs=examples.of(pattern))
            except KeyError:
                # Only users with a passkey see this page.
                continue
            if pattern.name not in names_of_no_pages():
                page = client.get(address, follow=True).content.decode()
                size = sum(sizes[statics / sheet] for sheet in STYLED.findall(page))
                weights[pattern.name] = max(weights.get(pattern.name, 0), size)
    assert len(weights) > 90
    assert {name: size for name, size in weights.items() if size > STYLES} == {}
