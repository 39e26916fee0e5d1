"""The picture of the app itself: its games."""

from scoring.pictures.canvas import WIDTH, Canvas
from scoring.pictures.colours import cloth_of
from scoring.pictures.layout import SIDE
from scoring.pictures.lettering import Face, TextStyle
from scoring.rules import GAMES

TILE, EMBLEM = 150, 84
"""The side of a game's cloth, and of the emblem on it."""


def draw_house(words: str) -> bytes:
    """Return the picture of the app as the bytes of a PNG, with these words on it."""
    canvas = Canvas(cloth_of())
    colours = canvas.colours
    canvas.draw_emblem(SIDE, 76, "", 150)
    name = TextStyle(Face.HEAVY, 132, colours.ink)
    canvas.draw_text(SIDE + 190, 196, "Tricky", name)
    plain = TextStyle(Face.PLAIN, 40, colours.soft)
    canvas.draw_text(SIDE, 320, words, plain, WIDTH - 2 * SIDE)
    gap = (WIDTH - 2 * SIDE - TILE * len(GAMES)) / max(1, len(GAMES) - 1)
    for place, game in enumerate(GAMES):
        x, y = SIDE + place * (TILE + gap), 404
        canvas.draw_tile(x, y, TILE, cloth_of(game).cloth)
        inside = (TILE - EMBLEM) / 2
        canvas.draw_emblem(x + inside, y + inside, game, EMBLEM)
    return canvas.png()
