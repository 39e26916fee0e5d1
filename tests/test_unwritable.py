"""Full disk or read-only database: pages still load, and no input is lost."""

from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest
from django.core.cache import caches
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from scoring.matchlog.tokens import match_write_token
from scoring.models import LogEntry, Match
from scoring.web.views.sync import CONTENT_TYPE
from tests.api.caller import Caller
from tests.deliveries import delivery
from tests.factories import new_match
from tests.factories.tournaments import UserFactory, member, tournament_with
from tests.unwritable import full_database, read_only
from tests.versions import database_caches
from tournaments.models import ApiToken, Role

pytestmark = pytest.mark.django_db(transaction=True)

HANDS = 60
"""More hands than fit into the database file."""
CANNOT_SAVE = "Tricky can’t save right now."


@pytest.fixture(autouse=True)
def shared_cache(settings: Any) -> None:
    settings.CACHES = database_caches(settings)


def deliver(match: Match, entry: dict[str, Any]) -> Any:
    return Client(raise_request_exception=False).post(
        reverse("scoring:entries", args=[match.address]),
        entry,
        content_type="application/json",
        headers={"x-seat-token": match_write_token(match)},
    )


def post_hand(match: Match, **changes: str) -> Any:
    address = reverse("scoring:hand_new", args=[match.address])
    points = {"points_0": "9", "points_1": "5", "points_2": "3", **changes}
    form_fields = {"key": str(uuid4()), "number": "1", "sure": "on", **points}
    return Client(raise_request_exception=False).post(address, form_fields)


def test_known_phone_reads_another_match_and_cannot_take_a_seat() -> None:
    client = Client(raise_request_exception=False)
    client.get(new_match("tricky_bid").get_absolute_url())
    match = new_match("tricky_bid")
    with read_only():
        assert client.get(match.get_absolute_url()).status_code == 200
        response = client.post(
            reverse("scoring:match_take_seat", args=[match.address]), {"name": "Ann"}
        )
    assert response.status_code == 507


def test_reads_succeed_while_counters_cannot_be_written() -> None:
    caller = Caller(UserFactory.create())
    long_ago = timezone.now() - timedelta(hours=2)
    ApiToken.objects.update(last_used_at=long_ago)
    caches["default"].set("old", 1, timeout=0.001)
    caller.client.raise_request_exception = False
    with read_only():
        assert caller.request("GET", "/clubs").status_code == 200
        assert caches["default"].get("old") is None


def test_form_keeps_its_input_while_the_database_is_read_only() -> None:
    match = new_match("tricky_bid")
    with read_only():
        answer = post_hand(match, points_0="17")
    page = answer.content.decode()
    assert (answer.status_code, answer["Retry-After"]) == (507, "60")
    assert CANNOT_SAVE in page
    assert '<input type="hidden" name="points_0" value="17">' in page
    assert f'action="{reverse("scoring:hand_new", args=[match.address])}"' in page
    assert not LogEntry.objects.filter(match=match).exists()


def test_repeated_form_fields_contain_no_password_and_no_markup() -> None:
    form_fields = {"login": '"><b>a@example.org', "password": "never said again"}
    with read_only():
        answer = Client(raise_request_exception=False).post(
            reverse("account_signup"),
            {
                "email": "new@example.org",
                "password1": "never said again",
                **form_fields,
            },
        )
    page = answer.content.decode()
    assert answer.status_code == 507
    assert "never said" not in page
    assert "<b>a@" not in page


def test_phone_keeps_undelivered_entries_and_resends_them() -> None:
    match, entry = new_match("tricky_bid"), delivery(1)
    with read_only():
        answer = deliver(match, entry)
    assert (answer.status_code, answer["Content-Type"]) == (507, CONTENT_TYPE)
    assert answer.json()["key"] == entry["key"]
    assert answer["Retry-After"] == "60"
    assert deliver(match, entry).status_code == 200
    assert LogEntry.objects.filter(match=match, kind="enter").count() == 1


def test_api_answers_507_while_nothing_can_be_saved() -> None:
    tournament = tournament_with(4)
    caller = Caller(member(tournament.club, Role.DIRECTOR))
    caller.client.raise_request_exception = False
    with read_only():
        answer: Any = caller.request(
            "POST", f"/tournaments/{tournament.address}/finish"
        )
    assert answer.status_code == 507
    assert answer.json()["type"].endswith("#problem-full")
    assert answer["Retry-After"] == "60"


@pytest.mark.one_database
def test_full_sqlite_file_loses_no_acknowledged_entry() -> None:
    # Long enough not to end.
    match = new_match("tricky_bid", 3, multiple=30)
    saved_keys, refused_delivery = [], None
    with full_database():
        for number in range(1, HANDS):
            entry = delivery(number)
            answer = deliver(match, entry)
            if answer.status_code != 200:
                refused_delivery = (number, entry, answer)
                break
            saved_keys.append(entry["key"])
        assert refused_delivery is not None, "it never was full"
        number, entry, answer = refused_delivery
        assert answer.status_code == 507
        page = Client(raise_request_exception=False).get(match.get_absolute_url())
        assert page.status_code == 200
    assert deliver(match, entry).status_code == 200
    keys = [str(key) for key in match.log.in_order().values_list("key", flat=True)]
    assert [key for key in [*saved_keys, entry["key"]] if key not in keys] == []
