"""What a picture is made of: a cloth with holes, pegs and words on it."""

from collections.abc import Sequence
from dataclasses import dataclass
from io import BytesIO
from math import cos, radians, sin

from PIL import Image, ImageDraw, UnidentifiedImageError

from scoring.pages.rosette import OUTERMOST, Ring, draw_pegs
from scoring.pictures.colours import ClothColours, Rgb
from scoring.pictures.emblems import emblem, seat_outline
from scoring.pictures.lettering import Face, font, legible, shortened

WIDTH, HEIGHT = 1200, 630
"""What messengers show, in pixels."""
FINER = 2
"""How much larger a picture is drawn than it is handed out."""
COLOURS = 128
"""So many tell the edges of letters well, in a third of the bytes."""
HOLE, RINGED_HOLE = 9.0, 6.0
SEAT, TIP = 1.6, 0.62
"""How large the shape of a seat is drawn: on a lane, on a ring."""
TRIANGLE = 2
"""The seat whose letter stands lower, where there is room."""
MOST_LOGO_SIDE = 512
"""In pixels: logos are stored no larger."""
CORNER = 16
CLOSER = -0.04
"""Of a size: how much nearer to one another figures stand than by themselves."""
CAPITALS = 0.35
"""Of a size: how far the middle of a capital is above the line on which it stands."""


@dataclass(frozen=True, slots=True)
class Letters:
    """How a line is written."""

    face: Face
    size: int
    colour: Rgb


def width_of(text: str, letters: Letters) -> float:
    """Return how wide a text is."""
    face = font(letters.face, letters.size * FINER)
    return face.getlength(legible(text, letters.face)) / FINER


def number_width(number: str, size: int) -> float:
    """Return how wide figures are that stand close."""
    face = font(Face.FIGURES, size * FINER)
    own = sum(face.getlength(figure) for figure in number) / FINER
    return own + CLOSER * size * max(0, len(number) - 1)


