"""What is sent: an event in JSON for programs, or in the words of a place where people chat."""

import json
import re
from collections.abc import Callable
from html import escape
from typing import Any

from tournaments.models import HookEvent, Webhook

Style = Webhook.Style
MARKED = re.compile(r"([\\`*_~|>#\[\]()@<])")
"""What Discord reads as more than itself."""
LONGEST = 1900
"""Signs of a message; Discord takes 2,000."""
GREEN = 0x1F6F4A


def serialize_event(event: HookEvent, hook: Webhook) -> bytes:
    written = WRITERS[Style(hook.style)](event, hook.site + event.path)
    return json.dumps(written, ensure_ascii=False).encode()


def _standard(event: HookEvent, link: str) -> dict[str, Any]:
    return {
        "type": event.kind,
        "timestamp": event.at.isoformat(),
        "data": {"title": event.title, "link": link, **event.content},
    }


def _text(event: HookEvent, link: str) -> str:
    return "\n".join([*_fitting([event.title, *event.lines]), link])


def _fitting(lines: list[str]) -> list[str]:
    """Return as many lines as a message has room for."""
    kept: list[str] = []
    for line in lines:
        if sum(map(len, kept)) + len(kept) + len(line) > LONGEST:
            return [*kept, "…"]
        kept.append(line)
    return kept


def _unmarked(text: str) -> str:
    return MARKED.sub(r"\\\1", text)


NOBODY: dict[str, Any] = {"parse": []}
"""Whom a message calls: a player may be named @everyone."""


def _discord_text(event: HookEvent, link: str) -> dict[str, Any]:
    lines = _fitting([_unmarked(line) for line in (event.title, *event.lines)])
    return {"content": "\n".join([*lines, f"<{link}>"]), "allowed_mentions": NOBODY}


def _discord(event: HookEvent, link: str) -> dict[str, Any]:
    card = {
        "title": _unmarked(event.title)[:256],
        "url": link,
        "description": "\n".join(_fitting([_unmarked(line) for line in event.lines])),
        "timestamp": event.at.isoformat(),
        "color": GREEN,
    }
    return {"embeds": [card], "allowed_mentions": NOBODY}


def _slack_escaped(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def _slack_text(event: HookEvent, link: str) -> dict[str, Any]:
    return {"text": _slack_escaped(_text(event, link)), "mrkdwn": False}


def _slack(event: HookEvent, link: str) -> dict[str, Any]:
    lines = "\n".join(_fitting(event.lines)) or event.title
    return {
        "text": _slack_escaped(event.title),
        "blocks": [
            {
                "type": "header",
                "text": {"type": "plain_text", "text": event.title[:150]},
            },
            {"type": "section", "text": {"type": "plain_text", "text": lines}},
            {
                "type": "context",
                "elements": [{"type": "mrkdwn", "text": f"<{link}>"}],
            },
        ],
    }


def _matrix_text(event: HookEvent, link: str) -> dict[str, Any]:
    return {"text": _text(event, link), "html": escape(_text(event, link))}


def _matrix(event: HookEvent, link: str) -> dict[str, Any]:
    title = f'<h4><a href="{escape(link)}">{escape(event.title)}</a></h4>'
    lines = "<br>".join(escape(line) for line in _fitting(event.lines))
    return {"text": _text(event, link), "html": f"{title}<p>{lines}</p>"}


WRITERS: dict[Style, Callable[[HookEvent, str], dict[str, Any]]] = {
    Style.STANDARD: _standard,
    Style.DISCORD: _discord,
    Style.DISCORD_TEXT: _discord_text,
    Style.SLACK: _slack,
    Style.SLACK_TEXT: _slack_text,
    Style.MATRIX: _matrix,
    Style.MATRIX_TEXT: _matrix_text,
}
