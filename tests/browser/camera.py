"""A film that a browser takes for the picture of its camera."""

from collections.abc import Sequence
from io import BytesIO

from PIL import Image

SIZE = WIDTH, HEIGHT = 1280, 960
BACKGROUND = 150
"""Brightness around a picture, 0-255."""
ROTATION = 6
"""Rotation of the picture in degrees, as if held by hand."""
HEADER = f"YUV4MPEG2 W{WIDTH} H{HEIGHT} F2:1 Ip A1:1 C420\n".encode()
"""Two pictures a second; see the YUV4MPEG2 format of mjpegtools."""
NO_COLOUR = bytes([128]) * (WIDTH * HEIGHT // 2)


def make_video(pictures: Sequence[bytes]) -> bytes:
    """Return a film (YUV4MPEG2) of pictures, each a PNG, shown half a second each."""
    frames = (b"FRAME\n" + _camera_frame(picture) + NO_COLOUR for picture in pictures)
    return HEADER + b"".join(frames)


def _camera_frame(picture: bytes) -> bytes:
    """Return the brightness of each pixel, slightly rotated and blurred."""
    image = Image.open(BytesIO(picture)).convert("L")
    image.thumbnail((HEIGHT * 8 // 10, HEIGHT * 8 // 10))
    frame = Image.new("L", SIZE, BACKGROUND)
    frame.paste(image, ((WIDTH - image.width) // 2, (HEIGHT - image.height) // 2))
    return frame.rotate(
        ROTATION, Image.Resampling.BILINEAR, fillcolor=BACKGROUND
    ).tobytes()
