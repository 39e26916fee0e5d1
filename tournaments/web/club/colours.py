"""The colours of a club's tablecloth."""

from functools import lru_cache

from scoring.pictures.colours import (
    ClothColours,
    Oklch,
    cloth_of,
    format_hex,
    oklch,
    parse_hex,
)
from tournaments.models import Club

STYLES = """@layer tokens {{
:root, [data-game="club"] {{ {light} }}
@media (prefers-color-scheme: dark) {{
  :root:not([data-theme="light"]), :root:not([data-theme="light"]) [data-game="club"] {{ {dark} }}
}}
:root[data-theme="dark"], :root[data-theme="dark"] [data-game="club"], [data-theme="dark"] > [data-game="club"] {{ {dark} }}
}}
"""
"""As `tokens.css` has the cloths of games: dark twice."""
TOO_DARK = 0.26
"""Below it holes would not be seen if they were darker still."""
DEEPER, LIGHTER = 0.075, 0.09
SEEN = 0.2
"""How light holes are at least in a cloth that is nearly black."""


def cloth_of_club(club: Club) -> ClothColours:
    """Return the colours of a club's cloth: its own, or the house's."""
    return _cloth(club.colour) if club.colour else cloth_of()


@lru_cache(maxsize=256)
def _cloth(colour: str) -> ClothColours:
    house, own = cloth_of(), parse_hex(colour)
    return ClothColours(
        cloth=own,
        deep=_holes(oklch(own)).rgb(),
        ink=house.ink,
        soft=house.soft,
        peg=house.peg,
        on_peg=house.on_peg,
    )


@lru_cache(maxsize=256)
def styles_of(colour: str) -> str:
    """Return a style sheet that lays a club's pages on a cloth of its colour."""
    own = oklch(parse_hex(colour))
    # As the games' cloths are, a little darker and weaker where all is dark.
    night = Oklch(max(0.0, own.lightness - 0.02), own.chroma * 0.86, own.hue)
    tint = min(own.chroma, 0.09)
    light = {
        "cloth": own,
        "cloth-deep": _holes(own),
        "accent": own,
        "wash": Oklch(0.945, tint / 4, own.hue),
    }
    dark = {
        "cloth": night,
        "cloth-deep": _holes(night),
        "accent": Oklch(0.835, tint, own.hue),
        "wash": Oklch(0.295, tint / 2, own.hue),
    }
    return STYLES.format(light=_tokens(light), dark=_tokens(dark))


def _holes(cloth: Oklch) -> Oklch:
    if cloth.lightness < TOO_DARK:
        return cloth._replace(lightness=max(SEEN, cloth.lightness + LIGHTER))
    return cloth._replace(lightness=cloth.lightness - DEEPER)


def _tokens(colours: dict[str, Oklch]) -> str:
    return " ".join(
        f"--{name}: {format_hex(colour.rgb())};" for name, colour in colours.items()
    )
