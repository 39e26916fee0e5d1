"""The published schemas: in docs and on the site."""

import json
import os
from pathlib import Path

import pytest
from django.conf import settings
from django.core.management import call_command
from django.test import Client
from jsonschema_rs import Draft202012Validator

from scoring.games.registry import table_games
from scoring.matchlog.records import export_match
from scoring.models import Match
from tricky_site.api.reference import SCHEMAS

FOLDER = Path(settings.BASE_DIR) / "docs/schemas"


@pytest.mark.parametrize("name", list(SCHEMAS))
def test_documented_schema_matches_the_code(name: str) -> None:
    path = FOLDER / f"{name}.json"
    text = json.dumps(SCHEMAS[name](), indent=2, ensure_ascii=False) + "\n"
    if os.environ.get("WRITE_SCHEMAS"):
        path.write_text(text)
    assert path.read_text() == text, "WRITE_SCHEMAS=1 writes it again"


@pytest.mark.parametrize("name", list(SCHEMAS))
def test_the_site_answers_with_the_schema(name: str) -> None:
    answer = Client().get(f"/schemas/{name}.json")
    assert answer.json() == SCHEMAS[name]()
    assert answer["Content-Type"] == "application/schema+json"
    assert answer["Access-Control-Allow-Origin"] == "*"


def test_unknown_schema_is_not_found() -> None:
    assert Client().get("/schemas/trick-record-2.json").status_code == 404


@pytest.mark.long(10)
@pytest.mark.one_database
@pytest.mark.django_db
def test_every_match_of_the_demo_is_a_record_by_the_schema() -> None:
    call_command("demo", verbosity=0)
    validator = Draft202012Validator(SCHEMAS["trick-record-1"]())
    records = [export_match(match) for match in Match.objects.order_by("pk")]
    assert {json.loads(record)["game"] for record in records} == {
        game.id for game in table_games() if game.demo_table_sizes
    }
    errors = [
        error.message
        for record in records
        for error in validator.iter_errors(json.loads(record))
    ]
    assert errors == []
