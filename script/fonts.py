"""Reduces the fonts of npm packages to the letters and weights in use.

`python script/fonts.py <node_modules> <for pages> <for pictures>` writes them to these
folders; with `--check` it compares them with the existing files, and prints those that
differ.
"""

import sys
from collections.abc import Iterator, Sequence
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory

from fontTools.merge import Merger
from fontTools.merge.options import Options as Merging
from fontTools.subset import Options, Subsetter, parse_unicodes
from fontTools.ttLib import TTFont
from fontTools.varLib.instancer import instantiateVariableFont

LATIN = (
    "20-5B,5D,5F,61-7A,A0-A1,A7,AA-AB,B0-B1,B7,BA-FF,131,152-153,2013-2014,"
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
"""By file: the family, its subset in the npm package, the letters (hexadecimal), the weights."""

GREEK = "384-38A,38C,38E-3A1,3A3-3CE"
SUBSETS = {
    "latin": LATIN,
    "latin-ext": LATIN_EXTENDED,
    "cyrillic": CYRILLIC,
    "greek": GREEK,
}
PICTURE_FONTS = {
    "sofia-plain": (WORDS, SUBSETS, 450),
    "sofia-strong": (WORDS, SUBSETS, 650),
    "sofia-heavy": (WORDS, SUBSETS, 800),
    "sofia-numerals": (FIGURES, {"latin": NUMERALS}, 750),
}
"""By file: the family, the letters of each of its subsets, the one weight."""


def cut(
    source: Path, family: str, letters: str, weight: int | tuple[int, int]
) -> TTFont:
    """Return a font with only these letters and weights, a variable one for two weights.

    Digits of the condensed family all have the same width by default.
    """
    font = TTFont(source, recalcTimestamp=False)
    glyphs = font.getBestCmap()
    replacements = {NARROW_SPACE: glyphs[SPACE]} if SPACE in glyphs else {}
    if family == FIGURES:
        replacements |= {code: f"{glyphs[code]}.tf" for code in DIGITS}
    for table in font["cmap"].tables:
        table.cmap.update(replacements)
    features = ["kern", "mark", "mkmk", "ccmp", "locl", "liga", "tnum"]
    options = Options(layout_features=features)
    options.hinting = False
    options.name_IDs = [0, 1, 2, 13, 14]
    subsetter = Subsetter(options)
    subsetter.populate(unicodes=parse_unicodes(letters))
    subsetter.subset(font)
    return instantiateVariableFont(font, {"wght": weight})


def merged(parts: Sequence[TTFont]) -> TTFont:
    """Return one font with the letters of all parts: pictures use one file for each font."""
    with TemporaryDirectory() as folder:
        paths = []
        for number, part in enumerate(parts):
            part.flavor = None
            paths.append(str(Path(folder, f"{number}.ttf")))
            part.save(paths[-1])
        # The kerning tables cannot be merged; text looks fine without them.
        whole = Merger(Merging(drop_tables=["GSUB", "GDEF", "STAT"]))
        font = whole.merge(paths) if len(paths) > 1 else TTFont(paths[0])
        font.ensureDecompiled()
    names = font["name"]
    family = names.getDebugName(1).replace(" ", "")
    # The library that draws the pictures refuses a font without a PostScript name.
    names.setName(f"{family}-{font['OS/2'].usWeightClass}", 6, 3, 1, 0x409)
    # Without timestamps the same letters give the same file.
    font["head"].created = font["head"].modified = 0
    font.recalcTimestamp = False
    return font


def font_bytes(font: TTFont, flavor: str | None) -> bytes:
    font.flavor = flavor
    buffer = BytesIO()
    font.save(buffer)
    return buffer.getvalue()


def font_source(modules: Path, family: str, subset: str) -> Path:
    """Return the path of a subset of a family in its npm package."""
    package = modules / "@fontsource-variable" / family
    return package / "files" / f"{family}-{subset}-wght-normal.woff2"


def fonts(modules: Path) -> Iterator[tuple[str, bytes]]:
    """Yield the name and content of each font file for pages."""
    for name, (family, subset, letters, weights) in FONTS.items():
        source = font_source(modules, family, subset)
        yield (
            f"{name}.woff2",
            font_bytes(cut(source, family, letters, weights), "woff2"),
        )
    yield "LICENSE", licence(modules)


def fonts_of_pictures(modules: Path) -> Iterator[tuple[str, bytes]]:
    """Yield the name and content of each font file for pictures."""
    for name, (family, subsets, weight) in PICTURE_FONTS.items():
        parts = [
            cut(font_source(modules, family, subset), family, letters, weight)
            for subset, letters in subsets.items()
        ]
        yield f"{name}.ttf", font_bytes(merged(parts), None)
    yield "LICENSE", licence(modules)


def licence(modules: Path) -> bytes:
    """Return the licence text of the fonts, which is shipped with them."""
    return (modules / "@fontsource-variable" / WORDS / "LICENSE").read_bytes()


def main(modules: Path, pages: Path, pictures: Path, *, check: bool) -> int:
    """Write the fonts and return 0; with `check` return 1 if any differs."""
    different = 0
    files = [(pages / name, content) for name, content in fonts(modules)]
    picture_fonts = fonts_of_pictures(modules)
    files += [(pictures / name, content) for name, content in picture_fonts]
    for path, content in files:
        if not check:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
        elif not path.exists() or path.read_bytes() != content:
            sys.stderr.write(f"{path} differs\n")
            different = 1
    return different


if __name__ == "__main__":
    modules, pages, pictures, *options = sys.argv[1:]
    check = "--check" in options
    sys.exit(main(Path(modules), Path(pages), Path(pictures), check=check))
