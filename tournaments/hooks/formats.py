"""Events as they are sent: JSON for programs, or messages for chat services."""

import json
import re
from html import escape
from typing import Any

from tournaments.models import HookEvent, Webhook

Style = Webhook.Style
MARKED = re.compile(r"([\\`*_~|>#\[\]()@<])")
"""Characters that Discord reads as formatting."""
LONGEST = 1900
"""Characters of a message; Discord takes 2,000."""
GREEN = 0x1F6F4A
MENTIONS_OFF: dict[str, Any] = {"parse": []}
"""Lets Discord notify no one, as a player may be named @everyone."""


def serialize_event(event: HookEvent, hook: Webhook) -> bytes:
    link = hook.site + event.path
    content: dict[str, Any]
    match Style(hook.style):
        case Style.STANDARD:
            content = {
                "type": event.kind,
                "timestamp": event.at.isoformat(),
                "data": {"title": event.title, "link": link, **event.content},
            }
        case Style.DISCORD:
            lines = _truncate_to_message_length(
                [_escape_markdown(line) for line in event.lines]
            )
            card = {
                "title": _escape_markdown(event.title)[:256],
                "url": link,
                "description": "\n".join(lines),
                "timestamp": event.at.isoformat(),
                "color": GREEN,
            }
            content = {"embeds": [card], "allowed_mentions": MENTIONS_OFF}
        case Style.DISCORD_TEXT:
            lines = _truncate_to_message_length(
                [_escape_markdown(line) for line in (event.title, *event.lines)]
            )
            content = {
                "content": "\n".join([*lines, f"<{link}>"]),
                "allowed_mentions": MENTIONS_OFF,
            }
        case Style.SLACK:
            title = {"type": "plain_text", "text": event.title[:150]}
            message = "\n".join(_truncate_to_message_length(event.lines)) or event.title
            text = {"type": "plain_text", "text": message}
            footer = {"type": "mrkdwn", "text": f"<{link}>"}
            content = {
                "text": _escape_slack(event.title),
                "blocks": [
                    {"type": "header", "text": title},
                    {"type": "section", "text": text},
                    {"type": "context", "elements": [footer]},
                ],
            }
        case Style.SLACK_TEXT:
            content = {"text": _escape_slack(_plain_text(event, link)), "mrkdwn": False}
        case Style.MATRIX:
            heading = f'<h4><a href="{escape(link)}">{escape(event.title)}</a></h4>'
            lines = [escape(line) for line in _truncate_to_message_length(event.lines)]
            content = {
                "text": _plain_text(event, link),
                "html": f"{heading}<p>{'<br>'.join(lines)}</p>",
            }
        case Style.MATRIX_TEXT:
            message = _plain_text(event, link)
            content = {"text": message, "html": escape(message)}
    return json.dumps(content, ensure_ascii=False).encode()


def _plain_text(event: HookEvent, link: str) -> str:
    return "\n".join([*_truncate_to_message_length([event.title, *event.lines]), link])


def _truncate_to_message_length(lines: list[str]) -> list[str]:
    """Return the lines that fit into `LONGEST` characters, with an ellipsis if some do not."""
    fitting_lines: list[str] = []
    for line in lines:
        if sum(map(len, fitting_lines)) + len(fitting_lines) + len(line) > LONGEST:
            return [*fitting_lines, "…"]
        fitting_lines.append(line)
    return fitting_lines


def _escape_markdown(text: str) -> str:
    return MARKED.sub(r"\\\1", text)


def _escape_slack(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
