"""Text of a page as screen readers read it."""

import re
from html import unescape

DECORATION = r'(?s)<svg.*?</svg>|<(\w+)[^>]* aria-hidden="true"[^>]*>[^<]*</\1>'


def accessible_text(html: str) -> str:
    """Return the text of a page, with single spaces and without drawings."""
    text = re.sub(r"<[^>]+>", " ", re.sub(DECORATION, " ", html))
    return re.sub(r" ([.,;])", r"\1", " ".join(unescape(text).split()))
