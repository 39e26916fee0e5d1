"""A club's own colour and logo."""

import re
from importlib import import_module
from io import BytesIO
from struct import pack
from types import SimpleNamespace
from typing import Any
from zlib import crc32

import pytest
from django.apps import apps
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection
from django.test import Client
from django.urls import reverse
from PIL import Image

from scoring.pictures.colours import cloth_colours, contrast, parse_hex
from tests.factories.history import counted_tournament
from tests.factories.tournaments import ClubFactory, signed_in
from tests.tournaments.files.archive.test_archive import picture
from tests.tournaments.web.pages import at_club, text
from tournaments.models import Club, Logo
from tournaments.people.looks import HOUSE, LARGEST_FILE

pytestmark = [pytest.mark.django_db, pytest.mark.one_database]

BLUE = "#1f4e8c"
SCRIPT = b"<script>alert(1)</script>"
SVG = b"<svg xmlns='http://www.w3.org/2000/svg'/>"


def send(club: Club, *, colour: str = HOUSE, logo: bytes = b"") -> str:
    """Save the club's colour and logo as a director; return the page that follows."""
    form_data: dict[str, Any] = {"name": club.name, "colour": colour}
    if logo:
        form_data["logo"] = SimpleUploadedFile("logo.png", logo)
    response = signed_in(club).post(at_club("club_edit", club), form_data, follow=True)
    club.refresh_from_db()
    return response.content.decode()


