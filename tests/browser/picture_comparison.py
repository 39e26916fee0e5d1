"""Comparison of pages with approved screenshots."""

import os
from datetime import datetime
from io import BytesIO
from pathlib import Path

from PIL import Image, ImageChops, ImageFilter
from playwright.sync_api import Page

WRITES = "WRITE_PICTURES" in os.environ
"""Whether screenshots are written for approval instead of compared."""
COLOURS = 64
"""Colours of each stored picture: enough to distinguish parts, with a tenth of the size."""
VISIBLE = 48
"""Minimum visible difference of a pixel, of 255; smaller ones are due to antialiasing."""
PART = 100
"""Width and height in pixels of the parts that are compared one by one."""
MOST_OF_PICTURE, MOST_OF_A_PART = 0.002, 0.02
"""The share of pixels that may differ visibly: the edge of a letter. Another word changes 4 % of a part,
another version of Chromium 1 % of a softened one."""


def change_of(screenshot: Image.Image, path: Path, *, softened_from: int = 0) -> str:
    """Return the share of pixels that differ from the stored picture; empty if they are few.

    With `softened_from`, the number of picture pixels for each CSS pixel, pictures are softened and
    compared in parts, so that any version of Chromium passes. With WRITE_PICTURES, the picture is
    stored first.
    """
    picture_to_store = reduce_colours(screenshot)
    if WRITES:
        path.parent.mkdir(parents=True, exist_ok=True)
        picture_to_store.save(path, optimize=True)
    with Image.open(path) as stored:
        if picture_to_store.size != stored.size:
            return "another size"
        if softened_from:
            soft_pictures = [
                soften(picture, softened_from) for picture in (picture_to_store, stored)
            ]
            share, limit = most_different_part(*soft_pictures), MOST_OF_A_PART
        else:
            share, limit = differing_share(picture_to_store, stored), MOST_OF_PICTURE
    return f"{share:.2%}" if share > limit else ""


def stop_clocks(page: Page, at: datetime) -> None:
    """Stop the clock of a page at this time.

    `performance.now` stops as well; otherwise the page would conclude that the clock was changed, and
    ask the server for the time.
    """
    page.clock.set_fixed_time(at)
    page.add_init_script("performance.now = () => 0")


def open_image(screenshot: bytes) -> Image.Image:
    return Image.open(BytesIO(screenshot))


def reduce_colours(picture: Image.Image) -> Image.Image:
    return picture.convert("RGB").quantize(COLOURS, dither=Image.Dither.NONE)


def soften(picture: Image.Image, scale: int) -> Image.Image:
    """Return a picture scaled to CSS pixels and slightly blurred."""
    return picture.convert("RGB").reduce(scale).filter(ImageFilter.BoxBlur(1))


def differing_share(screenshot: Image.Image, stored: Image.Image) -> float:
    """Return the share of pixels that differ visibly.

    >>> one, other = Image.new("RGB", (200, 100)), Image.new("RGB", (200, 100))
    >>> other.paste("white", (120, 20, 150, 50))
    >>> differing_share(one, other), round(most_different_part(one, other), 2)
    (0.045, 0.09)
    """
    mask = difference_mask(screenshot, stored)
    return mask.histogram()[255] / (mask.width * mask.height)


def most_different_part(screenshot: Image.Image, stored: Image.Image) -> float:
    """Return the share of pixels that differ visibly in the most different part."""
    shares = difference_mask(screenshot, stored).reduce(PART).histogram()
    return max(level for level, parts in enumerate(shares) if parts) / 255


def difference_mask(screenshot: Image.Image, stored: Image.Image) -> Image.Image:
    """Return a mask of the visible differences of two pictures of one size: 255 if different, else 0."""
    difference = ImageChops.difference(screenshot.convert("RGB"), stored.convert("RGB"))
    return difference.convert("L").point([0] * VISIBLE + [255] * (256 - VISIBLE))
