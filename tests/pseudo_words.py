"""Untranslated words of a page: those that are neither accented nor part of a name."""

import re
from collections.abc import Iterable, Iterator
from html.parser import HTMLParser

from django.apps import apps

from scoring.rules import GAMES

WORD = re.compile(r"[A-Za-z]{2,}")
TEXT_ATTRIBUTES = (
    "title",
    "aria-label",
    "placeholder",
    "alt",
    "aria-description",
    "label",
)
"""Attributes that people read or hear."""
META_PROPERTIES = ("og:title", "og:description", "og:image:alt")
BUTTONS = {"submit", "button"}
SCRIPT_TEXTS = """
again at-least at-most blind digits-only discard done failed full its-match
loading lost many mark-gone mark-kept mark-refused mark-saved mend no-room
one over pen-gone ready refused-other refused saved scored-later sure
sure-other to-score undo undone unscored which wrong
"""
SCRIPT_ATTRIBUTES = {f"data-{name}" for name in SCRIPT_TEXTS.split()}
"""Attributes with texts that scripts show."""
UNTRANSLATED_ELEMENTS = {"script", "style", "code", "pre", "kbd", "template"}
NOT_TRANSLATED = re.compile(
    r"https?://\S+|\S+@\S+|/[\w/.-]+|\w+(?:\.\w+)+|\b(?:CSV|JSON|Excel|Tricky)\b"
)
"""Addresses, numbers of clauses and proper names."""
VOID_ELEMENTS = {
    "br",
    "hr",
    "img",
    "input",
    "link",
    "meta",
    "source",
    "wbr",
    "area",
    "col",
}
USER_COLUMNS = {
    *("name", "venue", "text", "first_name", "email", "url", "slug", "address", "code"),
    "made_by",
}
"""Columns with text that users type."""


class Texts(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.texts: list[tuple[str, str]] = []
        self.silent_depth = 0
        self.stack: list[tuple[str, bool]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        attributes = dict(attrs)
        is_foreign = tag != "html" and (
            "lang" in attributes or attributes.get("translate") == "no"
        )
        is_silent = tag in UNTRANSLATED_ELEMENTS or is_foreign
        if tag not in VOID_ELEMENTS:
            self.stack.append((tag, is_silent))
            self.silent_depth += is_silent
        if self.silent_depth or is_silent:
            return
        for name, value in attrs:
            is_data = name in SCRIPT_ATTRIBUTES
            is_button = (tag, name) == ("input", "value") and attributes.get(
                "type"
            ) in BUTTONS
            is_description = name == "content" and (
                attributes.get("name") == "description"
                or attributes.get("property") in META_PROPERTIES
            )
            if name in TEXT_ATTRIBUTES or is_data or is_button or is_description:
                self.texts.append((f"<{tag} {name}>", value or ""))

    def handle_endtag(self, tag: str) -> None:
        while self.stack:
            closed, was_silent = self.stack.pop()
            self.silent_depth -= was_silent
            if closed == tag:
                return

    def handle_data(self, data: str) -> None:
        if not self.silent_depth and data.strip():
            element = self.stack[-1][0] if self.stack else ""
            self.texts.append((f"<{element}>", " ".join(data.split())))


def known_words() -> set[str]:
    """Return the words in all text that users typed."""
    known = set()
    for app in ("scoring", "tournaments"):
        for model in apps.get_app_config(app).get_models():
            columns = [
                column.name
                for column in model._meta.concrete_fields
                if column.name in USER_COLUMNS and not column.choices
            ]
            for row in model._default_manager.values_list(*columns) if columns else ():
                for value in row:
                    known.update(WORD.findall(str(value)))
    return known


def untranslated(page: str, known: Iterable[str]) -> Iterator[str]:
    """Yield each text of a page with words neither translated nor known, and its element."""
    texts = Texts()
    texts.feed(page)
    names = [game.name for game in GAMES.values()]
    for element, text in texts.texts:
        rest = text
        for name in sorted(names, key=len, reverse=True):
            rest = rest.replace(name, "")
        rest = NOT_TRANSLATED.sub("", rest)
        words = [word for word in WORD.findall(rest) if word not in known]
        if words:
            yield f"{element} {text[:160]!r}: {', '.join(words[:8])}"
