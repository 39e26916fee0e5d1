"""What the camera of a phone sees: pictures held before it by a hand."""

from collections.abc import Sequence
from io import BytesIO

from PIL import Image

SIZE = WIDTH, HEIGHT = 1280, 960
TABLE = 150
"""The brightness of what lies around a picture, 0-255."""
SLANT = 6
"""Degrees by which nobody holds a phone straight."""
HEADER = f"YUV4MPEG2 W{WIDTH} H{HEIGHT} F2:1 Ip A1:1 C420\n".encode()
"""Two pictures a second; see the YUV4MPEG2 format of mjpegtools."""
NO_COLOUR = bytes([128]) * (WIDTH * HEIGHT // 2)


def filmed(pictures: Sequence[bytes]) -> bytes:
    """Return a film (YUV4MPEG2) of pictures, each a PNG, shown half a second each."""
    frames = (b"FRAME\n" + _seen(picture) + NO_COLOUR for picture in pictures)
    return HEADER + b"".join(frames)


def _seen(picture: bytes) -> bytes:
    """Return the brightness of each point, a little aslant and not quite sharp."""
    shown = Image.open(BytesIO(picture)).convert("L")
    shown.thumbnail((HEIGHT * 8 // 10, HEIGHT * 8 // 10))
    seen = Image.new("L", SIZE, TABLE)
    seen.paste(shown, ((WIDTH - shown.width) // 2, (HEIGHT - shown.height) // 2))
    return seen.rotate(SLANT, Image.Resampling.BILINEAR, fillcolor=TABLE).tobytes()
