"""Check names and texts from outside, and compare names as people read them."""

import pytest

from scoring.rules.names import (
    describe_removed_characters,
    find_name_fault,
    has_visible_character,
    lookalike_key,
    number_stripped_duplicates,
    strip_unsafe_from_json,
)


def test_hidden_characters_are_removed_and_reported() -> None:
    removed: list[str] = []
    document = {"pla\u202eyers": ["A\u202enn", ("Bo",)], "seats": 2}
    assert strip_unsafe_from_json(document, removed) == {
        "players": ["Ann", ["Bo"]],
        "seats": 2,
    }
    assert removed == ["A\u202enn"]
    names = {"names": ["Bo\u202e", "Ann\u202e"]}
    stripped = strip_unsafe_from_json(names, removed, {"Bo\u202e": "Bo 2"})
    assert stripped == {"names": ["Bo 2", "Ann"]}


def test_removal_names_each_character_and_the_first_texts() -> None:
    sentence = str(
        describe_removed_characters([f"A\u202e\x07{number}" for number in range(30)])
    )
    assert "U+0007, U+202E" in sentence
    assert "“A0”" in sentence
    assert "…" in sentence


@pytest.mark.parametrize("name", ["", " ", "\u200b", "\u3164\u2060"])
def test_invisible_name_is_refused(name: str) -> None:
    assert not has_visible_character(name)
    assert "no visible characters" in str(find_name_fault(name))


@pytest.mark.parametrize("name", ["Ann", "علی\u200cرضا", "👩\u200d🌾"])
def test_real_name_is_accepted(name: str) -> None:
    assert find_name_fault(name) is None


@pytest.mark.parametrize(
    ("name", "other"),
    [
        ("\u0410nna", "Anna"),
        ("Ann\u03b1", "Anna"),
        ("\uff21nna", "Anna"),
        ("\U0001d400nna", "Anna"),
        ("B\u0585", "Bo"),
        ("\u13daam", "Sam"),
        ("\u0419ann", "\u0419\u0430nn"),
    ],
    ids=["Cyrillic", "Greek", "wide", "formula", "Armenian", "Cherokee", "mixed"],
)
def test_lookalikes_of_other_alphabets_share_a_key(name: str, other: str) -> None:
    assert lookalike_key(name) == lookalike_key(other)
    assert lookalike_key(name) != lookalike_key(f"{other}e")
    assert lookalike_key(f"{name}①") != lookalike_key(f"{other}1")


@pytest.mark.parametrize(
    ("names", "renamed"),
    [
        (["Ann", "Bo\u202e"], {}),
        (
            ["Ann\u202e", "ann\u0007", "Ann"],
            {"Ann\u202e": "Ann 2", "ann\u0007": "ann 3"},
        ),
        (["Ann\u202e", "Ann\u0007"], {"Ann\u0007": "Ann 2"}),
        (["Ann\u202e", "Ann\u202e"], {}),
        (["Abcdef", "Abcdef\u202e"], {"Abcdef\u202e": "Abcd 2"}),
    ],
)
def test_numbers_names_that_look_alike(
    names: list[str], renamed: dict[str, str]
) -> None:
    assert number_stripped_duplicates(names, max_length=6) == renamed
