"""Layout and text of pictures, for any names and totals."""

from io import BytesIO

import pytest
from PIL import Image

from scoring.pages.race import draw_rosette, draw_winner_pegs
from scoring.pictures.colours import (
    TOKENS,
    cloth_colours,
    contrast,
)
from scoring.pictures.picture import (
    PictureContent,
    PictureRaceLine,
    draw_picture,
    replace_missing_letters,
)
from scoring.rules import GAMES

SIDE_MARGIN = 56
"""Nothing is nearer to the left or right edge of a picture; holes begin beyond 64."""
LONG = "Maximiliana-Josephine von Hohenstein zu Sigmaringen"


def open_image(picture: bytes) -> Image.Image:
    return Image.open(BytesIO(picture)).convert("RGB")


def picture_content(names: list[str], totals: list[int]) -> PictureContent:
    ranks = [1 + sum(other > total for other in totals) for total in totals]
    lanes = [
        PictureRaceLine(
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
    return PictureContent(
        colours=cloth_colours("tricky"),
        game="tricky",
        source="Tricky",
        source_soft="Sunday, 22 November",
        sentence=f"{names[0]} won",
        shortenable=names[0],
        caption="84\u202f018 points in twenty hands",
        lanes=lanes,
        rings=rings,
        pegs=list(zip(winners, draw_winner_pegs(rings), strict=True)),
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
def test_picture_keeps_its_margins(names: list[str]) -> None:
    totals = [84018, *range(70000, 70000 - 9000 * (len(names) - 1), -9000)]
    image = open_image(draw_picture(picture_content(names, totals)))
    cloth = image.getpixel((2, 2))
    assert image.size == (1200, 630)
    width, height = image.size
    for box in (
        (0, 0, SIDE_MARGIN, height),
        (width - SIDE_MARGIN, 0, width, height),
        (0, 0, width, 36),
        (0, height - 36, width, height),
    ):
        assert image.crop(box).getcolors() == [
            ((box[2] - box[0]) * (box[3] - box[1]), cloth)
        ]


def test_names_and_totals_do_not_overlap() -> None:
    image = open_image(
        draw_picture(picture_content([LONG] * 8, [99999 - seat for seat in range(8)]))
    )
    cloth = image.getpixel((2, 2))
    # Between the names and the first hole, and between the last peg and the totals.
    for left in (318, 1034):
        gap = image.crop((left, 330, left + 6, 586))
        assert gap.getcolors() == [(6 * 256, cloth)]


@pytest.mark.parametrize("game", [*GAMES, ""])
def test_picture_background_matches_pages(game: str) -> None:
    colours = cloth_colours(game)
    has_own_colours = f'[data-game="{game}"]' in TOKENS.read_text()
    assert (colours.cloth != cloth_colours().cloth) is has_own_colours
    assert contrast(colours.cloth, colours.ink) >= 7
    assert contrast(colours.cloth, colours.peg) >= 4.5


def test_letters_missing_from_the_font_are_transliterated() -> None:
    assert replace_missing_letters("Nguyễn Ὀδυσσεύς 山") == "Nguyên Οδυσσεύς"
