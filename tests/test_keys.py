"""Keys and secrets are long enough and documented."""

import re
from base64 import urlsafe_b64decode
from importlib import import_module
from pathlib import Path

import pytest
from django.conf import global_settings, settings
from django.contrib.auth.hashers import identify_hasher, make_password
from django.core.management import call_command
from django.utils import timezone
from pytest_django.fixtures import Settings

from scoring.models.matches import new_address
from tests.factories.tournaments import ClubFactory, UserFactory
from tournaments.event.rights import card_secret
from tournaments.models import Club, User
from tournaments.people.factors import ROUNDS
from tournaments.people.programs import make_token

PAGE = (Path(settings.BASE_DIR) / "docs/reference/security.md").read_text()
INVENTORY = PAGE.partition("## Keys")[2].partition("\n## ")[0]
LEAST_BITS = 128


def test_every_cryptographic_key_is_in_the_inventory() -> None:
    hosting = (Path(settings.BASE_DIR) / "docs/reference/settings.md").read_text()
    variables = re.findall(r"^\| `(\w+)` \|", hosting, re.MULTILINE)
    keys = {name for name in variables if re.search(r"KEY|PASSPHRASE|SECRET", name)}
    assert len(keys) >= 5
    assert {name for name in keys if f"`{name}`" not in INVENTORY} == set()


def test_every_key_has_a_lifetime_and_a_rotation_procedure() -> None:
    rows = re.findall(r"^\| (.+) \|$", INVENTORY.partition("**Lifetimes**")[0], re.M)
    head, _line, *keys = [row.split(" | ") for row in rows]
    assert (head[0], head[-1]) == ("key", "at most")
    assert len(keys) > 12
    assert [key[0] for key in keys if len(key) != len(head) or not all(key)] == []
    lists = INVENTORY.partition("### Replace a key")[2]
    for name in ("SECRET_KEY", "VAPID_PRIVATE_KEY", "authority.pem"):
        assert f"`{name}`" in lists


def test_passwords_are_stored_with_a_slow_hash(settings: Settings) -> None:
    # Without the fast hasher of the tests.
    assert not hasattr(import_module(settings.SETTINGS_MODULE), "PASSWORD_HASHERS")
    settings.PASSWORD_HASHERS = global_settings.PASSWORD_HASHERS
    encoded = make_password("correct horse battery")
    assert identify_hasher(encoded).algorithm == "pbkdf2_sha256"
    assert int(encoded.split("$")[1]) >= 600_000
    assert ROUNDS >= 210_000


@pytest.mark.django_db
def test_secrets_have_128_bits() -> None:
    club, now = ClubFactory.create(), timezone.now()
    _token, secret = make_token(
        user=UserFactory.create(),
        name="a test",
        scopes=["read"],
        club=None,
        expires_at=None,
        now=now,
    )
    assert 8 * len(urlsafe_b64decode(new_address() + "==")) >= LEAST_BITS
    assert 4 * len(card_secret(club, 1)) >= LEAST_BITS
    assert 6 * len(secret) >= 2 * LEAST_BITS


@pytest.mark.django_db
def test_a_new_site_has_no_account() -> None:
    call_command("demo", "--if-empty", verbosity=0)
    assert Club.objects.exists()
    assert not User.objects.exists()
