"""Wrong codes are counted by browser, network and site, and then rejected."""

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
    """Lower the limits and turn off all caches, so that processes share nothing in memory."""
    monkeypatch.setattr(codes, "BROWSER_LIMIT", BROWSER_LIMIT)
    monkeypatch.setattr(codes, "NETWORK_LIMIT", NETWORK_LIMIT)
    dummy = "django.core.cache.backends.dummy.DummyCache"
    settings.CACHES = {name: {"BACKEND": dummy} for name in settings.CACHES}


def submit_code(code: str, browser: Client | None = None, **extra: Any) -> int:
    """Return the status of the response to a code, by default in a new browser."""
    find_url = reverse("tournaments:find_tournament")
    return (browser or Client()).post(find_url, {"code": code}, **extra).status_code


def test_too_many_wrong_codes_require_scanning() -> None:
    tournament, client = tournament_with([]), Client()
    for _guess in range(BROWSER_LIMIT):
        assert submit_code(WRONG, client) == UNKNOWN
    find_url = reverse("tournaments:find_tournament")
    response = client.post(find_url, {"code": tournament.code})
    assert response.status_code == THROTTLED
    assert "Scan the QR code" in response.content.decode()
    assert client.get(tournament.get_absolute_url()).status_code == 200
    for _guess in range(2 * NETWORK_LIMIT):
        submit_code(WRONG, client)
    # Other phones of the network are not blocked.
    assert submit_code(tournament.code) == FOUND


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
        assert submit_code(tournament.code, REMOTE_ADDR=same) == FOUND
    assert not Guesses.objects.exists()
    for guess in range(NETWORK_LIMIT):
        assert submit_code(WRONG, REMOTE_ADDR=guesser.format(guess)) == UNKNOWN
    for code in (WRONG, tournament.code):
        assert submit_code(code, REMOTE_ADDR=same) == THROTTLED
    assert submit_code(tournament.code, REMOTE_ADDR=other) == FOUND


def test_distributed_guessing_is_limited_site_wide() -> None:
    tournament = tournament_with([])
    for guess in range(3):
        assert submit_code(WRONG, REMOTE_ADDR=f"198.51.100.{guess}") == UNKNOWN
    site_guesses = Guesses.objects.get(count=3)
    assert (site_guesses.until - timezone.now()) <= timedelta(minutes=1)
    # Set in the database: a slow machine can't send this many codes within a minute.
    Guesses.objects.filter(pk=site_guesses.pk).update(count=SITE_LIMIT)
    assert submit_code(tournament.code, REMOTE_ADDR="203.0.113.9") == THROTTLED
    Guesses.objects.update(until=timezone.now())
    assert submit_code(tournament.code, REMOTE_ADDR="203.0.113.9") == FOUND


def test_wrong_codes_are_counted_by_the_address_behind_the_proxy(settings: Any) -> None:
    settings.ALLAUTH_TRUSTED_PROXY_COUNT = 1
    for _guess in range(NETWORK_LIMIT):
        submit_code(WRONG, headers={"X-Forwarded-For": "203.0.113.9"})
    expected = {"203.0.113.9": THROTTLED, "203.0.113.10": UNKNOWN}
    for address, status in expected.items():
        assert submit_code(WRONG, headers={"X-Forwarded-For": address}) == status


def test_expired_counts_are_deleted_and_reveal_no_address() -> None:
    submit_code(WRONG, REMOTE_ADDR="203.0.113.7")
    assert not Guesses.objects.filter(who__contains="203.0.113").exists()
    Guesses.objects.update(until=timezone.now(), count=NETWORK_LIMIT)
    assert submit_code(WRONG, REMOTE_ADDR="203.0.113.8") == UNKNOWN
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
