"""Schemathesis draws questions for every operation, with tokens of a director and a scorer and with none.

Nothing breaks, and every answer is one that the description has. `API_EXAMPLES` draws more.
"""

import os
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

import pytest
import schemathesis
from django.core.signals import request_finished, request_started
from django.core.wsgi import get_wsgi_application
from django.db import close_old_connections
from hypothesis import HealthCheck, given, settings
from hypothesis.errors import Unsatisfiable
from hypothesis.strategies import SearchStrategy
from schemathesis import Case, GenerationMode
from schemathesis.checks import (
    content_type_conformance,
    not_a_server_error,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
)
from schemathesis.core.result import Ok

from tests.api.caller import Caller
from tests.factories.tournaments import (
    member,
    play_round,
    running_round,
    tournament_with,
)
from tournaments.models import Role, Tournament
from tricky_site.api.assembly import api

EXAMPLES = int(os.environ.get("API_EXAMPLES", "2"))
"""Of each kind of question, for a director; others are turned away from most, and ask less."""
CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
]
VERBS = {"/says/": "call", "/steps/": "hold"}
"""What may be done there, by a part of the address."""
ROLES: list[Role | None] = [None, Role.SCORER, Role.DIRECTOR]


@pytest.fixture
def one_connection() -> Iterator[None]:
    """Keep the test's connection, which Django closes after each request of a server."""
    for signal in (request_started, request_finished):
        signal.disconnect(close_old_connections)
    yield
    for signal in (request_started, request_finished):
        signal.connect(close_old_connections)


def example_parts(path: str, tournament: Tournament) -> dict[str, Any]:
    """Return what may stand in an address so that something is there."""
    match = tournament.rounds.get(number=1).tables.get(number=1).match
    assert match is not None
    is_match = path.startswith("/api/v1/matches/")
    is_player = "/players/" in path
    entry = tournament.entries.get(number=1)
    known = {
        "slug": tournament.club.slug,
        "season": "all",
        "address": match.address if is_match else tournament.address,
        "number": entry.player_id if is_player else 1,
        "table": 1,
        "key": 1,
        "verb": next((verb for part, verb in VERBS.items() if part in path), "settle"),
        "delivery": 1,
        "ending": "csv",
    }
    return {name: value for name, value in known.items() if f"{{{name}}}" in path}


@pytest.mark.long(10)
@pytest.mark.one_database
@pytest.mark.django_db
@pytest.mark.parametrize("role", ROLES, ids=str)
def test_random_calls_get_documented_answers(
    role: Role | None, settings_unlimited: None, one_connection: None
) -> None:
    tournament = tournament_with(8, writing="own")
    play_round(running_round(tournament))
    caller = Caller(member(tournament.club, role) if role else None)
    schema = schemathesis.openapi.from_dict(api.get_openapi_schema())
    schema.app = get_wsgi_application()
    directs = role == Role.DIRECTOR
    for offered in schema.get_all_operations():
        assert isinstance(offered, Ok)
        operation = offered.ok()
        there = example_parts(operation.path, tournament)
        for mode in GenerationMode:
            for places in (there, {}) if directs else (there,):
                drawn = operation.as_strategy(
                    generation_mode=mode, path_parameters=places or None
                )
                send_random_calls(drawn, caller, EXAMPLES if directs else EXAMPLES - 1)


def send_random_calls(
    drawn: SearchStrategy[Case[Any]], caller: Caller, examples: int
) -> None:
    @given(case=drawn)
    @settings(
        max_examples=examples,
        database=None,
        deadline=None,
        suppress_health_check=list(HealthCheck),
    )
    def ask(case: Case[Any]) -> None:
        headers = {**caller.headers, "Accept-Encoding": "identity"}
        case.call_and_validate(checks=CHECKS, headers=headers)

    # Of what is there, nothing that stands in an address alone is wrong.
    with suppress(Unsatisfiable):
        ask()
