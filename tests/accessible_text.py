"""What a page says to those who do not see it."""

import re
from html import unescape

DRAWN = r'(?s)<svg.*?</svg>|<(\w+)[^>]* aria-hidden="true"[^>]*>[^<]*</\1>'


def accessible_text(html: str) -> str:
    """Return the words of a page, one space between them, without what is only seen."""
    said = re.sub(r"<[^>]+>", " ", re.sub(DRAWN, " ", html))
    return re.sub(r" ([.,;])", r"\1", " ".join(unescape(said).split()))
