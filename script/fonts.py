"""Cuts the fonts of npm's packages down to the letters and weights that pages use.

`python script/fonts.py <node_modules> <folder>` writes them; with `--check` it compares
what it would write with what lies there, and says which differ.
"""

import sys
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path

from fontTools.subset import Options, Subsetter, parse_unicodes
from fontTools.ttLib import TTFont
from fontTools.varLib.instancer import instantiateVariableFont

LATIN = (
    "20-5B,5D,5F,61-7A,A0-A1,A7,AA-AB,B0-B1,B7,BA-BB,BD,BF-FF,131,152-153,2013-2014,"
    "2018-201E,2022,2026,202F,2039-203A,20AC,2191,2193,2212"
)
LATIN_EXTENDED = "100-130,132-151,154-17F,218-21B,1E9E"
CYRILLIC = "400-45F,490-491,2116"
NUMERALS = "20,23,25,28-29,2B-3A,3D,7E,A0,B1,BC-BE,D7,2013,202F,2212"

SPACE, NARROW_SPACE, DIGITS = 0x20, 0x202F, range(0x30, 0x3A)

WORDS, FIGURES = "sofia-sans", "sofia-sans-condensed"
FONTS = {
    "sofia-latin": (WORDS, "latin", LATIN, (400, 800)),
    "sofia-latin-ext": (WORDS, "latin-ext", LATIN_EXTENDED, (400, 800)),
    "sofia-cyrillic": (WORDS, "cyrillic", CYRILLIC, (400, 800)),
    "sofia-numerals": (FIGURES, "latin", NUMERALS, (500, 800)),
}
"""By file: the family, its subset at npm, the letters (hexadecimal), the weights."""


def cut(source: Path, family: str, letters: str, weights: tuple[int, int]) -> bytes:
    """Return a variable font of these letters and weights alone, as WOFF2.

    Figures are all of one width without being asked for it.
    """
    font = TTFont(source, recalcTimestamp=False)
    glyphs = font.getBestCmap()
    drawn = {NARROW_SPACE: glyphs[SPACE]} if SPACE in glyphs else {}
    if family == FIGURES:
        drawn |= {code: f"{glyphs[code]}.tf" for code in DIGITS}
    for table in font["cmap"].tables:
        table.cmap.update(drawn)
    features = ["kern", "mark", "mkmk", "ccmp", "locl", "liga", "tnum"]
    options = Options(layout_features=features)
    options.flavor = "woff2"
    options.hinting = False
    options.name_IDs = [0, 1, 2, 13, 14]
    subsetter = Subsetter(options)
    subsetter.populate(unicodes=parse_unicodes(letters))
    subsetter.subset(font)
    font = instantiateVariableFont(font, {"wght": weights})
    font.flavor = "woff2"
    written = BytesIO()
    font.save(written)
    return written.getvalue()


def fonts(modules: Path) -> Iterator[tuple[str, bytes]]:
    """Yield the name of each file with what belongs into it."""
    for name, (family, subset, letters, weights) in FONTS.items():
        package = modules / "@fontsource-variable" / family
        source = package / "files" / f"{family}-{subset}-wght-normal.woff2"
        yield f"{name}.woff2", cut(source, family, letters, weights)
    licence = modules / "@fontsource-variable" / WORDS / "LICENSE"
    yield "LICENSE", licence.read_bytes()


def main(modules: Path, folder: Path, *, check: bool) -> int:
    """Write the fonts, or return 1 where one that lies there is another."""
    different = 0
    for name, content in fonts(modules):
        path = folder / name
        if not check:
            folder.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
        elif not path.exists() or path.read_bytes() != content:
            sys.stderr.write(f"{path} differs\n")
            different = 1
    return different


if __name__ == "__main__":
    source, target, *options = sys.argv[1:]
    sys.exit(main(Path(source), Path(target), check="--check" in options))
