"""Pages are light: a first visit in a pub stays under 100 kB."""

import gzip
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path, PurePosixPath

import brotli
import pytest
from django.contrib.staticfiles import finders
from playwright.sync_api import Page, Response

from tests.browser.first_visit import (
    IS_NEVER_IDLE,
    SCRIPTS,
    STYLES,
    WHOLE,
)
from tests.browser.test_my_night import night_on
from tests.factories import entered_match
from tests.factories.matches import NOW
from tests.factories.tournaments import play_round, running_round, tournament_with
from tests.scoring.matchlog.test_append import HAND
from tests.test_joins import sources
from tournaments.event import rounds
from tricky_site.joins import joined
from tricky_site.statics import IMPORTED_STYLES, JOINED, JOINED_SCRIPTS

pytestmark = pytest.mark.django_db(transaction=True)


def sent(answers: Iterable[Response]) -> Iterator[tuple[str, bytes]]:
    """Give what a host sends, each with what it is: our own scripts and styles as it joins them."""
    scripts, homes = joined(sources(), JOINED_SCRIPTS)
    styles = dict(joined_styles())
    of_styles = {part for name in styles for part in imported(name)}
    seen: set[str] = set()
    for answer in answers:
        kind, name = answer.request.resource_type, answer.url.partition("/static/")[2]
        home = homes.get(name, name)
        if name in styles:
            yield kind, brotli.compress(styles[name].encode())
        elif home in scripts and home not in seen:
            yield kind, brotli.compress(scripts[home].encode())
        elif home not in scripts and name not in of_styles:
            yield kind, compressed(answer)
        seen.add(home)


def joined_styles() -> Iterator[tuple[str, str]]:
    """Give the style sheets that are sent as one, with what each says."""
    for name in JOINED:
        yield name, "".join(static(part).read_text() for part in imported(name))


def imported(name: str) -> list[str]:
    """Return what a style sheet consists of."""
    parts = re.findall(IMPORTED_STYLES, static(name).read_text())
    return [f"{PurePosixPath(name).parent}/{part}" for part in parts]


def static(name: str) -> Path:
    """Return where a static file lies."""
    return Path(finders.find(name) or "")


def compressed(answer: Response) -> bytes:
    """Return an answer as it is sent over https: static files by brotli, pages by gzip."""
    if answer.request.resource_type == "font":
        return answer.body()
    if "/static/" in answer.url:
        return bytes(brotli.compress(answer.body()))
    return gzip.compress(answer.body())


def weights_of(phone: Page, open_it: Callable[[], object]) -> Counter[str]:
    """Return how many bytes are sent until a page is there, by what they are."""
    answers: list[Response] = []
    phone.on("response", lambda answer: answers.append(answer))
    open_it()
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
    return weights


@pytest.mark.parametrize("page", ["", "hands/new/", "hands/1/correct/"])
def test_a_first_visit_takes_less_than_100_kb_as_it_is_sent(
    new_phone: Callable[..., Page], page: str
) -> None:
    phone = new_phone(service_workers="allow")
    phone.add_init_script(IS_NEVER_IDLE)
    match = entered_match([HAND])
    at = f"{match.get_absolute_url()}{page}"
    weights = weights_of(phone, lambda: phone.goto(at))
    assert 10_000 < weights.total() < WHOLE
    assert weights["stylesheet"] <= STYLES
    assert weights["script"] <= SCRIPTS


@pytest.mark.parametrize("shows", ["coming", "round", "between", "end"])
def test_my_night_takes_as_little(new_phone: Callable[..., Page], shows: str) -> None:
    phone = new_phone(service_workers="allow")
    phone.add_init_script(IS_NEVER_IDLE)
    tournament = tournament_with(12, rounds_planned=2 if shows == "between" else 1)
    if shows == "round":
        running_round(tournament)
    elif shows != "coming":
        round_ = running_round(tournament)
        play_round(round_)
        rounds.close(round_id=round_.pk, now=NOW)
    if shows == "end":
        rounds.finish(tournament_id=tournament.pk, now=NOW)
    family = list(tournament.entries.by_number()[:2])
    at = night_on(phone, *family)
    weights = weights_of(phone, lambda: phone.goto(at))
    assert 10_000 < weights.total() < WHOLE
    assert weights["stylesheet"] <= STYLES
    assert weights["script"] <= SCRIPTS
