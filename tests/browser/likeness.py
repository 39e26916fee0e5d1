"""Whether a page looks like the picture of it that somebody has looked at."""

import os
from io import BytesIO
from pathlib import Path

from PIL import Image, ImageChops

WRITES = "WRITE_PICTURES" in os.environ
"""Whether pictures are taken anew, to be looked at, instead of compared."""
COLOURS_KEPT = 64
"""Of each picture: enough to tell parts apart, and a tenth of the size."""
VISIBLE = 48
"""By how much of 255 a dot must differ to be seen; less is how edges were smoothed."""
MOST_DIFFERENT = 0.002
"""The share of dots that may differ visibly: a letter's edge, never a part."""


def change_of(taken: Image.Image, path: Path) -> str:
    """Return which share of dots differs from the picture that is kept; nothing where few do.

    Where pictures are taken anew it is kept first.
    """
    few = reduced(taken)
    if WRITES:
        path.parent.mkdir(parents=True, exist_ok=True)
        few.save(path, optimize=True)
    with Image.open(path) as kept:
        share = difference(few, kept)
    return f"{share:.2%}" if share > MOST_DIFFERENT else ""


def opened(screenshot: bytes) -> Image.Image:
    """Return what was taken of a page."""
    return Image.open(BytesIO(screenshot))


def reduced(picture: Image.Image) -> Image.Image:
    """Return a picture with the few colours that are kept of it."""
    return picture.convert("RGB").quantize(COLOURS_KEPT, dither=Image.Dither.NONE)


def difference(taken: Image.Image, kept: Image.Image) -> float:
    """Return the share of dots that look different, all of them where the sizes do."""
    if taken.size != kept.size:
        return 1.0
    apart = ImageChops.difference(taken.convert("RGB"), kept.convert("RGB")).convert(
        "L"
    )
    return sum(apart.histogram()[VISIBLE:]) / (apart.width * apart.height)
