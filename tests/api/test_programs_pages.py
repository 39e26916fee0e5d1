"""The pages on which API tokens are made, and web sites get access."""

import re
from typing import Any

import pytest
from django.test import Client

from tests.api.caller import Caller
from tests.factories.tournaments import (
    ClubFactory,
    UserFactory,
    member,
    running_round,
    tournament_with,
)
from tournaments.models import ApiOrigin, ApiToken, Role

pytestmark = pytest.mark.django_db
SECRET = re.compile(r"tricky_[\w-]{43}")


def test_token_is_shown_once_and_stored_only_as_a_digest(client: Client) -> None:
    user = UserFactory.create()
    client.force_login(user)
    form_fields = {"key": "4f", "name": "The club's site", "days": "30"}
    created_page = client.post("/tokens/", form_fields)
    (secret,) = set(SECRET.findall(created_page.content.decode()))
    assert created_page["Cache-Control"] == "no-store"
    second_page = client.post("/tokens/", form_fields, follow=True).content.decode()
    assert "its secret was only shown once" in second_page
    assert not SECRET.search(second_page)
    token = ApiToken.objects.get(user=user)
    assert secret not in str(vars(token))
    assert token.expires_at is not None
    response = Caller().request("GET", "/clubs", Authorization=f"Bearer {secret}")
    assert response.status_code == 200
    token.refresh_from_db()
    assert token.last_used_at is not None


def test_only_the_owner_revokes_a_token(client: Client) -> None:
    caller = Caller(UserFactory.create())
    client.force_login(UserFactory.create())
    assert client.post(f"/tokens/{caller.token.pk}/end/").status_code == 404
    assert caller.request("GET", "/clubs").status_code == 200


@pytest.mark.parametrize(
    "invalid_fields", [{"name": ""}, {"scopes": "all"}, {"days": "7"}, {"club": "1"}]
)
def test_refuses_an_impossible_token(
    client: Client, invalid_fields: dict[str, str]
) -> None:
    ClubFactory.create()
    client.force_login(UserFactory.create())
    form_fields = {"name": "Mine", "scopes": "score", "days": "30", **invalid_fields}
    page = client.post("/tokens/", form_fields).content.decode()
    assert 'role="alert"' in page
    assert not ApiToken.objects.exists()


def preflight(path: str, origin: str) -> Any:
    return Client().options(
        f"/api/v1{path}",
        headers={"Origin": origin, "Access-Control-Request-Method": "GET"},
    )


def test_cross_origin_pages_read_only_clubs_that_allow_them(client: Client) -> None:
    tournament, other = tournament_with(4), tournament_with(4)
    round_ = running_round(tournament)
    match = round_.tables.get().match
    assert match is not None
    client.force_login(member(tournament.club, Role.DIRECTOR))
    slug = tournament.club.slug
    client.post(f"/clubs/{slug}/origins/", {"origin": "https://Club.example/"})
    origin = "https://club.example"
    allowed_paths = (
        f"/clubs/{slug}",
        f"/tournaments/{tournament.address}",
        f"/matches/{match.address}",
        "/clubs",
    )
    refused_paths = (f"/clubs/{other.club.slug}", f"/tournaments/{other.address}")
    header = "Access-Control-Allow-Origin"
    for path in allowed_paths:
        assert preflight(path, origin)[header] == origin
        assert Caller().request("GET", path, Origin=origin)[header] == origin
        assert header not in preflight(path, "https://evil.example").headers
    for path in refused_paths:
        assert header not in preflight(path, origin).headers
    client.post(f"/clubs/{slug}/origins/{ApiOrigin.objects.get().pk}/remove/")
    assert header not in preflight(allowed_paths[0], origin).headers


def test_reference_lists_every_operation_without_scripts(client: Client) -> None:
    page = client.get("/api/v1/reference").content.decode()
    for name in ("entry_new", "tournament_change", "season_leaderboard"):
        assert f'id="{name}"' in page
    assert "problem-foreign-cursor" in page
    assert not re.search(r'(?:src|href)="https?://', page)
