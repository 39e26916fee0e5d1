"""What of a page nobody translated: words that are neither accented nor somebody's name."""

import re
from collections.abc import Iterable, Iterator
from html.parser import HTMLParser

from django.apps import apps

from scoring.rules import GAMES

WORD = re.compile(r"[A-Za-z]{2,}")
SPOKEN_IN = ("title", "aria-label", "placeholder", "alt", "aria-description", "label")
"""Attributes that people read or hear."""
ABOUT = ("og:title", "og:description", "og:image:alt")
BUTTONS = {"submit", "button"}
SHOWN_BY_SCRIPTS = """
again at-least at-most blind digits-only discard done failed full its-match
loading lost many mark-gone mark-kept mark-refused mark-saved mend no-room
one over pen-gone ready refused-other refused saved scored-later sure
sure-other to-score undo undone unscored which wrong
"""
CARRIED = {f"data-{name}" for name in SHOWN_BY_SCRIPTS.split()}
"""Attributes whose words a script shows."""
UNSPOKEN = {"script", "style", "code", "pre", "kbd", "template"}
NO_WORDS = re.compile(
    r"https?://\S+|\S+@\S+|/[\w/.-]+|\w+(?:\.\w+)+|\b(?:CSV|JSON|Excel|Tricky)\b"
)
"""Addresses, clauses, and what is called so everywhere."""
EMPTY = {"br", "hr", "img", "input", "link", "meta", "source", "wbr", "area", "col"}
NAMES = {
    *("name", "venue", "text", "first_name", "email", "url", "slug", "address", "code"),
    "made_by",
}
"""Columns that somebody typed."""


class Texts(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.said: list[tuple[str, str]] = []
        self.silent = 0
        self.stack: list[tuple[str, bool]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        is_other = tag != "html" and ("lang" in given or given.get("translate") == "no")
        is_silent = tag in UNSPOKEN or is_other
        if tag not in EMPTY:
            self.stack.append((tag, is_silent))
            self.silent += is_silent
        if self.silent or is_silent:
            return
        for name, value in attrs:
            is_data = name in CARRIED
            is_button = (tag, name) == ("input", "value") and given.get(
                "type"
            ) in BUTTONS
            is_about = name == "content" and (
                given.get("name") == "description" or given.get("property") in ABOUT
            )
            if name in SPOKEN_IN or is_data or is_button or is_about:
                self.said.append((f"<{tag} {name}>", value or ""))

    def handle_endtag(self, tag: str) -> None:
        while self.stack:
            last, was_silent = self.stack.pop()
            self.silent -= was_silent
            if last == tag:
                return

    def handle_data(self, data: str) -> None:
        if not self.silent and data.strip():
            within = self.stack[-1][0] if self.stack else ""
            self.said.append((f"<{within}>", " ".join(data.split())))


def known_words() -> set[str]:
    """Return the words of whatever somebody typed."""
    known = set()
    for app in ("scoring", "tournaments"):
        for model in apps.get_app_config(app).get_models():
            columns = [
                column.name
                for column in model._meta.concrete_fields
                if column.name in NAMES and not column.choices
            ]
            for row in model._default_manager.values_list(*columns) if columns else ():
                for value in row:
                    known.update(WORD.findall(str(value)))
    return known


def untranslated(page: str, known: Iterable[str]) -> Iterator[str]:
    """Yield what of a page is neither translated nor known, and where it stands."""
    texts = Texts()
    texts.feed(page)
    names = [game.name for game in GAMES.values()]
    for where, text in texts.said:
        rest = text
        for name in sorted(names, key=len, reverse=True):
            rest = rest.replace(name, "")
        rest = NO_WORDS.sub("", rest)
        words = [word for word in WORD.findall(rest) if word not in known]
        if words:
            yield f"{where} {text[:160]!r}: {', '.join(words[:8])}"
