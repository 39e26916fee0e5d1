"""Styles come from design tokens, and markup from template tags and partials."""

import re
from pathlib import Path

import pytest

TOKENS = "tokens.css"
SHEETS = sorted(
    sheet
    for app in ("scoring", "tournaments")
    for sheet in Path(app, "css").glob("*.css")
)
COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
COLOUR = re.compile(
    r"#[0-9a-f]{3,8}\b(?=[^{]*})|\b(?:rgba?|hsla?|oklch|lab|lch)\(", re.I
)
TYPE = re.compile(r"\bfont(?:-size|-family)?:[^;}]*")
RAW_SIZE = re.compile(r"(?<![\w.-])(?:\d*\.)?\d+(?:px|rem|pt)\b")
RAW_FAMILY = re.compile(r"\"|\bsans-serif\b|\bserif\b")
CORNER = re.compile(r"\bborder-radius:[^;}]*")
NEWER = re.compile(
    r"light-dark\(|\(from |@property|@scope|@starting-style|\[popover|:open\b|:user-(?:in)?valid"
    r"|\b(?:round|mod|rem|sibling-index|if|calc-size)\(|anchor\(|interpolate-size|^\s*&",
    re.MULTILINE,
)
"""CSS that Safari 16.4, Firefox 115 or Chrome 111 do not support."""
DEFINED, USED = re.compile(r"(--[\w-]+):"), re.compile(r"var\((--[\w-]+)")


def raw_values(sheet: str) -> list[str]:
    """Return the raw values in a style sheet that should be tokens.

    >>> raw_values("a { color: #fff; font: 600 1rem/1.2 var(--text); padding: 4px; }")
    ['#fff', 'font: 600 1rem/1.2 var(--text)']
    """
    css = COMMENT.sub("", sheet)
    sizes = [match[0] for match in TYPE.finditer(css) if RAW_SIZE.search(match[0])]
    families = [match[0] for match in TYPE.finditer(css) if RAW_FAMILY.search(match[0])]
    corners = [match[0] for match in CORNER.finditer(css) if RAW_SIZE.search(match[0])]
    return [*(match[0] for match in COLOUR.finditer(css)), *sizes, *families, *corners]


@pytest.mark.parametrize(
    "sheet", [sheet for sheet in SHEETS if sheet.name != TOKENS], ids=str
)
def test_colours_type_and_corners_are_tokens(sheet: Path) -> None:
    assert raw_values(sheet.read_text()) == []


@pytest.mark.parametrize("sheet", SHEETS, ids=str)
def test_styles_are_supported_by_the_oldest_browsers(sheet: Path) -> None:
    assert NEWER.findall(COMMENT.sub("", sheet.read_text())) == []


def test_every_used_token_is_defined() -> None:
    styles = "\n".join(COMMENT.sub("", sheet.read_text()) for sheet in SHEETS)
    # Components set these for their content.
    undefined = {
        name for name in USED.findall(styles) if name not in DEFINED.findall(styles)
    }
    assert undefined == set()


def test_every_token_is_used() -> None:
    tokens = next(sheet for sheet in SHEETS if sheet.name == TOKENS).read_text()
    styles = "\n".join(sheet.read_text() for sheet in SHEETS)
    assert (
        set(DEFINED.findall(COMMENT.sub("", tokens))) - set(USED.findall(styles))
        == set()
    )


TEMPLATES = Path("templates")
COMPONENTS = {
    r"<button\b": "a button: {% button %} or {% post_button %}",
    r"<details\b": "what opens: {% details %} or {% overflow_menu %}",
    r'<a\b[^>]*class="[^"]*\b(?:button|primary|danger)\b': "a link as a button: {% link_button %}",
    r'class="action\b': "the action of a page: {% action %}",
    r'class="[^"]*\bchip\b': "a chip: {% chip %}",
    r'class="bar\b': "the app bar: {% bar %}",
    r'id="connection"': "what a bar says of the network: {% connection_status %}",
    r'class="logo\b': "a club's logo: _logo.html",
    r'class="back-link"': "the way back: {% back_link %}",
    r'class="[^"]*\bfold\b': "what is folded away: {% details %}",
    r'class="menu-panel\b': "a sheet over the page: {% overflow_menu %}",
    r'class="option\b': "a field: {% field_row %} or _field.html",
    r'class="seg\b': "one of a few: {% segmented %}",
    r'class="banner\b': "a banner: {% banner %}",
    r'<(?:p|span)[^>]*class="refusal\b': "a refusal: {% refusal %} or _errors.html",
    r'class="badge\b': "a badge: {% badge %}",
    r'class="empty-state\b': "an empty state: {% empty_state %}",
    r'<(?:a|div)\b[^>]*>\s*<i(?: data-game="[^"]*")?>\{% emblem': "a line with an emblem: {% list_row %}",
    r'class="mark\b': "the mark of a seat: _seat.html or _mark.html",
    r'class="stepper\b': "a stepper: _stepper.html",
    r'class="tile\b': "a tile: _tile.html",
    r'class="offer\b': "an offer: _offer.html",
    r'class="podium\b': "a podium: _podium.html",
    r'class="tally\b': "names with what each has: _tally.html",
    r'class="clock"': "a clock: _clock.html",
    r'class="reach\b': "places that are open: _prospect.html",
    r'class="claims\b': "what is settled and open: _claims.html",
    r'class="plot\b': "a chart: _chart.html",
    r"\bscoring:match_confirm_seat\b": "the way to hand the phone over: _hand_over_link.html",
}
"""How the markup of each component begins, and what templates use instead."""
EMAIL_TEMPLATES = TEMPLATES / "tournaments" / "letters"
"""E-mails have no style sheet, so they have no components."""


def repeated_components(template: str) -> list[str]:
    """Return the components whose markup a template repeats.

    >>> repeated_components('<p>{% button %}Save{% endbutton %}</p>')
    []
    >>> repeated_components('<label class="chip on">Ace</label>')
    ['a chip: {% chip %}']
    """
    return [part for markup, part in COMPONENTS.items() if re.search(markup, template)]


def test_templates_do_not_repeat_component_markup() -> None:
    templates = [
        template
        for template in TEMPLATES.rglob("*.html")
        if EMAIL_TEMPLATES not in template.parents
    ]
    assert len(templates) > 200
    repeated = {
        (template.name, part)
        for template in templates
        for part in repeated_components(template.read_text())
        if not part.endswith(template.name)
    }
    assert repeated == set()
