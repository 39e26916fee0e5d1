"""Schemathesis calls every operation at random, as a director, as a scorer and without a token.

Nothing breaks, and every response matches the description. `API_EXAMPLES` makes more calls.
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
"""Calls of each kind by a director; others are mostly refused, and make fewer."""
CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
]
VERB_BY_PATH = {"/says/": "call", "/steps/": "hold"}
"""A valid verb, by part of the path."""
ROLES: list[Role | None] = [None, Role.SCORER, Role.DIRECTOR]


@pytest.fixture
def one_connection() -> Iterator[None]:
    """Keep the test's connection, which Django closes after each request of a server."""
    for signal in (request_started, request_finished):
        signal.disconnect(close_old_connections)
    yield
    for signal in (request_started, request_finished):
        signal.connect(close_old_connections)


def example_path_parameters(path: str, tournament: Tournament) -> dict[str, Any]:
    """Return path parameters that lead to existing objects."""
    match = tournament.rounds.get(number=1).tables.get(number=1).match
    assert match is not None
    is_match = path.startswith("/api/v1/matches/")
    is_player = "/players/" in path
    entry = tournament.entries.get(number=1)
    parameters = {
        "slug": tournament.club.slug,
        "season": "all",
        "address": match.address if is_match else tournament.address,
        "number": entry.player_id if is_player else 1,
        "table": 1,
        "key": 1,
        "verb": next(
            (verb for part, verb in VERB_BY_PATH.items() if part in path), "settle"
        ),
        "delivery": 1,
        "ending": "csv",
    }
    return {name: value for name, value in parameters.items() if f"{{{name}}}" in path}


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
    is_director = role == Role.DIRECTOR
    for result in schema.get_all_operations():
        assert isinstance(result, Ok)
        operation = result.ok()
        path_parameters = example_path_parameters(operation.path, tournament)
        for mode in GenerationMode:
            for parameters in (
                (path_parameters, {}) if is_director else (path_parameters,)
            ):
                cases = operation.as_strategy(
                    generation_mode=mode, path_parameters=parameters or None
                )
                send_random_calls(
                    cases, caller, EXAMPLES if is_director else EXAMPLES - 1
                )


def send_random_calls(
    cases: SearchStrategy[Case[Any]], caller: Caller, max_examples: int
) -> None:
    @given(case=cases)
    @settings(
        max_examples=max_examples,
        database=None,
        deadline=None,
        suppress_health_check=list(HealthCheck),
    )
    def send(case: Case[Any]) -> None:
        headers = {**caller.headers, "Accept-Encoding": "identity"}
        case.call_and_validate(checks=CHECKS, headers=headers)

    # Operations with nothing but these path parameters have no invalid cases.
    with suppress(Unsatisfiable):
        send()
