"""Codes that nobody has: counted for a browser, a network and the site, then refused."""

from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from tests.factories.tournaments import tournament_with
from tournaments.models import Guesses
from tournaments.web.night import codes
from tournaments.web.night.codes import SITE_LIMIT

pytestmark = pytest.mark.django_db(transaction=True)

WRONG = "22222222"
FOUND, UNKNOWN, THROTTLED = 302, 200, 429
BROWSER_LIMIT, NETWORK_LIMIT = 2, 5


@pytest.fixture(autouse=True)
def limits(settings: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Lower the limits, and let no process know what another one holds in its memory."""
    monkeypatch.setattr(codes, "BROWSER_LIMIT", BROWSER_LIMIT)
    monkeypatch.setattr(codes, "NETWORK_LIMIT", NETWORK_LIMIT)
    dummy = "django.core.cache.backends.dummy.DummyCache"
    settings.CACHES = {name: {"BACKEND": dummy} for name in settings.CACHES}


def typed(code: str, browser: Client | None = None, **sent: Any) -> int:
    """Return how a code is answered, by default in a browser that was never here."""
    find = reverse("tournaments:find_tournament")
    return (browser or Client()).post(find, {"code": code}, **sent).status_code


def test_too_many_wrong_codes_require_scanning() -> None:
    tournament, somebody = tournament_with([]), Client()
    for _guess in range(BROWSER_LIMIT):
        assert typed(WRONG, somebody) == UNKNOWN
    find = reverse("tournaments:find_tournament")
    page = somebody.post(find, {"code": tournament.code})
    assert page.status_code == THROTTLED
    assert "Scan the QR code" in page.content.decode()
    assert somebody.get(tournament.get_absolute_url()).status_code == 200
    for _guess in range(2 * NETWORK_LIMIT):
        typed(WRONG, somebody)
    # Other phones of the network are not blocked.
    assert typed(tournament.code) == FOUND


@pytest.mark.parametrize(
    ("guesser", "same", "other"),
    [
        ("203.0.113.7", "203.0.113.7", "203.0.113.8"),
        ("2001:db8:0:1::{:x}", "2001:db8:0:1:ffff::1", "2001:db8:0:2::1"),
    ],
)
def test_guessing_network_is_blocked_and_others_are_not(
    guesser: str, same: str, other: str
) -> None:
    tournament = tournament_with([])
    for _right in range(NETWORK_LIMIT + 1):
        assert typed(tournament.code, REMOTE_ADDR=same) == FOUND
    assert not Guesses.objects.exists()
    for guess in range(NETWORK_LIMIT):
        assert typed(WRONG, REMOTE_ADDR=guesser.format(guess)) == UNKNOWN
    for code in (WRONG, tournament.code):
        assert typed(code, REMOTE_ADDR=same) == THROTTLED
    assert typed(tournament.code, REMOTE_ADDR=other) == FOUND


def test_distributed_guessing_is_limited_site_wide() -> None:
    tournament = tournament_with([])
    for guess in range(3):
        assert typed(WRONG, REMOTE_ADDR=f"198.51.100.{guess}") == UNKNOWN
    of_site = Guesses.objects.get(count=3)
    assert (of_site.until - timezone.now()) <= timedelta(minutes=1)
    # As many as a minute holds, which a slow machine does not send in one.
    Guesses.objects.filter(pk=of_site.pk).update(count=SITE_LIMIT)
    assert typed(tournament.code, REMOTE_ADDR="203.0.113.9") == THROTTLED
    Guesses.objects.update(until=timezone.now())
    assert typed(tournament.code, REMOTE_ADDR="203.0.113.9") == FOUND


def test_wrong_codes_are_counted_by_the_address_behind_the_proxy(settings: Any) -> None:
    settings.ALLAUTH_TRUSTED_PROXY_COUNT = 1
    for _guess in range(NETWORK_LIMIT):
        typed(WRONG, headers={"X-Forwarded-For": "203.0.113.9"})
    expected = {"203.0.113.9": THROTTLED, "203.0.113.10": UNKNOWN}
    for address, status in expected.items():
        assert typed(WRONG, headers={"X-Forwarded-For": address}) == status


def test_expired_counts_are_deleted_and_reveal_no_address() -> None:
    typed(WRONG, REMOTE_ADDR="203.0.113.7")
    assert not Guesses.objects.filter(who__contains="203.0.113").exists()
    Guesses.objects.update(until=timezone.now(), count=NETWORK_LIMIT)
    assert typed(WRONG, REMOTE_ADDR="203.0.113.8") == UNKNOWN
    assert set(Guesses.objects.values_list("count", flat=True)) == {1}


def test_concurrent_wrong_codes_are_all_counted() -> None:
    now, hour = timezone.now(), timedelta(hours=1)
    Guesses.objects.create(who="room", count=9, until=now - hour)

    def count(_one: int) -> None:
        Guesses.objects.record_wrong_code("room", hour, now)
        connection.close()

    with ThreadPoolExecutor(4) as threads:
        list(threads.map(count, range(20)))
    assert Guesses.objects.count_wrong_codes("room", hour, now) == 20
