"""Functions, classes and modules have plain names, and every package has a docstring."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.conf import settings

ROOT = Path(settings.BASE_DIR)
PACKAGES = ("backups", "scoring", "tournaments", "tricky_site")
PREPOSITIONS = re.compile(
    r"about|as|behind|beside|between|by|for|from|in|of|on|over|to|under|with|without"
)
OPENERS = re.compile(
    r"a|about|an|any|beside|each|every|no|nobody|not|nothing|of|that|the|these|this|"
    r"those|what|where|whether|which|who|whom|whose"
)
PARTICIPLES = re.compile(
    r"again|ahead|alone|anew|around|asked|away|back|been|begun|bidden|brought|coming|"
    r"counted|crowded|done|drawn|given|going|gone|had|heard|held|here|joined|kept|"
    r"lacking|left|lost|made|met|missing|needed|once|onward|owed|placed|played|posted|"
    r"put|said|seen|sent|shown|signed|spoken|standing|taken|there|together|told|"
    r"trusting|twice|wished|written"
)
PREFIXES = re.compile(r"is|has|was|are|can|may|mark|get|set|count")
"""Prefixes after which a name may end with a participle."""
EXCEPTIONS = dict.fromkeys(
    (
        "AnyGame",
        "AnyGameFewestPoints",
        "AnyGameForm",
        "AnyGameTableGame",
        "AnyGameHand",
    ),
    "the game is called Any game",
) | {
    "NoResponseError": "an address that does not respond",
    "best_of": "a “best of five” is what players call it",
    "delivery_again": "part of the API: the name of a stored operation",
    "held_on": "a day on which something is held, like created_at",
    "latest_by": "named like Django's latest()",
    "points_needed": "points that a match still needs",
    "put_back": "part of the API: the name of a stored operation",
    "resolve_beside": "Ninja demands the prefix, and the field is part of the API",
    "resolve_made_by": "Ninja demands the prefix, and the field is part of the API",
    "seal_again": "the name of a command",
    "visible_to": "named like Django's querysets: objects.visible_to(user)",
    "who_won": "the title of the page",
    "who_won_answer": "the answer of that page",
}


def split_name(name: str) -> list[str]:
    return [
        word.lower() for word in re.split(r"_+|(?<=[a-z0-9])(?=[A-Z])", name.strip("_"))
    ]


def is_piece_of_sentence(name: str) -> bool:
    first, *others = split_name(name)
    if not others:
        return any(
            words.fullmatch(first) for words in (PARTICIPLES, PREPOSITIONS, OPENERS)
        )
    last = others[-1]
    is_past_by = last == "by" and [first, *others][-2].endswith("ed")
    can_end_freely = is_past_by or PREFIXES.fullmatch(first)
    return bool(
        OPENERS.fullmatch(first)
        or (PREPOSITIONS.fullmatch(last) and not can_end_freely)
        or (PARTICIPLES.fullmatch(last) and not can_end_freely)
    )


def find_names() -> Iterator[tuple[str, str]]:
    """Yield each module, class and function with the place where it is defined."""
    for package in PACKAGES:
        for path in sorted((ROOT / package).rglob("*.py")):
            place = str(path.relative_to(ROOT))
            if "migrations" in path.parts:
                continue
            if path.stem != "__init__":
                yield path.stem, place
            for node in ast.walk(ast.parse(path.read_text())):
                if not isinstance(
                    node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef
                ):
                    continue
                if not node.name.startswith("__"):
                    yield node.name, f"{place}:{node.lineno}"


@pytest.mark.parametrize("name", ["_told", "parts_of", "what_counts", "bring_back"])
def test_pieces_of_sentences_are_found(name: str) -> None:
    assert is_piece_of_sentence(name)


@pytest.mark.parametrize("name", ["created_by", "is_over", "parse_bid", "SeatChange"])
def test_plain_names_pass(name: str) -> None:
    assert not is_piece_of_sentence(name)


def test_names_are_no_pieces_of_sentences() -> None:
    pieces = [
        f"{place}: {name}"
        for name, place in find_names()
        if is_piece_of_sentence(name) and name not in EXCEPTIONS
    ]
    assert not pieces, "\n".join(pieces)


@pytest.mark.parametrize("name", EXCEPTIONS)
def test_every_exception_is_still_needed(name: str) -> None:
    assert is_piece_of_sentence(name)
    assert name in {name for name, _ in find_names()}


APPS = ["backups", "scoring", "tournaments"]
UNDOCUMENTED = {"migrations", "management", "commands", "templatetags"}


@pytest.mark.parametrize("app", APPS)
def test_app_has_at_most_ten_top_level_modules(app: str) -> None:
    loose = [path for path in (ROOT / app).glob("*.py") if path.name != "__init__.py"]
    assert len(loose) <= 10


@pytest.mark.parametrize("app", APPS)
def test_every_package_has_a_docstring(app: str) -> None:
    assert [
        path.parent
        for path in (ROOT / app).rglob("__init__.py")
        if path.parent.name not in UNDOCUMENTED
        and not path.read_text().startswith('"""')
    ] == []
