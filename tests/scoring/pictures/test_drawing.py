"""What stands on a picture, whatever the names and totals are."""

from io import BytesIO
from xml.etree.ElementTree import fromstring

import pytest
from PIL import Image

from scoring.pages.race import draw_pegs, draw_rosette
from scoring.pictures.colours import (
    TOKENS,
    Rgb,
    cloth_colours,
    contrast,
    darkened,
    parse_hex,
)
from scoring.pictures.lettering import legible, shorten, text_width
from scoring.pictures.picture import Lane, Picture, draw_picture, picture_svg
from scoring.rules import GAMES

SIDE = 56
"""Nothing is nearer to the edge of a picture; the holes' own edges are beyond 64."""
LONG = "Maximiliana-Josephine von Hohenstein zu Sigmaringen"


def opened(picture: bytes) -> Image.Image:
    return Image.open(BytesIO(picture)).convert("RGB")


def count_near(image: Image.Image, colour: Rgb) -> int:
    """Count the pixels of a colour, as near as the palette of a picture allows."""
    near = [
        count
        for count, pixel in image.getcolors(1 << 20) or []
        if all(abs(a - b) < 8 for a, b in zip(pixel, colour, strict=False))  # type: ignore[arg-type]
    ]
    return sum(near)


def finished(names: list[str], totals: list[int]) -> Picture:
    ranks = [1 + sum(other > total for other in totals) for total in totals]
    lanes = [
        Lane(
            name=name,
            total=f"{total:,}".replace(",", "\u202f"),
            share=max(0, total / max(totals)),
            is_first=rank == 1,
            seat=seat,
        )
        for seat, (name, total, rank) in enumerate(
            zip(names, totals, ranks, strict=True)
        )
    ]
    rings = draw_rosette(totals, ranks)
    winners = [name[:1] for name, rank in zip(names, ranks, strict=True) if rank == 1]
    return Picture(
        colours=cloth_colours("tricky"),
        game="tricky",
        source="Tricky",
        source_soft="Sunday, 22 November",
        sentence=f"{names[0]} won",
        who=names[0],
        under="84\u202f018 points in twenty hands",
        lanes=lanes,
        rings=rings,
        pegs=list(zip(winners, draw_pegs(rings), strict=True)),
    )


@pytest.mark.parametrize(
    "names",
    [
        ["Bo", "Ann"],
        ["W" * 40] * 8,
        [LONG, "Žofie Ångström", "Ελένη", "Чайка", "山田", "♠", "Gus", "Hal"],
    ],
    ids=["two", "eight as wide as can be", "many scripts"],
)
def test_nothing_reaches_the_edge(names: list[str]) -> None:
    totals = [84018, *range(70000, 70000 - 9000 * (len(names) - 1), -9000)]
    image = opened(draw_picture(finished(names, totals)))
    cloth = image.getpixel((2, 2))
    assert image.size == (1200, 630)
    wide, high = image.size
    for box in (
        (0, 0, SIDE, high),
        (wide - SIDE, 0, wide, high),
        (0, 0, wide, 36),
        (0, high - 36, wide, high),
    ):
        assert image.crop(box).getcolors() == [
            ((box[2] - box[0]) * (box[3] - box[1]), cloth)
        ]


def test_names_and_totals_keep_apart() -> None:
    image = opened(
        draw_picture(finished([LONG] * 8, [99999 - seat for seat in range(8)]))
    )
    cloth = image.getpixel((2, 2))
    # Between the names and the first hole, and between the last peg and the totals.
    for left in (318, 1034):
        gap = image.crop((left, 330, left + 6, 586))
        assert gap.getcolors() == [(6 * 256, cloth)]


def test_who_won_is_of_brass() -> None:
    won = opened(draw_picture(finished(["Bo", "Ann"], [4018, 1469])))
    assert count_near(won, cloth_colours("tricky").peg) > 4000


@pytest.mark.parametrize("game", ["", *GAMES])
def test_emblem_of_every_game_is_drawn_in_ink_and_brass(game: str) -> None:
    picture = Picture(colours=cloth_colours(), game=game, source="", sentence="")
    image = opened(draw_picture(picture))
    assert count_near(image, cloth_colours().ink) > 5_000
    assert count_near(image, cloth_colours().peg) > 1_000


def test_picture_says_who_won_with_names_and_totals() -> None:
    picture = finished(["Bo <3", "Ann"], [4018, 1469])
    drawing = fromstring(picture_svg(picture))  # noqa: S314 - our own
    words = {text.strip() for text in drawing.itertext()}
    assert {"Tricky", "Bo <3 won", "Bo <3", "Ann", "4\u202f018", "1\u202f469"} <= words


@pytest.mark.parametrize("game", [*GAMES, ""])
def test_a_cloth_has_the_colour_that_pages_have(game: str) -> None:
    colours = cloth_colours(game)
    has_own = f'[data-game="{game}"]' in TOKENS.read_text()
    assert (colours.cloth != cloth_colours().cloth) is has_own
    assert contrast(colours.cloth, colours.ink) >= 7
    assert contrast(colours.cloth, colours.peg) >= 4.5


def test_a_colour_is_darkened_as_far_as_need_be() -> None:
    white = (255, 255, 255)
    nearest = darkened(parse_hex("#ff8800"), under=white, least=7)
    assert 7 <= contrast(nearest, white) < 7.4


def test_a_long_text_ends_in_an_ellipsis_within_its_room() -> None:
    shown = shorten(LONG, "plain", 32, 250)
    assert shown.endswith("…")
    assert text_width(shown, "plain", 32) <= 250


def test_letters_that_no_font_has_become_their_nearest() -> None:
    assert legible("Nguyễn Ὀδυσσεύς 山") == "Nguyên Οδυσσεύς"
