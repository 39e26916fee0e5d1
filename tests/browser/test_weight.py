"""Pages are light: a first visit in a pub stays under 100 kB."""

import gzip
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from pathlib import Path

import brotli
import pytest
from django.contrib.staticfiles import finders
from django.test import Client
from django.urls import reverse
from playwright.sync_api import Page, Response

from scoring.models import Player
from tests.browser.every_page import Examples, patterns
from tests.browser.first_visit import (
    IS_NEVER_IDLE,
    SCRIPTS,
    STYLES,
    WHOLE,
)
from tests.browser.test_every_page import director_of, names_of_no_pages
from tests.factories import entered_match
from tests.factories.history import counted
from tests.factories.tournaments import ClubFactory
from tests.scoring.matchlog.test_append import HAND
from tests.test_joins import sources
from tricky_site.joins import joined
from tricky_site.statics import JOINED_SCRIPTS

pytestmark = pytest.mark.django_db(transaction=True)

STYLED = re.compile(r'<link rel="stylesheet" href="/static/([^"]+)">')
"""The style sheets that a page names; a club's cloth is a line that the site makes."""
IMPORTED = re.compile(r'@import url\("([\w.]+)"\);')
NIGHTS = ("2026-05-12", "2026-05-19", "2026-05-26")
PAGES = [
    "",
    "leaderboards/2026-spring/",
    "leaderboards/all/head-to-head/",
    "leaderboards/hall-of-fame/",
    "records/",
    "players/{player}/",
]
"""What a club tells of its past."""


def sent(answers: Iterable[Response]) -> Iterator[tuple[str, bytes]]:
    """Give what a host sends, each with what it is: our own scripts as it joins them."""
    scripts, homes = joined(sources(), JOINED_SCRIPTS)
    seen: set[str] = set()
    for answer in answers:
        kind, name = answer.request.resource_type, answer.url.partition("/static/")[2]
        home = homes.get(name, name)
        if home in scripts and home not in seen:
            yield kind, brotli.compress(scripts[home].encode())
        elif home not in scripts:
            yield kind, compressed(answer)
        seen.add(home)


def styles_of(page: str) -> int:
    """Return how many bytes the style sheets of a page are as a host sends them."""
    return sum(map(style_sheet, STYLED.findall(page)))


@cache
def style_sheet(name: str) -> int:
    """Return how many bytes a style sheet is with those that it imports in their places."""
    found = finders.find(name)
    assert found, name
    sheet = Path(found)
    joined_sheet = IMPORTED.sub(
        lambda imported: (sheet.parent / imported[1]).read_text(), sheet.read_text()
    )
    return len(brotli.compress(joined_sheet.encode()))


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
    match = entered_match([HAND])
    weights, _page = first_visit(new_phone, f"{match.get_absolute_url()}{page}")
    assert 10_000 < weights.total() < WHOLE
    assert weights["stylesheet"] <= STYLES
    assert weights["script"] <= SCRIPTS


@pytest.mark.parametrize("page", PAGES)
def test_what_a_club_tells_of_its_past_takes_less_than_100_kb(
    new_phone: Callable[..., Page], page: str
) -> None:
    club = ClubFactory.create()
    for day in NIGHTS:
        counted(day, 12, club=club, played=2)
    address = page.format(player=Player.objects.order_by("pk")[0].pk)
    weights, shown = first_visit(new_phone, f"{club.get_absolute_url()}{address}")
    # Each list of style sheets is sent as one.
    weights["stylesheet"] = styles_of(shown)
    assert 10_000 < weights.total() < WHOLE
    assert 5_000 < weights["stylesheet"] <= STYLES
    assert weights["script"] <= SCRIPTS


@pytest.mark.long(22)
def test_no_page_wears_more_styles_than_a_first_visit_may_take() -> None:
    examples = Examples()
    director = director_of(examples)
    weights: dict[str, int] = {}
    for client in (director, Client()):
        for pattern in patterns():
            try:
                address = reverse(pattern.name, kwargs=examples.of(pattern))
            except KeyError:
                # Of a page that only who has a passkey sees.
                continue
            if pattern.name not in names_of_no_pages():
                page = client.get(address, follow=True).content.decode()
                weights[pattern.name] = max(
                    weights.get(pattern.name, 0), styles_of(page)
                )
    assert len(weights) > 90
    assert {name: size for name, size in weights.items() if size > STYLES} == {}


def first_visit(new_phone: Callable[..., Page], url: str) -> tuple[Counter[str], str]:
    """Return how much a phone is sent on its first visit by what it is, and the page."""
    phone = new_phone(service_workers="allow")
    phone.add_init_script(IS_NEVER_IDLE)
    answers: list[Response] = []
    phone.on("response", lambda answer: answers.append(answer))
    page = phone.goto(url)
    assert page
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
    for kind, content in sent(shown):
        weights[kind] += len(content)
    return weights, page.text()
