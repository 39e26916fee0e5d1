"""Passwords that are soon guessed are refused; words that do not go together are not."""

import hashlib
from pathlib import Path

import pytest
from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError
from django.test import Client
from django.urls import reverse
from pytest_django import Settings

from tests.factories.tournaments import ClubFactory
from tournaments.models import User

pytestmark = pytest.mark.django_db


def is_taken(password: str) -> bool:
    try:
        validate_password(password)
    except ValidationError:
        return False
    return True


@pytest.mark.parametrize(
    "password",
    [
        "qwertyui9",
        "qwertyuiop12",
        "Password2024!",
        "P@ssw0rd2024",
        "qwertyqwerty1",
        "aaaaaaaaaaaa",
        "121212121212",
        "73019482651",
        "k7#mfoo!9",
    ],
)
def test_what_is_soon_guessed_is_refused(password: str) -> None:
    assert not is_taken(password)


@pytest.mark.parametrize(
    "password",
    ["Tricky-Dice-2026", "trickytricky1", "Jassclub am See", "jassclub_am_see!9"],
)
def test_what_everybody_here_knows_by_name_is_refused(password: str) -> None:
    ClubFactory.create(name="Jassclub am See")
    assert not is_taken(password)


@pytest.mark.parametrize(
    "password", ["correct horse battery", "k7#mfoo!9rub", "drei Birnen im Schnee 7"]
)
def test_what_is_long_to_guess_is_taken(password: str) -> None:
    assert is_taken(password)


def test_who_makes_an_account_is_told_what_to_take_instead(client: Client) -> None:
    posted = {"email": "rosa@example.org", "password1": "qwertyuiop9"}
    page = client.post(reverse("account_signup"), posted).content.decode()
    assert "Use a few unrelated words" in page
    assert not User.objects.exists()


def test_what_leaked_is_refused_wherever_it_stands_in_the_file(
    tmp_path: Path, settings: Settings
) -> None:
    leaked = [f"correct horse battery {number}" for number in range(200)]
    lines = sorted(
        f"{hashlib.sha1(each.encode()).hexdigest().upper()}:{number}"  # noqa: S324 - as such files have it
        for number, each in enumerate(leaked)
    )
    file = tmp_path / "pwned-passwords-sha1-ordered-by-hash.txt"
    file.write_text("\r\n".join(lines) + "\r\n")
    settings.AUTH_PASSWORD_VALIDATORS = [
        *settings.AUTH_PASSWORD_VALIDATORS,
        {
            "NAME": "tournaments.people.leaked_passwords.LeakedPasswordValidator",
            "OPTIONS": {"path": str(file)},
        },
    ]
    assert not any(is_taken(password) for password in leaked)
    others = [f"correct horse stable {number}" for number in range(200)]
    assert all(is_taken(password) for password in others)


@pytest.mark.parametrize("password", ["kurz", "aabb", "aaaaaaaaa"])
def test_a_password_that_is_too_short_is_told_that_and_not_that_it_repeats_itself(
    password: str,
) -> None:
    with pytest.raises(ValidationError) as refused:
        validate_password(password)
    assert "too short" in refused.value.messages[0]
    assert not any("repeats" in message for message in refused.value.messages)


def test_a_long_password_of_a_few_signs_is_told_that_it_repeats_them() -> None:
    with pytest.raises(ValidationError, match="Too few different characters"):
        validate_password("abababababab")
