"""Whether a page looks like the picture of it that somebody has looked at."""

import os
from datetime import datetime
from io import BytesIO
from pathlib import Path

from PIL import Image, ImageChops, ImageFilter
from playwright.sync_api import Page

WRITES = "WRITE_PICTURES" in os.environ
"""Whether pictures are taken anew, to be looked at, instead of compared."""
COLOURS_KEPT = 64
"""Of each picture: enough to tell parts apart, and a tenth of the size."""
VISIBLE = 48
"""By how much of 255 a dot must differ to be seen; less is how edges were smoothed."""
PART = 100
"""How wide and high the parts are of which each is to look as it did."""
MOST_OF_ALL, MOST_OF_A_PART = 0.002, 0.02
"""The share of dots that may differ visibly: a letter's edge; another word changes four in a
hundred of a part, and another Chromium, where pictures are softened, one."""


def change_of(taken: Image.Image, path: Path, *, softened_from: int = 0) -> str:
    """Return which share of dots differs from the picture that is kept; nothing where few do.

    One that is `softened_from` so many dots beside one another in each of the page is looked at
    in parts, whatever Chromium took it. Where pictures are taken anew this one is kept first.
    """
    few = reduced(taken)
    if WRITES:
        path.parent.mkdir(parents=True, exist_ok=True)
        few.save(path, optimize=True)
    with Image.open(path) as kept:
        if few.size != kept.size:
            return "another size"
        if softened_from:
            both = [softened(picture, softened_from) for picture in (few, kept)]
            share, most = part_apart(*both), MOST_OF_A_PART
        else:
            share, most = share_apart(few, kept), MOST_OF_ALL
    return f"{share:.2%}" if share > most else ""


def stop_clocks(page: Page, at: datetime) -> None:
    """Let it be this moment on a page, for as long as it is open.

    Where only the time of day stood, it would take its clock for one that was put, and ask what time it is.
    """
    page.clock.set_fixed_time(at)
    page.add_init_script("performance.now = () => 0")


def opened(screenshot: bytes) -> Image.Image:
    return Image.open(BytesIO(screenshot))


def reduced(picture: Image.Image) -> Image.Image:
    return picture.convert("RGB").quantize(COLOURS_KEPT, dither=Image.Dither.NONE)


def softened(picture: Image.Image, scale: int) -> Image.Image:
    """Return a picture in the dots of its page, each with a little of its neighbours."""
    return picture.convert("RGB").reduce(scale).filter(ImageFilter.BoxBlur(1))


def share_apart(taken: Image.Image, kept: Image.Image) -> float:
    """Return the share of dots that look different.

    >>> one, other = Image.new("RGB", (200, 100)), Image.new("RGB", (200, 100))
    >>> other.paste("white", (120, 20, 150, 50))
    >>> share_apart(one, other), round(part_apart(one, other), 2)
    (0.045, 0.09)
    """
    seen = apart(taken, kept)
    return seen.histogram()[255] / (seen.width * seen.height)


def part_apart(taken: Image.Image, kept: Image.Image) -> float:
    """Return the share of dots that look different in the part where most do."""
    shares = apart(taken, kept).reduce(PART).histogram()
    return max(level for level, parts in enumerate(shares) if parts) / 255


def apart(taken: Image.Image, kept: Image.Image) -> Image.Image:
    """Return where two pictures of one size look different: 255 there, else 0."""
    both = ImageChops.difference(taken.convert("RGB"), kept.convert("RGB"))
    return both.convert("L").point([0] * VISIBLE + [255] * (256 - VISIBLE))
