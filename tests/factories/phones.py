"""Entries in the format that phones send."""

import json
from typing import Any
from uuid import uuid4

from django.test import Client

from scoring.matchlog.tokens import match_write_token
from scoring.models import Match
from scoring.web.views.sync import CONTENT_TYPE


def deliver(
    address: str, entry: dict[str, Any], token: str | None = None
) -> tuple[int, dict[str, Any]]:
    seat_token = match_write_token(Match(address=address)) if token is None else token
    response = Client(enforce_csrf_checks=True).post(
        f"/m/{address}/entries/",
        json.dumps(entry),
        content_type="application/json",
        headers={"X-Seat-Token": seat_token},
    )
    assert response["Content-Type"] == CONTENT_TYPE
    return response.status_code, response.json()


def entry(kind: str = "enter", **fields: Any) -> dict[str, Any]:
    """Return an entry, by default for the first hand."""
    defaults = {
        "format": "trick-entry",
        "version": 1,
        "key": str(uuid4()),
        "kind": kind,
    }
    return {**defaults, "number": 1, "base": 0, **fields}


def start(game: str = "tricky", *names: str, **fields: Any) -> dict[str, Any]:
    """Return the entry with which a phone starts a match."""
    head = {"format": "trick-record", "version": 1, "game": game, "options": {}}
    players = {"players": list(names or ("Ann", "Bo")), "hands": []}
    return entry("start", number=None, body={**head, **players, **fields})
