"""The colour and the logo of a club."""

from hashlib import sha256
from io import BytesIO
from typing import IO

from django.db import transaction
from django.utils.translation import gettext as _
from PIL import Image, ImageOps, ImageStat, UnidentifiedImageError

from scoring.pictures.colours import (
    cloth_colours,
    contrast,
    darken_for_contrast,
    format_hex,
    parse_hex,
)
from tournaments.changes import RefusedError
from tournaments.models import Club, Logo

TOO_LIGHT = "too-light"
"""A form's code for a refused colour."""
LEAST_CONTRAST = 7.0
"""The contrast that text and totals on a cloth need."""
HOUSE = format_hex(cloth_colours().cloth)
"""The default colour of the cloth."""

FORMATS = ("PNG", "JPEG", "WEBP")
LARGEST_FILE = 2_000_000
"""In bytes."""
MOST_DOTS, LEAST_SIDE, MOST_SIDE = 4096 * 4096, 64, 512
"""In pixels: the largest picture that is opened, the shortest side of a logo, and the longest that is stored."""
LONGEST = 4
"""How many times longer one side may be than the other."""
WHITE, MARGIN = 255, 0.08
LIGHT = 160
"""Drawings brighter than this, of 255, and without a background get a dark one."""


@transaction.atomic
def set_club_colour(*, club_id: int, colour: str) -> Club:
    """Set the colour of a club's cloth; empty for the default.

    Raises RefusedError if white is hard to read on it; `darken_until_readable` returns a colour
    that works.
    """
    chosen = "" if colour.lower() == HOUSE else colour.lower()
    ink = cloth_colours().ink
    if chosen and contrast(parse_hex(chosen), ink) < LEAST_CONTRAST:
        raise RefusedError(
            "colour",
            _("White text is hard to read on this colour. Choose a darker one."),
        )
    club = Club.objects.select_for_update().get(pk=club_id)
    club.colour = chosen
    club.save(update_fields=["colour"])
    return club


def darken_until_readable(colour: str) -> str:
    """Return the colour, darkened if needed until white is easy to read on it."""
    return format_hex(
        darken_for_contrast(
            parse_hex(colour), text=cloth_colours().ink, min_contrast=LEAST_CONTRAST
        )
    )


@transaction.atomic
def set_logo(*, club_id: int, file: IO[bytes]) -> Club:
    """Set the logo of a club, redrawn from the file so that nothing else in it is stored.

    Raises RefusedError if the file is no picture, or one too large or too small.
    """
    image = read_logo(file)
    club = Club.objects.select_for_update().get(pk=club_id)
    club.logo_version = sha256(image).hexdigest()[:16]
    club.save(update_fields=["logo_version"])
    Logo.objects.update_or_create(club=club, defaults={"image": image})
    return club


@transaction.atomic
def remove_logo(*, club_id: int) -> Club:
    club = Club.objects.select_for_update().get(pk=club_id)
    Logo.objects.filter(club=club).delete()
    club.logo_version = ""
    club.save(update_fields=["logo_version"])
    return club


def read_logo(file: IO[bytes]) -> bytes:
    """Return the picture in a file, redrawn as an opaque PNG.

    Raises RefusedError if the file is no picture, or one too large or too small.
    """
    content = file.read(LARGEST_FILE + 1)
    if len(content) > LARGEST_FILE:
        raise RefusedError("logo", _("Choose a logo of at most two megabytes."))
    try:
        # Only the header is read here: a decompression bomb is not unpacked.
        with Image.open(BytesIO(content), formats=FORMATS) as opened:
            wide, high = opened.size
            if wide * high > MOST_DOTS:
                raise _too_large_refusal()
            if min(wide, high) < LEAST_SIDE:
                raise RefusedError(
                    "logo",
                    _("Choose a logo of at least %(least)s × %(least)s pixels.")
                    % {"least": LEAST_SIDE},
                )
            if max(wide, high) > LONGEST * min(wide, high):
                raise RefusedError(
                    "logo",
                    _(
                        "A logo’s long side can be at most %(longest)s times its short side."
                    )
                    % {"longest": LONGEST},
                )
            opened.draft("RGB", (2 * MOST_SIDE, 2 * MOST_SIDE))
            upright = ImageOps.exif_transpose(opened).convert("RGBA")
    except (UnidentifiedImageError, OSError, SyntaxError, ValueError) as error:
        raise RefusedError(
            "logo",
            _(
                "Choose a PNG, JPEG or WebP. This file is in another format or is "
                "damaged."
            ),
        ) from error
    except (Image.DecompressionBombError, Image.DecompressionBombWarning) as error:
        raise _too_large_refusal() from error
    upright.thumbnail((MOST_SIDE, MOST_SIDE), Image.Resampling.LANCZOS)
    alpha = upright.getchannel("A")
    if alpha.getextrema()[0] == WHITE:
        logo = upright.convert("RGB")
    else:
        # On white; a light picture without a background is put on the default cloth.
        brightness = ImageStat.Stat(upright.convert("L"), mask=alpha).mean[0]
        ground = cloth_colours().cloth if brightness > LIGHT else (WHITE, WHITE, WHITE)
        margin = round(MARGIN * max(upright.size))
        size = (upright.width + 2 * margin, upright.height + 2 * margin)
        logo = Image.new("RGB", size, ground)
        logo.paste(upright, (margin, margin), alpha)
    buffer = BytesIO()
    logo.save(buffer, "PNG", optimize=True)
    return buffer.getvalue()


def _too_large_refusal() -> RefusedError:
    return RefusedError("logo", _("Choose a logo of at most 4096 × 4096 pixels."))
