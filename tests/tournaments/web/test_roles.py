"""Every URL with every role, compared with the table in docs/reference/roles.md."""

import re
from itertools import product
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest
from django.core.cache import caches
from django.db import transaction
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver, reverse

from tests.factories.circuits import new_circuit
from tests.factories.tournaments import (
    ClubFactory,
    UserFactory,
    member,
    running_round,
    tournament_with,
)
from tournaments.models import Club, Role

pytestmark = [pytest.mark.django_db, pytest.mark.one_database]

DOCUMENT = (Path(__file__).parents[3] / "docs/reference/roles.md").read_text()
ROWS = re.findall(r"^\| `(\w+)` \| ([a-z]+) \|", DOCUMENT, re.MULTILINE)
ROLES_BY_REQUIREMENT = {"everyone": None, **{role.name.lower(): role for role in Role}}
VALUES: dict[str, str | int | UUID] = {
    "slug": "club-x",
    "season": "2026-spring",
    "key": UUID(int=7),
    "number": 1,
    "table": 1,
    "pk": 1,
    "merged": 1,
    "kept": 2,
    "version": "0123456789abcdef",
    "colour": "1f4e8c",
    "circuit": "circuit-x",
    "ending": "csv",
}
ANY_ACCOUNT = (
    *("player_claim", "claim_withdraw", "tokens", "token_end", "club_import"),
    *("account_history", "sign_in_end", "sign_ins_end", "club_import_status"),
    *("account_export", "account_close", "demo_claim"),
)
WITH_FIELDS = ("desk_subscribe",)
"""Without form data, these return 400 to visitors who may use them."""
OWNERS = ("player_visibility", "player_export", "player_erase")
"""For the account that the object belongs to, and for directors."""
VERBS = {
    "me_action": {"verb": "here"},
    "claim_settle": {"verb": "confirm"},
    "season_action": {"verb": "close"},
    "import_action": {"verb": "undo"},
    "player_picture": {"chart_name": "rating"},
    "registration": {"verb": "close"},
    "round_action": {"verb": "publish"},
    "desk_table_action": {"verb": "settle"},
    "auto_step_action": {"verb": "hold"},
    "table_action": {"verb": "call"},
    "club_follow": {"verb": "follow"},
    "club_circuit_action": {"verb": "accept"},
    "circuit_tournament": {"verb": "add"},
    "webhook_action": {"verb": "try"},
}


def patterns_of_tournaments() -> dict[str, URLPattern]:
    """Return every named URL pattern of the app."""
    patterns_by_name: dict[str, URLPattern] = {}

    def walk(patterns: list[URLPattern | URLResolver]) -> None:
        for pattern in patterns:
            if isinstance(pattern, URLResolver):
                walk(pattern.url_patterns)
            elif pattern.name:
                patterns_by_name[pattern.name] = pattern

    resolver = next(
        pattern
        for pattern in get_resolver().url_patterns
        if isinstance(pattern, URLResolver) and pattern.app_name == "tournaments"
    )
    walk(resolver.url_patterns)
    return patterns_by_name


def test_document_lists_every_address_with_its_requirement() -> None:
    requirements = {
        name: pattern.callback.required_role  # type: ignore[attr-defined]
        for name, pattern in patterns_of_tournaments().items()
    }
    assert {name: ROLES_BY_REQUIREMENT[role] for name, role in ROWS} == requirements


Visitor = Role | str | None
"""A role in the club, `account` for one without, None for a stranger."""


VISITORS: list[Visitor] = [None, "account", *Role]


@pytest.mark.parametrize("requirement", ROLES_BY_REQUIREMENT)
def test_address_admits_authorised_visitors_only(requirement: str) -> None:
    club = ClubFactory.create(slug=VALUES["slug"])
    tournament = tournament_with(4, club=club)
    running_round(tournament)
    new_circuit(club, slug=str(VALUES["circuit"]))
    cookies_by_visitor = {
        visitor: client_of(visitor, club).cookies for visitor in VISITORS
    }
    names = [name for name, row_requirement in ROWS if row_requirement == requirement]
    for name, (visitor, cookies) in product(names, cookies_by_visitor.items()):
        url = reverse(f"tournaments:{name}", kwargs=parts_of(name, tournament.address))
        client = Client()
        client.cookies.update(cookies)
        expected = allowed_statuses(name, ROLES_BY_REQUIREMENT[requirement], visitor)
        with transaction.atomic():
            for response in (client.get(url), client.post(url)):
                assert response.status_code in expected, (visitor, response.request)
                if visitor is not None and requirement != "everyone":
                    assert has_sign_out_link(response), response.request
                if (
                    visitor is None
                    and ROLES_BY_REQUIREMENT[requirement]
                    and response.status_code == 302
                ):
                    assert "/accounts/login/" in response["Location"]
            # The next visitor starts from the same state.
            transaction.set_rollback(True)
        for cache in caches.all():
            cache.clear()


def has_sign_out_link(response: Any) -> bool:
    """Return whether a response links to *You*, which has the sign-out, or isn't a page."""
    page = response.content.decode(errors="replace") if not response.streaming else ""
    if response.status_code != 200 or "<!doctype html>" not in page[:200].lower():
        return True
    return f'href="{reverse("tournaments:you")}"' in page


def client_of(visitor: Visitor, club: Club) -> Client:
    """Return the browser of a visitor, signed in if they have an account."""
    client = Client()
    if isinstance(visitor, Role):
        client.force_login(member(club, visitor))
    elif visitor == "account":
        client.force_login(UserFactory.create())
    return client


def allowed_statuses(
    name: str, required_role: Role | None, visitor: Visitor
) -> set[int]:
    """Return the allowed status codes; 405 is for a URL that accepts only the other method."""
    if name in OWNERS and visitor and visitor != Role.DIRECTOR:
        return {403, 404, 405}
    has_role = (
        isinstance(visitor, Role)
        and required_role is not None
        and visitor >= required_role
    )
    if required_role is None or has_role or (name in ANY_ACCOUNT and visitor):
        return {200, 204, 302, 404, 405} | ({400} if name in WITH_FIELDS else set())
    return {302, 405} if visitor is None else {403, 405}


def parts_of(name: str, address: str) -> dict[str, str | int | UUID]:
    """Return values for all parameters of a URL."""
    values = {**VALUES, "address": address, **VERBS.get(name, {})}
    patterns = get_resolver().namespace_dict["tournaments"][1].reverse_dict
    keys = patterns.getlist(name)[0][0][0][1]
    return {key: values[key] for key in keys}
