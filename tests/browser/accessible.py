"""Checks of accessibility: the report of axe, the contrast of scores and keys, and the positions of elements."""

from collections.abc import Sequence
from typing import NamedTuple

from axe_playwright_python.base import AXE_SCRIPT, AxeResults
from playwright.sync_api import Locator, Page

# Without preload: axe would resolve imports of style sheets relative to the page, and needs them
# only for a rule that is off by default (css-orientation-lock).
ALL_RULES: dict[str, object] = {"resultTypes": ["violations"], "preload": False}
COLOURS = {**ALL_RULES, "runOnly": ["color-contrast", "link-in-text-block"]}
"""The rules whose results can differ between the themes, which differ only in colours."""


FIND_FAINT_TEXTS = """(selector) => {
  const pen = new OffscreenCanvas(1, 1).getContext("2d", { willReadFrequently: true });
  const paint = (colour, share = 1) => {
    pen.globalAlpha = share;
    pen.fillStyle = colour;
    pen.fillRect(0, 0, 1, 1);
  };
  const luminance = () => {
    const [red, green, blue] = [...pen.getImageData(0, 0, 1, 1).data].map((part) =>
      part / 255 <= 0.04045 ? part / 255 / 12.92 : ((part / 255 + 0.055) / 1.055) ** 2.4);
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  };
  const around = (element) => (element ? [...around(element.parentElement), getComputedStyle(element)] : []);
  const isWritten = (element) => (element.matches("[type=text]") && element.value)
    || [...element.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.data.trim());
  const isOn = (element) => !element.closest(":disabled, label:has(:disabled), svg");
  const look = (element) => {
    const styles = around(element);
    const own = styles.at(-1);
    paint("white");
    for (const { backgroundColor } of styles) paint(backgroundColor);
    const ground = luminance();
    paint(own.color, styles.reduce((share, { opacity }) => share * opacity, 1));
    const [dark, light] = [ground, luminance()].sort((one, other) => one - other);
    const size = parseFloat(own.fontSize);
    const isLarge = size >= 24 || (size >= 18.66 && own.fontWeight >= 700);
    const text = element.matches("[type=text]") ? element.value : element.textContent.trim();
    return { text, colour: own.color, contrast: (light + 0.05) / (dark + 0.05), least: isLarge ? 4.5 : 7 };
  };
  const written = [...document.querySelectorAll(selector)]
    .flatMap((element) => [element, ...element.querySelectorAll("*")])
    .filter((element) => isWritten(element) && isOn(element)).map(look);
  return {
    seen: written.length,
    faint: written.filter(({ contrast, least }) => contrast < least)
      .map(({ text, colour, contrast, least }) => `${text}: ${contrast.toFixed(2)} of ${least}, ${colour}`),
  };
}"""
"""Returns the number of texts within a selector, and those with too little contrast."""


def assert_accessible(page: Page, *, skipped_rules: Sequence[str] = ()) -> None:
    """Fail with axe's report if it finds anything, in the light or dark theme.

    `skipped_rules` names rules to leave out.
    """
    faults = faults_of(page, skipped_rules=skipped_rules)
    assert not faults, "\n".join(faults)


def faults_of(
    page: Page, *, skipped_rules: Sequence[str] = (), also_dark: bool = True
) -> list[str]:
    """Return axe's reports for the light and dark themes in which it finds anything."""
    page.emulate_media(color_scheme="light", reduced_motion="reduce")
    page.evaluate(AXE_SCRIPT)
    disabled = {rule: {"enabled": False} for rule in skipped_rules}
    reports = {"light": _report(page, {**ALL_RULES, "rules": disabled})}
    if also_dark:
        page.emulate_media(color_scheme="dark")
        reports["dark"] = _report(page, COLOURS)
    return [f"{theme}: {report}" for theme, report in reports.items() if report]


def _report(page: Page, options: dict[str, object]) -> str:
    results = AxeResults(page.evaluate("(options) => axe.run(options)", options))
    return str(results.generate_report()) if results.violations_count else ""


def assert_strong(page: Page, selector: str) -> None:
    """Fail if text in the selector has little contrast, in the light or dark theme, or if there is none."""
    for theme in ("light", "dark"):
        page.emulate_media(color_scheme=theme, reduced_motion="reduce")
        faint_texts = find_faint_texts(page, selector)
        assert faint_texts is not None, f"nothing is written in {selector}"
        assert not faint_texts, "\n".join([theme, *faint_texts])


def find_faint_texts(page: Page, selector: str) -> list[str] | None:
    """Return the texts with less contrast than WCAG level AAA requires in the current theme; None if there are none.

    That is 7:1, or 4.5:1 for large text.
    """
    result = page.evaluate(FIND_FAINT_TEXTS, selector)
    return sorted(set(result["faint"])) if result["seen"] else None


class Box(NamedTuple):
    """The box of an element on the screen, in pixels."""

    left: float
    top: float
    width: float
    height: float

    @property
    def bottom(self) -> float:
        return self.top + self.height


def box_of(element: Locator) -> Box:
    box = element.bounding_box()
    assert box is not None, f"{element} is not shown"
    return Box(box["x"], box["y"], box["width"], box["height"])
