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
from tests.browser.test_my_night import night_on
from tests.factories import entered_match
from tests.factories.matches import NOW
from tests.factories.tournaments import play_round, running_round, tournament_with
from tests.scoring.matchlog.test_append import HAND
from tournaments.event import rounds

pytestmark = pytest.mark.django_db(transaction=True)


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
    for answer in shown:
        weights[answer.request.resource_type] += len(compressed(answer))
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
