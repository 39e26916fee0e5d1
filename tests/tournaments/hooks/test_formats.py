"""Events in each chat format: complete, within its limits, without mentions."""

import json
from typing import Any

import jsonschema_rs
import pytest

from tests.factories.hooks import new_webhook
from tests.factories.matches import NOW
from tests.factories.tournaments import ClubFactory
from tournaments.hooks.formats import serialize_event
from tournaments.models import HookEvent, Webhook

pytestmark = pytest.mark.django_db
NAME = "<b>@everyone</b> *Ann*"


def schema_of_object(required: list[str], **properties: Any) -> dict[str, Any]:
    return {
        "type": "object",
        "additionalProperties": False,
        "required": required,
        "properties": properties,
    }


def schema_of_text(most: int, least: int = 0) -> dict[str, Any]:
    return {"type": "string", "minLength": least, "maxLength": most}


def schema_of_slack_text(kind: str, most: int) -> dict[str, Any]:
    return schema_of_object(
        ["type", "text"], type={"const": kind}, text=schema_of_text(most, 1)
    )


DISCORD = schema_of_object(
    [],
    content=schema_of_text(2000),
    embeds={
        "type": "array",
        "maxItems": 10,
        "items": schema_of_object(
            [],
            url={"type": "string", "maxLength": 2048, "format": "uri"},
            title=schema_of_text(256),
            color={"type": "integer", "minimum": 0, "maximum": 0xFFFFFF},
            timestamp={"type": "string", "format": "date-time"},
            description=schema_of_text(4096),
        ),
    },
    allowed_mentions=schema_of_object(
        [], parse={"type": "array", "items": {"enum": ["users", "roles", "everyone"]}}
    ),
)
"""What *Execute Webhook* takes of the fields that we send, by Discord's OpenAPI description, version 10."""
SLACK = schema_of_object(
    ["text"],
    text=schema_of_text(40_000, 1),
    mrkdwn={"type": "boolean"},
    blocks={
        "type": "array",
        "maxItems": 50,
        "items": {
            "oneOf": [
                schema_of_object(
                    ["type", "text"],
                    type={"const": "header"},
                    text=schema_of_slack_text("plain_text", 150),
                ),
                schema_of_object(
                    ["type", "text"],
                    type={"const": "section"},
                    text=schema_of_slack_text("plain_text", 3000),
                ),
                schema_of_object(
                    ["type", "elements"],
                    type={"const": "context"},
                    elements={
                        "type": "array",
                        "minItems": 1,
                        "maxItems": 10,
                        "items": schema_of_slack_text("mrkdwn", 3000),
                    },
                ),
            ]
        },
    },
)
"""What an incoming webhook takes of the fields that we send, by Slack's reference of Block Kit."""


def payload(style: str, lines: list[str] | None = None) -> Any:
    club = ClubFactory.create()
    event = HookEvent.objects.create(
        club=club,
        kind="match.finished",
        title="Thursday: table 3",
        lines=[f"1. {NAME}: 80"] if lines is None else lines,
        path="/t/x/",
        content={"round": 2},
        at=NOW,
    )
    return json.loads(serialize_event(event, new_webhook(club, style=style)))


def test_program_payload_has_type_time_and_data() -> None:
    body = payload("standard")
    assert (body["type"], body["timestamp"]) == ("match.finished", NOW.isoformat())
    assert body["data"]["round"] == 2
    assert body["data"]["link"] == "https://tricky.example/t/x/"


@pytest.mark.parametrize(
    "style", [style for style in Webhook.Style if style != "standard"]
)
def test_each_chat_format_has_title_lines_and_link(style: str) -> None:
    body = json.dumps(payload(style, ["1. Ada: 80"]))
    assert all(
        part in body for part in ("table 3", "Ada: 80", "https://tricky.example/t/x/")
    )


@pytest.mark.parametrize("style", ["discord", "discord-text"])
def test_discord_text_has_no_mentions_or_markup(style: str) -> None:
    body = payload(style)
    assert body["allowed_mentions"] == {"parse": []}
    text = (
        body["content"] if style == "discord-text" else body["embeds"][0]["description"]
    )
    assert r"\<b\>\@everyone\</b\> \*Ann\*" in text


def test_slack_and_matrix_escape_names() -> None:
    assert "&lt;b&gt;@everyone" in payload("slack-text")["text"]
    assert payload("slack")["blocks"][1]["text"]["type"] == "plain_text"
    assert "&lt;b&gt;@everyone" in payload("matrix")["html"]
    assert "<b>" not in payload("matrix-text")["html"]


@pytest.mark.parametrize(
    ("style", "schema"),
    [
        ("discord", DISCORD),
        ("discord-text", DISCORD),
        ("slack", SLACK),
        ("slack-text", SLACK),
    ],
)
@pytest.mark.parametrize("lines", [[], [NAME], [NAME * 40] * 60])
def test_message_is_valid_by_the_schema_of_its_service(
    style: str, schema: dict[str, Any], lines: list[str]
) -> None:
    jsonschema_rs.validate(schema, payload(style, lines), validate_formats=True)


@pytest.mark.parametrize("style", ["discord", "discord-text"])
def test_long_round_fits_into_a_message(style: str) -> None:
    body = payload(style, [f"Table {number}: " + "x" * 80 for number in range(60)])
    text = (
        body["content"] if style == "discord-text" else body["embeds"][0]["description"]
    )
    assert len(text) < 2000
    assert "…" in text
