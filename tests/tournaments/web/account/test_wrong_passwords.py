"""Wrong passwords are counted for a network and an account, in one place for all processes."""

import pytest
from django.core.cache import caches
from django.test import Client, override_settings

from tournaments.models import User

pytestmark = pytest.mark.django_db

GUESSER, DIRECTOR = "203.0.113.7", "198.51.100.9"
IN_THE_DATABASE = {
    "default": {
        "BACKEND": "django.core.cache.backends.db.DatabaseCache",
        "LOCATION": "tricky_cache",
    },
    "drawn": {"BACKEND": "django.core.cache.backends.locmem.LocMemCache"},
}


def sign_in(client: Client, email: str, password: str, *, address: str) -> bool:
    """Try to sign in from an address; return whether that was let in."""
    posted = {"login": email, "password": password}
    answer = client.post("/accounts/login/", posted, REMOTE_ADDR=address)
    return answer.status_code == 302


def test_guesser_does_not_lock_out_other_networks() -> None:
    user = User.objects.create_user("dora@example.org", "right and long")
    for _guess in range(12):
        assert not sign_in(Client(), user.email, "wrong", address=GUESSER)
    assert not sign_in(Client(), user.email, "right and long", address=GUESSER)
    assert sign_in(Client(), user.email, "right and long", address=DIRECTOR)


def test_changing_the_port_does_not_reset_the_guess_count() -> None:
    user = User.objects.create_user("dora@example.org", "right and long")
    for guess in range(5):
        client = Client(headers={"host": f"testserver:{8000 + guess}"})
        assert not sign_in(client, user.email, "wrong", address=GUESSER)
    assert not sign_in(Client(), user.email, "right and long", address=GUESSER)


@override_settings(CACHES=IN_THE_DATABASE)
def test_rate_limit_table_exists_and_is_shared() -> None:
    caches["default"].set("counted", 3)
    # As another process would, which has connections of its own.
    del caches["default"]
    assert caches["default"].get("counted") == 3