def image(
    size: tuple[int, int] = (200, 120), kind: str = "PNG", mode: str = "RGB"
) -> bytes:
    buffer = BytesIO()
    colour = (200, 30, 30) if mode == "RGB" else (250, 250, 250, 0)
    canvas = Image.new(mode, size, colour)
    canvas.paste((250, 250, 250), (size[0] // 4, 10, size[0] // 2, size[1] - 10))
    canvas.save(buffer, kind)
    return buffer.getvalue()


def stored_logo(club: Club) -> Image.Image:
    return Image.open(BytesIO(Client().get(logo_url(club)).content))


def logo_url(club: Club) -> str:
    return at_club("club_logo", club, club.logo_version)


def has_background(address: str, colour: tuple[int, int, int]) -> bool:
    """Return whether a picture's background has a colour, within the precision of its palette."""
    response = Client().get(address)
    pixel = Image.open(BytesIO(response.content)).convert("RGB").getpixel((2, 2))
    assert isinstance(pixel, tuple)
    return all(abs(a - b) <= 2 for a, b in zip(pixel, colour, strict=True))


def test_club_pages_use_the_club_colour() -> None:
    club = ClubFactory.create()
    send(club, colour=BLUE)
    counted_tournament("2026-05-12", ["Ann", "Bo", "Cy"], club=club)
    page = text(Client(), club.get_absolute_url())
    [stylesheet] = re.findall(r'href="(/cloths/[^"]+)"', page)
    response = Client().get(stylesheet)
    assert response["Content-Type"] == "text/css; charset=utf-8"
    assert f"--cloth: {BLUE};" in response.content.decode()
    assert has_background(at_club("club_preview", club), parse_hex(BLUE))
    assert has_background(at_club("leaderboard_preview", club, "all"), parse_hex(BLUE))
    tournament = club.tournaments.get()
    projector = reverse("tournaments:projector", args=[tournament.address])
    assert stylesheet in text(Client(), projector)


@pytest.mark.parametrize("colour", ["#ff8800", "#ffffff", "#7aa0d0", "#e01010"])
def test_too_light_colour_is_rejected_with_a_suggestion(
    colour: str,
) -> None:
    club = ClubFactory.create()
    rejected_page = send(club, colour=colour)
    assert "White text is hard to read" in rejected_page
    assert club.colour == ""
    assert "to 1" not in rejected_page
    suggestion = rejected_page.partition('id="darker-colour"')[2]
    [suggested_colour] = re.findall(r'name="colour" value="([^"]+)"', suggestion)
    assert contrast(parse_hex(suggested_colour), cloth_colours().ink) >= 7
    assert "Saved." in send(club, colour=suggested_colour)
    assert club.colour == suggested_colour
    page = text(signed_in(club), at_club("club_edit", club))
    assert f'value="{suggested_colour}"' in page
    assert "required." not in page
    send(club, colour=HOUSE)
    assert club.colour == ""


@pytest.mark.parametrize("colour", ["red", "#12345", "#1f4e8c; } body { display: none"])
def test_rejects_invalid_colour(colour: str) -> None:
    club = ClubFactory.create()
    assert "Enter a colour like #1f4e8c" in send(club, colour=colour)
    assert club.colour == ""


@pytest.mark.parametrize("colour", ["red", "1F4E8C", "1f4e8", "1f4e8c0"])
def test_invalid_colour_has_no_style_sheet(colour: str) -> None:
    assert Client().get(f"/cloths/{colour}.css").status_code == 404


@pytest.mark.parametrize("kind", ["PNG", "JPEG", "WEBP"])
def test_logo_is_redrawn_and_served_as_immutable(kind: str) -> None:
    club = ClubFactory.create()
    original = image((1200, 600), kind)
    send(club, logo=original)
    response = Client().get(logo_url(club))
    assert response["Content-Type"] == "image/png"
    assert "immutable" in response["Cache-Control"]
    assert response["X-Content-Type-Options"] == "nosniff"
    assert response.content != original
    assert stored_logo(club).size == (512, 256)
    page = text(Client(), club.get_absolute_url())
    assert f'src="{logo_url(club)}"' in page


def test_logo_metadata_is_removed() -> None:
    club = ClubFactory.create()
    exif = Image.Exif()
    exif[0x010E] = "where we live"
    buffer = BytesIO()
    Image.new("RGB", (100, 100), "red").save(buffer, "JPEG", exif=exif)
    send(club, logo=buffer.getvalue() + SCRIPT)
    content = Client().get(logo_url(club)).content
    assert b"where we live" not in content
    assert b"script" not in content


def bomb() -> bytes:
    """Return a PNG whose header claims 30 000 × 30 000 pixels."""
    header = b"IHDR" + pack(">IIBBBBB", 30_000, 30_000, 8, 2, 0, 0, 0)
    return (
        b"\x89PNG\r\n\x1a\n"
        + pack(">I", 13)
        + header
        + pack(">I", crc32(header))
        + image()[33:]
    )


@pytest.mark.parametrize(
    ("logo", "message"),
    [
        (SVG, "Choose a PNG, JPEG or WebP"),
        (b"GIF89a" + b"\0" * 100, "Choose a PNG, JPEG or WebP"),
        (image()[:90], "Choose a PNG, JPEG or WebP"),
        (bomb(), "at most 4096 × 4096 pixels"),
        (image((5000, 5000)), "at most 4096 × 4096 pixels"),
        (image((40, 40)), "at least 64 × 64 pixels"),
        (image((640, 80)), "at most 4 times its short side"),
        (b"\0" * (LARGEST_FILE + 1), "at most two megabytes"),
    ],
    ids=["svg", "gif", "cut off", "bomb", "large", "small", "long", "heavy"],
)
def test_rejects_invalid_logo_and_names_the_requirements(
    logo: bytes, message: str
) -> None:
    club = ClubFactory.create()
    assert message in send(club, colour=BLUE, logo=logo)
    assert (club.logo_version, club.colour) == ("", "")
    assert not Logo.objects.exists()


def test_logo_can_be_removed() -> None:
    club = ClubFactory.create()
    send(club, logo=image())
    old_url = logo_url(club)
    signed_in(club).post(at_club("club_edit", club), {"act": "no_logo"})
    club.refresh_from_db()
    assert club.logo_version == ""
    assert Client().get(old_url).status_code == 404


def test_light_transparent_logo_stays_visible() -> None:
    club = ClubFactory.create()
    send(club, logo=image(mode="RGBA"))
    assert stored_logo(club).getpixel((1, 1)) == cloth_colours().cloth


# A migration redraws logos of earlier releases.


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
    assert Client().get(at_club("club_preview", club)).status_code == 200


def test_valid_stored_logo_is_redrawn() -> None:
    club = club_with_logo(picture(600) + SCRIPT)
    draw_logos_again()
    club.refresh_from_db()
    assert stored_logo(club).size == (512, 512)
    assert SCRIPT not in Client().get(logo_url(club)).content
    assert club.logo_version != "0" * 16
