"""Template tags for the tables of a round."""

from datetime import datetime
from typing import Any

from django import template
from django.urls import reverse
from django.utils import timezone
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from scoring.pages.confirmation import describe_required_confirmations
from tournaments.files.writing import FORMATS
from tournaments.models.round_names import round_name, round_subject
from tournaments.models.rounds import required_confirmation_count
from tournaments.web.standings.lines import round_number_or_name

register = template.Library()
register.filter("round_name", round_name)
register.filter("round_subject", round_subject)
register.filter("round_number_or_name", round_number_or_name)


@register.filter
def quorum_in_words(quorum: str) -> str:
    """Return a sentence about the players that have to confirm a result."""
    return describe_required_confirmations(required_confirmation_count(2, quorum), 2)


ICONS = {
    "waiting": "hourglass",
    "playing": "play",
    "ended": "hourglass",
    "undecided": "triangle-alert",
    "unconfirmed": "users",
    "silent": "cloud-off",
    "kept": "cloud-off",
    "done": "check",
    "disputed": "triangle-alert",
    "called": "hand",
    "void": "ban",
}
"""Icons of the states of a table."""


@register.filter
def table_state_icon(state: str) -> str:
    return ICONS[state]


@register.simple_tag
def minutes_ago(moment: datetime) -> SafeString:
    """Show the minutes since a moment; `desk.js` updates them, so a cached card stays right."""
    minutes = int((timezone.now() - moment).total_seconds() // 60)
    text, just_now = _("%(minutes)s min ago"), _("just now")
    return format_html(
        '<span data-timestamp="{}" data-minutes-ago-text="{}" data-just-now-text="{}">{}</span>',
        moment.isoformat(),
        text % {"minutes": "{minutes}"},
        just_now,
        text % {"minutes": minutes} if minutes > 0 else just_now,
    )


NOTES = {
    "kept": "cloud-off",
    "silent": "cloud-off",
    "left": "users",
    "arrived": "users",
}
"""Icons of the desk's attention lines; others have the warning sign."""


@register.filter
def attention_line_icon(kind: str) -> str:
    return NOTES.get(kind, "triangle-alert")


@register.inclusion_tag("tournaments/_downloads.html")
def download_links(
    view: str, *parts: object, query: str = "", caption: str = ""
) -> dict[str, Any]:
    """Show download links for a table in each format, with the query of the page.

    `caption` is shown before the links, to tell several tables apart.
    """
    return {
        "caption": caption,
        "files": [
            {
                "label": file_format.label,
                "address": reverse(view, args=[*parts, ending])
                + (f"?{query}" if query else ""),
            }
            for ending, file_format in FORMATS.items()
        ],
    }
