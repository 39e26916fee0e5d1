"""Hands can be entered without any optional feature of browsers."""

import re
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
from django.conf import settings
from playwright.sync_api import Locator, Page, Route, expect

from scoring.matchlog.append import replay_match
from scoring.models import Match
from tests.browser.offline import correct_hand, enter_points, until_true
from tests.browser.test_taps import Pad
from tests.factories import entered_match, new_match

pytestmark = pytest.mark.django_db(transaction=True)

OFFLINE_FEATURES = {
    "service worker": "delete Navigator.prototype.serviceWorker",
    "IndexedDB": "Object.defineProperty(globalThis, 'indexedDB', { value: undefined })",
    "wasm": "delete globalThis.WebAssembly",
    "caches": "Object.defineProperty(globalThis, 'caches', { value: undefined })",
    "storage": "Object.defineProperty(globalThis, 'localStorage', { get() { throw new Error('none') } })",
    "persistence": "delete Navigator.prototype.storage",
}
"""Scripts that remove features for offline use."""
OTHER_FEATURES = {
    "checkVisibility": "delete Element.prototype.checkVisibility",
    "locks": "Object.defineProperty(Navigator.prototype, 'locks', { value: undefined })",
    "requestIdleCallback": "delete globalThis.requestIdleCallback",
    "vibration": "delete Navigator.prototype.vibrate",
}
"""Scripts that remove other features that older browsers lack."""
MISSING_FEATURES = {
    "what goes on alone": [*OFFLINE_FEATURES.values()],
    "what is of late": [*OTHER_FEATURES.values()],
}
WITHOUT_HAS = "@supports not selector(:has(*))"
ROOT = Path(__file__).parents[2]
NO_SUBMITTER = (
    "FormData = class extends FormData { constructor(form) { super(form); } }"
)
"""Makes FormData omit the tapped button, as in Chrome 111."""
TOKENS = ROOT / "scoring/css/tokens.css"
WORKERS = {"sw.js", "worker.js"}
MODULES = [
    f"/static/{script.relative_to(ROOT / app / 'static')}"
    for app in ("scoring", "tournaments")
    for script in sorted((ROOT / app / "static" / app / "bundles").glob("*.js"))
    if script.name not in WORKERS
]
FIND_IMPORT_ERRORS = """
  async (modules) => {
    const loaded = await Promise.allSettled(modules.map((module) => import(module)));
    return modules.flatMap((module, place) => loaded[place].reason ? [`${module}: ${loaded[place].reason}`] : []);
  }
"""
"""Returns the errors of modules that fail to import."""


@pytest.mark.parametrize(
    "scripts",
    [pytest.param(scripts, id=name) for name, scripts in MISSING_FEATURES.items()],
)
def test_hand_is_entered_and_corrected_without_newer_features(
    new_phone: Callable[..., Page], scripts: Sequence[str]
) -> None:
    phone = new_phone()
    phone.add_init_script(";".join(scripts))
    match = new_match("tricky_bid", 4)
    pad = Pad(phone, match)
    # The first slot is open and shows its keys.
    expect(phone.locator("[data-tray]")).to_be_visible()
    pad.type(9)
    phone.goto(match.get_absolute_url())
    enter_points(phone, 1, (9, 5, 3, 1))
    expect(phone.locator('tr[data-hand="1"]')).to_be_visible()
    expect(phone.locator(".totals .num").first).to_have_text("9")
    correct_hand(phone, 1, (8, 6, 3, 1))
    until_true(lambda: replay_match(match).state.totals == (8, 6, 3, 1))
    assert phone.evaluate(FIND_IMPORT_ERRORS, MODULES) == []


def test_rematch_rotates_seats_without_form_submitter_support(
    phone: Page,
) -> None:
    phone.add_init_script(NO_SUBMITTER)
    hands = [{"points": points} for points in ([9, 5, 3], [6, 6, 5], [8, 5, 4])]
    phone.goto(entered_match(hands, "tricky_bid").get_absolute_url())
    phone.get_by_role("button", name="Rotate and play again").click()
    expect(phone.get_by_role("link", name="Enter hand 1")).to_be_visible()
    seats = Match.objects.latest("pk").seats.order_by("index")
    assert [seat.name for seat in seats] == ["Bo", "Cy", "Ann"]


def test_choices_and_current_field_are_marked_without_css_has(
    phone: Page,
) -> None:
    phone.route("**/*.css", lambda route: serve_without_has_rules(route))
    phone.goto("/matches/new/")
    expect(phone.locator(".pick input").first).to_have_css("opacity", "1")
    pad = Pad(phone, new_match("tricky_bid", 4))
    pad.type(9)
    phone.get_by_role("button", name="Next").click()
    fields = phone.locator(".player-numbers input")
    assert [is_marked(fields.nth(seat)) for seat in range(4)] == [
        False,
        True,
        False,
        False,
    ]
    Pad(phone, new_match("tricky_dice", 4))
    expect(phone.locator("[data-tray] .chip input").first).to_have_css("opacity", "1")
    wizard = remove_has_rules((ROOT / "tournaments/css/settings.css").read_text())
    assert ".proposals .action > button { display: inline-flex; }" in wizard


def is_marked(field: Locator) -> bool:
    return bool(
        field.evaluate("(field) => getComputedStyle(field).boxShadow !== 'none'")
    )


def serve_without_has_rules(route: Route) -> None:
    """Serve a style sheet as a browser without `:has()` reads it."""
    sheet = Path(settings.STATIC_ROOT, route.request.url.partition("/static/")[2])
    route.fulfill(body=remove_has_rules(sheet.read_text()), content_type="text/css")


def test_chosen_dark_theme_matches_the_system_dark_theme() -> None:
    css = TOKENS.read_text()
    assert "light-dark" not in css
    _light, dark = css.split("@media (prefers-color-scheme: dark) {")
    system_dark, chosen_dark = dark.split('\n}\n:root[data-theme="dark"] {')
    assert colours(system_dark) == colours(chosen_dark)
    assert len(colours(system_dark)) > 50


def colours(css: str) -> list[tuple[str, str, str]]:
    """Return the game (empty for the site), name and value of each colour."""
    game = ""
    listed = []
    for line in css.splitlines():
        if "{" in line:
            match = re.search(r'data-game="(\w+)"', line)
            game = match[1] if match else ""
        listed += [
            (game, *pair) for pair in re.findall(r"--([\w-]+): (oklch[^;]+);", line)
        ]
    return listed


def remove_has_rules(css: str) -> str:
    """Return a style sheet without rules with `:has()`, as browsers without support read it."""
    rules = []
    css = re.sub(r"/\*.*?\*/", "", css, flags=re.DOTALL).strip()
    while css:
        statement = re.match(r"[^{;]*;", css)
        if statement:
            rules.append(statement[0])
            css = css[statement.end() :].strip()
            continue
        head, body, css = split_rule(css)
        if head.startswith(("@layer", "@media", "@supports", "@container")):
            head = "@media all" if head == WITHOUT_HAS else head
            rules.append(f"{head} {{{remove_has_rules(body)}}}")
        elif ":has(" not in head:
            rules.append(f"{head} {{{body}}}")
    return "".join(rules)


def split_rule(css: str) -> tuple[str, str, str]:
    start = css.index("{")
    depth = 0
    for index, character in enumerate(css[start:], start=start):
        depth += (character == "{") - (character == "}")
        if depth == 0:
            return css[:start].strip(), css[start + 1 : index], css[index + 1 :].strip()
    raise ValueError(css[:start])
