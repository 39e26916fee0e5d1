"""Events in each chat format: complete, within its limits, without mentions."""

import json
from typing import Any

import pytest

from tests.factories.hooks import new_webhook
from tests.factories.matches import NOW
from tests.factories.tournaments import ClubFactory
from tournaments.hooks.formats import serialize_event
from tournaments.models import HookEvent, Webhook

pytestmark = pytest.mark.django_db
NAME = "<b>@everyone</b> *Ann*"


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


@pytest.mark.parametrize("style", ["discord", "discord-text"])
def test_long_round_fits_into_a_message(style: str) -> None:
    body = payload(style, [f"Table {number}: " + "x" * 80 for number in range(60)])
    text = (
        body["content"] if style == "discord-text" else body["embeds"][0]["description"]
    )
    assert len(text) < 2000
    assert "…" in text
