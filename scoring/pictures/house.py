"""The picture of the app itself: its games."""

from scoring.pictures.cloth import WIDTH, Cloth, Letters
from scoring.pictures.colours import cloth_of
from scoring.pictures.layout import SIDE
from scoring.pictures.lettering import Face
from scoring.rules import GAMES

TILE, EMBLEM = 150, 84
"""The side of a game's cloth, and of the emblem on it."""


def draw_house(words: str) -> bytes:
    """Return the picture of the app as the bytes of a PNG, with these words on it."""
    cloth = Cloth(cloth_of())
    colours = cloth.colours
    cloth.lay_emblem(SIDE, 76, "", 150)
    cloth.write(SIDE + 190, 196, "Tricky", Letters(Face.HEAVY, 132, colours.ink))
    plain = Letters(Face.PLAIN, 40, colours.soft)
    cloth.write(SIDE, 320, words, plain, WIDTH - 2 * SIDE)
    gap = (WIDTH - 2 * SIDE - TILE * len(GAMES)) / max(1, len(GAMES) - 1)
    for place, game in enumerate(GAMES):
        x, y = SIDE + place * (TILE + gap), 404
        cloth.lay_cloth(x, y, TILE, cloth_of(game).cloth)
        inside = (TILE - EMBLEM) / 2
        cloth.lay_emblem(x + inside, y + inside, game, EMBLEM)
    return cloth.png()
