"""Logos of earlier releases are drawn again."""

from importlib import import_module
from io import BytesIO
from types import SimpleNamespace

import pytest
from django.apps import apps
from django.db import connection
from django.test import Client
from django.urls import reverse
from PIL import Image

from tests.factories.tournaments import ClubFactory
from tests.tournaments.files.archive.test_archive import picture
from tournaments.models import Club, Logo

pytestmark = pytest.mark.django_db
SCRIPT = b"<script>alert(1)</script>"
SVG = b"<svg xmlns='http://www.w3.org/2000/svg'/>"


def draw_logos_again() -> None:
    migration = import_module("tournaments.migrations.0047_draw_logos_again")
    migration.draw_again(apps, SimpleNamespace(connection=connection))


def club_with_logo(image: bytes) -> Club:
    club: Club = ClubFactory.create(logo_version="0" * 16)
    Logo.objects.create(club=club, image=image)
    return club


@pytest.mark.parametrize("image", [SVG, picture(13_000), picture(8), b""])
def test_invalid_stored_logo_is_deleted(image: bytes) -> None:
    club = club_with_logo(image)
    draw_logos_again()
    club.refresh_from_db()
    assert club.logo_version == ""
    assert not Logo.objects.exists()
    preview = reverse("tournaments:club_preview", args=[club.slug])
    assert Client().get(preview).status_code == 200


def test_valid_stored_logo_is_redrawn() -> None:
    club = club_with_logo(picture(600) + SCRIPT)
    draw_logos_again()
    club.refresh_from_db()
    address = reverse("tournaments:club_logo", args=[club.slug, club.logo_version])
    content = Client().get(address).content
    with Image.open(BytesIO(content)) as drawn:
        assert drawn.size == (512, 512)
    assert SCRIPT not in content
    assert club.logo_version != "0" * 16