class Cloth:
    """A picture in the making; all lengths are pixels of the one that is handed out."""

    def __init__(self, colours: ClothColours) -> None:
        self.colours = colours
        size = (WIDTH * FINER, HEIGHT * FINER)
        self._image = Image.new("RGB", size, colours.cloth)
        self._draw = ImageDraw.Draw(self._image)

    def png(self) -> bytes:
        """Return the picture as the bytes of a file."""
        image = self._image.reduce(FINER)
        buffer = BytesIO()
        image.quantize(COLOURS, Image.Quantize.FASTOCTREE).save(buffer, "PNG")
        return buffer.getvalue()

    def write(
        self, x: float, line: float, text: str, letters: Letters, room: float = WIDTH
    ) -> float:
        """Write on a line from `x` on, as much as there is room for; return where it ends."""
        face, size = letters.face, letters.size * FINER
        shown = shortened(legible(text, face), face, size, room * FINER)
        place = (x * FINER, line * FINER)
        self._draw.text(
            place, shown, font=font(face, size), fill=letters.colour, anchor="ls"
        )
        return x + font(face, size).getlength(shown) / FINER

    def write_number(
        self, x: float, line: float, number: str, letters: Letters
    ) -> None:
        """Write figures that stand close, so that they end at `x`."""
        size = letters.size * FINER
        face, left = font(Face.FIGURES, size), (x - number_width(number, letters.size))
        left *= FINER
        for figure in number:
            place = (left, line * FINER)
            self._draw.text(place, figure, font=face, fill=letters.colour, anchor="ls")
            left += face.getlength(figure) + CLOSER * size

    def lay_emblem(self, x: float, y: float, game: str, side: int) -> None:
        """Lay the emblem of a game, the app's for none, its left upper corner at `x`, `y`."""
        drawn = emblem(game, side * FINER)
        place = (round(x * FINER), round(y * FINER))
        self._image.paste(self.colours.ink, place, drawn.body)
        self._image.paste(self.colours.peg, place, drawn.peg)

    def lay_cloth(self, x: float, y: float, side: float, colour: Rgb) -> None:
        """Lay a square of another cloth, its left upper corner at `x`, `y`."""
        box = [part * FINER for part in (x, y, x + side, y + side)]
        self._draw.rounded_rectangle(box, radius=CORNER * FINER, fill=colour)

    def lay_logo(
        self, x: float, y: float, logo: bytes, high: float, wide: float
    ) -> float:
        """Lay a club's logo, as large as there is room; return where it ends.

        It is in the middle of the height, and of the width where that is the height. One that
        cannot be drawn is left out.
        """
        image = _open_logo(logo)
        if image is None:
            return x
        scale = FINER * min(high / image.height, wide / image.width)
        size = (round(image.width * scale), round(image.height * scale))
        image = image.resize(size, Image.Resampling.LANCZOS)
        corners = Image.new("L", size)
        box = (0, 0, size[0] - 1, size[1] - 1)
        ImageDraw.Draw(corners).rounded_rectangle(box, CORNER * FINER / 2, fill=255)
        left = x * FINER + ((wide * FINER - size[0]) / 2 if wide == high else 0)
        top = y * FINER + (high * FINER - size[1]) / 2
        self._image.paste(image, (round(left), round(top)), corners)
        return x + size[0] / FINER

    def lay_lane(
        self, x: float, y: float, width: float, holes: int, share: float
    ) -> None:
        """Lay a lane of holes, of which a share is passed."""
        run = int(share * holes)
        for number in range(holes + 1):
            colour = self.colours.passed if number <= run else self.colours.deep
            self._dot(x + width * number / holes, y, HOLE / 2, colour)

    def lay_peg(
        self,
        x: float,
        y: float,
        seat: int,
        initial: str,
        *,
        is_first: bool,
        scale: float = SEAT,
    ) -> None:
        """Lay a seat's peg with its letter, of brass for who is first."""
        colours = self.colours
        ground = colours.peg if is_first else colours.ink
        self._shape(x, y, seat, ground, scale)
        self._letter(
            x,
            y + (2 * scale if seat == TRIANGLE else 0),
            initial,
            round(13 * scale),
            colours.on_peg if is_first else colours.deep,
        )

    def lay_disc(
        self,
        x: float,
        y: float,
        radius: float,
        initial: str,
        *,
        is_first: bool,
        is_hollow: bool = False,
    ) -> None:
        """Lay the round peg of somebody who has no seat."""
        colours = self.colours
        ground = colours.peg if is_first else colours.ink
        ink = colours.on_peg if is_first else colours.deep
        self._dot(x, y, radius, ground)
        if is_hollow:
            self._dot(x, y, radius - 3, colours.cloth)
            ink = ground
        self._letter(x, y, initial, round(1.2 * radius), ink)

    def lay_rosette(
        self,
        x: float,
        y: float,
        side: float,
        rings: Sequence[Ring],
        initials: Sequence[str],
        *,
        is_shaped: bool = True,
    ) -> None:
        """Lay a rosette around `x`, `y`; where nobody has a seat its pegs are round."""
        scale = side / (2 * OUTERMOST + 20)
        colours = self.colours
        for ring in rings:
            radius = float(ring.radius) * scale
            passed = colours.peg if ring.is_first else colours.ringed
            for hole in range(ring.holes):
                angle = radians(360 * hole / ring.holes)
                colour = passed if hole <= ring.run else colours.deep
                self._dot(
                    x + radius * sin(angle),
                    y - radius * cos(angle),
                    RINGED_HOLE / 2 * scale,
                    colour,
                )
        for ring in rings:
            if not ring.is_first:
                right, down = (float(part) * scale for part in ring.tip.split())
                shape = ring.seat if is_shaped else 0
                # What is under it would show between the holes.
                self._shape(
                    x + right, y + down, shape, colours.cloth, (TIP + 0.2) * scale
                )
                self._shape(x + right, y + down, shape, colours.ink, TIP * scale)
        for peg, initial in zip(draw_pegs(rings), initials, strict=True):
            self.lay_peg(
                x + peg.x * scale,
                y + peg.y * scale,
                peg.seat if is_shaped else 0,
                initial,
                is_first=True,
                scale=peg.scale * scale,
            )

    def _dot(self, x: float, y: float, radius: float, colour: Rgb) -> None:
        left, top = (x - radius) * FINER, (y - radius) * FINER
        right, bottom = (x + radius) * FINER, (y + radius) * FINER
        self._draw.ellipse((left, top, right, bottom), fill=colour)

    def _shape(self, x: float, y: float, seat: int, colour: Rgb, scale: float) -> None:
        points = [
            ((x + right * scale) * FINER, (y + down * scale) * FINER)
            for right, down in seat_outline(seat)
        ]
        self._draw.polygon(points, fill=colour)

    def _letter(self, x: float, y: float, letter: str, size: int, colour: Rgb) -> None:
        place = (x * FINER, (y + CAPITALS * size) * FINER)
        shown = legible(letter, Face.HEAVY)
        face = font(Face.HEAVY, size * FINER)
        self._draw.text(place, shown, font=face, fill=colour, anchor="ms")


def _open_logo(content: bytes) -> Image.Image | None:
    """Return a stored logo; None for what is no PNG of the size in which logos are stored.

    The size is in the beginning of the file: what would unfold into more is never decoded.
    """
    try:
        with Image.open(BytesIO(content), formats=("PNG",)) as opened:
            if max(opened.size) <= MOST_LOGO_SIDE:
                return opened.convert("RGB")
    except (UnidentifiedImageError, OSError, SyntaxError, ValueError):
        pass
    return None
