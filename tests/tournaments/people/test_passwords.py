"""Guessable passwords are rejected; a few unrelated words are accepted."""

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


def is_accepted(password: str) -> bool:
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
def test_rejects_guessable_password(password: str) -> None:
    assert not is_accepted(password)


@pytest.mark.parametrize(
    "password",
    ["Tricky-Dice-2026", "trickytricky1", "Jassclub am See", "jassclub_am_see!9"],
)
def test_rejects_password_made_of_known_names(password: str) -> None:
    ClubFactory.create(name="Jassclub am See")
    assert not is_accepted(password)


@pytest.mark.parametrize(
    "password", ["correct horse battery", "k7#mfoo!9rub", "drei Birnen im Schnee 7"]
)
def test_accepts_strong_password(password: str) -> None:
    assert is_accepted(password)


def test_sign_up_suggests_a_better_password(client: Client) -> None:
    fields = {"email": "rosa@example.org", "password1": "qwertyuiop9"}
    page = client.post(reverse("account_signup"), fields).content.decode()
    assert "Use a few unrelated words" in page
    assert not User.objects.exists()


def test_rejects_leaked_password_at_any_position_in_the_file(
    tmp_path: Path, settings: Settings
) -> None:
    leaked = [f"correct horse battery {number}" for number in range(200)]
    lines = sorted(
        f"{hashlib.sha1(password.encode()).hexdigest().upper()}:{number}"  # noqa: S324 - as such files have it
        for number, password in enumerate(leaked)
    )
    file = tmp_path / "pwned-passwords-sha1-ordered-by-hash.txt"
    file.write_text("\r\n".join(lines) + "\r\n")
    settings.AUTH_PASSWORD_VALIDATORS = [
        *settings.AUTH_PASSWORD_VALIDATORS,
        {
            "NAME": "tournaments.people.passwords.LeakedPasswordValidator",
            "OPTIONS": {"path": str(file)},
        },
    ]
    assert not any(is_accepted(password) for password in leaked)
    others = [f"correct horse stable {number}" for number in range(200)]
    assert all(is_accepted(password) for password in others)


@pytest.mark.parametrize("password", ["kurz", "aabb", "aaaaaaaaa"])
def test_short_password_error_mentions_length_only(
    password: str,
) -> None:
    with pytest.raises(ValidationError) as error:
        validate_password(password)
    assert "too short" in error.value.messages[0]
    assert "Too few different characters" not in str(error.value)
