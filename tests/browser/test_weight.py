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
    TOTAL,
)
from tests.browser.test_every_page import director_of, excluded_names
from tests.browser.test_my_night import share_phone
from tests.factories import HAND, entered_match
from tests.factories.tournaments import (
    running_round,
    tournament_with,
)

pytestmark = pytest.mark.django_db(transaction=True)


STYLE_SHEET_LINK = re.compile(r'<link rel="stylesheet" href="/static/([^"]+)">')
"""Links to static style sheets in a page; the generated one of a club doesn't count."""


def compress(answer: Response) -> bytes:
    """Return the body of a response as sent over HTTPS: static files by brotli, pages by gzip."""
    if answer.request.resource_type == "font":
        return answer.body()
    if "/static/" in answer.url:
        return bytes(brotli.compress(answer.body()))
    return gzip.compress(answer.body())


def measure_weights(phone: Page, address: str) -> Counter[str]:
    responses: list[Response] = []
    phone.on("response", lambda response: responses.append(response))
    phone.goto(address)
    phone.wait_for_load_state("networkidle")
    # The page fetches files for later use once it is loaded.
    responses_shown = [
        response
        for response in responses
        if response.status == 200
        and not response.from_service_worker
        and response.request.resource_type != "fetch"
    ]
    weights: Counter[str] = Counter()
    for response in responses_shown:
        weights[response.request.resource_type] += len(compress(response))
    return weights


def test_first_visit_transfers_less_than_100_kb(
    new_phone: Callable[..., Page],
) -> None:
    phone = new_phone(service_workers="allow")
    phone.add_init_script(IS_NEVER_IDLE)
    match = entered_match([HAND])
    address = f"{match.get_absolute_url()}hands/new/"
    weights = measure_weights(phone, address)
    assert 10_000 < weights.total() < TOTAL
    assert 10_000 < weights["font"] <= FONTS
    assert weights["stylesheet"] <= STYLES
    assert weights["script"] <= SCRIPTS


def test_my_night_transfers_less_than_100_kb(new_phone: Callable[..., Page]) -> None:
    phone = new_phone(service_workers="allow")
    phone.add_init_script(IS_NEVER_IDLE)
    tournament = tournament_with(12)
    running_round(tournament)
    players = list(tournament.entries.by_number()[:2])
    address = share_phone(phone, *players)
    weights = measure_weights(phone, address)
    assert 10_000 < weights.total() < TOTAL
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
            if pattern.name not in excluded_names():
                page = client.get(address, follow=True).content.decode()
                size = sum(
                    sizes[statics / sheet] for sheet in STYLE_SHEET_LINK.findall(page)
                )
                weights[pattern.name] = max(weights.get(pattern.name, 0), size)
    assert len(weights) > 90
    assert {name: size for name, size in weights.items() if size > STYLES} == {}
