"""English messages are plain: none has a word or a form that is hard to read."""

import re
from collections.abc import Iterator

import polib
import pytest

from scoring.locales.catalogs import LOCALES, PO_PATH

MARKUP = re.compile(r"<[^>]*>|&\w+;")
START = r"(?:^|(?<=[.!?] )|(?<=[.!?]” ))"
"""Start of a message or of a later sentence in it."""
RULES = {
    "uses straight quotes": r"['\"]",
    "joins sentences by a semicolon": r";",
    "says what is expected": r"\bis expected here\b",
    "begins with a pronoun": r"^(It|Its|They)\b",
    "has “who” as a subject": rf"{START}(Who|Whoever)\b(?![^.!]*\?)",
    "says “anew”": r"\banew\b",
    "ends with “no more”": r"\bno more(?=[.:,!]|$)",
    "says “somebody”": r"\b([Ss]ome|[Ee]very|[Nn]o)body\b",
}
FAULTY = {
    "uses straight quotes": "The setting side's tricks",
    "joins sentences by a semicolon": "The club is archived; restore it first.",
    "says what is expected": "A number from 9 on is expected here.",
    "begins with a pronoun": "It was used, or is too old.",
    "has “who” as a subject": "All hands are in. Who has won is shown soon.",
    "says “anew”": "Draw anew, please.",
    "ends with “no more”": "Hand 3 counts no more.",
    "says “somebody”": "Nobody is here yet.",
}
EXCEPTIONS = {
    "It works. Opening Tricky…": "what people say when it does",
    "It’s %(due)s’s turn to bid.": "“it” stands for nothing",
    "It’s %(due)s’s turn to bid, not %(who)s’s.": "“it” stands for nothing",
    "They’re here": "label of a box below the names",
    "Who sits where": "title of the list of seats",
    "plays on for somebody": "stored in matches as a reason",
}
"""Messages that may break a rule, with the reason."""


def messages() -> Iterator[str]:
    for entry in polib.pofile(str(LOCALES / "de" / PO_PATH)):
        if not entry.obsolete:
            yield from filter(None, (entry.msgid, entry.msgid_plural))


def breaks_rule(rule: str, message: str) -> bool:
    return re.search(RULES[rule], MARKUP.sub("", message)) is not None


@pytest.mark.parametrize("rule", RULES)
def test_no_message_breaks_a_rule(rule: str) -> None:
    faulty = {message for message in messages() if breaks_rule(rule, message)}
    unexpected = sorted(faulty - EXCEPTIONS.keys())
    assert not unexpected, f"{rule}:\n" + "\n".join(unexpected)


@pytest.mark.parametrize("message", EXCEPTIONS)
def test_every_exception_is_still_needed(message: str) -> None:
    assert message in set(messages())
    assert any(breaks_rule(rule, message) for rule in RULES)


@pytest.mark.parametrize(("rule", "message"), FAULTY.items())
def test_faulty_messages_are_found(rule: str, message: str) -> None:
    assert breaks_rule(rule, message)
    assert not breaks_rule(
        rule, "Who won? Everyone has finished, and it’s <b class='x'>0</b>."
    )


TEMPLATES = [*(LOCALES.parent / "templates").rglob("*.html")]
BUTTON = re.compile(
    r"{%-? *(?P<tag>button|post_button|link_button)\b.*?%}(?P<tagged>.*?){% *end(?P=tag)"
    r"|<button\b[^>]*>(?P<plain>.*?)</button>",
    re.DOTALL,
)
DETAILS = re.compile(r"<small>.*?</small>", re.DOTALL)
LABEL = re.compile(
    r"""{%-? *translate (?P<quote>["'])(?P<text>.*?)(?P=quote)"""
    r"|{%-? *blocktranslate.*?%}(?P<block>.*?)(?:{% *plural|{% *endblocktranslate)",
    re.DOTALL,
)


def find_labels() -> Iterator[str]:
    for template in TEMPLATES:
        for button in BUTTON.finditer(template.read_text()):
            content = DETAILS.sub("", button["tagged"] or button["plain"])
            for label in LABEL.finditer(content):
                yield (label["text"] or label["block"]).strip()


def count_words(label: str) -> int:
    """Return the number of words without placeholders: a name is as long as it is."""
    return len(re.findall(r"\w[\w’-]*", re.sub(r"{{.*?}}|<.*?>", "", label)))


def test_labels_of_buttons_have_at_most_four_words() -> None:
    labels = {*find_labels()}
    assert len(labels) > 100
    assert {label for label in labels if count_words(label) > 4} == set()


def test_messages_after_an_action_have_at_most_eight_words() -> None:
    sources = [
        path
        for app in ("scoring", "tournaments")
        for path in (LOCALES.parent / app).rglob("*.py")
    ]
    texts = [
        text
        for source in sources
        for text in re.findall(
            r"(?:messages\.success\(\s*\w+,|success_message=)\s*_\(\s*\"(.*?)\"\s*\)",
            source.read_text(),
        )
    ]
    assert len(texts) > 10
    assert [
        text for text in texts if count_words(re.sub(r"%\(\w+\)s", "", text)) > 8
    ] == []
