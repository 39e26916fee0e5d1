"""What was released stays: a description may only grow."""

import json
import os
from collections.abc import Callable
from copy import deepcopy
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings

from tests.api.contract import broken
from tricky_site.api.assembly import api

RELEASED = Path(settings.BASE_DIR) / "docs/api/openapi.json"


@cache
def as_text() -> str:
    return json.dumps(api.get_openapi_schema())


def described() -> dict[str, Any]:
    """Return the description as programs read it."""
    written: dict[str, Any] = json.loads(as_text())
    return written


def test_whoever_knows_the_released_description_can_go_on() -> None:
    assert broken(json.loads(RELEASED.read_text()), described()) == []


def test_the_released_description_is_that_of_the_code() -> None:
    """`WRITE_CONTRACT=1` writes it anew, and refuses where something of it is broken."""
    written = json.dumps(described(), indent=1, sort_keys=True) + "\n"
    if os.environ.get("WRITE_CONTRACT"):
        assert broken(json.loads(RELEASED.read_text()), described()) == []
        RELEASED.write_text(written)
    assert RELEASED.read_text() == written


Change = Callable[[dict[str, Any]], object]
SETTINGS, MATCH, ENTRY = "SettingsGiven", "MatchOut", "EntryGiven"


def schema(document: dict[str, Any], name: str) -> dict[str, Any]:
    found: dict[str, Any] = document["components"]["schemas"][name]
    return found


def question(document: dict[str, Any], path: str, method: str = "get") -> Any:
    return document["paths"][f"/api/v1/{path}"][method]


BREAKING: dict[str, Change] = {
    "an operation goes": lambda d: d["paths"].pop("/api/v1/clubs"),
    "an operation is called otherwise": lambda d: question(d, "clubs").update(
        operationId="all_clubs"
    ),
    "a parameter goes": lambda d: question(d, "clubs")["parameters"].pop(),
    "a parameter is needed": lambda d: question(d, "clubs")["parameters"][0].update(
        required=True
    ),
    "a parameter takes less": lambda d: question(d, "clubs")["parameters"][0][
        "schema"
    ].update(maximum=20),
    "an answer goes": lambda d: question(d, "clubs")["responses"].pop("200"),
    "a field that was answered goes": lambda d: schema(d, MATCH)["properties"].pop(
        "version"
    ),
    "a field that was answered may be missing": lambda d: schema(d, MATCH)[
        "required"
    ].remove("version"),
    "a field that was answered is another": lambda d: schema(d, MATCH)["properties"][
        "version"
    ].update(type="string"),
    "a field may be null": lambda d: schema(d, MATCH)["properties"].update(
        version={"anyOf": [{"type": "integer"}, {"type": "null"}]}
    ),
    "a field that was sent goes": lambda d: schema(d, SETTINGS)["properties"].pop(
        "venue"
    ),
    "a field is needed": lambda d: schema(d, SETTINGS).update(required=["venue"]),
    "a value goes": lambda d: schema(d, ENTRY)["properties"]["kind"]["enum"].remove(
        "void"
    ),
    "a text may be less long": lambda d: schema(d, ENTRY)["properties"][
        "reason"
    ].update(maxLength=10),
}
GROWING: dict[str, Change] = {
    "an operation comes": lambda d: d["paths"].update({"/api/v1/new": {}}),
    "a parameter comes": lambda d: question(d, "clubs")["parameters"].append(
        {"in": "query", "name": "q", "schema": {"type": "string"}, "required": False}
    ),
    "an answer comes": lambda d: question(d, "clubs")["responses"].update({"418": {}}),
    "a field that is answered comes": lambda d: schema(d, MATCH)["properties"].update(
        colour={"type": "string"}
    ),
    "a field that is sent comes": lambda d: schema(d, SETTINGS)["properties"].update(
        colour={"type": "string"}
    ),
    "a value comes": lambda d: schema(d, ENTRY)["properties"]["kind"]["enum"].append(
        "dispute"
    ),
    "a text may be longer": lambda d: schema(d, ENTRY)["properties"]["reason"].update(
        maxLength=1000
    ),
}


def changed(change: Change) -> list[str]:
    """Return what a change of the description breaks."""
    before = described()
    after = deepcopy(before)
    change(after)
    return broken(before, after)


@pytest.mark.parametrize("change", BREAKING.values(), ids=BREAKING)
def test_it_is_noticed_when(change: Change) -> None:
    assert changed(change) != []


@pytest.mark.parametrize("change", GROWING.values(), ids=GROWING)
def test_nothing_breaks_when(change: Change) -> None:
    assert changed(change) == []
